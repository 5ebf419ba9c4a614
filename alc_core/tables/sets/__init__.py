"""Released values that stand for several values of the original: reading and finding them."""
