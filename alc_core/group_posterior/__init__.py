"""Bayesian inference from grouped tables, by a Gibbs sampler."""
