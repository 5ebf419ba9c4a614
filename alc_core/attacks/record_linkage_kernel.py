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
        Log evidence of agreement.
    tables : ndarray of float64
        Log evidence where codes differ, by row, then column.
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
    votes, said = np.zeros(n_records), np.zeros((2, records.begins[-1]))
    for target in range(n_targets):
        found = shares[target], likeliest[target], chances[target]
        scale = _say(records, own, rows, speaks, tables, starts, widths, target, said)
        peak = records.peak
        for begin in range(0, n_records, _PORTION):  # While their votes are in the cache
            end = min(begin + _PORTION, n_records)
            _multiply(records, said[1], begin, end, votes)
            _add(votes, unknown, begin, end, *found)
        if chances[target, 0] < _LEAST:
            shares[target], likeliest[target], chances[target] = 0.0, -1, 0.0
            peak = _vote_in_logs(records, said[0], votes)
            _add(votes, unknown, 0, n_records, *found)
        total = shares[target].sum()
        shares[target] /= total
        chances[target] /= total
        linked[target] = 1 / (1 + np.exp(min(none - scale - peak - np.log(total), 700.0)))
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
    votes, said = np.zeros(n_records), np.zeros((2, records.begins[-1]))
    for target in range(n_targets):
        most, scale = _vote(records, own, rows, speaks, tables, starts, widths, target, said, votes)
        chance = 0.0
        for record in range(n_records):
            if votes[record] > most * _COUNTS:
                chance += votes[record]
        total = chance + np.exp(none - scale)
        linked[target] = chance / total
        for record in range(n_records):
            if votes[record] > most * _COUNTS:
                vote = votes[record] / total
                for group in range(len(records.members)):
                    combination = records.members[group, record]
                    for column in range(records.columns[group], records.columns[group + 1]):
                        code, at = own[column, target], combination + records.offsets[column]
                        if code >= 0 and records.codes[at] == code:
                            agreed[column, target] += vote
                        else:
                            row = starts[column] + rows[column, target] * widths[column]
                            moved[row + records.places[at]] += vote
    return linked, agreed, moved


@compiled()
def _vote(  # type: ignore[no-untyped-def]
    records, own, rows, speaks, tables, starts, widths, target, said, votes
):
    """Multiply each record's evidence about one target.

    Return the greatest vote, and the log of the common divisor.
    """
    scale = _say(records, own, rows, speaks, tables, starts, widths, target, said)
    for begin in range(0, len(votes), _PORTION):
        _multiply(records, said[1], begin, min(begin + _PORTION, len(votes)), votes)
    most = votes.max()
    if most >= _LEAST:
        return most, scale + records.peak
    return 1.0, scale + _vote_in_logs(records, said[0], votes)


@compiled()
def _multiply(records, factors, begin, end, votes):  # type: ignore[no-untyped-def]
    votes[begin:end] = records.votes[begin:end]
    for members in records.members:
        for record in range(begin, end):
            votes[record] *= factors[np.uint32(members[record])]


@compiled()
def _vote_in_logs(records, logs, votes):  # type: ignore[no-untyped-def]
    """Add log evidence if no record is likely in all groups; return the divisor's log."""
    votes[:] = records.weights
    for members in records.members:
        for record in range(len(votes)):
            votes[record] += logs[members[record]]
    peak = votes.max()
    votes[:] = np.exp(votes - peak)
    return peak


@compiled()
def _say(records, own, rows, speaks, tables, starts, widths, target, said):  # type: ignore[no-untyped-def]
    """Sum combinations' log evidence, less their group's maximum.

    Return the maxima's sum; the second row of `said` gets exponentials.
    """
    logs, factors = said
    scale = 0.0
    for group in range(len(records.members)):
        begin, end = records.begins[group], records.begins[group + 1]
        logs[begin:end] = 0.0
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
                logs[each] += agrees if codes[each] == code else differs
        highest = logs[begin:end].max()
        scale += highest
        logs[begin:end] -= highest
        factors[begin:end] = np.exp(logs[begin:end])
    return scale
