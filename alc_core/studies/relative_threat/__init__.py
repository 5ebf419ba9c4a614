"""The relative threat of a grouped release."""
