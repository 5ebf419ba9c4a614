"""Studies of what attacks learn from published counts and from groups, on the user's original."""
