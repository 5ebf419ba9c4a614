import bz2
import contextlib
import gzip
import io
import lzma
import sqlite3
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from alc_core.errors import TableReadError
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.read import read_table, table_from_frame
from alc_core.tables.table import ColumnKind
from alc_core.tables.values.texts import numeric_values
from tests.toys.files import has_note

CSV = b"age,job\n31,clerk\n45,smith\n"


def write(path, data):
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def read(text, name="people.csv", **options):
    data = text if isinstance(text, bytes) else text.encode()
    return read_table(data, name=name, **options)


def failing(text, match, name="people.csv", **options):
    with pytest.raises(TableReadError, match=match) as caught:
        read(text, name, **options)
    message = str(caught.value)
    assert "\n" not in message
    assert name in message
    return message


# --- sources ---------------------------------------------------------------------------------


def test_path_bytes_and_stream_give_the_same_table(tmp_path):
    path = write(tmp_path / "people.csv", CSV)
    tables = [read_table(path), read_table(str(path)), read_table(CSV, name="people.csv")]
    with path.open("rb") as stream:
        tables.append(read_table(stream))
    assert {table.name for table in tables} == {"people.csv"}
    assert len({table.fingerprint for table in tables}) == 1
    for table in tables:
        pd.testing.assert_frame_equal(table.frame, tables[0].frame)
    assert read_table(io.BytesIO(CSV)).name == "table"


def test_missing_file_folder_and_address(tmp_path):
    with pytest.raises(TableReadError, match=r"nowhere\.csv' does not exist\. Check the path"):
        read_table(tmp_path / "nowhere.csv")
    with pytest.raises(TableReadError, match="No file"):
        read_table(tmp_path)
    with pytest.raises(TableReadError, match=r"is an address\. Download the file"):
        read_table("https://example.org/a.csv")


@pytest.mark.parametrize(("text", "sure"), [("N", True), ("*", True), ("N", False)])
def test_commas_between_thousands_go_also_where_a_text_stands_among_numbers(text, sure):
    large = "2,100,000" if sure else "21,333"
    cells = [text, "950", "1,250", large, "20,544"] * 30
    found = read("pay;job\n" + "".join(f"{cell};a\n" for cell in cells))
    pay = found.frame["pay"]
    if sure:
        assert has_note(found, "Commas in 'pay' separate thousands")
        assert numeric_values(pay)[1:5].tolist() == [950, 1250, 2_100_000, 20544]
        assert pay[0] == text
    else:
        assert not found.kind("pay").is_numeric


@pytest.mark.parametrize("data", [b"", b"\n\n", b"  \n"])
def test_empty_file(data):
    failing(data, "is empty. Use a file with a header line and rows")


def test_header_only_and_one_row():
    failing(b"age,job\n", "has a header line but no rows")
    table = read(b"age,job\n31,clerk\n")
    assert has_note(table, "only one row")


def test_file_larger_than_the_limit(tmp_path):
    path = write(tmp_path / "people.csv", CSV)
    with pytest.raises(TableReadError, match="exceeds the limit of 10 bytes"):
        read_table(path, max_uncompressed_bytes=10)


# --- text: delimiter, encoding, decimal ------------------------------------------------------


@pytest.mark.parametrize(
    ("delimiter", "name"),
    [(",", "comma"), (";", "semicolon"), ("\t", "tab"), ("|", "vertical bar")],
)
@pytest.mark.parametrize("file", ["people.csv", "people.txt", "people"])
def test_delimiter_is_found_out(delimiter, name, file):
    table = read(CSV.replace(b",", delimiter.encode()), file)
    assert table.columns == ("age", "job")
    assert has_note(table, f"Delimiter: {name}.")


def test_tab_wins_in_a_tsv_file():
    assert read("a,b\tc,d\n1,2\t3,4\n", "people.tsv").columns == ("a,b", "c,d")


def test_given_delimiter():
    assert has_note(read("a:b\n1:2\n", delimiter=":"), "Delimiter: ':'")
    failing("a;b;c\n1;2;3\n", "one column with comma, but 3 with semicolon. Choose semicolon",
            delimiter=",")  # fmt: skip
    failing("a;b\n1;2\n", "cannot be split by the delimiter '::'", delimiter="::")


