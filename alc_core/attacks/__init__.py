"""Attacks: the protocol, one attack per module, and the row-at-a-time loop."""
