"""Campaigns and their planning."""
