"""What was measured beside what laws and guidelines ask for, without a claim of compliance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.lines import CandidateLine, candidate_lines
from alc_core.candidates.words import copied_sentence, line_exposed_words
from alc_core.phrasing import numbered, percent, texts_beside
from alc_core.report.options import Details
from alc_core.scoring.parameters import ScoringParameters
from alc_core.studies.risk_numbers.classes import USUAL_THRESHOLD
from alc_core.studies.risk_numbers.result import KEPT_RISK_NUMBERS, RiskNumbers

_TEXTS = texts_beside(__file__)
_SAID: dict[str, str] = _TEXTS["measured"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standard:
    """A text of law or guidance."""

    title: str
    dated: str  # Which text it is, with its date
    asks: str
    measured: tuple[str, ...]  # What a review measured of it, in sentences
    missing: str  # What it did not measure


def standards(
    view: CampaignView, scoring: ScoringParameters, details: Details
) -> tuple[Standard, ...]:
    """Return the texts with what a review measured of what they ask for."""
    lines = candidate_lines(view, scoring, {})
    kept = tuple(KEPT_RISK_NUMBERS.read(view.store).values())
    measured: dict[str, Callable[[], list[str]]] = {
        "attackers": lambda: [_attackers(view)],
        "alone": lambda: [
            *(copied_sentence(line) for line in lines if line.copied is not None),
            *_of_kept(kept, _alone),
        ],
        "linked": lambda: _linked(lines),
        "inference": lambda: list(map(_found, lines)),
        "assumed": lambda: [_attackers(view), *assumed_sentences(details)],
        "above": lambda: _of_kept(kept, _above),
    }
    return tuple(
        Standard(**{**text, "measured": tuple(measured[text["measured"]]())})
        for text in _TEXTS["standards"]
    )


def assumed_sentences(details: Details) -> list[str]:
    """Say what people declare of attackers; nothing where nothing is declared."""
    said = details.assumptions
    return [_SAID["assumed"].format(assumptions=said)] if said else []


def _attackers(view: CampaignView) -> str:
    known = [len(attack.scenario.known) for attack in view.judged]
    most = numbered(max(known), "fact")
    facts = most if min(known) == max(known) else f"{min(known)} to {most}"
    return _SAID["attackers"].format(attacks=numbered(len(known), "attack"), facts=facts)


def _found(line: CandidateLine) -> str:
    found = ", ".join(filter(None, (line.title, line_exposed_words(line))))
    return _SAID["release"].format(release=line.release, found=found)


def _linked(lines: Sequence[CandidateLine]) -> list[str]:
    found = [_SAID["linked"].format(release=line.release) for line in lines if line.linked]
    return found or [_SAID["not_linked"]]


def _of_kept(kept: Sequence[RiskNumbers], say: Callable[[RiskNumbers], str]) -> list[str]:
    return list(map(say, kept)) or [_SAID["no_risk_numbers"]]


def _alone(found: RiskNumbers) -> str:
    if found.released is None:
        return _SAID["not_people"].format(release=found.label)
    columns = numbered(len(found.known), "column")
    share = percent(found.released.unique)
    return _SAID["alone"].format(release=found.label, share=share, columns=columns)


def _above(found: RiskNumbers) -> str:
    if found.released is None:
        return _SAID["not_people"].format(release=found.label)
    return _SAID["above"].format(
        release=found.label,
        share=percent(found.released.above_threshold(USUAL_THRESHOLD)),
        threshold=USUAL_THRESHOLD,
        highest=f"{found.released.highest_risk:.2g}",
    )
