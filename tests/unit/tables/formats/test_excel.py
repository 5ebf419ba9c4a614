"""Workbooks: the same values from every format, and what cannot be read said in one line."""

import datetime as dt
import io
import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest

from alc_core.errors import TableReadError
from alc_core.tables.apart.read import ReadingLimits, read_table
from alc_core.tables.table import ColumnKind
from tests.toys.files import has_note, rezipped

DATA = Path(__file__).parents[3] / "data"
FORMATS = ("xls", "xlsb", "ods")


def workbook(*sheets, path):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_excel(tmp_path):
    rows = [
        ["age", "job", "day", "code", "mixed", "flag", "gone"],
        [31, "clerk", dt.datetime(2020, 1, 1), "007", 1, True, None],
        [45, None, dt.datetime(2020, 1, 2), "008", "x", False, None],
        [None, "NA", None, "009", 2, True, None],
        [],
    ]
    path = workbook(("People", rows), ("Notes", [["x"]]), path=tmp_path / "people.xlsx")
    table = read_table(path)
    assert table.frame["age"].isna().tolist() == [False, False, True]
    assert table.frame["job"].tolist()[2] == "NA"
    assert table.kind("day") is ColumnKind.DATETIME
    assert table.frame["code"].tolist() == ["007", "008", "009"]
    assert table.frame["mixed"].tolist() == ["1", "x", "2"]
    assert table.frame["flag"].dtype == bool
    assert table.kind("gone") is ColumnKind.IGNORE
    assert has_note(table, "Sheet: 'People', the only one with rows; not read: 'Notes'")
    with pytest.raises(TableReadError, match="has no sheet 'Lots'; it has 'People' and 'Notes'"):
        read_table(path, sheet="Lots")
    with pytest.raises(TableReadError, match="has a header line but no rows"):
        read_table(path, sheet=1)


def test_excel_formulas(tmp_path):
    path = workbook(("S", [["a", "b"], [1, "=A2*2"], [2, "=A3*2"]]), path=tmp_path / "f.xlsx")
    message = r"'f.xlsx' has 2 formulas without a stored result in sheet 'S'. Save it in Excel"
    with pytest.raises(TableReadError, match=message):
        read_table(path)

    def stored(name, data):
        if name.endswith("sheet1.xml"):
            data = data.replace(b"<v />", b"<v>4</v>", 1).replace(b"<v/>", b"<v>4</v>", 1)
            data = data.replace(b'<c r="B3"', b'<c r="B3" t="str"')
        return data

    table = read_table(rezipped(path.read_bytes(), stored), name="stored.xlsx")
    assert table.frame["b"].tolist()[0] == 4
    assert table.frame["b"].isna().tolist() == [False, True]


def test_damaged_and_empty_workbooks(tmp_path):
    path = workbook(("S", []), path=tmp_path / "e.xlsx")
    with pytest.raises(TableReadError, match="has an empty sheet"):
        read_table(path)
    with pytest.raises(TableReadError, match=r"'e\.xlsx' is (a )?damaged"):
        read_table(path.read_bytes()[:-200], name="e.xlsx")
    rows = [["a", "a"], [1, 2]]
    with pytest.raises(TableReadError, match="'a' in columns 1 and 2"):
        read_table(workbook(("S", rows), path=tmp_path / "d.xlsx"))
    bomb = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", b" " * 2**21)
    with pytest.raises(TableReadError, match=r"limit of 1\.0 MiB"):
        read_table(bomb, max_uncompressed_bytes=2**20)


@pytest.mark.parametrize("suffix", FORMATS)
def test_other_formats_hold_the_same_values(suffix):
    table = read_table(DATA / f"people.{suffix}")
    expected = pd.DataFrame({
        "age": [31.0, 45.0, np.nan],
        "job": pd.Series(["clerk", None, "Köchin"], dtype="str"),
        "day": pd.Series(["2020-01-01", "2020-01-02", "2020-02-29"], dtype="datetime64[us]"),
        "code": pd.Series(["007", "008", "009"], dtype="str"),
        "flag": [True, False, True],
        "share": [0.25, 0.5, 1.0],
        "error": [np.nan, 1.0, 2.0],
    })  # fmt: skip
    pd.testing.assert_frame_equal(table.frame, expected)
    assert has_note(table, "#N/A")
    assert table.kind("day") is ColumnKind.DATETIME


@pytest.mark.parametrize("suffix", ["xls", "ods"])
def test_sheets_of_other_formats(suffix):
    path = DATA / f"people.{suffix}"
    assert has_note(read_table(path), "Sheet: 'People', the only one with rows; not read: 'Notes'.")
    with pytest.raises(
        TableReadError, match=r"'people\..*' has no sheet '7'; it has 'People' and 'N"
    ):
        read_table(path, sheet=7)
    with pytest.raises(TableReadError, match="has a header line but no rows"):
        read_table(path, sheet="Notes")


