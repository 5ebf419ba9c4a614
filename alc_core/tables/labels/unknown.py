"""Which new labels to ask about."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.tables.value_sets import Domain
from alc_core.tables.values.amounts import are_amounts
from alc_core.tables.values.generalized import generalized_mask, texts_among_numbers

MOST_UNKNOWN = 0.5  # Share of rows with new labels that suggests a renaming
MANY_MADE = 0.02  # The same of labels by `is_made`
_BY_CHANCE = 0.001  # Chance that an equally frequent label is absent from the original
_MOST_TEXTS = 200  # Texts among numbers to explain one by one


def is_made(rows: NDArray[np.int64], released: int, original: int) -> NDArray[np.bool_]:
    """Return labels too frequent to be absent from the original by chance."""
    return np.asarray(rows * np.log1p(original / max(released, 1)) >= -np.log(_BY_CHANCE))


def is_asked(known: pd.Series, new: pd.Series, released: int) -> bool:
    """Return whether new labels need an explanation."""
    made = new[is_made(new.to_numpy(), released, int(known.sum()))]
    return bool(
        new.sum() > MOST_UNKNOWN * released or 0 < MANY_MADE * released <= float(made.sum())
    )


def unexplained(domain: Domain, rows: pd.Series) -> pd.Series:
    """Return unreadable labels to ask about."""
    plain = rows[~generalized_mask(rows.index)]
    new = plain[~plain.index.isin(domain.labels.index)]
    if domain.of_dates:
        return new[:0]
    if domain.numeric:
        new = new[texts_among_numbers([str(label) for label in new.index])]
        return new if len(new) <= _MOST_TEXTS else new[:0]
    if not is_asked(domain.labels, new, int(rows.sum())) or are_amounts(domain.labels, plain):
        return new[:0]
    return new
