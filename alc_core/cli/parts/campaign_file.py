"""Opening the file of a campaign for a command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alc_core.cli.parts.printing import echo

if TYPE_CHECKING:
    from alc_core.campaign.file.store import CampaignStore


def open_campaign(file: Path | str) -> CampaignStore:
    """Open a campaign's file, and say where something of it is damaged and left out.

    All of it is examined first, unless it is being run here: then it is no stranger's.
    """
    from alc_core.campaign.file.seals import damage_words
    from alc_core.campaign.file.store import CampaignStore
    from alc_core.campaign.findings.open_foreign import examine_apart

    place = Path(file)
    if place.is_file() and not place.with_name(f"{place.name}-wal").exists():
        examine_apart(place, name=str(file))
    store = CampaignStore.open(file)
    if store.damage:
        echo(damage_words(store.damage), err=True)
    return store
