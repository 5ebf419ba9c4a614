"""Checks of reversible pseudonyms: hashes, codes, numbers.

Some people's values are turned into pseudonyms in all known ways, and looked up among released
ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain

from alc_core.note import KEYED, PSEUDONYM
from alc_core.phrasing import in_list
from alc_core.tables.checks.finding import Finding, Offer, Severity
from alc_core.tables.checks.pseudonyms.hashes import coded, hashed
from alc_core.tables.checks.pseudonyms.names import respelled
from alc_core.tables.checks.pseudonyms.numbers import moved, ordered
from alc_core.tables.checks.pseudonyms.sides import FEWEST_ROWS, Owners, released_of
from alc_core.tables.rows_by_value import LEAST_STRENGTH, rows_by_value
from alc_core.tables.table import ColumnKind, Table, once_of_both

# Cases: an identifier of the same people, in another spelling, and one an attack knows
KEPT, RESPELLED, ATTACKED = "identifier", "respelled", "attacked"


@once_of_both
def check_pseudonyms(original: Table, release: Table) -> tuple[Finding, ...]:
    """Return released pseudonyms computable from the original."""
    return tuple(_pseudonyms(original, release))


def _pseudonyms(original: Table, release: Table) -> Iterator[Finding]:
    if min(len(original), len(release)) < FEWEST_ROWS:
        return
    people = Owners(original, release)
    for column in release.columns:
        if (kept := _kept(original, release, column)) is not None:
            case, share = kept
            offers = (Offer("known", in_list(column)),) if case == KEPT else ()
            yield Finding.of(
                Severity.WARNING, PSEUDONYM, release.name, column, case=case, offers=offers,
                of=(column,), share=share,
            )  # fmt: skip
            continue
        released = None if column in release.derived else released_of(original, release, column)
        if released is None or not people.sources:
            continue
        found = (make(released, people) for make in (coded, moved, ordered, hashed))
        if undone := next(filter(None, found), None):
            case, facts = undone
            yield Finding.of(Severity.WARNING, PSEUDONYM, release.name, column, case=case, **facts)
        elif released.is_hash:
            yield Finding.of(Severity.INFO, KEYED, release.name, column)


def _kept(original: Table, release: Table, column: str) -> tuple[str, float] | None:
    """Return the case and share of people whose identifier is released; None if others'."""
    if column not in original.columns or original.kind(column) is not ColumnKind.IDENTIFIER:
        return None
    otherwise = ((RESPELLED, tables) for tables in respelled(original, release, column))
    for case, tables in chain([(KEPT, (original, release))], otherwise):
        found = rows_by_value(*tables, column)
        if found and found.strength >= LEAST_STRENGTH:
            return case, found.returning
    return None


def kept_in_scenario(findings: Iterable[Finding], known: Collection[str]) -> Iterator[Finding]:
    """Yield findings, without offering known identifiers."""
    for finding in findings:
        known_too = finding.case == KEPT and finding.column in known
        yield replace(finding, case=ATTACKED, offers=()) if known_too else finding
