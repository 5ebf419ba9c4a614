"""What is published: kinds of release, and samples to try."""

# Titles by kind in order of registration, for what lists kinds without importing them
KINDS = {
    "rows": "rows of people",
    "groups": "groups of people with shuffled values",
    "counts": "published counts",
    "events": "linked rows of people",
    "series": "editions of the same data",
    "new-edition": "a new edition of published data",
}
