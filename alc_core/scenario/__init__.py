"""Scenarios, targets, and the check before a run."""
