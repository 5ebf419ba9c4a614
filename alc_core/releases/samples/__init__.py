"""Making test releases."""
