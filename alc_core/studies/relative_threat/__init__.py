"""The relative threat of a grouped release, from tables to numbers."""
