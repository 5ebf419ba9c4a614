"""All people in one bar."""

import numpy as np
import pytest

from alc_core.assessment.exposed import PeopleSplit
from alc_core.figures.looks import ATTACK
from alc_core.figures.one_attack import people_bar_figure
from alc_core.figures.template import alt_of
from alc_core.phrasing import count
from alc_core.scoring.outcomes import Outcomes
from tests.toys.judged import assessment_of
from tests.toys.plain_readings import simulated


@pytest.fixture(scope="module")
def result():
    weights = np.random.default_rng(1).choice([1.0, 4.0], 500)
    return assessment_of(simulated(500, known=0.5, weights=weights), people=12_000)


def test_the_parts_are_all_people_from_left_to_right(result):
    split, figure = PeopleSplit.of(result), people_bar_figure(result)
    shares = [trace.x[0] for trace in figure.data]
    parts = (split.known, split.learned, split.guessed, split.neither)
    assert shares == pytest.approx([part / 12_000 for part in parts])
    assert sum(shares) == pytest.approx(1)
    assert figure.layout.barmode == "stack"
    names = [trace.name for trace in figure.data]
    assert names[0].startswith("Anybody knows (")
    assert [trace.marker.color for trace in figure.data].index(ATTACK) == 1
    assert names[1].startswith("Told by the release alone (")
    assert (
        figure.data[1].text[0].endswith(f"{count(round(split.learned))} of {count(12_000)} people")
    )


def test_the_alt_text_says_every_part(result):
    told = alt_of(people_bar_figure(result))
    assert told.startswith(f"All {count(12_000)} people: anybody knows ")
    for name in ("told by the release alone", "guessed as well", "stays unknown"):
        assert f"{name} " in told


def test_a_part_without_people_is_left_out():
    right = np.arange(400) < 200
    nobody_known = assessment_of(
        Outcomes.from_predictions(np.ones(400), right, np.ones(400), np.arange(400) >= 200)
    )
    names = [trace.name for trace in people_bar_figure(nobody_known).data]
    assert names == ["Told by the release alone (50 %)", "Guessed as well (50 %)"]
    everybody = assessment_of(Outcomes.from_predictions(*(np.ones(400),) * 4))
    assert alt_of(people_bar_figure(everybody)) == "All 400 people: anybody knows 100 %."
