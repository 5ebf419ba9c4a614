"""Check for editions: released tables with the same people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from alc_core.tables.checks.finding import Finding, Offer, Severity
from alc_core.tables.labels.find import column_sets
from alc_core.tables.same_rows import row_keys
from alc_core.tables.table import Table
from alc_core.tables.values.texts import canonical_labels

EDITIONS = "editions"  # Code of the question

# Limits; see tests/unit/tables/checks/test_editions.py
_FEWEST_ROWS = 35  # Rows of a table that is examined
_STANDARD_ERRORS = 6.0  # Of the rows in common
_LEAST_COMMON = 0.1  # Share of the smaller table's rows in common
_SAME_PEOPLE = 0.5  # If only some columns are in the same classes
_SAME_CLASSES = 0.5  # Share of generalized rows with labels of both tables


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """Rows that two tables share beyond chance."""

    share: float  # Of the smaller table; low if most rows are unique
    errors: float  # Standard errors above chance


def check_editions(original: Table, releases: Sequence[Table]) -> Iterator[Finding]:
    """Ask if a released table is an edition of an earlier one."""
    for place, later in enumerate(releases):
        for earlier in releases[:place]:
            if found := _edition(original, earlier, later):
                yield found
                break


def _edition(original: Table, earlier: Table, later: Table) -> Finding | None:
    told = [{*table.columns} & {*original.own_compared} for table in (earlier, later)]
    if not (told[0] <= told[1] or told[1] <= told[0]):
        return None
    if min(len(earlier), len(later)) < _FEWEST_ROWS:
        return None
    shared = [column for column in earlier.columns if column in told[0] & told[1]]
    alike = [column for column in shared if _same_classes(original, earlier, later, column)]
    if not alike:
        return None
    common = common_rows(earlier, later, alike)
    whole = len(alike) == len(shared)
    least = _LEAST_COMMON if whole else _SAME_PEOPLE
    if common.share < least or common.errors < _STANDARD_ERRORS:
        return None
    return Finding.of(
        Severity.QUESTION, EDITIONS, later.name,
        offers=(Offer("release-type", "series"),), other=earlier.name, whole=whole,
        columns=tuple(column for column in shared if column not in alike) or None,
    )  # fmt: skip


def _same_classes(original: Table, earlier: Table, later: Table, column: str) -> bool:
    labelled, kept = 0, 0
    for one, other in ((earlier, later), (later, earlier)):
        sets = column_sets(original, one, [column]).get(column)
        if sets is None:
            continue
        values = canonical_labels(one.frame[column])
        values = values[values.isin([label.label for label in sets.labels])]
        labelled += len(values)
        kept += int(values.isin(canonical_labels(other.frame[column]).unique()).sum())
    return kept >= _SAME_CLASSES * labelled


def common_rows(one: Table, other: Table, columns: Sequence[str]) -> Common:
    """Return rows shared beyond independent draws from one population.

    For independent draws, if `t` rows of a kind are in both together, the first's are binomial;
    common rows make counts more similar.
    """
    keys = row_keys(one.frame[[*columns]], other.frame[[*columns]])
    _, kinds = np.unique(np.concatenate(keys), return_inverse=True)
    first = np.bincount(kinds[: len(one)], minlength=int(kinds.max()) + 1).astype(np.float64)
    total = np.bincount(kinds).astype(np.float64)
    p = len(one) / (len(one) + len(other))
    variance = total * p * (1 - p)
    missing = float((1 - (first - p * total) ** 2 / variance).sum())
    error = float(np.sqrt((2 + (1 - 6 * p * (1 - p)) / variance).sum()))
    return Common(
        share=missing / len(total) / (2 * min(p, 1 - p)), errors=missing / max(error, 1.0)
    )
