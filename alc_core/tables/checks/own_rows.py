"""Which rows of a release are a person's own, so that they can be taken out."""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.note import ROW_ORDER
from alc_core.tables.checks.facts import shared_columns, verbatim
from alc_core.tables.checks.links import check_links
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.same_rows import row_keys
from alc_core.tables.table import Table


class OwnRule(enum.StrEnum):
    """By what a row is known to be a person's."""

    ORDER = "order"  # It stands where the person's row stands in the original
    VERBATIM = "verbatim"  # It is the person's row as it is


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnRows:
    """People of an original and rows of a release; equal keys belong together."""

    rule: OwnRule
    people: NDArray[np.uint64]  # Of each row of the original
    released: NDArray[np.uint64]  # Of each row of the release

    def without(self, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the rows of the release that stay when those of some people are taken out.

        Where people are alike, as many of their rows go as there are people taken out.
        """
        keys, times = np.unique(self.people[rows], return_counts=True)
        order = np.argsort(self.released, kind="stable")
        first = np.searchsorted(self.released[order], keys)
        last = np.searchsorted(self.released[order], keys, side="right")
        gone = [order[a : min(a + n, z)] for a, n, z in zip(first, times, last, strict=True)]
        kept = np.ones(len(self.released), dtype=bool)
        kept[np.concatenate(gone)] = False
        return np.flatnonzero(kept)


def own_rows(original: Table, release: Table) -> OwnRows | None:
    """Return whose row each row of a release is; None where nothing says so.

    Rows are people's own where they stand in the original's order, as values that were swapped,
    coarsened or perturbed in place do, or where clearly more of them than by chance are the
    original's as they are.
    """
    if len(original) == len(release) and any(
        found.code == ROW_ORDER for found in check_links(original, release, Profiles())
    ):
        places = np.arange(len(original), dtype=np.uint64)
        return OwnRows(rule=OwnRule.ORDER, people=places, released=places)
    columns = shared_columns(original, release)
    if len(columns) < 2 or not len(release):
        return None
    found = verbatim(original, release, columns)
    if not found.beyond_chance:
        return None
    frames = (each.frame[list(found.columns)] for each in (original, release))
    people, released = row_keys(*frames)
    return OwnRows(rule=OwnRule.VERBATIM, people=people, released=released)
