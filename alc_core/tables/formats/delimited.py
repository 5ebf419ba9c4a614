"""Reading of delimited text."""

from __future__ import annotations

import csv
import functools
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from alc_core.phrasing import numbered
from alc_core.tables.formats.around import (
    FIRST,
    LAST,
    Around,
    Row,
    are_names,
    lines_around,
    repeats_note,
    row_can_repeat,
    row_numbers,
)
from alc_core.tables.formats.columns import check_width, clean_names, typed_columns
from alc_core.tables.formats.encoding import as_utf8, not_a_table
from alc_core.tables.formats.source import Content, Options, Source

DELIMITERS = (",", ";", "\t", "|")

_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar", " ": "space"}
_SAMPLE_BYTES = 256 * 1024
_SAMPLE_RECORDS = 200
_CONSISTENT = 0.9
_MOST_TITLES = 20
_PROSE_WORDS = 4.0
_LEAST_FIXED = 16  # Characters of a line of fixed width
# Of files for Stata, SAS and SPSS that say where columns of fixed width are
_SETUP = re.compile(
    r"^\s*(?:(?:quietly\s+)?inf(?:ix|ile)\s+(?:dictionary|using|byte|int|long|float|double|str|///)"
    r"|infile\s+['\"]|data\s+list\s+file\s*=)",
    re.IGNORECASE | re.MULTILINE,
)
_LETTERS = re.compile(r"[^\W\d_]{2,}")

_BLOCK = 8 * 2**20
_END_BYTES = 64 * 1024
_MOST_CELLS = 100_000
_WRAPPED = re.compile(rb'^"(.*)"(?=\r?$)', re.MULTILINE)
_SEPARATOR_LINE = re.compile(rb"sep=(.)\r?\n", re.IGNORECASE)


def delimiter_name(delimiter: str) -> str:
    """Return what people call a delimiter."""
    return _NAMES.get(delimiter, f"'{delimiter}'")


def find_delimiter(source: Source, text: bytes, *, given: str | None, above: int = 0) -> str:
    """Find or check the delimiter; rows above the header are ignored."""
    lines = text[:_SAMPLE_BYTES].decode("utf-8", errors="ignore").splitlines(keepends=True)
    if len(text) > _SAMPLE_BYTES and len(lines) > 1:
        lines.pop()
    lines = lines[above:] if len(lines) > above else lines
    if _SETUP.search("".join(lines)):
        raise _fixed_width(source, "describes columns of fixed width, without the table")
    fits = {mark: _fit(lines, mark) for mark in DELIMITERS}
    # Of equals, the comma is rather in names and numbers
    best = max(DELIMITERS, key=lambda m: (*fits[m], m != ",") if fits[m][0] else (False, 0, False))
    if given is not None:
        _check_given(source, lines, given, best if fits[best][0] else None, fits[best][1])
        return given
    if source.extension in (".tsv", ".tab") and fits["\t"][0]:
        return "\t"
    if fits[best][0]:
        return best
    return _doubtful(source, lines, fits)


def _fit(lines: list[str], delimiter: str) -> tuple[bool, int]:
    """Return the columns of nearly all rows; 0 if it does not fit.

    Titles and notes have fewer fields.
    """
    records: list[list[str]] = []
    with suppress(csv.Error):
        records += itertools.islice(csv.reader(lines, delimiter=delimiter), _SAMPLE_RECORDS + 1)
    counts = [len(record) for record in records if record]
    if not counts:
        return False, 1
    usual = max(Counter(counts).items(), key=lambda item: (item[1], item[0]))[0]
    top = next(place for place, record in enumerate(records) if len(record) == usual)
    titles = records[:top]
    if titles and any(_is_below_titles(titles, each, delimiter) for each in records[top:][:2]):
        counts = [len(record) for record in records[top:] if record]
    if counts[0] < 2:
        return False, 1
    notes = len(counts) // 3 if len(records) <= _SAMPLE_RECORDS else 0
    while notes and counts[-1] == 1:
        counts.pop()
        notes -= 1
    rows = counts[1:] or counts
    share = sum(number == counts[0] for number in rows) / len(rows)
    return share >= _CONSISTENT, counts[0]


