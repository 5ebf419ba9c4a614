"""Risk numbers kept in a campaign's file."""

from __future__ import annotations

from alc_core.campaign.file.annotations import Annotations, KeptResults
from alc_core.campaign.model import CampaignSettings
from alc_core.errors import CampaignMismatchError
from alc_core.releases.release import Release
from alc_core.risk_numbers.result import RiskNumbers

KEPT_RISK_NUMBERS = KeptResults(
    Annotations("risk numbers", str, RiskNumbers),
    key=lambda found: f"{found.release} | {found.table}",
    refusal="These risk numbers are not of the original of the campaign in '{path}'. Measure them "
    "on the campaign's original.",
)


def name_in_campaign(settings: CampaignSettings, release: Release) -> str:
    """Return what a campaign calls a release, by its tables."""
    given = [table.fingerprint for table in release.tables]
    fitting = [
        name
        for name, tables in settings.releases.items()
        if [table.fingerprint for table in tables] == given
    ]
    if not fitting:
        raise CampaignMismatchError(
            f"Release '{release.name}' is none of the campaign's: {', '.join(settings.releases)}. "
            "Pass one of these, with the same tables."
        )
    return release.name if release.name in fitting else fitting[0]
