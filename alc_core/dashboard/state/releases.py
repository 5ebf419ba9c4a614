"""Whether released files are one release in several tables, or several releases to compare."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Literal

from alc_core.releases.microdata import Microdata
from alc_core.releases.registry import as_release
from alc_core.releases.release import Release
from alc_core.tables.table import Table

ReleaseMode = Literal["one", "several"]

_ALIKE = 0.8
"""Share of columns that two files have in common from which they are taken for two releases."""


def assumed_mode(tables: Sequence[Table]) -> tuple[ReleaseMode, str]:
    """Say what released files are likely to be, and why.

    Parameters
    ----------
    tables : sequence of Table
        The released tables.

    Returns
    -------
    tuple of str
        "one" release in several tables or "several" releases, and the reason in a sentence (empty
        where there is nothing to choose).
    """
    if len(tables) < 2:
        return "one", ""
    for first, second in itertools.combinations(tables, 2):
        if _shared_columns(first, second) >= _ALIKE:
            return "several", f"'{first.name}' and '{second.name}' have about the same columns."
    return "one", "The files have different columns."


def make_releases(tables: Sequence[Table], mode: ReleaseMode) -> dict[str, Release]:
    """Return the releases that files with different names make, by name; none without files."""
    if not tables:
        return {}
    if mode == "several":
        return {table.name: Microdata(tables=(table,), name=table.name) for table in tables}
    release = as_release(tables)
    return {release.name: release}


def _shared_columns(first: Table, second: Table) -> float:
    one, other = set(first.columns), set(second.columns)
    return len(one & other) / max(1, len(one | other))
