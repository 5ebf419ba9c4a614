"""Classes and the risks of their sizes, against numbers counted by hand."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import ColumnError, InputError, ParameterError
from alc_core.releases.microdata import Microdata
from alc_core.studies.risk_numbers.classes import ClassSizes, least_size, measure_diversity
from alc_core.studies.risk_numbers.result import RiskSettings, RowsAre, measure_risk_numbers
from alc_core.tables.table import ColumnKind

PEOPLE = pd.DataFrame(
    {
        "age": [20, 21, 22, 30, 31, 32, 33, 40, 41, 42, 60, 70],
        "sex": list("ffmffmmffmfm"),
        "job": list("aabbbbaacdab"),
    }
)


def measured(original, release, known=("age", "sex"), **settings):
    table = alc.table_from_frame(original, name="original")
    released = Microdata(tables=(alc.table_from_frame(release, name="v"),), name="v")
    (found,) = measure_risk_numbers(table, released, RiskSettings(known=known, **settings))
    return found


def decades():
    """Ages in ranges of ten years; classes of 2, 1, 2, 2, 2, 1, 1, 1."""
    return PEOPLE.assign(age=[f"{age // 10}0-{age // 10}9" for age in PEOPLE["age"]])


def test_classes_and_risks_are_those_counted_by_hand():
    found = measured(PEOPLE, decades())
    sizes = found.released
    assert (sizes.sizes, sizes.rows) == ((1, 2), (4, 8))
    assert (sizes.smallest, sizes.highest_risk) == (1, 1.0)
    assert sizes.unique == pytest.approx(4 / 12)
    assert sizes.mean_risk == pytest.approx(8 / 12)  # 8 classes of 12 rows
    assert (sizes.below(2), sizes.below(3)) == (pytest.approx(4 / 12), 1.0)
    assert found.original.unique == 1.0
    assert found.rows_are is RowsAre.PEOPLE
    assert found.in_original is None  # as many rows as the original: no sample


def test_people_are_counted_by_the_rarest_of_their_rows():
    visits = pd.DataFrame({"who": list("aabbc"), "age": [20, 30, 20, 20, 20], "sex": list("fffff")})
    found = measured(visits, visits, person="who")
    for sizes in (found.original, found.released):
        assert (sizes.sizes, sizes.rows) == ((1, 3), (1, 2))  # 'a' alone is 30
    rows = measured(visits, visits.drop(columns="who"), person="who").released
    assert (rows.sizes, rows.rows) == ((1, 4), (1, 4))


def test_bands_hold_all_rows_once():
    sizes = ClassSizes.of(np.array([1, 2, 3, 4, 5, 9, 10, 19, 20, 49, 50, 80]))
    bands = sizes.bands()
    assert [(band.label, band.rows) for band in bands] == [
        ("1", 1), ("2", 2), ("3-4", 7), ("5-9", 14), ("10-19", 29), ("20-49", 69),
        ("50+", 130),
    ]  # fmt: skip
    assert sum(band.share for band in bands) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("threshold", "size"),
    [(1.0, 1), (0.9, 2), (0.7, 2), (0.5, 2), (0.4, 3), (0.33, 3), (0.2, 5), (0.09, 11), (0.05, 20)],
)
def test_a_threshold_is_a_class_size_as_guidelines_use_it(threshold, size):
    assert least_size(threshold) == size
    just, below = ClassSizes.of(np.array([size])), ClassSizes.of(np.array([max(size - 1, 1)]))
    assert just.above_threshold(threshold) == 0.0
    assert below.above_threshold(threshold) == (1.0 if size > 1 else 0.0)


def test_a_sample_has_the_journalist_s_risk_in_the_original():
    release = decades().iloc[[0, 1, 3, 10]]  # 20s f twice of 2, 30s f once of 2, 60s f of 1
    found = measured(PEOPLE, release)
    assert (found.released.sizes, found.released.rows) == ((1, 2), (2, 2))
    assert (found.in_original.sizes, found.in_original.rows) == ((1, 2), (1, 3))
    assert found.in_original.highest_risk == 1.0
    assert found.in_original.mean_risk == pytest.approx((2 / 2 + 1 / 2 + 1 / 1) / 4)


def test_rows_without_any_known_value_are_set_aside():
    release = decades().astype(object)
    release.loc[[10, 11], ["age", "sex"]] = "*"
    found = measured(PEOPLE, release)
    assert (found.suppressed, found.partly_suppressed) == (2, 0)
    assert found.released.total == 10
    assert found.any_value is None


def test_a_suppressed_value_is_a_label_and_may_be_any_as_sdcmicro_counts():
    original = pd.DataFrame({"city": list("aaabbb"), "sex": list("ffmffm"), "job": list("xyxyxy")})
    release = original.astype(object)
    release.loc[2, "sex"] = "*"  # (a, *) beside twice (a, f)
    release.loc[5, "city"] = "*"  # (*, m) beside twice (b, f)
    found = measured(original, release, ("city", "sex"))
    assert (found.released.sizes, found.released.rows) == ((1, 2), (2, 4))
    # (a, f) and (a, *) three alike; (a, *) also meets (*, m); (*, m) meets (a, *) and itself.
    assert (found.any_value.sizes, found.any_value.rows) == ((2, 3, 4), (3, 2, 1))
    assert found.partly_suppressed == 2


def test_missing_values_are_a_value_and_numbers_are_equal_however_written():
    original = pd.DataFrame({"age": [1.0, 1.0, np.nan, np.nan, 2.0], "sex": list("fffff")})
    release = pd.DataFrame({"age": ["1", "1.0", None, "", "2"], "sex": list("fffff")})
    found = measured(original, release)
    assert found.released == found.original
    assert (found.original.sizes, found.original.rows) == ((1, 2), (1, 4))


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_swapped_rows_have_no_classes_of_people(people, share):
    frame = people(600)
    found = measured(frame, alc.swap_columns(frame, share, seed=1), ("age", "city"))
    assert found.rows_are is RowsAre.CHANGED
    assert found.released is None
    assert found.diversity == ()
    assert found.original.unique > 0
    told = measured(
        frame, alc.swap_columns(frame, share, seed=1), ("age", "city"), rows_are=RowsAre.PEOPLE
    )
    assert told.released.total == 600


def test_made_up_rows_are_recognised_in_few_coarse_columns():
    rng = np.random.default_rng(3)

    def drawn(n):
        return pd.DataFrame({"sex": rng.choice(["f", "m"], n), "city": rng.choice(list("abcd"), n)})

    original = drawn(2_000)
    assert measured(original, drawn(2_000), ("sex", "city")).rows_are is RowsAre.CHANGED
    sample = original.sample(700, random_state=1)
    assert measured(original, sample, ("sex", "city")).rows_are is RowsAre.PEOPLE


def test_a_range_that_holds_other_ages_than_it_says_is_still_a_class():
    # As in the example hierarchies of a known tool: 0-19 holds 20, too.
    rng = np.random.default_rng(5)
    original = pd.DataFrame(
        {"age": rng.integers(10, 50, 3_000), "sex": rng.choice(["f", "m"], 3_000)}
    )
    low = (original["age"] - 1) // 10 * 10
    release = original.assign(age=low.astype(str) + "-" + (low + 9).astype(str))
    found = measured(original, release)
    assert found.rows_are is RowsAre.PEOPLE
    assert found.fit.known < 0.95
    assert found.fit.single == 1.0


def test_renamed_columns_leave_it_open_what_rows_are():
    release = PEOPLE.assign(sex=PEOPLE["sex"].map({"f": "weiblich", "m": "männlich"}))
    found = measured(PEOPLE, release, ("sex",))
    assert found.rows_are is RowsAre.UNKNOWN
    assert found.unmatched == ("sex",)
    assert found.released == found.original


def test_columns_that_the_release_lacks_are_told():
    found = measured(PEOPLE, decades().drop(columns="sex"))
    assert (found.absent, found.known) == (("sex",), ("age",))
    assert found.original.unique == 1.0  # by all columns that were asked for


def test_several_tables_have_numbers_each():
    table = alc.table_from_frame(PEOPLE, name="original")
    parts = tuple(
        alc.table_from_frame(PEOPLE[[column, "job"]], name=column) for column in ("age", "sex")
    )
    found = measure_risk_numbers(
        table, Microdata(tables=parts, name="v"), RiskSettings(known=("age", "sex"))
    )
    assert [(each.label, each.known) for each in found] == [
        ("v: age", ("age",)), ("v: sex", ("sex",)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"known": ()}, "Choose a known column"),
        ({"known": ("agee",)}, "Did you mean 'age'"),
        ({"known": ("age",), "protected": ("age",)}, "both known and protected"),
    ],
)
def test_columns_that_cannot_be_used_are_refused(settings, words):
    with pytest.raises(ColumnError, match=words):
        measured(PEOPLE, PEOPLE, **settings)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"threshold": 0.0}, "must be above 0"),
        ({"threshold": 1.5}, "must be above 0"),
        ({"population": 0}, "at least 1"),
        ({"population": 5}, "below the table's 12 rows"),
    ],
)
def test_numbers_out_of_their_bounds_are_refused(settings, words):
    with pytest.raises(ParameterError, match=words):
        measured(PEOPLE, PEOPLE, **settings)


def test_a_release_without_known_columns_or_of_another_type_is_refused():
    with pytest.raises(ColumnError, match="lacks the known columns"):
        measured(PEOPLE, PEOPLE[["job"]])
    table = alc.table_from_frame(PEOPLE, name="original")
    cells = alc.table_from_frame(
        pd.DataFrame({"sex": ["f", "m"], "job": ["a", "b"], "count": [7, 5]}), name="cells"
    )
    counts = alc.Counts.of_tables([cells], name="counts", original=table)
    with pytest.raises(InputError, match="Risk numbers need rows of people"):
        measure_risk_numbers(table, counts, RiskSettings(known=("sex",)))


def test_ugly_tables_are_counted():
    one = PEOPLE.iloc[:1]
    assert measured(one, one, protected=("job",)).released.smallest == 1
    empty = PEOPLE.assign(age=np.nan)
    found = measured(empty, empty, ("age",), protected=("job",))
    assert (found.original.smallest, found.released.total) == (12, 12)
    starred = measured(PEOPLE, PEOPLE.assign(age="*", sex="*"))
    assert (starred.suppressed, starred.released.total, starred.released.smallest) == (12, 0, 0)
    wide = pd.DataFrame(np.random.default_rng(0).normal(size=(200, 60))).add_prefix("c")
    found = measured(wide, wide, tuple(wide.columns[:59]), protected=("c59",))
    assert (found.released.unique, found.rows_are) == (1.0, RowsAre.PEOPLE)


def spread(values, classes, kind=ColumnKind.CATEGORICAL, in_class=None):
    classes = np.asarray(classes)
    inside = np.ones(len(classes), dtype=bool) if in_class is None else np.asarray(in_class)
    return measure_diversity("pay", kind, pd.Series(values), classes, inside)


def test_the_salaries_of_li_and_others():
    # Li, Li and Venkatasubramanian (2007), tables 3 and 5: t = 0.167 in wages.
    classes = [0, 0, 0, 1, 1, 1, 2, 2, 2]
    found = spread([3, 5, 9, 6, 11, 8, 4, 7, 10], classes, ColumnKind.CONTINUOUS)
    assert found.ordered
    assert found.closeness == pytest.approx(0.167, abs=5e-4)
    first = spread([3, 4, 5, 6, 11, 8, 7, 9, 10], classes, ColumnKind.CONTINUOUS)
    assert first.closeness == pytest.approx(0.375)


def test_three_equally_frequent_values_are_three_diverse_by_entropy():
    found = spread(list("abcabc"), [0, 0, 0, 1, 1, 1])
    assert (found.distinct, found.entropy) == (3, pytest.approx(3.0))
    assert (found.closeness, found.one_value) == (pytest.approx(0.0), 0.0)


def test_a_class_with_one_value_counts_all_its_rows():
    found = spread(list("aaabcb"), [0, 0, 0, 1, 1, 1])
    assert (found.distinct, found.entropy, found.one_value) == (1, pytest.approx(1.0), 0.5)
    assert found.closeness == pytest.approx(0.5)  # a is 3 of 6 in all, and all of the class


def test_rows_without_a_value_take_no_part():
    found = spread(["a", None, "a", "b", " ", "c"], [0, 0, 0, 1, 1, 1])
    assert (found.distinct, found.one_value, found.without_value) == (1, 0.5, 2)
    assert spread([None, None], [0, 0]) is None


def test_rows_set_aside_count_in_the_whole_table_only():
    found = spread(list("aabb"), [0, 0, 1, 1], in_class=[True, True, False, False])
    assert (found.distinct, found.closeness) == (1, pytest.approx(0.5))


def test_a_constant_column_tells_nothing_new():
    for kind in (ColumnKind.CATEGORICAL, ColumnKind.CONTINUOUS):
        found = spread([7.0] * 4, [0, 0, 1, 1], kind)
        assert (found.distinct, found.one_value, found.closeness) == (1, 1.0, 0.0)


def test_ranges_among_numbers_are_taken_as_categories():
    found = spread(["20-39", "40", "20-39", "50"], [0, 0, 1, 1], ColumnKind.CONTINUOUS)
    assert not found.ordered


@pytest.mark.parametrize("seed", range(12))
def test_pycanon_agrees(seed):
    anonymity = pytest.importorskip("pycanon.anonymity")
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 120))
    frame = pd.DataFrame(
        {
            "q": rng.integers(0, 6, n).astype(str),
            "r": rng.integers(0, 3, n).astype(str),
            "number": rng.integers(0, 9, n),
            "word": rng.choice(list("abcde"), n),
        }
    )
    classes = frame.groupby(["q", "r"]).ngroup().to_numpy()
    for column, kind in (("number", ColumnKind.CONTINUOUS), ("word", ColumnKind.CATEGORICAL)):
        found = spread(frame[column], classes, kind)
        given = frame, ["q", "r"], [column]
        assert found.distinct == anonymity.l_diversity(*given)
        assert int(found.entropy + 1e-9) in (
            anonymity.entropy_l_diversity(*given), anonymity.entropy_l_diversity(*given) + 1
        )  # fmt: skip
        assert found.closeness == pytest.approx(anonymity.t_closeness(*given))
