"""A campaign's findings: tables, overviews, decisions, sensitivity."""
