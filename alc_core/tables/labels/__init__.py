"""What released labels cover: one, several or any values."""
