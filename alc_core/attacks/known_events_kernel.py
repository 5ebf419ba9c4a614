"""The compiled part of `known_events`."""

from __future__ import annotations

import numpy as np

from alc_core.attacks.nearest_rows_kernels import TIE
from alc_core.runtime.kernels import compiled


@compiled()
def _assigned(costs, known, rows, skipped, alone, least):  # type: ignore[no-untyped-def]
    """Return the cost of the cheapest assignment of known rows to a person's rows but one.

    `costs` are by known row and combination, `rows` a person's combinations. `least[chosen]` is the
    least cost of assigning the known rows of a bit mask.
    """
    sets = 1 << len(known)
    least[:sets] = np.inf
    least[0] = 0.0
    for number, row in enumerate(rows):
        if number == skipped:
            continue
        # From large to small: a row is taken once
        for chosen in range(sets - 1, 0, -1):
            for place in range(len(known)):
                if chosen >> place & 1:
                    cost = least[chosen ^ (1 << place)] + costs[known[place], row]
                    least[chosen] = min(least[chosen], cost)
    best = np.inf
    for chosen in range(sets):
        left = 0.0
        for place in range(len(known)):
            if not chosen >> place & 1:
                left += alone[known[place]]
        best = min(best, least[chosen] + left)
    return best


@compiled()
def _fitting(costs, known, rows, asked, cheapest, alone, least):  # type: ignore[no-untyped-def]
    """Return which rows may be the one asked about in an assignment of this cost."""
    others = known[known != asked]
    fits = np.zeros(len(rows), dtype=np.bool_)
    for number, row in enumerate(rows):
        rest = _assigned(costs, others, rows, number, alone, least)
        fits[number] = costs[asked, row] + rest <= cheapest + TIE
    return fits


@compiled()
def nearest_people(  # type: ignore[no-untyped-def]
    root, combination, costs, has, rows, starts, alone, asked, unknown, weights, counts
):
    """Return each target's least distance, and add the nearest people to `counts`.

    Parameters
    ----------
    root : ndarray of float64 of shape (n_targets, n_combinations)
        Distance in the root's known columns.
    combination : ndarray of int64 of shape (n_people,)
        The root's combination of each person.
    costs : ndarray of float64 of shape (n_targets, n_known, n_row_combinations)
        Distance of each known row to each combination of a released row.
    has : ndarray of bool of shape (n_targets, n_known)
        Rows known of each target.
    rows, starts : ndarray of int64
        Combinations by person, and starts.
    alone : ndarray of float64 of shape (n_known,)
        Cost of a known row without a released one; infinite for the row with the unknown value.
    asked : int
        The known row with the unknown value; -1 if people have it.
    unknown : ndarray of int64 of shape (n_people,) or (n_rows,)
        Unknown values.
    weights : ndarray of float64 of shape (n_people,)
        Of each person among the nearest.
    counts : ndarray of float64 of shape (n_targets, n_values)
        Receives weights by value.
    """
    n_targets, n_people = len(root), len(combination)
    distance = np.empty(n_people)
    least = np.empty(1 << has.shape[1])
    nearest = np.empty(n_targets)
    for target in range(n_targets):
        known = np.flatnonzero(has[target])
        first = root[target].min() if root.shape[1] else 0.0
        best = np.inf
        for beginning in (True, False):  # People nearest in the root, then others who may be nearer
            for person in range(n_people):
                own = root[target, combination[person]]
                if (own <= first + TIE) != beginning:
                    continue
                if own > best + TIE:
                    distance[person] = np.inf
                    continue
                of_person = rows[starts[person] : starts[person + 1]]
                found = own + _assigned(costs[target], known, of_person, -1, alone, least)
                distance[person] = found
                best = min(best, found)
        nearest[target] = best
        for person in range(n_people):
            if distance[person] > best + TIE:
                continue
            if asked < 0:
                counts[target, unknown[person]] += weights[person]
                continue
            start = starts[person]
            left = distance[person] - root[target, combination[person]]
            of_person = rows[start : starts[person + 1]]
            fits = _fitting(costs[target], known, of_person, asked, left, alone, least)
            for number in np.flatnonzero(fits):
                counts[target, unknown[start + number]] += weights[person] / fits.sum()
    return nearest
