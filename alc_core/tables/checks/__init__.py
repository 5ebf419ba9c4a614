"""The check of an original against releases."""
