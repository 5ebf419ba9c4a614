"""People of a result: who is attacked, whom a guess knows, and who is exposed."""

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
    """Say what is correct if values are taken together."""
    if scenario.level == "exact" and scenario.tolerance is None:
        how = f"{bins} equal ranges" if equal else f"{bins} ranges of about as many people each"
        return (
            f"'{scenario.unknown}' is a number or date, cut into {how}: correct means the same "
            "range."
        )
    return f"For '{scenario.unknown}', correct means {right_words(scenario, bins)}."


def right_words(scenario: Scenario, bins: int) -> str:
    """Say what “correct” means if values are taken together."""
    if scenario.level == "release":
        return f"the release's class of '{scenario.unknown}' ({bins} classes)"
    if scenario.tolerance is not None:
        return f"within {scenario.tolerance} of the true value"
    return f"in the same one of {bins} ranges"


def without_value_note(scenario: Scenario, without_value: int, people: int) -> str:
    """Say how many people are no targets because they have no value of the unknown attribute."""
    kinds = ["an empty cell", *(f"'{marker}'" for marker in scenario.markers)]
    return (
        f"{count(without_value)} of {count(people)} people ({percent(without_value / people)}) are "
        f"not attacked: they have no '{scenario.unknown}' ({listed(kinds, last='or')}). The "
        "baseline still learns from them."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleSplit:
    """Where the people who could be targets belong, scaled from the targets."""

    known: float  # People whom a guess knows anyway
    learned: float  # Others whom the attack answers rightly, and the guess does not
    guessed: float  # Others whom the guess gets right, too
    neither: float  # All the rest

    @classmethod
    def of(cls, assessment: Assessment) -> Self:
        """Count the targets of an assessment where its people exposed are counted."""
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
        """People who can still lose something: a guess does not know them anyway."""
        return self.learned + self.guessed + self.neither


def _answers(assessment: Assessment) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Return whom of the targets a guess knows, and whom the attack answers, and tells rightly."""
    first, right, guess, _ = assessment.outcomes.joint.T
    place, known = _counted_places(assessment)
    return guess <= known, first <= place, right == 1


def counted_from(assessment: Assessment) -> tuple[float, float]:
    """Return the rank scores from which the attack answers, and from which a guess knows people.

    That is where people exposed are counted; the second is infinite if a guess knows nobody.
    """
    outcomes = assessment.outcomes
    place, known = _counted_places(assessment)
    scores = outcomes.baseline.thresholds
    return float(outcomes.attack.thresholds[place]), float(scores[known]) if known >= 0 else np.inf


def _counted_places(assessment: Assessment) -> tuple[int, int]:
    outcomes, cap = assessment.outcomes, assessment.scoring.precision_cap
    baseline, place = outcomes.baseline, assessment.points.exposing
    if not people_exposed(assessment):
        # Of nobody exposed no threshold is the one: where the attack is judged
        judged = np.asarray([assessment.points.attack_rest.threshold])
        place = int(first_thresholds(judged, outcomes.attack)[0])
    return place, int(known_places(baseline.predictions, baseline.true_predictions, cap))


def _stand_for(assessment: Assessment, where: BoolArray) -> float:
    """Return for how many people some of those attacked stand."""
    return float(assessment.outcomes.weights[where].sum()) * assessment.people_a_gain


def exposed_number(exposed: float, low: float) -> int:
    """Return how many people are exposed; as good as nobody is none beyond chance."""
    return round(exposed) if low > 0 else 0


def people_exposed(assessment: Assessment) -> int:
    """Return how many people an attack exposes; none where that may be chance."""
    return exposed_number(assessment.exposed, assessment.exposed_interval[0])


def perhaps_exposed(assessment: Assessment) -> int:
    """Return how many people an inconclusive attack may expose, which shows none; else none."""
    low, high = assessment.exposed_interval
    inconclusive = assessment.verdict is Verdict.INCONCLUSIVE and low <= 0
    return round(high) if inconclusive and high >= 1 else 0
