"""A closer look at attacks: numbers people know, calibration, what drives the risk, who is hit."""
