"""All people of a result in four parts: who could be told what by the release, and by a guess."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from alc_core.arrays import BoolArray
from alc_core.assessment.result import Assessment
from alc_core.assessment.target_words import frequent_word
from alc_core.phrasing import count, percent
from alc_core.scoring.outcomes import first_thresholds, known_places
from alc_core.scoring.verdict import FLAGGED


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleSplit:
    """Where the people who could be targets belong, scaled from the targets."""

    known: float  # People whom a guess knows anyway
    learned: float  # Others whom the attack answers rightly, and the guess does not
    guessed: float  # Others whom the guess gets right, too
    neither: float  # All the rest
    # Those of `guessed` whom the attack answers wrongly; `learned` less these are exposed
    only_guess: float
    answered: float  # Those not known whom the attack answers at all

    @classmethod
    def of(cls, assessment: Assessment) -> Self:
        """Count the targets of an assessment where its people exposed are counted."""
        outcomes = assessment.outcomes
        known, answered, right = _answers(assessment)
        told, missed = answered & right, answered & ~right
        guessed = outcomes.guessed == 1

        def people(where: np.ndarray) -> float:
            return float(outcomes.weights[where].sum()) * assessment.people_a_gain

        return cls(
            known=people(known),
            learned=people(~known & told & ~guessed),
            guessed=people(~known & guessed),
            neither=people(~known & ~told & ~guessed),
            only_guess=people(~known & missed & guessed),
            answered=people(~known & answered),
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
    outcomes, cap = assessment.outcomes, assessment.scoring.precision_cap
    first, right, guess, _ = outcomes.joint.T
    baseline = outcomes.baseline
    known = guess <= known_places(baseline.predictions, baseline.true_predictions, cap)
    place = assessment.points.exposing
    if not people_exposed(assessment):
        # Of nobody exposed no threshold is the one: where the attack is judged
        judged = np.asarray([assessment.points.attack_rest.threshold])
        place = int(first_thresholds(judged, outcomes.attack)[0])
    return known, first <= place, right == 1


def exposed_number(exposed: float, low: float) -> int:
    """Return how many people are exposed; as good as nobody is none beyond chance."""
    return round(exposed) if low > 0 else 0


def people_exposed(assessment: Assessment) -> int:
    """Return how many people an attack exposes; none where that may be chance."""
    return exposed_number(assessment.exposed, assessment.exposed_interval[0])


def exposed_text(exposed: float, low: float, high: float) -> str:
    """Return people exposed with the interval.

    Examples
    --------
    >>> exposed_text(257.2, 220.4, 301.0), exposed_text(12.0, -5.0, 30.0), exposed_text(-4, -9, 2)
    ('257 (220 to 301)', '0 (0 to 30)', '0 (0 to 2)')
    """
    lower, upper = (count(max(round(each), 0)) for each in (low, high))
    return f"{count(exposed_number(exposed, low))} ({lower} to {upper})"


class Exposing(Protocol):
    """An attack, as far as it is said how many people it exposes."""

    @property
    def exposed(self) -> float: ...  # noqa: D102

    @property
    def exposed_low(self) -> float: ...  # noqa: D102

    @property
    def people(self) -> int: ...  # noqa: D102


def exposed_words(found: Exposing) -> str:
    """Return in a few words how many people are exposed, of how many."""
    number = exposed_number(found.exposed, found.exposed_low)
    if not number:
        return "nobody exposed beyond chance"
    return f"about {count(number)} of {count(found.people)} people exposed"


CERTAINTY = (
    "The guess is right about the same people, only less sure of it: what was found is certainty, "
    "not new answers."
)
"""What it means that an attack is flagged and nobody is exposed beyond chance."""


def counted_sentence(assessment: Assessment) -> str:
    """Say on how many people attacked the numbers of all people are counted.

    That is at the threshold that exposes most, which need not be where the attack is surest.
    """
    known, answered, right = _answers(assessment)
    made, rightly, drawn = ~known & answered, ~known & answered & right, ""
    if assessment.down_sampled_share is not None:
        drawn = (
            f" Few with the most frequent {frequent_word(assessment)} were drawn: each weighs more."
        )
    everybody, population = count(assessment.everybody), count(assessment.population)
    whom = f"all {everybody}"
    if assessment.everybody < assessment.population:
        whom = f"the {everybody} of {population} people who could be attacked"
    scaled = f" Scaled to {whom}." if assessment.attempts < assessment.everybody else ""
    return (
        f"{'Where most are exposed: of' if people_exposed(assessment) else 'Of'} "
        f"{count(assessment.attempts)} attacked "
        f"{count(assessment.points.rest)} can lose something, {count(int(made.sum()))} "
        f"are answered, {count(int(rightly.sum()))} rightly.{scaled}{drawn}"
    )


def exposed_sentence(assessment: Assessment) -> str:
    """Say how many people the release exposes, and what it means where a flag exposes nobody."""
    low, high = assessment.exposed_interval
    everybody = count(assessment.population)
    level = percent(assessment.scoring.confidence)
    if low > 0:
        exposed, learned = round(assessment.exposed), round(PeopleSplit.of(assessment).learned)
        less = f", less {count(learned - exposed)} of whom only the guess is"
        return (
            f"About {count(exposed)} of {everybody} people are exposed ({level} interval "
            f"{count(round(low))} to {count(round(high))}): {count(learned)} of whom only the "
            f"release is right{less if learned > exposed else ''}."
        )
    most = f" ({level} interval up to {count(round(high))})" if high >= 1 else ""
    nobody = f"obody of {everybody} people is exposed beyond what chance gives{most}."
    return f"But n{nobody} {CERTAINTY}" if assessment.verdict in FLAGGED else f"N{nobody}"
