"""Linked tables: their keys, what rows of one person come to, and known events."""
