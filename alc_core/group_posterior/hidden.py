"""The hidden values of the rows, as a chain drew them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from alc_core.group_posterior.chain import CoveredPlaces, Draws, entries, spread_out
from alc_core.group_posterior.check_kernels import draw_one_covered
from alc_core.group_posterior.tables import GroupedTable, VerticalTable

_MOST = 2_000


def hidden_values(
    table: GroupedTable, chain: Sequence[Draws], rng: np.random.Generator
) -> NDArray[np.int16]:
    """Return hidden values, shape (n_draws, n_hidden).

    Of a table in groups they are the unknown values of the rows that are watched. Of a table of
    labels, a chain counts rows instead of keeping each; given the parameters, though, rows are
    independent, so that one row's value is drawn for each kept draw and each pair of unknown value
    and label that covers several values (of at most 2 000 such pairs, evenly spaced).
    """
    if isinstance(table, VerticalTable):
        return np.concatenate([block.states for block in chain])
    places = CoveredPlaces.of(table)
    value, label, _ = entries(table, places)
    several = np.flatnonzero(places.sizes[label] > 1)
    shown = several[spread_out(len(several), _MOST)]
    logs = np.concatenate([block.log_cells for block in chain])
    found = np.zeros((len(logs), len(shown)), dtype=np.int16)
    draw_one_covered(rng, logs, value[shown], label[shown], places.first, places.covered, found)
    return found
