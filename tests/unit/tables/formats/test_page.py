"""Web pages under the names of tables: their table is read, or they are refused as pages."""

import pandas as pd
import pytest

from alc_core.errors import TableReadError
from alc_core.tables.read import read_table
from tests.toys.files import has_note

FRAME = pd.DataFrame(
    {
        "age": range(20, 60),
        "region": ["Süd & Ost", "Nord"] * 20,
        "income": [f"1,{number},000" for number in range(200, 240)],
    }
)
NAMES = tuple(FRAME.columns)


CELLS = FRAME.to_numpy().tolist()


def rows(cells=CELLS, tag="td"):
    texts = ([str(cell).replace("&", "&amp;") for cell in row] for row in cells)
    made = ("".join(f"<{tag}>{text}</{tag}>" for text in row) for row in texts)
    return "".join(f"<tr>{row}</tr>" for row in made)


def table(*, head="th", more=""):
    return f"<table border=1>{rows([NAMES], head)}{rows()}{more}</table>"


def page(body, head=""):
    return f"<!DOCTYPE html>\n<html><head>{head}</head><body>{body}</body></html>"


NAVIGATION = "<table><tr><td>Home</td><td>Help</td></tr></table>"
XML = '<?xml version="1.0"?>\n'
SHEET = (
    XML + '<?mso-application progid="Excel.Sheet"?><Workbook '
    'xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="People"><Table>'
    + (rows([NAMES]) + rows())
    .replace("<tr>", "<Row>").replace("</tr>", "</Row>")
    .replace("<td>", "<Cell><Data>").replace("</td>", "</Data></Cell>")
    + "</Table></Worksheet></Workbook>"
)  # fmt: skip
ARCHIVE = (
    'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b\n'
    "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
    + page(table()) + "\n--b--\n"
)  # fmt: skip
CHARSET = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">'
PAGES = {
    "pandas": FRAME.to_html(index=False),
    "whole": page(table()),
    "comment": "<!-- made by a program -->\n" + page(table()),
    "xhtml": XML + page(table()),
    "cells as names": page(table(head="td")),
    "in a table": page(f"<table><tr><td>{NAVIGATION}</td><td>{table()}</td></tr></table>"),
    "beside another": page(NAVIGATION + table()),
    "never closed": page(table().replace("</td>", "").replace("</th>", "").replace("</tr>", "")),
    "utf-16": page(table()).encode("utf-16"),
    "declared": page(table(), CHARSET).encode("cp1252"),
    "Excel's XML": SHEET,
    "archive": ARCHIVE,
}


@pytest.mark.parametrize("name", ["old.xls", "saved.csv", "book.xlsx"])
@pytest.mark.parametrize("kind", PAGES)
def test_the_table_of_a_page_is_read(kind, name):
    content = PAGES[kind]
    found = read_table(content if isinstance(content, bytes) else content.encode(), name=name)
    assert found.columns == NAMES
    assert found.frame["age"].tolist() == FRAME["age"].tolist()
    assert found.frame["region"].tolist() == FRAME["region"].tolist()
    assert found.frame["income"].iloc[0] == 1_200_000
    assert has_note(found, "Web page")


@pytest.mark.parametrize(
    ("body", "columns"),
    [
        (
            "<table><thead><tr><th rowspan=2>age<th rowspan=2>sex<th colspan=2>pay</tr>"
            "<tr><th>2019</th><th>2020</th></tr></thead><tbody>{}</tbody></table>",
            ("age", "sex", "2019", "2020"),
        ),
        (
            "<table><tr><td colspan=4>A survey</td></tr><tr><th>age<th>sex<th>a<th>b</tr>{}"
            "<tfoot><tr><td colspan=4>Source: office</td></tr></tfoot></table>",
            ("age", "sex", "a", "b"),
        ),
        (
            "<table><tfoot><tr><td colspan=4>Source: office</td></tr></tfoot>"
            "<tr><th>age<th>sex<th>a<th>b</tr>{}</table>",
            ("age", "sex", "a", "b"),
        ),
    ],
)
def test_spanning_cells_titles_and_feet(body, columns):
    cells = [[str(20 + n), "fm"[n % 2], f"&nbsp;1&nbsp;{200 + n}", f"{n}.5"] for n in range(40)]
    made = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in cells)
    found = read_table(page(body.format(made)).encode(), name="old.xls")
    assert found.columns == columns
    assert len(found) == 40
    assert found.frame.iloc[:, 2].tolist() == [1200 + n for n in range(40)]


def test_cells_that_span_rows_are_in_each():
    body = "".join(
        f"<tr><td rowspan=2>{region}<td>{n}<td>x</tr><tr><td>{n + 1}<td>y</tr>"
        for n, region in enumerate(["N", "S"] * 20)
    )
    found = read_table(page(f"<table><tr><th>region<th>a<th>b</tr>{body}</table>").encode())
    assert found.frame["region"].tolist()[:4] == ["N", "N", "S", "S"]


def test_several_tables_are_a_choice():
    content = page(table() + table(more=rows([[70, "West", "1,500"]]))).encode()
    with pytest.raises(TableReadError, match=r"has 2 tables: '1' and '2'\. Choose one") as caught:
        read_table(content, name="page.xls")
    assert caught.value.tables == ("1", "2")
    assert len(read_table(content, name="page.xls", sheet="2")) == 41
    with pytest.raises(TableReadError, match="has no table '3'"):
        read_table(content, name="page.xls", sheet="3")


@pytest.mark.parametrize("name", ["old.xls", "saved.csv"])
@pytest.mark.parametrize(
    ("content", "match"),
    [
        (page("<h1>Please log in</h1><form><input></form>"), "is a web page without a table"),
        ("<html><body>503 Service Unavailable</body></html>", "is a web page without a table"),
        (page(NAVIGATION), "is a web page without a table"),
        (page("<table><tr><td>" * 5000), "too many nested tables"),
        (page("<table>" + "<tr><td colspan=99999 rowspan=99999>x<td>y" * 9), "more than the limit"),
        ("<?xml version='1.0'?><data><row a='1'/></data>", "is not a table, but XML"),
    ],
)
def test_other_pages_are_refused_in_a_line(content, match, name):
    with pytest.raises(TableReadError, match=match) as caught:
        read_table(content.encode(), name=name)
    assert "\n" not in str(caught.value)


def test_texts_with_angle_brackets_are_no_page():
    content = "<age>,b\n" + "<18,1\n" * 5
    assert read_table(content.encode(), name="a.csv").columns == ("<age>", "b")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8", "utf-8-sig", "latin-1"])
@pytest.mark.parametrize("sep", ["\t", ";"])
def test_text_under_the_name_of_a_workbook_is_read(encoding, sep):
    text = FRAME.to_csv(index=False, sep=sep).encode(encoding)
    found = read_table(text, name="t.xls")
    assert found.columns == NAMES
    assert found.frame["age"].tolist() == FRAME["age"].tolist()


@pytest.mark.parametrize("data", [b"\x01,\n\x02,", b"no table", b"no\ntable", b"a\0,\nb,"])
def test_what_is_neither_is_damaged(data):
    with pytest.raises(TableReadError, match="is damaged, or is not a workbook"):
        read_table(data, name="t.xls")
