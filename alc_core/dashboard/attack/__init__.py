"""The Campaign page."""
