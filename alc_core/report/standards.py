"""Measurements beside laws and guidelines, without a claim of compliance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Literal

from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.line import CandidateLine
from alc_core.candidates.lines import candidate_lines
from alc_core.phrasing import numbered, percent, texts_beside
from alc_core.report.options import ReportDetails
from alc_core.review.release_words import line_exposed_words
from alc_core.review.rows_words import copied_sentence, own_values_sentence, traced_words
from alc_core.scoring.parameters import ScoringParameters
from alc_core.studies.risk_numbers.classes import USUAL_THRESHOLD
from alc_core.studies.risk_numbers.result import KEPT_RISK_NUMBERS, RiskNumbers

_TEXTS = texts_beside(__file__)
_SAID: dict[str, str] = _TEXTS["measured"]
_OF_KEPT = ("alone", "above")  # What risk numbers tell


def standards(
    view: CampaignView, scoring: ScoringParameters, details: ReportDetails
) -> list[dict[str, Any]]:
    """Return laws' and guidelines' texts, with what a review measured."""
    lines = candidate_lines(view, scoring, {})
    kept = tuple(KEPT_RISK_NUMBERS.read(view.store).values())
    known = [len(attack.scenario.known) for attack in view.tested] or [0]
    most = numbered(max(known), "fact")
    facts = most if min(known) == max(known) else f"{min(known)} to {most}"
    attackers = _SAID["attackers"].format(attacks=numbered(len(view.tested), "attack"), facts=facts)
    linked = [line for line in lines if line.linked]
    own = {line.release: own for line in lines if (own := _own_rows(line))}
    rows = list(chain.from_iterable(own.values()))
    measured = {
        "attackers": [attackers],
        "alone": [*rows, *(said for said in _of_kept(kept, "alone", own) if said not in rows)],
        "linked": [*(_SAID["linked"].format(release=line.release) for line in linked), *rows]
        or [_SAID["not_linked"]],
        "inference": list(map(_found, lines)),
        "assumed": [attackers, *assumed_sentences(details)],
        "above": _of_kept(kept, "above", own),
    }
    return [
        {
            **text,
            "measured": measured[text["measured"]] or [_SAID["nothing"]],
            "missing": text["missing"]
            if kept or text["measured"] not in _OF_KEPT
            else f"{_SAID['no_risk_numbers']} {text['missing']}",
        }
        for text in _TEXTS["standards"]
    ]


def assumed_sentences(details: ReportDetails) -> list[str]:
    """Say the declared assumptions on attackers."""
    said = details.assumptions
    return [_SAID["assumed"].format(assumptions=said)] if said else []


def _found(line: CandidateLine) -> str:
    found = ", ".join(filter(None, (line.title, line_exposed_words(line))))
    return _SAID["release"].format(release=line.release, found=found)


def _own_rows(line: CandidateLine) -> list[str]:
    numbers = own_values_sentence(line, advise=False)
    said = [copied_sentence(line)]
    if line.traced:
        said.append(_SAID["traced"].format(release=line.release, traced=traced_words(line.traced)))
    if numbers:
        said.append(_SAID["numbers"].format(release=line.release, numbers=numbers))
    return [each for each in said if each]


def _of_kept(
    kept: Sequence[RiskNumbers], case: Literal["alone", "above"], own: Mapping[str, list[str]]
) -> list[str]:
    """Say how many people are unique, or above the usual threshold, by release.

    Without classes, say which rows are people's own, if known.
    """
    said: list[str] = []
    for found in kept:
        sizes = found.released
        if sizes is None:
            nothing = _SAID["not_people"].format(release=found.label)
            said += own.get(found.release, [nothing])
            continue
        share = sizes.unique if case == "alone" else sizes.above_threshold(USUAL_THRESHOLD)
        said.append(
            _SAID[case].format(
                release=found.label, share=percent(share),
                columns=numbered(len(found.known), "column"), threshold=USUAL_THRESHOLD,
                highest=f"{sizes.highest_risk:.2g}",
            )
        )  # fmt: skip
    return [*dict.fromkeys(said)]
