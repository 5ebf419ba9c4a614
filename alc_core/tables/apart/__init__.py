"""Reading files in a process of its own, which a damaged file may crash."""
