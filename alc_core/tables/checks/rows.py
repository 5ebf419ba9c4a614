"""Checks of rows: too few, sorted, repeated, or copied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from alc_core.note import COPIED, IDENTICAL
from alc_core.phrasing import in_list
from alc_core.tables.checks.facts import Weight, all_but_one, verbatim
from alc_core.tables.checks.finding import Finding, Offer, Severity
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.formats.around import rows_listed
from alc_core.tables.households import (
    LARGEST,
    MOST_DIFFERING,
    Household,
    likely_copies,
    likely_households,
)
from alc_core.tables.role_names import names_person_number
from alc_core.tables.same_rows import near_rows, repeated_in, row_keys
from alc_core.tables.table import ColumnKind, Table

# Limits; the first two are where Wilson's 95% interval is at most 0.1 wide
FEWEST_ROWS = 35  # If all predictions are correct
ROWS_FOR_ANY_PRECISION = 381  # Whatever the precision
ROWS_FOR_LOW_RECALL = 2_000  # Targets that do not miss rare predictions

_REPEATED_WARNING = 0.05  # Share of repeated rows of a warning
_HOUSEHOLDS_ASKED = 0.5  # Share of rows of a question
_COPIES_ASKED = 0.25  # Share of copies of a question
_COPIED_SHARE = 0.5  # Share of copied rows that is most
_FEWEST_OF_VALUE = 10  # Rows of a value that may all be copies
_COLUMNS_TO_TELL_PEOPLE = 4  # Columns that distinguish people
_LEAST_DISTINCT = 0.2  # Share of distinct values of a person's number
_NEARLY_ALL = 0.95  # Share of rows, or numbers, that is nearly all
_ROWS_OF_A_PERSON = 20  # Rows of one person


def check_row_count(original: Table) -> Iterator[Finding]:
    """Check that the original has enough rows for significance."""
    limits = (
        (FEWEST_ROWS, Severity.ERROR, "any"),
        (ROWS_FOR_ANY_PRECISION, Severity.WARNING, ""),
        (ROWS_FOR_LOW_RECALL, Severity.INFO, ""),
    )
    rows = len(original)
    for fewest, severity, case in limits:
        if rows < fewest:
            yield Finding.of(
                severity, "too-few-rows", original.name, case=case, rows=rows, fewest=fewest
            )
            return


def check_left_out(table: Table) -> Iterator[Finding]:
    """Ask about excluded rows that may be people."""
    if table.doubtful_rows:
        rows = ",".join(map(str, table.doubtful_rows))
        yield Finding.of(
            Severity.QUESTION, "rows-left-out", table.name,
            rows=rows_listed(table.doubtful_rows), offers=(_of_file("skip-rows", table, rows),),
        )  # fmt: skip


def check_single_column(table: Table, others: Sequence[Table]) -> Iterator[Finding]:
    """Report a table of one column beside tables of several."""
    other = max(others, key=lambda each: len(each.columns))
    if len(table.columns) > 1 or len(other.columns) <= 2 or table.columns[0] in other.columns:
        return
    (name,) = table.columns
    marks = {mark for mark in name if mark.isascii() and not mark.isalnum()}
    shared = {mark: len({*_split(name, mark)} & {*other.columns}) for mark in sorted(marks)}
    mark = max(shared, key=lambda each: shared[each], default="")
    offers = (_of_file("delimiter", table, mark),) if shared.get(mark) else ()
    yield Finding.of(
        Severity.ERROR, "single-column", table.name, offers=offers, other=other.name,
        columns=len(other.columns),
    )  # fmt: skip


def _split(name: str, mark: str) -> Iterator[str]:
    return (part.strip(" \"'") for part in name.split(mark))


def _of_file(option: str, table: Table, value: str) -> Offer:
    return Offer(option, f"{table.name}={value}")


def check_repeated_people(original: Table, household: Household) -> Iterator[Finding]:
    """Report rows equal in each column used."""
    columns = list(original.own_compared)
    if not columns or not len(original):
        return
    copies = likely_copies(original) if household is None else None
    if copies is not None:
        many = copies.rows >= _COPIES_ASKED * copies.of
        yield Finding.of(
            Severity.QUESTION if many else Severity.WARNING,
            "duplicate-people", original.name, case="copies", rows=copies.rows,
            of=copies.of, differing=MOST_DIFFERING, columns=len(columns),
            offers=(_as_household(copies.columns),), pairs=copies.pairs, expected=copies.expected,
        )  # fmt: skip
        return
    share = repeated_in(original, columns)
    if share == 0:
        return
    many = share >= _REPEATED_WARNING and len(columns) >= _COLUMNS_TO_TELL_PEOPLE
    level = Severity.WARNING if many else Severity.INFO
    yield Finding.of(level, "duplicate-people", original.name, share=share, columns=len(columns))


def check_maybe_person(
    original: Table, profiles: Profiles, household: Household
) -> Iterator[Finding]:
    """Ask about a column like the number of a person with several rows."""
    for column in original.columns:
        if column == household or not names_person_number(column):
            continue
        profile = profiles.of(original, column)
        if not profile.n_present or not _may_be_numbers(profile):
            continue
        values, rows = len(profile.labels), profile.n_present
        rarely = float((profile.labels <= _ROWS_OF_A_PERSON).mean())
        if not _LEAST_DISTINCT * rows <= values < _NEARLY_ALL * rows or rarely < _NEARLY_ALL:
            continue
        offers = (Offer("person", column),)
        yield profile.found(
            Severity.QUESTION, "maybe-person", offers=offers, values=values, rows=rows
        )


def check_maybe_household(
    original: Table, person: str | None, *, asked: bool = False
) -> Iterator[Finding]:
    """Warn of rows like households, which the baseline would learn from.

    Most rows are asked about, unless a person's number is (`asked`).
    """
    found = likely_households(original, person)
    if found is None:
        return
    many = found.rows >= _HOUSEHOLDS_ASKED * found.of and person is None and not asked
    yield Finding.of(
        Severity.QUESTION if many else Severity.WARNING, "maybe-household", original.name,
        offers=(_as_household(found.columns),), columns=found.columns, rows=found.rows,
        of=found.of, share=found.rows / found.of,
        pairs=found.pairs, expected=found.expected, others=LARGEST - 1,
        records=person is None, people=person is not None,
    )  # fmt: skip


def _as_household(columns: Sequence[str]) -> Offer:
    return Offer("household", ",".join(map(in_list, columns)))


def _may_be_numbers(profile: ColumnProfile) -> bool:
    if profile.kind is ColumnKind.DATETIME:
        return False
    if not profile.is_stored_as_number:
        return profile.is_stored_as_text
    numbers = profile.numbers
    numbers = numbers[np.isfinite(numbers)]
    return bool((numbers == np.floor(numbers)).all())


def check_copies(original: Table, release: Table) -> Iterator[Finding]:
    """Report a release with the original's rows."""
    found = verbatim(original, release)
    if found is None:
        return
    columns = (*found.columns, *found.recoded)
    if found.identical and not found.recoded:
        yield Finding.of(
            Severity.WARNING, IDENTICAL, release.name,
            columns=len(columns), whole=len(columns) == len(original.columns),
        )  # fmt: skip
        return
    if found.beyond_chance:
        told: dict[str, Any] = {"columns": len(columns)}
        if found.recoded:
            told = {"kept": len(found.columns), "of": len(columns), "recoded": found.recoded}
        if found.share < _COPIED_SHARE:
            told["group"] = _only_copied(original, release, found.columns)
        yield Finding.of(
            Severity.WARNING, COPIED, release.name,
            case="most" if found.share >= _COPIED_SHARE else "",
            rows=round(found.share * len(release)), share=found.share, expected=found.expected,
            **told,
        )  # fmt: skip
    if not len(original):
        return
    own, theirs = (each.frame[list(found.columns)] for each in (original, release))
    nearly = all_but_one(found, near_rows(own, theirs))
    if nearly.weight is not Weight.CALM:
        yield Finding.of(
            Severity.INFO, "nearly-copied-rows", release.name,
            rows=nearly.count, expected=nearly.expected,
            recoded=found.recoded or None,
        )  # fmt: skip


def _only_copied(original: Table, release: Table, columns: Sequence[str]) -> str | None:
    """Return the column of which some values have nearly all copies, and hardly other rows."""
    own, theirs = row_keys(*(each.frame[list(columns)] for each in (original, release)))
    copied = np.isin(theirs, own)
    for column in columns:
        codes = release.frame[column].factorize(use_na_sentinel=False)[0]
        rows, copies = np.bincount(codes), np.bincount(codes, copied)
        whole = (rows >= _FEWEST_OF_VALUE) & (copies >= _NEARLY_ALL * rows)
        if copies[whole].sum() >= _NEARLY_ALL * copied.sum():
            return column
    return None


def is_identical(findings: Sequence[Finding]) -> bool:
    """Return whether a release has exactly the original's rows."""
    return any(finding.code == IDENTICAL for finding in findings)
