"""Tables in several files, and files with several tables: one route, the rows that were written."""

import hashlib
import io
import sqlite3
import sys

import duckdb
import numpy as np
import openpyxl
import pandas as pd
import pytest

from alc_core.errors import TableReadError
from alc_core.tables.apart.read import read_table
from alc_core.tables.formats import database
from alc_core.tables.names import plain_names
from alc_core.tables.read import read_table as read_here
from tests.toys.files import has_note

PEOPLE = pd.DataFrame(
    {
        "id": np.arange(60),
        "job": ["nurse", None, "a 'b\" c", "clerk"] * 15,
        "paid": [1.5, np.nan, -3.0, 2e9] * 15,
    }
)


def split(frame=PEOPLE, n=3):
    return [frame.iloc[start::n].reset_index(drop=True) for start in range(n)]


def same(table, frame=PEOPLE):
    assert table.columns == tuple(frame.columns)
    assert table.frame["id"].tolist() == frame["id"].tolist()
    for column in ("job", "paid"):
        found, told = table.frame[column].astype(object), frame[column].astype(object)
        assert found.isna().tolist() == told.isna().tolist()
        assert found.dropna().tolist() == told.dropna().tolist()


def refused(place, match, **options):
    with pytest.raises(TableReadError, match=match) as caught:
        read_table(place, **options)
    assert "\n" not in str(caught.value)


# --- parts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
@pytest.mark.parametrize("read", [read_table, read_here], ids=["apart", "here"])
def test_a_folder_and_a_pattern_of_parts_are_one_table(tmp_path, ending, read):
    folder = tmp_path / "people"
    folder.mkdir()
    (folder / "_SUCCESS").touch()
    for number, part in enumerate(split()):
        write = part.to_parquet if ending == "parquet" else part.to_csv
        write(folder / f"part-{number}.{ending}", index=False)
    whole = pd.concat(split(), ignore_index=True)
    for place in (folder, str(folder / "part-*"), tmp_path / "peo*" / "part-?.*"):
        table = read(place)
        same(table, whole)
        assert has_note(table, "Read from 3 files")
        assert table.fingerprint == read(folder).fingerprint
    split()[0].tail(3).to_csv(folder / f"part-0.{ending}", index=False)
    assert table.name != read_table(folder / f"part-1.{ending}").name


def test_rows_of_the_last_line_and_of_a_part_with_a_mark_are_there(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"id,job\r\n1,x\r\n2,y")
    (tmp_path / "b.csv").write_bytes(b"\xef\xbb\xbfid,job\n3,z\n")
    (tmp_path / "c.csv").write_bytes(b"id,job\n")
    assert read_table(tmp_path).frame["id"].tolist() == [1, 2, 3]


def test_a_column_that_a_part_lacks_values_of_keeps_those_of_others(tmp_path):
    pd.DataFrame({"a": [1, 2], "b": [None, None]}).to_parquet(tmp_path / "1.parquet")
    pd.DataFrame({"b": ["x", "y"], "a": [1.5, 2]}).to_parquet(tmp_path / "2.parquet")
    frame = read_table(tmp_path).frame
    assert frame["a"].tolist() == [1, 2, 1.5, 2]
    assert frame["b"].astype(object).tolist()[2:] == ["x", "y"]


@pytest.mark.parametrize(
    ("files", "match"),
    [
        ({"a.csv": "id\n1\n", "b.csv": "job\n1\n"}, r"'b.csv' does not begin with the same line"),
        ({"a.csv": "id\n1\n", "b.csv": "2\n3\n"}, r"'b.csv' does not begin with the same line"),
        ({"a.csv": "id\r1\r", "b.csv": "id\r1\r"}, r"'a.csv' does not begin with a one"),
        ({"a.csv": '"i\nd"\n1\n', "b.csv": '"i\nd"\n1\n'}, r"'a.csv' does not begin with a one"),
        ({"a.csv": "id\n1\n", "b.csv": ""}, r"'b.csv' is empty"),
        ({"a.csv": "id\n1\n", "b.parquet": PEOPLE}, r"cannot be joined with the other files"),
        ({"a.parquet": PEOPLE, "b.parquet": PEOPLE[["id"]]}, r"'b.parquet' has other columns"),
        ({"a.parquet": PEOPLE, "b.parquet": PEOPLE.assign(paid="x")}, r"one is damaged, or has"),
        ({}, r"No file"),
        ({"year=2020/a.csv": "id\n1\n"}, r"has the folders 'year=2020'"),
    ],
)  # fmt: skip
def test_what_is_not_one_table_is_refused_by_name(tmp_path, files, match):
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        if isinstance(content, str):
            (tmp_path / name).write_bytes(content.encode())
        else:
            content.to_parquet(tmp_path / name)
    refused(tmp_path, match)


