"""Which questions of the check were answered before a campaign's attacks ran."""

from __future__ import annotations

from collections.abc import Collection

from alc_core.campaign.file.reader import CampaignReader
from alc_core.campaign.file.store import CampaignStore

_KIND, _KEY = "run", "accepted"


def keep_accepted(store: CampaignStore, codes: Collection[str]) -> None:
    """Keep the codes of accepted questions in a campaign's file, besides earlier ones."""
    kept = set(accepted_codes(store))
    if not kept >= set(codes):
        store.annotate(_KIND, _KEY, sorted(kept | set(codes)))


def accepted_codes(store: CampaignReader) -> tuple[str, ...]:
    """Return the codes of the questions that were accepted in any run of a campaign."""
    return tuple(store.annotations(_KIND).get(_KEY, ()))
