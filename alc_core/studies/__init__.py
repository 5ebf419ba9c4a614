"""Studies of releases as a whole."""
