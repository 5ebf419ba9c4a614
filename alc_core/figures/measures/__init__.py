"""Figures of measures beside the anonymity loss."""
