"""What released labels cover: a value, several values of the original, or any value."""
