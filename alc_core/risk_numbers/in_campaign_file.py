"""Risk numbers kept in a campaign's file."""

from __future__ import annotations

from alc_core.campaign.file.annotations import Annotations, KeptResults
from alc_core.risk_numbers.result import RiskNumbers

KEPT_RISK_NUMBERS = KeptResults(
    Annotations("risk numbers", str, RiskNumbers),
    key=lambda found: f"{found.release} | {found.table}",
    refusal="These risk numbers are not of the original of the campaign in '{path}'. Measure them "
    "on the campaign's original.",
)
