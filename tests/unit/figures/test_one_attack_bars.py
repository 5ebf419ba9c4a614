"""Who is told what, as bars."""

import numpy as np
import pytest

from alc_core.assessment.people import PeopleSplit
from alc_core.figures.looks import ATTACK, BASELINE
from alc_core.figures.one_attack import (
    people_bars_figure,
    precision_recall_figure,
    right_bars_figure,
)
from alc_core.figures.template import alt_of
from alc_core.phrasing import count, percent
from alc_core.scoring.outcomes import Outcomes
from tests.toys.judged import assessment_of
from tests.toys.plain_readings import simulated


@pytest.fixture(scope="module")
def result():
    weights = np.random.default_rng(1).choice([1.0, 4.0], 500)
    return assessment_of(
        simulated(500, known=0.5, weights=weights), people=12_000, population=12_500
    )


def test_both_are_right_among_those_who_can_lose_something(result):
    whole, bars = right_bars_figure(result).data
    sides = (result.attack_rest, result.baseline_rest)
    assert bars.x == tuple(side.measured_precision for side in sides)
    assert bars.text == tuple(f"<b>{percent(side.measured_precision)}</b>" for side in sides)
    assert bars.marker.color == (ATTACK, BASELINE)
    assert whole.x == (1.0, 1.0)
    assert count(result.attack_rest.predictions) in right_bars_figure(result).layout.title.text


def test_people_are_counted_on_the_scale_of_all(result):
    split, (whole, bars) = PeopleSplit.of(result), people_bars_figure(result).data
    exposed = result.exposed if result.exposed_interval[0] > 0 else 0.0
    assert bars.x == pytest.approx((split.rest, exposed), abs=0.5)
    assert split.rest == pytest.approx(12_000 - split.known)
    assert whole.x == (12_500,) * 2
    told = alt_of(people_bars_figure(result))
    assert told.startswith(f"Of {count(12_500)} people: can lose something ")
    assert f"exposed {count(round(exposed))}." in told


def test_where_the_guess_knows_everybody_nobody_can_lose_anything():
    everybody = assessment_of(Outcomes.from_predictions(*(np.ones(400),) * 4))
    assert people_bars_figure(everybody).data[1].x == (0.0, 0.0)


def test_the_curves_reach_to_the_points_among_the_rest():
    # The surest are known to everybody; the leak is among a few that come after them.
    sizes = (3000, 500, 1500)
    known, attack, guess, right, guessed = (
        np.repeat(each, sizes)
        for each in ([1.0, 0, 0], [1.0, 0.9, 0.1], [1.0, 0.5, 0.1], [1, 1, 0], [1, 0, 0])
    )
    result = assessment_of(Outcomes.from_predictions(attack, right, guess, guessed))
    assert known.sum() == 3000
    figure = precision_recall_figure(result)
    left, _ = figure.layout.xaxis.range
    lowest = min(result.attack_rest.recall, result.baseline_rest.recall)
    assert (10**left if figure.layout.xaxis.type == "log" else left) < lowest < 0.2
