"""The grid of alpha and R_min: its numbers, its sentences, its picture."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from alc_core.campaign.findings.sensitivity import (
    ALPHAS,
    INCONCLUSIVE,
    R_MINS,
    Dependence,
    FlagGrid,
    GridCells,
    both_answer,
    changing_attacks,
    flag_grid,
    flagged_sentence,
    sensitivity_answers,
    sensitivity_sentence,
)
from alc_core.campaign.rescore.rescoring import rescore
from alc_core.figures.template import alt_of
from alc_core.figures.trade_offs import flag_heat_map
from alc_core.phrasing import decimal
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import code_of
from tests.toys.paired import curve_of, table_of_pairs, with_intervals

RUN = ScoringParameters()


def view_of(points, *, attempts=10_000, width=0.02):
    """A view of attacks: (attack, baseline), each (made, right).

    Who predicts for everybody is as often right about every hundredth alone: a curve of a single
    threshold leaves open whom it might be sure of.
    """
    pairs = [
        tuple(
            curve_of([made // 100, made], [right // 100, right], attempts=attempts)
            if made == attempts
            else curve_of([made], [right], attempts=attempts)
            for made, right in pair
        )
        for pair in points
    ]
    numbers = np.arange(len(points)) + 100
    curves = with_intervals(table_of_pairs(pairs, numbers=numbers), width)

    def columns_for(scoring):
        if scoring.precision_cap == RUN.precision_cap:
            return curves
        return table_of_pairs(pairs, numbers=numbers, scoring=scoring)

    calls = []

    def rescored(scoring):
        calls.append(scoring)
        return rescore(columns_for(scoring), scoring, run_scoring=RUN)

    return SimpleNamespace(
        settings=SimpleNamespace(scoring=RUN),
        columns=curves,
        rescored=rescored,
        run_and_columns=lambda scoring: (rescored(RUN), columns_for(scoring)),
        calls=calls,
        judged=[SimpleNamespace(number=number, release="r") for number in curves.numbers.tolist()],
    )


EVERYONE = ((10_000, 9_500), (10_000, 1_000))
"""Right about everyone: serious whatever the parameters."""
FEW = ((100, 98), (10_000, 1_000))
"""Right about one in a hundred: what it is depends on alpha and R_min."""
HARMLESS = ((10_000, 1_200), (10_000, 1_000))
SURE = ((10_000, 9_990), (10_000, 9_900))
"""Not testable."""


def test_every_cell_is_what_rescoring_alone_says():
    view = view_of([EVERYONE, FEW, HARMLESS])
    grid = flag_grid(view)
    assert grid.alphas == ALPHAS
    assert grid.r_mins == R_MINS
    for i, alpha in enumerate(grid.alphas):
        for j, r_min in enumerate(grid.r_mins):
            alone = view.rescored(ScoringParameters(alpha=alpha, r_min=r_min))
            highest = np.maximum(alone.own.alc, alone.among_rest.alc)
            assert grid.alc[i, j].tolist() == highest.tolist()
            assert grid.outcome[i, j].tolist() == alone.outcome.tolist()
            assert grid.flagged[i, j] == (highest >= 0.5).sum()
            assert (grid.levels[i, j] > 1).sum() == (highest >= 0.75).sum()


def test_the_chosen_and_the_runs_values_are_in_the_grid():
    grid = flag_grid(view_of([FEW]), scoring=ScoringParameters(alpha=2.2, r_min=3e-3))
    assert grid.alphas == tuple(sorted([*ALPHAS, 2.2]))
    assert grid.r_mins == tuple(sorted([*R_MINS, 3e-3]))
    row, column = grid.chosen
    assert (grid.alphas[row], grid.r_mins[column]) == (2.2, 3e-3)
    assert grid.alc.shape == (10, 8, 1)


def test_limits_of_the_chosen_scoring_count():
    view = view_of([HARMLESS])
    assert not flag_grid(view).flagged.any()
    low = ScoringParameters(at_risk=0.01, serious=0.02)
    assert (flag_grid(view, scoring=low).levels == 2).all()


def test_an_attack_with_nothing_left_to_learn_is_flagged_nowhere():
    low = ScoringParameters(at_risk=0.001, serious=0.002, max_interval_width=0.5)
    grid = flag_grid(view_of([SURE, EVERYONE]), scoring=low)
    assert grid.finished == 2
    assert (grid.outcome[..., 0] == code_of("not testable")).all()
    assert not grid.levels[..., 0].any()
    assert grid.levels[grid.chosen][1] == 2
    assert (grid.levels == 0).all(axis=(0, 1)).sum() == 1


def test_a_moved_limit_scores_nothing_and_a_moved_alpha_only_its_column(monkeypatch):
    view, cells, scored = view_of([EVERYONE, FEW]), GridCells(), []

    def counted(curves, scoring, **options):
        scored.append(scoring)
        return rescore(curves, scoring, **options)

    monkeypatch.setattr("alc_core.campaign.findings.sensitivity.rescore", counted)
    flag_grid(view, cells=cells)
    assert len(scored) == len(ALPHAS) * len(R_MINS)
    scored.clear()
    flag_grid(view, cells=cells, scoring=ScoringParameters(at_risk=0.3))
    assert not scored
    moved = flag_grid(view, cells=cells, scoring=ScoringParameters(alpha=2.2))
    assert len(scored) == len(R_MINS)
    fresh = flag_grid(view, scoring=ScoringParameters(alpha=2.2))
    assert np.array_equal(moved.alc, fresh.alc)
    other = view_of([HARMLESS])
    assert flag_grid(other, cells=cells).finished == 1


def test_a_verdict_that_does_not_depend_is_called_so():
    grid = flag_grid(view_of([EVERYONE, HARMLESS]))
    assert not grid.changing.any()
    assert [(grid.levels[..., place] > 0).all() for place in (0, 1)] == [True, False]
    for answer in sensitivity_answers(grid):
        assert answer.dependence is Dependence.NONE
        assert "1 of 2 attacks reaches ALC 0.5, always the same" in answer.text
    assert sensitivity_sentence(grid).startswith(
        "Does the verdict depend on alpha and R_min? No. For alpha from 0.5 to 6 with R_min from"
    )
    none = flag_grid(view_of([HARMLESS]))
    assert "the one attack does not reach ALC 0.5" in both_answer(none).text


def test_where_the_worst_stays_only_single_attacks_depend():
    grid = flag_grid(view_of([EVERYONE, FEW, HARMLESS]))
    assert grid.changing.tolist() == [False, True, False]
    answer = both_answer(grid)
    assert answer.dependence is Dependence.SINGLE
    assert "the worst attack is serious throughout" in answer.text
    assert "Between 1 and 2 of 3 attacks reach ALC 0.5: 1 always, 1 never." in answer.text


def test_where_the_worst_changes_the_ranges_are_told():
    grid = flag_grid(view_of([FEW, HARMLESS]))
    by_alpha, by_r_min, both = sensitivity_answers(grid)
    assert by_alpha.dependence is Dependence.RELEASE
    assert both.dependence is Dependence.RELEASE
    row, column = grid.chosen
    worst = grid.outcome[:, column].max(axis=-1)
    first_serious = grid.alphas[int(np.argmax(worst == code_of("serious")))]
    assert f"serious ({first_serious:g} to 6)" in by_alpha.text
    assert "below the limits (0.5 to 1)" in by_alpha.text
    assert "R_min kept at 0.0001" in by_alpha.text
    assert "alpha kept at 3" in by_r_min.text
    # What is said about the neighbourhood is true of the grid.
    told = np.stack([grid.levels[:, column], grid.kinds[:, column]], axis=-1)
    same = [a for a, each in zip(grid.alphas, told, strict=True) if (each == told[row]).all()]
    assert f"No attack changes for alpha from {same[0]:g} to {same[-1]:g}." in by_alpha.text


def test_verdicts_that_intervals_change_count_though_no_loss_reaches_a_limit():
    near = ((100, 50), (10_000, 1_000))
    grid = flag_grid(view_of([near, HARMLESS], width=0.2))
    assert not grid.levels.any(), "no loss reaches a limit anywhere"
    inconclusive = (grid.kinds == INCONCLUSIVE).any(axis=-1)
    assert inconclusive.any()
    assert not inconclusive.all()
    answer = both_answer(grid)
    assert answer.dependence is Dependence.RELEASE
    assert " With intervals, 1 verdict changes (0 to 1 inconclusive)." in answer.text
    row, column = grid.chosen
    by_alpha, by_r_min, _ = sensitivity_answers(grid)
    for found, slice_ in ((by_alpha, inconclusive[:, column]), (by_r_min, inconclusive[row])):
        same = slice_.all() or not slice_.any()
        assert (found.dependence is Dependence.NONE) == same


def test_attacks_that_are_inconclusive_anyway_are_named():
    grid = flag_grid(view_of([FEW], width=0.5))
    assert (
        "The one attack that changes is inconclusive at your parameters" in both_answer(grid).text
    )
    assert "1 of these is inconclusive." in flagged_sentence(grid)
    assert "inconclusive" not in flagged_sentence(flag_grid(view_of([EVERYONE])))


def test_without_attacks_nothing_is_claimed():
    grid = flag_grid(view_of([]))
    assert sensitivity_answers(grid) == ()
    assert sensitivity_sentence(grid).startswith("No attack has a result yet")
    assert flagged_sentence(grid) == ""
    assert "No results yet." in alt_of(flag_heat_map(grid))
    assert flag_heat_map(grid).data[0].z.shape == (9, 7)


def test_changing_attacks_are_listed_with_the_range_of_their_loss():
    less = ((200, 190), (10_000, 1_000))
    view = view_of([EVERYONE, less, FEW, HARMLESS])
    grid = flag_grid(view)
    results = pd.DataFrame(
        {
            "number": grid.numbers[::-1], "standing": "below limit",
            "decisive_alc": grid.alc[grid.chosen][::-1], "release": "v1", "unknown": "job",
            "known": "age",
        }
    )  # fmt: skip
    table = changing_attacks(grid, results)
    assert table["number"].tolist() in ([101, 102], [102, 101])
    spread = table["highest"] - table["lowest"]
    assert spread.is_monotonic_decreasing
    assert set(table["release"]) == {"v1"}
    for row in table.to_dict("records"):
        at = grid.numbers.tolist().index(row["number"])
        losses = grid.alc[..., at]
        assert (row["lowest"], row["highest"]) == (losses.min(), losses.max())
        assert row["lowest"] <= row["decisive_alc"] <= row["highest"]
        assert row["flagged"] == (losses >= 0.5).sum()


def test_the_heat_map_holds_the_counts_and_rings_what_is_chosen():
    chosen = ScoringParameters(alpha=2.2)
    grid = flag_grid(view_of([EVERYONE, FEW, HARMLESS]), scoring=chosen)
    figure = flag_heat_map(grid, run=RUN)
    heat, cells = figure.data
    assert np.array_equal(heat.z, grid.flagged)
    assert list(cells.text) == [str(n) for n in grid.flagged.ravel().tolist()]
    assert list(cells.customdata) == list(range(grid.flagged.size))
    at = cells.customdata.index(grid.flagged.shape[1] + 2)
    assert (cells.y[at], cells.x[at]) == (f"{grid.alphas[1]:g}", decimal(grid.r_mins[2]))
    run_ring, *rings = figure.layout.shapes
    row, column = grid.chosen
    assert {(ring.x0, ring.y0) for ring in rings} == {(column - 0.48, row - 0.48)}
    assert run_ring.line.dash == "dot"
    assert (run_ring.x0, run_ring.y0) == (column - 0.48, grid.alphas.index(3.0) - 0.48)
    assert len(flag_heat_map(grid, run=chosen).layout.shapes) == 2
    alt = alt_of(flag_heat_map(grid))
    assert f": {grid.flagged[grid.chosen]}. " in alt
    assert sensitivity_sentence(grid) in alt


def small_grid(levels, outcome, releases):
    return FlagGrid(
        alphas=(1.0, 3.0), r_mins=(1e-4,), scoring=RUN, numbers=np.arange(2), levels=levels,
        releases=np.array(releases), alc=np.where(levels, 0.6, 0.1), outcome=outcome,
    )  # fmt: skip


def test_as_many_attacks_in_every_cell_but_not_the_same_ones_are_told_as_one_number():
    levels = np.array([[[1, 0]], [[0, 1]]], dtype=np.int8)
    outcome = np.where(levels, code_of("at risk"), code_of("below limit")).astype(np.int8)
    told = "1 of 2 attacks reaches ALC 0.5: 0 always, 0 never."
    assert told in both_answer(small_grid(levels, outcome, [0, 0])).text


@pytest.mark.parametrize("releases", [[0, 0], [0, 1]])
def test_a_verdict_on_one_release_depends_though_that_on_the_worst_does_not(releases):
    """The first attack is at risk throughout; the other is safe, or inconclusive."""
    levels = np.array([[[1, 0]], [[1, 0]]], dtype=np.int8)
    outcome = np.full(levels.shape, code_of("at risk"), dtype=np.int8)
    outcome[:, :, 1] = [[code_of("below limit")], [code_of("inconclusive")]]
    answer = both_answer(small_grid(levels, outcome, releases))
    apart = releases == [0, 1]
    assert answer.dependence is (Dependence.RELEASE if apart else Dependence.SINGLE)
    assert ("at risk throughout, but it varies for 1 release." in answer.text) is apart
