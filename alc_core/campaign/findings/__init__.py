"""What a campaign found: tables, overviews, decisions, sensitivity."""
