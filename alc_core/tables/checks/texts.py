"""The check of texts: released pieces of single people."""

from __future__ import annotations

from collections.abc import Iterator

from alc_core.note import REPLAYED
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.replayed_texts import clear_replays
from alc_core.tables.table import Table


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
