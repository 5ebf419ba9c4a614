"""Checks of released labels that stand for several values: which there are, which are unread."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from alc_core.phrasing import listed, percent
from alc_core.tables.checks.finding import Finding, Severity, examples
from alc_core.tables.sets.column_sets import ColumnSets
from alc_core.tables.table import Table

_SHOWN = 6


def check_sets(
    release: Table, columns: Sequence[ColumnSets], *, known: Collection[str]
) -> Iterator[Finding]:
    """Say which columns have labels that stand for several values, and which cannot be used."""
    found = [sets for sets in columns if sets.labels]
    if found:
        shown = [f"'{sets.column}' ({percent(sets.share)} of the rows)" for sets in found[:_SHOWN]]
        more = [f"{len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
        yield Finding(
            severity=Severity.INFO,
            code="generalized-values",
            table=release.name,
            message="Values stand for several values of the original, or are suppressed, in"
            f" {listed([*shown, *more])}.",
            action="They are matched with every value that they cover. Check the list of what they"
            " cover: it is on the Data page, and 'alc check' prints it.",
        )
    for sets in columns:
        yield from _suppressed(release, sets, is_known=sets.column in known)
        yield from _unread(release, sets)


def _suppressed(release: Table, sets: ColumnSets, *, is_known: bool) -> Iterator[Finding]:
    if sets.suppressed_share < 1:
        return
    yield Finding(
        severity=Severity.WARNING if is_known else Severity.INFO,
        code="suppressed-column",
        table=release.name,
        column=sets.column,
        message="All values are suppressed: what is known of people here cannot be used.",
        action="Nothing to do if that is right; a result that knows the column says so.",
    )


def _unread(release: Table, sets: ColumnSets) -> Iterator[Finding]:
    if not sets.unread:
        return
    share = sum(label.rows for label in sets.unread) / max(1, sets.n_rows)
    labels = examples([label.label for label in sets.unread])
    given = "Say what they cover, by a hierarchy file or a table of labels"
    yield Finding(
        severity=Severity.ERROR if sets.numeric else Severity.QUESTION,
        code="unread-labels",
        table=release.name,
        column=sets.column,
        message=f"{percent(share)} of the values look as if they stood for several values (such as"
        f" {labels}), but for none that the original has.",
        action=f"{given}, or leave the column out."
        if sets.numeric
        else f"{given}, or accept that they count as values of their own.",
    )
