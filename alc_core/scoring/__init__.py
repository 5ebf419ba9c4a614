"""Formulas, intervals, curves, outcomes and verdicts."""
