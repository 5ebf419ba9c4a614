"""Checks of released labels: renamed, recoded, shifted, or for several values of the original."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.checks.profile import ColumnProfile
from alc_core.tables.checks.sentences import shown_labels
from alc_core.tables.kinds import MOST_CODES
from alc_core.tables.labels.column_sets import ColumnSets
from alc_core.tables.table import Table
from alc_core.tables.values.texts import bare_text, parse_numbers

MOST_UNKNOWN = 0.5
"""Share of release rows with new labels above which the labels were probably renamed."""

FEW_UNKNOWN = 0.05
"""Share of release rows with new labels below which they are only noted."""

MANY_MADE = 0.02
"""Share of release rows with labels from :func:`is_made` from which on they are asked about."""

DIFFERENT_FREQUENCIES = 0.3
"""Total variation between label frequencies from which a permutation of labels is suspected."""

SAME_PROFILE = 0.1
"""Total variation between sorted frequencies up to which they are the same frequencies."""

_BY_CHANCE = 0.001
_ROWS_FOR_FREQUENCIES = 35
_PEOPLE_TO_NAME = 10
_LABELS_COMPARED = 200
_LETTERS = 4
_NEAR = 0.85
_DIGIT = re.compile(r"\d")
_REACH = 0.8
_MOSTLY = 0.9
_FEWEST_NUMBERS = 10


def is_made(rows: NDArray[np.int64], released: int, original: int) -> NDArray[np.bool_]:
    """Return which labels were made for a release: too frequent for values that people have."""
    return np.asarray(rows * np.log1p(original / max(released, 1)) >= -np.log(_BY_CHANCE))


def check_labels(original: ColumnProfile, release: ColumnProfile) -> Iterator[Finding]:
    """Compare a categorical column's labels."""
    known, found = original.labels, release.labels
    total = int(found.sum())
    if not len(known) or not total:
        return
    if shift := _shift(known, found):
        sign = "plus" if shift > 0 else "minus"
        yield release.found(Severity.QUESTION, "recoded-integers", "shifted", sign=sign)
        return
    plain = found.drop(release.generalized.index)
    new = plain[~plain.index.isin(known.index)]
    share = float(new.sum()) / total
    facts: dict[str, Any] = {"share": share, "labels": shown_labels(new.index)}
    made = new[is_made(new.to_numpy(), total, int(known.sum()))]
    if share > MOST_UNKNOWN or float(made.sum()) >= MANY_MADE * total:
        if _are_amounts(known, new):
            yield release.found(Severity.QUESTION, "unknown-labels", "amounts", **facts)
        else:
            facts |= _spelling(known, new)
            yield release.found(Severity.QUESTION, "unknown-labels", "renamed", **facts)
        return
    if share > 0:
        level = Severity.INFO if share < FEW_UNKNOWN else Severity.WARNING
        facts |= {"distinct": len(new), **_spelling(known, new)}
        case = "few-amounts" if _are_amounts(known, new) else ""
        yield release.found(level, "unknown-labels", case, **facts)
    if plain.sum() >= _MOSTLY * total and _is_permuted(known, found):
        yield release.found(Severity.QUESTION, "recoded-integers", "exchanged")


def _are_amounts(known: pd.Series, new: pd.Series) -> bool:
    """Return whether new values are mostly numbers between those of an original with few texts."""
    before = parse_numbers([str(label) for label in known.index])
    before = before[np.isfinite(before)]
    if len(before) < _FEWEST_NUMBERS or len(known) - len(before) > MOST_CODES:
        return False
    after = parse_numbers([str(label) for label in new.index])
    inside = (after > before.min()) & (after < before.max())
    return bool(new[inside].sum() >= _MOSTLY * new.sum())


def _spelling(known: pd.Series, new: pd.Series) -> dict[str, Any]:
    """Name a label of the original that a new one nearly spells, if there is one."""
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
    """Return by how much whole-number codes moved (+1 or -1), or None if they did not."""
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
    """Return the share of each whole-number code, or None if there are other labels."""
    labels = [str(label) for label in counts.index]
    if not all(label.removeprefix("-").isdecimal() and len(label) < 16 for label in labels):
        return None
    total = float(counts.sum())
    return {int(label): float(n) / total for label, n in zip(labels, counts, strict=True)}


def _variation(first: dict[int, float], second: dict[int, float]) -> float:
    """Return the total variation distance of two distributions."""
    keys = set(first) | set(second)
    return 0.5 * sum(abs(first.get(key, 0.0) - second.get(key, 0.0)) for key in keys)


def _is_permuted(known: pd.Series, found: pd.Series) -> bool:
    """Return whether the same frequencies belong to other labels.

    An anonymized release keeps roughly how frequent each label is, so that labels whose
    frequencies differ much while the frequencies as such agree were exchanged.
    """
    if min(known.sum(), found.sum()) < _ROWS_FOR_FREQUENCIES or len(known) < 2:
        return False
    shares = pd.DataFrame({"known": known / known.sum(), "found": found / found.sum()}).fillna(0.0)
    before, after = shares["known"].to_numpy(), shares["found"].to_numpy()
    moved = 0.5 * float(np.abs(before - after).sum())
    profile = 0.5 * float(np.abs(np.sort(before) - np.sort(after)).sum())
    return moved > DIFFERENT_FREQUENCIES and profile < SAME_PROFILE


def check_sets(
    release: Table, columns: Sequence[ColumnSets], *, known: Collection[str]
) -> Iterator[Finding]:
    """Say which columns have labels that stand for several values, and which cannot be used."""
    if shares := tuple((sets.column, sets.share) for sets in columns if sets.labels):
        yield Finding.of(Severity.INFO, "generalized-values", release.name, shares=shares)
    for sets in columns:
        found = partial(Finding.of, table=release.name, column=sets.column)
        if sets.suppressed_share >= 1:
            level = Severity.WARNING if sets.column in known else Severity.INFO
            yield found(level, "suppressed-column")
        if sets.unread:
            yield found(
                Severity.ERROR if sets.numeric else Severity.QUESTION, "unread-labels",
                case="numeric" if sets.numeric else "",
                share=sum(label.rows for label in sets.unread) / max(1, sets.n_rows),
                labels=shown_labels([label.label for label in sets.unread]),
            )  # fmt: skip
