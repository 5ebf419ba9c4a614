"""What the user chose for a single attack, kept as entered, and its translation for the core.

A campaign shares who is attacked, the seed and the parameters of the verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Self

from alc_core.errors import ColumnError
from alc_core.scenario.scenario import PopulationRecall, Scenario, Targets
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.roles import suggest_roles
from alc_core.tables.table import ColumnKind, Table

TargetMode = Literal["automatic", "number", "all"]

_DEFAULTS = ScoringParameters()


@dataclass(slots=True, kw_only=True)
class AttackChoices:
    """Choices as the widgets hold them; they may not fit together yet.

    Attributes
    ----------
    release : str or None
        Name of the release that is attacked.
    unknown, known, person, household
        Columns, as in :class:`Scenario`.
    where_column, where_values, recall
        Pre-targeted selection; no column for everyone.
    target_mode, target_number
        How many people are attacked; the number applies to the mode "number".
    down_sample, seed
        As in :class:`Scenario` and :func:`assess`.
    alpha, r_min, confidence, max_interval_width, at_risk, serious
        As in :class:`ScoringParameters`.
    """

    release: str | None = None
    unknown: str | None = None
    known: list[str] = field(default_factory=list)
    person: str | None = None
    household: str | None = None
    where_column: str | None = None
    where_values: list[str] = field(default_factory=list)
    recall: PopulationRecall = "population"
    target_mode: TargetMode = "automatic"
    target_number: int = 2000
    down_sample: bool = True
    seed: int = 0
    alpha: float = _DEFAULTS.alpha
    r_min: float = _DEFAULTS.r_min
    confidence: float = _DEFAULTS.confidence
    max_interval_width: float = _DEFAULTS.max_interval_width
    at_risk: float = _DEFAULTS.at_risk
    serious: float = _DEFAULTS.serious

    def scenario(self) -> Scenario:
        """Return the scenario that is chosen.

        Raises
        ------
        InputError
            If the choices do not make one; the message says what to change.
        """
        if self.unknown is None:
            raise ColumnError("No unknown column is chosen. Choose the one to protect.")
        return Scenario(
            self.known,
            self.unknown,
            targets=self.targets(),
            down_sample=self.down_sample,
            person=self.person,
            household=self.household,
        )

    def follow(self, scenario: Scenario, scoring: ScoringParameters, *, seed: int) -> None:
        """Take over all that a campaign shares from one of its scenarios and its settings."""
        self.person, self.household = scenario.person, scenario.household
        self.down_sample, self.seed = scenario.down_sample, seed
        targets = scenario.selection
        self.recall = targets.recall
        self.where_column, values = next(iter(targets.where.items()), (None, ()))
        self.where_values = list(values)
        if isinstance(targets.count, int):
            self.target_mode, self.target_number = "number", targets.count
        else:
            self.target_mode = "automatic" if targets.count is None else "all"
        for name in ("alpha", "r_min", "confidence", "max_interval_width", "at_risk", "serious"):
            setattr(self, name, getattr(scoring, name))

    def targets(self) -> Targets:
        """Return who is attacked.

        Raises
        ------
        InputError
            If people are to be selected, but no value is chosen.
        """
        if self.where_column is not None and not self.where_values:
            raise ColumnError(
                f"People are to be selected by '{self.where_column}', but no value is chosen. "
                "Choose at least one value, or no column."
            )
        where = {} if self.where_column is None else {self.where_column: tuple(self.where_values)}
        counts = {"automatic": None, "number": self.target_number, "all": "all"}
        return Targets(
            count=counts[self.target_mode],  # type: ignore[arg-type]
            where=where,
            recall=self.recall,
        )

    def scoring(self) -> ScoringParameters:
        """Return the scoring parameters that are chosen.

        Raises
        ------
        ParameterError
            If one is out of its bounds.
        """
        return ScoringParameters(
            alpha=self.alpha,
            r_min=self.r_min,
            confidence=self.confidence,
            max_interval_width=self.max_interval_width,
            at_risk=self.at_risk,
            serious=self.serious,
        )

    def adapt(
        self, original: Table, releases: Sequence[Table], *, start: Scenario | None = None
    ) -> None:
        """Keep the choices that the tables allow, and suggest where nothing is left.

        Parameters
        ----------
        original : Table
            With the kinds in force.
        releases : sequence of Table
            The released tables.
        start : Scenario, optional
            What to suggest; by default what :func:`suggest_roles` says.
        """
        usable = usable_columns(original)
        for name in ("person", "household", "where_column"):
            if getattr(self, name) not in original.columns:
                setattr(self, name, None)
        if self.where_column is None:
            self.where_values = []
        if self.unknown in unknown_columns(original, releases):
            self.known = [c for c in self.known if c in usable and c != self.unknown]
            return
        self.unknown = start.unknown if start else suggested_unknown(original, releases)
        suggested = (
            list(start.known) if start else suggested_known(original, releases, self.unknown)
        )
        kept = [c for c in self.known if c in usable and c != self.unknown]
        self.known = kept or suggested


@dataclass(slots=True, kw_only=True)
class Rescoring:
    """What the sliders of the Findings page say.

    Attributes
    ----------
    alpha, r_min, confidence
        As in :class:`ScoringParameters`.
    limits : tuple of float
        ALC from which an attack is at risk, and from which the loss is serious.
    """

    alpha: float
    r_min: float
    confidence: float
    limits: tuple[float, float]

    @classmethod
    def of(cls, scoring: ScoringParameters) -> Self:
        """Return the sliders' values for scoring parameters."""
        return cls(
            alpha=scoring.alpha,
            r_min=scoring.r_min,
            confidence=scoring.confidence,
            limits=(scoring.at_risk, scoring.serious),
        )

    def changes(self) -> dict[str, float]:
        """Return the arguments for :meth:`rescore`."""
        at_risk, serious = self.limits
        return {
            "alpha": self.alpha,
            "r_min": self.r_min,
            "confidence": self.confidence,
            "at_risk": at_risk,
            "serious": serious,
        }