def test_a_file_whose_name_is_a_pattern_is_that_file(tmp_path):
    for name in ("p[1].csv", "p1.csv", "a::b.csv"):
        (tmp_path / name).write_text(f"id\n{len(name)}\n7\n")
    assert read_table(tmp_path / "p[1].csv").frame["id"].tolist() == [8, 7]
    assert read_table(tmp_path / "a::b.csv").frame["id"].tolist() == [8, 7]
    refused(tmp_path / "q*.csv", "No file")


# --- databases --------------------------------------------------------------------------------


def sqlite(path, **tables):
    base = sqlite3.connect(path)
    for name, frame in tables.items():
        frame.to_sql(name, base, index=False)
    base.execute('CREATE VIEW "all of ""them""" AS SELECT * FROM people')
    base.commit()
    base.close()
    return path


def in_duckdb(path, **tables):
    with duckdb.connect(str(path)) as base:
        for name, frame in tables.items():
            base.register("given", frame)
            base.execute(f'CREATE TABLE "{name}" AS SELECT * FROM given')
        base.execute('CREATE VIEW "all of ""them""" AS SELECT * FROM people')
        base.execute("CREATE SCHEMA more; CREATE TABLE more.people AS SELECT 1 AS id")
    return path


@pytest.fixture(params=[sqlite, in_duckdb])
def base(request, tmp_path):
    return request.param(tmp_path / "shop.db", people=PEOPLE, empty=PEOPLE.head(0))


@pytest.mark.parametrize("read", [read_table, read_here], ids=["apart", "here"])
def test_a_table_or_view_of_a_database_is_read_and_nothing_written(base, read):
    before = base.read_bytes()
    same(read(f"{base}::people"))
    same(read(base, sheet="people"))
    table = read(f'{base}::all of "them"')
    same(table)
    assert table.name == 'shop.db::all of "them"'
    assert has_note(table, "not read: ")
    whole = hashlib.sha256(before).hexdigest()
    further = {read(f"{base}::people").fingerprint for _ in range(2)}
    assert table.fingerprint == whole, "of the first one: the file's own"
    assert len(further) == 1
    assert further != {whole}, "the tables of one file are not taken for each other"
    assert base.read_bytes() == before
    assert [each.name for each in base.parent.iterdir()] == ["shop.db"]


def test_which_table_is_asked_where_there_are_several(base):
    refused(base, r"'shop.db' has the tables .*'people'.*'shop.db::all of \"them\"'")
    refused(f"{base}::peple", r"has no table 'peple'; it has the tables .*'people'")
    refused(f"{base}::empty", r"has no rows in table 'empty'")


def test_a_database_with_rows_elsewhere_or_damage_is_refused(base):
    for ending in ("-wal", ".wal"):
        base.with_name(base.name + ending).write_bytes(b"x")
    refused(f"{base}::people", "is being written: ")
    for ending in ("-wal", ".wal"):
        base.with_name(base.name + ending).unlink()
    whole = base.read_bytes()
    for damaged in (whole[:2000], whole[:100] + bytes(len(whole) - 100)):
        base.write_bytes(damaged)
        refused(f"{base}::people", r"'shop.db::people' (is damaged|is a database without)")


def test_a_database_of_a_log_is_read_from_bytes_and_path(tmp_path):
    path = sqlite(tmp_path / "shop.db", people=PEOPLE)
    base = sqlite3.connect(path)
    base.execute("PRAGMA journal_mode=WAL")
    base.close()
    same(read_table(f"{path}::people"))
    same(read_table(path.read_bytes(), name="shop.db", sheet="people"))


def test_a_view_reaches_no_other_file(tmp_path):
    (tmp_path / "secret.csv").write_text("id\n1\n")
    path = in_duckdb(tmp_path / "shop.db", people=PEOPLE)
    with duckdb.connect(str(path)) as base:
        base.execute(f"CREATE VIEW other AS SELECT * FROM '{tmp_path}/secret.csv'")
    for read in (read_table, read_here):
        with pytest.raises(TableReadError, match="is damaged, locked"):
            read(f"{path}::other")


