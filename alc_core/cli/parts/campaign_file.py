"""Opening the file of a campaign for a command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alc_core.cli.parts.printing import echo

if TYPE_CHECKING:
    from alc_core.campaign.file.store import CampaignStore


def open_campaign(file: Path | str) -> CampaignStore:
    """Open a campaign's file, and say where something of it is damaged and left out."""
    from alc_core.campaign.file.seals import damage_words
    from alc_core.campaign.file.store import CampaignStore

    store = CampaignStore.open(file)
    if store.damage:
        echo(damage_words(store.damage), err=True)
    return store
