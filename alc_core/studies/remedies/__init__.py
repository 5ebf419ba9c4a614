"""What to change in a release so that its flagged attacks fall below the limit: tried."""
