"""The page of one attack."""
