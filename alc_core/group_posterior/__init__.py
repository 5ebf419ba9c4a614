"""Bayesian inference from tables that are released in groups, by a Gibbs sampler."""
