"""What a session measured beside its campaign, together with what the campaign's file holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from alc_core.campaign.file.annotations import KeptResults, Result
from alc_core.dashboard.state.app_state import AppState
from alc_core.errors import AlcError


class Told(Protocol):
    """Choices of a page that can say what went wrong."""

    message: str


def with_kept(
    state: AppState, choices: Told, own: Mapping[str, Result], kept: KeptResults[Result]
) -> dict[str, Result]:
    """Return the results of this session and those in the campaign's file, by their keys.

    What this session found about the campaign's original is kept in the file as soon as there is
    one.
    """
    if state.campaign is None:
        return dict(own)
    store = state.campaign.view.store
    there = kept.read(store)
    for found in own.values():
        if kept.is_of(store, found) and there.get(kept.key(found)) != found:
            try:
                kept.keep(store, found)
            except AlcError as error:
                choices.message = f"{error} The result is kept for this session only."
    return {**there, **own}
