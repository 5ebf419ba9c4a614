"""The Trade-offs page."""
