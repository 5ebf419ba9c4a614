"""The pre-flight check of an original against releases: findings as data, before anything runs."""
