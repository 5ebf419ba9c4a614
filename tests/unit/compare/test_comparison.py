"""Attack by release: why a cell has no result, and what a filter leaves."""

from dataclasses import replace

import numpy as np
import pytest

import alc_core as alc
from alc_core.campaign.findings.overview import STANDINGS
from alc_core.compare.comparison import (
    NO_RESULT,
    NOT_PLANNED,
    compare_with,
    release_losses,
    riskiest,
)
from alc_core.compare.layout import compare_releases, find_gaps, only_attacks
from alc_core.compare.sentences import (
    CLEARLY_RISKIER,
    CLEARLY_SAFER,
    WORSE_VERDICT,
    changes_frame,
    releases_frame,
)
from alc_core.errors import InputError
from alc_core.figures.comparison import loss_matrix
from tests.toys.campaigns import run_quickly


def test_scenarios_are_rows_releases_are_columns_and_the_worst_comes_first(compared):
    comparison = compared({"weak": [0.2, 0.9, None], "strong": [0.1, -0.5]})
    assert comparison.unknown == ("secret1", "secret0", "secret2")
    assert comparison.number.tolist() == [[1, 4], [0, 3], [2, NOT_PLANNED]]
    np.testing.assert_array_equal(comparison.alc, [[0.9, -0.5], [0.2, 0.1], [np.nan, np.nan]])
    assert comparison.loss[0].tolist() == [0.9, 0.0]
    stands = [[STANDINGS[code] if code != NO_RESULT else "" for code in row]
              for row in comparison.standing]  # fmt: skip
    assert stands == [["serious", "no loss"], ["safe", "safe"], ["", ""]]
    assert comparison.shared.tolist() == [True, True, False]
    assert comparison.row_of(3) == 1
    assert comparison.row_of(NOT_PLANNED) is None
    assert comparison.row_of(99) is None


def test_order_goes_by_standing_before_loss(compared):
    comparison = compared(
        {
            "one": [("nothing left", 0.45), 0.1, (0.45, 0.2), 0.4, 0.6],
            "two": [("nothing left", -2.0), -0.5, 0.1, 0.1, 0.1],
        }
    )
    assert comparison.unknown == ("secret4", "secret2", "secret3", "secret1", "secret0")


def test_distributions_take_negative_losses_as_zero_and_leave_out_what_has_none(compared):
    comparison = compared({"weak": [0.8, 0.6, -40.0, None], "strong": [None] * 4})
    weak, strong = release_losses(comparison)
    assert (weak.planned, weak.measured, weak.flagged) == (4, 3, 2)
    assert weak.quartiles == pytest.approx(tuple(np.quantile([0.8, 0.6, 0.0], (0.25, 0.5, 0.75))))
    assert weak.flagged_share == pytest.approx(2 / 3)
    assert (weak.worst_alc, weak.worst_standing) == (0.8, "serious")
    assert weak.worst_interval == pytest.approx((0.78, 0.82))
    assert (weak.counts["serious"], weak.counts["no loss"]) == (1, 1)
    assert (strong.measured, strong.flagged_share, strong.quartiles, strong.worst_alc) == (
        0, None, None, None,
    )  # fmt: skip


def test_the_riskiest_is_judged_on_what_all_releases_share(compared):
    assert riskiest(compared({"a": [0.1, 0.9], "b": [0.3, None]})) == "b"
    assert riskiest(compared({"a": [0.1, None], "b": [None, 0.3]})) == "b"
    assert riskiest(compared({"a": [-5.0], "b": [-1.0]})) == "a"
    assert riskiest(compared({"a": [None], "b": [None]})) == "a"


def test_a_change_counts_only_where_both_have_an_alc(compared):
    comparison = compared({"weak": [0.9, 0.6, 0.3, None, 0.5, 0.2], "strong": [0.1, 0.6, 0.9, 0.2]})
    change = compare_with(comparison, "weak", "strong")
    assert (len(change), change.missing) == (3, 3)
    assert (change.safer, change.overlapping, change.riskier) == (1, 1, 1)
    assert (change.improved, change.worsened) == (1, 1)
    back = compare_with(comparison, "strong", "weak")
    assert (back.safer, back.riskier) == (change.riskier, change.safer)
    np.testing.assert_allclose(np.sort(back.difference), np.sort(-change.difference))


def test_intervals_below_zero_are_never_apart(compared):
    comparison = compared({"weak": [(-0.1, 0.05), (0.3, 0.1)], "strong": [(-9.0, 0.1), -9.0]})
    change = compare_with(comparison, "weak", "strong")
    by_name = dict(zip([comparison.unknown[row] for row in change.rows], change.apart, strict=True))
    assert by_name == {"secret0": 0, "secret1": -1}
    assert change.difference.min() == pytest.approx(-0.3)


def test_overlapping_intervals_are_no_clear_change_and_safe_is_no_other_verdict_than_no_loss(
    compared,
):
    comparison = compared({"weak": [(0.3, 0.15), (0.1, 0.2)], "strong": [(0.1, 0.1), (-0.1, 0.2)]})
    change = compare_with(comparison, "weak", "strong")
    assert (change.safer, change.riskier, change.improved, change.worsened) == (0, 0, 0, 0)
    assert not len(changes_frame(comparison, change))
    assert len(changes_frame(comparison, change, everything=True)) == 2


def test_an_unknown_release_is_named_with_those_that_there_are(compared):
    comparison = compared({"weak": [0.1], "strong": [0.1]})
    with pytest.raises(InputError, match="no release 'other' in the campaign, which has weak and"):
        compare_with(comparison, "weak", "other")


