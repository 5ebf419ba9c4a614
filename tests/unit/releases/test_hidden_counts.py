"""What totals leave of counts, on sums small enough to work out by hand."""

import numpy as np
import pytest

from alc_core.releases.hidden_counts import TOTAL, MarkedCounts, hidden_counts, sums_of

NAN, INF = np.nan, np.inf
# Two rows and two columns with their totals: cell, cell, row total, twice, and the column totals
GRID = np.array([[row, column] for row in (1, 2, TOTAL) for column in (1, 2, TOTAL)])


def grid_sums():
    return sums_of(GRID, GRID, np.zeros(GRID.shape, dtype=bool))


def hidden_in_grid(cells, *, low=0.0, high=INF, **kinds):
    numbers = np.array(cells, dtype=float)
    marked = MarkedCounts(
        numbers=numbers,
        low=np.where(np.isnan(numbers), low, NAN),
        high=np.where(np.isnan(numbers), high, NAN),
        zeros_are_left_out=kinds.get("zeros_are_left_out", False),
    )
    return hidden_counts(marked, grid_sums())


def test_one_open_cell_is_the_total_minus_the_rest():
    found = hidden_in_grid([5, NAN, 8, 4, 6, 10, 9, 9, 18])
    assert found.people[1] == 3
    assert found.exact.tolist() == [False, True, *[False] * 7]
    assert (found.ranged.sum(), found.unfit) == (0, 0)


def test_open_cells_are_closed_one_after_another():
    found = hidden_in_grid([5, NAN, 8, NAN, NAN, 10, 9, NAN, 18])
    assert found.people.tolist() == [5, 3, 8, 4, 6, 10, 9, 9, 18]
    assert found.exact.sum() == 4


def test_two_open_cells_per_row_and_column_are_not_determined():
    found = hidden_in_grid([NAN, NAN, 8, NAN, NAN, 10, 9, 9, 18])
    assert not found.exact.any()
    assert found.ranged.sum() == 4
    grid = found.people.reshape(3, 3)
    np.testing.assert_allclose(grid[:2, :2].sum(axis=1), [8, 10], atol=1e-3)
    np.testing.assert_allclose(grid[:2, :2].sum(axis=0), [9, 9], atol=1e-3)
    assert (grid > 0).all()


def test_marks_and_totals_together_leave_one_count():
    """At most four in each of two cells that come to eight are four in each."""
    found = hidden_in_grid([NAN, NAN, 8, 4, 6, 10, 8, 10, 18], high=4.0)
    assert found.people[:2].tolist() == [4, 4]
    assert found.exact[:2].all()


@pytest.mark.parametrize(
    ("zeros", "least"), [({}, 0), ({"zeros_are_left_out": True}, 1)], ids=["zeros hidden", "shown"]
)
def test_a_mark_is_at_least_one_where_zeros_are_told_otherwise(zeros, least):
    found = hidden_in_grid([NAN, NAN, 2, NAN, NAN, 10, NAN, NAN, 12], **zeros)
    assert found.exact[:2].all() == (least == 1)


def test_a_dash_is_nobody_unless_totals_say_otherwise():
    nobody = hidden_in_grid([8, NAN, 8, 4, 6, 10, 12, 6, 18], high=0.0)
    assert (nobody.people[1], nobody.exact.sum(), nobody.ranged.sum()) == (0, 0, 0)
    three = hidden_in_grid([5, NAN, 8, 4, 6, 10, 9, 9, 18], high=0.0)
    assert (three.people[1], three.exact.sum(), three.unfit) == (3, 1, 0)


def test_totals_with_noise_are_not_used():
    found = hidden_in_grid([5, NAN, 8, 4, 6, 13, 7, 9, 24], high=9.0)
    assert found.ranged.sum() == 1
    assert (found.unfit, found.totals) == (7, 0)
    assert 0 < found.people[1] <= 9


def test_totals_of_rounded_counts_leave_a_range():
    found = hidden_in_grid([50, NAN, 60, 45, 65, 105, 95, 75, 165], high=9.0)
    assert not found.exact.any()
    assert found.ranged.sum() == 1
    assert found.people[0] == 50


def test_what_cannot_be_closed_is_never_nobody():
    numbers = np.array([12.0, NAN, 30.0, NAN])
    hidden = np.isnan(numbers)
    bounds = {"low": np.where(hidden, 0.0, NAN), "high": np.where(hidden, 9.0, NAN)}
    found = hidden_counts(MarkedCounts(numbers=numbers, zeros_are_left_out=False, **bounds), [])
    assert (found.people[hidden] > 0).all()
    assert (found.people[hidden] < 9).all()
