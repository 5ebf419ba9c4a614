"""Measures read off the predictions for the targets."""
