"""RAPID: people a model of the release predicts too well."""
