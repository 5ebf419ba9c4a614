"""What the dashboard runs: single attacks, campaigns, planning."""
