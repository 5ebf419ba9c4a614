"""Which part of the full report is drawn by what, in the order of their charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.report.html.beside.holdout import holdout_parts
from alc_core.report.html.beside.rapid import rapid_section
from alc_core.report.html.beside.threat import threat_parts
from alc_core.report.html.charts import ChartBook
from alc_core.report.html.learning import learning_parts
from alc_core.report.html.measures import measure_parts
from alc_core.report.html.releases import compare_part, scatter_picture, trade_off_part
from alc_core.report.html.scenario import notes_part
from alc_core.report.sections import Section

OPTIONAL = {
    Section.MEASURES: "measured",
    Section.LEARNING: "learned",
    Section.RAPID: "rapid",
    Section.THREAT: "threats",
    Section.HOLDOUT: "holdouts",
}
"""Sections that are left out, unless asked for, where nothing was measured; names of contents."""

STAGES = {
    Section.TRADE_OFFS: "Scoring over alpha and R_min",
    Section.NOTES: "Reading notes",
}
"""What is said of sections that take a while."""


def report_parts(
    view: CampaignView, overview: CampaignOverview, book: ChartBook
) -> Mapping[Section, tuple[str, Callable[[], Any]]]:
    """Return the parts in the order of their charts: what the template calls each, its maker."""
    scoring = overview.scoring
    return {
        Section.ATTACKS: ("scatter", lambda: scatter_picture(overview, book)),
        Section.TRADE_OFFS: ("trade_offs", lambda: trade_off_part(view, scoring, book)),
        Section.RELEASES: ("compared", lambda: compare_part(view, scoring, book)),
        Section.LEARNING: ("learned", lambda: learning_parts(view, book)),
        Section.RAPID: ("rapid", lambda: rapid_section(view, overview, book)),
        Section.THREAT: ("threats", lambda: threat_parts(view, book)),
        Section.HOLDOUT: ("holdouts", lambda: holdout_parts(view, overview, book)),
        Section.MEASURES: ("measured", lambda: measure_parts(view, overview, book)),
        Section.NOTES: ("notes", lambda: notes_part(view, overview)),
    }
