"""Votes of released records for targets, compiled."""

from __future__ import annotations

import numpy as np

from alc_core.runtime.kernels import compiled

_PORTION = 4_096  # Records whose votes fit the processor's cache
_LEAST = 1e-250  # Greatest votes below leave no room for smaller ones
_COUNTS = float(np.exp(-14.0))  # Smaller shares of the greatest vote are ignored in learning
_LIKELIEST = 10  # Records returned per target


@compiled()
def voted(  # type: ignore[no-untyped-def]
    records, own, rows, speaks, tables, starts, widths, none, unknown, n_values
):
    """Sum all records' votes for each target; see :class:`RecordLinkage`.

    Parameters
    ----------
    records : GroupedRecords
    own, rows : ndarray of int32 of shape (n_columns, n_targets)
        Targets' codes, negative if none; rows of the tables.
    speaks : ndarray of float64 of shape (n_columns, n_targets)
        Likelihood ratios of agreement.
    tables : ndarray of float64
        Ratios where codes differ, by row, then column.
    starts, widths : ndarray of int64 of shape (n_columns,)
        First row of each column, and row lengths.
    none : float
        Log vote for no own record.
    unknown : ndarray of int64 of shape (n_records,)
    n_values : int

    Returns
    -------
    shares : ndarray of float64 of shape (n_targets, n_values)
        Of all votes.
    likeliest : ndarray of int64 of shape (n_targets, 10)
        Records with most votes, in order; -1 if fewer.
    chances : ndarray of float64 of shape (n_targets, 10)
        Their shares of the votes.
    linked : ndarray of float64 of shape (n_targets,)
        Probability that a record is the target's own.
    """
    n_targets, n_records = own.shape[1], len(unknown)
    shares = np.zeros((n_targets, n_values))
    likeliest = np.full((n_targets, _LIKELIEST), -1)
    chances, linked = np.zeros((n_targets, _LIKELIEST)), np.zeros(n_targets)
    votes, said = np.zeros(n_records), np.zeros(records.begins[-1])
    for target in range(n_targets):
        found = shares[target], likeliest[target], chances[target]
        scale = _say(records, own, rows, speaks, tables, starts, widths, target, said)
        for begin in range(0, n_records, _PORTION):  # While their votes are in the cache
            end = min(begin + _PORTION, n_records)
            _multiply(records, said, begin, end, votes)
            _add(votes, unknown, begin, end, *found)
        if not chances[target, 0] >= _LEAST:  # Too small, or no number
            shares[target], likeliest[target], chances[target] = 0.0, -1, 0.0
            asked = records, own, rows, speaks, tables, starts, widths, target
            scale = _vote_in_logs(*asked, said, votes)
            _add(votes, unknown, 0, n_records, *found)
        total = shares[target].sum()
        shares[target] /= total
        chances[target] /= total
        linked[target] = 1 / (1 + np.exp(min(none - scale - np.log(total), 700.0)))
    return shares, likeliest, chances, linked


@compiled()
def _add(votes, unknown, begin, end, shares, likeliest, chances):  # type: ignore[no-untyped-def]
    least = chances[_LIKELIEST - 1]
    for record in range(begin, end):
        vote = votes[record]
        shares[np.uint64(unknown[record])] += vote
        if vote > least:
            at = _LIKELIEST - 1
            while at > 0 and vote > chances[at - 1]:
                chances[at], likeliest[at] = chances[at - 1], likeliest[at - 1]
                at -= 1
            chances[at], likeliest[at] = vote, record
            least = chances[_LIKELIEST - 1]


