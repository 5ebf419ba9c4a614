from dataclasses import replace

import numpy as np

from alc_core.compare.comparison import NOT_PLANNED, compare_with
from alc_core.compare.layout import by_strongest, comparable, is_by_strongest
from alc_core.compare.sentences import (
    change_sentence,
    comparison_title,
    difference_text,
    people_sentence,
    remaining_sentence,
)


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
    assert title(comparison, "a", "b", "c") == (
        "“b” is the safest of 3 releases by its worst attack (ALC 0.30)"
    )
    close = compared({"a": [0.9], "b": [(0.3, 0.1)], "c": [(0.4, 0.1)]})
    assert title(close, "a", "b", "c") == (
        "“b” and “c” are the safest of 3 releases by their worst attacks"
    )
    alike = compared({"a": [0.4], "b": [0.41], "c": [0.42]})
    assert "all 3 releases are about equally bad" in title(alike, "a", "b", "c")


def test_nothing_is_claimed_without_results(compared):
    assert title(compared({"a": [None], "b": [0.5]}), "a", "b") == (
        "No attack has a result on two releases yet"
    )
    lacking = compared({"a": [0.1, None], "b": [0.2, 0.3], "c": [None, 0.2]})
    assert title(lacking, "a", "b", "c") == "No attack has a result on all releases yet"


def test_a_change_says_what_overlaps_which_verdicts_change_and_what_is_missing(compared):
    comparison = compared({"weak": [0.9, (0.3, 0.1), None], "strong": [0.1, (0.2, 0.1), 0.1]})
    assert change_sentence(compare_with(comparison, "weak", "strong")) == (
        "“strong” against “weak”: of 2 attacks with a result on both, 1 is clearly safer and none "
        "clearly riskier; in 1 the intervals overlap. Of the verdicts, 1 is better. 1 more attack "
        "has no result on one or both of them."
    )
    none = compared({"weak": [None], "strong": [None]})
    assert change_sentence(compare_with(none, "weak", "strong")) == (
        "“strong” against “weak”: no attack has a result on both. 1 more attack has no result on "
        "one or both of them."
    )


def test_safer_is_not_told_as_safe(compared):
    text = remaining_sentence(compared({"weak": [0.9], "strong": [0.6], "good": [0.1]}))
    assert text == (
        "Safer does not mean safe: there are attacks to look at on “weak” (serious, highest ALC "
        "0.90) and “strong” (at risk, highest ALC 0.60)."
    )
    for good in (0.1, -1.0, ("nothing left", -1.0)):
        assert remaining_sentence(compared({"good": [good], "none": [None]})) == (
            "On no release does an attack ask for a look."
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
    assert told.startswith("In 1 of 1 scenarios the releases were attacked on different numbers of")
    assert "such as 2\u202f000 and 4\u202f000" in told
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
