"""The compiled part of :mod:`chances`; parameters are in one line, as in :mod:`chain_kernels`."""

from __future__ import annotations

import numpy as np

from alc_core.runtime.kernels import compiled


@compiled()
def learner_sums(log_values, log_cells, places, sums):  # type: ignore[no-untyped-def]
    """Add up f(s | r, π) over draws: `sums` has the shape (n_rows, n_values).

    A place below 0 says that the attribute is not known.
    """
    n_values = log_values.shape[1]
    posterior = np.empty(n_values)
    for row in range(places.shape[0]):
        for draw in range(log_values.shape[0]):
            highest = -np.inf
            for value in range(n_values):
                found = float(log_values[draw, value])
                for place in places[row]:
                    if place >= 0:
                        found += log_cells[draw, value, place]
                posterior[value] = found
                highest = max(highest, found)
            total = 0.0
            for value in range(n_values):
                posterior[value] = np.exp(posterior[value] - highest)
                total += posterior[value]
            for value in range(n_values):
                sums[row, value] += posterior[value] / total


@compiled()
def joint_sums(log_values, log_cells, places, values, sums):  # type: ignore[no-untyped-def]
    """Add up f(s, r | π) over draws: `sums` has the shape (n_rows,)."""
    for row in range(places.shape[0]):
        for draw in range(log_values.shape[0]):
            found = float(log_values[draw, values[row]])
            for place in places[row]:
                if place >= 0:
                    found += log_cells[draw, values[row], place]
            sums[row] += np.exp(found)


@compiled()
def label_masses(cells, of_value, of_label, first, covered, masses):  # type: ignore[no-untyped-def]
    """Fill `masses[value, label]` with the probability of what a label covers, where it is used."""
    for entry in range(len(of_value)):
        value, label = of_value[entry], of_label[entry]
        total = 0.0
        for number in range(first[label], first[label + 1]):
            total += np.exp(cells[value, covered[number]])
        masses[value, label] = np.log(total)


@compiled()
def attacker_sums(  # type: ignore[no-untyped-def]
    log_cells, masses, places, class_labels, class_values, class_rows, pair_starts, pairs, sums
):
    """Add to `sums[row, value]` the expected number of rows that are the victim, for one draw.

    Victim `row` can be a row of the classes ``pairs[pair_starts[row]:pair_starts[row + 1]]``.
    """
    n_attributes = places.shape[1]
    for row in range(places.shape[0]):
        for number in range(pair_starts[row], pair_starts[row + 1]):
            released = pairs[number]
            value = class_values[released]
            found = 0.0
            for attribute in range(n_attributes):
                place = places[row, attribute]
                if place >= 0:
                    label = class_labels[released, attribute]
                    found += log_cells[value, place] - masses[value, label]
            sums[row, value] += class_rows[released] * np.exp(found)


@compiled()
def compatible(places, class_labels, covers, pair_starts, pairs):  # type: ignore[no-untyped-def]
    """Find which classes cover which victims; fill only the numbers where `pairs` is empty.

    ``covers[label, place]`` says whether a label, all attributes' in one line, covers a place.
    """
    count = 0
    for row in range(places.shape[0]):
        pair_starts[row] = count
        for released in range(class_labels.shape[0]):
            fits = True
            for attribute in range(places.shape[1]):
                place = places[row, attribute]
                if place >= 0 and not covers[class_labels[released, attribute], place]:
                    fits = False
                    break
            if fits:
                if len(pairs):
                    pairs[count] = released
                count += 1
    pair_starts[places.shape[0]] = count


@compiled()
def _inflation(draws, used, chance):  # type: ignore[no-untyped-def]
    """Return one plus twice the sum of the autocorrelations, up to the first hardly above 0."""
    adjusted = 1.0
    for lag in range(1, used // 4):
        same = 0
        for draw in range(lag, used):
            same += draws[draw] == draws[draw - lag]
        agreement = (same / (used - lag) - chance) / (1.0 - chance)
        if agreement < 0.02:
            break
        adjusted += 2.0 * agreement
    return adjusted


@compiled()
def weiss_statistics(rows, segments):  # type: ignore[no-untyped-def]
    """Return for each row of draws the adjusted χ² of homogeneity, and its degrees of freedom.

    Each row is a sequence of a categorical variable, cut into `segments` of equal length, whose
    distributions are compared with the whole's. The statistic is divided by one plus twice the sum
    of the autocorrelations (Cohen's κ of lagged draws) up to the first that is hardly above 0.
    """
    n_rows, length = rows.shape
    statistics = np.zeros(n_rows)
    freedom = np.zeros(n_rows)
    per_segment = length // segments
    used = per_segment * segments
    n_values = int(rows.max()) + 1 if n_rows and length else 0
    counts = np.zeros(n_values)
    parts = np.zeros((segments, n_values))
    for row in range(n_rows):
        counts[:] = 0.0
        parts[:] = 0.0
        for draw in range(used):
            counts[rows[row, draw]] += 1.0
            parts[draw // per_segment, rows[row, draw]] += 1.0
        seen = 0
        chance = 0.0
        for value in range(n_values):
            seen += counts[value] > 0
            chance += (counts[value] / used) ** 2
        if seen < 2:
            continue
        adjusted = _inflation(rows[row], used, chance)
        found = 0.0
        for segment in range(segments):
            for value in range(n_values):
                if counts[value] > 0:
                    expected = counts[value] / segments
                    found += (parts[segment, value] - expected) ** 2 / expected
        statistics[row] = found / adjusted
        freedom[row] = (segments - 1) * (seen - 1)
    return statistics, freedom


@compiled()
def draw_one_covered(rng, logs, of_value, of_label, first, covered, found):  # type: ignore[no-untyped-def]
    """Draw for each kept draw and entry one of the values that the entry's label covers."""
    for draw in range(logs.shape[0]):
        for entry in range(len(of_value)):
            value, label = of_value[entry], of_label[entry]
            total = 0.0
            for number in range(first[label], first[label + 1]):
                total += np.exp(logs[draw, value, covered[number]])
            left = rng.random() * total
            taken = first[label + 1] - first[label] - 1
            for number in range(first[label], first[label + 1]):
                left -= np.exp(logs[draw, value, covered[number]])
                if left < 0.0:
                    taken = number - first[label]
                    break
            found[draw, entry] = taken
