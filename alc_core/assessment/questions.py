"""What a reviewer should ask next about an attack: what only a person can judge."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.assessment.result import Assessment
from alc_core.phrasing import count, listed, percent, texts_beside

_FEW_FACTS, _MANY_FACTS = 3, 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question that only a person can answer."""

    topic: str  # One or two words
    text: str  # The question, with the attack's own numbers where they help


def reviewer_questions(assessment: Assessment) -> tuple[Question, ...]:
    """Return what a human must judge, as the numbers cannot.

    References
    ----------
    Francis and Wagner (2025), section 4.2 and appendices A.2 and A.3: limits rest on a judgement
    of what attackers gain, what targets can deny and how likely an attack is, not on evidence.
    """
    texts = texts_beside(__file__)
    known = assessment.scenario.known
    amount = "few" if len(known) <= _FEW_FACTS else "some" if len(known) < _MANY_FACTS else "many"
    facts = {
        "unknown": assessment.scenario.unknown,
        "known": listed(list(known)),
        "effort": texts["effort"][amount].format(number=count(len(known))),
        "reached": _reached(assessment),
        "wrong": percent(1 - assessment.attack.measured_precision),
    }
    return tuple(
        Question(topic=topic, text=text.format(**facts))
        for topic, text in texts.items()
        if topic != "effort"
    )


def _reached(assessment: Assessment) -> str:
    """Return for whom the attack answers: a balanced sample does not say how many of all."""
    attack, share = assessment.attack, percent(assessment.attack.recall)
    if assessment.down_sampled_share is not None:
        made = f"{count(attack.predictions)} of {count(attack.attempts)}"
        return f"{share} of a balanced sample of people ({made})"
    among = assessment.population - assessment.without_value
    whom = "people with a value" if assessment.without_value else "people"
    return f"{share} of {whom}, about {count(round(attack.recall * among))} of {count(among)}"
