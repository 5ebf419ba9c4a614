"""The page on relative threat: choices, running the chains, what was found."""