def test_separator_line_of_excel():
    assert read("sep=;\na;b\n1;2\n").columns == ("a", "b")


def test_single_column_is_fine():
    table = read("city\nParis\n\nRome\n")
    assert table.frame["city"].isna().tolist() == [False, True, False]
    assert has_note(table, "One column")


@pytest.mark.parametrize(
    ("encoding", "note"),
    [
        ("utf-8", "Encoding: UTF-8."),
        ("utf-8-sig", "Encoding: UTF-8."),
        ("utf-16", "Encoding: UTF-16."),
        ("utf-16-le", "UTF-16 (no byte order mark)"),
        ("utf-16-be", "UTF-16 (no byte order mark)"),
        ("utf-32", "Encoding: UTF-32."),
    ],
)
def test_unicode_encodings(encoding, note):
    table = read("ort;zahl\nKöln;1\nMünchen;2\n".encode(encoding))
    assert table.columns == ("ort", "zahl")
    assert table.frame["ort"].tolist() == ["Köln", "München"]
    assert has_note(table, note)


def test_other_encodings_are_assumed_with_a_note_or_given():
    lines = "ort;zahl\n" + "".join(
        f"{o};1\n" for o in ("Köln", "München", "Düsseldorf", "Fürth") * 9
    )
    table = read(lines.encode("cp1252"))
    assert "München" in table.frame["ort"].tolist()
    assert has_note(table, "cp1252 was assumed, such as '")
    assert has_note(read(lines.encode("latin-1"), encoding="latin-1"), "latin-1")
    failing(lines.encode("latin-1"), "not text in the encoding utf-8", encoding="utf-8")
    failing(lines, "unknown encoding 'klingon'", encoding="klingon")
    failing(b"\xff\xfea\x00\x00\xd8\x01\x00", "begins like UTF-16 text but is damaged")


def test_decimal_comma():
    table = read("a;b;c\n1,5;2;1,234\n2,25;3;5,678\n")
    assert table.frame["a"].tolist() == [1.5, 2.25]
    assert table.frame["c"].tolist() == [1.234, 5.678]
    assert has_note(table, "Decimal comma found in 'a' and 'c'")


def test_commas_that_may_separate_thousands_stay_text_until_told():
    text = "pay;b\n" + "".join(f"{n // 1000},{n % 1000:03};x\n" for n in range(1234, 9999, 99))
    found = read(text)
    assert has_note(found, "are ambiguous, so text")
    assert found.frame["pay"].tolist()[:2] == ["1,234", "1,333"]
    assert found.kind("pay") is not ColumnKind.CONTINUOUS  # 1.234 or 1234
    assert read(text, decimal=".").frame["pay"].tolist()[:2] == [1234, 1333]
    assert has_note(read(text, decimal="."), "Commas in 'pay' separate thousands")
    assert read("a;b\n1,5;2,345\n2,5;NA\n").frame["b"].tolist()[:1] == [2.345]
    assert read("a;b\n1,250;2,5\n2;3,5\n").frame["a"].tolist() == [1.25, 2]
    assert read("a;b\n1,234;x\n", decimal=",").frame["a"].tolist() == [1.234]
    with pytest.raises(TableReadError, match=r"must be '\.' or ','"):
        read(text, decimal=";")


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1,234", "5,678,901"], [1234, 5678901]),
        (["1,234.50", "12,000", "-950.25"], [1234.5, 12000, -950.25]),
        (["1,250", "950", "NA"], [1250, 950, np.nan]),
    ],
)
def test_commas_that_cannot_separate_decimals_separate_thousands(cells, numbers):
    found = read("id,pay\n" + "".join(f'x,"{cell}"\n' for cell in cells))
    np.testing.assert_array_equal(found.frame["pay"], numbers)
    assert has_note(found, "Commas in 'pay' separate thousands")


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1 234,50", "950,25", "-12 000,00"], [1234.5, 950.25, -12000]),
        (["1\u00a0234", "950", "NA"], [1234, 950, np.nan]),
        (["1'234.50", "950.25", "7"], [1234.5, 950.25, 7]),
    ],
)
def test_spaces_and_apostrophes_separate_thousands(cells, numbers):
    found = read("id;pay\n" + "".join(f"x;{cell}\n" for cell in cells))
    np.testing.assert_array_equal(found.frame["pay"], numbers)
    assert has_note(found, "Spaces or apostrophes in 'pay' separate thousands")