def book(rows, change=lambda book, sheet: None):
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    change(made, made.active)
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def column(values, number_format):
    def formatted(_, sheet):
        for row in range(2, len(values) + 2) if number_format else ():
            sheet.cell(row, 1).number_format = number_format

    return read_table(book([["a"], *([v] for v in values)], formatted), name="a.xlsx").frame["a"]


@pytest.mark.parametrize(
    ("values", "number_format", "expected"),
    [
        ([1, 2, -3], "0.00", [1, 2, -3]),
        ([1, 2.5], "0%", [1.0, 2.5]),
        ([0.5, 1], '[$€-407] 0.00;[Red]"day" 0', [0.5, 1.0]),
        ([123456789012345], "0", [123456789012345]),
        ([dt.date(1900, 1, 1), dt.date(2020, 2, 29)], "d-mmm-yy", ["1900-01-01", "2020-02-29"]),
        ([dt.datetime(2020, 1, 1, 12, 30, 15)], "yyyy-mm-dd hh:mm", ["2020-01-01 12:30:15"]),
        ([dt.time(3, 4), dt.time(0, 0)], "hh:mm:ss", ["03:04:00", "00:00:00"]),
        (["x", dt.date(2020, 1, 1), 1, 1.5, True], None, ["x", "2020-01-01", "1", "1.5", "True"]),
        ([" x ", " b=1", "ä\nß"], "@", ["x", "b=1", "ä\nß"]),
    ],
)  # fmt: skip
def test_values_and_number_formats(values, number_format, expected):
    found = column(values, number_format)
    assert (
        found.astype(str).tolist() if isinstance(expected[0], str) else found.tolist()
    ) == expected


def test_cells_with_an_error_are_missing_and_counted():
    def errors(_, sheet):
        sheet["A2"], sheet["B3"] = "#N/A", "#DIV/0!"

    rows = [["age", "job"], *([20 + i, f"job {i}"] for i in range(4))]
    table = read_table(book(rows, errors), name="a.xlsx")
    assert table.frame["age"].isna().tolist() == [True, False, False, False]
    assert table.frame["job"].isna().tolist() == [False, True, False, False]
    assert has_note(table, "Read as missing: 2 cells with an error, such as #N/A.")


def test_empty_rows_columns_before_the_table_and_merged_cells():
    def moved(_, sheet):
        sheet.merge_cells("A2:A3")
        sheet.insert_cols(1)
        sheet.insert_rows(1, 2)

    rows = [["a", None, "c"], [1, None, "x"], [None, None, "y"], [], [3, None, "z"]]
    table = read_table(book(rows), name="a.xlsx")
    assert table.columns == ("a", "column_2", "c")
    assert table.frame["c"].tolist() == ["x", "y", "z"]
    assert table.frame["a"].isna().tolist() == [False, True, False]
    assert read_table(book(rows, moved), name="a.xlsx").columns == ("a", "column_2", "c")


def test_hidden_sheets_are_listed_charts_are_not_and_names_may_hold_anything():
    def more(made, _):
        made.create_sheet("B & <C>").append(["x"])
        made["B & <C>"].append(["=A1"])
        made.create_sheet("hidden").sheet_state = "hidden"
        made.create_chartsheet("chart")

    data = book([["a"], [1]], more)
    assert has_note(read_table(data, name="a.xlsx", sheet=0), "not read: 'B & <C>' and 'hidden'.")
    with pytest.raises(TableReadError, match="has 1 formula without .* in sheet 'B & <C>'"):
        read_table(data, name="a.xlsx", sheet="B & <C>")


def test_cells_far_apart_do_not_take_all_memory():
    def far(_, sheet):
        sheet["XFD1048576"] = 1

    message = r"'a\.xlsx' takes more than the limit of 1\.0 GiB of m.* Delete stray cells"
    with pytest.raises(TableReadError, match=message):
        read_table(book([["a"], [1]], far), name="a.xlsx", limits=ReadingLimits(memory_bytes=2**30))


def test_formats_on_empty_cells_far_out_do_no_harm():
    def far(_, sheet):
        sheet["XFD1048576"].font = openpyxl.styles.Font(bold=True)

    assert len(read_table(book([["a"], [1]], far), name="a.xlsx")) == 1


def changed_ods(name, find, replace):
    def changed(each, data):
        assert each != name or find in data
        return data.replace(find, replace) if each == name else data

    return rezipped((DATA / "people.ods").read_bytes(), changed)


