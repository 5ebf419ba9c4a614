"""Attacks in a report: a line each, and cards for flagged ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from markupsafe import Markup

from alc_core.assessment.result import Assessment
from alc_core.campaign.findings.decisions import decisions
from alc_core.campaign.findings.findings_table import MeasureColumn, measure_columns
from alc_core.campaign.findings.other_measures import (
    disagreement_sentence,
    disagreements,
    rapid_column,
)
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import PlannedAttack, own_conditions
from alc_core.candidates.decision import open_attacks, release_decisions
from alc_core.explain.context import ContextNumber
from alc_core.figures.attacks import measure_scatter
from alc_core.figures.looks import LOOKS
from alc_core.figures.template import LEFT_END, LEGEND_BELOW
from alc_core.measures.measure import Measured
from alc_core.measures.registry import measured_sentence, measures
from alc_core.phrasing import facts_there, named_facts, there
from alc_core.present.blocks import Figure
from alc_core.present.renderers import blocks_html
from alc_core.report.html.charts import ChartBook
from alc_core.review.attack_words import verdict_title
from alc_core.review.campaign_attack import SCALE, card_blocks
from alc_core.review.campaign_words import what_if_text
from alc_core.review.decision_words import attacks_sentence
from alc_core.review.release_words import through_sentence
from alc_core.runtime.progress import Reporter
from alc_core.scoring.curves import MeasuredPoint, PrecisionRecallCurve
from alc_core.scoring.parameters import ScoringParameters

MOST_CARDS = 500  # Most flagged attacks with card and plot; the table has all
# A row of `CampaignOverview`'s results, with `card` (whether it has one); phrases `known` and
# `enough` (facts of the deciding attack); `fewer`, a sentence on that
Line = Mapping[str, Any]
_HOVER = (
    "%{fullData.meta}: predicts for %{x:.3~%} of people (recall), right for %{y:.1%}<extra></extra>"
)

# A card says the rest itself
_IN_A_CARD = {
    "title": None,
    "height": 380,
    "margin": {"l": 62, "r": 62, "t": 12, "b": 84},
    "legend": dict(LEGEND_BELOW),
    "xaxis": {"title": {"text": "Recall: share of people answered for"}},
    "yaxis": {"title": {"text": "Precision"}},
}


def attack_lines(
    view: CampaignView, overview: CampaignOverview, attacks: Mapping[int, PlannedAttack]
) -> tuple[Line, ...]:
    """Return each finished attack's line, worst first."""
    own = own_conditions(attacks.values())
    known = {
        number: "; ".join(
            filter(None, (facts_there(each.scenario.known, view.absent(each.release)), own[number]))
        )
        for number, each in attacks.items()
    }
    fewest = {
        number: named_facts(there(each.scenario.known, view.absent(each.release)))
        for number, each in attacks.items()
    }
    return tuple(
        {
            **{str(name): value for name, value in row.items()},
            "known": known[row["number"]],
            "enough": fewest.get(row["through"], known[row["number"]]),
            "fewer": through_sentence(row, fewest.get(row["through"])),
            "card": False,
        }
        for row in overview.results.to_dict("records")
    )


def attack_cards(
    view: CampaignView,
    scoring: ScoringParameters,
    lines: Sequence[Line],
    book: ChartBook,
    *,
    facts: Mapping[int, tuple[ContextNumber, ...]],
    meanings: bool,
    reporter: Reporter,
) -> tuple[dict[str, Any], ...]:
    """Return attacks' cards, and put plots into a book.

    A card has `line`, `title` under the report's parameters, and `text`.
    """
    points = points_per_curve(len(lines))
    found = []
    for done, line in enumerate(lines):
        reporter.report("Writing attacks to look at", done, len(lines))
        number = int(line["number"])
        shown = view.assessment(number, scoring)

        def picture(figure: Figure, line: Line = line, number: int = number) -> str:
            if figure.name == SCALE:
                return _scale(line, scoring)
            return book.add(f"attack-{number}", figure.draw(), hover=_HOVER, layout=_IN_A_CARD)

        blocks = card_blocks(
            view, number, shown, fewer=line["fewer"], numbers=facts.get(number, ()),
            meanings=meanings, curves=thinned(shown, points),
        )  # fmt: skip
        title = verdict_title(shown) if line["standing"] == line["verdict"] else ""
        text = Markup(blocks_html(blocks, picture))  # noqa: S704 - every text in it was escaped
        found.append({"line": line, "title": title, "text": text})
    return tuple(found)


def place_html(line: Line) -> Markup:
    """Return ALC and interval as marks on a scale."""
    low, at, high = map(
        scale_place, (line["decisive_low"], line["decisive_alc"], line["decisive_high"])
    )
    return Markup(
        '<span class="scale s-{}" aria-hidden="true"><i style="left:{}%;width:{}%"></i>'
        '<b style="left:{}%"></b></span>'
    ).format(LOOKS[line["standing"]].style, low, round(high - low, 1), at)


