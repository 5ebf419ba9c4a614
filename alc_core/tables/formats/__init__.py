"""Reading of single file formats; :mod:`alc_core.tables.read` chooses among them."""
