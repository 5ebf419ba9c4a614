"""Holdouts as people bring them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import ColumnError, InputError
from alc_core.present.blocks import Fold, Grid
from alc_core.studies.holdout.measuring import measure_holdout
from alc_core.studies.holdout.result import closest_sentence
from alc_core.studies.holdout.study import (
    HoldoutStudy,
    attack_sentence,
    equal_sentence,
    overall_sentence,
)
from alc_core.studies.study import Viewpoint
from tests.toys.holdout import made_attack, made_closest, made_holdout
from tests.toys.household_survey import DWELLING, survey
from tests.toys.shown import shown

SCENARIO = alc.Scenario(("age", "city"), "job")


@pytest.fixture(scope="module")
def tables(people):
    return people(800, 1), people(800, 2)


def measure(tables, holdout, *attacks):
    return measure_holdout(tables[0], tables[0], holdout, attacks, people=200)


def test_a_missing_column_is_refused_where_it_is_attacked_and_else_told(tables):
    holdout = tables[1].drop(columns="city")
    with pytest.raises(ColumnError, match="Column 'city' is not in 'holdout'"):
        measure(tables, holdout, SCENARIO)
    found = measure(tables, holdout)
    assert found.closest.columns == ("age", "hours", "job")
    assert "lacks 'city': not used for distances" in " ".join(found.notes)
    with pytest.raises(ColumnError, match="shares no column"):
        measure(tables, tables[1].add_prefix("x_"))


def test_columns_written_otherwise_are_refused_with_a_value(tables):
    with pytest.raises(InputError, match=r"Column 'city' of the holdout 'holdout' holds '\d'"):
        measure(tables, tables[1].assign(city=pd.factorize(tables[1]["city"])[0]))
    with pytest.raises(InputError, match="Column 'age' .* holds 'old'"):
        measure(tables, tables[1].assign(age="old"))
    with pytest.raises(InputError, match="Column 'age' .*-"):
        measure(tables, tables[1].assign(age=[f"{a}-{a + 5}" for a in tables[1]["age"]]))


def test_numbers_as_texts_are_the_same_numbers(tables):
    as_text = tables[1].astype({"age": str, "hours": str})
    assert measure(tables, as_text, SCENARIO).attacks == measure(
        tables, tables[1], SCENARIO
    ).attacks  # fmt: skip


def test_people_of_the_holdout_who_live_with_members_are_told():
    every = survey(households=600)
    homes = every.groupby(list(DWELLING)).ngroup()
    inside, outside = every[every.index % 5 > 0], every[every.index % 5 == 0]
    notes = measure((inside, None), outside).notes
    (told,) = [note for note in notes if "which may hide residual risk" in note]
    assert told.startswith(f"{homes[outside.index].isin(homes[inside.index]).sum()} of ")
    whole = homes % 5 > 0
    apart = measure((every[whole], None), every[~whole]).notes
    assert not any("which may hide residual risk" in note for note in apart)


def test_no_rows_one_row_and_few_rows(tables):
    with pytest.raises(InputError, match="has no rows"):
        measure(tables, tables[1][:0])
    one = measure(tables, tables[1][:1], SCENARIO)
    assert one.attacks[0].others.people == one.attacks[0].members.people == 1
    assert one.resemblance.auc is None
    few = measure(tables, tables[1][:99], SCENARIO)
    assert "The holdout has 99 people" in " ".join(few.notes)
    assert not measure(tables, tables[1][:200], SCENARIO).notes


def test_people_in_both_are_found_and_left_out(tables):
    holdout = pd.concat([tables[1][:300], tables[0][:100]])
    found = measure(tables, holdout, SCENARIO)
    assert found.resemblance.copies == found.resemblance.dropped == 100
    assert found.resemblance.people == 300
    assert "100 rows of the holdout, also in the original, are left out" in found.notes[0]
    assert found.closest.others.equal == 0
    with pytest.raises(InputError, match="All rows of the holdout"):
        measure(tables, tables[0])


def test_copies_that_chance_gives_stay(tables):
    """With two coarse columns nearly everybody has a double."""
    coarse = [frame[["city", "job"]] for frame in tables]
    found = measure(coarse, coarse[1], alc.Scenario(("city",), "job"))
    assert found.resemblance.copies == 800
    assert found.resemblance.dropped == 0
    assert found.resemblance.copies_expected == pytest.approx(800, abs=2)
    assert not found.notes


def test_another_population_is_told_with_the_column_that_differs(tables):
    older = tables[1].assign(age=tables[1]["age"].clip(lower=70))
    notes = measure(tables, older).notes
    assert "is from another population" in " ".join(notes)
    assert "age" in notes[0]


def test_people_with_a_label_for_several_values_are_left_out(tables):
    odd = tables[1].astype({"age": object})
    odd.loc[:9, "age"] = "20-30"
    found = measure(tables, odd)
    assert found.resemblance.people == 790
    assert "10 people of the holdout" in found.notes[0]


def test_dates_of_another_spelling_are_the_same_days(tables):
    days = pd.to_datetime("2020-01-01") + pd.to_timedelta(np.arange(800), unit="D")
    original = tables[0].assign(born=days.strftime("%Y-%m-%d"))
    others = tables[1].assign(born=days.strftime("%d.%m.%Y"))
    found = measure_holdout(original, original, others)
    assert "born" in found.closest.columns
    assert found.resemblance.different.get("born", 0) < 0.05


@pytest.mark.parametrize(
    ("members", "others", "said"),
    [
        (600, 300, "being in the release costs members"),
        (345, 300, "costs members a little"),
        (310, 300, "no measurable difference"),
        (200, 300, "from another population"),
        (980, 960, "nearly always guessed"),
    ],
)
def test_an_attack_is_told_by_its_interval(members, others, said):
    assert said in attack_sentence(made_attack(members, others))


def test_all_attacks_are_told_together():
    leaking, none = made_attack(unknown="city"), made_attack(300, 300)
    one = overall_sentence(made_holdout())
    assert one.startswith("Members are guessed more often in 1 of 1 attack (by chance ")
    both = made_holdout(attacks=(none, leaking))
    assert "1 of 2 attacks (by chance 1 of 40). Highest" in overall_sentence(both)
    quiet = made_holdout(attacks=(none, none))
    assert overall_sentence(quiet) == ("No attack guesses members' values correctly more often.")
    assert overall_sentence(made_holdout(attacks=())) == ""
    assert [a.unknown for a in both.worst_first().attacks] == ["city", "job"]


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.6, "remembers people."), (0.51, "no sign"), (0.4, "from another population")],
)
def test_distances_are_told_by_their_interval(share, said):
    assert said in closest_sentence(with_equal(2, 1, share))


def with_equal(members, others, share):
    found = made_closest(share)
    both = zip((found.members, found.others), (members, others), strict=True)
    members, others = (replace(each, equal=number) for each, number in both)
    return replace(found, members=members, others=others)


@pytest.mark.parametrize(
    ("members", "others", "more"), [(5, 0, True), (51, 1, True), (9, 4, False), (0, 5, False)]
)
def test_distances_say_no_sign_only_where_equal_rows_are_none_either(members, others, more):
    said = closest_sentence(with_equal(members, others, 0.51))
    assert ("more members than others have an equal row" in said) == more
    assert ("no sign" in said) != more


def test_a_small_holdout_says_what_a_copy_gives():
    assert "A copy of the original would reach about 55%" in closest_sentence(
        made_closest(0.52, share_of_copy=0.55)
    )
    assert "copy" not in closest_sentence(made_closest())
    assert "10% of members and 0% of others" in equal_sentence(made_closest())


def test_the_text_holds_everything_and_negative_risk_is_shown_as_none():
    found = made_holdout(attacks=(made_attack(200, 300),), notes=("Beware.",))
    text = shown("holdout", found)
    for part in ("Beware.", "0.00 (0.00 to 0.00)", "Single values may still leak"):
        assert part in text
    assert found.to_dict()["attacks"][0]["residual_risk"]["value"] < 0
    (table,) = HoldoutStudy().side_by_side([found, made_holdout(attacks=(), closest=None)])
    assert table.header[-1] == "Members guessed more in"
    assert table.rows[0][-1] == "0 of 1 attack"
    assert table.rows[1][1:] == ("", "", "")
    (details,) = (
        each for each in HoldoutStudy().blocks(made_holdout(), Viewpoint(page=True))
        if isinstance(each, Fold)
    )  # fmt: skip
    (surest,) = (each for each in details.blocks if isinstance(each, Grid))
    assert surest.header[1] == "Members predicted"
    assert surest.rows[0][1] == "10%"
