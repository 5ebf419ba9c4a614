"""The page on RAPID: choices, measuring, what was found."""
