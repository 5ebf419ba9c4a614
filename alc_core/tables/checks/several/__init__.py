"""Checks of released labels that stand for several values."""
