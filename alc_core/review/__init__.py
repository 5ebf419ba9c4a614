"""Findings as blocks and sentences, by attack, release and campaign."""
