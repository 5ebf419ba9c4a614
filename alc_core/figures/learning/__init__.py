"""Figures of a study of learning attacks."""
