"""Checks of released labels, numbers, dates and storage."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from alc_core.phrasing import in_list
from alc_core.tables.checks.columns import check_column, check_released_identifier
from alc_core.tables.checks.finding import Finding, Offer, Severity, shown_labels
from alc_core.tables.checks.profile import ColumnProfile, Profiles
from alc_core.tables.checks.scales import check_scale
from alc_core.tables.kinds import MOST_CODES
from alc_core.tables.labels.unknown import is_asked
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.thousands import mark_of
from alc_core.tables.value_sets import ColumnSets, HowFound, label_rows
from alc_core.tables.values.amounts import are_amounts
from alc_core.tables.values.generalized import texts_among_numbers
from alc_core.tables.values.no_value import no_value_words, spelled_otherwise
from alc_core.tables.values.texts import bare_text, label_counts

_MOST_TEXTS = 0.5  # Share of texts among numbers that are asked about
_MOSTLY_SINGLE = 0.5  # Share of single values
_THOUSAND = 1000.0
_ABOUT = 10.0  # Factor within which numbers are similar


def check_thousands(
    original: ColumnProfile, releases: Sequence[ColumnProfile]
) -> Iterator[Finding]:
    """Ask whether marks separate thousands, if tables then differ."""
    every = (original, *releases)
    for own in every if releases and original.kind is not ColumnKind.IGNORE else ():
        all_have_one = own.table.maybe_thousands.get(own.column)
        if all_have_one is None or own.column in original.table.overrides:
            continue
        if (
            own.is_stored_as_text
            or not all_have_one
            or any(_is_thousandth(own, other) for other in every)
        ):
            mark = mark_of(own.table, own.column)
            of_marks = [("thousands", mark), ("decimal", mark)]
            yield Finding.of(
                Severity.QUESTION, "maybe-thousands", own.table.name, own.column, mark=mark,
                offers=tuple(Offer(what, f"{own.table.name}={mark}") for what, mark in of_marks),
            )  # fmt: skip


def _is_thousandth(own: ColumnProfile, other: ColumnProfile) -> bool:
    numbers, others = (np.abs(each.numbers[np.isfinite(each.numbers)]) for each in (own, other))
    if not len(numbers) or not len(others) or not (middle := float(np.median(numbers))):
        return False
    return _THOUSAND / _ABOUT < float(np.median(others)) / middle < _THOUSAND * _ABOUT


def check_unreadable(original: ColumnProfile, release: ColumnProfile) -> Iterator[Finding]:
    """Find text where the original has numbers or dates."""
    if original.kind is ColumnKind.DATETIME:
        yield from _unreadable_dates(release)
    elif original.kind is ColumnKind.CONTINUOUS:
        yield from _unreadable_numbers(original, release)


def _unreadable_numbers(original: ColumnProfile, release: ColumnProfile) -> Iterator[Finding]:
    if not release.is_stored_as_text:
        return
    labels = release.labels.drop(release.generalized.index)
    failing = labels[texts_among_numbers([str(label) for label in labels.index])]
    if len(failing) and original.is_stored_as_text:
        failing = failing[~failing.index.isin(original.labels.index)]
    if not len(failing):
        return
    share = float(failing.sum()) / release.n_present
    few = len(failing) <= MOST_CODES and share < _MOST_TEXTS
    yield release.found(
        Severity.QUESTION if few else Severity.ERROR, "text-numbers", "few" if few else "many",
        share=share, labels=shown_labels(failing.index),
    )  # fmt: skip


def _unreadable_dates(release: ColumnProfile) -> Iterator[Finding]:
    present = ~release.missing
    if not present.any() or release.generalized.sum() > 0:
        return
    failing = label_counts(release.series[present & np.isnan(release.days)])
    if release.is_stored_as_text:
        failing = failing.drop(no_value_words(map(str, release.labels.index)), errors="ignore")
    if len(failing):
        share = float(failing.sum()) / int(present.sum())
        yield release.found(
            Severity.ERROR, "unreadable-dates", share=share, labels=shown_labels(failing.index)
        )


def check_released(
    before: ColumnProfile,
    release: Table,
    sets: ColumnSets | None,
    profiles: Profiles,
    *,
    is_known: bool,
    is_unknown: bool,
) -> Iterator[Finding]:
    """Check a released column's single values against the original's.

    Beside generalized labels, few single values are weaker evidence.
    """
    share = 1.0
    if sets is not None and sets.labels:
        column = release.frame[before.column]
        single = column.where(~label_rows(column, sets.sets))
        release = replace(release, frame=pd.DataFrame({before.column: single}))
        share -= sets.share
    after = profiles.of(release, before.column)
    is_whole = share == 1
    if not is_whole and not after.n_present:
        return
    if share >= _MOSTLY_SINGLE:
        if not is_unknown and not (is_whole and after.kind is ColumnKind.IDENTIFIER):
            yield from check_column(after, is_known=is_known, is_unknown=is_unknown)
        if before.kind.is_numeric:
            yield from check_scale(before, after)
    if before.kind is ColumnKind.CATEGORICAL:
        yield from check_labels(before, after, of_rows=share)
    if is_whole:
        yield from check_released_identifier(before, after)
    yield from check_unreadable(before, after)


FEW_UNKNOWN = 0.05  # Share of rows with new labels that is only noted
DIFFERENT_FREQUENCIES = 0.3  # Total variation of frequencies if labels were exchanged
SAME_PROFILE = 0.1  # At most, of sorted frequencies
_FEWEST_EXCHANGED = 5  # Labels whose numbers of rows are others'
_ROWS_FOR_FREQUENCIES = 35  # Rows whose frequencies are compared
_PEOPLE_TO_NAME = 10  # People that share a label shown
_LABELS_COMPARED = 200  # Labels whose spelling is compared
_LETTERS = 4  # Letters of such a label
_NEAR = 0.85  # Similarity of two spellings (difflib)
_DIGIT = re.compile(r"\d")
_REACH = 0.8  # Share of codes explained by a shift
_MOSTLY = 0.9  # Share of rows with plain labels


def check_labels(
    original: ColumnProfile, release: ColumnProfile, *, of_rows: float
) -> Iterator[Finding]:
    """Compare a categorical column's labels, in a share of the release's rows."""
    known, found = original.labels, release.labels
    plain_labels = map(str, found.index.drop(release.generalized.index))
    if respelled := spelled_otherwise([*map(str, known.index)], plain_labels):
        found = found.rename(index=respelled).groupby(level=0, sort=False).sum()
    total = int(found.sum())
    if not len(known) or not total:
        return
    if shift := _shift(known, found):
        sign = "plus" if shift > 0 else "minus"
        yield release.found(Severity.QUESTION, "recoded-integers", "shifted", sign=sign)
        return
    plain = found.drop(release.generalized.index)
    new = plain[~plain.index.isin(known.index)]
    share = of_rows * float(new.sum()) / total
    facts: dict[str, Any] = {"share": share, "labels": shown_labels(new.index)}
    amounts = original.column not in original.table.overrides and are_amounts(known, plain)
    if amounts:
        offers = (Offer("continuous", in_list(original.column)),)
        yield release.found(Severity.INFO, "unknown-labels", "amounts", offers=offers, **facts)
        return
    if is_asked(known, new, total):
        facts |= _spelling(known, new)
        yield release.found(Severity.QUESTION, "unknown-labels", "renamed", **facts)
        return
    if share > 0:
        level = Severity.INFO if share < FEW_UNKNOWN else Severity.WARNING
        facts |= {"distinct": len(new), **_spelling(known, new)}
        yield release.found(level, "unknown-labels", **facts)
    if plain.sum() >= _MOSTLY * total and _is_permuted(known, found):
        yield release.found(Severity.QUESTION, "recoded-integers", "exchanged")


def _spelling(known: pd.Series, new: pd.Series) -> dict[str, Any]:
    common = [str(label) for label in known.index[known >= _PEOPLE_TO_NAME][:_LABELS_COMPARED]]
    bare = {bare_text(label): label for label in reversed(common)}
    words = [label for label in common if not _DIGIT.search(label)]
    for label in map(str, new.index[:_LABELS_COMPARED]):
        meant = bare.get(bare_text(label)) if bare_text(label) else None
        if meant is None and len(label) >= _LETTERS and not _DIGIT.search(label):
            meant = next(iter(difflib.get_close_matches(label, words, n=1, cutoff=_NEAR)), None)
        if meant is not None:
            return {"meant": meant, "spelled": (label,)}
    return {}


def _shift(known: pd.Series, found: pd.Series) -> int | None:
    """Return the shift of whole-number codes (+1 or -1), if any."""
    before, after = _codes(known), _codes(found)
    if before is None or after is None or len(after) < 2 or set(after) <= set(before):
        return None
    for step in (1, -1):
        back = {code - step: share for code, share in after.items()}
        covers = set(back) <= set(before) and len(back) >= _REACH * len(before)
        if covers and _variation(before, back) < _variation(before, after):
            return step
    return None


def _codes(counts: pd.Series) -> dict[int, float] | None:
    labels = [str(label) for label in counts.index]
    if not all(label.removeprefix("-").isdecimal() and len(label) < 16 for label in labels):
        return None
    total = float(counts.sum())
    return {int(label): float(n) / total for label, n in zip(labels, counts, strict=True)}


def _variation(first: dict[int, float], second: dict[int, float]) -> float:
    keys = set(first) | set(second)
    return 0.5 * sum(abs(first.get(key, 0.0) - second.get(key, 0.0)) for key in keys)


def _is_permuted(known: pd.Series, found: pd.Series) -> bool:
    """Return whether labels were exchanged.

    Labels' frequencies then differ, but not the sorted ones; of several, equal numbers suffice.
    """
    if min(known.sum(), found.sum()) < _ROWS_FOR_FREQUENCIES or len(known) < 2:
        return False
    shares = pd.DataFrame({"known": known / known.sum(), "found": found / found.sum()}).fillna(0.0)
    before, after = shares["known"].to_numpy(), shares["found"].to_numpy()
    moved = 0.5 * float(np.abs(before - after).sum())
    profile = 0.5 * float(np.abs(np.sort(before) - np.sort(after)).sum())
    exactly = sorted(known) == sorted(found) and (before != after).sum() >= _FEWEST_EXCHANGED
    return exactly or (moved > DIFFERENT_FREQUENCIES and profile < SAME_PROFILE)


def check_sets(release: Table, columns: Sequence[ColumnSets]) -> Iterator[Finding]:
    """Report generalized columns, and unusable ones."""
    rows: dict[str, dict[str, int]] = {"generalized-values": {}, "respelled-values": {}}
    for sets in columns:
        for label in sets.labels:
            respelled = label.found is HowFound.SPELLING
            of = rows["respelled-values" if respelled else "generalized-values"]
            of[sets.column] = of.get(sets.column, 0) + label.rows
    for code, of in rows.items():
        if shares := tuple((column, n / max(1, len(release))) for column, n in of.items()):
            yield Finding.of(Severity.INFO, code, release.name, shares=shares)
    for sets in columns:
        found = partial(Finding.of, table=release.name, column=sets.column)
        if sets.unread:
            yield found(
                Severity.ERROR if sets.numeric else Severity.QUESTION, "unread-labels",
                case="numeric" if sets.numeric else "",
                share=sum(label.rows for label in sets.unread) / max(1, sets.n_rows),
                labels=shown_labels([label.label for label in sets.unread]),
            )  # fmt: skip
