"""What the user chooses, as the widgets hold it."""
