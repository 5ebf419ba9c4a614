"""Reads a workbook in a process of its own, as a script: stdin is the file, stdout its rows.

The reader is compiled code that a damaged file can take down, or make ask for any amount of
memory. So it runs apart, within a limit on its memory, and pickled rows come back: first the names
of the sheets and of the one that is read, then lists of rows that are not empty. Nothing of the
package is imported here.
"""

from __future__ import annotations

import io
import json
import pickle
import sys
from typing import Any

ROWS_AT_ONCE = 10_000
"""Rows that are handed over together."""


def main(wanted: str | int | None, max_bytes: int) -> None:
    """Write the sheets' names and the rows of one to stdout.

    Parameters
    ----------
    wanted : str or int or None
        Name of the sheet, or position from 0; None is the first. Without such a sheet no rows
        follow.
    max_bytes : int
        Limit on the memory of the process, where the system has one.
    """
    _limit_memory(max_bytes)
    import python_calamine

    out = sys.stdout.buffer
    book = python_calamine.load_workbook(io.BytesIO(sys.stdin.buffer.read()))
    cells = python_calamine.SheetTypeEnum.WorkSheet
    names = [sheet.name for sheet in book.sheets_metadata if sheet.typ is cells]
    chosen = _choose(names, wanted)
    pickle.dump((names, chosen), out)
    if chosen is None:
        return
    rows: list[list[Any]] = []
    for row in book.get_sheet_by_name(chosen).iter_rows():
        if any(cell != "" for cell in row):
            rows.append(row)
        if len(rows) == ROWS_AT_ONCE:
            pickle.dump(rows, out)
            rows = []
    pickle.dump(rows, out)


def _choose(names: list[str], wanted: str | int | None) -> str | None:
    if isinstance(wanted, str):
        return wanted if wanted in names else None
    place = wanted or 0
    return names[place] if 0 <= place < len(names) else None


def _limit_memory(max_bytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    within = max_bytes if hard == resource.RLIM_INFINITY else min(max_bytes, hard)
    resource.setrlimit(resource.RLIMIT_AS, (within, hard))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), int(sys.argv[2]))
