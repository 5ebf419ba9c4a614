"""The compiled part of the checks of convergence."""

from __future__ import annotations

import numpy as np

from alc_core.runtime.kernels import compiled


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
