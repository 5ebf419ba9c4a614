"""Reading a table in a web page, as older systems export it.

Also web archives (MHTML) and Excel's XML of 2003.
"""

from __future__ import annotations

import codecs
import email
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import Any

from alc_core.phrasing import quoted
from alc_core.tables.formats.columns import MAX_COLUMNS
from alc_core.tables.formats.encoding import as_utf8
from alc_core.tables.formats.excel import around_rows
from alc_core.tables.formats.recognise import is_archive
from alc_core.tables.formats.source import PART, Content, Options, Source, further_table

_CHARSET = re.compile(rb"<meta\b[^>]{0,200}charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
_HEAD = 4096
_MOST_ROWS_SPANNED, _DEEPEST = 65_534, 100
_UNSHOWN = frozenset(("script", "style", "template", "select", "comment"))
_INLINE = frozenset(("a", "b", "i", "u", "em", "strong", "span", "font", "sub", "sup", "small"))
_GROUPS, _ROWS, _CELLS = ("thead", "tbody", "tfoot"), ("tr", "row"), ("td", "th", "cell")
_MAIN = 10  # Ratio of cells of the page's main table to every other
_MOST_HEADER_ROWS = 4


@dataclass(slots=True)
class _Found:
    name: str
    rows: list[list[str]] = field(default_factory=list)
    foot: list[list[str]] = field(default_factory=list)  # Rows at the end, wherever they come
    header_rows: int = 0
    holds_tables: bool = False
    row: list[str] | None = None  # The open one
    only_names: bool = True  # Whether the open row has only header cells
    cell: list[str] | None = None  # Texts of the open one
    size: tuple[int, int] = (1, 1)  # Columns and rows that it takes
    # Cells that span next rows, by column: text, and rows
    spans: dict[int, tuple[str, int]] = field(default_factory=dict)
    group: str = ""  # Of rows: thead, tbody or tfoot

    @property
    def all_rows(self) -> list[list[str]]:
        return [*self.rows, *self.foot]

    @property
    def n_cells(self) -> int:
        return sum(map(len, self.rows))

    @property
    def is_table(self) -> bool:
        return not self.holds_tables and sum(sum(map(bool, row)) > 1 for row in self.rows) > 1

    def end_cell(self) -> None:
        if self.cell is None or self.row is None:
            return
        text = " ".join("".join(self.cell).split())
        self.cell = None
        for place in range(self.size[0]):
            shown = "" if place else text
            if self.size[1] > 1:
                self.spans[len(self.row)] = (shown, self.size[1] - 1)
            self.row.append(shown)
        self._add_spanned(self.row)

    def start_row(self) -> None:
        self.row, self.only_names = [], True
        self._add_spanned(self.row)

    def _add_spanned(self, row: list[str]) -> None:
        while len(row) <= MAX_COLUMNS and (span := self.spans.pop(len(row), None)) is not None:
            if span[1] > 1:
                self.spans[len(row)] = (span[0], span[1] - 1)
            row.append(span[0])

    def end_row(self) -> None:
        self.end_cell()
        if self.row is None:
            return
        (self.foot if self.group == "tfoot" else self.rows).append(self.row)
        names = self.group == "thead" or (self.only_names and len(self.row) > 1)
        if names and self.header_rows == len(self.rows) - 1:
            self.header_rows += 1
        self.row = None


class _Parser(HTMLParser):
    """Collects a page's tables, whatever tags are open."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[_Found] = []
        self._open: list[_Found] = []
        self._hidden = 0
        self._sheet = ""
        self.too_deep = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        table = self._open[-1] if self._open else None
        if tag in _UNSHOWN:
            self._hidden += 1
        elif tag == "worksheet":
            self._sheet = dict(attrs).get("ss:name") or ""
        elif tag == "table":
            self._start_table()
        elif table is None:
            return
        elif tag in _GROUPS:
            table.end_row()
            table.group = tag
        elif tag in _ROWS:
            table.end_row()
            table.start_row()
        elif tag in _CELLS:
            self._start_cell(table, tag, dict(attrs))
        elif table.cell is not None and tag not in _INLINE and tag != "data":
            table.cell.append(" ")

    def _start_table(self) -> None:
        if self._open:
            self._open[-1].holds_tables = True
        self.too_deep = self.too_deep or len(self._open) == _DEEPEST
        if not self.too_deep:
            self._open.append(_Found(self._sheet))
            self.found.append(self._open[-1])

    def _start_cell(self, table: _Found, tag: str, attrs: dict[str, str | None]) -> None:
        table.end_cell()
        if table.row is None:
            table.start_row()
        table.size = _size(table.row or [], attrs) if attrs else (1, 1)
        table.only_names &= tag == "th"
        table.cell = []

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSHOWN:
            self._hidden = max(self._hidden - 1, 0)
        if not self._open:
            return
        table = self._open[-1]
        if tag == "table":
            table.end_row()
            self._open.pop()
        elif tag in _GROUPS:
            table.end_row()
            table.group = ""
        elif tag in _ROWS:
            table.end_row()
        elif tag in _CELLS:
            table.end_cell()

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1].cell is not None and not self._hidden:
            self._open[-1].cell.append(data)

    def close(self) -> None:
        super().close()
        while self._open:
            self._open.pop().end_row()


def _size(row: list[str], attrs: dict[str, str | None]) -> tuple[int, int]:
    place = min(_whole(attrs.get("ss:index")) - 1, MAX_COLUMNS)
    row += [""] * (place - len(row))
    columns = _whole(attrs.get("colspan")) + _whole(attrs.get("ss:mergeacross"), least=0)
    rows = _whole(attrs.get("rowspan")) + _whole(attrs.get("ss:mergedown"), least=0)
    return min(columns, MAX_COLUMNS), min(rows, _MOST_ROWS_SPANNED)


def _whole(text: str | None, *, least: int = 1) -> int:
    digits = (text or "").strip()
    return max(int(digits), least) if digits.isascii() and digits.isdigit() else least


def read_page(source: Source, options: Options) -> Content:
    """Read the named table, the only one, or the clearly largest."""
    table, name, names = _table(source, options)
    others = [other for other in names if other != name]
    note = f"Web page: table '{name}', not read: {quoted(others)}." if others else "Web page."
    if options.header_row is None and 0 < table.header_rows <= _MOST_HEADER_ROWS:
        options = replace(options, header_row=f"1-{table.header_rows}")
    rows: list[list[Any]] = [[cell or None for cell in row] for row in table.all_rows]
    read = around_rows(source, rows, options, [note])
    return read if options.sheet is None else replace(read, part=further_table(name, names))


def rows_of_page(source: Source, options: Options) -> list[list[str]]:
    """Return a table's rows, and rows around records."""
    return _table(source, options)[0].all_rows


def _table(source: Source, options: Options) -> tuple[_Found, str, list[str]]:
    parser = _Parser()
    for page in _pages(source):
        parser.feed(as_utf8(page, encoding=options.encoding or _charset(page))[0].decode("utf-8"))
    parser.close()
    if parser.too_deep:
        raise source.error("is a web page of too many nested tables", "Save it as CSV.")
    tables = [each for each in parser.found if each.is_table]
    if not tables:
        raise source.error(
            "is a web page without a table",
            "Download it again, or use CSV.",
        )
    names = [each.name or str(number) for number, each in enumerate(tables, 1)]
    place = _chosen(source, tables, names, options.sheet)
    return tables[place], names[place], names


def _chosen(
    source: Source, tables: Sequence[_Found], names: list[str], wanted: str | int | None
) -> int:
    if isinstance(wanted, int) and 0 <= wanted < len(tables):
        return wanted
    if wanted in names:
        return names.index(str(wanted))
    sizes = [table.n_cells for table in tables]
    *_, second, most = sorted([0, *sizes])
    if wanted is None and (len(tables) == 1 or (not tables[0].name and most > _MAIN * second)):
        return sizes.index(most)
    has = f"has {len(tables)} tables" if wanted is None else f"has no table '{wanted}'"
    file = source.name.partition(PART)[0]
    raise source.error(
        f"is a web page that {has}: {quoted(names)}",
        f"Choose one as the sheet, or '{file}{PART}{names[0]}'.",
        names,
    )


def _pages(source: Source) -> list[Source]:
    if not is_archive(source):
        return [source]
    parts = email.message_from_bytes(source.data).walk()
    pages = [
        part.get_payload(decode=True) for part in parts if part.get_content_type() == "text/html"
    ]
    return [replace(source, data=page) for page in pages if isinstance(page, bytes) and page]


def _charset(page: Source) -> str | None:
    """Return a page's declared encoding, unless UTF-8 or UTF-16."""
    declared = _CHARSET.search(page.data[:_HEAD])
    try:
        codec = codecs.lookup(declared[1].decode()).name if declared else None
        page.data.decode("utf-8")
    except LookupError:
        return None
    except UnicodeDecodeError:
        return codec
    return None