def test_numbers_with_spaces_elsewhere_stay_text():
    codes = "id;code\n1;123 45\n2;171 234 5\n3;0171 234 567\n"
    assert read(codes).frame["code"].tolist() == ["123 45", "171 234 5", "0171 234 567"]
    assert read("a;b\n1 234;x\n5,678;y\n").frame["a"].tolist() == [1234, 5.678]


def test_a_comma_in_a_name_and_in_numbers_is_no_delimiter():
    found = read("Pay, gross;Age\n1234,5;30\n950,25;31\n")
    assert found.columns == ("Pay, gross", "Age")


def test_a_given_decimal_comma_is_found_only_where_there_is_one():
    assert has_note(read("a;b\n1;2,5\n2;3,5\n", decimal=","), "Decimal comma found in 'b'.")
    assert read("a;b\n0,500;x\n1,250;y\n").frame["a"].tolist() == [0.5, 1.25]


def test_points_separate_thousands_where_decimals_have_a_comma():
    text = "rate;pay;people;share\n3,5;1.234;1.234.567;0.125\n2,5;850;NA;1.250\n4,5;;85;2.500\n"
    table = read(text)
    np.testing.assert_array_equal(table.frame["pay"], [1234, 850, np.nan])
    np.testing.assert_array_equal(table.frame["people"], [1234567, np.nan, 85])
    assert table.frame["share"].tolist() == [0.125, 1.25, 2.5]
    assert has_note(table, "Points in 'pay' and 'people' separate thousands")
    assert read(text, decimal=".").frame["pay"].tolist()[:2] == [1.234, 850]
    assert read("pay;b\n1.234;x\n850;y\n").frame["pay"].tolist() == [1.234, 850]
    assert read("rate;code\n3,5;007\n2,5;1.234\n").frame["code"].tolist() == ["007", "1.234"]


def test_points_beside_a_decimal_comma_separate_thousands():
    text = "pay;b\n1.234,56;x\n-850,5;y\n"
    for decimal in (None, ","):
        assert read(text, decimal=decimal).frame["pay"].tolist() == [1234.56, -850.5]
    assert read("pay;b\n1.234;x\n850;y\n", decimal=",").frame["pay"].tolist() == [1234, 850]
    assert read("at;b\n1.5;x\n2,5;y\n", decimal=",").frame["at"].tolist() == ["1.5", "2,5"]


def test_a_column_that_the_rest_of_the_file_settles_is_read_as_the_rest():
    long = "1234567890123456"
    table = read(f"rate;pay;share;code\n3,5;1,250;1,234;1,250\n2,5;2.500;12.5;{long}\n")
    assert table.frame["pay"].tolist() == [1.25, 2500]
    assert table.frame["share"].tolist() == ["1,234", "12.5"]
    assert table.frame["code"].tolist() == ["1,250", long]
    assert has_note(table, "Commas in 'share' and 'code' are ambiguous")


def test_quoting_line_ends_and_blank_lines():
    table = read('a,b\r\n"x, y","say ""hi"""\r\n\r\n"two\nlines",5" pipe\r\n')
    assert table.frame.to_numpy().tolist() == [["x, y", 'say "hi"'], ["two\nlines", '5" pipe']]


@pytest.mark.parametrize("name", ["PAR1", "PAR1ID", "RDX", "RDX2", "RDX_score"])
def test_a_first_column_called_as_other_files_begin(name, tmp_path):
    text = f"{name},b\n1,2\n3,4\n"
    assert read(text).columns == (name, "b")
    assert read_table(write(tmp_path / "people.csv", text)).columns == (name, "b")
    assert read(f"{name}\n1\n2\n").columns == (name,)
    failing(b"RDX3\nX\n\0\0", "R data")


