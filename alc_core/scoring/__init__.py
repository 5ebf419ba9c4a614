"""From counts to measures: formulas, intervals, curves, outcomes, verdicts."""
