"""The check of texts: released pieces of single people, and columns' values."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pandas as pd

from alc_core.note import REPLAYED
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.replayed_texts import clear_replays
from alc_core.tables.table import Table

_INSIDE = 0.9  # Share of texts with a value of a column
_FEWEST, _MOST = 3, 1_000  # Its values: few are words of any text
_MOST_CELLS = 1_000  # Texts searched
_WORDED = re.compile(r"[^\W\d_].|.[^\W\d_]")  # A letter alone is also an article


def check_texts(original: Table, release: Table, person: str | None) -> Iterator[Finding]:
    """Ask about a release with clearly more of people's own pieces than by chance."""
    clear = clear_replays(original, release, person=person)
    if not clear:
        return
    most = max(clear, key=lambda each: each.people)
    yield Finding.of(
        Severity.QUESTION, REPLAYED, release.name, share=most.share, expected=most.expected,
        people=most.people, rows=most.rows,
        replays=tuple((each.kind.one, each.share, each.expected) for each in clear),
    )  # fmt: skip


def check_values_in_texts(original: Table, release: Table, profiles: Profiles) -> Iterator[Finding]:
    """Ask about texts that the original lacks, such as JSON or a summary, with its values."""
    extra = [profiles.of(release, c) for c in release.columns if c not in original.columns]
    for after in extra:
        cells = after.series.dropna() if after.is_stored_as_text else after.series[:0]
        cells = cells.iloc[:: max(1, len(cells) // _MOST_CELLS)].astype(str)
        if not len(cells) or cells.str.contains(r"\w\W+\w").mean() < _INSIDE:
            continue
        of = [c for c in original.compared if _contain(cells, profiles.of(original, c))]
        if of:
            yield after.found(Severity.QUESTION, "values-in-texts", of=tuple(of))


def _contain(cells: pd.Series, before: ColumnProfile) -> bool:
    labels = () if before.kind.is_numeric else before.labels.index
    words = [str(each) for each in labels if _WORDED.search(str(each))]
    if not _FEWEST <= len(words) <= _MOST:
        return False
    any_word = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    held = cells.str.extract(rf"(?<!\w)({any_word})(?!\w)", expand=False)
    return bool(held.notna().mean() >= _INSIDE and held.nunique() >= _FEWEST)
