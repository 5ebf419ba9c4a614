"""The compiled part of :mod:`chain` and :mod:`chances`.

``cells[value, place]`` is the probability of a known value given an unknown one; columns start at
their offsets.
"""

from __future__ import annotations

import math

import numpy as np

from alc_core.runtime.kernels import compiled

_TINY = 1e-300  # Keeps logarithms finite
_MANY_ROWS = 100  # From here a multinomial is faster than single draws


@compiled()
def draw_parameters(rng, weights, offsets, cells):  # type: ignore[no-untyped-def]
    """Fill `cells` with Dirichlet draws, one per row and column."""
    for value in range(weights.shape[0]):
        for attribute in range(len(offsets) - 1):
            total = 0.0
            for place in range(offsets[attribute], offsets[attribute + 1]):
                drawn = max(rng.standard_gamma(weights[value, place]), _TINY)
                cells[value, place] = drawn
                total += drawn
            for place in range(offsets[attribute], offsets[attribute + 1]):
                cells[value, place] = max(cells[value, place] / total, _TINY)


@compiled()
def log_posterior(weights):  # type: ignore[no-untyped-def]
    """Return the log posterior of hidden values, up to a constant.

    Parameters are integrated out; `weights` are the prior's plus counts.
    """
    total = 0.0
    for weight in weights.flat:
        total += math.lgamma(weight)
    return total


@compiled()
def swap_in_groups(rng, logs, places, starts, state, counts, tries):  # type: ignore[no-untyped-def]
    """Propose swaps of unknown values within groups; return accepted ones.

    `state`: unknown value by row; `counts`: rows by unknown value and place.
    """
    accepted = 0
    n_attributes = places.shape[1]
    for group in range(len(starts) - 1):
        start = starts[group]
        size = starts[group + 1] - start
        if size < 2:
            continue
        for _ in range(min(tries, size)):
            one = int(rng.random() * size)
            other = int(rng.random() * (size - 1))
            other = start + other + (other >= one)
            one += start
            first, second = state[one], state[other]
            if first == second:
                continue
            gain = 0.0
            for attribute in range(n_attributes):
                here, there = places[one, attribute], places[other, attribute]
                if here == there:
                    continue
                gain += logs[second, here] - logs[first, here]
                gain += logs[first, there] - logs[second, there]
            if gain >= 0.0 or rng.random() < np.exp(gain):
                state[one], state[other] = second, first
                accepted += 1
                for attribute in range(n_attributes):
                    here, there = places[one, attribute], places[other, attribute]
                    counts[first, here] -= 1.0
                    counts[second, here] += 1.0
                    counts[second, there] -= 1.0
                    counts[first, there] += 1.0
    return accepted


@compiled()
def exchange_values(rng, weights, heat, places, starts, state, counts):  # type: ignore[no-untyped-def]
    """Propose to exchange two values in all groups with equal numbers of both.

    This reaches mirror modes with exchanged profiles; swaps of two rows hardly do. Parameters are
    integrated out; value counts are released, so only products of gamma functions of the counts
    change.
    """
    drawn = int(rng.random() * (len(starts) - 1))
    size = starts[drawn + 1] - starts[drawn]
    first = state[starts[drawn] + int(rng.random() * size)]
    second = state[starts[drawn] + int(rng.random() * size)]
    if first == second:
        return
    chosen = np.empty(len(starts) - 1, dtype=np.bool_)
    changes = np.zeros(counts.shape[1])
    _changes_by_exchange(first, second, places, starts, state, chosen, changes)
    gain = 0.0
    for place in range(len(changes)):
        if changes[place] != 0.0:
            change = heat * changes[place]
            one = weights[first, place] + heat * counts[first, place]
            other = weights[second, place] + heat * counts[second, place]
            gain += math.lgamma(one + change) - math.lgamma(one)
            gain += math.lgamma(other - change) - math.lgamma(other)
    if gain < 0.0 and rng.random() >= np.exp(gain):
        return
    counts[first] += changes
    counts[second] -= changes
    for group in np.flatnonzero(chosen):
        for row in range(starts[group], starts[group + 1]):
            if state[row] == first:
                state[row] = second
            elif state[row] == second:
                state[row] = first