def _is_below_titles(titles: list[list[str]], header: list[str], delimiter: str) -> bool:
    if len(titles) > _MOST_TITLES or max(map(len, titles)) > len(header) // 2:
        return False
    is_prose = any(cell.startswith(" ") for cell in header) or not any(
        " " in "".join(title).strip() for title in titles
    )
    is_apart = not titles[-1]
    surely = is_apart or delimiter != "," or (len(header) > 2 and not is_prose)
    return surely and all(header) and are_names(header)


def _check_given(
    source: Source, lines: list[str], given: str, better: str | None, n_columns: int
) -> None:
    if len(given) != 1 or given in '"\r\n\0' or not given.isascii():
        raise source.error(
            f"cannot be split by the delimiter {given!r}",
            "Choose one character, such as ';'.",
        )
    header_fields = _fit(lines, given)[1]
    if header_fields == 1 and better is not None and better != given:
        raise source.error(
            f"has one column with {delimiter_name(given)}, but {n_columns} with "
            f"{delimiter_name(better)}",
            f"Choose {delimiter_name(better)}, or none.",
        )


def _doubtful(source: Source, lines: list[str], fits: dict[str, tuple[bool, int]]) -> str:
    """Decide if no delimiter fits: uneven rows, one column, or no table."""
    written = [line.strip() for line in lines if line.strip()]
    several = [mark for mark in DELIMITERS if fits[mark][1] > 1]
    words = [len(line.split()) for line in written]
    wordy = bool(words) and sum(words) / len(words) >= _PROSE_WORDS
    most = max(several, key=lambda mark: fits[mark][1], default=",")
    worded = sum(len(_LETTERS.findall(line)) >= 3 for line in written[:_SAMPLE_RECORDS])
    is_prose = worded >= 0.5 * len(written[:_SAMPLE_RECORDS])
    spaced = _width_by_spaces(written)
    if wordy and is_prose and fits[most][1] < max(words) and not spaced:
        raise not_a_table(source, "running text without columns")
    if not spaced and _is_fixed_width(lines):
        raise _fixed_width(source, "has columns of fixed width, without names")
    if several:
        return most
    if spaced:
        raise source.error(
            f"seems to have {spaced} columns separated by spaces",
            "Choose ' ' as the delimiter, or use commas.",
        )
    return ","


def _is_fixed_width(lines: list[str]) -> bool:
    """Return whether all lines are as long as the first, and most of them digits."""
    plain = [line.rstrip("\r\n") for line in lines[:_SAMPLE_RECORDS]]
    width = len(plain[0])
    if len(plain) < 2 or width < _LEAST_FIXED or any(len(line) != width for line in plain):
        return False
    return all(2 * sum(map(str.isdigit, line)) > len(line.replace(" ", "")) for line in plain)


def _fixed_width(source: Source, problem: str) -> Exception:
    return source.error(
        problem,
        "Export it as CSV, Stata (.dta), SAS or SPSS (.sav), which IPUMS offers.",
    )


def _width_by_spaces(lines: list[str]) -> int:
    """Return columns by spaces, 0 if none; R does not name row names."""
    records: list[list[str]] = []
    with suppress(csv.Error):
        records += itertools.islice(csv.reader(lines, delimiter=" "), _SAMPLE_RECORDS)
    widths = {*map(len, records[1:])}
    width = widths.pop() if len(widths) == 1 else 0
    return width if width > 1 and len(records[0]) in (width, width - 1) else 0


def read_delimited(source: Source, options: Options) -> Content:
    """Read CSV, TSV and the like."""
    text, delimiter, is_given, notes = _opened(source, options)
    first, last = _ends(text, delimiter)
    if not any(record.cells for record in first):
        raise not_a_table(source, "text without lines and columns")
    around = lines_around(
        source,
        [record.cells for record in first],
        None if last is None else [record.cells for record in last],
        options,
    )
    check_width(source, len(around.names))
    header, header_notes = _header(source, first, around)
    body = _body(text, first, last, around, delimiter)
    above = 0 if body is text else first[around.header[-1]].end
    cells = _cells(source, body, delimiter, len(header), text.count(b"\n", 0, above))
    if cells.num_rows == 0:
        raise source.error("has a header line but no rows", "Use a file with one row per record.")
    cells, repeat_notes = _without_repeats(cells, around.again)
    columns = list(zip(header, cells.columns, strict=True))
    typed = typed_columns(columns, decimal=options.decimal, thousands=options.thousands)
    note = f"Delimiter: {delimiter_name(delimiter)}{', as given' if is_given else ''}."
    if len(header) == 1:
        note = "One column: no delimiter was found."
    decimal = () if options.decimal is None else (f"Decimal mark: '{options.decimal}'.",)
    return Content(
        frame=pd.DataFrame(typed.columns),
        notes=(note, *notes, *decimal, *around.notes, *repeat_notes, *header_notes, *typed.notes),
        doubtful=around.doubtful,
        maybe_thousands=typed.maybe_thousands,
        flags=typed.flags,
    )