# --- text: values ----------------------------------------------------------------------------


def test_types_of_columns():
    table = read(
        "whole,part,code,flag,text,spaced,sci,plus,big\n"
        "1,1.5,01234,TRUE,NA, x ,1e5,+5,12345678901234567890\n"
        "2,2,00501,FALSE,?,y,2e5,+6,12345678901234567891\n"
    )
    frame = table.frame
    assert frame["whole"].dtype == np.int64
    assert frame["part"].tolist() == [1.5, 2.0]
    assert frame["code"].tolist() == ["01234", "00501"]
    assert frame["flag"].dtype == bool
    assert frame["text"].tolist() == ["NA", "?"]
    assert frame["spaced"].tolist() == ["x", "y"]
    assert frame["sci"].tolist() == [1e5, 2e5]
    assert frame["plus"].tolist() == [5, 6]
    assert frame["big"].tolist() == ["12345678901234567890", "12345678901234567891"]


LONG = [123456789012345671, 123456789012345672, None]


@pytest.mark.parametrize("missing", ["", "NA", "nan"])
def test_long_whole_numbers_keep_their_digits_beside_a_missing_one(missing):
    frame = read(f"id,n\n{LONG[0]},1\n{LONG[1]},2\n{missing},\n").frame
    assert frame["id"].tolist()[:2] == [str(LONG[0]), str(LONG[1])]
    assert frame["n"].dtype == np.float64


def test_long_whole_numbers_keep_their_digits_in_every_format(tmp_path):
    objects = pd.DataFrame({"id": pd.Series(LONG, dtype=object), "n": [1, 2, 3]})
    pq.write_table(pa.table({"id": LONG, "n": [1, None, 3]}), tmp_path / "people.parquet")
    with contextlib.closing(sqlite3.connect(tmp_path / "people.db")) as base:
        objects.to_sql("people", base, index=False)
    for name in ("people.parquet", "people.db"):
        table = read_table(tmp_path / name)
        assert table.frame["id"].tolist()[:2] == [str(LONG[0]), str(LONG[1])]
        assert table.frame["id"].isna().tolist() == [False, False, True]
        assert pd.api.types.is_numeric_dtype(table.frame["n"].dtype)
    other = objects.assign(id=[LONG[0], LONG[0], None])
    assert table_from_frame(objects).fingerprint != table_from_frame(other).fingerprint


def test_only_empty_cells_are_missing_in_text_columns():
    frame = read("a,b\nx,1\n,2\nNone,3\nNA,4\nnan,5\n?,6\n.,7\n").frame
    assert frame["a"].isna().tolist() == [False, True] + [False] * 5


@pytest.mark.parametrize("token", ["NA", "nan", "NaN", "NULL", "."])
def test_tokens_are_missing_in_numeric_columns_only(token):
    table = read(f"a,b\n1,x\n{token},{token}\n2.5,z\n")
    np.testing.assert_array_equal(table.frame["a"], [1, np.nan, 2.5])
    assert table.frame["b"].tolist() == ["x", token, "z"]
    assert has_note(
        table, ("are treated as missing beside numbers, true and false in the column 'a'")
    )


def test_question_mark_keeps_a_numeric_column_text():
    assert read("a,b\n1,x\n?,y\n").frame["a"].tolist() == ["1", "?"]


def test_late_text_in_a_numeric_column():
    rows = "".join(f"{k},x\n" for k in range(500))
    assert read(f"a,b\n{rows}late,y\n").frame["a"].tolist()[-1] == "late"
    assert np.isnan(read(f"a,b\n{rows}NA,y\n").frame["a"].tolist()[-1])
    assert read(f"a,b\n{rows}007,y\n").frame["a"].tolist()[-1] == "007"
    assert read(f"a,b\n{rows}0x1F,y\n").frame["a"].tolist()[-1] == "0x1F"


def test_infinity_beside_infinity_in_the_first_column_gives_no_warning():
    assert len(read_table(b"a,b\ninf,1\ninf,2\n3,1\n").frame) == 3


