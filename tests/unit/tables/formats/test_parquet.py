import datetime as dt
import decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from alc_core.errors import TableReadError
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.codes.encode import encode
from alc_core.tables.formats import parquet
from alc_core.tables.read import read_table
from alc_core.tables.table import ColumnKind
from alc_core.tables.values import texts

N = 600
RNG = np.random.default_rng(0)


def some(values, share=0.1):
    return [None if RNG.random() < share else value for value in values]


TABLE = pa.table(
    {
        "sex": some(RNG.choice(["m", "f"], N)),
        "job": some(RNG.choice([" clerk", "smith ", "1.0", "007", "", " "], N)),
        "code": some([str(code) for code in RNG.integers(0, 30, N)]),
        "visit": some([f"2020-01-{day:02d}" for day in RNG.integers(1, 29, N)]),
        "ward": pa.array(some(RNG.choice(["x", "y"], N))).dictionary_encode(),
        "grade": pa.array(some(RNG.integers(0, 5, N).tolist())).dictionary_encode(),
        "born": some([dt.date(1990, 1, int(day)) for day in RNG.integers(1, 29, N)]),
        "shift": some([dt.time(int(hour)) for hour in RNG.integers(0, 24, N)]),
        "fee": pa.array(some([decimal.Decimal(int(c)) / 100 for c in RNG.integers(0, 9999, N)])),
        "raw": some([b"a%d" % number for number in RNG.integers(0, 4, N)]),
        "flag": some([bool(flag) for flag in RNG.integers(0, 2, N)]),
        "age": RNG.integers(0, 90, N),
        "visits": some(RNG.integers(0, 90, N).tolist()),
        "income": RNG.lognormal(10, 1, N),
        "nothing": pa.nulls(N),
        "key": [f"P{number}" for number in RNG.permutation(N)],
    }
)


def saved(path, table=TABLE, **options):
    pq.write_table(table, path, **options)
    return path


def coded_and_plain(path, monkeypatch):
    """Read a file with text as codes, and with text as strings."""
    coded = read_table(path)
    monkeypatch.setattr(parquet, "MOST_DISTINCT", -1.0)
    monkeypatch.setattr(texts, "MOST_DISTINCT", -1.0)
    return coded, read_table(path)


def cells(table):
    """Return a table's cells as lists, every missing one as None."""
    plain = table.frame.astype(object)
    return plain.where(plain.notna(), None).to_dict("list")


@pytest.mark.parametrize("rows", [7, 100, 10_000])
def test_text_of_few_values_is_read_as_codes_of_the_same_text(tmp_path, monkeypatch, rows):
    path = saved(tmp_path / "a.parquet", row_group_size=rows)
    monkeypatch.setattr(parquet, "_BATCH", 50)
    coded, plain = coded_and_plain(path, monkeypatch)
    is_coded = {
        name for name, kind in coded.frame.dtypes.items() if isinstance(kind, pd.CategoricalDtype)
    }
    assert is_coded == {"sex", "job", "code", "visit", "ward", "shift", "raw"}
    assert not any(isinstance(kind, pd.CategoricalDtype) for kind in plain.frame.dtypes)
    assert cells(coded) == cells(plain)
    assert coded.fingerprint == plain.fingerprint


def test_codes_and_strings_lead_to_the_same_kinds_findings_and_encoding(tmp_path, monkeypatch):
    coded, plain = coded_and_plain(saved(tmp_path / "a.parquet"), monkeypatch)
    assert coded.guesses == plain.guesses
    assert coded.notes == plain.notes
    pairs = [(coded, coded), (coded, plain), (plain, coded)]
    expected_findings = check_tables(plain, [plain])
    expected = encode(plain, [plain], columns=plain.columns)
    for original, release in pairs:
        assert check_tables(original, [release]) == expected_findings
        data = encode(original, [release], columns=plain.columns)
        assert data.specs == expected.specs
        for name in plain.columns:
            codes = data.released[0].columns[name]
            assert codes.dtype == (np.float64 if original.kind(name).is_numeric else np.int32)
            np.testing.assert_array_equal(codes, expected.original.columns[name])


def test_path_and_bytes_give_the_same_table(tmp_path):
    path = saved(tmp_path / "a.parquet")
    from_path, from_bytes = read_table(path), read_table(path.read_bytes(), name="a.parquet")
    assert from_path.fingerprint == from_bytes.fingerprint
    pd.testing.assert_frame_equal(from_path.frame, from_bytes.frame)


