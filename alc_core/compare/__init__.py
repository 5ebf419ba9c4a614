"""Candidate releases of one original side by side: risk and utility."""
