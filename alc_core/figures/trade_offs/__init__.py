"""Figures about the parameters: where curves of equal PRC and ALC run."""
