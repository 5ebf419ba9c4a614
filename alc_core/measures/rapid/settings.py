"""What a RAPID depends on besides the tables."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.errors import ParameterError
from alc_core.measures.rapid.learners import LEARNERS
from alc_core.measures.rapid_scores import SCORES, Score, fitting_scores
from alc_core.tables.table import ColumnKind


@dataclass(frozen=True, slots=True, kw_only=True)
class RapidSettings:
    """How RAPID is measured."""

    learner: str = "random forest"  # One of :data:`~alc_core.measures.rapid.learners.LEARNERS`
    # One of :data:`~alc_core.measures.rapid_scores.SCORES`; by default the normalized gain for
    # categories, the symmetric relative error for numbers, the absolute one for dates
    score: str | None = None
    cut: float | None = None  # The threshold or tolerance; by default the usual one of the score
    folds: int = 5  # Parts of the original that the reference holds out in turn, at least 2
    resamples: int = 1_000  # Of the bootstrap interval
    confidence: float = 0.95  # Of the intervals
    seed: int = 0  # Of all randomness

    def __post_init__(self) -> None:
        """Refuse what is unknown or out of bounds."""
        if self.learner not in LEARNERS:
            raise ParameterError(
                f"There is no learner '{self.learner}'. Choose one of {', '.join(LEARNERS)}."
            )
        if self.score is not None and self.score not in SCORES:
            raise ParameterError(
                f"There is no score '{self.score}'. Choose one of {', '.join(SCORES)}."
            )
        if not 2 <= self.folds <= 100:
            raise ParameterError(f"folds must be between 2 and 100, not {self.folds}.")
        if not 100 <= self.resamples <= 100_000:
            raise ParameterError(f"resamples must be between 100 and 100000, not {self.resamples}.")

    def score_of(self, column: str, kind: ColumnKind) -> Score:
        """Return the score for a column of a kind."""
        fitting = fitting_scores(kind)
        chosen = self.score or fitting[0]
        if chosen not in fitting:
            holds = "dates" if kind is ColumnKind.DATETIME else "numbers"
            raise ParameterError(
                f"The score '{chosen}' cannot be used: '{column}' holds"
                f" {holds if kind.is_numeric else 'categories'}. Choose one of"
                f" {', '.join(fitting)}."
            )
        return SCORES[chosen]

    def cut_of(self, score: Score) -> float:
        """Return the threshold or tolerance."""
        cut = score.usual if self.cut is None else self.cut
        score.check(cut)
        return cut
