"""Reading of single formats; :mod:`read` chooses."""
