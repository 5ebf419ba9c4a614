"""What is said of members and others."""

import pytest

from alc_core.studies.holdout.result import (
    attack_sentence,
    closest_sentence,
    equal_sentence,
    overall_sentence,
    release_row,
    surest_rows,
)
from tests.toys.holdout import made_attack, made_closest, made_holdout
from tests.toys.shown import shown


@pytest.mark.parametrize(
    ("members", "others", "said"),
    [
        (600, 300, "being in the release costs members"),
        (345, 300, "costs members a little"),
        (310, 300, "no difference that can be measured"),
        (200, 300, "the holdout differs"),
        (980, 960, "little is left"),
    ],
)
def test_an_attack_is_told_by_its_interval(members, others, said):
    assert said in attack_sentence(made_attack(members, others))


def test_all_attacks_are_told_together():
    leaking, none = made_attack(unknown="city"), made_attack(300, 300)
    assert "Members are guessed more often" in overall_sentence(made_holdout())
    both = made_holdout(attacks=(none, leaking))
    assert "1 of 2 attacks guess members more often" in overall_sentence(both)
    assert "'city'" in overall_sentence(both)
    quiet = made_holdout(attacks=(none, none))
    assert overall_sentence(quiet) == (
        "None of 2 attacks guesses members more often than others, beyond chance."
    )
    assert overall_sentence(made_holdout(attacks=())) == ""
    assert [a.unknown for a in both.worst_first().attacks] == ["city", "job"]


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.6, "remembers people."), (0.51, "no sign"), (0.4, "the holdout differs")],
)
def test_distances_are_told_by_their_interval(share, said):
    assert said in closest_sentence(made_closest(share))


def test_a_small_holdout_says_what_a_copy_gives():
    assert "a copy of it would give only about 55 %" in closest_sentence(
        made_closest(0.52, share_of_copy=0.55)
    )
    assert "copy" not in closest_sentence(made_closest())
    assert "10 % of members and 0 % of others" in equal_sentence(made_closest())


def test_the_text_holds_everything_and_negative_risk_is_shown_as_none():
    found = made_holdout(attacks=(made_attack(200, 300),), notes=("Beware.",))
    text = shown("holdout", found)
    for part in ("Beware.", "0.00 (0.00 to 0.00)", "a release can pass it and leak"):
        assert part in text
    assert found.to_dict()["attacks"][0]["residual_risk"]["value"] < 0
    row = release_row(found)
    assert row["Members guessed more in"] == "0 of 1 attack"
    assert release_row(made_holdout(attacks=(), closest=None))["Holdout share"] == ""
    (surest,) = surest_rows(made_attack())
    assert surest["Members predicted"] == "10 %"
