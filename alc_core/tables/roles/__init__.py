"""What part each column of the original plays in attacks: suggested, and changed by the user."""
