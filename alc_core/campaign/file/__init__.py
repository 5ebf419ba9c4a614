"""The file of a campaign: one SQLite file that never holds data of people."""
