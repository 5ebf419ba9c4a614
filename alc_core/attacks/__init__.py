"""Attacks: the protocol, one attack per module, and the row-at-a-time loop."""

from alc_core.attacks.best_row_match import BestRowMatch
from alc_core.attacks.protocol import (
    Attack,
    AttackView,
    KnownValues,
    Predictions,
    Predictor,
    ReleasedRows,
)

__all__ = [
    "Attack",
    "AttackView",
    "BestRowMatch",
    "KnownValues",
    "Predictions",
    "Predictor",
    "ReleasedRows",
    "built_in_attacks",
]


def built_in_attacks() -> dict[str, Attack]:
    """Return the attacks of this package by name, with their usual settings."""
    return {attack.name: attack for attack in (BestRowMatch(),)}
