"""Reading of files in a process of its own, which a damaged file can take down alone."""
