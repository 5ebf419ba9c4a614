"""RAPID: how many people a model that has learned from the release alone predicts too well."""
