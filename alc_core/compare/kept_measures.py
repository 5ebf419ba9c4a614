"""Measures of releases in a campaign's file; nothing of single people is in them."""

from __future__ import annotations

from alc_core.campaign.file.annotations import Annotations, KeptResults
from alc_core.holdout.result import HoldoutResult
from alc_core.measures.rapid.result import Rapid
from alc_core.threat.summary import ThreatSummary


def _rapid_key(found: Rapid) -> str:
    return " | ".join(
        [found.release, found.unknown, ",".join(found.known), found.settings.learner, found.score]
    )


def _threat_key(found: ThreatSummary) -> str:
    return " | ".join([found.release, found.unknown, ",".join(found.known)])


KEPT_RAPID = KeptResults(
    Annotations("rapid", str, Rapid),
    key=_rapid_key,
    refusal="This RAPID is not of the original of the campaign in '{path}'. Measure it on the "
    "campaign's original.",
)
KEPT_THREATS = KeptResults(
    Annotations("relative threat", str, ThreatSummary),
    key=_threat_key,
    refusal="This relative threat is not of the original of the campaign in '{path}'. Measure it "
    "on the campaign's original.",
)
KEPT_HOLDOUTS = KeptResults(
    Annotations("holdout", str, HoldoutResult),
    key=lambda found: found.release,
    refusal="This comparison with a holdout is not of the original of the campaign in '{path}'. "
    "Measure it on the campaign's original.",
)
