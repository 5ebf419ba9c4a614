"""Who is told what, as people and as bars."""

import numpy as np
import pytest

from alc_core.assessment.people import PeopleSplit
from alc_core.figures.looks import ATTACK, BASELINE
from alc_core.figures.one_attack import (
    people_bars_figure,
    precision_recall_figure,
    right_people,
    right_people_figure,
)
from alc_core.figures.template import alt_of
from alc_core.phrasing import count, percent
from alc_core.scoring.outcomes import Outcomes
from tests.toys.judged import assessment_of
from tests.toys.plain_readings import simulated

COLOURS = (ATTACK, BASELINE)


@pytest.fixture(scope="module")
def result():
    weights = np.random.default_rng(1).choice([1.0, 4.0], 500)
    return assessment_of(
        simulated(500, known=0.5, weights=weights), people=12_000, population=12_500
    )


def test_a_hundred_people_show_how_often_attack_and_guess_are_right(result):
    layout = right_people_figure(result).layout
    sides = (result.attack_rest, result.baseline_rest)
    filled = [shape.path.count("Z") // 2 for shape in layout.shapes if shape.fillcolor in COLOURS]
    assert filled == [round(100 * side.measured_precision) for side in sides]
    assert sum(shape.path.count("Z") // 2 for shape in layout.shapes) == 200
    told = [note.text for note in layout.annotations]
    assert [
        percent(side.measured_precision) in said for side, said in zip(sides, told, strict=True)
    ]
    assert count(result.attack_rest.predictions) in layout.title.text


@pytest.mark.parametrize(
    ("share", "people"), [(0, 0), (0.001, 1), (0.5, 50), (0.999, 99), (1, 100)]
)
def test_of_a_hundred_people_never_all_nor_none_are_shown_where_that_is_false(share, people):
    shapes = right_people(share, share).layout.shapes
    filled = [each.path.count("Z") // 2 for each in shapes if each.fillcolor in COLOURS]
    assert filled == [people] * 2 if people else not filled


def test_people_are_counted_on_the_scale_of_all(result):
    split, (whole, bars) = PeopleSplit.of(result), people_bars_figure(result).data
    exposed = result.exposed if result.exposed_interval[0] > 0 else 0.0
    assert bars.x == pytest.approx((split.rest, exposed), abs=0.5)
    assert split.rest == pytest.approx(12_000 - split.known)
    assert whole.x == (12_500,) * 2
    told = alt_of(people_bars_figure(result))
    assert told.startswith(f"{count(12_500)} people: hard to guess ")
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
