"""Names that are written in another way: other order, case or accents, initials, addresses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from operator import itemgetter

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from alc_core.arrays import spread_out
from alc_core.tables.table import Table
from alc_core.tables.values.texts import is_text

_MOST_PEOPLE = 20_000  # People whose name is sought
_Words = list[str]
_Key = Callable[[_Words], str]


def respelled(original: Table, release: Table, column: str) -> Iterator[tuple[Table, Table]]:
    """Yield both tables with names in a common spelling, from the closest to the loosest.

    They keep some people, and the released rows with a word of theirs.
    """
    if not all(is_text(table.frame[column]) for table in (original, release)):
        return
    people = original.frame.iloc[spread_out(len(original), _MOST_PEOPLE)]
    own, theirs = _words(people[column]), _words(release.frame[column])
    may_match = pc.is_in(_longest(theirs), value_set=pc.list_flatten(own))
    rows = release.frame[may_match.to_numpy(zero_copy_only=False)]
    sides = (
        (original, people, own.to_pylist()), (release, rows, theirs.filter(may_match).to_pylist()),
    )  # fmt: skip
    several = any(len(words or ()) > 1 for *_, names in sides for words in names)
    for keys in _SPELLINGS if several else _SPELLINGS[:1]:
        before, after = (
            replace(table, frame=frame.assign(**{column: [_spelled(each, key) for each in names]}))
            for (table, frame, names), key in zip(sides, keys, strict=True)
        )
        yield before, after


def _words(names: pd.Series) -> pa.ListArray:
    """Return each name's words without case, accents or an address's host."""
    texts = pc.utf8_lower(pc.utf8_normalize(pa.array(names.astype("str"), pa.string()), "NFKD"))
    for sign, plain in ((r"@.*|\p{Mn}", ""), ("ß", "ss"), (r"[^\p{L}\p{N}]+", " ")):
        texts = pc.replace_substring_regex(texts, sign, plain)
    return pc.ascii_split_whitespace(pc.ascii_trim_whitespace(texts))


def _longest(names: pa.ListArray) -> pa.Array:
    """Return each name's longest word, missing without any."""
    words, of = pc.list_flatten(names), pc.list_parent_indices(names).to_numpy()
    order = np.lexsort((-pc.utf8_length(words).to_numpy(), of))
    found, first = np.unique(of[order], return_index=True)
    places = np.full(len(names), -1)
    places[found] = order[first]
    return words.take(pa.array(places, mask=places < 0))


def _spelled(words: _Words | None, key: _Key) -> str | None:
    return key(words) if words and words != [""] else None


def _in_any_order(words: _Words) -> str:
    return " ".join(sorted(words))


def _initials(words: _Words, whole: Callable[[_Words], str]) -> str:
    """Return one whole word and the others' first letters."""
    kept = whole(words)
    others = [*words]
    others.remove(kept)
    return " ".join([kept, *sorted(word[0] for word in others)])


_LONGEST = partial(_initials, whole=partial(max, key=len))
# The original's and the release's
_SPELLINGS: tuple[tuple[_Key, _Key], ...] = (
    (_in_any_order, _in_any_order),
    (partial(_initials, whole=itemgetter(-1)), _LONGEST),
    (partial(_initials, whole=itemgetter(0)), _LONGEST),
)