def test_infinite_values_are_kept_and_noted():
    table = read("a,b\n1.5,x\ninf,y\n-inf,z\n")
    assert np.isinf(table.frame["a"]).sum() == 2
    assert has_note(table, "Infinite values in 'a'")


def test_values_that_no_calculation_can_take():
    seconds = np.array(["9999-12-31", "10000-01-01", "-5000-01-01", "NaT"], dtype="M8[s]")
    frame = pd.DataFrame(
        {
            "born": seconds,
            "zoned": pd.Series(seconds).dt.tz_localize("UTC"),
            "half": np.array([0.1, 2, 3, 4], dtype=np.float16),
            "huge": [1.7e308, -1.7e308, 1e38, 2.5],
        }
    )
    out = io.BytesIO()
    frame.to_parquet(out)
    table = read_table(out.getvalue(), name="odd.parquet")
    assert table.frame["born"].isna().tolist() == [False, True, True, True]
    assert table.frame["zoned"].isna().tolist() == [True, True, True, True]
    assert table.frame["half"].dtype == np.float32
    assert has_note(
        table, "5 dates before the year 1 or after 9999 in 'born' and 'zoned' were read"
    )
    assert has_note(table, "Numbers beyond 1e38 in 'huge' are treated as missing in distances")
    assert numeric_values(table.frame["huge"]).tolist()[2:] == [1e38, 2.5]
    findings = check_tables(table, [table])
    assert "2 values are infinite or beyond 1e38." in [f.message for f in findings]


def test_missing_booleans():
    assert read("a,b\ntrue,1\n,2\n").frame["a"].tolist() == [True, None]
    table = read("a,b\nTRUE,NA\nNA,NA\nFALSE,x\n")
    assert table.frame["a"].tolist() == [True, None, False]
    assert has_note(
        table, ("are treated as missing beside numbers, true and false in the column 'a'")
    )


# --- text: names and shape -------------------------------------------------------------------


def test_duplicate_names():
    failing("a, a,b\n1,2,3\n", "names: 'a' in columns 1 and 2. Rename them")


def test_duplicate_values_in_a_file_without_header_are_not_shown():
    message = failing("731,731,5\n1,2,3\n", "the same entry in columns 1 and 2. Add a line")
    assert "731" not in message


def test_names_that_are_numbers_or_missing():
    assert has_note(read("1,2\n3,4\n"), "only numbers")
    table = read(",b\n1,2\n")
    assert table.columns == ("column_1", "b")
    assert has_note(table, "The first column, without a name, is called 'column_1'.")
    assert not has_note(table, "named by position")
    table = read(",b,,\n1,2,3,4\n")
    assert has_note(table, "without a name, is called 'column_1'. Columns")
    assert has_note(table, "named by position: 'column_3' and 'column_4'.")
    failing(",,\n1,2,3\n", "has no column names in its first line")


def test_uneven_rows_name_the_line_and_no_value():
    rows = "".join(f"{k},x\n" for k in range(300))
    message = failing(f"a,b\n{rows}secret,x,y\n", "3 fields in line 302, but 2 columns")
    assert "secret" not in message
    failing('a,b\n1,"two\nlines"\nsecret\n', "1 field in line 4, but 2 columns")
    failing("a,b,c\n1,2\n3,4,5,6\n", "2 fields in line 2, but 3 columns")


def test_row_numbers_without_a_name():
    failing("a,b\n1,2,3\n2,3,4\n", "2 column names in its header line but 3 fields in the rows")


def test_unclosed_quotation_mark():
    failing('a,b\n1,x\n2,"y\n3,z\n', "a quotation mark that is never closed")


def test_many_columns():
    header = ",".join(f"c{k}" for k in range(10_000))
    row = ",".join(["1"] * 10_000)
    failing(f"{header}\n{row}\n", "has 10,000 columns, more than the limit of 5,000")
    wide = ",".join(f"c{k}" for k in range(5_000))
    assert len(read(f"{wide}\n{row[:9999]}\n").columns) == 5_000


