"""What to change in a release: trying it, what was found, the to-do list."""
