"""The page on risk numbers: choices, counting, what was found."""
