"""Measures: what is read off the predictions for the targets; the anonymity loss is the first."""
