"""Where the utility of a release goes: distributions, pairs of columns, models."""
