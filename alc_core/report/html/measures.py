"""The measures beside the anonymity loss and risk numbers, as parts of the report."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.campaign.findings.findings_table import MeasureColumn, measure_columns
from alc_core.campaign.findings.other_measures import (
    disagreement_sentence,
    disagreements,
    rapid_column,
)
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.figures.attacks import measure_scatter
from alc_core.measures.measure import Measured
from alc_core.measures.registry import measures
from alc_core.report.html.charts import ChartBook, Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureRow:
    """The attack on a release with the highest number."""

    release: str  # What it attacks, and how
    attack: str
    unknown: str
    number: int  # Of the attack
    value: str  # The number, with its interval where it has one
    sentence: str  # What it means


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurePart:
    """One measure in the report."""

    title: str
    method: str
    reference: str
    heading: str
    help: str
    rows: tuple[MeasureRow, ...]
    picture: Picture
    comments: tuple[str, ...]


def measure_parts(
    view: CampaignView, overview: CampaignOverview, book: ChartBook
) -> tuple[MeasurePart, ...]:
    """Return each measure with the attack of each release that has its highest number."""
    parts = []
    for column in measure_columns(overview.results):
        if not column.leading:
            continue
        found = overview.results.dropna(subset=[column.name])
        measure = measures()[column.measure]
        highest = found.loc[found.groupby("release", sort=False)[column.name].idxmax()]
        parts.append(
            MeasurePart(
                title=measure.title,
                method=measure.method,
                reference=measure.reference,
                heading=column.title,
                help=column.number.help,
                rows=tuple(
                    MeasureRow(
                        release=str(row["release"]),
                        attack=str(row["attack"]),
                        unknown=str(row["unknown"]),
                        number=int(row["number"]),
                        value=_value(numbers[column.number.name]),
                        sentence=measure.sentence(
                            numbers, view.attack(int(row["number"])).scenario
                        ),
                    )
                    for row in highest.to_dict("records")
                    for numbers in [dict(view.measured(int(row["number"]))[column.measure])]
                ),
                picture=book.add(
                    f"measure-{column.name}",
                    measure_scatter(overview.results, overview.scoring, column=column),
                ),
                comments=_comments(overview, column),
            )
        )
    return tuple(parts)


def _comments(overview: CampaignOverview, column: MeasureColumn) -> tuple[str, ...]:
    if column.number.like_alc:
        return tuple(filter(None, [disagreement_sentence(overview, column)]))
    return disagreements(overview) if column == rapid_column(overview) else ()


def _value(number: Measured) -> str:
    if number.low is None or number.high is None:
        return f"{number.value:.2f}"
    return f"{number.value:.2f} ({number.low:.2f} to {number.high:.2f})"
