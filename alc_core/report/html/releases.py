"""The first page of a report: what was decided about each release, and every attack on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from alc_core.campaign.findings.decisions import decisions
from alc_core.campaign.findings.overview import STANDINGS
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import (
    RELEASE_CHOICE_STANDINGS,
    ReleaseDecision,
    objections,
    release_choice_label,
    release_decision_sentence,
    release_decisions,
)
from alc_core.candidates.lines import (
    CandidateLine,
    candidate_lines,
    candidates_title,
    line_sentence,
    untried_sentence,
    utility_sentence,
)
from alc_core.compare.comparison import NO_RESULT, Comparison
from alc_core.compare.layout import compare_releases
from alc_core.compare.strongest import comparable
from alc_core.figures.attack_matrix import matrix_rows
from alc_core.phrasing import count
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict
from alc_core.utility.in_campaign_file import stored_utilities

_APART, _MATRIX_ROWS = 6, 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasePart:
    """A release on the first page."""

    line: CandidateLine  # What the attacks say
    standing: str  # Whose colour it has
    found: str  # What the attacks found, and what the release is good for; empty where not measured
    use: str
    untried: str  # Which attack was not tried and might find more; empty where none is known
    made: ReleaseDecision | None  # What was decided
    label: str  # The decision with an icon, and whose colour it has; empty where there is none
    label_standing: str
    said: str  # Who decided what, when, and whether the release has changed since
    objections: tuple[str, ...]  # What speaks against the decision


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Attacks by release for print: `rows` of a title, what is known or summed up, and cells.

    A cell is a standing (None without a result) and its ALC (0 for no loss; None without).
    """

    releases: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[tuple[str | None, float | None], ...]], ...]
    left_out: int


def release_parts(
    view: CampaignView, scoring: ScoringParameters
) -> tuple[str, tuple[ReleasePart, ...]]:
    """Return a title, and the releases of a report with what was decided about them."""
    lines = candidate_lines(view, scoring, stored_utilities(view.store))
    made, attacks = release_decisions(view.store), decisions(view.store)
    parts = []
    for line in lines:
        decision = made.get(line.release)
        choice = None if decision is None else decision.choice
        overview = view.only(line.release).overview(scoring)
        parts.append(
            ReleasePart(
                line=line,
                standing=line.standing or Verdict.NOTHING_LEFT,
                found=line_sentence(line),
                use=utility_sentence(line),
                untried=untried_sentence([line]),
                made=decision,
                label=release_choice_label(choice) if choice else "",
                label_standing=RELEASE_CHOICE_STANDINGS[choice] if choice else "",
                said=release_decision_sentence(decision, line) if decision else "",
                objections=objections(line, overview, attacks, choice),
            )
        )
    return candidates_title(lines), tuple(parts)


def attack_matrix(
    view: CampaignView, scoring: ScoringParameters, known: Mapping[int, str]
) -> Matrix | None:
    """Return the worst attacks by release, one row a column of many; None of one release."""
    comparison = comparable(compare_releases(view, scoring))
    if len(comparison.releases) < 2:
        return None
    found = matrix_rows(comparison, apart=_APART)
    rows = tuple(
        (
            comparison.unknown[first],
            f"worst of {count(int(attacks.max()))}"
            if found.grouped
            else f"knowing {_known(comparison, first, known)}",
            tuple(_cell(comparison, int(row), place) for place, row in enumerate(cells)),
        )
        for first, cells, attacks in zip(found.first, found.cells, found.attacks, strict=True)
    )
    shown = rows[:_MATRIX_ROWS]
    left_out = found.left_out + len(rows) - len(shown)
    return Matrix(releases=comparison.releases, rows=shown, left_out=left_out)


def _known(comparison: Comparison, row: int, known: Mapping[int, str]) -> str:
    numbers = comparison.number[row].tolist()
    return next((known[number] for number in numbers if number in known), "")


def _cell(comparison: Comparison, row: int, place: int) -> tuple[str | None, float | None]:
    code = NO_RESULT if row < 0 else int(comparison.standing[row, place])
    if code == NO_RESULT:
        return None, None
    loss = float(comparison.loss[row, place])
    return STANDINGS[code], None if np.isnan(loss) else loss
