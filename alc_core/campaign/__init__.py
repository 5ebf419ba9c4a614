"""Campaigns: scenarios, attacks and releases in one file."""
