"""What values people pass around can do, and what they pass as a table."""

import copy
import dataclasses
import pickle

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import alc_core as alc
from alc_core.errors import ParameterError, PreflightError, TableReadError

ROWS = {
    "age": [31, 45, 31, 60] * 10,
    "job": ["nurse", None, "cook", "clerk"] * 10,
    "paid": [1.5, 2.0, np.nan, 4.0] * 10,
}
SCENARIO = alc.Scenario(
    ["age"], "paid", targets=alc.Targets(where={"job": ("nurse",)}, missing={"paid": ("-1",)})
)


@pytest.fixture(scope="module")
def result():
    demo = alc.load_demo("fair")
    return alc.assess(demo.original, demo.releases["80% swapped"], demo.scenario, seed=1)


@pytest.mark.parametrize("through", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_values_are_copied_and_pickled(through, result):
    demo = alc.load_demo("fair")
    table = demo.original.with_kinds({"age": "categorical"})
    again = through(table)
    pd.testing.assert_frame_equal(again.frame, table.frame)
    assert again.kinds == table.kinds
    assert through(demo.releases["80% swapped"]).tables[0].fingerprint
    assert through(SCENARIO) == SCENARIO
    assert through(result).to_dict() == result.to_dict()


def test_equal_scenarios_have_one_hash():
    twin = alc.Scenario(
        ["age"], "paid", targets=alc.Targets(where={"job": ["nurse"]}, missing={"paid": ["-1"]})
    )
    assert len({SCENARIO, twin, alc.Scenario(["age"], "paid")}) == 2
    assert dataclasses.asdict(SCENARIO)["targets"]["where"] == {"job": ("nurse",)}


def test_a_single_name_is_one_column_and_no_letters():
    assert alc.Scenario("age", "paid").known == ("age",)
    assert alc.Scenario("age", "paid") == alc.Scenario(["age"], "paid")


def test_several_names_in_one_text_are_answered_by_the_list():
    with pytest.raises(PreflightError, match=r'Did you mean the list \["age", "job"\]\?'):
        alc.assess(ROWS, ROWS, alc.Scenario("age, job", "paid"))
    named = {"age, job": ROWS["age"], **ROWS}
    codes = {each.code for each in alc.check_tables(named, named, known=["age, job"])}
    assert "missing-column" not in codes


def test_no_repr_shows_a_value_of_a_person(result):
    table = alc.table_from_frame(ROWS, name="people")
    shown = [table, alc.Microdata(tables=(table,), name="people"), result]
    for text in map(repr, shown):
        assert len(text) < 200
        assert not any(value in text for value in ("nurse", "cook", "31", "array"))


FRAMES = {
    "pandas": pd.DataFrame,
    "columns": dict,
    "Arrow in pandas": lambda rows: pd.DataFrame(rows).convert_dtypes(dtype_backend="pyarrow"),
    "categories": lambda rows: FRAMES["Arrow in pandas"](rows).astype({"job": "category"}),
    "polars": pl.DataFrame,
    "lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "duckdb": lambda rows: duckdb.from_arrow(pa.table(rows)),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_of_any_library_is_the_same_table(kind):
    table = alc.table_from_frame(FRAMES[kind]({**ROWS, "paid": [1.5, 2.0, None, 4.0] * 10}))
    assert table.columns == ("age", "job", "paid")
    assert table.frame["age"].tolist() == ROWS["age"]
    assert table.frame["job"].isna().sum() == table.frame["paid"].isna().sum() == 10
    assert table.kinds == alc.table_from_frame(pd.DataFrame(ROWS)).kinds


def test_frames_and_paths_are_attacked_as_tables_are(tmp_path):
    rng = np.random.default_rng(1)
    people = pd.DataFrame({"a": rng.integers(0, 9, 600), "b": rng.integers(0, 3, 600)})
    people.to_csv(tmp_path / "people.csv", index=False)
    scenario, loop = alc.Scenario(["a"], "b"), alc.LoopParameters(resamples=100)
    accept = ["same-rows", "same-order", "identical"]
    found = [
        alc.assess(original, release, scenario, loop=loop, accept=accept).alc
        for original, release in (
            (people, people),
            (tmp_path / "people.csv", str(tmp_path / "people.csv")),
            (people.to_dict("list"), [pl.from_pandas(people)]),
        )
    ]
    assert found == found[:1] * 3


@pytest.mark.parametrize("given", [3, object(), {"a": [1], "b": [1, 2]}])
def test_what_is_no_table_is_refused_by_name(given):
    with pytest.raises(TableReadError, match="'original'"):
        alc.assess(given, pd.DataFrame(ROWS), SCENARIO)


def test_columns_of_any_frame_are_swapped():
    swapped = alc.swap_columns(pl.DataFrame({"age": [31, 45, 60]}), 1, seed=1)
    assert sorted(swapped["age"]) == [31, 45, 60]


def test_a_result_is_scored_again_by_parameters_or_by_single_ones(result):
    strict = result.rescore(alc.ScoringParameters(at_risk=0.3))
    assert strict.scoring == result.rescore(at_risk=0.3).scoring
    assert strict.scoring.at_risk == 0.3


def test_a_named_index_is_not_lost_without_a_word():
    table = alc.table_from_frame(pd.DataFrame(ROWS).set_index("job"))
    assert "job" not in table.columns
    assert any("'job'" in note and "reset_index" in note for note in table.notes)


@pytest.mark.parametrize(("successes", "trials"), [(5, 3), (-1, 3), ([1, 9], [2, 8])])
def test_more_successes_than_trials_are_refused(successes, trials):
    with pytest.raises(ParameterError, match="trials"):
        alc.wilson_interval(successes, trials)
