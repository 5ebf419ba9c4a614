"""R data: files that R wrote (``tests/data/r/make.R``), and such as would bring a reader down."""

import contextlib
import gzip
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from alc_core.errors import TableReadError
from alc_core.tables.apart.read import ReadingLimits, read_table
from alc_core.tables.table import ColumnKind
from tests.toys.files import DATA, has_note

R = DATA / "r"
LIMITS = ReadingLimits(seconds=30, memory_bytes=2**30)
SHAPES = (
    "gzip.rds", "xz.rds", "bzip2.rds", "text.rds", "plain.rds", "native.rds", "one.RData",
    "text.rda", "two.RData::t", "list.rds::a",
)  # fmt: skip


def failing(file, match):
    with pytest.raises(TableReadError, match=match) as found:
        read_table(file, limits=LIMITS)
    assert str(found.value).isprintable()
    return found.value


@pytest.mark.parametrize("name", SHAPES)
def test_every_way_to_save_a_table_gives_what_its_csv_gives(name):
    table, csv = read_table(f"{R}/{name}"), read_table(R / "table.csv")
    pd.testing.assert_frame_equal(table.frame, csv.frame)
    assert table.guesses == csv.guesses


def test_columns_of_every_kind():
    table = read_table(R / "kinds.rds")
    values = {name: table.frame[name].astype(object).head(3).tolist() for name in table.columns}
    missing = pd.isna
    assert values["row_names"] == ["p1", "p2", "p3"]
    assert table.kind("row_names") is ColumnKind.IDENTIFIER
    assert values["place"][:2] == ["Köln", "Ulm"]
    assert values["group"][:2] == ["a", "b"]
    assert values["level"] == ["low", "high", "low"]
    assert list(map(str, values["day"][:2])) == ["1960-02-29 00:00:00", "1960-03-01 00:00:00"]
    assert str(values["moment"][0]) == "2020-07-01 13:00:00"  # by the clock of Berlin
    assert str(values["calendar"][0]) == "2020-02-29 23:59:30"
    assert values["span"] == [1, 2, 3]
    assert values["member"] == [True, False, None]
    assert values["account"][::2] == ["9007199254740994", "9007199254740996"]
    assert values["whole"][1:] == values["texts"][1:] == [2, 3]
    gaps = {"place": 2, "group": 2, "day": 2, "member": 2, "account": 1, "whole": 0, "texts": 0}
    assert all(missing(values[name][place]) for name, place in gaps.items())
    assert table.labels == {"whole": "Whole numbers"}
    left_out = "'list' (list), 'complex' (complex), 'matrix' (matrix) and 'frame' (data.frame)."
    assert has_note(table, f"Left out (no single values): {left_out}")
    assert not {"list", "complex", "matrix", "frame"} & {*table.columns}


def test_names_of_rows_that_are_only_numbered_are_no_column():
    assert "row_names" not in read_table(R / "gzip.rds").columns
    table = read_table(f"{R}/two.RData::u")
    assert table.columns[0] == "row_names"
    assert table.kind("row_names") is ColumnKind.IDENTIFIER
    rows = read_table(R / "table.csv").frame.iloc[table.frame["row_names"] - 1]
    assert table.frame["age"].tolist() == rows["age"].tolist()


def test_labels_and_missing_values_are_those_of_the_spss_file():
    table, spss = read_table(R / "labelled.rds"), read_table(R / "labelled.sav")
    assert table.frame.astype(object).equals(spss.frame.astype(object))
    assert table.guesses == spss.guesses
    assert table.labels == spss.labels == {"sex": "Sex of the person"}
    assert table.frame["trust"].head(6).tolist() == ["none", "2", "3", "4", "don't know", "refused"]
    assert table.frame["income"].tail(3).tolist() == ["58", "refused", None]
    assert table.frame["town"].head(2).tolist() == ["Ulm", "j"]
    assert table.frame["vote"].head(3).tolist() == ["yes", "n", "refused"]
    assert pd.isna(table.frame["vote"][3])


def test_labels_of_tagged_missing_values_are_kept_where_r_keeps_the_tags():
    plain = ["none", "2", "3", "4", "5", "6", None]
    tagged = read_table(R / "tagged.rds").frame["trust"].astype(object)
    assert tagged.head(10).tolist() == [*plain, "refused", "don't know", None]
    text = read_table(R / "tagged_text.rds").frame["trust"].astype(object)
    assert text.head(10).tolist() == [*plain, None, None, None]


