"""Pairs of attacks, what an attribute adds, and what is left to run."""

from dataclasses import replace

import numpy as np
import pytest

import alc_core as alc
from alc_core.campaign.findings.subsets import FinishedStandings
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.explain.drivers import (
    Contribution,
    Loss,
    attack_losses,
    attack_pairs,
    attribute_effects,
    contribution_sentence,
    contributions,
    effects_frame,
    effects_sentence,
    known_counts,
    plan_one_less,
    riskiest_attack,
)
from alc_core.scenario.scenario import Scenario, Targets


def attack(number, known, unknown="job", release="r", **scenario):
    return PlannedAttack(
        number=number,
        scenario=Scenario(known, unknown, **scenario),
        release=release,
        attack="best row match",
        kind=KnownSetKind.NAMED,
        reason="",
    )


def loss(alc_value, half=0.05):
    return Loss.of(alc_value, alc_value - half, alc_value + half)


ATTACKS = (
    attack(0, ["age", "city", "hours"]),
    attack(1, ["city", "age"]),
    attack(2, ["hours", "age"]),
    attack(3, ["age"]),
    attack(4, ["age", "city"], release="other"),
    attack(5, ["age"], release="other"),
    attack(6, ["city"], targets=Targets(count=50)),
    attack(7, ["job"], unknown="city"),
)
LOSSES = {
    0: loss(0.8), 1: loss(0.3), 2: loss(0.75), 3: loss(-7.0), 4: loss(0.2), 5: loss(0.4),
    6: loss(0.9), 7: loss(0.1),
}  # fmt: skip


def pairs_of(attacks=ATTACKS, losses=LOSSES):
    return attack_pairs(attacks, losses)


def test_pairs_differ_in_one_known_attribute_and_nothing_else():
    found = {(pair.attribute, pair.with_it, pair.without_it) for pair in pairs_of()}
    assert found == {
        ("hours", 0, 1), ("city", 0, 2), ("city", 1, 3), ("hours", 2, 3), ("city", 4, 5),
    }  # fmt: skip


def test_attacks_without_a_result_make_no_pair():
    found = pairs_of(losses={0: LOSSES[0], 2: LOSSES[2]})
    assert [(pair.attribute, pair.with_it) for pair in found] == [("city", 0)]


def test_an_attribute_adds_the_difference_and_no_loss_is_zero():
    found = contributions(0, pairs_of(), LOSSES)
    assert [each.attribute for each in found] == ["hours", "city"]
    assert [each.difference for each in found] == pytest.approx([0.5, 0.05])
    (from_nothing,) = contributions(1, pairs_of(), LOSSES)
    assert from_nothing.difference == pytest.approx(0.3)  # not 7.3
    assert from_nothing.without_it == Loss(alc=0.0, low=0.0, high=0.0)
    (worse,) = contributions(4, pairs_of(), LOSSES)
    assert worse.difference == pytest.approx(-0.2)


def test_the_interval_of_a_difference_combines_both():
    low, high = Contribution(
        attribute="age", with_it=Loss.of(0.6, 0.5, 0.65), without_it=Loss.of(0.2, -0.4, 0.3),
        without_number=1,
    ).interval  # fmt: skip
    assert low == pytest.approx(0.4 - (0.1**2 + 0.1**2) ** 0.5)
    assert high == pytest.approx(0.4 + (0.05**2 + 0.2**2) ** 0.5)


def test_sentences_name_the_attribute_and_leave_open_what_is_open():
    found = contributions(0, pairs_of(), LOSSES)
    assert contribution_sentence(found) == (
        "hours adds most: without it the ALC is 0.30 instead of 0.80."
    )
    assert contribution_sentence(found[1:]).endswith("leave open whether it really falls.")
    assert contribution_sentence(contributions(4, pairs_of(), LOSSES)).startswith("None of these")
    assert contribution_sentence(()) == ""


def test_what_is_left_to_run_lacks_one_fact_each_and_is_not_planned_yet():
    planned = plan_one_less(ATTACKS, 0)
    assert [each.scenario.known for each in planned] == [("city", "hours")]
    (only,) = planned
    assert only.number == 8
    assert only.kind is KnownSetKind.ONE_LESS
    assert only.reason.startswith("Without age")
    assert replace(only.scenario, known=("age", "city", "hours")) == ATTACKS[0].scenario
    assert plan_one_less((*ATTACKS, only), 0) == ()
    assert plan_one_less(ATTACKS, 3) == ()
    assert len(plan_one_less(ATTACKS, 4)) == 1


