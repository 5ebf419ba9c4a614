"""Editions of the same data are asked about; syntheses, strangers and halves are not."""

import numpy as np
import pandas as pd
import pytest

from alc_core import Scenario, assess
from alc_core.errors import PreflightError
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.editions import common_rows
from alc_core.tables.read import table_from_frame
from tests.toys.editions import ROWS, banded, classes, quarters, register, shuffled


def tables(*frames):
    return [
        table_from_frame(frame, name=name) for name, frame in zip("oabcde", frames, strict=False)
    ]


def asked(*frames):
    original, *releases = tables(*frames)
    found = [f for f in check_tables(original, releases) if f.code == "editions"]
    return [(f.table, f.facts["other"], f.facts.get("columns", ())) for f in found]


def test_the_next_quarter_is_asked_about_and_stops_an_attack():
    assert asked(*quarters()) == [("b", "a", ())]
    original, *releases = tables(*quarters())
    with pytest.raises(PreflightError, match="'b' and 'a' share more rows"):
        assess(original, releases, Scenario(["age", "sex", "area"], "status"))


def test_other_classes_of_the_same_people_are_asked_about():
    assert asked(*classes()) == [("b", "a", ("age", "area"))]
    assert asked(*classes(harmless=True)) == [], "the value is another draw"


def test_a_tenth_in_common_is_asked_about():
    people = banded(register())
    panel = pd.concat([people[: ROWS // 4], banded(register(seed=7))[ROWS // 4 :]])
    assert asked(register(), people, shuffled(panel)) == [("b", "a", ())]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("columns", [["age", "sex", "area", "status"], ["sex", "area", "status"]])
def test_syntheses_of_one_model_are_not(seed, columns):
    people = banded(register(seed=seed))
    draw = np.random.default_rng(seed)

    def synthesis():
        """Draw a kind of person, then the status among that kind's, as trees do."""
        made = people.sample(frac=1, replace=True, random_state=draw)
        statuses = made.groupby(["sex", "area"])["status"]
        return made.assign(status=statuses.transform(lambda s: draw.choice(s.to_numpy(), len(s))))[
            columns
        ]

    assert asked(register(seed=seed), *(synthesis() for _ in range(5))) == []


@pytest.mark.parametrize("share", [0.5, 0.2])
def test_strangers_and_parts_of_a_table_are_not(share):
    people = shuffled(banded(register()))
    cut = int(share * ROWS)
    assert asked(register(), people[:cut], people[cut:]) == []
    assert asked(register(), banded(register(seed=8)), people) == []


def test_tables_that_each_have_columns_of_their_own_are_not_editions():
    people = register()
    assert asked(people, people[["age", "sex", "area"]], people[["age", "sex", "status"]]) == []


def test_the_share_in_common_is_of_the_smaller_table():
    people = register()
    columns = [*people.columns]
    _, one, other = tables(people, people[: ROWS // 3], shuffled(people))
    assert common_rows(one, other, columns).share == pytest.approx(1, abs=0.1)
    mixed = pd.concat([people[: ROWS // 2], register(seed=7)[ROWS // 2 :]])
    _, one, other = tables(people, people, mixed)
    assert common_rows(one, other, columns[1:]).share == pytest.approx(0.5, abs=0.1)
    assert common_rows(one, other, columns).share > 0.3, "most rows are unique"
