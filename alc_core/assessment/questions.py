"""What a reviewer should ask next about an attack: what only a person can judge."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.assessment.result import Assessment
from alc_core.phrasing import count, listed, percent

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
    unknown = assessment.scenario.unknown
    return (
        Question(
            topic="Sensitivity",
            text=f"How much would people mind if others knew their {unknown}? Are some of its "
            "values harmless and others not? The loss is an average over all of them.",
        ),
        Question(topic="Known facts", text=_known_facts(assessment)),
        Question(topic="Reach", text=_reach(assessment)),
        Question(topic="Certainty", text=_certainty(assessment)),
        Question(
            topic="Harm and gain",
            text="What could somebody do with the answer, to one person or to many? Who gains "
            "from it? What does a wrong answer do to the person it is about?",
        ),
        Question(
            topic="Cost",
            text="The attack itself needs the release and a computer, no special skill. What else "
            "would stop somebody: a contract, controlled access, a penalty? And what would the "
            f"release lose if {unknown} were coarser, or left out?",
        ),
    )


def _known_facts(assessment: Assessment) -> str:
    known = list(assessment.scenario.known)
    if len(known) <= _FEW_FACTS:
        effort = (
            "These are few facts: neighbours, colleagues or a public profile may give them away."
        )
    elif len(known) >= _MANY_FACTS:
        effort = (
            f"It takes {count(len(known))} facts. Who has them all: an employer, an insurer, "
            "another database with the same columns? If nobody does, look for an attack with fewer."
        )
    else:
        effort = "Could they be found together in a register, a leaked file, or on social media?"
    return f"How would an attacker get to know {listed(known)} of a person? {effort}"


def _reach(assessment: Assessment) -> str:
    share = percent(assessment.attack.recall)
    if assessment.down_sampled_share is None:
        among = assessment.population - assessment.without_value
        people = round(assessment.attack.recall * among)
        whom = "people with a value" if assessment.without_value else "people"
        reached = f"{share} of {whom}, about {count(people)} of {count(among)}"
    else:  # of a balanced sample, which does not say how many there are among all
        made = f"{count(assessment.attack.predictions)} of {count(assessment.attack.attempts)}"
        reached = f"{share} of a balanced sample of people ({made})"
    return (
        f"The attack answers for {reached}. Its score tells the attacker who they are. Is harm to "
        "that many people acceptable?"
    )


def _certainty(assessment: Assessment) -> str:
    wrong = 1 - assessment.attack.measured_precision
    return (
        f"Where it answers, {percent(wrong)} of the answers are wrong. Can a person plausibly deny "
        "what is said about them? Would the attacker act on such odds?"
    )
