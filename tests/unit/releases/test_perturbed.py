"""Noise for counts, and the tables that are published with it."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare

import alc_core as alc
from alc_core.errors import ColumnError, ParameterError
from alc_core.releases.cells import quantile_edges, range_label, range_labels, to_ranges
from alc_core.releases.samples.perturbed import noisy_counts, swap_columns, with_noise
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.encode import encode


def people(n=500, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "town": rng.choice(["Bonn", "Kiel", None], n),
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.integers(18, 80, n)),
            "born": pd.Timestamp("1950-01-01") + pd.to_timedelta(rng.integers(0, 15000, n), "D"),
            "job": rng.choice(["clerk", "nurse", "smith"], n),
        }
    )


@pytest.mark.parametrize(("epsilon", "tables"), [(1.0, 1), (1.0, 5), (0.3, 2)])
def test_noise_is_two_sided_geometric(epsilon, tables):
    counts = [np.zeros((100, 400))] * tables
    drawn = np.concatenate(
        [table.ravel() for table in with_noise(counts, epsilon, np.random.default_rng(1))]
    )
    ratio = np.exp(-epsilon / tables)
    reach = 10
    values = np.arange(-reach, reach + 1)
    observed = np.array([(drawn == value).sum() for value in values])
    chance = (1 - ratio) / (1 + ratio) * ratio ** np.abs(values)
    tail = ratio ** (reach + 1) / (1 + ratio)
    observed = np.concatenate([[(drawn < -reach).sum()], observed, [(drawn > reach).sum()]])
    expected = np.concatenate([[tail], chance, [tail]]) * len(drawn)
    assert expected.sum() == pytest.approx(len(drawn))
    assert chisquare(observed, expected).pvalue > 0.001
    # The test can tell it from the noise of twice the budget.
    wrong = np.exp(-2 * epsilon / tables)
    other = (1 - wrong) / (1 + wrong) * wrong ** np.abs(values)
    rest = wrong ** (reach + 1) / (1 + wrong)
    assert chisquare(observed, np.concatenate([[rest], other, [rest]]) * len(drawn)).pvalue < 1e-9


def test_a_person_changes_the_likelihood_of_any_counts_by_at_most_the_budget():
    # One cell in each of the tables differs by 1: the ratios of the cells' chances multiply.
    epsilon, tables = 0.7, 3
    ratio = np.exp(-epsilon / tables)
    outcomes = np.arange(-30, 30)
    change = ratio ** np.abs(outcomes) / ratio ** np.abs(outcomes - 1)
    assert change.max() ** tables <= np.exp(epsilon) * (1 + 1e-12)


def test_noise_comes_from_the_seed_and_is_drawn_anew_for_every_cell():
    counts = [np.full((30, 30), 5.0)] * 2
    made = [with_noise(counts, 0.5, np.random.default_rng(seed)) for seed in (0, 0, 1)]
    assert np.array_equal(made[0][0], made[1][0])
    assert not np.array_equal(made[0][0], made[2][0])
    assert not np.array_equal(made[0][0], made[0][1])
    assert np.unique(made[0][0]).size > 5


@pytest.mark.parametrize("epsilon", [0, -1.0, np.nan, np.inf])
def test_budgets_that_are_none(epsilon):
    with pytest.raises(ParameterError, match="epsilon must be greater than 0, not "):
        with_noise([np.zeros((1, 1))], epsilon, np.random.default_rng(0))
    original = alc.table_from_frame(people(), name="people")
    with pytest.raises(ParameterError, match="epsilon must be"):
        noisy_counts(original, unknown="job", known=["town"], epsilon=epsilon)


def test_tables_count_everybody_in_every_cell_of_the_domain():
    original = alc.table_from_frame(people(), name="people")
    known = ["town", "age", "born"]
    release = noisy_counts(original, unknown="job", known=known, epsilon=1e6, ranges=4)
    towns = release.tables[0].frame.astype({"town": object}).fillna("none")
    assert len(towns) == 9  # two towns and none, by three jobs
    exact = people().fillna({"town": "none"}).groupby(["town", "job"]).size()
    for town, job, count in towns.itertuples(index=False, name=None):
        assert exact[town, job] == count
    assert [int(table.frame["count"].sum()) for table in release.tables] == [500] * 3
    ages = release.tables[1].frame["age"].dropna().unique()
    assert len(ages) == 4
    assert ages[0].startswith("[18, ")
    assert release.tables[2].frame["born"].str.fullmatch(r"\[\d{4}-\d\d-\d\d, .*[)\]]").all()


def test_every_person_is_found_in_the_row_that_counts_them():
    original = alc.table_from_frame(people(), name="people")
    known = ["town", "age", "born"]
    release = noisy_counts(original, unknown="job", known=known, epsilon=1e6, ranges=4)
    data = encode(original, release.coded_tables())
    view = release.encoded(data).view(alc.Scenario(known, "job"))
    codes = view.codes(KnownValues.of(data.original, data.specs, known))
    jobs = data.as_unknown(data.original, "job", 20)
    for column in ("town", "born"):
        found = np.zeros_like(view.counts[column])
        np.add.at(found, (codes[column], jobs), 1)
        assert np.array_equal(found, view.counts[column])
    present = ~np.isnan(data.original.columns["age"])
    assert (codes["age"][present] >= 0).all()


def test_a_column_called_count_is_no_obstacle():
    frame = people().rename(columns={"town": "count"})
    original = alc.table_from_frame(frame, name="people")
    release = noisy_counts(original, unknown="job", known=["count"], epsilon=1e6)
    assert release.tables[0].columns == ("count", "job", "count_of_people")
    release = noisy_counts(original, unknown="job", known=["age"], epsilon=1e6)
    assert release.tables[0].columns == ("age", "job", "count_of_people")
    both = alc.table_from_frame(frame.assign(count_of_people=frame["age"]), name="people")
    release = noisy_counts(both, unknown="job", known=["age"], epsilon=1e6)
    assert len({*release.tables[0].columns} - {"age", "job", *both.columns}) == 1


def test_ranges_hold_about_as_many_rows_and_a_frequent_value_stands_alone():
    values = np.concatenate([np.zeros(900), np.arange(1, 101)])
    edges = quantile_edges(values, 10)
    assert edges.tolist() == [0, 1, 100]
    assert np.bincount(to_ranges(values, edges)).tolist() == [900, 100]
    assert range_labels(edges) == ["[0, 1)", "[1, 100]"]
    even = quantile_edges(np.arange(1000.0), 8)
    assert np.bincount(to_ranges(np.arange(1000.0), even)).tolist() == [125] * 8


def test_ranges_of_hardly_any_values():
    assert quantile_edges(np.array([np.nan]), 5).tolist() == []
    assert to_ranges(np.array([np.nan, 3.0]), np.empty(0)).tolist() == [-1, 0]
    edges = quantile_edges(np.array([2.5, 2.5]), 5)
    assert range_labels(edges) == ["2.5"]
    assert to_ranges(np.array([1.0, 2.5, 9.0]), edges).tolist() == [0, 0, 0]
    assert range_label(0.0, 1.5, of_dates=True) == "[1970-01-01, 1970-01-02]"


def test_noise_hides_all_rows_of_a_person():
    frame = people().assign(who=np.arange(500) // 5)
    original = alc.table_from_frame(frame, name="people")
    made = {
        (epsilon, person): noisy_counts(
            original, unknown="job", known=["town", "age"], epsilon=epsilon, person=person
        ).tables
        for epsilon, person in ((1.0, "who"), (0.2, None), (1.0, None))
    }
    counts = {key: pd.concat([t.frame["count"] for t in each]) for key, each in made.items()}
    assert counts[1.0, "who"].equals(counts[0.2, None])
    assert not counts[1.0, "who"].equals(counts[1.0, None])
    with pytest.raises(ColumnError, match="'nobody'"):
        noisy_counts(original, unknown="job", known=["town"], epsilon=1.0, person="nobody")


@pytest.mark.parametrize(
    ("make", "options"),
    [(alc.noisy_counts, {"epsilon": 1.0}), (alc.anatomize, {"level": 2}), (alc.mondrian, {"k": 3})],
)
def test_test_releases_are_made_of_data_frames(make, options):
    frame = people()[["age", "job"]].dropna()
    whole = alc.table_from_frame(frame.reset_index(drop=True), name="original")
    made = [make(each, unknown="job", known=["age"], **options) for each in (frame, whole)]
    for one, other in zip(made[0].tables, made[1].tables, strict=True):
        assert one.frame.equals(other.frame)


def frame(n=5000):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "a": np.arange(n),
            "b": rng.choice(list("xyz"), n),
            "c": pd.Categorical(["u", "v"] * (n // 2)),
        },
        index=np.arange(n) + 7,
    )


@pytest.mark.parametrize("share", [0, 0.2, 0.8, 1])
def test_columns_keep_their_values_and_a_share_moves(share):
    original = frame()
    swapped = swap_columns(original, share, seed=1)
    assert sorted(swapped["a"]) == sorted(original["a"])
    assert swapped["b"].value_counts().to_dict() == original["b"].value_counts().to_dict()
    assert swapped.dtypes.equals(original.dtypes)
    moved = (swapped["a"].to_numpy() != original["a"].to_numpy()).mean()
    assert moved == pytest.approx(share, abs=0.01)


def test_columns_move_independently_and_by_seed():
    swapped = swap_columns(frame(), 1, seed=1)
    assert not np.array_equal(np.argsort(swapped["a"].to_numpy()), swapped["a"].to_numpy())
    assert swapped.equals(swap_columns(frame(), 1, seed=1))
    assert not swapped.equals(swap_columns(frame(), 1, seed=2))


def test_share_out_of_bounds():
    with pytest.raises(ParameterError, match=r"share must be in \[0, 1\], not 20"):
        swap_columns(frame(), 20)
