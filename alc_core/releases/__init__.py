"""What is published: kinds of release, and samples to try."""
