"""The Attack page."""
