"""What released labels cover, and how that was found."""

from __future__ import annotations

import enum
import math
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray
from alc_core.errors import ParameterError
from alc_core.plain_values import plain_of
from alc_core.tables.values.dates import datetime_values, format_of, iso_day
from alc_core.tables.values.texts import label_codes, label_counts, numeric_values, parse_numbers

SUPPRESSED_CELL = ""  # Label of an empty cell


@dataclass(frozen=True, slots=True)
class Interval:
    """Numbers between two bounds; for dates, days since 1970.

    Attributes
    ----------
    low, high : float
        Infinite if unbounded.
    low_open, high_open : bool
        Whether the bound is excluded.

    Raises
    ------
    ParameterError
        If the interval is empty.

    Examples
    --------
    >>> 40 in Interval(20, 40), 40 in Interval(20, 40, high_open=True)
    (True, False)
    """

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False

    def __post_init__(self) -> None:
        least, most = self.closed_bounds
        if not least <= most:
            raise ParameterError(f"An interval from {self.low} to {self.high} covers nothing.")

    @property
    def closed_bounds(self) -> tuple[float, float]:
        """Least and greatest number covered."""
        low = math.nextafter(self.low, math.inf) if self.low_open else self.low
        return low, math.nextafter(self.high, -math.inf) if self.high_open else self.high

    def __contains__(self, value: float) -> bool:
        low, high = self.closed_bounds
        return low <= value <= high


@dataclass(frozen=True, slots=True)
class AnyValue:
    """Every value, also missing: what a suppressed cell covers."""


ANY = AnyValue()  # What a suppressed cell stands for
# Labels of a categorical column, an interval, or anything
ValueSet = AbstractSet[str] | Interval | AnyValue


class Domain:
    """The original's values of a column, for reading labels."""

    def __init__(self, series: pd.Series, *, numeric: bool, of_dates: bool = False) -> None:
        self.series = series
        self.numeric = numeric
        self.of_dates = of_dates

    @cached_property
    def rows(self) -> FloatArray:
        """Each row's number or day, NaN if missing."""
        return datetime_values(self.series) if self.of_dates else numeric_values(self.series)

    @cached_property
    def date_format(self) -> str | None:
        """Format of dates; None for others and real dates."""
        return format_of(self.series) if self.of_dates else None

    @cached_property
    def _counted(self) -> tuple[FloatArray, IntArray]:
        present = self.rows[~np.isnan(self.rows)]
        values, counts = np.unique(present, return_counts=True)
        return values.astype(np.float64), counts.astype(np.int64)

    @property
    def numbers(self) -> FloatArray:
        """The distinct numbers or days, ascending."""
        return self._counted[0]

    @cached_property
    def whole(self) -> bool:
        """Whether numbers have no fraction, dates no time."""
        return bool((self.numbers == np.floor(self.numbers)).all())

    @property
    def number_counts(self) -> IntArray:
        """Rows of each distinct number or day."""
        return self._counted[1]

    @cached_property
    def labels(self) -> pd.Series:
        """Rows per canonical label."""
        return label_counts(self.series)

    @cached_property
    def label_numbers(self) -> FloatArray:
        """The labels as numbers, NaN for others."""
        return parse_numbers([str(label) for label in self.labels.index])

    @cached_property
    def _sorted_labels(self) -> list[str]:
        return sorted(str(label) for label in self.labels.index)

    def labels_from(self, start: str) -> list[str]:
        """Return labels with a beginning, in order."""
        labels = self._sorted_labels
        first = bisect_left(labels, start)
        return labels[first : bisect_right(labels, start, lo=first, key=lambda x: x[: len(start)])]

    def has(self, label: str) -> bool:
        """Return whether the original has a label itself."""
        return label in self.labels.index

    def chosen(self, value_set: ValueSet) -> NDArray[np.bool_]:
        """Return distinct values a set covers: numbers ascending, or labels in order.

        Without distances an interval covers nothing.
        """
        size = len(self.numbers) if self.numeric else len(self.labels)
        if isinstance(value_set, AnyValue):
            return np.ones(size, dtype=bool)
        if isinstance(value_set, Interval):
            if not self.numeric:
                return np.zeros(size, dtype=bool)
            low, high = value_set.closed_bounds
            return (self.numbers >= low) & (self.numbers <= high)
        if self.numeric:
            return np.zeros(size, dtype=bool)
        return np.asarray(self.labels.index.isin(list(value_set)), dtype=bool)

    def share(self, value_set: ValueSet) -> float:
        """Return the share of the original's rows covered by a set."""
        counts = self.number_counts if self.numeric else self.labels.to_numpy()
        return float(counts[self.chosen(value_set)].sum()) / max(1, int(counts.sum()))


