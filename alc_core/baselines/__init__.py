"""Baselines: the best prediction for a person from the original without that person."""
