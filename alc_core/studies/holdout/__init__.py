"""People who are in neither table, beside those of the original: attacks on both, distances."""
