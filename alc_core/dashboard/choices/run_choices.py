"""Who is attacked, what is asked besides columns, seed and parameters: as the user entered them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal, Self

from alc_core.campaign.plan.settings import PlanSettings
from alc_core.errors import InputError
from alc_core.scenario.derived import base_columns
from alc_core.scenario.scenario import (
    PopulationRecall,
    Targets,
    Tolerance,
    condition_line,
    read_tolerances,
    read_where,
)
from alc_core.scoring.parameters import ControlKind, LossKind, ScoringParameters
from alc_core.tables.households import Household
from alc_core.tables.table import TOGETHER

TargetMode = Literal["automatic", "number", "all"]

_DEFAULTS = ScoringParameters()
_SLID = ("alpha", "r_min", "confidence", "control")
_SCORING = (*_SLID, "max_interval_width", "at_risk", "serious", "loss")


@dataclass(slots=True, kw_only=True)
class RunChoices:
    """Choices as the widgets hold them; they may not fit together yet."""

    person: str | None = None  # As in :class:`Scenario`
    household: Household = None
    # Pre-targeted selection, a line for each condition; none for everyone
    where: str = ""
    recall: PopulationRecall = "population"
    # How many people are attacked; the number applies to the mode "number"
    target_mode: TargetMode = "automatic"
    target_number: int = 2000
    down_sample: bool = True
    # What means "no value", of columns where the user changed what is recognised
    missing: dict[str, tuple[str, ...]] = field(default_factory=dict)
    include_missing: bool = False  # Whether people without a value are attacked, too
    # A line for each unknown column whose answers need only be near: COLUMN=DISTANCE
    tolerance: str = ""
    seed: int = 0  # As in :func:`assess`
    alpha: float = _DEFAULTS.alpha  # As in :class:`ScoringParameters`
    r_min: float = _DEFAULTS.r_min
    confidence: float = _DEFAULTS.confidence
    max_interval_width: float = _DEFAULTS.max_interval_width
    at_risk: float = _DEFAULTS.at_risk
    serious: float = _DEFAULTS.serious
    control: ControlKind = _DEFAULTS.control
    loss: LossKind = _DEFAULTS.loss

    def follow(self, settings: PlanSettings, scoring: ScoringParameters) -> None:
        """Take over what a campaign was planned and scored with."""
        self.person, self.household = settings.person, settings.household
        self.down_sample, self.seed = settings.down_sample, settings.seed
        self.tolerance = "\n".join(f"{c}={near}" for c, near in settings.tolerance.items())
        targets = settings.targets
        self.missing = {c: tuple(values) for c, values in (targets.missing or {}).items()}
        self.include_missing = targets.missing is None
        self.recall = targets.recall
        self.where = "\n".join(condition_line(c, v) for c, v in targets.where.items())
        if isinstance(targets.count, int):
            self.target_mode, self.target_number = "number", targets.count
        else:
            self.target_mode = "automatic" if targets.count is None else "all"
        for name in _SCORING:
            setattr(self, name, getattr(scoring, name))

    def adapt(self, columns: Collection[str]) -> None:
        """Forget the columns that the original does not have."""
        for name in ("person", "household"):
            chosen = getattr(self, name)
            if not {*((chosen,) if isinstance(chosen, str) else chosen or ())} <= {*columns}:
                setattr(self, name, None)
        with suppress(InputError):  # what cannot be read is told where it is used
            kept = [
                c for c in self.conditions().items() if base_columns(c[:1], columns) <= {*columns}
            ]
            if len(kept) < len(self.conditions()):
                self.where = "\n".join(condition_line(*each) for each in kept)
        self.missing = {c: values for c, values in self.missing.items() if c in columns}

    def rename(self, now: Mapping[str, str]) -> None:
        """Follow columns that are called otherwise now."""
        if self.person is not None:
            self.person = now.get(self.person, self.person)
        if isinstance(self.household, tuple):
            self.household = tuple(now.get(c, c) for c in self.household)
        elif self.household is not None:
            self.household = now.get(self.household, self.household)
        with suppress(InputError):  # what cannot be read is told where it is used
            self.where = "\n".join(
                condition_line(now.get(c, c), values) for c, values in self.conditions().items()
            )
        with suppress(InputError):
            self.tolerance = "\n".join(
                f"{now.get(c, c)}={near}" for c, near in self.tolerances().items()
            )
        self.missing = {now.get(c, c): values for c, values in self.missing.items()}

    def conditions(self) -> dict[str, tuple[str, ...]]:
        """Return by what people are selected."""
        return read_where(line for line in self.where.splitlines() if line.strip())

    def select(self, condition: str) -> None:
        """Attack only people of whom a condition holds, too."""
        self.where = "\n".join(filter(None, (self.where.strip(), condition)))

    def targets(self) -> Targets:
        """Return who is attacked."""
        counts = {"automatic": None, "number": self.target_number, "all": "all"}
        return Targets(
            count=counts[self.target_mode],  # type: ignore[arg-type]
            where=self.conditions(),
            recall=self.recall,
            missing=None if self.include_missing else self.missing,
        )

    def tolerances(self) -> dict[str, Tolerance]:
        """Return how near answers must be, by unknown column."""
        return read_tolerances(line for line in self.tolerance.splitlines() if line.strip())

    def scoring(self) -> ScoringParameters:
        """Return the scoring parameters that are chosen."""
        return ScoringParameters(**{name: getattr(self, name) for name in _SCORING})


@dataclass(slots=True, kw_only=True)
class Rescoring:
    """What the sliders of the Findings page say."""

    alpha: float  # As in :class:`ScoringParameters`
    r_min: float
    confidence: float
    # ALC from which an attack is at risk, and from which the loss is serious
    limits: tuple[float, float]
    control: ControlKind

    @classmethod
    def of(cls, scoring: ScoringParameters) -> Self:
        """Return the sliders' values for scoring parameters."""
        same = {name: getattr(scoring, name) for name in _SLID}
        return cls(**same, limits=(scoring.at_risk, scoring.serious))

    def changes(self) -> dict[str, float | str]:
        """Return the arguments for :meth:`rescore`."""
        at_risk, serious = self.limits
        same = {name: getattr(self, name) for name in _SLID}
        return {**same, "at_risk": at_risk, "serious": serious}


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
        """The condition as it is read; nothing while something is missing."""
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
        """The same as people are selected by; values may hold any sign."""
        if self.how == "one of" and self.text and self.column:
            return condition_line(self.column, self.values)
        return self.text


@dataclass(slots=True, kw_only=True)
class AskedChoice:
    """What an attacker wants to learn that is no single column."""

    kind: Asked = "together"
    columns: list[str] = field(default_factory=list)  # Of "together"
    of_person: OfPerson = "count"
    column: str | None = None  # Of "last" and "mean"
    by: str | None = None  # The order of "last"
    condition: ConditionChoice = field(default_factory=ConditionChoice)  # Else, and of "ever"

    def text(self, person: str | None) -> str:
        """Return what is asked as it is read; nothing while something is missing."""
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
