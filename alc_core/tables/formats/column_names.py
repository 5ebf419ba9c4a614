"""Column names: stripped, unique, not empty. Nothing is renamed without a note."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from alc_core.errors import TableReadError
from alc_core.tables.formats.inference import MAX_COLUMNS
from alc_core.tables.formats.source import Source, listed
from alc_core.tables.values.texts import parse_numbers

_SHOWN_DUPLICATES = 3


def clean_names(source: Source, names: Sequence[object]) -> tuple[list[str], tuple[str, ...]]:
    """Return usable column names and notes on what was changed."""
    if len(names) > MAX_COLUMNS:
        raise source.error(
            f"has {len(names):,} columns, more than the limit of {MAX_COLUMNS:,}",
            "Choose the columns to review and save them as a file of their own.",
        )
    stripped = ["" if name is None else str(name).strip() for name in names]
    if not any(stripped):
        raise source.error("has no column names in its first line", "Add a line with names.")
    notes: tuple[str, ...] = ()
    numeric = _look_like_values(stripped)
    if numeric:
        notes = (
            "The first line was taken as column names, although it has only numbers."
            " If names are missing, add a line with them.",
        )
    if repeated := _duplicates(stripped):
        raise _duplicate_error(source, repeated, hide_names=numeric)
    empty = [position for position, name in enumerate(stripped, start=1) if not name]
    if empty:
        filled = _filled(stripped)
        notes = (*notes, _named_note(filled, empty))
        stripped = filled
    return stripped, notes


def _named_note(filled: Sequence[str], empty: Sequence[int]) -> str:
    """Say what columns without a name are called."""
    first = "" if empty[0] > 1 else f"The first column, which has no name, is called '{filled[0]}'."
    others = [filled[position - 1] for position in empty if position > 1]
    rest = "Columns without a name were named after their position:"
    return " ".join(filter(None, (first, f"{rest} {listed(others)}." if others else "")))


def _filled(names: Sequence[str]) -> list[str]:
    taken = set(names)
    filled = []
    for position, name in enumerate(names, start=1):
        candidate = name or f"column_{position}"
        while not name and candidate in taken:
            candidate += "_"
        filled.append(candidate)
    return filled


def _look_like_values(names: Sequence[str]) -> bool:
    """Return whether a header consists of numbers only, as in a file without header."""
    written = [name for name in names if name]
    return not bool((parse_numbers(written) != parse_numbers(written)).any())


def _duplicates(names: Iterable[str]) -> dict[str, list[int]]:
    positions: dict[str, list[int]] = {}
    for position, name in enumerate(names, start=1):
        if name:
            positions.setdefault(name, []).append(position)
    return {name: places for name, places in positions.items() if len(places) > 1}


def _duplicate_error(
    source: Source, repeated: dict[str, list[int]], *, hide_names: bool
) -> TableReadError:
    shown = []
    for name, places in list(repeated.items())[:_SHOWN_DUPLICATES]:
        where = " and ".join(str(place) for place in places[:4])
        shown.append(f"{'the same entry' if hide_names else repr(name)} in columns {where}")
    more = f", and {len(repeated) - len(shown)} more" if len(repeated) > len(shown) else ""
    action = (
        "Add a line with column names at the top of the file."
        if hide_names
        else "Give every column a different name."
    )
    return source.error(
        f"has column names that occur more than once: {', '.join(shown)}{more}", action
    )
