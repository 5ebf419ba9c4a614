"""How much more an attacker gets from a grouped release than a learner does."""
