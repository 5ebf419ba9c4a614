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
]