def test_the_riskiest_attack_has_something_to_leave_out():
    assert riskiest_attack(ATTACKS, LOSSES) == 0  # 6 is riskier, but knows one attribute alone
    assert riskiest_attack(ATTACKS, {3: LOSSES[3], 6: LOSSES[6]}) is None


def test_over_a_campaign_pairs_are_averaged_and_plain_means_stand_apart():
    effects = {each.attribute: each for each in attribute_effects(ATTACKS, pairs_of(), LOSSES)}
    hours, city, age = effects["hours"], effects["city"], effects["age"]
    assert (hours.pairs, hours.mean, hours.largest) == (2, pytest.approx(0.625), 0.75)
    assert hours.largest_pair.with_it == 2
    assert city.mean == pytest.approx((0.05 + 0.3 - 0.2) / 3)
    assert (city.with_count, city.without_count) == (4, 3)  # attack 7 is on the city itself
    assert city.with_mean == pytest.approx((0.8 + 0.3 + 0.2 + 0.9) / 4)
    assert city.without_mean == pytest.approx((0.75 + 0.0 + 0.4) / 3)
    assert (age.pairs, age.mean, age.largest_pair) == (0, None, None)
    assert list(effects) == ["hours", "city", "age", "job"]
    assert effects_sentence(tuple(effects.values())).startswith("hours adds most: an ALC higher")
    frame = effects_frame(tuple(effects.values()))
    assert frame["attribute"].tolist() == list(effects)
    assert frame["mean"].isna().tolist() == [False, False, True, True]
    assert effects_sentence((age,)) == ""
    one = replace(hours, pairs=1, mean=0.4)
    assert effects_sentence((one,)).endswith(
        "by 0.40 in the one pair of attacks that differ in it alone. Open that attack to see its "
        "intervals."
    )


def test_known_facts_are_counted_and_attacks_without_a_result_left_out():
    losses = np.array([0.8, -7.0])
    stands = FinishedStandings(
        numbers=np.array([0, 3]), outcome=np.zeros(2, dtype=np.int8), alc=losses, low=losses,
        high=losses, through=np.full(2, -1),
    )  # fmt: skip
    points = known_counts(ATTACKS, {0: LOSSES[0], 3: LOSSES[3]}, stands)
    assert [(point.number, point.known, point.alc) for point in points] == [(0, 3, 0.8), (3, 1, 0)]
    assert [point.reached for point in points] == [0.8, 0]


def test_what_hides_a_loss_is_what_an_attacker_leaves_out():
    attacks = [attack(0, ["age", "city"]), attack(1, ["age"]), attack(2, ["city"])]
    losses = {0: loss(0.1), 1: loss(0.6), 2: loss(0.0)}
    pairs = attack_pairs(attacks, losses)
    assert contribution_sentence(contributions(0, pairs, losses)).endswith(
        "Without city the ALC rises from 0.10 to 0.60: an attacker would leave it out."
    )
    assert effects_sentence(attribute_effects(attacks, pairs, losses)).endswith(
        "Without city the ALC is higher by 0.50 on average over 1 pair: an attacker would leave "
        "it out."
    )
    unclear = {**losses, 1: loss(0.12)}
    assert "leave it out" not in contribution_sentence(contributions(0, pairs, unclear))


def test_a_campaign_run_with_one_fact_less_tells_what_drives_it(attacked, tmp_path):
    original = alc.table_from_frame(attacked.original.frame.head(500), name="people")
    releases = {"swapped": alc.swap_columns(original.frame, 0.2, seed=1)}
    plan = alc.plan_campaign(
        original, releases, unknown=["job"], known_sets=0, named=[["age", "city"]],
        all_others=False, targets=alc.Targets(count=400),
    )  # fmt: skip
    options = {"families": attacked.families, "loop": attacked.loop, "jobs": 1}
    path = tmp_path / "c.alc"
    with alc.run_campaign(original, releases, path, plan=plan, **options) as store:
        view = CampaignView(store)
        less = plan_one_less(view.attacks, 0)
        assert len(less) == 2
    more = alc.CampaignPlan(attacks=less)
    with alc.run_campaign(original, releases, path, plan=more, **options) as store:
        view = CampaignView(store)
        assert {a.kind for a in view.attacks[1:]} == {KnownSetKind.ONE_LESS}
        losses = attack_losses(view.rescored(alc.ScoringParameters(alpha=2.0)))
        found = contributions(0, attack_pairs(view.attacks, losses), losses)
        assert {each.attribute for each in found} == {"age", "city"}
        exact = view.assessment(0).rescore(alpha=2.0).alc
        assert all(each.with_it.alc == pytest.approx(max(exact, 0)) for each in found)
        assert plan_one_less(view.attacks, 0) == ()
