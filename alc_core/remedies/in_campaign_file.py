"""What was tried on the releases of a campaign, kept in its file."""

from __future__ import annotations

from alc_core.campaign.file.annotations import Annotations, KeptResults
from alc_core.remedies.results import RemedyStudy

KEPT_REMEDIES = KeptResults(
    Annotations("remedies", str, RemedyStudy),
    key=lambda study: study.release,
    refusal="Changes of '{found.release}' were not tried on the original of the campaign in "
    "'{path}'. Try them on the campaign's original.",
)