_SHOWN = 4


class HowFound(enum.StrEnum):
    """How it was found what a label covers."""

    NOTATION = "notation"
    SPELLING = "spelling"
    CUT = "cut code"
    LINKED = "linked rows"
    CODES = "interval code"
    TOP = "top code"
    BOTTOM = "bottom code"
    SUPPRESSED = "suppressed"
    HIERARCHY = "hierarchy"
    GIVEN = "given"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSet:
    """What one released label covers."""

    label: str  # As released; empty for an empty cell
    covers: ValueSet  # What it stands for
    words: str  # The original's values covered, in words
    n_values: int  # Distinct original values covered
    rows: int  # Released rows with the label
    share: float  # Their share of the release
    found: HowFound  # How it was found
    doubt: str = ""  # What may be wrong with it

    @classmethod
    def of(
        cls, domain: Domain, label: str, covers: ValueSet, found: HowFound, doubt: str = "",
        *, rows: Mapping[str, int], n_rows: int,
    ) -> Self:  # fmt: skip
        """Describe a label's meaning in the original's terms."""
        count = rows.get(label, 0)
        return cls(
            label=label, covers=covers, words=covered_words(domain, covers),
            n_values=int(np.count_nonzero(domain.chosen(covers))),
            rows=count, share=count / max(1, n_rows), found=found, doubt=doubt,
        )  # fmt: skip

    @property
    def shown_label(self) -> str:
        """The label, or a name for an empty cell."""
        return self.label or "(empty)"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        named = {"label": self.label, "covers": self.words, "values": self.n_values}
        return {**named, **plain_of(self, "rows", "share", "found", "doubt")}


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadLabel:
    """A generalized label without known meaning."""

    label: str  # As released
    rows: int  # Rows with it
    reason: str  # What is wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSets:
    """A released column's generalized labels."""

    column: str
    numeric: bool  # Whether values have a distance
    labels: tuple[LabelSet, ...]  # Most rows first
    unread: tuple[UnreadLabel, ...]  # Unreadable, or covering nothing
    n_rows: int  # Of the release

    @classmethod
    def of(
        cls, column: str, domain: Domain, labels: Iterable[LabelSet],
        unread: Iterable[UnreadLabel], n_rows: int,
    ) -> Self:  # fmt: skip
        """Sort the labels of a column."""
        return cls(
            column=column, numeric=domain.numeric, unread=tuple(unread), n_rows=n_rows,
            labels=tuple(sorted(labels, key=lambda label: (-label.rows, label.label))),
        )  # fmt: skip

    @property
    def sets(self) -> dict[str, ValueSet]:
        """Label meanings for :meth:`Table.with_value_sets`."""
        return {label.label: label.covers for label in self.labels}

    @property
    def share(self) -> float:
        """Share of rows with generalized labels."""
        return sum(label.rows for label in self.labels) / max(1, self.n_rows)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "column": self.column,
            "share": self.share,
            "labels": [label.to_dict() for label in self.labels],
            "unread": [plain_of(label, "label", "rows", "reason") for label in self.unread],
        }


def label_rows(released: pd.Series, labels: Collection[str]) -> NDArray[np.bool_]:
    """Return rows with these labels; "" for empty cells."""
    codes, found = label_codes(released)
    chosen = np.array([label in labels for label in [*found, SUPPRESSED_CELL]], dtype=bool)
    return chosen[codes]


def covered_words(domain: Domain, covers: ValueSet) -> str:
    """Return the original's values covered, in words."""
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
            return iso_day(number)
        return f"{number:,.10g}" if abs(number) >= 10_000 else f"{number:.10g}"  # Years, too

    if low == high:
        return shown_as(low)
    if isinstance(covers, Interval) and math.isinf(covers.high):
        return f"{shown_as(low)} and over"
    if isinstance(covers, Interval) and math.isinf(covers.low):
        return f"{shown_as(high)} and under"
    return f"{shown_as(low)} to {shown_as(high)}"
