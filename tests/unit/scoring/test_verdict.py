import numpy as np
import pytest

from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import (
    SEVERITY,
    Verdict,
    chance_to_settle,
    classify,
    decide,
    straddled,
    verdict_of,
)

SCORING = ScoringParameters()


@pytest.mark.parametrize(
    ("loss", "verdict"),
    [
        (-3.0, "no loss"),
        (0.0, "no loss"),
        (0.01, "below limit"),
        (0.499, "below limit"),
        (0.5, "at risk"),
        (0.749, "at risk"),
        (0.75, "serious"),
        (1.0, "serious"),
    ],
)
def test_limits(loss, verdict):
    assert verdict_of(classify(loss, SCORING)) == verdict


@pytest.mark.parametrize(
    ("loss", "interval", "verdict"),
    [
        (-0.1, (-0.5, 0.3), "no loss"),
        (0.1, (-0.5, 0.3), "below limit"),
        (0.45, (0.3, 0.55), "inconclusive"),
        (-0.1, (-0.5, 0.6), "inconclusive"),
        (0.6, (0.499, 0.7), "inconclusive"),
        (0.8, (0.4, 0.9), "inconclusive"),
        (0.6, (0.5, 0.74), "at risk"),
        (0.7, (0.6, 0.8), "at risk"),
        (0.8, (0.74, 0.9), "at risk"),
        (0.75, (0.75, 0.75), "serious"),
        (0.9, (0.8, 0.95), "serious"),
    ],
)
def test_interval_over_the_lower_risk_limit_is_inconclusive_over_the_upper_one_at_risk(
    loss, interval, verdict
):
    assert verdict_of(decide(loss, *interval, SCORING)) == verdict


def test_inconclusive_between():
    assert straddled((0.3, 0.8), SCORING) == (Verdict.BELOW_LIMIT, Verdict.SERIOUS)
    assert straddled((0.6, 0.8), SCORING) == (Verdict.AT_RISK, Verdict.SERIOUS)
    assert straddled((-0.3, 0.2), SCORING) is None
    assert straddled((0.8, 0.9), SCORING) is None


def test_every_verdict_has_its_severity_and_nothing_left_is_the_least():
    assert sorted(SEVERITY) == sorted(Verdict)
    assert SEVERITY[0] is Verdict.NOT_TESTABLE
    ranks = [
        SEVERITY.index(each)
        for each in ("no loss", "below limit", "inconclusive", "at risk", "serious")
    ]
    assert ranks == sorted(ranks)


def test_other_limits():
    strict = ScoringParameters(at_risk=0.2, serious=0.3)
    assert verdict_of(classify(0.25, strict)) is Verdict.AT_RISK


@pytest.mark.parametrize(("loss", "attacked"), [(0.5, 0.5), (0.55, 0.5), (0.58, 0.2)])
def test_the_chance_to_settle_is_how_often_more_people_move_the_interval_off_the_limit(
    loss, attacked
):
    reach = 0.1
    spread = reach / 1.96 * np.sqrt(1 - attacked)
    losses = np.random.default_rng(0).normal(loss, spread, 100_000)
    settled = np.abs(losses - SCORING.at_risk) > reach * np.sqrt(attacked)
    chance = chance_to_settle(loss, (loss - reach, loss + reach), attacked, SCORING)
    assert chance == pytest.approx(settled.mean(), abs=0.01)
    assert chance_to_settle(loss, (loss - reach, loss + reach), 1.0, SCORING) == 0


def test_an_interval_over_both_limits_is_as_hard_to_settle_as_the_harder_one():
    both = chance_to_settle(0.51, (0.3, 0.76), 0.5, SCORING)
    assert both == chance_to_settle(0.51, (0.3, 0.76), 0.5, ScoringParameters(serious=0.999))
