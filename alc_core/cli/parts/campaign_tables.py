"""Tables on the command line that have to be those of a campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alc_core.campaign.file.store import CampaignStore
    from alc_core.tables.table import Table


def as_attacked(store: CampaignStore, original: Table) -> Table:
    """Return the original with the kinds that the campaign takes its columns as.

    Raises
    ------
    CampaignMismatchError
        If it is another table.
    """
    from alc_core.errors import CampaignMismatchError

    settings = store.settings
    if original.fingerprint != settings.original.fingerprint:
        raise CampaignMismatchError(
            f"'{original.name}' is not the original of the campaign in '{store.path}', which is "
            f"'{settings.original.name}' with other content. Pass that table."
        )
    return original.with_kinds(settings.kinds)
