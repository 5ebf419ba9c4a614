"""What the labels of one released column stand for, and how that was found."""

from __future__ import annotations

import enum
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.tables.value_sets import SUPPRESSED_CELL, AnyValue, Domain, Interval, ValueSet
from alc_core.tables.values.texts import label_codes

_SHOWN = 4


class HowFound(enum.StrEnum):
    """How it was found what a label covers."""

    NOTATION = "notation"
    LINKED = "linked rows"
    CODES = "interval code"
    TOP = "top code"
    BOTTOM = "bottom code"
    SUPPRESSED = "suppressed"
    GIVEN = "given"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSet:
    """What one released label stands for."""

    label: str  # As released; empty for an empty cell
    covers: ValueSet  # What it stands for
    words: str  # The values of the original that it covers, in words
    n_values: int  # How many distinct values of the original that is
    rows: int  # Rows of the release with the label
    share: float  # Their share of the release
    found: HowFound  # How it was found
    doubt: str = ""  # What may be wrong with it; empty if nothing

    @classmethod
    def of(
        cls, domain: Domain, label: str, covers: ValueSet, found: HowFound, doubt: str = "",
        *, rows: Mapping[str, int], n_rows: int,
    ) -> Self:  # fmt: skip
        """Describe what a label stands for in terms of the original's values."""
        count = rows.get(label, 0)
        return cls(
            label=label, covers=covers, words=covered_words(domain, covers),
            n_values=int(np.count_nonzero(domain.chosen(covers))),
            rows=count, share=count / max(1, n_rows), found=found, doubt=doubt,
        )  # fmt: skip

    @property
    def shown_label(self) -> str:
        """The label, or what an empty cell is called."""
        return self.label or "(empty)"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "label": self.label,
            "covers": self.words,
            "values": self.n_values,
            "rows": self.rows,
            "share": self.share,
            "found": self.found.value,
            "doubt": self.doubt,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadLabel:
    """A released label that stands for several values, but nothing says for which."""

    label: str  # As released
    rows: int  # Rows with it
    reason: str  # What is wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSets:
    """The labels of a released column that stand for several values of the original."""

    column: str
    numeric: bool  # Whether the original's values have a distance
    labels: tuple[LabelSet, ...]  # Most rows first
    unread: tuple[UnreadLabel, ...]  # Labels that could not be read, or cover nothing
    n_rows: int  # Of the release

    @classmethod
    def of(
        cls, column: str, domain: Domain, labels: Iterable[LabelSet],
        unread: Iterable[UnreadLabel], n_rows: int,
    ) -> Self:  # fmt: skip
        """Bring the labels of a column in order."""
        return cls(
            column=column, numeric=domain.numeric, unread=tuple(unread), n_rows=n_rows,
            labels=tuple(sorted(labels, key=lambda label: (-label.rows, label.label))),
        )  # fmt: skip

    @property
    def sets(self) -> dict[str, ValueSet]:
        """What each label stands for, as :meth:`Table.with_value_sets` takes it."""
        return {label.label: label.covers for label in self.labels}

    @property
    def share(self) -> float:
        """Share of the rows with a label that stands for several values."""
        return sum(label.rows for label in self.labels) / max(1, self.n_rows)

    @property
    def suppressed_share(self) -> float:
        """Share of the rows with a label that may be any value."""
        every = (label.rows for label in self.labels if isinstance(label.covers, AnyValue))
        return sum(every) / max(1, self.n_rows)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "column": self.column,
            "share": self.share,
            "labels": [label.to_dict() for label in self.labels],
            "unread": [
                {"label": label.label, "rows": label.rows, "reason": label.reason}
                for label in self.unread
            ],
        }


def label_rows(released: pd.Series, labels: Collection[str]) -> NDArray[np.bool_]:
    """Return which rows of a released column have one of some labels; empty for an empty cell."""
    codes, found = label_codes(released)
    chosen = np.array([label in labels for label in [*found, SUPPRESSED_CELL]], dtype=bool)
    return chosen[codes]


def covered_words(domain: Domain, covers: ValueSet) -> str:
    """Say which values of the original a set covers."""
    if isinstance(covers, AnyValue):
        return "any value"
    chosen = domain.chosen(covers)
    if not chosen.any():
        return "no value of the original"
    if not domain.numeric:
        labels = sorted(str(label) for label in domain.labels.index[chosen])
        shown = labels[:_SHOWN] if len(labels) > _SHOWN + 1 else labels
        more = len(labels) - len(shown)
        return f"{', '.join(shown)} and {more} more" if more else ", ".join(shown)
    low, high = domain.numbers[chosen][[0, -1]]

    def shown_as(number: float) -> str:
        if domain.of_dates:
            return str(np.datetime64(int(number // 1), "D"))
        return f"{number:,.10g}".replace(",", "\u202f")

    if low == high:
        return shown_as(low)
    if isinstance(covers, Interval) and math.isinf(covers.high):
        return f"{shown_as(low)} and over"
    if isinstance(covers, Interval) and math.isinf(covers.low):
        return f"{shown_as(high)} and under"
    return f"{shown_as(low)} to {shown_as(high)}"
