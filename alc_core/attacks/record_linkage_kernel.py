"""Votes of released records for targets, compiled."""

from __future__ import annotations

import numpy as np

from alc_core.runtime.kernels import compiled

_PORTION = 4_096  # Records whose votes fit the processor's cache
_LEAST, _MOST = 1e-250, 1e250  # Greatest votes beyond leave no room for others
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
    votes, first = np.zeros(n_records), np.zeros(n_records)
    told, said = np.zeros(len(records.codes)), np.zeros(records.begins[-1])
    for target in range(n_targets):
        found = shares[target], likeliest[target], chances[target]
        _tell(records, own, rows, speaks, tables, starts, widths, target, told)
        scale = _say(records, told, said)
        _begin(records, own, speaks, target, told, first)
        for begin in range(0, n_records, _PORTION):  # While their votes are in the cache
            end = min(begin + _PORTION, n_records)
            _multiply(records, said, begin, end, first, votes)
            _add(votes, unknown, begin, end, *found)
        if not _LEAST <= chances[target, 0] <= _MOST:
            shares[target], likeliest[target], chances[target] = 0.0, -1, 0.0
            scale = _vote_in_logs(records, own, speaks, target, told, said, votes)
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
    votes, first = np.zeros(n_records), np.zeros(n_records)
    told, said = np.zeros(len(records.codes)), np.zeros(records.begins[-1])
    for target in range(n_targets):
        _tell(records, own, rows, speaks, tables, starts, widths, target, told)
        most, scale = _vote(records, own, speaks, target, told, said, first, votes)
        likely = np.flatnonzero(votes > most * _COUNTS)
        chances = votes[likely]
        total = chances.sum() + np.exp(none - scale)
        linked[target] = chances.sum() / total
        _count_pairs(records, likely, chances / total, said, told)
        for at in range(len(records.fine.columns)):
            column = records.fine.columns[at]
            pair, holders = _holders(records.fine, own, target, at)
            for record in holders:
                if votes[record] > most * _COUNTS:
                    agreed[column, target] += votes[record] / total
            told[pair] = max(0.0, told[pair] - agreed[column, target])
        for column in range(len(own)):
            code, row = own[column, target], starts[column] + rows[column, target] * widths[column]
            for pair in range(records.firsts[column], records.firsts[column + 1]):
                if code >= 0 and records.codes[pair] == code:
                    agreed[column, target] += told[pair]
                else:
                    moved[row + records.places[pair]] += told[pair]
    return linked, agreed, moved


@compiled()
def _vote(records, own, speaks, target, told, said, first, votes):  # type: ignore[no-untyped-def]
    """Multiply each record's evidence; return the greatest vote, and the divisor's log."""
    scale = _say(records, told, said)
    _begin(records, own, speaks, target, told, first)
    for begin in range(0, len(votes), _PORTION):
        _multiply(records, said, begin, min(begin + _PORTION, len(votes)), first, votes)
    most = votes.max()
    if _LEAST <= most <= _MOST:
        return most, scale
    return 1.0, _vote_in_logs(records, own, speaks, target, told, said, votes)


@compiled()
def _count_pairs(records, likely, chances, said, told):  # type: ignore[no-untyped-def]
    """Sum records' probabilities by combination, and by pair of code and place."""
    said[:], told[:] = 0.0, 0.0
    for group in range(len(records.members)):
        members, begin = records.members[group], records.begins[group]
        for at in range(len(likely)):
            said[members[likely[at]]] += chances[at]
        for each in begin + np.flatnonzero(said[begin : records.begins[group + 1]]):
            for column in range(records.columns[group], records.columns[group + 1]):
                told[records.pairs[each + records.offsets[column]]] += said[each]


@compiled()
def _tell(records, own, rows, speaks, tables, starts, widths, target, told):  # type: ignore[no-untyped-def]
    """Look up the evidence of each column's pairs of code and place."""
    for column in range(len(own)):
        code, row = own[column, target], starts[column] + rows[column, target] * widths[column]
        for pair in range(records.firsts[column], records.firsts[column + 1]):
            agrees = code >= 0 and records.codes[pair] == code
            told[pair] = speaks[column, target] if agrees else tables[row + records.places[pair]]


@compiled()
def _say(records, told, said):  # type: ignore[no-untyped-def]
    """Multiply combinations' evidence, as shares of their group's maximum.

    Return the log of the maxima's product and the greatest weight.
    """
    said[:] = 1.0
    scale = records.peak
    for group in range(len(records.members)):
        begin, end = records.begins[group], records.begins[group + 1]
        for column in range(records.columns[group], records.columns[group + 1]):
            pairs = records.pairs[records.offsets[column] :]
            for each in range(begin, end):
                said[each] *= told[np.uint32(pairs[each])]
        highest = said[begin:end].max()
        scale += np.log(highest)
        said[begin:end] /= highest
    return scale


@compiled()
def _begin(records, own, speaks, target, told, first):  # type: ignore[no-untyped-def]
    """Set votes before the groups': the weights, and the target's codes in fine columns."""
    first[:] = records.votes
    for at in range(len(records.fine.columns)):
        pair, holders = _holders(records.fine, own, target, at)
        for record in holders:
            first[record] *= speaks[records.fine.columns[at], target] / told[pair]


@compiled()
def _holders(fine, own, target, at):  # type: ignore[no-untyped-def]
    """Return the pair in a fine column that the target's code is in, and the code's records."""
    code = own[fine.columns[at], target]
    if code < 0:
        return 0, fine.holders[:0]
    code += fine.held[at]
    return fine.pairs[code], fine.holders[fine.begun[code] : fine.begun[code + 1]]


@compiled()
def _multiply(records, said, begin, end, first, votes):  # type: ignore[no-untyped-def]
    groups = records.members
    votes[begin:end] = first[begin:end]
    fours = len(groups) // 4 * 4
    for at in range(0, fours, 4):  # Each vote is read and written once
        one, two, three, four = groups[at], groups[at + 1], groups[at + 2], groups[at + 3]
        for record in range(begin, end):
            votes[record] *= (said[np.uint32(one[record])] * said[np.uint32(two[record])]) * (
                said[np.uint32(three[record])] * said[np.uint32(four[record])]
            )
    for at in range(fours, len(groups)):
        one = groups[at]
        for record in range(begin, end):
            votes[record] *= said[np.uint32(one[record])]


@compiled()
def _vote_in_logs(records, own, speaks, target, told, logs, votes):  # type: ignore[no-untyped-def]
    """Add logs of evidence if its product is too small or great; return the divisor's log."""
    logs[:], votes[:] = 0.0, records.weights
    for group in range(len(records.members)):
        members = records.members[group]
        for column in range(records.columns[group], records.columns[group + 1]):
            for each in range(records.begins[group], records.begins[group + 1]):
                logs[each] += np.log(told[records.pairs[each + records.offsets[column]]])
        for record in range(len(votes)):
            votes[record] += logs[members[record]]
    for at in range(len(records.fine.columns)):
        pair, holders = _holders(records.fine, own, target, at)
        for record in holders:
            votes[record] += np.log(speaks[records.fine.columns[at], target] / told[pair])
    peak = votes.max()
    votes[:] = np.exp(votes - peak)
    return peak
