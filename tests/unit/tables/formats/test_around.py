"""Rows around a table: found, left out and reported; what is a record stays one."""

import csv
import io

import numpy as np
import openpyxl
import pytest

from alc_core.errors import TableReadError
from alc_core.tables.read import first_rows, read_table
from alc_core.tables.table import ColumnKind
from tests.toys.files import has_note

NAMES = ["age", "sex", "region", "income", "diag"]
RNG = np.random.default_rng(5)
PEOPLE = [
    [
        str(RNG.integers(18, 90)), str(RNG.choice(["female", "male"])),
        str(RNG.choice(["Nord", "Süd", "Ost"])), str(RNG.integers(700, 7000)),
        str(RNG.choice(["none", "asthma", "diabetes"])),
    ]
    for _ in range(150)
]  # fmt: skip
UNITS = ["years", "", "", "EUR", ""]
QUESTIONS = ["How old\nare you?", "Your sex", "Where, please?", "Net income", "Diagnosis"]
IDS = [f'{{"ImportId":"QID{number}"}}' for number in range(5)]
YEARS = ["age", "sex", "region", "2019", "2020"]


def text(rows, delimiter=",", end="\n"):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(rows)
    return out.getvalue()


def workbook(rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append([int(c) if c.isdigit() else c or None for c in row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


FILES = {
    "comma.csv": lambda rows: text(rows).encode(),
    "semicolon.csv": lambda rows: text(rows, ";", "\r\n").encode("utf-8-sig"),
    "tab.txt": lambda rows: text(rows, "\t").encode("utf-16"),
    "book.xlsx": workbook,
}


def padded(*cells):
    return [*cells, *[""] * (5 - len(cells))]


def read(rows, file="comma.csv", **options):
    return read_table(FILES[file](rows), name=file, **options)


def check(table, names=NAMES):
    assert table.columns == tuple(names)
    assert len(table) == len(PEOPLE)
    numeric = [name for name in names if table.kind(name) is ColumnKind.CONTINUOUS]
    assert numeric == [name for name in names if name in ("age", "income", *YEARS[3:])]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize(
    ("above", "below"),
    [
        ([["A survey of people"]], []),
        ([padded("A survey of people")], []),
        ([["A survey of people"], []], []),
        ([["Survey"], ["Office of statistics"], ["2023"], []], []),
        ([padded("Date", "2023-01-01"), padded("Office", "North"), []], []),
        ([padded("Person", "", "", "Money", "Health")], []),
        ([], [["Source: office of statistics, 2023"]]),
        ([], [[], ["Quelle: Amt"], ["Stand 2023"]]),
        ([], [padded("* rounded to 10"), padded("1) before tax")]),
        ([], [padded("Written by the system on Monday")]),
        ([["A survey of people"], []], [[], ["Notes: none"]]),
    ],
)
def test_titles_and_notes_are_left_out_and_reported(file, above, below):
    table = read([*above, NAMES, *PEOPLE, *below], file)
    check(table)
    assert table.doubtful_rows == ()
    assert has_note(table, "Left out") or has_note(table, "joined")


@pytest.mark.parametrize("file", FILES)
def test_lines_of_question_texts_and_import_ids_are_left_out(file):
    table = read([NAMES, QUESTIONS, IDS, *PEOPLE], file)
    check(table)
    assert table.doubtful_rows == ()
    assert has_note(table, "Left out below the header: rows 2 and 3.")


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize(
    ("rows", "doubtful"),
    [
        ([NAMES, UNITS, *PEOPLE], (2,)),
        ([NAMES, ["years", "f/m", "text", "1000 EUR", "ICD"], *PEOPLE], (2,)),
        ([NAMES, QUESTIONS, *PEOPLE], (2,)),
        ([NAMES, ["[18..90]", "[f/m]", "[text]", "[EUR]", "[ICD]"], *PEOPLE], (2,)),
        ([NAMES, ["(0-99)", "(f, m)", "(text)", "(CHF, 0 to 9)", "(code)"], *PEOPLE], (2,)),
        ([NAMES, QUESTIONS, UNITS, *PEOPLE], (2, 3)),
        ([["The title of it"], [], NAMES, UNITS, *PEOPLE], (4,)),
        ([NAMES, UNITS, *PEOPLE, ["Source: x"]], (2, -1)),
        ([NAMES, ["1", "2", "3", "4", "5"], *PEOPLE], (2,)),
        ([NAMES, ["(1)", "(2)", "(3)", "(4)", "(5)"], *PEOPLE], (2,)),
        ([NAMES, *PEOPLE, padded("Total", "", "", "987654")], (-1,)),
        ([NAMES, *PEOPLE, padded("Summe:", "", "", "987654")], (-1,)),
        ([NAMES, *PEOPLE, padded("Mean", "", "", "4321")], (-1,)),
        ([NAMES, *PEOPLE, padded("Total", "", "", "987654"), padded("N", "", "", "90")], (-2, -1)),
    ],
)
def test_units_and_labels_below_the_header_are_left_out_and_asked(file, rows, doubtful):
    table = read(rows, file)
    check(table)
    assert table.doubtful_rows == doubtful
    given = read(rows, file, skip_rows=",".join(map(str, doubtful)))
    check(given)
    assert given.doubtful_rows == ()


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize(
    ("header", "names"),
    [
        ([["age", "sex", "region", "Income", ""], ["", "", "", "2019", "2020"]], YEARS),
        ([["Person", "", "", "2019", "2020"], ["age", "sex", "region", "pay", "pay"]],
         ["age", "sex", "region", "2019 pay", "2020 pay"]),
        ([["p", "p", "p", "pay", "pay"], YEARS], YEARS),
        ([["The title"], [], ["Person", "", "", "a", "b"], ["age", "sex", "region", "x", "x"]],
         ["age", "sex", "region", "a x", "b x"]),
    ],
)  # fmt: skip
def test_two_rows_of_names_are_put_together(file, header, names):
    rows = [[*row[:4], row[3]] for row in PEOPLE]
    table = read([*header, *rows], file)
    assert table.columns == tuple(names)
    assert len(table) == len(PEOPLE)
    assert has_note(table, "joined from rows")


@pytest.mark.parametrize("file", FILES)
def test_the_header_again_is_no_record(file):
    table = read([NAMES, UNITS, *PEOPLE[:50], NAMES, UNITS, *PEOPLE[50:], NAMES], file)
    check(table)
    assert has_note(table, "Left out: 3 rows repeating the column names.")


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize(
    ("rows", "n_rows"),
    [
        ([NAMES, *PEOPLE], 150),
        ([NAMES, ["unknown", "male", "Nord", "refused", "none"], *PEOPLE], 151),
        ([NAMES, ["over 90", "female", "Nord", "", "none"], *PEOPLE], 151),
        ([NAMES, padded("refused", "", "", "over 9000"), *PEOPLE], 151),
        ([NAMES, *PEOPLE, padded("", "male")], 151),
        ([NAMES, *PEOPLE, padded("44")], 151),
        ([["", *NAMES[1:]], *PEOPLE], 150),
        ([NAMES[1:3], *[row[1:3] for row in PEOPLE]], 150),
        (
            [["sex", "diag", "x"], ["male", "plague", "y"], *[[r[1], r[4], "z"] for r in PEOPLE]],
            151,
        ),
        ([NAMES, *PEOPLE[:6]], 6),
        ([["id", *map(str, range(2000, 2010))], *[[*row[:1], *["3"] * 10] for row in PEOPLE]], 150),
        ([["age"], *[row[:1] for row in PEOPLE]], 150),
        ([["a", "b", "c"], ["1", "2", "3"], *[[r[0], r[3], r[0]] for r in PEOPLE]], 151),
        ([NAMES, *PEOPLE, padded("", "", "Total", "987654")], 151),
        ([NAMES[1:], *[r[1:] for r in PEOPLE], ["total", "", "987654", ""]], 151),
    ],
)
def test_records_stay(file, rows, n_rows):
    table = read(rows, file)
    assert len(table) == n_rows
    assert table.doubtful_rows == ()
    assert not has_note(table, "Left out")


@pytest.mark.parametrize("file", ["comma.csv", "book.xlsx"])
def test_header_and_rows_can_be_given(file):
    rows = [["First"], ["Second"], NAMES, UNITS, *PEOPLE]
    assert len(read(rows, file, skip_rows="none")) == 151
    check(read(rows, file, header_row="3"))
    joined = read(rows, file, header_row="3-4", skip_rows="none")
    assert joined.columns[:2] == ("years", "sex")
    assert len(read(rows, file, skip_rows="4,6-7,-1")) == 147
    for options, match in (
        ({"header_row": "x"}, "cannot be read with the rows 'x'"),
        ({"header_row": "0"}, "Count from 1"),
        ({"header_row": "9999"}, "has no column names in row '9999'"),
        ({"skip_rows": "9999"}, "Only the first"),
    ):
        with pytest.raises(TableReadError, match=match):
            read(rows, file, **options)


def test_a_long_file_is_looked_at_from_both_ends():
    table = read([["The title, with a comma"], NAMES, *PEOPLE * 20, [], ["Source: x"], ["(c) y"]])
    assert len(table) == 3000
    assert table.columns == tuple(NAMES)
    with pytest.raises(TableReadError, match="has 2 fields in line 1503"):
        read([["The title of it"], NAMES, *PEOPLE * 10, ["a", "b"], *PEOPLE * 10])


@pytest.mark.parametrize("quote", [lambda t: t, lambda t: t.replace("Nord", '""No, rd""')])
def test_quotation_marks_around_whole_lines_are_taken_off(quote):
    lines = (f'"{quote(line)}"' for line in text([NAMES, *PEOPLE]).splitlines())
    table = read_table("\n".join(lines).encode(), name="a.csv")
    check(table)
    assert has_note(table, "Quotation marks around whole lines")
    single = '"name"\n' + '"Doe, Jo"\n' * 20
    assert read_table(single.encode(), name="a.csv").columns == ("name",)


@pytest.mark.parametrize("file", FILES)
def test_the_first_rows_are_shown_as_the_file_has_them(file):
    rows = first_rows(FILES[file]([["Title"], [], NAMES, *PEOPLE]), name=file, most=4)
    assert len(rows) == 4
    assert rows[0][0] == "Title"
    assert rows[2] == NAMES


@pytest.mark.parametrize("file", FILES)
def test_records_that_are_the_first_line_again_stay_where_it_may_be_one(file):
    """A table without a header loses its first record, but no more of them."""
    rows = [["female", "Nord"], ["male", "Nord"], ["female", "Süd"]] * 20
    assert len(read(rows, file)) == 59
    assert len(read([["1", "2"], ["3", "4"], ["1", "2"], ["3", "5"]], file)) == 3


def test_a_description_above_and_footnotes_below():
    above = [
        ["Title:", "Area and population"],
        ["Description:", "Figures of one year\n\nin several paragraphs."],
        ["Source:", "An office"],
        ["Units:", "see table"],
        ["=============="],
        ["Table"],
    ]
    below = [["============="], ["Footnotes"], ["1 - people who are there"], ["2 - estimated"]]
    table = read([*above, NAMES, *PEOPLE, *below])
    check(table)
    assert table.doubtful_rows == ()


@pytest.mark.parametrize(
    ("word", "is_left_out"), [("Total", True), ("Moyenne", True), ("Totalitarian", False)]
)
def test_totals_below_names_are_left_out(word, is_left_out):
    rows = [[f"P{number}", *row] for number, row in enumerate(PEOPLE)]
    table = read([["key", *NAMES], *rows, [word, "", "", "", "987654", ""]])
    assert len(table) == len(PEOPLE) + (not is_left_out)
    assert table.doubtful_rows == ((-1,) if is_left_out else ())