@compiled()
def _changes_by_exchange(first, second, places, starts, state, chosen, changes):  # type: ignore[no-untyped-def]
    """Mark groups with equal numbers of two values; sum the first's change."""
    for group in range(len(starts) - 1):
        rows = range(starts[group], starts[group + 1])
        balance, found = 0, 0
        for row in rows:
            balance += int(state[row] == first) - int(state[row] == second)
            found += int(state[row] == first)
        chosen[group] = balance == 0 and found > 0
        if chosen[group]:
            for row in rows:
                change = int(state[row] == second) - int(state[row] == first)
                if change != 0:
                    for place in places[row]:
                        changes[place] += change


@compiled()
def permute_groups(rng, logs, places, starts, state, counts):  # type: ignore[no-untyped-def]
    """Propose a permutation of each group's unknown values; return changed groups."""
    accepted = 0
    n_attributes = places.shape[1]
    for group in range(len(starts) - 1):
        start, end = starts[group], starts[group + 1]
        proposed = state[start:end].copy()
        for last in range(len(proposed) - 1, 0, -1):
            other = int(rng.random() * (last + 1))
            proposed[last], proposed[other] = proposed[other], proposed[last]
        gain = 0.0
        for row in range(start, end):
            for attribute in range(n_attributes):
                place = places[row, attribute]
                gain += logs[proposed[row - start], place] - logs[state[row], place]
        if gain >= 0.0 or rng.random() < np.exp(gain):
            accepted += (proposed != state[start:end]).any()
            for row in range(start, end):
                for attribute in range(n_attributes):
                    place = places[row, attribute]
                    counts[state[row], place] -= 1.0
                    counts[proposed[row - start], place] += 1.0
                state[row] = proposed[row - start]
    return accepted


@compiled()
def draw_covered(  # type: ignore[no-untyped-def]
    rng, cells, counts, of_value, of_label, n_rows, first, covered
):
    """Fill `counts` with rows by unknown value and place, drawn within labels.

    Entry k has `n_rows[k]` rows of one unknown value and label, which covers
    ``covered[first[of_label[k]]:first[of_label[k] + 1]]``. Many are drawn as a multinomial, few
    singly, for speed.
    """
    for entry in range(len(n_rows)):
        value, label = of_value[entry], of_label[entry]
        places = covered[first[label] : first[label + 1]]
        if n_rows[entry] > _MANY_ROWS:
            _draw_together(rng, cells[value], counts[value], places, n_rows[entry])
        else:
            _draw_each(rng, cells[value], counts[value], places, n_rows[entry])


@compiled()
def _draw_together(rng, cells, counts, places, n_rows):  # type: ignore[no-untyped-def]
    left = n_rows
    total = 0.0
    for place in places:
        total += cells[place]
    for place in places[:-1]:
        if left == 0:
            break
        share = min(cells[place] / total, 1.0) if total > 0.0 else 1.0
        taken = rng.binomial(left, share)
        counts[place] += taken
        left -= taken
        total -= cells[place]
    if left:
        counts[places[-1]] += left


@compiled()
def _draw_each(rng, cells, counts, places, n_rows):  # type: ignore[no-untyped-def]
    total = 0.0
    for place in places:
        total += cells[place]
    for _ in range(n_rows):
        left = rng.random() * total
        taken = places[-1]
        for place in places:
            left -= cells[place]
            if left < 0.0:
                taken = place
                break
        counts[taken] += 1.0


