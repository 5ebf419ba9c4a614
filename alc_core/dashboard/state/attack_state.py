"""What a session holds of a single attack: its inputs, and the result that belongs to them."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.assessment.result import Assessment
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.table import ColumnKind


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInputs:
    """All that a result depends on, to tell whether it is still of these inputs."""

    original: str
    release: tuple[str, ...]
    kinds: tuple[tuple[str, ColumnKind], ...]
    scenario: Scenario
    scoring: ScoringParameters
    seed: int

    def differences(self, other: RunInputs | None) -> tuple[str, ...]:
        """Return what differs, in words; with None, that the choices are not complete."""
        if other is None:
            return ("the columns",)
        kinds = dict(other.kinds)
        parts = {
            "the original": self.original != other.original,
            "the release": self.release != other.release,
            "the kinds of columns": any(kinds.get(c, kind) != kind for c, kind in self.kinds),
            "the columns or people attacked": self.scenario != other.scenario,
            "the parameters": self.scoring != other.scoring,
            "the seed": self.seed != other.seed,
        }
        return tuple(part for part, differs in parts.items() if differs)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Result:
    """An assessment with the inputs it belongs to."""

    assessment: Assessment
    inputs: RunInputs
