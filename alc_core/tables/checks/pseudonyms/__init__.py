"""Pseudonyms that the original's values undo."""
