"""Relative threats kept in a campaign's file; nothing of single people is in them."""

from __future__ import annotations

from collections.abc import Mapping

from alc_core.campaign.file.annotations import Annotations
from alc_core.campaign.file.reader import CampaignReader
from alc_core.campaign.file.store import CampaignStore
from alc_core.errors import CampaignMismatchError
from alc_core.threat.summary import ThreatSummary

_THREATS = Annotations("relative threat", str, ThreatSummary)


def threat_key(found: ThreatSummary) -> str:
    """Return by what a threat is kept: a later one of the same takes its place."""
    return " | ".join([found.release, found.unknown, ",".join(found.known)])


def keep_threat(store: CampaignStore, found: ThreatSummary) -> None:
    """Keep a threat in the campaign's file.

    Raises
    ------
    CampaignMismatchError
        If it is of another original.
    CampaignFileError
        If the file cannot be written.
    """
    if found.original != store.settings.original.fingerprint:
        raise CampaignMismatchError(
            f"This relative threat is not of the original of the campaign in '{store.path}'. "
            "Measure it on the campaign's original."
        )
    _THREATS.keep(store, threat_key(found), found)


def kept_threats(store: CampaignReader) -> Mapping[str, ThreatSummary]:
    """Return the threats in a campaign's file, by :func:`threat_key`."""
    return _THREATS.read(store)
