"""The page on the holdout: choices, measuring, what was found."""
