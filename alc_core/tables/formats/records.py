"""Reading of JSON records or lines."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from alc_core.errors import TableReadError
from alc_core.phrasing import quoted
from alc_core.tables.formats.columns import BLANKS, check_width
from alc_core.tables.formats.encoding import as_utf8
from alc_core.tables.formats.excel import typed_rows
from alc_core.tables.formats.source import Content, Options, Source, refused

_Record = dict[str, Any]


def read_json(source: Source, options: Options) -> Content:
    """Read JSON records or JSON lines."""
    text, _ = as_utf8(source, encoding=options.encoding)
    with refused(_no_records(source), ValueError, RecursionError):
        records = [*_records(source, text)]
    names = {name: None for record in records for name in record}
    check_width(source, len(names))
    if nested := [n for n in names if any(isinstance(r.get(n), list | dict) for r in records)]:
        raise source.error(
            f"has lists or structures in {quoted(nested)}", "Keep columns with one value per row."
        )
    rows = [[_cell(record.get(name)) for name in names] for record in records]
    return typed_rows(source, [[*names], *rows], options, ["Format: JSON."])


def _records(source: Source, text: bytes) -> Iterator[_Record]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError:
        found = [json.loads(line) for line in text.splitlines() if line.strip()]
    records = found if isinstance(found, list) else []
    if not records or not all(isinstance(record, dict) for record in records):
        raise _no_records(source)
    yield from records


def _cell(value: Any) -> Any:
    missing = value in BLANKS or (isinstance(value, float) and math.isnan(value))
    return None if missing else value


def _no_records(source: Source) -> TableReadError:
    return source.error(
        "is JSON, but not records in a list or lines",
        "Write it by to_json(orient='records'), or use CSV.",
    )
