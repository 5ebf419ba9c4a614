"""Attacks: the protocol, one attack per module, and their registry."""

# Names in order of registration, for what lists attacks without importing them
BUILT_IN = (
    "best row match", "model", "record linkage", "chained", "naive bayes", "definetti", "bayesian",
    "known events", "intersection",
)  # fmt: skip
