"""Tables on the command line that have to be those of a campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alc_core.campaign.file.store import CampaignStore
    from alc_core.campaign.model import CampaignSettings
    from alc_core.releases.release import Release
    from alc_core.tables.table import Table


def as_attacked(store: CampaignStore, original: Table) -> Table:
    """Return the original with the kinds that the campaign takes its columns as."""
    from alc_core.errors import CampaignMismatchError

    settings = store.settings
    if original.fingerprint != settings.original.fingerprint:
        raise CampaignMismatchError(
            f"'{original.name}' is not the original of the campaign in '{store.path}', which is "
            f"'{settings.original.name}' with other content. Pass that table."
        )
    return original.with_kinds(settings.kinds)


def columns_as_attacked(settings: CampaignSettings, original: Table, release: Release) -> Release:
    """Return a release whose columns are taken as in the campaign; any other one as it is."""
    from alc_core.releases.same_columns import with_kept_columns

    given = [table.fingerprint for table in release.tables]
    for name, tables in settings.releases.items():
        if [table.fingerprint for table in tables] == given:
            return with_kept_columns(original, release, settings.same_columns(name))
    return release