def test_categories_are_the_values_that_occur(tmp_path):
    words = pa.DictionaryArray.from_arrays(
        pa.array([2, 1, 2, None] * 20), pa.array(["unused", " b", "a", "b "])
    )
    table = read_table(saved(tmp_path / "a.parquet", pa.table({"word": words})))
    assert list(table.frame["word"].cat.categories) == ["a", "b"]
    assert table.frame["word"].cat.codes[:4].tolist() == [0, 1, 0, -1]
    assert table.frame["word"].cat.codes.dtype == np.int8


def test_text_of_many_values_is_kept_as_strings(tmp_path):
    names = [f"name {number}" for number in range(N)]
    table = read_table(saved(tmp_path / "a.parquet", pa.table({"name": names})))
    assert table.frame["name"].tolist() == names
    assert table.kind("name") is ColumnKind.IDENTIFIER


def test_names_with_points_and_columns_without_a_name(tmp_path):
    letters = pa.array(["x", "y"] * 30)
    table = pa.table([letters, pa.array(["y", "x"] * 30)], names=["a", "a.b"])
    frame = read_table(saved(tmp_path / "a.parquet", table)).frame
    assert (frame["a"].iloc[0], frame["a.b"].iloc[0]) == ("x", "y")
    table = pa.table([letters, letters, pa.array(range(60))], names=["", "", "b"])
    read = read_table(saved(tmp_path / "b.parquet", table))
    assert read.columns == ("column_1", "column_2", "b")
    assert read.frame["column_2"].tolist() == letters.to_pylist()


def test_decimals_are_the_nearest_floats(tmp_path):
    cents = pa.array([decimal.Decimal("0.10"), None, decimal.Decimal("1234567.89")])
    table = read_table(saved(tmp_path / "a.parquet", pa.table({"fee": cents})))
    assert table.frame["fee"].iloc[[0, 2]].tolist() == [0.1, 1234567.89]
    assert np.isnan(table.frame["fee"].iloc[1])


@pytest.mark.parametrize("kind", [pa.decimal128(20, 0), pa.decimal128(38, 4)])
def test_long_whole_decimals_stay_text_as_they_are(tmp_path, kind):
    accounts = [2**53, 2**53 + 1, None, 7]
    cells = pa.array([None if each is None else decimal.Decimal(each) for each in accounts], kind)
    fees = pa.array([decimal.Decimal("9007199254740993.5"), None, decimal.Decimal(1), None])
    table = pa.table({"account": cells, "fee": fees})
    frame = read_table(saved(tmp_path / "a.parquet", table)).frame
    written = frame["account"].astype(object).where(frame["account"].notna(), None).tolist()
    assert written == ["9007199254740992", "9007199254740993", None, "7"]
    assert frame["fee"].dtype == np.float64


def test_columns_can_be_changed_after_reading(tmp_path):
    frame = read_table(saved(tmp_path / "a.parquet")).frame
    frame.loc[0, "income"] = 1.0
    frame.loc[0, "age"] = 3
    assert frame.loc[0, ["income", "age"]].tolist() == [1.0, 3]


def test_every_column_of_lists_is_named(tmp_path):
    table = pa.table({"a": [[1]], "b": [1], "c": [{"x": 1}]})
    with pytest.raises(TableReadError, match="lists or structures in 'a' and 'c'"):
        read_table(saved(tmp_path / "a.parquet", table))


def test_a_small_file_of_many_equal_values_counts_with_its_size_in_memory(tmp_path):
    path = saved(tmp_path / "a.parquet", pa.table({"x": np.zeros(100_000)}))
    assert path.stat().st_size < 5_000
    with pytest.raises(TableReadError, match=r"unpacks to 781\.2 KiB, more than the limit"):
        read_table(path, max_uncompressed_bytes=100_000)
    assert len(read_table(path, max_uncompressed_bytes=800_000)) == 100_000


def test_a_table_of_far_more_than_its_file_is_refused_from_the_header(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "RATIO_FROM_BYTES", 2**22)
    path = saved(tmp_path / "a.parquet", pa.table({"x": np.zeros(1_000_000)}))
    with pytest.raises(TableReadError, match="claims a table of more than 500 times its size"):
        read_table(str(path))


def test_a_path_that_is_damaged_or_cut(tmp_path):
    path = saved(tmp_path / "a.parquet")
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(TableReadError, match=r"'a\.parquet' is damaged, or is not a Parquet file"):
        read_table(path)
    path.write_bytes(b"PAR1")
    with pytest.raises(TableReadError, match="is damaged, or is not a Parquet file"):
        read_table(path)


def test_no_rows(tmp_path):
    with pytest.raises(TableReadError, match="has columns but no rows"):
        read_table(saved(tmp_path / "a.parquet", TABLE.slice(0, 0)))
