"""Baselines: the best prediction from the original without the person."""