# --- not a table -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (b"%PDF-1.7 ...", "is not a table, but a PDF document"),
        (b"\x89PNG\r\n\x1a\n....", "a PNG picture"),
        (b"<!DOCTYPE html><html></html>", "is a web page without a table"),
        (b'[{"a": [1]}]', "has lists or structures in 'a'. Keep columns with one value per row"),
        (b'{"a": 1}', "is JSON, but not records in a list or lines"),
        (bytes(range(256)) * 20, "binary data, not text"),
        (np.random.default_rng(1).bytes(5000), "binary data, not text"),
        (np.random.default_rng(1).bytes(5000).replace(b"\0", b"x"), "binary data, not text"),
        (b"It was a dark and stormy night.\nThe rain fell in torrents, except now.\nAnd so on.\n",
         "running text without columns"),
        (b"age job\n31 clerk\n45 smith\n", "2 columns separated by spaces"),
        (b'"age" "job" "town" "pet"\n"1" 31 "clerk" "Ulm" "a dog"\n"2" 45 "smith" "Bonn" "cat"\n',
         "5 columns separated by spaces"),
        (b"20190112 004371.5  12\n20190113P004112.0   7\n20190114994371.15  02\n",
         r"has columns of fixed width, without names\. Export it as CSV, Stata"),
        (b"clear\nquietly infix ///\n  int year 1-4 ///\n  using `\"x.dat\"'\n",
         r"describes columns of fixed width, without the table\. Export it as CSV"),
        (b"data x;\ninfile 'x.dat' pad;\ninput\n  YEAR 1-4\n;\n", "describes columns of fixed"),
        (b"data list file = 'x.dat' /\n  YEAR 1-4\n.\n", "describes columns of fixed width"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500, "is not a workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
         "is a workbook with a password. Save it without a password"),
    ],
)  # fmt: skip
def test_not_a_table(data, match):
    failing(data, match)


def test_json_by_its_extension():
    failing(b"1\n2\n", "is JSON", name="people.json")
    failing(b"[" * 100_000, "is JSON, but not", name="people.json")


@pytest.mark.parametrize("how", [{}, {"indent": 2}, {"lines": True}])
def test_json_records_and_lines(how):
    frame = FRAME.assign(gap=[1, None, 2], text=["1", "x", ""], yes=[True, None, False])
    table = read(frame.to_json(orient="records", **how), "people.json")
    pd.testing.assert_frame_equal(table.frame, read(frame.to_csv(index=False)).frame)


def test_json_records_without_some_keys():
    table = read(b'{"a": 1, "b": "x"}\n\n{"c": NaN, "a": 9007199254740993}\n', "people.jsonl")
    assert table.columns == ("a", "b", "c")
    assert table.frame["a"].tolist() == [1, 9007199254740993]
    assert table.frame["b"].isna().tolist() == [False, True]


