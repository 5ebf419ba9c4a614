"""ALC by release: why a cell has no result, and what a filter leaves."""

from dataclasses import replace

import numpy as np
import pytest

import alc_core as alc
from alc_core.campaign.findings.overview import STANDINGS
from alc_core.compare.comparison import (
    NO_RESULT,
    NOT_PLANNED,
    by_strongest,
    comparable,
    compare_releases,
    compare_with,
    find_gaps,
    is_by_strongest,
    only_attacks,
    release_losses,
    riskiest,
    worst_rows,
)
from alc_core.compare.sentences import (
    CLEARLY_RISKIER,
    CLEARLY_SAFER,
    WORSE_VERDICT,
    change_sentence,
    changes_frame,
    comparison_title,
    difference_text,
    own_attacks_sentence,
    people_sentence,
    remaining_sentence,
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
    assert stands == [["serious", "no loss"], ["below limit", "below limit"], ["", ""]]
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


def test_what_says_nothing_either_way_decides_no_comparison(compared):
    comparison = compared({"one": [("nothing left", 0.7), 0.1], "two": [0.4, 0.2]})
    assert np.isnan(comparison.alc[comparison.row_of(0), 0])
    one, two = release_losses(comparison)
    assert (one.worst_alc, one.measured, two.measured) == (0.1, 1, 2)
    assert riskiest(comparison) == "two"


def test_a_loss_of_too_few_people_to_test_is_not_hidden_by_a_safe_one(compared):
    few = [("too few", 0.7), 0.2]
    comparison = compared({"one": few, "two": [("too few", -0.2), 0.2]})
    row_of = {name: row for row, name in enumerate(comparison.unknown)}
    assert worst_rows(comparison, [0, 1]) == [row_of["secret0"], row_of["secret1"]]


def test_distributions_take_negative_losses_as_zero_and_leave_out_what_has_none(compared):
    comparison = compared({"weak": [0.8, 0.6, -40.0, None], "strong": [None] * 4})
    weak, strong = release_losses(comparison)
    assert (weak.planned, weak.measured, weak.flagged) == (4, 3, 2)
    assert weak.quartiles == pytest.approx(tuple(np.quantile([0.8, 0.6, 0.0], (0.25, 0.5, 0.75))))
    assert (weak.worst_alc, weak.worst_standing) == (0.8, "serious")
    assert weak.worst_interval == pytest.approx((0.78, 0.82))
    assert (weak.counts["serious"], weak.counts["no loss"]) == (1, 1)
    assert (strong.measured, strong.quartiles, strong.worst_alc) == (0, None, None)


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
    with pytest.raises(InputError, match="Unknown release 'other'. Choose one of weak, "):
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
    assert table["before"].tolist() == ["below limit", "below limit", "serious", "at risk"]
    assert table["after"].tolist() == ["serious", "inconclusive", "below limit", "no loss"]
    assert table["difference"].tolist() == pytest.approx([0.7, 0.02, -0.8, -0.6])
    assert table["interval_after"].iloc[-1] == "no loss"
    assert table["known"].unique().tolist() == ["age, sex"]


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
    assert cell[1].reason == ("Not planned: the release lacks 'city', or it was not chosen.")
    figure = loss_matrix(comparison, gaps=find_gaps(view, comparison))
    assert [trace.name for trace in figure.data] == ["Standing", "Without a result", "Attacks"]
    marks = figure.data[1]
    assert (list(marks.x), list(marks.y), list(marks.text)) == ([place], [row], ["\u2013"])
    assert "lacks 'city'" in marks.hovertext[0]
    assert marks.customdata is None, "it opens nothing"


def test_a_cell_says_that_the_attack_failed_or_has_not_run(view, monkeypatch):
    comparison = compare_releases(view, SCORING)
    failing, waiting = 900, 901
    number, standing = comparison.number.copy(), comparison.standing.copy()
    number[0], standing[0] = [failing, waiting], NO_RESULT
    changed = replace(comparison, number=number, standing=standing)
    monkeypatch.setattr(type(view), "failures", {failing: "It has no <b>rows</b>."})
    with monkeypatch.context() as settled:
        settled.setattr(type(view), "skipped", frozenset({waiting}))
        gap = find_gaps(view, changed)[0, 1]
        assert (gap.mark, gap.reason) == (
            "skipped", "Skipped: the release was settled.",
        )  # fmt: skip
    gaps = find_gaps(view, changed)
    assert (gaps[0, 0].mark, gaps[0, 0].reason) == ("failed", "Failed: It has no <b>rows</b>.")
    assert (gaps[0, 1].mark, gaps[0, 1].reason) == (
        "not run", "Not run yet.",
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
        "Not planned: 'model' is not run on this release."
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
    (left_out,) = [g for g in find_gaps(view, part).values() if g.reason.startswith("Excluded")]
    assert left_out.mark == ""
    assert len(only_attacks(comparison, [])) == 0
    assert np.isnan(part.alc).sum() == 2


def title(comparison, reference, *others):
    changes = [compare_with(comparison, reference, other) for other in others]
    return comparison_title(comparison, changes)


def test_a_pair_is_told_with_its_number_of_attacks(compared):
    comparison = compared({"weak": [0.9, 0.6, 0.2], "strong": [0.1, 0.1, 0.19]})
    assert title(comparison, "weak", "strong") == (
        "“strong” is safer than “weak” in 2 of 3 attacks; no attack is clearly worse"
    )
    assert title(comparison, "strong", "weak") == (
        "“weak” is riskier than “strong” in 2 of 3 attacks; no attack is clearly better"
    )


def test_a_mixed_pair_and_one_without_a_difference(compared):
    mixed = compared({"weak": [0.9, 0.1], "strong": [0.1, 0.9]})
    assert title(mixed, "weak", "strong") == (
        "“strong” is safer than “weak” in 1 of 2 attacks and riskier in 1"
    )
    alike = compared({"weak": [(0.3, 0.1)], "strong": [(0.2, 0.1)]})
    assert title(alike, "weak", "strong") == (
        "No clear difference between “strong” and “weak” in 1 attack"
    )


def test_of_several_the_lowest_worst_attack_is_named_as_far_as_intervals_tell(compared):
    comparison = compared({"a": [0.9, 0.8], "b": [0.1, 0.3], "c": [0.2, 0.6]})
    assert title(comparison, "a", "b", "c") == "“b” has the lowest maximum ALC (0.30)"
    close = compared({"a": [0.9], "b": [(0.3, 0.1)], "c": [(0.4, 0.1)]})
    assert title(close, "a", "b", "c") == ("“b” and “c” have the lowest maximum ALC (0.30 to 0.40)")
    vague = compared({"a": [0.9], "b": [(0.05, 0.05)], "c": [(0.53, 0.44)]})
    assert title(vague, "a", "b", "c") == (
        "“b” has the lowest maximum ALC (0.05); no clear result on “c”"
    )
    alike = compared({"a": [0.4], "b": [0.41], "c": [0.42]})
    assert own_attacks_sentence(alike) == ""
    alike = compared({"a": [(0.4, 0.05)], "b": [(0.41, 0.05)], "c": [(0.42, 0.05)]})
    assert title(alike, "a", "b", "c").endswith("the same on all 3 releases (0.40 to 0.42)")
    none = compared({"a": [(-0.1, 0.05)], "b": [(-0.2, 0.05)], "c": [(-0.3, 0.05)]})
    assert title(none, "a", "b", "c").endswith("the same on all 3 releases (no loss)")


def test_a_release_is_not_called_safest_by_attacks_that_others_had_not(compared):
    partly = compared({"a": [0.9, None, 0.95], "b": [0.3, 0.88, None], "c": [0.6, None, None]})
    said = title(partly, "a", "b", "c")
    assert said == (
        "In 1 attack run on all 3 releases, “b” has the lowest maximum ALC (0.30); other "
        "attacks reach ALC 0.88 on “b”"
    )
    assert "Only 1 of 3 attacks were run on all" in own_attacks_sentence(partly)
    open_ = compared({"a": [0.9, None], "b": [(0.47, 0.2), 0.58], "c": [(0.62, 0.1), 0.1]})
    assert title(open_, "a", "b", "c") == (
        "In 1 attack run on all 3 releases, “b” and “c” have the lowest maximum ALC (0.47 to 0.62)"
    ), "0.58 on one is less than what is named"
    harmless = compared({"a": [0.9, 0.2], "b": [0.3, None], "c": [0.6, None]})
    assert title(harmless, "a", "b", "c").endswith("“b” has the lowest maximum ALC (0.30)")
    pair = compared({"a": [0.9, 0.9], "b": [0.1, None]})
    assert title(pair, "a", "b") == (
        "“b” is safer than “a” in 1 of 1 attack on both; no attack is clearly worse"
    )


def test_nothing_is_claimed_without_results(compared):
    assert title(compared({"a": [None], "b": [0.5]}), "a", "b") == (
        "No attack has an ALC on two releases"
    )
    lacking = compared({"a": [0.1, None], "b": [0.2, 0.3], "c": [None, 0.2]})
    assert title(lacking, "a", "b", "c") == "No attack has an ALC on all releases"


def test_a_change_says_what_overlaps_which_verdicts_change_and_what_is_missing(compared):
    comparison = compared({"weak": [0.9, (0.3, 0.1), None], "strong": [0.1, (0.2, 0.1), 0.1]})
    assert change_sentence(compare_with(comparison, "weak", "strong")) == (
        "“strong” against “weak”, 2 attacks on both: 1 clearly safer, none clearly "
        "riskier, 1 unclear. Verdicts: 1 better. 1 more attack has no ALC on "
        "one or both."
    )
    none = compared({"weak": [None], "strong": [None]})
    assert change_sentence(compare_with(none, "weak", "strong")) == (
        "“strong” against “weak”: no attack has an ALC on both. 1 more attack has no ALC on "
        "one or both."
    )


def test_safer_is_not_told_as_safe(compared):
    text = remaining_sentence(compared({"weak": [0.9], "strong": [0.6], "good": [0.1]}))
    assert text == (
        "Attacks on “weak” (serious, highest ALC 0.90) and “strong” (at risk, highest ALC 0.60) "
        "need attention."
    )
    for good in (0.1, -1.0, ("nothing left", -1.0)):
        assert remaining_sentence(compared({"good": [good], "none": [None]})) == (
            "No release has an attack that needs attention."
        )


def test_no_loss_has_no_number(compared):
    comparison = compared({"weak": [-3.0, None]})
    assert difference_text(comparison, 0, 0) == "no loss"
    assert difference_text(comparison, 1, 0) == ""


def test_different_numbers_of_people_are_told(compared):
    losses = {"weak": [0.9, 0.2], "strong": [0.1, 0.1], "good": [0.1]}
    assert people_sentence(compared(losses)) == ""
    assert people_sentence(compared(losses, attempts=2100)) == "", "a little is no difference"
    told = people_sentence(compared(losses, attempts=4000))
    assert told.startswith("1 of 1 attack covered different numbers of people")
    assert "such as 2,000 and 4,000" in told
    assert people_sentence(compared({"weak": [None], "strong": [0.1]}, attempts=4000)) == ""


def of_two_types(compared):
    """Attack "a" on the rows alone, "b" on the counts alone, of two scenarios."""
    found = compared({"rows": [0.9, 0.1, None, None], "counts": [None, None, 0.3, 0.8]})
    scenario = {"secret0": "job", "secret1": "sex", "secret2": "job", "secret3": "sex"}
    return replace(
        found,
        unknown=tuple(scenario[each] for each in found.unknown),
        known=(("age",),) * 4,
        attack=tuple("a" if each in ("secret0", "secret1") else "b" for each in found.unknown),
    )


def test_scenarios_without_a_common_attack_are_compared_by_the_strongest(compared):
    found = of_two_types(compared)
    assert not found.shared.any()
    merged = comparable(found)
    assert is_by_strongest(merged)
    assert not merged.several_attacks
    by_unknown = dict(zip(merged.unknown, merged.alc.tolist(), strict=True))
    assert by_unknown == {"job": [0.9, 0.3], "sex": [0.1, 0.8]}
    assert merged.shared.all()


def test_of_several_attacks_on_a_release_the_worst_counts(compared):
    found = compared({"one": [0.2, 0.9, -3.0], "two": [0.6, None, 0.1]})
    same = replace(found, unknown=("job",) * 3, known=(("age",),) * 3, attack=("a", "b", "c"))
    merged = by_strongest(same)
    assert merged.alc.tolist() == [[0.9, 0.6]]
    assert set(merged.number[0]) <= set(found.number.flatten()) - {NOT_PLANNED}
    assert merged.row_of(int(merged.number[0, 1])) == 0


def test_a_common_attack_is_compared_as_it_is(compared):
    found = compared({"one": [0.2, 0.9], "two": [0.6, None]})
    several = replace(found, attack=("a", "b"))
    assert comparable(found) is found
    assert comparable(several) is several


def test_nothing_to_compare_stays(compared):
    found = compared({"one": [], "two": []})
    assert comparable(found) is found
    np.testing.assert_array_equal(by_strongest(found).alc, np.empty((0, 2)))