def rows_of_text(source: Source, options: Options) -> list[list[str]]:
    """Return a text's first rows, and rows around records."""
    text, delimiter, *_ = _opened(source, options)
    return [record.cells for record in _ends(text, delimiter)[0]]


def _opened(source: Source, options: Options) -> tuple[bytes, str, bool, tuple[str, ...]]:
    text, notes = as_utf8(source, encoding=options.encoding)
    declared = _SEPARATOR_LINE.match(text)
    if declared is not None:
        text = text[declared.end() :]
    if not text.strip():
        raise source.error("is empty", "Use a file with a header line and rows.")
    if _is_wrapped(text):
        text = _WRAPPED.sub(lambda line: line[1].replace(b'""', b'"'), text)
        notes = (*notes, "Quotation marks around whole lines were removed.")
    given = options.delimiter or (declared.group(1).decode() if declared else None)
    above = max(row_numbers(source, options.header_row or "1")[-1:], default=1) - 1
    delimiter = find_delimiter(source, text, given=given, above=above)
    return text, delimiter, given is not None, notes


def _is_wrapped(text: bytes) -> bool:
    if not text.startswith(b'"'):
        return False
    lines = [line for line in text[:_SAMPLE_BYTES].splitlines() if line][:_SAMPLE_RECORDS]
    if any(line[:1] + line[-1:] != b'""' for line in lines):
        return False
    inner = [line[1:-1] for line in lines]
    if any(b'"' in line.replace(b'""', b"") for line in inner):
        return False
    plain = [line.replace(b'""', b'"').decode("utf-8", errors="ignore") for line in inner]
    fits = (_fit(plain, mark) for mark in DELIMITERS)
    return any(is_even and width > 2 for is_even, width in fits)


@dataclass(frozen=True, slots=True)
class _Record:
    """A record of a text with begin and end; blank lines have no cells."""

    cells: list[str]
    start: int
    end: int


def _ends(text: bytes, delimiter: str) -> tuple[list[_Record], list[_Record] | None]:
    head = text[:_SAMPLE_BYTES]
    first, cells = [], 0
    for record in _records_in(head, 0, delimiter):
        first.append(record)
        cells += len(record.cells)
        if len(first) == FIRST or (cells > _MOST_CELLS and len(first) > LAST):
            break
    if len(text) > len(head) and first and first[-1].end == len(head):
        first.pop()  # It may go on
    if not first or first[-1].end == len(text):
        return first, None
    start = max(first[-1].end, len(text) - _END_BYTES)
    if start > first[-1].end:
        start = text.find(b"\n", start) + 1 or len(text)
        if text.count(b'"', 0, start) % 2:
            start = len(text)  # Within a field of several lines
    last = [*_records_in(text[start:], start, delimiter)]
    return first, last[-LAST:]


def _records_in(text: bytes, start: int, delimiter: str) -> Iterator[_Record]:
    ends = [start]

    def lines() -> Iterator[str]:
        for line in text.splitlines(keepends=True):
            ends.append(ends[-1] + len(line))
            yield line.decode("utf-8", errors="ignore")

    reader, begin = csv.reader(lines(), delimiter=delimiter), start
    with suppress(csv.Error):
        for cells in reader:
            yield _Record(cells, begin, ends[-1])
            begin = ends[-1]