def test_changes_are_listed_worsened_first_with_the_attack_on_the_release(compared):
    comparison = compared(
        {"weak": [0.9, 0.2, 0.6, (0.48, 0.01)], "strong": [0.1, 0.9, -2.0, (0.5, 0.03)]}
    )
    table = changes_frame(comparison, compare_with(comparison, "weak", "strong"))
    assert table["unknown"].tolist() == ["secret1", "secret3", "secret0", "secret2"]
    assert table["change"].tolist() == [
        CLEARLY_RISKIER, WORSE_VERDICT, CLEARLY_SAFER, CLEARLY_SAFER,
    ]  # fmt: skip
    assert table["number"].tolist() == [5, 7, 4, 6]
    assert table["before"].tolist() == ["safe", "safe", "serious", "at risk"]
    assert table["after"].tolist() == ["serious", "undecided", "safe", "no loss"]
    assert table["difference"].tolist() == pytest.approx([0.7, 0.02, -0.8, -0.6])
    assert table["interval_after"].iloc[-1] == "no loss"
    assert table["known"].unique().tolist() == ["age, sex"]


def test_releases_stand_side_by_side_without_utility(compared):
    table = releases_frame(compared({"weak": [0.9, 0.3], "none": [None, None]}), {})
    assert table["release"].tolist() == ["weak", "none"]
    assert table["worst_alc"].iloc[0] == 0.9
    assert table["worst_interval"].tolist() == ["0.88 to 0.92", ""]
    assert table["standing"].iloc[0] == "serious"
    assert table["pair_distance"].isna().all()


def test_carried_over_intervals_are_marked(compared):
    table = releases_frame(compared({"weak": [0.9]}, exact=False), {})
    assert table["worst_interval"].iloc[0] == "≈ 0.88 to 0.92"


SCORING = alc.ScoringParameters()


@pytest.fixture(scope="module")
def view(people, tmp_path_factory):
    """A column that one release lacks, an attack that fails, and one that was not run."""
    frame = people(400)
    releases = {"whole": frame.copy(), "short": frame.drop(columns="city")}
    path = tmp_path_factory.mktemp("gaps") / "campaign.alc"
    with run_quickly(frame, releases, path, unknown=["job", "city"], targets=100) as store:
        yield alc.CampaignView(store)


def test_a_cell_says_that_the_column_is_not_there(view):
    comparison = compare_releases(view, SCORING)
    row, place = comparison.unknown.index("city"), comparison.place("short")
    (cell,) = find_gaps(view, comparison).items()
    assert cell[0] == (row, place)
    assert cell[1].mark == "\u2013"
    assert cell[1].reason == ("Not planned: this release does not have city, or it was not chosen.")
    figure = loss_matrix(comparison, gaps=find_gaps(view, comparison))
    assert [trace.name for trace in figure.data] == ["Standing", "Without a result", "Attacks"]
    marks = figure.data[1]
    assert (list(marks.x), list(marks.y), list(marks.text)) == ([place], [row], ["\u2013"])
    assert "does not have city" in marks.hovertext[0]
    assert marks.customdata is None, "it opens nothing"


def test_a_cell_says_that_the_attack_failed_or_has_not_run(view, monkeypatch):
    comparison = compare_releases(view, SCORING)
    failing, waiting = 900, 901
    number, standing = comparison.number.copy(), comparison.standing.copy()
    number[0], standing[0] = [failing, waiting], NO_RESULT
    changed = replace(comparison, number=number, standing=standing)
    monkeypatch.setattr(type(view), "failures", {failing: "It has no <b>rows</b>."})
    gaps = find_gaps(view, changed)
    assert (gaps[0, 0].mark, gaps[0, 0].reason) == ("failed", "Failed: It has no <b>rows</b>.")
    assert (gaps[0, 1].mark, gaps[0, 1].reason) == (
        "not run", "Not run yet, or the run was stopped before.",
    )  # fmt: skip
    assert "<b>rows" not in loss_matrix(changed, gaps=gaps).to_json().replace("\\u003c", "<")


def test_a_cell_says_that_another_attack_runs_on_the_release(view):
    comparison = compare_releases(view, SCORING)
    number = comparison.number.copy()
    number[0, 1], standing = NOT_PLANNED, comparison.standing.copy()
    standing[0, 1] = NO_RESULT
    changed = replace(
        comparison, number=number, standing=standing, attack=("model",) * len(comparison)
    )
    assert find_gaps(view, changed)[0, 1].reason == (
        "Not planned: model is not run on this release."
    )


def test_a_filter_leaves_rows_and_releases_with_an_attack_that_it_lets_through(view):
    comparison = compare_releases(view, SCORING)
    job = comparison.unknown.index("job")
    kept = int(comparison.number[job, comparison.place("short")])
    part = only_attacks(comparison, [kept])
    assert (part.unknown, part.releases) == (("job",), ("short",))
    assert part.number.tolist() == [[kept]]
    assert part.alc.tolist() == [[comparison.alc[job, comparison.place("short")]]]
    both = [int(comparison.number[1 - job, comparison.place("whole")]), kept]
    part = only_attacks(comparison, both)
    assert len(part) == 2
    assert part.releases == comparison.releases
    assert (part.standing != NO_RESULT).sum() == 2
    (left_out,) = [g for g in find_gaps(view, part).values() if g.reason.startswith("Left out")]
    assert left_out.mark == ""
    assert len(only_attacks(comparison, [])) == 0
    assert np.isnan(part.alc).sum() == 2
