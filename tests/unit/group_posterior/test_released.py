"""From what attacks see of a release to the table that the sampler reads."""

import numpy as np
import pandas as pd
import pytest

from alc_core.assessment.prepare import ScenarioData
from alc_core.errors import InputError
from alc_core.group_posterior.released import GroupedRelease
from alc_core.group_posterior.tables import DistinctRows, HorizontalTable, VerticalTable
from alc_core.releases.registry import as_release
from alc_core.releases.samples.groups import anatomize
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import KnownValues
from alc_core.tables.read import table_from_frame

ORIGINAL = pd.DataFrame(
    {
        "nation": ["Malaysia", "Japan", "Japan", "Japan", "China", "Japan", "India", "Malaysia"],
        "zip": ["45501", "45502", "55503", "55504", "66601", "66601", "77701", "77701"],
        "illness": ["Heart", "Flu", "Flu", "Stomach", "HIV", "Diabetes", "Flu", "Heart"],
    }
)
RELEASED = ORIGINAL.assign(
    nation=["{Malaysia, Japan}"] * 2 + ["Japan"] * 2 + ["{China, Japan}"] * 2
    + ["{India, Malaysia}"] * 2,
    zip=["4550*"] * 2 + ["5550*"] * 2 + ["66601"] * 2 + ["77701"] * 2,
)  # fmt: skip
KINDS = {"zip": "categorical"}


def read(original, release, known, unknown):
    table = table_from_frame(original, name="original")
    if "zip" in original:
        table = table.with_kinds(KINDS)
    scenario = Scenario(known, unknown)
    release = release(table) if callable(release) else as_release(release)
    encoded = ScenarioData.of(table, release, scenario).encoded
    people = KnownValues.of(encoded.data.original, encoded.data.specs, scenario.known)
    return GroupedRelease.of(encoded.view(scenario), people=people), people


def covered(found, row):
    """What a row may have been, column by column."""
    names = found.coding.columns
    return {
        name: {
            names[name].spec.labels[code]
            for code in np.flatnonzero(found.table.covers[number][found.table.labels[row, number]])
        }
        for number, name in enumerate(names)
    }


def test_the_papers_table_is_read_with_the_originals_values_as_domain():
    found, _ = read(ORIGINAL, RELEASED, ["nation", "zip"], "illness")
    assert isinstance(found.table, HorizontalTable)
    assert found.table.domain.sizes == (4, 6)
    assert found.table.domain.n_values == 5
    assert covered(found, 0) == {"nation": {"Malaysia", "Japan"}, "zip": {"45501", "45502"}}
    assert covered(found, 2) == {"nation": {"Japan"}, "zip": {"55503", "55504"}}
    assert covered(found, 7) == {"nation": {"India", "Malaysia"}, "zip": {"77701"}}
    assert found.notes == ()


def test_suppressed_cells_and_rows_may_be_anybody():
    released = RELEASED.copy()
    released.loc[0, "zip"] = "*"
    released.loc[7, ["nation", "zip"]] = "*"
    found, _ = read(ORIGINAL, released, ["nation", "zip"], "illness")
    assert len(found.table) == 8
    assert len(covered(found, 0)["zip"]) == 6
    assert len(covered(found, 7)["zip"]) == 6
    assert len(covered(found, 7)["nation"]) == 4
    heart = sorted(set(ORIGINAL["illness"])).index("Heart")
    assert found.table.values[7] == heart


def test_rows_without_a_single_unknown_value_are_left_out_and_counted():
    released = RELEASED.copy()
    released.loc[[2, 5], "illness"] = ["{Flu, Stomach}", "*"]
    found, _ = read(ORIGINAL, released, ["nation", "zip"], "illness")
    assert len(found.table) == 6
    assert "2 rows without a single unknown value are left out" in found.notes[0]


