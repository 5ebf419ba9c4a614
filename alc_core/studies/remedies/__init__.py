"""Changes of a release that take flagged attacks below the limit."""
