"""Assessments made up of their outcomes alone."""

from typing import Any

from alc_core.assessment.halting import HaltingReason
from alc_core.assessment.result import Assessment, TableSummary
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.outcomes import Outcomes
from alc_core.scoring.parameters import LoopParameters, ScoringParameters


def assessment_of(outcomes: Outcomes, **more: Any) -> Assessment:
    """What an attack with these outcomes would have given, on all people of a table."""
    rows = outcomes.attempts
    table = TableSummary(name="people", rows=rows, columns=3, fingerprint="p" * 64)
    fields: dict[str, Any] = {
        "scenario": Scenario(("age", "city"), "job"),
        "attack_name": "best row match",
        "outcomes": outcomes,
        "scoring": ScoringParameters(),
        "loop": LoopParameters(resamples=200),
        "seed": 0,
        "halting": HaltingReason.EXHAUSTED,
        "models": {"made up": rows},
        "original": table,
        "release": (TableSummary(name="v1", rows=rows, columns=3, fingerprint="r" * 64),),
        "population": rows,
        "candidates": rows,
        "abstentions": 0,
        "down_sampled_share": None,
        "notes": (),
        "versions": {"anonymity-loss": "0"},
        "people": rows,
    }
    return Assessment(**{**fields, **more})
