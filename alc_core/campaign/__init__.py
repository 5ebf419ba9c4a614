"""Campaigns: many scenarios, attacks and releases, planned, run, kept in one file, rescored."""
