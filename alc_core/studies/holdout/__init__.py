"""People in neither table, beside the original's: attacks, distances."""
