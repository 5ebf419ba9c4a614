"""One scenario from tables to its result."""
