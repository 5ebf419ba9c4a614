"""The risk-use map of the releases, once their utility is measured."""

from __future__ import annotations

from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.lines import shown_standings
from alc_core.compare.layout import comparable, compare_releases
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.figures.risk_utility import risk_utility_map
from alc_core.scoring.parameters import ScoringParameters
from alc_core.studies.utility.result import stored_utilities

_HEIGHT = 340


def draw_risk_and_use(view: CampaignView, scoring: ScoringParameters) -> None:
    """Draw each release by use and risk; nothing until the use of one is measured."""
    utilities = stored_utilities(view.store)
    if not utilities:
        return
    figure = risk_utility_map(
        comparable(compare_releases(view, scoring)), utilities, height=_HEIGHT,
        standings=shown_standings(view, scoring),
    )  # fmt: skip
    draw_chart(figure, key="risk_and_use", name="risk-utility-map")
