"""Measures read off the predictions for the targets; the anonymity loss comes first."""
