"""Rows drawn among what their labels cover, few one by one and many together."""

import numpy as np
import pytest

from alc_core.group_posterior.chain_kernels import draw_covered


@pytest.mark.parametrize("n_rows", [40, 5_000])
def test_rows_are_drawn_in_proportion_among_what_their_label_covers(n_rows):
    rng = np.random.default_rng(0)
    cells = np.array([[0.1, 0.2, 0.3, 0.4], [0.7, 0.1, 0.1, 0.1]])
    first, covered = np.array([0, 2, 5]), np.array([0, 2, 1, 2, 3], np.int32)
    total = np.zeros((2, 4))
    repeats = 200_000 // n_rows
    for _ in range(repeats):
        counts = np.zeros((2, 4))
        draw_covered(
            rng, cells, counts, np.array([0, 1]), np.array([0, 1]), np.array([n_rows, n_rows]),
            first, covered,
        )  # fmt: skip
        assert counts.sum(axis=1).tolist() == [n_rows, n_rows]
        total += counts
    shares = total / (repeats * n_rows)
    expected = [[0.25, 0, 0.75, 0], [0, 1 / 3, 1 / 3, 1 / 3]]
    np.testing.assert_allclose(shares, expected, atol=0.006)
