"""The parts that columns of the original play in attacks."""

from __future__ import annotations

import enum


class ColumnRole(enum.StrEnum):
    """Who knows a column, and whether it is attacked.

    Small sets of known columns are made of those that may be known; those to be protected are
    attacked; an attacker who knows everything else knows both. A survey weight, an identifier or a
    column that is left out is neither known nor attacked, and a weight weights nothing here.
    """

    KNOWN = "may be known"
    PROTECTED = "to be protected"
    BOTH = "both"
    WEIGHT = "survey weight"
    IDENTIFIER = "identifier"
    LEFT_OUT = "left out"

    @property
    def may_be_known(self) -> bool:
        """Whether an attacker who knows a few facts may know it."""
        return self in (ColumnRole.KNOWN, ColumnRole.BOTH)

    @property
    def is_protected(self) -> bool:
        """Whether it is attacked."""
        return self in (ColumnRole.PROTECTED, ColumnRole.BOTH)

    @property
    def takes_part(self) -> bool:
        """Whether it is a fact about people that attacks use in one way or another."""
        return self.may_be_known or self.is_protected

    @property
    def meaning(self) -> str:
        """What it means for attacks, in a few words."""
        return _MEANINGS[self]


_MEANINGS = {
    ColumnRole.KNOWN: "not attacked",
    ColumnRole.PROTECTED: "attacked, and known only to somebody who knows everything else",
    ColumnRole.BOTH: "may be known, and attacked",
    ColumnRole.WEIGHT: "nobody knows it; not attacked, and nothing is weighted by it",
    ColumnRole.IDENTIFIER: "neither known nor attacked",
    ColumnRole.LEFT_OUT: "neither known nor attacked",
}
