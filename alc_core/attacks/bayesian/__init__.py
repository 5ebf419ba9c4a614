"""The Bayesian attacker, who knows that the target is in the release."""
