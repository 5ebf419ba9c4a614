"""The attacks of a report: a card for each flagged one, a line for each."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from alc_core.assessment.result import Assessment
from alc_core.assessment.words import (
    caution,
    interval_text,
    loss_text,
    plain_sentence,
    targets_sentence,
    verdict_title,
)
from alc_core.campaign.findings.overview import LOOK_TWICE, CampaignOverview, bounds_text
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import PlannedAttack
from alc_core.explain.reviewer_facts import Fact
from alc_core.figures.precision_recall import precision_recall_alt, precision_recall_figure
from alc_core.phrasing import count, listed, percent
from alc_core.report.html.charts import ChartBook
from alc_core.report.html.standings import ScalePlace, Standing, scale_place, standing_shown
from alc_core.report.html.thinning import points_per_curve, thinned
from alc_core.runtime.progress import Reporter
from alc_core.scoring.curves import Measure
from alc_core.scoring.parameters import ScoringParameters

MOST_CARDS = 500
"""Flagged attacks that have a card and a plot of their own; the table has all."""

_HOVER = (
    "%{fullData.meta}: predicts for %{x:.3~%} of people (recall), right in %{y:.1%}<extra></extra>"
)

_IN_A_CARD = {
    "title": None,
    "height": 380,
    "margin": {"l": 62, "r": 62, "t": 12, "b": 84},
    "legend": {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"},
    "xaxis": {"title": {"text": "Recall (share of people predicted for)"}},
    "yaxis": {"title": {"text": "Precision"}},
}
"""A card says the rest itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One attack in a table.

    Attributes
    ----------
    number : int
        Of the attack, as in every file of the campaign.
    standing : Standing
        Where it stands.
    loss, bounds, precision, recall : str
        For show; empty where there is none.
    place : ScalePlace or None
        For the scale; None without an ALC.
    unknown, known, release : str
        What is learned from what.
    card : bool
        Whether there is a card of it to jump to.
    """

    number: int
    standing: Standing
    loss: str
    bounds: str
    precision: str
    recall: str
    place: ScalePlace | None
    unknown: str
    known: str
    release: str
    card: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side's numbers, for show."""

    name: str
    precision: str
    interval: str
    recall: str
    predictions: str
    prc: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A flagged attack with all that belongs to it.

    Attributes
    ----------
    line : Line
        The same in short.
    title : str
        The verdict in a few words.
    interval : str
        Of ALC, exact, with its level.
    sentence, caution, why, targets, models : str
        Sentences: what is learned, what to look at twice, why these facts, who was attacked, which
        models the baseline used.
    sides : tuple of Side
        Attack, baseline, and baseline at the attack's recall.
    differs : str
        Where the exact interval gives another verdict than the overview.
    alt : str
        What the chart shows.
    chart : str
        Its key; empty without one.
    height : int
        Of the chart, in pixels.
    facts : tuple of Fact
        Familiar numbers and calibration marks beside ALC, each with how it is to be read.
    """

    line: Line
    title: str
    interval: str
    sentence: str
    caution: str
    why: str
    targets: str
    models: str
    sides: tuple[Side, ...]
    differs: str
    alt: str
    chart: str
    height: int
    facts: tuple[Fact, ...] = ()


def attack_lines(
    overview: CampaignOverview, attacks: Mapping[int, PlannedAttack]
) -> tuple[Line, ...]:
    """Return every finished attack as a line, worst first.

    Parameters
    ----------
    overview : CampaignOverview
        Under the report's scoring.
    attacks : mapping of int to PlannedAttack
        All of the campaign.
    """
    return tuple(
        _line(row, attacks[int(row["number"])], exact=overview.interval_exact)
        for row in overview.results.to_dict("records")
    )


def attack_cards(
    view: CampaignView,
    scoring: ScoringParameters,
    lines: Sequence[Line],
    book: ChartBook,
    *,
    facts: Mapping[int, tuple[Fact, ...]],
    reporter: Reporter,
) -> tuple[Card, ...]:
    """Return the cards of attacks, and put their plots into a book.

    Parameters
    ----------
    view : CampaignView
        The campaign.
    scoring : ScoringParameters
        Of the report; where it is another than the run's, exact intervals are drawn anew.
    lines : sequence of Line
        The attacks.
    book : ChartBook
        Takes the plots.
    facts : mapping of int to tuple
        Familiar numbers by attack.
    reporter : Reporter
        Told how far this is.
    """
    points = points_per_curve(len(lines))
    found = []
    for done, line in enumerate(lines):
        reporter.report("Writing flagged attacks", done, len(lines))
        run = view.store.assessment(line.number)
        shown = run if scoring == run.scoring else run.rescore(**scoring.to_dict())
        found.append(
            _card(
                shown, line, view.attack(line.number), book,
                points=points, facts=facts.get(line.number, ()),
            )
        )  # fmt: skip
    return tuple(found)


def _line(row: Mapping[Hashable, Any], attack: PlannedAttack, *, exact: bool) -> Line:
    loss = row["alc"]
    known = not pd.isna(loss)
    bounded = known and not pd.isna(row["alc_low"])
    low, high = (row["alc_low"], row["alc_high"]) if bounded else (loss, loss)
    return Line(
        number=attack.number,
        standing=standing_shown(str(row["standing"])),
        loss=loss_text(loss) if known else "",
        bounds=bounds_text(low, high, exact=exact) if bounded else "",
        precision=percent(row["attack_measured_precision"]) if known else "",
        recall=percent(row["attack_recall"]) if known else "",
        place=scale_place(loss, low, high) if known else None,
        unknown=attack.scenario.unknown,
        known=listed(list(attack.scenario.known)),
        release=attack.release,
    )


def _card(
    shown: Assessment,
    line: Line,
    attack: PlannedAttack,
    book: ChartBook,
    *,
    points: int,
    facts: tuple[Fact, ...],
) -> Card:
    drawn = thinned(shown, points)
    chart = f"attack-{line.number}"
    models = [f"{name} ({count(people)} people)" for name, people in shown.models.items()]
    figure = precision_recall_figure(drawn)
    return Card(
        line=line,
        title=verdict_title(shown),
        interval=interval_text(shown),
        sentence=plain_sentence(shown),
        caution=caution(shown),
        why=attack.reason,
        targets=targets_sentence(shown),
        models=listed(models),
        sides=(
            _side("Attack", shown.attack),
            _side("Baseline at its best", shown.baseline),
            _side("Baseline at the same recall", shown.baseline_alike),
        ),
        differs=_difference(shown, line),
        alt=precision_recall_alt(shown),
        chart=chart,
        height=book.add(chart, figure, hover=_HOVER, layout=_IN_A_CARD),
        facts=facts,
    )


def _side(name: str, measure: Measure) -> Side:
    low, high = measure.precision_interval
    return Side(
        name=name,
        precision=percent(measure.measured_precision),
        interval=f"{percent(low)} to {percent(high)}",
        recall=percent(measure.recall),
        predictions=f"{count(measure.true_predictions)} of {count(measure.predictions)}",
        prc=f"{measure.prc:.2f}",
    )


def _difference(shown: Assessment, line: Line) -> str:
    """Say where the verdict of the exact interval is another than that of the carried one."""
    exact = LOOK_TWICE if caution(shown) else str(shown.verdict)
    told = line.standing.word.lower()
    if exact == told or line.bounds[:1] != "≈":
        return ""
    return (
        f"With its exact interval this attack is {verdict_title(shown).lower()}; it is listed as "
        f"{told}, because there intervals are carried over from the run (≈)."
    )
