"""Measures of all targets say so: a balanced sample is not all people."""

import pytest

from alc_core.measures.measure import Measured
from alc_core.measures.registry import measures
from alc_core.scenario.scenario import Scenario

NUMBERS = dict.fromkeys(("alc", "attack", "other", "share", "rows_traced"), Measured(0.95))


@pytest.mark.parametrize("name", ["no recall", "rapid"])
def test_shares_are_said_to_be_of_those_attacked(name):
    said = measures()[name].sentence(NUMBERS, Scenario(["age"], "job"))
    assert "95 % of those attacked" in said
    assert "people" not in said
