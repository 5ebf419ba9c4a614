"""The prior approach: the same attack on people who are not in the release."""
