"""Tables: reading files, kinds of columns, roles, what labels stand for, codes, checks."""
