"""Comparisons with a holdout that a campaign's file keeps, as a part of the report."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.figures.holdout import closest_records_alt, closest_records_figure
from alc_core.phrasing import count
from alc_core.report.html.charts import ChartBook, Picture
from alc_core.studies.holdout.beside_alc import beside_rows, disagreements
from alc_core.studies.holdout.result import KEPT_HOLDOUTS, HoldoutResult
from alc_core.studies.holdout.words import (
    DISTANCE_LIMITS,
    closest_sentence,
    equal_sentence,
    overall_sentence,
)

_MOST_ROWS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldoutPart:
    """One release."""

    label: str  # The release
    warnings: tuple[str, ...]  # What makes the comparison doubtful
    sentences: tuple[str, ...]  # What was found
    rows: tuple[dict[str, str], ...]  # The attacks with the highest residual risk, by column
    left_out: str  # Says that there are more attacks; empty where all are shown
    comments: tuple[str, ...]  # Where residual risk and ALC disagree
    picture: Picture | None  # Distances to the closest record


def holdout_parts(
    view: CampaignView, overview: CampaignOverview, book: ChartBook
) -> tuple[HoldoutPart, ...]:
    """Return what was compared with a holdout, a part for each release."""
    found = KEPT_HOLDOUTS.read(view.store).values()
    return tuple(_part(each, number, view, overview, book) for number, each in enumerate(found))


def _part(
    found: HoldoutResult,
    number: int,
    view: CampaignView,
    overview: CampaignOverview,
    book: ChartBook,
) -> HoldoutPart:
    sentences, picture = [overall_sentence(found)], None
    if (closest := found.closest) is not None:
        sentences += [closest_sentence(closest), equal_sentence(closest), DISTANCE_LIMITS]
        picture = book.add(
            f"holdout-{number}", closest_records_figure(closest), closest_records_alt(closest)
        )
    worst = found.worst_first()
    rows = beside_rows(view.attacks, overview, worst)
    more = len(rows) - _MOST_ROWS
    return HoldoutPart(
        label=f"{found.release}, with the holdout {found.holdout} "
        f"({count(found.resemblance.people)} people)",
        warnings=found.notes,
        sentences=tuple(filter(None, sentences)),
        rows=tuple(rows[:_MOST_ROWS]),
        left_out=f"{count(more)} more with lower residual risk are not shown." if more > 0 else "",
        comments=disagreements(view.attacks, overview, found),
        picture=picture,
    )
