"""Reading of delimited text: delimiter, header and rectangular shape are checked, then typed."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

import pandas as pd
import pyarrow as pa
import pyarrow.csv as arrow_csv

from alc_core.tables.formats.column_names import clean_names
from alc_core.tables.formats.encoding import as_utf8, not_a_table
from alc_core.tables.formats.inference import MAX_COLUMNS, typed_columns
from alc_core.tables.formats.sniff import delimiter_name, find_delimiter
from alc_core.tables.formats.source import Content, Options, Source, counted

_BLOCK = 8 * 2**20
_SEPARATOR_LINE = re.compile(rb"sep=(.)\r?\n", re.IGNORECASE)


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
    typed, findings = typed_columns(columns, decimal=options.decimal)
    note = f"Delimiter: {delimiter_name(delimiter)}{'' if given is None else ', as given'}."
    if len(header) == 1:
        note = "Read as a single column: no delimiter was found."
    decimal = () if options.decimal is None else (f"Decimal mark: '{options.decimal}', as given.",)
    return Content(
        frame=pd.DataFrame(typed),
        notes=(note, *notes, *decimal, *header_notes, *findings.notes()),
    )


def _header(source: Source, text: bytes, delimiter: str) -> tuple[list[str], tuple[str, ...]]:
    first = next(_records(text, delimiter), None)
    if first is None:
        raise not_a_table(source, "text without lines and columns")
    number, names = first
    if len(names) > MAX_COLUMNS:
        raise source.error(
            f"has {len(names):,} columns, more than the limit of {MAX_COLUMNS:,}",
            "Choose the columns to review and save them as a file of their own.",
        )
    second = next((record for line, record in _records(text, delimiter) if line > number), None)
    if second is not None and len(second) == len(names) + 1:
        raise source.error(
            f"has {counted(len(names), 'column name')} in its header line but"
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
    if quoted and _unclosed_quote(text, cells):
        raise source.error(
            "has a quotation mark that is never closed",
            "Correct the quoting, or export the table again.",
        )
    return cells.slice(1)


def _unclosed_quote(text: bytes, cells: pa.Table) -> bool:
    """Return whether the last field swallowed the rest of the file."""
    last = str(cells.column(cells.num_columns - 1)[-1].as_py())
    return "\n" in last and not text.rstrip().endswith(b'"')


def _uneven(source: Source, text: bytes, delimiter: str, expected: int) -> Exception:
    """Name the first line whose number of fields differs from the header's."""
    try:
        for line, record in _records(text, delimiter):
            if len(record) != expected:
                return source.error(
                    f"has {counted(len(record), 'field')} in line {line}, but"
                    f" {counted(expected, 'column')} in its header line"
                    f" (delimiter {delimiter_name(delimiter)})",
                    "Correct that line, put quotation marks around text that contains the"
                    " delimiter,"
                    " or choose another delimiter.",
                )
    except csv.Error:
        pass
    return source.error(
        "cannot be split into rows and columns (a quotation mark that is never closed?)",
        "Correct the quoting, or export the table again.",
    )


def _records(text: bytes, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number of its first line and the fields of each record; skip blank lines."""
    with io.TextIOWrapper(io.BytesIO(text), encoding="utf-8", newline="") as stream:
        reader = csv.reader(stream, delimiter=delimiter)
        line = 1
        while True:
            try:
                record = next(reader, None)
            except csv.Error:
                return
            if record is None:
                return
            if record:
                yield line, record
            line = reader.line_num + 1
