"""What a campaign's file cannot show here: what is damaged, and plug-ins that are not loaded."""

from __future__ import annotations

from collections.abc import Iterator

from alc_core.attacks.registry import attack_type, plain_name
from alc_core.campaign.file.seals import damage_words
from alc_core.campaign.file.store import CampaignStore
from alc_core.measures.registry import measures
from alc_core.phrasing import quoted
from alc_core.releases.registry import release_types


def missing_plugs(store: CampaignStore) -> dict[str, list[str]]:
    """Return the names in a file that nothing registered here has, by what they are of."""
    attacks = {plain_name(each.attack) for each in store.attacks if not attack_type(each.attack)}
    measured = {name for numbers in store.measured().values() for name in numbers}
    found = {
        "attack": attacks,
        "measure": measured - measures().keys(),
        "type of release": set(store.settings.release_kinds.values()) - release_types().keys(),
    }
    return {what: sorted(names) for what, names in found.items() if names}


def store_warnings(store: CampaignStore) -> Iterator[str]:
    """Yield what whoever opens a file must know of it."""
    if store.damage:
        yield damage_words(store.damage)
    for what, names in missing_plugs(store).items():
        yield (
            f"The file has results of a plug-in that is not loaded: {what} {quoted(names)}. "
            "What only the plug-in can tell is left out. Load it with --plugin."
        )
