"""Checks of ambiguous dates: order of day and month, and numbers that are dates."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from alc_core.phrasing import in_list
from alc_core.tables.checks.finding import Finding, Offer, Severity
from alc_core.tables.labels.date_readings import ORDERS, DatesFound
from alc_core.tables.table import Table
from alc_core.tables.values.date_numbers import NUMBER_SYSTEMS


def check_read(release: Table, column: str) -> Iterator[Finding]:
    """Say how the dates of a released column are read, if they are ambiguous."""
    if (reading := release.date_readings.get(column)) is not None:
        case = reading if reading in ORDERS else "numbers"
        yield Finding.of(
            Severity.INFO, "dates-read", release.name, column, case=case, reading=reading
        )


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
