"""Names that are written in another way: other order, case or accents, initials, addresses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace

import pandas as pd

from alc_core.tables.rows_by_value import LEAST_STRENGTH, rows_by_value
from alc_core.tables.table import Table

_WORDS = re.compile(r"[^\W_]+")
Key = Callable[[str], str]


def share_respelled(original: Table, release: Table, column: str) -> float | None:
    """Return the share of people whose name is released in another spelling; None if others'."""
    if not all(pd.api.types.is_string_dtype(each.frame[column]) for each in (original, release)):
        return None
    for own, theirs in _SPELLINGS:
        tables = _keyed(original, column, own), _keyed(release, column, theirs)
        found = rows_by_value(*tables, column)
        if found and found.strength >= LEAST_STRENGTH:
            return found.returning
    return None


def _keyed(table: Table, column: str, key: Key) -> Table:
    labels = table.frame[column]
    keys = labels.map({label: key(label) or None for label in labels.dropna().unique()})
    return replace(table, frame=table.frame.assign(**{column: keys}))


def _words(name: str) -> list[str]:
    parts = unicodedata.normalize("NFKD", name.partition("@")[0])
    plain = "".join(letter for letter in parts if not unicodedata.combining(letter))
    return _WORDS.findall(plain.casefold())


def _initials(words: list[str], whole: int) -> str:
    """Return one whole word and the others' first letters."""
    return " ".join([words[whole], *sorted(w[0] for i, w in enumerate(words) if i != whole)])


def _in_any_order(name: str) -> str:
    return " ".join(sorted(_words(name)))


def _last_whole(name: str) -> str:
    words = _words(name)
    return _initials(words, len(words) - 1) if words else ""


def _first_whole(name: str) -> str:
    words = _words(name)
    return _initials(words, 0) if words else ""


def _longest_whole(name: str) -> str:
    words = _words(name)
    return _initials(words, words.index(max(words, key=len))) if words else ""


# The original's and the release's, from the closest to the loosest
_SPELLINGS: tuple[tuple[Key, Key], ...] = (
    (_in_any_order, _in_any_order),
    (_last_whole, _longest_whole),
    (_first_whole, _longest_whole),
)
