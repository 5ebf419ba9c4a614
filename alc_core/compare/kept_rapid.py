"""RAPID results kept in a campaign's file; nothing of single people is in them."""

from __future__ import annotations

from collections.abc import Mapping

from alc_core.campaign.file.annotations import Annotations
from alc_core.campaign.file.reader import CampaignReader
from alc_core.campaign.file.store import CampaignStore
from alc_core.errors import CampaignMismatchError
from alc_core.measures.rapid.result import Rapid

_RAPID = Annotations("rapid", str, Rapid)


def rapid_key(found: Rapid) -> str:
    """Return by what a result is kept: a later one of the same takes its place."""
    return " | ".join(
        [found.release, found.unknown, ",".join(found.known), found.settings.learner, found.score]
    )


def keep_rapid(store: CampaignStore, found: Rapid) -> None:
    """Keep a result in the campaign's file.

    Raises
    ------
    CampaignMismatchError
        If it is of another original.
    CampaignFileError
        If the file cannot be written.
    """
    if found.original != store.settings.original.fingerprint:
        raise CampaignMismatchError(
            f"This RAPID is not of the original of the campaign in '{store.path}'. Measure it on "
            "the campaign's original."
        )
    _RAPID.keep(store, rapid_key(found), found)


def kept_rapid(store: CampaignReader) -> Mapping[str, Rapid]:
    """Return the results in a campaign's file, by :func:`rapid_key`."""
    return _RAPID.read(store)
