"""Why an attack does not pass the gate."""

import pytest

from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Cause, Outcome, Verdict, cause_of, outcome_of


@pytest.mark.parametrize(
    ("verdict", "high", "at_risk", "serious"),
    [
        (Verdict.SERIOUS, 0.9, Cause.FOUND, Cause.FOUND),
        (Verdict.AT_RISK, 0.8, Cause.FOUND, Cause.INCONCLUSIVE),
        (Verdict.AT_RISK, 0.7, Cause.FOUND, None),
        (Verdict.INCONCLUSIVE, 0.8, Cause.INCONCLUSIVE, Cause.INCONCLUSIVE),
        (Verdict.NOT_TESTABLE, 0.8, Cause.UNTESTED, Cause.UNTESTED),
        (Verdict.BELOW_LIMIT, 0.4, None, None),
    ],
)
def test_nothing_left_to_learn_is_not_tested_at_any_limit(verdict, high, at_risk, serious):
    for limit, cause in ((Verdict.AT_RISK, at_risk), (Verdict.SERIOUS, serious)):
        found = cause_of(verdict, high, ScoringParameters(), limit, exposes_many=False)
        assert found is cause


@pytest.mark.parametrize(
    ("causes", "outcome"),
    [
        ([], Outcome.PASSED),
        ([None, None], Outcome.PASSED),
        ([None, Cause.UNTESTED], Outcome.PASSED),
        ([Cause.UNTESTED], Outcome.INCONCLUSIVE),
        ([Cause.FAILED, Cause.UNTESTED], Outcome.INCONCLUSIVE),
        ([None, Cause.INCONCLUSIVE], Outcome.INCONCLUSIVE),
        ([Cause.INCONCLUSIVE, Cause.ROWS], Outcome.FOUND),
    ],
)
def test_an_attack_with_nothing_left_counts_only_where_nothing_was_tested(causes, outcome):
    assert outcome_of(causes) is outcome
