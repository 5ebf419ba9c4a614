"""People of a result: attacked, guessable, exposed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np

from alc_core.arrays import BoolArray
from alc_core.assessment.result import Assessment
from alc_core.phrasing import count, listed, percent
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.outcomes import first_thresholds, known_places
from alc_core.scoring.verdict import Verdict


def binning_note(scenario: Scenario, bins: int, *, equal: bool = True) -> str:
    """Say what is correct if values are grouped."""
    if scenario.level == "exact" and scenario.tolerance is None:
        how = f"{bins} equal ranges" if equal else f"{bins} ranges of about as many people each"
        return f"'{scenario.unknown}' is cut into {how}: correct means the same range."
    return f"For '{scenario.unknown}', correct means {right_words(scenario, bins)}."


def right_words(scenario: Scenario, bins: int) -> str:
    """Say what “correct” means if values are grouped."""
    if scenario.level == "release":
        return f"the release's class of '{scenario.unknown}' ({bins} classes)"
    if scenario.tolerance is not None:
        return f"within {scenario.tolerance} of the true value"
    return f"in the same one of {bins} ranges"


def without_value_note(scenario: Scenario, without_value: int, people: int) -> str:
    """Say how many people are not targets for a missing unknown value."""
    kinds = ["an empty cell", *(f"'{marker}'" for marker in scenario.markers)]
    return (
        f"{count(without_value)} of {count(people)} people ({percent(without_value / people)}) "
        f"are not attacked, without '{scenario.unknown}' ({listed(kinds, last='or')})."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleSplit:
    """Numbers of people who could be targets, scaled from the targets."""

    known: float  # People whom a guess knows anyway
    learned: float  # Others only the attack is right about
    guessed: float  # Others the guess is also right about
    neither: float  # All the rest

    @classmethod
    def of(cls, assessment: Assessment) -> Self:
        """Count an assessment's targets where people exposed are counted."""
        known, answered, right = _answers(assessment)
        told, guessed = answered & right, assessment.outcomes.guessed == 1
        people = partial(_stand_for, assessment)
        return cls(
            known=people(known),
            learned=people(~known & told & ~guessed),
            guessed=people(~known & guessed),
            neither=people(~known & ~told & ~guessed),
        )

    @property
    def everybody(self) -> float:
        """All people."""
        return self.known + self.rest

    @property
    def rest(self) -> float:
        """People not guessable."""
        return self.learned + self.guessed + self.neither


def _answers(assessment: Assessment) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Return three masks over the targets: guessable, answered, correct."""
    first, right, guess, _ = assessment.outcomes.joint.T
    place, known = _counted_places(assessment)
    return guess <= known, first <= place, right == 1


def counted_from(assessment: Assessment) -> tuple[float, float]:
    """Return the scores from which the attack answers and the guess knows people.

    As for people exposed; the second is infinite if nobody is guessable.
    """
    outcomes = assessment.outcomes
    place, known = _counted_places(assessment)
    scores = outcomes.baseline.thresholds
    return float(outcomes.attack.thresholds[place]), float(scores[known]) if known >= 0 else np.inf


def _counted_places(assessment: Assessment) -> tuple[int, int]:
    outcomes, cap = assessment.outcomes, assessment.scoring.precision_cap
    baseline, place = outcomes.baseline, assessment.points.exposing
    if not people_exposed(assessment):
        # Without people exposed: where the attack is judged
        judged = np.asarray([assessment.points.attack_rest.threshold])
        place = int(first_thresholds(judged, outcomes.attack)[0])
    return place, int(known_places(baseline.predictions, baseline.true_predictions, cap))


def _stand_for(assessment: Assessment, where: BoolArray) -> float:
    """Return the number of people these targets represent."""
    return float(assessment.outcomes.weights[where].sum()) * assessment.people_a_gain


def exposed_number(exposed: float, low: float) -> int:
    """Return the number of people exposed; 0 if negligible beyond chance."""
    return round(exposed) if low > 0 else 0


def people_exposed(assessment: Assessment) -> int:
    """Return people an attack exposes; 0 if it may be chance."""
    return exposed_number(assessment.exposed, assessment.exposed_interval[0])


def perhaps_exposed(assessment: Assessment) -> int:
    """Return people an inconclusive attack may expose; 0 for others."""
    low, high = assessment.exposed_interval
    inconclusive = assessment.verdict is Verdict.INCONCLUSIVE and low <= 0
    return round(high) if inconclusive and high >= 1 else 0
