"""What released labels stand for: values, several values of the original, or any value."""
