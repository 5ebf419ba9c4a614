"""Reading of delimited text: delimiter, header and rectangular shape are checked, then typed."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from contextlib import suppress

import pandas as pd
import pyarrow as pa
import pyarrow.csv as arrow_csv

from alc_core.phrasing import numbered
from alc_core.tables.formats.columns import check_width, clean_names, typed_columns
from alc_core.tables.formats.encoding import as_utf8, not_a_table
from alc_core.tables.formats.source import Content, Options, Source

DELIMITERS = (",", ";", "\t", "|")

_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar", " ": "space"}
_SAMPLE_BYTES = 256 * 1024
_SAMPLE_RECORDS = 200
_CONSISTENT = 0.9
_PROSE_WORDS = 4.0
_LETTERS = re.compile(r"[^\W\d_]{2,}")

_BLOCK = 8 * 2**20
_SEPARATOR_LINE = re.compile(rb"sep=(.)\r?\n", re.IGNORECASE)


def delimiter_name(delimiter: str) -> str:
    """Return what people call a delimiter."""
    return _NAMES.get(delimiter, f"'{delimiter}'")


def find_delimiter(source: Source, text: bytes, *, given: str | None) -> str:
    """Find the delimiter, or check the given one."""
    lines = text[:_SAMPLE_BYTES].decode("utf-8", errors="ignore").splitlines(keepends=True)
    if len(text) > _SAMPLE_BYTES and len(lines) > 1:
        lines.pop()
    fits = {mark: _fit(lines, mark) for mark in DELIMITERS}
    # Of two that fit as well, the comma is rather in a name and in numbers
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
    """Say whether a delimiter gives two or more columns in nearly all rows, and how many."""
    counts = []
    with suppress(csv.Error):
        for record in csv.reader(lines, delimiter=delimiter):
            if record:
                counts.append(len(record))
            if len(counts) > _SAMPLE_RECORDS:
                break
    if not counts or counts[0] < 2:
        return False, 1
    rows = counts[1:] or counts
    share = sum(count == counts[0] for count in rows) / len(rows)
    return share >= _CONSISTENT, counts[0]


def _check_given(
    source: Source, lines: list[str], given: str, better: str | None, n_columns: int
) -> None:
    if len(given) != 1 or given in '"\r\n\0' or not given.isascii():
        raise source.error(
            f"cannot be split by the delimiter {given!r}",
            "Choose one character, such as ',', ';' or a tab.",
        )
    header_fields = _fit(lines, given)[1]
    if header_fields == 1 and better is not None and better != given:
        raise source.error(
            f"has a single column when split by {delimiter_name(given)}, but"
            f" {n_columns} columns when split by {delimiter_name(better)}",
            f"Choose {delimiter_name(better)} as the delimiter, or none.",
        )


def _doubtful(source: Source, lines: list[str], fits: dict[str, tuple[bool, int]]) -> str:
    """Decide where no delimiter fits nearly all rows: uneven rows, one column, or not a table."""
    written = [line.strip() for line in lines if line.strip()]
    several = [mark for mark in DELIMITERS if fits[mark][1] > 1]
    words = [len(line.split()) for line in written]
    wordy = bool(words) and sum(words) / len(words) >= _PROSE_WORDS
    most = max(several, key=lambda mark: fits[mark][1], default=",")
    worded = sum(len(_LETTERS.findall(line)) >= 3 for line in written[:_SAMPLE_RECORDS])
    is_prose = worded >= 0.5 * len(written[:_SAMPLE_RECORDS])
    if wordy and is_prose and fits[most][1] < max(words):
        raise not_a_table(source, "running text without columns")
    if several:
        return most
    if len(set(words)) == 1 and words[0] > 1 and len(words) > 1:
        raise source.error(
            f"seems to have {words[0]} columns separated by spaces",
            "Save it with commas between the columns, or choose ' ' as the delimiter.",
        )
    return ","


def read_delimited(source: Source, options: Options) -> Content:
    """Read CSV, TSV and the like."""
    text, notes = as_utf8(source, encoding=options.encoding)
    declared = _SEPARATOR_LINE.match(text)
    if declared is not None:
        text = text[declared.end() :]
    if not text.strip():
        raise source.error("is empty", "Use a file with a header line and rows.")
    given = options.delimiter or (declared.group(1).decode() if declared else None)
    delimiter = find_delimiter(source, text, given=given)
    header, header_notes = _header(source, text, delimiter)
    cells = _cells(source, text, delimiter, len(header))
    if cells.num_rows == 0:
        raise source.error("has a header line but no rows", "Use a file with one row per record.")
    columns = list(zip(header, cells.columns, strict=True))
    typed = typed_columns(columns, decimal=options.decimal, thousands=options.thousands)
    note = f"Delimiter: {delimiter_name(delimiter)}{'' if given is None else ', as given'}."
    if len(header) == 1:
        note = "Read as a single column: no delimiter was found."
    decimal = () if options.decimal is None else (f"Decimal mark: '{options.decimal}', as given.",)
    return Content(
        frame=pd.DataFrame(typed.columns),
        notes=(note, *notes, *decimal, *header_notes, *typed.notes),
        maybe_thousands=typed.maybe_thousands,
        flags=typed.flags,
    )


def _header(source: Source, text: bytes, delimiter: str) -> tuple[list[str], tuple[str, ...]]:
    first = next(_records(text, delimiter), None)
    if first is None:
        raise not_a_table(source, "text without lines and columns")
    number, names = first
    check_width(source, len(names))
    second = next((record for line, record in _records(text, delimiter) if line > number), None)
    if second is not None and len(second) == len(names) + 1:
        raise source.error(
            f"has {numbered(len(names), 'column name')} in its header line but"
            f" {len(second)} fields in the rows",
            "Give the first column (row numbers?) a name, or remove it.",
        )
    return clean_names(source, names)


def _cells(source: Source, text: bytes, delimiter: str, n_columns: int) -> pa.Table:
    """Parse every cell as text; the header, which is the first record, is left out."""
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
        raise _uneven(source, text, delimiter, n_columns) from None
    if cells.num_columns != n_columns:
        raise _uneven(source, text, delimiter, n_columns)
    last = str(cells.column(n_columns - 1)[-1].as_py()) if quoted else ""
    if "\n" in last and not text.rstrip().endswith(b'"'):  # it swallowed the rest of the file
        raise source.error(
            "has a quotation mark that is never closed",
            "Correct the quoting, or export the table again.",
        )
    return cells.slice(1)


def _uneven(source: Source, text: bytes, delimiter: str, expected: int) -> Exception:
    """Name the first line whose number of fields differs from the header's."""
    for line, record in _records(text, delimiter):
        if len(record) != expected:
            return source.error(
                f"has {numbered(len(record), 'field')} in line {line}, but"
                f" {numbered(expected, 'column')} in its header line"
                f" (delimiter {delimiter_name(delimiter)})",
                "Correct that line, put quotation marks around text that contains the delimiter,"
                " or choose another delimiter.",
            )
    return source.error(
        "cannot be split into rows and columns (a quotation mark that is never closed?)",
        "Correct the quoting, or export the table again.",
    )


def _records(text: bytes, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number of its first line and the fields of each record; skip blank lines."""
    with io.TextIOWrapper(io.BytesIO(text), encoding="utf-8", newline="") as stream:
        reader = csv.reader(stream, delimiter=delimiter)
        line = 1
        with suppress(csv.Error):
            for record in reader:
                if record:
                    yield line, record
                line = reader.line_num + 1
