"""Counting the targets of a resample, compiled."""

from __future__ import annotations

import numpy as np

from alc_core.runtime.kernels import compiled


@compiled()
def counted(  # type: ignore[no-untyped-def]
    joint, gains, times, attack_size, baseline_size, cap, least_known
):
    """Count predictions per threshold in resamples; see BootstrapCounts.

    Parameters
    ----------
    joint : ndarray of int32 of shape (n_targets, 4)
        As in :class:`Outcomes`.
    gains : ndarray of float64 of shape (n_targets,)
    times : ndarray of int64 of shape (n_resamples, n_targets)
        Draws of each target.
    attack_size, baseline_size : int
        Thresholds of both curves.
    cap, least_known : float, int
        Share and number of correct predictions of the guessable.

    Returns
    -------
    attack, baseline, rest : ndarray of int64 of shape (n_resamples, n_thresholds, 2)
        Predictions and correct ones.
    gain : ndarray of float64 of shape (n_resamples, attack_size)
    known : ndarray of int64 of shape (n_resamples, 2)
    attempts : ndarray of int64 of shape (n_resamples,)
    """
    resamples, targets = times.shape
    attack = np.zeros((resamples, attack_size, 2), dtype=np.int64)
    baseline = np.zeros((resamples, baseline_size, 2), dtype=np.int64)
    rest = np.zeros((resamples, attack_size, 2), dtype=np.int64)
    gain = np.zeros((resamples, attack_size), dtype=np.float64)
    known = np.zeros((resamples, 2), dtype=np.int64)
    attempts = np.zeros(resamples, dtype=np.int64)
    for number in range(resamples):
        for target in range(targets):
            drawn = times[number, target]
            attempts[number] += drawn
            baseline[number, joint[target, 2], 0] += drawn
            baseline[number, joint[target, 2], 1] += drawn * joint[target, 3]
        place = -1
        for threshold in range(baseline_size):
            if threshold:
                baseline[number, threshold] += baseline[number, threshold - 1]
            made, right = baseline[number, threshold]
            if made >= least_known and right >= cap * made:
                place = threshold
        if place >= 0:
            known[number] = baseline[number, place]
        for target in range(targets):
            drawn = times[number, target]
            first, right = joint[target, 0], joint[target, 1]
            attack[number, first, 0] += drawn
            attack[number, first, 1] += drawn * right
            if joint[target, 2] > place:
                rest[number, first, 0] += drawn
                rest[number, first, 1] += drawn * right
                gain[number, first] += drawn * gains[target]
        for threshold in range(1, attack_size):
            attack[number, threshold] += attack[number, threshold - 1]
            rest[number, threshold] += rest[number, threshold - 1]
            gain[number, threshold] += gain[number, threshold - 1]
    return attack, baseline, rest, gain, known, attempts
