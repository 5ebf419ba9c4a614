"""Deciding on releases, and the report of it."""
