"""The check of an original against releases before anything runs: findings as facts."""