def _scale(line: Line, scoring: ScoringParameters) -> str:
    ends = "".join(f"<i>{end:g}</i>" for end in (0, scoring.at_risk, scoring.serious))
    place = place_html(line)
    return f'<div class="loss">{place}<span class="ends" aria-hidden="true">{ends}</span></div>'


def scale_place(loss: float) -> float:
    """Return an ALC's place on the scale in per cent; no loss is left.

    >>> scale_place(0.72), scale_place(-3.0)
    (75.0, 0.0)
    """
    inside = min(max(loss, LEFT_END), 1.0)
    return round(100 * (inside - LEFT_END) / (1 - LEFT_END), 1)


# Thresholds drawn per curve with few charts, and with many
MOST_POINTS, FEWEST_POINTS = 120, 14
_POINTS_OF_ALL = 7_000  # Thresholds of one side shared by all charts of a document


def points_per_curve(charts: int) -> int:
    """Return the thresholds drawn per curve.

    >>> points_per_curve(3), points_per_curve(200), points_per_curve(500)
    (120, 35, 14)
    """
    return int(np.clip(_POINTS_OF_ALL // max(charts, 1), FEWEST_POINTS, MOST_POINTS))


def thinned(
    assessment: Assessment, points: int
) -> tuple[PrecisionRecallCurve, PrecisionRecallCurve]:
    """Return both curves with few thresholds, for drawing."""
    outcomes = assessment.outcomes
    return (
        _thinned(outcomes.attack, points, assessment.attack),
        _thinned(outcomes.baseline, points, assessment.baseline),
    )


def _thinned(
    curve: PrecisionRecallCurve, points: int, chosen: MeasuredPoint
) -> PrecisionRecallCurve:
    made = curve.predictions
    if len(made) <= points:
        return curve
    even = np.geomspace(made[0], made[-1], points)
    right = np.clip(np.searchsorted(made, even), 1, len(made) - 1)
    nearer = even - made[right - 1] < made[right] - even
    counted = int(np.searchsorted(made, chosen.predictions))
    ends = [counted, max(counted - 1, 0), 0, len(made) - 1]
    keep = np.unique(np.concatenate([np.where(nearer, right - 1, right), ends]))
    return replace(
        curve,
        thresholds=curve.thresholds[keep],
        predictions=made[keep],
        true_predictions=curve.true_predictions[keep],
    )


def decision_part(
    view: CampaignView, scoring: ScoringParameters, lines: Sequence[Line]
) -> dict[str, Any]:
    """Return decisions, worst attacks first, and attacks without one.

    Each has how it was `made`, `other` parameters then, and standing `now`.
    """
    overview, made = view.overview(scoring), decisions(view.store)
    releases = release_decisions(view.store)
    standing = {int(line["number"]): str(line["standing"]) for line in lines}
    missing = set(open_attacks(overview, made, releases))
    return {
        "progress": attacks_sentence(overview, made, releases),
        "lines": [
            {
                "attack": view.attack(number),
                "made": made[number],
                "other": what_if_text(made[number].scoring, scoring),
                "now": standing.get(number),
            }
            for number in dict.fromkeys([*standing, *made])
            if number in made
        ],
        "open": [line for line in lines if line["number"] in missing],
    }


def measure_parts(
    view: CampaignView, overview: CampaignOverview, book: ChartBook
) -> list[dict[str, Any]]:
    """Return each measure's highest attack by release."""
    parts = []
    for column in measure_columns(overview.results):
        if not column.leading:
            continue
        found = overview.results.dropna(subset=[column.name])
        measure = measures()[column.measure]
        highest = found.loc[found.groupby("release", sort=False)[column.name].idxmax()]
        parts.append(
            {
                "measure": measure,
                "column": column,
                "rows": [
                    {
                        **row,
                        "value": _value(numbers[column.number.name]),
                        "sentence": measured_sentence(
                            column.measure, numbers, view.attack(int(row["number"])).scenario
                        ),
                    }
                    for row in highest.to_dict("records")
                    for numbers in [view.measured(int(row["number"]))[column.measure]]
                ],
                "picture": book.add(
                    f"measure-{column.name}",
                    measure_scatter(overview.results, overview.scoring, column=column),
                ),
                "comments": _comments(overview, column),
            }
        )
    return parts


def _comments(overview: CampaignOverview, column: MeasureColumn) -> tuple[str, ...]:
    if column.number.like_alc:
        return tuple(filter(None, [disagreement_sentence(overview, column)]))
    return disagreements(overview) if column == rapid_column(overview) else ()


def _value(number: Measured) -> str:
    if number.low is None or number.high is None:
        return f"{number.value:.2f}"
    return f"{number.value:.2f} ({number.low:.2f} to {number.high:.2f})"
