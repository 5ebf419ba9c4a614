"""Which columns and tables of groups and counts are what, and what is wrong with them."""
