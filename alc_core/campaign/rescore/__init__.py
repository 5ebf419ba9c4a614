"""Scoring a finished campaign again under other parameters."""
