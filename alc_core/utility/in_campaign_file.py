"""Utilities kept in a campaign's file."""

from __future__ import annotations

from dataclasses import replace

from alc_core.campaign.file.annotations import Annotations
from alc_core.campaign.file.store import CampaignReader, CampaignStore
from alc_core.campaign.model import CampaignSettings
from alc_core.errors import CampaignMismatchError
from alc_core.utility.utility import Utility

_UTILITIES = Annotations("utility", str, Utility)


def keep_utility(store: CampaignStore, utility: Utility) -> str:
    """Keep the utility of a release in the campaign's file, in place of an earlier one."""
    name = campaign_release(store.settings, utility)
    if name is None:
        raise CampaignMismatchError(
            f"The utility of '{utility.release}' is of other tables than those of the campaign in "
            f"'{store.path}'. Measure it on the campaign's original and releases."
        )
    _UTILITIES.keep(store, name, replace(utility, release=name))
    return name


def stored_utilities(store: CampaignReader) -> dict[str, Utility]:
    """Return the utilities in a campaign's file, by the name of the release."""
    found = _UTILITIES.read(store)
    return {name: found[name] for name in store.settings.releases if name in found}


def campaign_release(settings: CampaignSettings, utility: Utility) -> str | None:
    """Return which release of a campaign a utility is of, by the tables; None if of none."""
    if utility.original_fingerprint != settings.original.fingerprint:
        return None
    fitting = [
        name
        for name, tables in settings.releases.items()
        if tuple(table.fingerprint for table in tables) == utility.release_fingerprints
    ]
    return utility.release if utility.release in fitting else next(iter(fitting), None)
