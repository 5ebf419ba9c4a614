"""Tables: reading files, kinds and roles of columns, meanings of labels, codes, checks."""