@compiled()
def counted(  # type: ignore[no-untyped-def]
    records, own, rows, speaks, tables, starts, widths, none
):
    """Sum probabilities that own records have a code or place.

    As :func:`voted`.

    Returns
    -------
    linked : ndarray of float64 of shape (n_targets,)
        Probability that a record is the target's own.
    agreed : ndarray of float64 of shape (n_columns, n_targets)
        And it has the target's code.
    moved : ndarray of float64, as `tables`
        And it has another code in a place; summed over targets.
    """
    n_targets, n_records = own.shape[1], len(records.weights)
    linked, agreed, moved = np.zeros(n_targets), np.zeros(own.shape), np.zeros(len(tables))
    votes, said = np.zeros(n_records), np.zeros(records.begins[-1])
    for target in range(n_targets):
        most, scale = _vote(records, own, rows, speaks, tables, starts, widths, target, said, votes)
        likely = np.flatnonzero(votes > most * _COUNTS)
        chance = votes[likely].sum()
        total = chance + np.exp(none - scale)
        linked[target] = chance / total
        said[:] = 0.0  # Now each combination's probability
        for members in records.members:
            for record in likely:
                said[members[record]] += votes[record] / total
        for group in range(len(records.members)):
            begin, end = records.begins[group], records.begins[group + 1]
            found = begin + np.flatnonzero(said[begin:end])
            for column in range(records.columns[group], records.columns[group + 1]):
                row = starts[column] + rows[column, target] * widths[column]
                for each in found:
                    at = each + records.offsets[column]
                    if own[column, target] >= 0 and records.codes[at] == own[column, target]:
                        agreed[column, target] += said[each]
                    else:
                        moved[row + records.places[at]] += said[each]
    return linked, agreed, moved


@compiled()
def _vote(  # type: ignore[no-untyped-def]
    records, own, rows, speaks, tables, starts, widths, target, said, votes
):
    """Multiply each record's evidence about one target.

    Return the greatest vote, and the log of the common divisor.
    """
    asked = records, own, rows, speaks, tables, starts, widths, target
    scale = _say(*asked, said)
    for begin in range(0, len(votes), _PORTION):
        _multiply(records, said, begin, min(begin + _PORTION, len(votes)), votes)
    most = votes.max()
    if most >= _LEAST:
        return most, scale
    return 1.0, _vote_in_logs(*asked, said, votes)


@compiled()
def _multiply(records, factors, begin, end, votes):  # type: ignore[no-untyped-def]
    votes[begin:end] = records.votes[begin:end]
    for members in records.members:
        for record in range(begin, end):
            votes[record] *= factors[np.uint32(members[record])]


@compiled()
def _say(records, own, rows, speaks, tables, starts, widths, target, said):  # type: ignore[no-untyped-def]
    """Multiply combinations' evidence, as shares of their group's maximum.

    Return the log of the maxima's product and the greatest weight.
    """
    said[:] = 1.0
    scale = records.peak
    for group in range(len(records.members)):
        begin, end = records.begins[group], records.begins[group + 1]
        for column in range(records.columns[group], records.columns[group + 1]):
            differing = tables[starts[column] + rows[column, target] * widths[column] :]
            code, agrees = own[column, target], speaks[column, target]
            if code < 0:
                code = -2
            ahead = records.offsets[column]
            codes, places = records.codes[ahead:], records.places[ahead:]
            for each in range(begin, end):
                # Both, then one: branches are unpredictable
                differs = differing[np.uint32(places[each])]
                said[each] *= agrees if codes[each] == code else differs
        highest = said[begin:end].max()
        scale += np.log(highest)
        said[begin:end] /= highest
    return scale


@compiled()
def _vote_in_logs(  # type: ignore[no-untyped-def]
    records, own, rows, speaks, tables, starts, widths, target, logs, votes
):
    """Add logs of evidence if its product is too small; return the divisor's log."""
    logs[:], votes[:] = 0.0, records.weights
    for group in range(len(records.members)):
        for column in range(records.columns[group], records.columns[group + 1]):
            code, row = own[column, target], starts[column] + rows[column, target] * widths[column]
            for each in range(records.begins[group], records.begins[group + 1]):
                at = each + records.offsets[column]
                agrees = code >= 0 and records.codes[at] == code
                ratio = speaks[column, target] if agrees else tables[row + records.places[at]]
                logs[each] += np.log(ratio)
        members = records.members[group]
        for record in range(len(votes)):
            votes[record] += logs[members[record]]
    peak = votes.max()
    votes[:] = np.exp(votes - peak)
    return peak
