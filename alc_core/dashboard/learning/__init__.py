"""The page on learning attacks: choices, running a study, its figures, the worked example."""
