"""Studies of what attacks learn from counts and groups."""
