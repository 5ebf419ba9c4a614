"""A review as a data protection impact assessment, as text and for CNIL's PIA tool.

The file is like the tool's export: an object with `pia`, `answers`, `measures`, `evaluations` and
`comments` (importData in src/app/services/pia.service.ts of github.com/LINCnil/pia, and
cypress/fixtures/pia.json there); question numbers are those of
src/assets/files/pia_architecture.json. People rate severity and likelihood.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence

from alc_core.campaign.file.annotations import kept_names
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import release_decisions
from alc_core.candidates.line import CandidateLine, publishing_of
from alc_core.candidates.lines import candidate_lines
from alc_core.phrasing import count, facts_there, listed, numbered, texts_beside
from alc_core.present.blocks import Block, Heading, Items, Text
from alc_core.present.renderers import terminal_text
from alc_core.report.options import ReportDetails
from alc_core.report.standards import assumed_sentences, standards
from alc_core.review.decision_words import conditions_words, release_decision_sentence
from alc_core.review.release_words import line_sentence
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import FLAGGED
from alc_core.studies.utility.result import stored_utilities

_TEXTS = texts_beside(__file__)
_SAID: dict[str, str] = _TEXTS["said"]
_QUESTIONS: dict[str, str] = _TEXTS["questions"]
_PIA = 1
_RELEASES = "324"  # The question before the releases' description


def dpia_text(view: CampaignView, scoring: ScoringParameters, details: ReportDetails) -> str:
    """Return the assessment as plain text."""
    view.settle(scoring)
    lines = candidate_lines(view, scoring, stored_utilities(view.store))
    blocks: list[Block] = [Text(_name(view, lines))]
    for question, answer in _answers(view, scoring, details, lines).items():
        if terminal_text(answer):  # No threat if no attack needs attention
            blocks += [Heading(_QUESTIONS[question]), *answer]
        if question == _RELEASES:
            for line in lines:
                blocks += [Heading(_measure_title(line)), *_of_release(view, line)]
    return "\n\n".join(terminal_text([block]) for block in blocks) + "\n"


def dpia_json(view: CampaignView, scoring: ScoringParameters, details: ReportDetails) -> str:
    """Return the tool's file."""
    view.settle(scoring)
    lines = candidate_lines(view, scoring, stored_utilities(view.store))
    day = f"{details.date or view.store.created[:10]}T00:00:00.000Z"
    return json.dumps(
        {
            "pia": {
                "id": _PIA, "status": 0, "is_example": 0, "is_archive": 0, "progress": 0,
                "name": _name(view, lines), "category": _SAID["category"],
                "author_name": details.assessor,
                "evaluator_name": "", "validator_name": "", "structure_id": "",
                "created_at": day, "updated_at": day,
            },
            "answers": [
                {"id": number, "pia_id": _PIA, "reference_to": int(question), "created_at": day,
                 "data": {"text": _rich(answer) or None, "gauge": None, "list": _list(answer)}}
                for number, (question, answer) in enumerate(
                    _answers(view, scoring, details, lines).items(), 1
                )
            ],
            "measures": [
                {"id": number, "pia_id": _PIA, "title": _measure_title(line),
                 "content": _rich(_of_release(view, line)), "created_at": day,
                 "placeholder": "measures.default_placeholder"}
                for number, line in enumerate(lines, 1)
            ],
            "evaluations": [],
            "comments": [],
        },
        ensure_ascii=False, indent=1,
    )  # fmt: skip


def _name(view: CampaignView, lines: Sequence[CandidateLine]) -> str:
    releases = listed([line.release for line in lines])
    return _SAID["name"].format(releases=releases, original=view.settings.original.name)


def _answers(
    view: CampaignView,
    scoring: ScoringParameters,
    details: ReportDetails,
    lines: tuple[CandidateLine, ...],
) -> dict[str, list[Block]]:
    original, nothing = view.settings.original, _SAID["declared_nothing"]
    purpose, releases = details.purpose or nothing, [*publishing_of(lines)]
    unknown = list(dict.fromkeys(attack.scenario.wanted for attack in view.judged))
    flagged = [line for line in lines if line.standing in FLAGGED and line.worst is not None]
    texts = ["{title} ({dated})".format(**each) for each in standards(view, scoring, details)]
    codes = kept_names(view.store).codes
    columns = [f"{c} ({codes[c]})" if c in codes else c for c in view.settings.kinds]
    told = [_SAID["measured"].format(release=e.release, found=line_sentence(e)) for e in lines]
    processing = _SAID["processing"].format(
        releases=listed(releases), count=numbered(len(releases), "release"),
        original=original.name, rows=count(original.rows), columns=count(original.columns),
        purpose=purpose,
    )  # fmt: skip
    responsible = _SAID["responsible"].format(
        name=details.assessor or _SAID["unnamed"], day=details.date or _SAID["undated"]
    )
    impacts = tuple(_SAID["impact"].format(unknown=each) for each in unknown)
    threats = tuple(
        _SAID["threat"].format(
            known=facts_there(line.worst.attack.scenario.known, line.absent),
            release=line.release,
        )
        for line in flagged
        if line.worst is not None
    )
    return {
        "111": _texts(processing),
        "112": _texts(responsible),
        "113": _texts(_SAID["standards"], *texts),
        "121": _texts(_SAID["data"].format(columns=listed(columns))),
        "122": _texts(details.description or nothing),
        "211": _texts(purpose),
        "321": [Items(impacts)],
        "322": [Items(threats)],
        "323": [Items((_SAID["source"], *assumed_sentences(details)))],
        "324": [Items(tuple(map(_measure_title, lines)))],
        "325": _texts(_SAID["severity"].format(unknown=listed(unknown))),
        "326": _texts(_SAID["likelihood"], *told),
    }


def _measure_title(line: CandidateLine) -> str:
    return _SAID["measure"].format(release=line.release)


def _of_release(view: CampaignView, line: CandidateLine) -> list[Block]:
    made = release_decisions(view.store).get(line.release)
    if made is None or made.choice is None:
        return _texts(line_sentence(line), _SAID["undecided"])
    said = release_decision_sentence(made, line)
    found = [line_sentence(line), _SAID["decision"].format(decision=made.choice, said=said)]
    if made.reasons:
        found.append(_SAID["reasons"].format(reasons=made.reasons))
    if conditions := conditions_words(made):
        found.append(_SAID["conditions"].format(conditions=conditions))
    return _texts(*found)


def _texts(*paragraphs: str) -> list[Block]:
    return [Text(line) for each in paragraphs for line in each.splitlines() if line.strip()]


def _rich(blocks: Iterable[Block]) -> str:
    return "".join(f"<p>{html.escape(each.text)}</p>" for each in blocks if isinstance(each, Text))


def _list(blocks: Iterable[Block]) -> list[str]:
    return [text for each in blocks if isinstance(each, Items) for text in each.texts]
