"""Usefulness of a release: marginals, and models trained on it."""