def test_without_duckdb_one_line_says_what_to_do(tmp_path, monkeypatch):
    path = in_duckdb(tmp_path / "shop.db", people=PEOPLE)
    with pytest.raises(TableReadError, match="opened only by path"):
        read_table(path.read_bytes(), name="shop.db")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(TableReadError, match="pip install duckdb"):
        read_here(f"{path}::people")


# --- workbooks --------------------------------------------------------------------------------


def test_a_sheet_is_asked_where_several_have_cells():
    book = openpyxl.Workbook()
    for name, rows in {"Sheet": [], "People": [["id"], [1]], "Notes": [["x"], [2]]}.items():
        sheet = book[name] if name in book.sheetnames else book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    data = io.BytesIO()
    book.save(data)
    options = {"name": "book.xlsx"}
    refused(data.getvalue(), r"several sheets with rows: 'People' and 'Notes'.*'book.xlsx::People'",
            **options)  # fmt: skip
    assert read_table(data.getvalue(), sheet="Notes", **options).columns == ("x",)
    del book["Notes"]
    data = io.BytesIO()
    book.save(data)
    table = read_table(data.getvalue(), **options)
    assert table.columns == ("id",)
    assert has_note(table, "the only one with rows; not read: 'Sheet'")
    assert table.fingerprint == hashlib.sha256(data.getvalue()).hexdigest()


def test_a_sheet_is_named_after_the_file(tmp_path):
    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        PEOPLE.to_excel(book, sheet_name="People", index=False)
        PEOPLE[["id"]].to_excel(book, sheet_name="Ids", index=False)
    first, second = (read_table(f"{tmp_path}/book.xlsx::{each}") for each in ("People", "Ids"))
    same(first)
    assert first.fingerprint == hashlib.sha256((tmp_path / "book.xlsx").read_bytes()).hexdigest()
    assert first.fingerprint != second.fingerprint
    refused(f"{tmp_path}/book.xlsx::Peple", r"has no sheet 'Peple'; it has 'People' and 'Ids'")
    for read in (read_table, read_here):  # what is said of one file goes before what is of all
        same(read(f"{tmp_path}/book.xlsx::People", sheet="Ids"))


def test_tables_of_one_file_are_called_by_their_own_names():
    assert plain_names(["a.db::people", "a.db::v1", "b.csv"]) == ["people", "v1", "b"]
    assert plain_names(["a.db::people", "b.db::people"]) == ["a.db::people", "b.db::people"]


COUNT = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT"


@pytest.mark.parametrize("place", ["sqlite", "duckdb"])
@pytest.mark.parametrize("view", [f"{COUNT} x FROM n", f"{COUNT} max(x) AS x FROM n"])
def test_a_view_without_an_end_is_refused(tmp_path, monkeypatch, place, view):
    monkeypatch.setattr(database, "_LEAST_CELLS", 1_000)
    monkeypatch.setattr(database, "_CELLS_PER_BYTE", 0)
    monkeypatch.setattr(database, "_SECONDS", 0.5)
    path = tmp_path / "shop.db"
    with {"sqlite": sqlite3, "duckdb": duckdb}[place].connect(str(path)) as base:
        base.execute(f"CREATE VIEW people AS {view}")
    base.close()
    with pytest.raises(TableReadError, match="too many rows for 'people': an endless view"):
        read_here(str(path))


def test_a_cell_of_megabytes_is_refused(tmp_path):
    with sqlite3.connect(tmp_path / "shop.db") as base:
        base.execute("CREATE VIEW people AS SELECT zeroblob(500000000) AS x")
    with pytest.raises(TableReadError, match=r"a value of more than 1\.0 MiB in 'people'. Export"):
        read_here(str(tmp_path / "shop.db"))


def test_a_workbook_of_many_sheets_must_name_one(tmp_path):
    book = openpyxl.Workbook(write_only=True)
    for number in range(101):
        book.create_sheet(f"s{number}").append(["a"])
    book.save(tmp_path / "book.xlsx")
    with pytest.raises(TableReadError, match="has 101 sheets. Choose one, .*'book.xlsx::s0'"):
        read_here(str(tmp_path / "book.xlsx"))