def usable_columns(original: Table) -> list[str]:
    """Return the columns that an attack can use: those that are compared."""
    left_out = (ColumnKind.IDENTIFIER, ColumnKind.IGNORE)
    return [column for column in original.columns if original.kind(column) not in left_out]


def unknown_columns(original: Table, releases: Sequence[Table]) -> list[str]:
    """Return the columns that can be attacked: usable and in a release."""
    released = {column for release in releases for column in release.columns}
    return [column for column in usable_columns(original) if column in released]


def known_columns(original: Table, choices: AttackChoices) -> list[str]:
    """Return the columns that can be known: usable and without another part in the attack."""
    taken = (choices.unknown, choices.person, choices.household)
    return [column for column in usable_columns(original) if column not in taken]


def suggested_unknown(original: Table, releases: Sequence[Table]) -> str | None:
    """Return the first column that is suggested as unknown, by its name if one is; else the last.

    None where no column can be attacked.
    """
    if suggested := suggested_unknown_columns(original, releases):
        return suggested[0]
    possible = unknown_columns(original, releases)
    return possible[-1] if possible else None


def suggested_unknown_columns(original: Table, releases: Sequence[Table]) -> list[str]:
    """Return the columns that are suggested as unknown, those with a telling name first."""
    possible = unknown_columns(original, releases)
    suggested = [
        suggestion
        for suggestion in suggest_roles(original, releases)
        if suggestion.role == "unknown" and suggestion.column in possible
    ]
    suggested.sort(key=lambda suggestion: not suggestion.by_name)
    return [suggestion.column for suggestion in suggested]


def suggested_known(original: Table, releases: Sequence[Table], unknown: str | None) -> list[str]:
    """Return the columns that are suggested as known, else all others that can be."""
    possible = [column for column in usable_columns(original) if column != unknown]
    known = {s.column for s in suggest_roles(original, releases) if s.role == "known"}
    return [column for column in possible if column in known] or possible