@pytest.mark.parametrize("kind", ["lz4", "uncompressed", "stream"])
def test_arrow(kind):
    out, rows = io.BytesIO(), pa.Table.from_pandas(FRAME)
    if kind == "stream":
        with pa.ipc.new_stream(out, rows.schema) as stream:
            stream.write_table(rows)
    else:
        feather.write_feather(rows, out, compression=kind)
    data = out.getvalue()
    table = read(data, "people")
    pd.testing.assert_frame_equal(table.frame, read(FRAME.to_csv(index=False)).frame)
    assert table.notes[0] == "Format: Arrow."
    failing(data[: len(data) // 2], "is damaged, or is not an Arrow file", name="x.arrow")


# --- packed ----------------------------------------------------------------------------------


def zipped(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "."), data)
    return buffer.getvalue()


def test_gzip_and_zip():
    assert len(read(gzip.compress(CSV), "people.csv.gz")) == 2
    table = read(zipped(a__csv=CSV), "people.zip")
    assert has_note(table, "Unpacked 'a.csv'")
    assert len(read(zipped(a__csv__gz=gzip.compress(CSV)), "people.zip")) == 2
    assert len(read(gzip.compress(CSV), "people")) == 2


@pytest.mark.parametrize("kind", ["gzip", "bz2", "xz", "zst"])
def test_files_packed_as_one_stream(kind):
    pack = {
        "gzip": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress,
        "zst": lambda data: pa.compress(data, codec="zstd", asbytes=True),
    }[kind]  # fmt: skip
    assert read(pack(CSV), f"people.csv.{kind}").frame.equals(read(CSV, "people.csv").frame)
    failing(pack(CSV * 9)[:-9], "damaged or incomplete", name=f"people.csv.{kind}")
    failing(pack(b"0" * 2**27), "500 times its size", name=f"people.csv.{kind}")


def test_a_text_that_begins_like_bzip2():
    assert read(b"BZh9,b\n1,2\n3,4\n", "people.csv").columns == ("BZh9", "b")


def test_zip_with_other_than_one_file():
    failing(zipped(a__csv=CSV, b__csv=CSV), "2 files: 'a.csv' and 'b.csv'", name="people.zip")
    failing(zipped(), "is an empty zip file", name="people.zip")


def test_damaged_packing():
    failing(gzip.compress(CSV)[:-9], "damaged or incomplete gzip", name="people.csv.gz")
    failing(zipped(a__csv=CSV)[:-9], "damaged, incomplete or unusual zip", name="people.zip")
    deep = gzip.compress(gzip.compress(gzip.compress(CSV)))
    failing(deep, "is packed several times", name="people.csv.gz")


def test_bombs():
    zeros = b"0" * 2**27
    small = 2**20
    name = "people.zip"
    failing(zipped(a__csv=zeros), "limit of 1.0 MiB", name=name, max_uncompressed_bytes=small)
    failing(zipped(a__csv=zeros), "500 times its size", name=name)
    failing(gzip.compress(zeros), "500 times its size", name="people.csv.gz")
    failing(gzip.compress(zeros), "limit of 1.0 MiB", name="a.gz", max_uncompressed_bytes=small)


def test_a_zip_that_lies_about_its_size():
    data = bytearray(zipped(a__csv=b"0" * 2**21))
    place = data.rindex(b"PK\x01\x02")
    data[place + 24 : place + 28] = (10).to_bytes(4, "little")
    failing(bytes(data), "zip file|limit", name="people.zip", max_uncompressed_bytes=2**20)


# --- binary formats --------------------------------------------------------------------------

FRAME = pd.DataFrame({"age": [31, 45, 52], "job": ["clerk", "smith", "clerk"]})


def test_parquet(tmp_path):
    frame = FRAME.assign(
        day=pd.to_datetime(["2020-01-01", None, "2020-01-03"]), kind=["", "a", "b"]
    )
    frame["job"] = frame["job"].astype("category")
    path = tmp_path / "people.parquet"
    frame.to_parquet(path)
    table = read_table(path)
    assert table.kind("day") is ColumnKind.DATETIME
    assert table.frame["job"].tolist() == FRAME["job"].tolist()
    assert table.frame["kind"].isna().tolist() == [True, False, False]
    read(path.read_bytes(), "without_extension")
    failing(path.read_bytes()[:-20], "is damaged, or is not a Parquet file", name="people.parquet")
    failing(path.read_bytes(), "more than the limit", name="a.parquet", max_uncompressed_bytes=50)


def test_parquet_with_stored_row_labels_and_lists(tmp_path):
    path = tmp_path / "people.parquet"
    FRAME.set_index(pd.Index(["x", "y", "z"])).to_parquet(path)
    assert read_table(path).columns == ("age", "job")
    FRAME.assign(many=[[1], [2], [3]]).to_parquet(path)
    with pytest.raises(TableReadError, match="lists or structures in 'many'"):
        read_table(path)


def test_stata(tmp_path):
    path = tmp_path / "people.dta"
    FRAME.assign(job=FRAME["job"].astype("category"), note=["", "x", "y"]).to_stata(
        path, write_index=False
    )
    table = read_table(path)
    assert table.frame["job"].tolist() == FRAME["job"].tolist()
    assert table.frame["note"].isna().tolist() == [True, False, False]
    failing(path.read_bytes()[:200], "is damaged, or is not a Stata file", name="people.dta")


def test_stata_labels_that_stand_for_several_codes(tmp_path):
    path = tmp_path / "people.dta"
    labels = {"sex": {1: "same", 2: "same"}}
    frame = pd.DataFrame({"sex": [1, 2, 1], "age": [3, 4, 5]})
    frame.to_stata(path, write_index=False, value_labels=labels)
    table = read_table(path)
    assert table.frame["sex"].tolist() == [1, 2, 1]
    assert has_note(table, "codes were read")


@pytest.mark.parametrize("suffix", ["csv", "parquet", "xlsx", "dta", "csv.gz", "zip"])
def test_damaged_files_never_raise_anything_else(tmp_path, suffix):
    name = f"people.{suffix}"
    frame = pd.concat([FRAME] * 20, ignore_index=True)
    path = tmp_path / name
    if suffix == "zip":
        path.write_bytes(zipped(a__csv=frame.to_csv(index=False)))
    elif suffix == "parquet":
        frame.to_parquet(path)
    elif suffix == "xlsx":
        frame.to_excel(path, index=False)
    elif suffix == "dta":
        frame.to_stata(path, write_index=False)
    else:
        frame.to_csv(path, index=False)
    data = path.read_bytes()
    rng = np.random.default_rng(5)
    for _ in range(40):
        damaged = bytearray(data[: rng.integers(1, 2 * len(data))])
        for place in rng.integers(0, len(damaged), 4):
            damaged[place] = rng.integers(0, 256)
        with contextlib.suppress(TableReadError):
            read(bytes(damaged), name)


def test_spss_and_sas(tmp_path):
    import pyreadstat

    frame = FRAME.assign(sex=[1.0, 2.0, 1.0])
    path = tmp_path / "people.sav"
    pyreadstat.write_sav(frame, str(path), variable_value_labels={"sex": {1.0: "m", 2.0: "f"}})
    table = read_table(path)
    assert table.frame["sex"].tolist() == ["m", "f", "m"]
    assert table.frame["age"].tolist() == [31, 45, 52]
    failing(path.read_bytes()[:100], "is damaged, or is not an SPSS file", name="people.sav")
    frame["sex"] = [9.0, 8.0, 2.0]
    pyreadstat.write_sav(
        frame,
        str(path),
        variable_value_labels={"sex": {9.0: "refused", 2.0: "f"}},
        missing_ranges={"sex": [{"lo": 8, "hi": 9}], "age": [45], "job": ["clerk"]},
    )
    table = read_table(path)
    assert table.frame["sex"].tolist() == ["refused", None, "f"]
    assert table.frame["age"].isna().tolist() == [False, True, False]
    assert table.frame["job"].isna().sum() == (FRAME["job"] == "clerk").sum() > 0
    path = tmp_path / "people.xpt"
    pyreadstat.write_xport(frame, str(path))
    assert read_table(path).frame["job"].tolist() == FRAME["job"].tolist()
    failing(path.read_bytes()[:100], "is damaged, or is not a SAS file", name="people.xpt")
    failing(
        b"\0" * 12 + b"\xc2\xea\x81\x60" + b"\0" * 300,
        "is damaged, or is not a SAS file",
        name="a.sas7bdat",
    )


# --- frames ----------------------------------------------------------------------------------


def test_table_from_frame():
    frame = FRAME.set_index(pd.Index([5, 6, 7]))
    table = table_from_frame(frame, name="people")
    assert table.frame.index.tolist() == [0, 1, 2]
    assert table.fingerprint == table_from_frame(FRAME).fingerprint
    assert table.fingerprint != table_from_frame(FRAME.assign(age=1)).fingerprint
    assert table.fingerprint != table_from_frame(FRAME.rename(columns={"age": "b"})).fingerprint
    frame.loc[5, "age"] = 99
    assert table.frame["age"].tolist()[0] == 31


def test_frames_that_are_no_table():
    with pytest.raises(TableReadError, match="'t' has no rows or no columns"):
        table_from_frame(pd.DataFrame({"a": []}), name="t")
    with pytest.raises(TableReadError, match="'a' in columns 1 and 2"):
        table_from_frame(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(TableReadError, match="lists or structures in 'a'"):
        table_from_frame(pd.DataFrame({"a": [[1]]}))
    with pytest.raises(TableReadError, match="several levels"):
        table_from_frame(pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])))