def test_a_choice_of_tables():
    error = failing(R / "two.RData", r"'two\.RData' has the tables 't' and 'u'\. Choose one")
    assert error.tables == ("t", "u")
    assert failing(R / "list.rds", "or 'list.rds::a'").tables == ("a", "b")
    failing(f"{R}/two.RData::x", "has no table 'x'; it has the tables 't' and 'u'")
    both = [read_table(f"{R}/two.RData::{each}") for each in "tu"]
    assert both[0].fingerprint != both[1].fingerprint
    assert has_note(both[1], "Table: 'u'; not read: 't'.")


@pytest.mark.parametrize(
    ("name", "match"),
    [
        ("none.rds", r"holds no table but a list with 2 elements \(numeric, character\)\. Save a"),
        ("vector.rds", r"holds no table but an integer with 3 elements\."),
        ("function.rds", r"holds no table but a function\."),
        ("nameless.rds", "has the tables '2', '3', '1.original' and '1.release'"),
        ("deep.rds", "holds no table but a list with 1 element"),
        ("empty.rds", "has columns but no rows"),
        ("simpop_sample.rds", "holds no table but an object of class simPopObj"),
        ("raw.rds", "holds unreadable R objects, such as raw bytes"),
    ],
)
def test_no_table(name, match):
    failing(R / name, match)


def nested(depth):
    """A list in a list, as R writes it."""
    head = b"X\n" + np.array([2, 0x040200, 0x020300], ">i4").tobytes()
    return head + np.array([19, 1], ">i4").tobytes() * depth + np.array([254], ">i4").tobytes()


PLAIN = (R / "plain.rds").read_bytes()
AGES = 14 + PLAIN[14:].index(np.array([60], ">i4").tobytes())  # Where their number is
HOSTILE = {
    "deeper than any list": nested(200_000),
    "a length of two thousand million": PLAIN[:AGES] + b"\x7f\xff\xff\xff" + PLAIN[AGES + 4 :],
    "a negative length": PLAIN[:AGES] + b"\xff\xff\xff\xfe" + PLAIN[AGES + 4 :],
    "a shorter column": PLAIN[:AGES] + b"\0\0\0\1" + PLAIN[AGES + 4 :],
    "two thousand million numbers in short": b"X\n" + np.array(
        [3, 0x040200, 0x030500, 5], ">i4").tobytes() + b"UTF-8" + b"".join([
            np.array([0x313, 1, 0x000000EE, 2, 1, 0x00040009, 14], ">i4").tobytes(),
            b"compact_intseq", np.array([254], ">i4").tobytes()]),
    "two thousand million texts": b"A\n2\n262656\n131840\n16\n2000000000\n262153\n1\na\n",
    "two gibibytes of zeros": gzip.compress(PLAIN[:AGES] + bytes(2**27)),
    "cut off": PLAIN[:-60],
    "only a head": PLAIN[:14],
}  # fmt: skip


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_ends_in_one_line(what):
    with pytest.raises(TableReadError, match=r"^'x\.rds' ") as found:
        read_table(HOSTILE[what], name="x.rds", limits=LIMITS)
    assert str(found.value).isprintable()


def test_damaged_bytes():
    rng, read = np.random.default_rng(2), 0
    files = [(R / name).read_bytes() for name in ("plain.rds", "text.rds", "native.rds")]
    files += [gzip.decompress((R / name).read_bytes()) for name in ("kinds.rds", "one.RData")]
    for number in range(60):
        damaged = bytearray(files[number % len(files)])
        for place in rng.integers(len(damaged), size=3):
            damaged[place] = rng.integers(256)
        with contextlib.suppress(TableReadError):  # anything else is an error
            read_table(bytes(damaged), name="x.rds", limits=LIMITS)
            read += 1
    assert read < 60, "no damage was seen"


def test_the_library_is_imported_for_such_a_file_alone():
    code = (
        "import sys; from alc_core.tables import read; read.load_formats()\n"
        "assert 'rdata' not in sys.modules and 'xarray' not in sys.modules\n"
        "read.read_table(sys.argv[1])\n"
        "assert 'rdata' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code, R / "gzip.rds"], check=True)


def test_the_script_is_beside_its_files():
    script = (R / "make.R").read_text("utf-8")
    assert all(f'"{path.name}"' in script for path in R.iterdir() if path.name != "make.R")
