"""Linked tables: keys, one row a person, and known events."""
