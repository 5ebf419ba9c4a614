"""Changes of one column of a release, as the person who anonymizes would make them."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import ClassVar

from alc_core.phrasing import decimal, listed, numbered, percent, quoted
from alc_core.tables.value_sets import Interval

_SHOWN = 4
"""Labels, values and columns that are named."""

_MOST_SPELLED = 2
"""Changes that are each said in full."""


class ChangeKind(enum.StrEnum):
    """What is done to a column."""

    DROP = "drop"
    COARSEN = "coarsen"
    SWAP = "swap"


@dataclass(frozen=True, slots=True, kw_only=True)
class DropColumn:
    """Leave a column out."""

    kind: ClassVar[ChangeKind] = ChangeKind.DROP

    column: str

    @property
    def words(self) -> str:
        """The change in a few words."""
        return f"Drop {self.column}"

    @property
    def instruction(self) -> str:
        """What to do, in a sentence."""
        return f"Leave column '{self.column}' out of the release."


@dataclass(frozen=True, slots=True, kw_only=True)
class CoarsenNumbers:
    """Write intervals instead of numbers or dates."""

    kind: ClassVar[ChangeKind] = ChangeKind.COARSEN

    column: str
    # First number of each interval, and the last one's end; days since 1970 of dates
    bounds: tuple[float, ...]
    labels: tuple[str, ...]  # How each interval is written
    covers: tuple[Interval, ...]  # What each interval covers
    width: float | None  # Of each interval; None where they hold about as many rows each

    @property
    def n_values(self) -> int:
        """How many values there are afterwards."""
        return len(self.labels)

    @property
    def words(self) -> str:
        """The change in a few words."""
        how = f" of {decimal(self.width)}" if self.width else ", about as many rows each"
        return f"Coarsen {self.column} into {numbered(len(self.labels), 'interval')}{how}"

    @property
    def instruction(self) -> str:
        """What to do, in a sentence."""
        return f"Write '{self.column}' in intervals: {'; '.join(self.labels)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeRare:
    """Write one label instead of the rare values of a category."""

    kind: ClassVar[ChangeKind] = ChangeKind.COARSEN

    column: str
    below: float  # A value is rare if fewer than this share of the rows have it
    rare: tuple[str, ...]  # These values of the release
    kept: int  # How many other values there are
    label: str  # What is written instead

    @property
    def n_values(self) -> int:
        """How many values there are afterwards."""
        return self.kept + 1

    @property
    def words(self) -> str:
        """The change in a few words."""
        return f"Merge the {numbered(len(self.rare), 'value')} of {self.column} rarer than " + (
            f"{percent(self.below)} into '{self.label}'"
        )

    @property
    def instruction(self) -> str:
        """What to do, in a sentence."""
        return (
            f"Write '{self.label}' instead of {quoted(self.rare, most=_SHOWN)} in '{self.column}': "
            f"each is in fewer than {percent(self.below)} of the rows."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UseLevel:
    """Write the labels of a level of a hierarchy."""

    kind: ClassVar[ChangeKind] = ChangeKind.COARSEN

    column: str
    level: int  # From 1 on, the finest first
    # Each label of the level with the values that it covers
    labels: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def n_values(self) -> int:
        """How many values there are afterwards."""
        return len(self.labels)

    @property
    def words(self) -> str:
        """The change in a few words."""
        return f"Coarsen {self.column} to level {self.level} of its hierarchy"

    @property
    def instruction(self) -> str:
        """What to do, in a sentence."""
        names = quoted([label for label, _ in self.labels], most=_SHOWN)
        return f"Write '{self.column}' by level {self.level} of its hierarchy: {names}."


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapColumn:
    """Permute the values of a share of the rows among each other."""

    kind: ClassVar[ChangeKind] = ChangeKind.SWAP

    column: str
    share: float  # Share of the rows

    @property
    def words(self) -> str:
        """The change in a few words."""
        return f"Swap {percent(self.share)} of {self.column}"

    @property
    def instruction(self) -> str:
        """What to do, in a sentence."""
        if self.share == 1:
            return f"Permute the values of '{self.column}' at random among all rows."
        return (
            f"Permute the values of '{self.column}' at random among {percent(self.share)} of the "
            "rows, chosen at random."
        )


Coarsen = CoarsenNumbers | MergeRare | UseLevel
"""Ways to coarsen a column."""

Change = DropColumn | Coarsen | SwapColumn
"""A change of one column."""

Remedy = tuple[Change, ...]
"""Changes that are made together, each of another column."""


def remedy_words(changes: Remedy) -> str:
    """Return changes in a few words; the same of several columns is said once.

    Examples
    --------
    >>> remedy_words((DropColumn(column="zip"), SwapColumn(column="job", share=0.2)))
    'Drop zip; swap 20 % of job'
    >>> remedy_words(tuple(SwapColumn(column=each, share=0.2) for each in "abc"))
    'Swap 20 % of each of 3 columns (a, b and c)'
    """
    swapped = [each for each in changes if isinstance(each, SwapColumn)]
    coarse = [each for each in changes if isinstance(each, Coarsen)]
    if len(changes) > 1 and len(swapped) == len(changes):
        shares = {each.share for each in swapped}
        if len(shares) == 1:
            return f"Swap {percent(shares.pop())} of each of {_named(changes)}"
    if len(changes) > _MOST_SPELLED and len(coarse) == len(changes):
        return f"Coarsen {_named(changes)} to {sum(each.n_values for each in coarse)} values in all"
    first, *others = (each.words for each in changes)
    return "; ".join([first, *(f"{each[0].lower()}{each[1:]}" for each in others)])


def _named(changes: Remedy) -> str:
    names = [each.column for each in changes]
    if more := len(names) - _SHOWN if len(names) > _SHOWN + 1 else 0:
        names = [*names[:_SHOWN], f"{more} more"]
    return f"{len(changes)} columns ({listed(names)})"