def _body(
    text: bytes, first: list[_Record], last: list[_Record] | None, around: Around, delimiter: str
) -> bytes:
    if around.header == (0,) and not around.left_out:
        return text
    start, end = around.records(first, last)
    middle = text[first[-1].end :] if not last else text[first[-1].end : last[0].start]
    line = f"names{delimiter * (len(around.names) - 1)}\n".encode()
    return line + b"".join([
        *(text[each.start : each.end] for each in start),
        middle if last is not None else b"",
        *(text[each.start : each.end] for each in end),
    ])  # fmt: skip


def _header(
    source: Source, first: Sequence[_Record], around: Around
) -> tuple[list[str], tuple[str, ...]]:
    names = around.names
    records, _ = around.records(first, ())
    second = next((each.cells for each in records if each.cells), None)
    if second is not None and len(second) == len(names) + 1:
        raise source.error(
            f"has {numbered(len(names), 'column name')} in its header line but {len(second)} "
            "fields in the rows",
            "Name the first column, or remove it.",
        )
    return clean_names(source, names)


def _without_repeats(cells: pa.Table, again: Sequence[Row]) -> tuple[pa.Table, tuple[str, ...]]:
    """Return records without repeated headers, and a note."""
    found = [_equal(cells, row) for row in again[:1] if row_can_repeat(row)]
    number = _number(found[0]) if found else 0
    if not number or number == cells.num_rows:
        return cells, ()
    words = zip(cells.columns, again[0], strict=False)
    if all(_number(pc.equal(column, word)) > number for column, word in words):
        return cells, ()  # Words that also are values: perhaps no header
    found += [_equal(cells, row) for row in again[1:] if row_can_repeat(row)]
    kept = cells.filter(pc.invert(functools.reduce(pc.or_, found)))
    return kept, (repeats_note(cells.num_rows - kept.num_rows),)


def _number(are_so: pa.ChunkedArray) -> int:
    return int(pc.sum(are_so).as_py() or 0)


def _equal(cells: pa.Table, row: Row) -> pa.ChunkedArray:
    """Return records equal to a row; seldom empty cells first."""
    texts = [*row, *[""] * (cells.num_columns - len(row))]
    order = sorted(range(cells.num_columns), key=lambda place: not texts[place])
    equal = pc.equal(cells.column(order[0]), texts[order[0]])
    for place in order[1:]:
        if not pc.any(equal).as_py():
            break
        equal = pc.and_(equal, pc.equal(cells.column(place), texts[place]))
    return equal


def _cells(source: Source, text: bytes, delimiter: str, n_columns: int, above: int) -> pa.Table:
    quoted = b'"' in text
    names = [f"f{position}" for position in range(n_columns)]
    try:
        cells = arrow_csv.read_csv(
            pa.BufferReader(text.rstrip(b"\r\n\x1a") + b"\n"),
            read_options=arrow_csv.ReadOptions(
                autogenerate_column_names=True, block_size=max(_BLOCK, n_columns * 2000)
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=delimiter, newlines_in_values=quoted, ignore_empty_lines=n_columns > 1
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        raise _uneven(source, text, delimiter, n_columns, above) from None
    if cells.num_columns != n_columns:
        raise _uneven(source, text, delimiter, n_columns, above)
    last = str(cells.column(n_columns - 1)[-1].as_py()) if quoted else ""
    if "\n" in last and not text.rstrip().endswith(b'"'):  # It swallowed the rest of the file
        raise source.error(
            "has a quotation mark that is never closed",
            "Correct the quoting, or export it again.",
        )
    return cells.slice(1)


def _uneven(source: Source, text: bytes, delimiter: str, expected: int, above: int) -> Exception:
    for line, record in _records(text, delimiter):
        if len(record) != expected:
            return source.error(
                f"has {numbered(len(record), 'field')} in line {line + max(above - 1, 0)}, but "
                f"{numbered(expected, 'column')} in its header line (delimiter "
                f"{delimiter_name(delimiter)})",
                "Correct that line, or choose another delimiter.",
            )
    return source.error(
        "cannot be split into rows and columns (an open quotation mark?)",
        "Correct the quoting, or export it again.",
    )


def _records(text: bytes, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    with io.TextIOWrapper(io.BytesIO(text), encoding="utf-8", newline="") as stream:
        reader = csv.reader(stream, delimiter=delimiter)
        line = 1
        with suppress(csv.Error):
            for record in reader:
                if record:
                    yield line, record
                line = reader.line_num + 1