@compiled()
def advance_vertical(  # type: ignore[no-untyped-def]
    rng, steps, heats, prior, offsets, places, starts, state, counts, tries, permuting, slots,
    slot_starts, keep_every, kept_cells, kept_posteriors, watched, kept_states, occupancy,
):  # fmt: skip
    """Take steps of the chain of groups; return accepted proposals.

    Row j's group has the distinct values ``slots[slot_starts[j, 0]:slot_starts[j, 1]]``;
    `occupancy[j, k]` counts steps in which row j held the k-th (unless empty). Every `keep_every`
    steps log parameters, log posterior and the `watched` rows' state are kept. The data's weight
    goes from ``heats[0]`` to ``heats[1]``; both are 1 if draws are kept.
    """
    cells = np.empty_like(prior)
    slot_of = np.zeros(prior.shape[0], dtype=np.int64)
    accepted = 0
    kept = 0
    for step in range(steps):
        heat = heats[0] + (heats[1] - heats[0]) * (step + 1) / steps
        draw_parameters(rng, prior + heat * counts, offsets, cells)
        cells[:] = heat * np.log(cells)
        if permuting:
            accepted += permute_groups(rng, cells, places, starts, state, counts)
        else:
            accepted += swap_in_groups(rng, cells, places, starts, state, counts, tries)
            exchange_values(rng, prior, heat, places, starts, state, counts)
        if len(occupancy):
            previous = -1
            for row in range(len(state)):
                begin, end = slot_starts[row, 0], slot_starts[row, 1]
                if begin != previous:
                    for number in range(begin, end):
                        slot_of[slots[number]] = number - begin
                    previous = begin
                occupancy[row, slot_of[state[row]]] += 1
        if kept < len(kept_cells) and (step + 1) % keep_every == 0:
            kept_cells[kept] = cells
            kept_posteriors[kept] = log_posterior(prior + counts)
            for number in range(len(watched)):
                kept_states[kept, number] = state[watched[number]]
            kept += 1
    return accepted


@compiled()
def advance_horizontal(  # type: ignore[no-untyped-def]
    rng, steps, heats, prior, fixed, offsets, of_value, of_label, n_rows, first, covered, counts,
    keep_every, kept_cells, kept_posteriors,
):  # fmt: skip
    """Take steps of the chain of a table of labels.

    `fixed` counts rows with single values. Otherwise as :func:`advance_vertical`.
    """
    cells = np.empty_like(prior)
    kept = 0
    for step in range(steps):
        heat = heats[0] + (heats[1] - heats[0]) * (step + 1) / steps
        draw_parameters(rng, prior + heat * counts, offsets, cells)
        if heat < 1.0:
            cells[:] = cells**heat
        counts[:] = fixed
        draw_covered(rng, cells, counts, of_value, of_label, n_rows, first, covered)
        if kept < len(kept_cells) and (step + 1) % keep_every == 0:
            kept_cells[kept] = np.log(cells)
            kept_posteriors[kept] = log_posterior(prior + counts)
            kept += 1


@compiled()
def learner_sums(log_values, log_cells, places, sums):  # type: ignore[no-untyped-def]
    """Add up f(s | r, π) over draws: `sums` has the shape (n_rows, n_values).

    A negative place is an unknown column.
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
    """Fill `masses[value, label]` with the probability of each used label."""
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
    """Add to `sums[row, value]` the expected rows that are the victim, for one draw.

    Victim `row` can be of the classes ``pairs[pair_starts[row]:pair_starts[row + 1]]``.
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
    """Find classes covering each victim; only numbers if `pairs` is empty.

    ``covers[label, place]``: a label (of all columns) covers a place.
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
    """Return one plus twice the sum of the autocorrelations, up to the first near 0."""
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
    """Return each row's adjusted χ² of homogeneity, and degrees of freedom.

    A row is a sequence of a categorical variable; `segments` equal parts are compared with the
    whole. The statistic is divided by one plus twice the sum of the autocorrelations (Cohen's κ of
    lagged draws) up to the first near 0.
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
    """Draw one value of its label for each kept draw and entry."""
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
