"""Reading files in a separate process."""
