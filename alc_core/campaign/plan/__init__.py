"""Planning a campaign: which attacks, why, and how long they take."""
