"""The people whose unknown attribute somebody wants to know, each with what is known of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from alc_core.group_posterior.tables import CodeArray, DistinctRows, Domain


@dataclass(frozen=True, eq=False)
class Victims:
    """Distinct combinations of known values."""

    domain: Domain  # Of all values
    known: CodeArray  # Codes; -1 where an attribute is not known
    of_row: NDArray[np.int64]  # Which of them each person is

    @classmethod
    def of(cls, domain: Domain, known: CodeArray) -> Self:
        """Return the distinct combinations among people, shape (n_rows, n_attributes)."""
        found = DistinctRows.of(known)
        return cls(domain, found.rows.astype(np.int32), found.number)

    def __len__(self) -> int:
        return len(self.known)

    @cached_property
    def places(self) -> CodeArray:
        """The known values as places in the one line; -1 where not known."""
        return np.where(self.known < 0, -1, self.domain.in_line(self.known)).astype(np.int32)

    def matching(self, rows: CodeArray) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Return pairs of victims and rows that agree in what is known, in arrays."""
        found = []
        patterns = DistinctRows.of((self.known >= 0).astype(np.int8))
        for number, pattern in enumerate(patterns.rows.astype(bool)):
            some = np.flatnonzero(patterns.number == number)
            found.append(_equal(self.known[some][:, pattern], rows[:, pattern], some))
        return found


def _equal(
    wanted: CodeArray, rows: CodeArray, victims: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return pairs of victim and row; no two victims are equal."""
    if wanted.shape[1] == 0:
        return (
            np.repeat(victims, len(rows)),
            np.tile(np.arange(len(rows)), len(victims)),
        )
    found = DistinctRows.of(np.concatenate([wanted, rows]))
    both, victim_of = found.number, np.full(len(found.rows), -1, dtype=np.intp)
    victim_of[both[: len(wanted)]] = victims
    of_rows = victim_of[both[len(wanted) :]]
    matched = np.flatnonzero(of_rows >= 0)
    return of_rows[matched], matched
