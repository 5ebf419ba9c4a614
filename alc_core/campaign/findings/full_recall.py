"""Measures on ALC's scale beside it: how many attacks each of them calls safe, and which not."""

from __future__ import annotations

import pandas as pd

from alc_core.campaign.findings.findings_table import MeasureColumn, measure_columns
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.phrasing import count, numbered, percent, sentence_case
from alc_core.scoring.disagreement import CLASSES, DISAGREEMENTS, Disagreement


def columns_like_alc(results: pd.DataFrame) -> list[MeasureColumn]:
    """Return the columns of other measures on the scale of ALC."""
    return [each for each in measure_columns(results, like_alc=True) if each.leading]


def disagreement_of(overview: CampaignOverview, column: MeasureColumn) -> Disagreement:
    """Count the classes of a campaign's attacks by ALC and by another measure."""
    return Disagreement.of(
        overview.results["decisive_alc"], overview.results[column.name],
        at_risk=overview.scoring.at_risk, serious=overview.scoring.serious,
    )  # fmt: skip


def disagreement_rows(overview: CampaignOverview) -> list[dict[str, str]]:
    """Return table 2 of the paper for a campaign: a row for each way to disagree about safety."""
    columns = columns_like_alc(overview.results)
    found = {column.title: disagreement_of(overview, column) for column in columns}
    return [
        {"By ALC": sentence_case(CLASSES[ours]), "By the other": sentence_case(CLASSES[other])}
        | {
            title: f"{percent(each.share(ours, other))} ({count(int(each.counts[ours, other]))} of "
            f"{count(each.attacks)})"
            for title, each in found.items()
        }
        for ours, other in DISAGREEMENTS
    ]


def disagreement_sentence(overview: CampaignOverview, column: MeasureColumn) -> str:
    """Say how often one of the two calls an attack safe and the other does not."""
    found, title = disagreement_of(overview, column), column.title
    if not found.attacks:
        return ""
    return (
        f"Of {numbered(found.attacks, 'attack')}, {count(found.missed)} "
        f"({percent(found.missed / found.attacks)}) are at risk or serious by ALC and safe by "
        f"“{title}”; {count(found.only_other)} ({percent(found.only_other / found.attacks)}) the "
        "other way round."
    )
