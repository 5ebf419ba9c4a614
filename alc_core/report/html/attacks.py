"""The attacks of a report: a line for each in the table, a card with a chart for flagged ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from alc_core.assessment.result import Assessment
from alc_core.campaign.findings.headline import exact_verdict_sentence
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.subsets import through_sentence
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.explain.reviewer_facts import Fact
from alc_core.figures.precision_recall import precision_recall_alt, precision_recall_figure
from alc_core.figures.template import LEFT_END, LEGEND_BELOW
from alc_core.phrasing import count, listed
from alc_core.report.html.charts import ChartBook, Picture
from alc_core.report.html.thinning import points_per_curve, thinned
from alc_core.runtime.progress import Reporter
from alc_core.scoring.parameters import ScoringParameters

_NAMED = 4
"""Known columns that are named in each row; the cards and the scenario name all."""

MOST_CARDS = 500
"""Flagged attacks that have a card and a plot of their own; the table has all."""

Line = Mapping[str, Any]
"""A row of :class:`CampaignOverview`'s results, with `card` (whether there is a card to jump to);
`known` is a phrase, and `fewer` a sentence on the attack with fewer facts
that it stands through."""

_HOVER = (
    "%{fullData.meta}: predicts for %{x:.3~%} of people (recall), right in %{y:.1%}<extra></extra>"
)

_IN_A_CARD = {
    "title": None,
    "height": 380,
    "margin": {"l": 62, "r": 62, "t": 12, "b": 84},
    "legend": dict(LEGEND_BELOW),
    "xaxis": {"title": {"text": "Recall (share of people predicted for)"}},
    "yaxis": {"title": {"text": "Precision"}},
}
"""A card says the rest itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A flagged attack with all that belongs to it."""

    line: Line  # The same in short
    shown: Assessment  # Under the report's parameters, with its exact interval
    why: str  # Why these facts are taken as known
    differs: str  # Where the exact interval gives another verdict than the line
    picture: Picture  # The precision-recall curves
    # Familiar numbers and calibration marks beside ALC, each with how it is to be read
    facts: tuple[Fact, ...]


def attack_lines(
    overview: CampaignOverview, attacks: Mapping[int, PlannedAttack]
) -> tuple[Line, ...]:
    """Return every finished attack as a line, worst first."""
    return tuple(
        {
            **{str(name): value for name, value in row.items()},
            "known": known_words(attacks[row["number"]]),
            "fewer": through_sentence(row, attacks.get(row["through"])),
            "card": False,
        }
        for row in overview.results.to_dict("records")
    )


def known_words(attack: PlannedAttack) -> str:
    """Return what an attack knows, in few words where that is much."""
    known = list(attack.scenario.known)
    if attack.kind is KnownSetKind.ALL_OTHERS and len(known) > _NAMED:
        return f"all {count(len(known))} other columns"
    if len(known) > _NAMED:
        return f"{', '.join(known[: _NAMED - 1])} and {count(len(known) - _NAMED + 1)} more"
    return listed(known)


def attack_cards(
    view: CampaignView,
    scoring: ScoringParameters,
    lines: Sequence[Line],
    book: ChartBook,
    *,
    facts: Mapping[int, tuple[Fact, ...]],
    reporter: Reporter,
) -> tuple[Card, ...]:
    """Return the cards of attacks, and put their plots into a book."""
    points = points_per_curve(len(lines))
    found = []
    for done, line in enumerate(lines):
        reporter.report("Writing flagged attacks", done, len(lines))
        number = int(line["number"])
        run = view.store.assessment(number)
        shown = run if scoring == run.scoring else run.rescore(**scoring.to_dict())
        found.append(
            Card(
                line=line,
                shown=shown,
                why=view.attack(number).reason,
                differs=(
                    "" if line["interval_exact"] else exact_verdict_sentence(shown, line["verdict"])
                ),
                picture=book.add(
                    f"attack-{number}",
                    precision_recall_figure(thinned(shown, points)),
                    precision_recall_alt(shown),
                    hover=_HOVER,
                    layout=_IN_A_CARD,
                ),
                facts=facts.get(number, ()),
            )
        )
    return tuple(found)


def scale_place(loss: float) -> float:
    """Return where an ALC lies on the scale, in per cent of its width; no loss is at its left end.

    Examples
    --------
    >>> scale_place(0.72), scale_place(-3.0)
    (75.0, 0.0)
    """
    inside = min(max(loss, LEFT_END), 1.0)
    return round(100 * (inside - LEFT_END) / (1 - LEFT_END), 1)
