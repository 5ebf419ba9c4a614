"""Checks of released columns' coding, by linked rows, and of dates."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from alc_core.phrasing import in_list, listed
from alc_core.tables.checks.finding import Finding, Offer, Severity
from alc_core.tables.codings import Coding, likely_codings
from alc_core.tables.labels.date_readings import ORDERS, DatesFound
from alc_core.tables.labels.find import plain_columns
from alc_core.tables.table import Table
from alc_core.tables.values.date_numbers import NUMBER_SYSTEMS
from alc_core.tables.values.texts import label_counts

_PEOPLE_TO_NAME = 10
_SHOWN = 3

# Findings answered by a coding
ANSWERED = frozenset({"scale-changed", "recoded-integers", "unknown-labels"})


def check_codings(original: Table, release: Table) -> Iterator[Finding]:
    """Ask about columns coded differently by linked rows."""
    plain = plain_columns(original, release)
    in_file = {of: text for text, of in release.same_columns.items()}
    for column, coding in likely_codings(original, release, plain).items():
        by_labels = coding.source.form == "labels"
        source = coding.source.renamed(in_file)
        yield Finding.of(
            Severity.QUESTION, "other-coding", release.name, column,
            offers=(Offer("same", f"{source.text}={column}"),),
            what="labels" if by_labels else "numbers",
            pairs=_pairs(original, column, coding) if by_labels else None,
            text=None if by_labels else coding.source.text,
            share=coding.share, plain=coding.plain, linked=coding.linked,
        )  # fmt: skip


def _pairs(original: Table, column: str, coding: Coding) -> str:
    """Return the most frequent changed labels, each held by many people."""
    people = label_counts(original.frame[column])
    moved = {of: label for label, of in coding.source.labels.items() if label != of}
    often = [str(of) for of, rows in people.items() if of in moved and rows >= _PEOPLE_TO_NAME]
    shown = [f"'{moved[of]}' means '{of}'" for of in often[:_SHOWN]]
    more = len(moved) - len(shown)
    return listed([*shown, *([f"{more} more"] if more else [])])


def check_read(release: Table, column: str) -> Iterator[Finding]:
    """Report the reading of ambiguous dates."""
    if (reading := release.date_readings.get(column)) is not None:
        case = "" if reading in ORDERS else "numbers"
        other = next(order for order in ORDERS if order != reading)
        yield Finding.of(
            Severity.INFO, "dates-read", release.name, column, case=case, reading=reading,
            other=other,
        )  # fmt: skip


def check_dates(original: Table, release: Table, column: str, found: DatesFound) -> Finding:
    """Ask how dates are to be read."""
    table = original if found.of_original else release
    finding = partial(Finding.of, table=table.name, column=column)
    if not found.are_numbers:
        return finding(
            Severity.QUESTION, "dates-order", case="original" if found.of_original else "",
            offers=tuple(Offer(reading, in_list(column)) for reading in found.readings),
        )  # fmt: skip
    case = "numbers-original" if found.of_original else "numbers"
    return finding(
        Severity.ERROR, "unreadable-dates", case=case if found.readings else "numbers-no-date",
        offers=tuple(Offer("dates", f"{column}={each}") for each in found.readings[:3]),
        likely=found.readings, tried=NUMBER_SYSTEMS,
    )  # fmt: skip
