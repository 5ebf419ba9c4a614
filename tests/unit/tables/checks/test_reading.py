"""What the check asks of how files were read, and that each offer ends the question."""

import numpy as np
import pandas as pd
import pytest

from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.finding import Severity
from alc_core.tables.read import read_table

UNITS = {"age": "years", "job": "text", "pay": "EUR"}


def people(seed, n=400):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "job": rng.choice(["clerk", "smith", "nurse"], n),
            "pay": rng.integers(900, 5000, n),
        }
    )


def lines(frame, sep=",", above="", below=""):
    return f"{above}{frame.to_csv(index=False, sep=sep)}{below}".encode()


def with_units(frame):
    return pd.concat([pd.DataFrame([UNITS]), frame.astype(object)])


PLAIN = lines(people(1))
DOUBTFUL = {
    "units": lines(with_units(people(2))),
    "units and a note": lines(with_units(people(2)), below="Source: x\n"),
    "title and units": lines(with_units(people(2)), above="Survey of people\n\n", sep=";"),
}
SINGLE = {
    "caret": (lines(people(2), "^"), "^"),
    "tilde": (lines(people(2), "~"), "~"),
    "colon": (lines(people(2), ":"), ":"),
}


def found(code, *tables):
    original, release = tables
    return [each for each in check_tables(original, [release]) if each.code == code]


@pytest.mark.parametrize("kind", DOUBTFUL)
@pytest.mark.parametrize("swapped", [False, True])
def test_rows_left_out_are_asked_once_per_table(kind, swapped):
    tables = [read_table(PLAIN, name="a.csv"), read_table(DOUBTFUL[kind], name="b.csv")]
    (asked,) = found("rows-left-out", *(tables[::-1] if swapped else tables))
    assert asked.severity is Severity.QUESTION
    assert asked.table == "b.csv"
    (offer,) = asked.offers
    assert offer.option == "skip-rows"
    assert "years" not in asked.message
    assert offer.value.startswith("b.csv=")


@pytest.mark.parametrize(("content", "mark"), SINGLE.values())
def test_a_single_column_beside_several_is_an_error_that_offers_the_delimiter(content, mark):
    tables = read_table(PLAIN, name="a.csv"), read_table(content, name="b.csv")
    (error,) = found("single-column", *tables)
    assert error.severity is Severity.ERROR
    assert [(offer.option, offer.value) for offer in error.offers] == [
        ("delimiter", f"b.csv={mark}")
    ]
    assert not found("single-column", tables[0], tables[0])


def test_a_single_column_of_the_original_is_no_error():
    original = read_table(PLAIN, name="a.csv")
    assert not found("single-column", original, read_table(lines(people(2)[["job"]]), name="b.csv"))
    two = read_table(lines(people(1)[["job", "age"]]), name="a.csv")
    assert not found("single-column", two, read_table(lines(people(2)[["pay"]]), name="b.csv"))
