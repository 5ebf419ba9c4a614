"""Reading of single file formats; :mod:`read` chooses among them."""
