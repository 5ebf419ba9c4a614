"""RAPID results that a campaign's file keeps, as a part of the report."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.figures.rapid import (
    rapid_curve,
    rapid_curve_alt,
    rapid_groups,
    rapid_groups_alt,
    rapid_releases,
    rapid_releases_alt,
)
from alc_core.report.html.charts import ChartBook, Picture
from alc_core.studies.rapid.beside_alc import same_facts_sentence
from alc_core.studies.rapid.result import KEPT_RAPID, Rapid
from alc_core.studies.rapid.words import (
    driver_sentence,
    group_sentence,
    not_released_sentence,
    rapid_sentence,
    result_label,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RapidPart:
    """One result."""

    label: str  # Which it is
    sentences: tuple[str, ...]  # What it says
    picture: Picture  # Its curve
    # Who is at risk, by the unknown column and those that were asked for besides
    groups: tuple[Picture, ...]
    by_group: tuple[str, ...]  # The same by the known columns


@dataclass(frozen=True, slots=True, kw_only=True)
class RapidSection:
    """All results."""

    side_by_side: Picture | None  # Of several results
    parts: tuple[RapidPart, ...]  # Each of them


def rapid_section(view: CampaignView, overview: CampaignOverview, book: ChartBook) -> RapidSection:
    """Return the results of a campaign, each with the ALC of the same facts."""
    results = list(KEPT_RAPID.read(view.store).values())
    several = (
        book.add("rapid-releases", rapid_releases(results), rapid_releases_alt(results))
        if len(results) > 1
        else None
    )
    parts = tuple(
        _part(found, number, same_facts_sentence(view.attacks, overview, found), book)
        for number, found in enumerate(results)
    )
    return RapidSection(side_by_side=several, parts=parts)


def _part(found: Rapid, number: int, alc: str, book: ChartBook) -> RapidPart:
    sentences = (
        rapid_sentence(found), alc, driver_sentence(found), not_released_sentence(found),
        *found.notes,
    )  # fmt: skip
    drawn = [column for column in found.grouped if column not in found.known]
    return RapidPart(
        label=result_label(found),
        sentences=tuple(sentence for sentence in sentences if sentence),
        picture=book.add(
            f"rapid-{number}", rapid_curve(found, found.cut), rapid_curve_alt(found, found.cut)
        ),
        groups=tuple(
            book.add(
                f"rapid-{number}-by-{place}",
                rapid_groups(found, column),
                rapid_groups_alt(found, column),
            )
            for place, column in enumerate(drawn)
        ),
        by_group=tuple(
            group_sentence(found, column) for column in found.grouped if column in found.known
        ),
    )
