"""Columns of numbers with texts among them, such as an income that is N for children."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.attacks.released_columns import KnownCodes, ReleasedColumns
from alc_core.baselines.features import FeatureCoding
from alc_core.errors import ColumnError, InputError
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.columns import value_counts
from alc_core.tables.codes.encode import encode
from alc_core.tables.kinds import infer_kind
from alc_core.tables.read import table_from_frame
from alc_core.tables.table import ColumnKind
from alc_core.tables.values.generalized import tags
from tests.toys.survey import make_survey


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


def test_one_cell_that_is_no_date_does_not_cost_the_others():
    days = ["13/01/2020", "02/03/2020", "31/02/2020"]
    data = encode(*tables({"d": days}, {"d": days}, kinds={"d": "datetime"}))
    for table in (data.original, *data.released):
        np.testing.assert_array_equal(table.columns["d"], [18274, 18323, np.nan])


def test_unused_kinds_are_left_out_unless_named():
    original, releases = tables(
        {"id": range(3), "a": ["x", "y", "x"]}, {"a": ["x"]}, kinds={"id": "identifier"}
    )
    assert set(encode(original, releases).specs) == {"a"}
    assert set(encode(original, releases, columns=["id"]).specs) == {"id"}
    with pytest.raises(ColumnError, match="Column 'b' is not in 'original'"):
        encode(original, releases, columns=["b"])


PAY = ["10", "20", "N", "?", None, "X", "30"]


def table(values, name="people", kind="continuous"):
    frame = pd.DataFrame({"pay": values, "job": ["a", "b"] * (len(values) // 2) + ["a"]})
    return alc.table_from_frame(frame.iloc[: len(values)], name=name).with_kinds({"pay": kind})


def test_texts_are_values_of_their_own_and_the_rest_is_missing():
    data = encode(table(PAY), [table(["N", "Z", "40"])])
    scale = data.specs["pay"]
    assert (scale.minimum, scale.maximum, scale.bin_range) == (10, 40, (10, 30))
    assert scale.codes == ("N", "X", "Z")
    assert tags(data.original.columns["pay"]).tolist() == [0, 0, 1, 0, 0, 2, 0]
    assert tags(data.released[0].columns["pay"]).tolist() == [1, 3, 0]
    assert data.unknown_codes("pay", 2).labels == ("[10, 20)", "[20, 30]", "N", "X", "Z")
    assert data.as_unknown(data.original, "pay", 2).tolist() == [0, 1, 2, 5, 5, 3, 1]


def test_a_text_lacks_a_value_only_where_it_is_named():
    data = encode(table(PAY), [])
    assert np.flatnonzero(data.lacks_value("pay", ())).tolist() == [3, 4]
    assert np.flatnonzero(data.lacks_value("pay", ("N",))).tolist() == [2, 3, 4]
    assert data.as_unknown(data.original, "pay", 2, ("N",)).tolist() == [0, 1, 4, 4, 4, 3, 1]


def test_models_see_which_text_stands_in_place_of_a_number():
    data = encode(table(PAY), [])
    known = KnownValues.of(data.original, data.specs, ["pay", "job"])
    coding = FeatureCoding.of(known)
    assert coding.columns == ("pay", "job", "pay")
    features = coding.features(known)
    assert features.categorical.tolist() == [False, True, True]
    assert features.matrix[:, 2].tolist() == [0, 0, 1, 0, 0, 2, 0]
    one = encode(table(["10", "N", "30"]), [])
    assert FeatureCoding.of(KnownValues.of(one.original, one.specs, ["pay"])).columns == ("pay",)


def test_naive_bayes_has_a_code_for_each_text():
    data = encode(table(PAY), [table(PAY)])
    known = KnownValues.of(data.released[0], data.specs, ["pay"])
    rows = ReleasedColumns(known=known, unknown=np.zeros(7, np.int32), spread=None, set_columns={})
    (codes,) = KnownCodes.of(rows, 2).released()
    assert codes[3] == codes[4]
    assert len({*codes[[2, 3, 5]].tolist(), *codes[[0, 1, 6]].tolist()}) == 3 + 2


def test_many_numbers_with_few_texts_are_numbers():
    survey = make_survey(2000, 1)
    guess = infer_kind(survey["PINCP"])
    assert guess.kind is ColumnKind.CONTINUOUS
    assert guess.reason.endswith("distinct whole numbers, and 1 text among them")
    mixed = pd.Series([*range(40), "N"], name="pay", dtype=object)
    assert infer_kind(mixed).kind is ColumnKind.CONTINUOUS
    for column in ("MSP", "INDP_CAT", "PUMA"):
        assert infer_kind(survey[column]).kind is ColumnKind.CATEGORICAL


@pytest.mark.parametrize("texts", [["85+"], ["a", "b", "c", "d", "e", "f"], ["007", "N"]])
def test_other_texts_make_categories(texts):
    values = pd.Series([*map(str, range(40)), *texts], name="pay")
    assert infer_kind(values).kind is ColumnKind.CATEGORICAL


def test_what_is_told_of_labels_need_not_say_what_codes_stand_for():
    sets = {"20-30": alc.Interval(20, 30)}
    release = table(["10", "N", "20-30"], name="release").with_value_sets("pay", sets)
    found = encode(table(PAY), [release]).released[0].set_columns["pay"]
    assert tags(found.single).tolist() == [0, 1, 0]
    other = table(["10", "Q", "20-30"], name="release").with_value_sets("pay", sets)
    with pytest.raises(InputError, match="'Q' of column 'pay' is not a number"):
        encode(table(PAY), [other])


def test_numbers_too_near_to_each_other_for_bins_are_counted_by_value():
    near = np.array([1.0, 1.0, np.nextafter(1.0, 2.0), np.nan])
    assert value_counts(near, 20).tolist() == [2, 1, 1]
