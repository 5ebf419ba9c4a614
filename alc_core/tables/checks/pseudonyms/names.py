"""Names that are written in another way: other order, case or accents, initials, addresses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import itemgetter

import pandas as pd

from alc_core.tables.rows_by_value import LEAST_STRENGTH, rows_by_value
from alc_core.tables.table import Table

_WORDS = re.compile(r"[^\W_]+")
_Key = Callable[[str], str]


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


def _keyed(table: Table, column: str, key: _Key) -> Table:
    labels = table.frame[column]
    keys = labels.map({label: key(label) or None for label in labels.dropna().unique()})
    return replace(table, frame=table.frame.assign(**{column: keys}))


def _words(name: str) -> list[str]:
    parts = unicodedata.normalize("NFKD", name.partition("@")[0])
    plain = "".join(letter for letter in parts if not unicodedata.combining(letter))
    return _WORDS.findall(plain.casefold())


def _in_any_order(name: str) -> str:
    return " ".join(sorted(_words(name)))


def _initials(name: str, whole: Callable[[list[str]], str]) -> str:
    """Return one whole word and the others' first letters."""
    words = _words(name)
    if not words:
        return ""
    kept = whole(words)
    words.remove(kept)
    return " ".join([kept, *sorted(word[0] for word in words)])


_LONGEST = partial(_initials, whole=partial(max, key=len))
# The original's and the release's, from the closest to the loosest
_SPELLINGS: tuple[tuple[_Key, _Key], ...] = (
    (_in_any_order, _in_any_order),
    (partial(_initials, whole=itemgetter(-1)), _LONGEST),
    (partial(_initials, whole=itemgetter(0)), _LONGEST),
)
