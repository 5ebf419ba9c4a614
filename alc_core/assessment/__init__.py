"""One scenario from tables to its result, and the words for it."""
