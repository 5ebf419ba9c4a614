"""Files that once brought down the reader, ended in a traceback or lost rows without a word."""

import io
import re
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from alc_core.errors import TableReadError
from alc_core.tables.apart.read import ReadingLimits, read_table
from alc_core.tables.checks.checker import check_tables
from tests.toys.files import every_format, rezipped, workbook

FILES = every_format()
LIMITS = ReadingLimits(seconds=30, memory_bytes=2**30)
ROWS = [["a", "b", "c"], *([k, k * 2, f"x{k % 3}"] for k in range(50))]


def one_line_or_a_table(data, name):
    try:
        table = read_table(data, name=name, limits=LIMITS)
    except TableReadError as error:
        line = str(error)
    else:
        assert len(table.columns)
        return True
    assert name in line
    assert line.isprintable()
    return False


@pytest.mark.parametrize("name", ["spss.sav", "spss_packed.zsav", "stata_118.dta", "plain.parquet"])
def test_one_damaged_byte(name):
    sound = FILES[name]
    rng = np.random.default_rng(3)
    read = 0
    for place in (*rng.integers(len(sound), size=15), *rng.integers(300, size=15)):
        damaged = bytearray(sound)
        damaged[place] ^= 0xFF
        read += one_line_or_a_table(bytes(damaged), name)
    assert read < 30, "no damage was seen"


@pytest.mark.parametrize("error", [AttributeError, IndexError, StopIteration, AssertionError])
def test_whatever_the_reader_of_stata_raises_is_a_damaged_file(error, monkeypatch):
    def fail(*args, **kwargs):
        raise error("'Series' object has no attribute 'partition'")

    monkeypatch.setattr(pd, "read_stata", fail)
    with pytest.raises(TableReadError, match=r"^'x\.dta' is damaged, or is not a Stata file\. Exp"):
        read_table(FILES["stata.dta"], name="x.dta", limits=None)


def test_text_of_a_parquet_file_that_is_no_text():
    out = io.BytesIO()
    texts = pa.table({"a": [f"köln {k}" for k in range(40)]})
    pq.write_table(texts, out, compression="none", use_dictionary=False)
    sound = out.getvalue()
    damaged = sound.replace("köln 7".encode(), b"k\xff\xfeln 7")
    assert damaged != sound
    with pytest.raises(TableReadError, match="is damaged, or is not a Parquet file"):
        read_table(damaged, name="x.parquet", limits=None)


def test_codes_of_a_parquet_file_beyond_its_dictionary():
    out = io.BytesIO()
    pq.write_table(pa.table({"a": ["x", "y", "z"] * 20}), out, compression="none")
    runs_of_two_bits = b"x\x01\x02\x11"
    damaged = out.getvalue().replace(runs_of_two_bits, b"x\x01\x02\xee")
    with pytest.raises(TableReadError, match="is damaged, or is not a Parquet file"):
        read_table(damaged, name="x.parquet", limits=None)


def test_what_arrow_says_in_two_lines_is_one():
    sound = FILES["plain.parquet"]
    damaged = sound[:4] + b"\xff" * 40 + sound[44:]
    with pytest.raises(OSError, match="\n"):
        pq.read_table(io.BytesIO(damaged))
    assert not one_line_or_a_table(damaged, "x.parquet")


@pytest.mark.parametrize("stated", ["A1:B3", "A1", "C5:D9", None])
def test_all_rows_of_a_sheet_whose_stated_dimension_is_wrong(stated):
    data = workbook(ROWS)
    stated = b"" if stated is None else f'<dimension ref="{stated}"/>'.encode()
    wrong = rezipped(data, lambda _, xml: re.sub(rb"<dimension [^>]*/>", stated, xml))
    assert wrong != data
    table = read_table(wrong, name="x.xlsx")
    pd.testing.assert_frame_equal(table.frame, read_table(data, name="x.xlsx").frame)
    assert (len(table), table.columns) == (50, ("a", "b", "c"))


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("XFD1048576", "takes more than the limit .* Delete stray cells"),
        ("XFD60", "has 16,384 columns, more than the limit of 5,000"),
    ],
)
def test_a_cell_far_away(cell, message):
    book = openpyxl.load_workbook(io.BytesIO(workbook(ROWS)))
    book.active[cell] = 1
    out = io.BytesIO()
    book.save(out)
    with pytest.raises(TableReadError, match=message):
        read_table(out.getvalue(), name="x.xlsx", limits=LIMITS)


def test_a_codec_that_is_no_encoding():
    for codec in ("zip", "hex", "rot13", "undefined", "no such", "a\0b", "\udc80"):
        with pytest.raises(TableReadError, match=r"'x\.csv' (cannot be read in|is not text in)"):
            read_table(b"a,b\n1,2\n", name="x.csv", encoding=codec)


def test_a_name_that_a_terminal_would_obey():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("\x1b[2Jone.csv", "a,b\n1,2\n")
        archive.writestr("two\n.csv", "a,b\n1,2\n")
    with pytest.raises(TableReadError) as found:
        read_table(out.getvalue(), name="\x1b]0;x\x07.zip")
    assert str(found.value).isprintable()
    assert r"'\x1b[2Jone.csv' and 'two\n.csv'" in str(found.value)


def test_a_file_name_that_is_not_utf_8(tmp_path):
    path = tmp_path / "k\udcf6ln.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    assert read_table(path).name == r"k\udcf6ln.csv"
    path.write_text("", encoding="utf-8")
    with pytest.raises(TableReadError, match=r"'k\\udcf6ln\.csv' is empty"):
        read_table(path)


def test_thousands_of_columns_are_checked_in_a_time_that_grows_with_their_number():
    rng = np.random.default_rng(0)
    lines = [",".join(f"c{k}" for k in range(1_000))]
    lines += [",".join(map(str, row)) for row in rng.integers(0, 30, (30, 1_000))]
    table = read_table("\n".join(lines).encode(), name="wide.csv")
    assert table.columns is table.columns
    assert check_tables(table, [table])


def test_a_slice_of_the_fuzzer_finds_nothing(capsys):
    import importlib.util
    from pathlib import Path

    path = Path(__file__).parents[4] / "benchmarks" / "fuzz_files.py"
    spec = importlib.util.spec_from_file_location("fuzz_files", path)
    fuzz = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fuzz)
    code = fuzz.main(["--cases", "120", "--seed", "11"])
    assert code == 0, capsys.readouterr().out
