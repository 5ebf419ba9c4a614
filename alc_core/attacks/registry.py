"""The attacks of this package by name."""

from __future__ import annotations

from alc_core.attacks.best_row_match import BestRowMatch
from alc_core.attacks.protocol import Attack


def built_in_attacks() -> dict[str, Attack]:
    """Return the attacks of this package by name, with their usual settings."""
    return {attack.name: attack for attack in (BestRowMatch(),)}
