"""What the parameters do."""
