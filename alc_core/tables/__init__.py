"""Tables: reading, kinds and roles of columns, labels, codes, checks."""
