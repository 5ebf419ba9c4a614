"""Workbooks that claim cells where no sheet has any: a few bytes could stand for any number."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence

from alc_core.tables.formats.source import Source

_MOST_ROWS, _MOST_COLUMNS = 1_048_576, 16_384
_TABLE, _ROW, _CELL = (
    re.compile(rb"<table:(?:covered-)?%s(?=[\s/>])" % name)
    for name in (b"table", b"table-row", b"table-cell")
)
_REPEATED = re.compile(rb"\btable:number-(?:rows|columns)-repeated\s*=\s*[\"'](\d+)")
_CONTENT = re.compile(rb"\boffice:(?:[a-z]+-)?value")
_MANY_COLUMNS = re.compile(rb"-columns-repeated\s*=\s*[\"']\d{4}.*?" + _CONTENT.pattern, re.DOTALL)
_FAR_CELL = re.compile(rb" r=[\"'](?:[A-Z]{4}|[A-Z]{0,3}\d{8})")


def check_extent(source: Source, archive: zipfile.ZipFile) -> None:
    """Refuse cells beyond the last row and column of a sheet; empty ones at the end do no harm."""
    for name in archive.namelist():
        if name == "content.xml":
            sheets = _TABLE.split(archive.read(name))[1:]
            beyond = any(_reaches_beyond(_ROW.split(sheet)[1:]) for sheet in sheets)
        elif name.startswith("xl/worksheets/") and name.endswith(".xml"):
            beyond = _FAR_CELL.search(archive.read(name)) is not None
        else:
            continue
        if beyond:
            raise source.error(
                f"has cells beyond row {_MOST_ROWS:,} or column {_MOST_COLUMNS:,}, where a sheet"
                " ends",
                "Delete them, or export the table again as CSV.",
            )


def _reaches_beyond(rows: Sequence[bytes]) -> bool:
    return _last(rows, _MOST_ROWS) > _MOST_ROWS or any(
        _last(_CELL.split(row)[1:], _MOST_COLUMNS) > _MOST_COLUMNS
        for row in rows
        if _MANY_COLUMNS.search(row)
    )


def _last(parts: Sequence[bytes], most: int) -> int:
    """Return the place of the last row or cell with content, or 0 where all of them are few."""
    repeated = [_REPEATED.search(part.partition(b">")[0]) for part in parts]
    times = [int(each[1]) if each else 1 for each in repeated]
    place = sum(times)
    if place <= most:
        return 0
    for part, number in zip(reversed(parts), reversed(times), strict=True):
        if _CONTENT.search(part):
            return place
        place -= number
    return 0
