import numpy as np
import pandas as pd
import pytest

from alc_core.errors import ColumnError
from alc_core.tables.codes.encode import encode
from alc_core.tables.read import table_from_frame


def tables(original, *releases, kinds=None):
    return (
        table_from_frame(pd.DataFrame(original), name="original").with_kinds(kinds or {}),
        [table_from_frame(pd.DataFrame(release), name="release") for release in releases],
    )


def test_equal_values_have_equal_codes_whatever_their_type():
    original, releases = tables({"a": [1, 2, 3]}, {"a": ["3", "1.0", "9"]}, {"a": [2.0, None]})
    data = encode(original, releases)
    assert data.specs["a"].labels == ("1", "2", "3", "9")
    assert data.original.columns["a"].tolist() == [0, 1, 2]
    assert data.released[0].columns["a"].tolist() == [2, 0, 3]
    assert data.released[1].columns["a"].tolist() == [1, 4]


def test_missing_values_have_a_code_of_their_own_in_every_table():
    original, releases = tables({"a": ["x", None]}, {"a": [None, "y"]})
    data = encode(original, releases)
    missing = data.specs["a"].size - 1
    assert data.original.columns["a"][1] == missing
    assert data.released[0].columns["a"][0] == missing


def test_scale_covers_all_tables_and_bins_are_those_of_the_original():
    original, releases = tables(
        {"a": np.arange(30.0)}, {"a": [-10.0, 30.0, np.nan, np.inf]}, kinds={"a": "continuous"}
    )
    data = encode(original, releases)
    assert (data.specs["a"].minimum, data.specs["a"].maximum) == (-10, 30)
    bins = data.as_unknown(data.released[0], "a", 20)
    assert bins.tolist() == [0, 19, 20, 20]
    assert data.as_unknown(data.original, "a", 20)[[0, 1, 2]].tolist() == [0, 0, 1]
    assert data.unknown_codes("a", 20).size == 21


def test_constant_and_empty_continuous_columns():
    original, releases = tables(
        {"a": [5.0] * 3, "b": [np.nan] * 3},
        {"a": [5.0], "b": [np.nan]},
        kinds={"a": "continuous", "b": "continuous"},
    )
    data = encode(original, releases)
    assert data.specs["a"].range == data.specs["b"].range == 0
    assert data.as_unknown(data.original, "a", 20).tolist() == [0, 0, 0]
    assert data.as_unknown(data.original, "b", 20).tolist() == [20, 20, 20]


def test_dates_become_days_in_the_format_of_the_original():
    original, releases = tables(
        {"d": ["13/01/2020", "02/03/2020"]}, {"d": ["02/03/2020", "03/04/2020"]},
        kinds={"d": "datetime"},
    )  # fmt: skip
    data = encode(original, releases)
    assert data.original.columns["d"][1] == data.released[0].columns["d"][0]
    own = encode(*tables({"d": ["2020-01-13"]}, {"d": ["13.01.2020"]}, kinds={"d": "datetime"}))
    assert own.original.columns["d"][0] == own.released[0].columns["d"][0]


def test_unused_kinds_are_left_out_unless_named():
    original, releases = tables(
        {"id": range(3), "a": ["x", "y", "x"]}, {"a": ["x"]}, kinds={"id": "identifier"}
    )
    assert set(encode(original, releases).specs) == {"a"}
    assert set(encode(original, releases, columns=["id"]).specs) == {"id"}
    with pytest.raises(ColumnError, match="Column 'b' is not in 'original'"):
        encode(original, releases, columns=["b"])
