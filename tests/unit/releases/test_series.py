"""A series: its differences, who is attacked by them, and editions that are intersected."""

import numpy as np
import pytest

from alc_core import Scenario, Targets, assess
from alc_core.assessment.run import assess_attacks
from alc_core.baselines.families import NaiveBayes
from alc_core.errors import InputError, PreflightError
from alc_core.releases.answers import levels
from alc_core.releases.registry import read_release
from alc_core.scoring.verdict import FLAGGED
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.read import table_from_frame
from tests.toys.editions import NEW, ROWS, banded, classes, quarters, register, shuffled

KNOWN = ["age", "sex", "area"]
NEWCOMERS = "rows new or changed in 'b' since 'a'"


def series(original, *frames, kind="series"):
    table = table_from_frame(original, name="original")
    editions = [
        table_from_frame(frame, name=name) for frame, name in zip(frames, "abc", strict=False)
    ]
    return table, read_release(editions, name="register", original=table, kind=kind)


def attacked(original, release):
    """Return the result of an attack on the whole release and on its parts."""
    scenario = Scenario(KNOWN, "status", targets=1_000)
    return {
        next(iter(asked.selection.where), "all"): result
        for asked in levels(original, release, scenario)
        for result in assess_attacks(
            original, release, asked, ("best row match",), families=(NaiveBayes(),)
        )
    }


def test_newcomers_are_attacked_by_the_rows_that_are_new():
    people, before, after = quarters()
    original, release = series(people, before, after)
    (difference,) = release.differences
    assert len(difference.table) == NEW
    parts = release.parts(original, selected=False)
    assert {name: int(who.sum()) for name, who in parts.items()} == {
        "rows read in 'a' only": ROWS, "rows read in 'b' only": ROWS, NEWCOMERS: NEW,
    }  # fmt: skip
    found = attacked(original, release)
    assert found.pop(NEWCOMERS).verdict in FLAGGED
    assert not {result.verdict for result in found.values()} & {*FLAGGED}


def test_newcomers_with_strangers_values_lose_nothing():
    people, before, after = quarters(harmless=True)
    original, release = series(people, before, after)
    assert release.parts(original, selected=False)[NEWCOMERS].sum() == NEW, "by their true rows"
    losses = {result.alc for result in attacked(original, release).values()}
    assert max(losses) < 0.4


def test_who_is_new_is_read_in_the_classes_of_the_edition_and_drawn_among_equals():
    people, before, after = quarters()
    original, release = series(people, before, after)
    new = release.parts(original, selected=False)[NEWCOMERS]
    kinds = banded(people).groupby(["age", "sex", "area", "status"])
    share = kinds["age"].transform("size")[new]
    truly = np.zeros(ROWS, dtype=bool)
    truly[-NEW:] = True
    expected = (1 / share).sum()
    assert (new & truly).sum() == pytest.approx(expected, abs=4 * expected**0.5)


def test_who_left_is_attacked_by_what_is_gone():
    people = register()
    original, release = series(people, banded(people), shuffled(banded(people[NEW:])))
    (difference,) = release.differences
    assert difference.name == "rows of 'a' gone in 'b'"
    assert release.parts(original, selected=False)[difference.name].sum() == NEW


def test_a_new_edition_is_attacked_by_what_it_adds():
    people, before, after = quarters()
    original, release = series(people, before, after, kind="new-edition")
    assert [*release.parts(original, selected=False)] == [NEWCOMERS]
    encoded = levels(original, release, Scenario(KNOWN, "status"))
    assert [[*each.selection.where] for each in encoded] == [[], [NEWCOMERS]]


def test_classes_are_intersected():
    attacks = ("best row match", "intersection")
    for harmless in (False, True):
        original, release = series(*classes(harmless=harmless))
        assert release.differences == (), "hardly a row is in both"
        (scenario, *_) = levels(original, release, Scenario(KNOWN, "status"))
        both, met = assess_attacks(original, release, scenario, attacks, families=(NaiveBayes(),))
        assert (met.verdict in FLAGGED) is not harmless
        assert harmless or met.alc > both.alc + 0.2


def test_a_synthetic_edition_says_that_newcomers_cannot_be_found():
    people = register()
    strangers = banded(register(seed=8)).assign(area="A99")
    later = strangers.copy()
    later.iloc[:NEW] = banded(register(NEW, seed=9))
    original, release = series(people, strangers, later)
    assert release.differences
    assert NEWCOMERS not in release.parts(original, selected=False)
    codes = {(f.code, f.table) for f in release.checker(original).findings()}
    assert ("edition-unmatched", "a") in codes


def test_a_few_newcomers_are_not_attacked_but_named():
    people = register()
    original, release = series(people, banded(people[:-20]), shuffled(banded(people)))
    assert NEWCOMERS not in release.parts(original, selected=False)
    (found,) = (f for f in release.checker(original).findings() if f.code == "edition-few")
    assert found.message.endswith("or changed: 20, not 35.")


def test_a_series_is_asked_nothing_more():
    original, release = series(*quarters())
    assert "editions" in {f.code for f in check_tables(original, release.tables)}
    assert not [f for f in release.checker(original).findings() if f.blocking]
    with pytest.raises(PreflightError):
        assess(original, list(release.tables), Scenario(KNOWN, "status"))


def test_one_table_is_no_series_and_names_differ():
    people, before, _ = quarters()
    with pytest.raises(InputError, match="'register' has one table, but editions of the same data"):
        series(people, before)
    table = table_from_frame(before, name="a")
    with pytest.raises(InputError, match="Two editions are called 'a'"):
        read_release([table, table], name="r", original=table, kind="series")


def test_overlapping_classes_do_not_say_who_is_new_but_other_columns_do():
    people = register()
    before, after = banded(people[:-NEW]), banded(people)
    wide = before["age"].str.partition("-")[0].astype(int)
    before["age"] = before["age"].where(before.index % 2 == 0, wide.astype(str) + "-79")
    original, release = series(people, before, after)
    parts = release.parts(original, selected=False)
    (name,) = (name for name in parts if name.startswith("rows new"))
    assert parts[name].sum() == NEW


def test_people_whom_the_user_selects_are_attacked_by_every_part():
    people, before, after = quarters()
    new = np.where(people.index >= ROWS - NEW, "yes", "no")
    original, release = series(people.assign(new=new), before, after)
    scenario = Scenario(KNOWN, "status", targets=Targets(where={"new": ("yes",)}))
    *_, asked = levels(original, release, scenario)
    assert {*asked.selection.where} == {"new", "rows read in 'b minus a' only"}
    (found,) = assess_attacks(
        original, release, asked, ["best row match"], families=(NaiveBayes(),)
    )
    assert found.attempts == NEW
    assert found.verdict in FLAGGED
