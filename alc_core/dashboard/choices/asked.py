"""Conditions and derived columns, built from widgets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from alc_core.scenario.scenario import condition_line
from alc_core.tables.table import TOGETHER

Comparison = Literal["one of", "at least", "at most", "between", "top"]
Asked = Literal["together", "condition", "person"]
OfPerson = Literal["count", "ever", "last", "mean"]


@dataclass(slots=True, kw_only=True)
class ConditionChoice:
    """A condition on one column."""

    column: str | None = None
    how: Comparison = "one of"
    values: list[str] = field(default_factory=list)  # Of "one of"
    low: str = ""  # Of "at least" and "between"
    high: str = ""  # Of "at most" and "between"
    share: float = 1.0  # Of "top", in per cent

    @property
    def text(self) -> str:
        """The condition's text; empty if incomplete."""
        low, high = self.low.strip(), self.high.strip()
        said = {
            "one of": f"{'=' if len(self.values) == 1 else 'in'} {'|'.join(self.values)}",
            "at least": f">= {low}",
            "at most": f"<= {high}",
            "between": f"in {low}..{high}",
            "top": f">= quantile {1 - self.share / 100:.6g}",
        }
        needed: dict[Comparison, object] = {
            "one of": self.values,
            "at least": low,
            "at most": high,
            "between": low and high,
            "top": True,
        }
        return f"{self.column} {said[self.how]}" if self.column and needed[self.how] else ""

    @property
    def selection(self) -> str:
        """The condition as a selection; values may hold any sign."""
        if self.how == "one of" and self.text and self.column:
            return condition_line(self.column, self.values)
        return self.text


@dataclass(slots=True, kw_only=True)
class AskedChoice:
    """A derived column to infer."""

    kind: Asked = "together"
    columns: list[str] = field(default_factory=list)  # Of "together"
    of_person: OfPerson = "count"
    column: str | None = None  # Of "last" and "mean"
    by: str | None = None  # The order of "last"
    condition: ConditionChoice = field(default_factory=ConditionChoice)  # Else, and of "ever"

    def text(self, person: str | None) -> str:
        """Return the column's text; empty if incomplete."""
        if self.kind == "together":
            return TOGETHER.join(self.columns) if len(self.columns) > 1 else ""
        condition = self.condition.text
        if self.kind == "condition":
            return condition
        order = f" by {self.by}" if self.by and self.of_person == "last" else ""
        of = {"count": "", "ever": condition}.get(self.of_person, self.column or "")
        if person is None or not (of or self.of_person == "count"):
            return ""
        return f"{self.of_person}{' ' * bool(of)}{of}{order} per {person}"
