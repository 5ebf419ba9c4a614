"""True and False are 1 and 0 of the other table, and it is said so."""

import numpy as np
import pandas as pd
import pytest

from alc_core.releases.registry import as_release
from alc_core.tables.names import with_same_columns
from alc_core.tables.read import table_from_frame
from alc_core.tables.truth import is_truth
from alc_core.tables.values.texts import canonical_labels

RNG = np.random.default_rng(5)
N = 600
ILL = RNG.random(N) < 0.3
OTHERS = pd.DataFrame({"age": RNG.integers(18, 90, N), "zip": RNG.integers(0, 900, N)})
WAYS = {
    "booleans": ILL,
    "numbers": ILL.astype(int),
    "decimals": np.where(ILL, 1.0, 0.0),
    "texts of numbers": np.where(ILL, "1", "0"),
    "upper case": np.where(ILL, "TRUE", "FALSE"),
    "lower case": np.where(ILL, "true", "false"),
    "letters": np.where(ILL, "t", "f"),
}
NUMBERS = {"numbers", "decimals", "texts of numbers"}


def table(values, name):
    return table_from_frame(OTHERS.assign(ill=values), name=name)


def labels(read):
    return canonical_labels(read.frame["ill"]).tolist()


def _findings(original, release):
    return as_release(release, original).checker(original).findings()


def pairs():
    for own in WAYS:
        for released in WAYS:
            alike = {own, released} <= NUMBERS or not {own, released} & {*NUMBERS, "letters"}
            if own != released and not alike:
                yield own, released


@pytest.mark.parametrize(("own", "released"), [*pairs()])
def test_they_are_the_same_values_whichever_table_has_which(own, released):
    original, release = table(WAYS[own], "o"), table(WAYS[released], "r")
    read = with_same_columns(original, release, {})
    assert canonical_labels(read.frame["ill"]).tolist() == (
        canonical_labels(original.frame["ill"]).tolist()
    )
    assert all(map(is_truth, read.same_columns))
    assert with_same_columns(original, read, {}) is read
    codes = {each.code: each for each in _findings(original, release)}
    assert str(codes["true-and-false"].severity) == "info"
    assert codes["true-and-false"].column == "ill"
    assert "identical-release" in codes
    assert not any(each.blocking for each in codes.values())


def test_missing_values_stay_missing():
    original = table(ILL, "o")
    with_gaps = pd.Series(ILL.astype(float)).where(RNG.random(N) < 0.9)
    read = with_same_columns(original, table(with_gaps, "r"), {}).frame["ill"]
    assert (read.isna() == with_gaps.isna()).all()


@pytest.mark.parametrize(
    ("own", "released"),
    [
        (ILL.astype(int) + 1, ILL),  # 1 and 2
        (np.where(ILL, "yes", "no"), ILL),
        (np.where(ILL, "M", "F"), ILL.astype(int)),
        (RNG.integers(0, 3, N), ILL),  # 0, 1 and 2
        (ILL, RNG.random(N)),
        (ILL, ~ILL),
        (ILL.astype(int), np.where(ILL, 1, 0)),
    ],
)
def test_other_values_stay_as_they_are(own, released):
    release = table(released, "r")
    assert with_same_columns(table(own, "o"), release, {}) is release


def test_what_is_said_of_the_column_goes_before():
    original, release = table(ILL, "o"), table(ILL.astype(int), "r")
    kept = with_same_columns(original, release, {"ill": "ill"})
    assert canonical_labels(kept.frame["ill"]).isin(["0", "1"]).all()
    assert with_same_columns(original, kept, {}) is kept
    said = 'ill {"0": "True", "1": "False"}'
    turned = with_same_columns(original, release, {said: "ill"})
    assert labels(turned) == canonical_labels(pd.Series(~ILL)).tolist()
    assert not any(map(is_truth, turned.same_columns))


def test_a_column_of_another_name_is_read_so_too():
    original = table(ILL, "o")
    release = table_from_frame(OTHERS.assign(sick=ILL.astype(int)), name="r")
    read = with_same_columns(original, release, {"sick": "ill"})
    assert canonical_labels(read.frame["ill"]).tolist() == canonical_labels(pd.Series(ILL)).tolist()
    assert list(read.same_columns) == ['sick {"0": "False", "1": "True"}']
    assert with_same_columns(original, read, {}) is read
