"""What the dashboard runs: campaigns, and their planning."""