def test_intervals_cover_the_ranges_that_they_touch():
    n = 60
    original = pd.DataFrame({"age": np.arange(20, 20 + n) + 0.0, "sick": ["yes", "no"] * (n // 2)})
    released = original.assign(
        age=[f"{20 + 10 * (k // 10)}-{29 + 10 * (k // 10)}" for k in range(n)]
    )
    found, people = read(original, released, ["age"], "sick")
    codes = found.coding.people(people)[:, 0]
    table = found.table
    for row in range(n):
        inside = table.covers[0][table.labels[row, 0]][codes]
        np.testing.assert_array_equal(np.flatnonzero(inside) // 10, np.full(10, row // 10))


def test_options_are_values_that_a_person_can_have():
    n = 60
    days = pd.Series(pd.date_range("1969-12-01", periods=n))
    original = pd.DataFrame({"born": days, "age": np.arange(n) + 0.5, "sick": ["yes", "no"] * 30})
    for born in (days, days + pd.Timedelta(hours=5)):
        table = original.assign(born=born)
        coding = read(table, table, ["born", "age"], "sick")[0].coding
        for name, options in coding.options().items():
            assert len(options) == coding.columns[name].size
            places = [coding.columns[name].code_of(option) for option in options]
            assert places == list(range(len(options)))


def test_texts_among_numbers_are_values_beside_the_ranges_and_the_empty_cell():
    pay = [*map(str, range(40)), "N", "none yet", None]
    original = pd.DataFrame({"pay": pay, "sick": ["yes"] * 20 + ["no"] * 23})
    table = table_from_frame(original, name="original").with_kinds({"pay": "continuous"})
    scenario = Scenario(["pay"], "sick")
    encoded = ScenarioData.of(table, as_release(original), scenario).encoded
    people = KnownValues.of(encoded.data.original, encoded.data.specs, scenario.known)
    found = GroupedRelease.of(encoded.view(scenario), people=people)
    coding, size = found.coding.columns["pay"], found.table.domain.sizes[0]
    codes = found.coding.people(people)[:, 0]
    assert codes[-3:].tolist() == [size - 3, size - 2, size - 1]
    assert codes[:-3].max() == size - 4
    assert coding.options[-2:] == ("N", "none yet")
    assert coding.code_of("N") == codes[-3]
    assert np.array_equal(codes, found.table.covers[0][found.table.labels[:, 0]].argmax(axis=1))


def test_ranges_that_are_joined_are_said():
    original = pd.DataFrame({"age": np.arange(240) + 0.5, "sick": ["yes", "no"] * 120})
    table = table_from_frame(original, name="original").with_kinds({"age": "continuous"})
    scenario = Scenario(["age"], "sick")
    view = ScenarioData.of(table, as_release(original), scenario).encoded.view(scenario)
    found = GroupedRelease.of(view, ranges=150)
    assert found.table.domain.sizes == (101,)
    assert found.notes == ("'age' has 149 bounds of ranges; 100 were used.",)
    assert GroupedRelease.of(view, ranges=101).notes == ()


def test_a_missing_value_is_a_value_where_somebody_has_none():
    original = ORIGINAL.assign(zip=[None, *ORIGINAL["zip"][1:]])
    found, people = read(original, RELEASED, ["nation", "zip"], "illness")
    size = found.table.domain.sizes[1]
    assert size == 6
    assert found.coding.people(people)[0, 1] == size - 1
    plain = GroupedRelease.of(_view(original, RELEASED), people=None)
    assert plain.table.domain.sizes[1] == 5
    assert plain.coding.people(people)[0, 1] == -1


def _view(original, released):
    table = table_from_frame(original, name="original").with_kinds(KINDS)
    scenario = Scenario(["nation", "zip"], "illness")
    return ScenarioData.of(table, as_release(released), scenario).encoded.view(scenario)


def test_groups_become_rows_sorted_by_group(people):
    frame = people(300, 1)[["age", "city", "job"]]
    found, known = read(
        frame,
        lambda table: anatomize(table, unknown="job", known=["age", "city"], level=2, seed=3),
        ["age", "city"],
        "job",
    )
    table = found.table
    assert isinstance(table, VerticalTable)
    assert len(table) == 300
    assert np.diff(table.starts).min() >= 2
    truth = found.coding.people(known)
    both = [DistinctRows.of(codes) for codes in (truth, table.known)]
    np.testing.assert_array_equal(both[0].rows, both[1].rows)
    np.testing.assert_array_equal(both[0].counts, both[1].counts)


def test_of_several_tables_the_one_with_most_known_columns_is_used():
    parts = [RELEASED[["zip", "illness"]], RELEASED]
    release = as_release(
        [table_from_frame(part, name=n) for n, part in zip("ab", parts, strict=True)]
    )
    found, _ = read(ORIGINAL, lambda _: release, ["nation", "zip"], "illness")
    assert found.notes == ("Only one table was used, not a.",)
    assert len(found.table) == 8


def test_what_is_known_of_a_person_is_checked():
    found, _ = read(ORIGINAL, RELEASED, ["nation", "zip"], "illness")
    np.testing.assert_array_equal(found.coding.person({"zip": "45502"}), [[-1, 1]])
    with pytest.raises(InputError, match="'zip' has no value '99999'"):
        found.coding.person({"zip": "99999"})
    with pytest.raises(InputError, match="'age' is not a known column of the release"):
        found.coding.person({"age": "35"})


def test_rows_are_told_apart_whatever_the_codes():
    rng = np.random.default_rng(0)
    for high in (4, 2**40):
        rows = rng.integers(-1, high, (50, 3))
        rows[25:] = rows[:25]
        found = DistinctRows.of(rows)
        np.testing.assert_array_equal(found.rows[found.number], rows)
        np.testing.assert_array_equal(found.rows, np.unique(rows, axis=0))
        assert found.counts.sum() == 50