def test_ods_formulas_without_a_result():
    cell = b'office:value-type="float" office:value="45"'
    data = changed_ods("content.xml", cell, b'table:formula="of:=[.A2]*2"')
    with pytest.raises(TableReadError, match="has 1 formula without a stored result in sheet 'Peo"):
        read_table(data, name="a.ods")


def test_workbooks_with_a_password():
    xls = (DATA / "people.xls").read_bytes()
    place = xls.index(b"\x09\x08\x10\x00") + 20
    xls = xls[:place] + b"\x2f\x00\x02\x00\x01\x00" + xls[place + 6 :]
    end = b"</manifest:manifest>"
    ods = changed_ods("META-INF/manifest.xml", end, b"<manifest:encryption-data/>" + end)
    for name, data in (("a.xls", xls), ("a.ods", ods)):
        with pytest.raises(TableReadError, match=f"'{name}' is a workbook with a password"):
            read_table(data, name=name)


@pytest.mark.parametrize("suffix", FORMATS)
def test_damaged_workbooks_never_raise_anything_else(suffix):
    data = (DATA / f"people.{suffix}").read_bytes()
    rng = np.random.default_rng(5)
    errors = []
    for _ in range(12):
        damaged = bytearray(data[: rng.integers(len(data) // 2, 2 * len(data))])
        for place in rng.integers(0, len(damaged), 6):
            damaged[place] = rng.integers(0, 256)
        try:
            read_table(bytes(damaged), name=f"a.{suffix}")
        except TableReadError as error:
            errors.append(str(error))
    assert errors
    assert all(error.startswith(f"'a.{suffix}' ") for error in errors)


def sheet_of(*rows):
    """Return an .ods whose rows are texts and how often each is repeated, columns likewise."""
    xml = ""
    for times, *cells in rows:
        xml += f'<table:table-row table:number-rows-repeated="{times}">'
        for repeated, text in cells:
            value = f'office:value-type="string"><text:p>{text}</text:p>' if text else ">"
            xml += f'<table:table-cell table:number-columns-repeated="{repeated}" {value}'
            xml += "</table:table-cell>"
        xml += "</table:table-row>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest:manifest></manifest:manifest>")
        archive.writestr(
            "content.xml",
            "<office:document-content><office:body><office:spreadsheet>"
            f'<table:table table:name="S">{xml}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return out.getvalue()


HEADER, RECORD = (1, (1, "a"), (1, "b")), (1, (1, "x"), (1, "y"))


@pytest.mark.parametrize(
    "rows",
    [
        [HEADER, RECORD, (10**17, (1, ""))],
        [HEADER, RECORD, (1_048_574, (16_384, ""))],
        [HEADER, (1, (1, "x"), (1, "y"), (10**17, ""))],
        [HEADER, (1, (1, "x"), (1, "y"), (16_382, "")), (10**9, (10**9, ""))],
    ],
)
def test_repeated_empty_cells_at_the_end_are_left_out(rows):
    table = read_table(sheet_of(*rows), name="a.ods", limits=None)
    assert table.frame.to_numpy().tolist() == [["x", "y"]]


def test_repeated_rows_are_all_read_within_a_sheet():
    table = read_table(sheet_of(HEADER, (5_000, (1, "x"), (1, "y")), RECORD), name="a.ods")
    assert len(table) == 5_001


@pytest.mark.parametrize(
    "rows",
    [
        [HEADER, (10**17, (1, "x"))],
        [HEADER, (1_048_576, (1, "x"))],
        [HEADER, RECORD, (10**7, (1, "")), RECORD],
        [HEADER, *[(500_000, (1, "x"))] * 3],
        [HEADER, (1, (1, "x"), (10**17, "y"))],
        [HEADER, (1, (1, "x"), (20_000, ""), (1, "y"))],
        [(1, (10**17, "a")), RECORD],
    ],
)
def test_cells_beyond_the_end_of_a_sheet_are_refused(rows, monkeypatch):
    monkeypatch.setattr("python_calamine.load_workbook", None)  # refused before it takes seconds
    with pytest.raises(TableReadError, match=r"^'a\.ods' has cells beyond row 1.048.576 or column"):
        read_table(sheet_of(*rows), name="a.ods", limits=None)


@pytest.mark.parametrize("cell", ["A1000000000", "ZZZZZ2"])
def test_numbers_of_cells_beyond_the_end_of_a_sheet(cell, monkeypatch):
    moved = f'r="{cell}"'.encode()
    data = book([["a", "b"], [1, 2]])
    data = rezipped(data, lambda _, content: content.replace(b'r="B2"', moved))
    monkeypatch.setattr("python_calamine.load_workbook", None)
    with pytest.raises(TableReadError, match=r"^'a\.xlsx' has cells beyond row 1.048.576 or col"):
        read_table(data, name="a.xlsx", limits=None)
