"""What is shown beside an attack: drivers, and people whom only the release gives away."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from msgspec import structs

import alc_core as alc
from alc_core.campaign.findings.subsets import FinishedStandings
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.errors import InputError, ParameterError
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
from alc_core.explain.trace import (
    MASK,
    MAX_GROUPS,
    MISSING,
    AttackTrace,
    TargetGroups,
    break_down,
    breakdown_sentence,
    chance_sentence,
    exposed_people,
    exposed_sentence,
    exposed_table,
    group_columns,
    group_targets,
    paired_interval,
    reading_sentence,
    suppression_sentence,
    trace_attack,
)
from alc_core.scenario.scenario import Scenario, Targets
from alc_core.scoring.intervals import wilson_interval
from alc_core.scoring.outcomes import Outcomes
from alc_core.tables.codes.encode import CategoricalCodes


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
    ).interval  # fmt: skip
    assert low == pytest.approx(0.4 - (0.1**2 + 0.1**2) ** 0.5)
    assert high == pytest.approx(0.4 + (0.05**2 + 0.2**2) ** 0.5)


def test_sentences_name_the_attribute_and_leave_open_what_is_open():
    found = contributions(0, pairs_of(), LOSSES)
    assert contribution_sentence(found) == ("Without 'hours', ALC is 0.30 instead of 0.80.")
    assert contribution_sentence(found[1:]) == (
        "Without 'city', ALC is 0.75 instead of 0.80. The intervals leave that open."
    )
    (no_help,) = contributions(4, pairs_of(), LOSSES)
    assert contribution_sentence((no_help,)).startswith("'city' does not raise the ALC")
    assert contribution_sentence((no_help, no_help)).startswith("None of 2 columns raises")
    alike = replace(found[1], without_it=replace(found[1].with_it, alc=0.799))
    assert contribution_sentence((alike,)) == "'city' does not raise the ALC of this attack."
    assert contribution_sentence(()) == ""


def test_what_is_left_to_run_lacks_one_fact_each_and_is_not_planned_yet():
    planned = plan_one_less(ATTACKS, 0)
    assert [each.scenario.known for each in planned] == [("city", "hours")]
    (only,) = planned
    assert only.number == 8
    assert only.kind is KnownSetKind.ONE_LESS
    assert only.reason.startswith("Without 'age'")
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
    assert city.mean == pytest.approx((0.05 + 0.3 - 0.2) / 3)
    assert (city.with_count, city.without_count) == (4, 3)  # attack 7 is on the city itself
    assert city.with_mean == pytest.approx((0.8 + 0.3 + 0.2 + 0.9) / 4)
    assert city.without_mean == pytest.approx((0.75 + 0.0 + 0.4) / 3)
    assert (age.pairs, age.mean, age.largest) == (0, None, None)
    assert list(effects) == ["hours", "city", "age", "job"]
    assert effects_sentence(tuple(effects.values())).startswith("'hours' adds most to ALC")
    frame = effects_frame(tuple(effects.values()))
    assert frame["attribute"].tolist() == list(effects)
    assert frame["mean"].isna().tolist() == [False, False, True, True]
    assert effects_sentence((age,)) == ""
    for pairs, mean in ((3, 0.004), (1, 0.0049), (9, 0.0001)):
        assert effects_sentence((replace(hours, pairs=pairs, mean=mean),)) == ""
    one = replace(hours, pairs=1, mean=0.4)
    assert effects_sentence((one,)).endswith("0.40 on average over one pair of attacks.")


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
        "Without 'city', it rises from 0.10 to 0.60."
    )
    assert effects_sentence(attribute_effects(attacks, pairs, losses)).endswith(
        "Without 'city', ALC is higher by 0.50 on average over 1 pair."
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
        exact = view.assessment(0).rescore(alpha=2.0).decisive_alc
        assert all(each.with_it.alc == pytest.approx(max(exact, 0)) for each in found)
        assert plan_one_less(view.attacks, 0) == ()


@pytest.fixture(scope="module")
def trace(attacked):
    return trace_attack(
        attacked.original, attacked.release, attacked.run, families=attacked.families
    )


def made_up(scores, correct, baseline_correct, **changes):
    n = len(scores)
    values = {
        "rows": np.arange(n)[::-1].copy(),
        "scores": np.asarray(scores, dtype=float),
        "correct": np.asarray(correct, dtype=bool),
        "baseline_scores": np.full(n, 0.5),
        "baseline_correct": np.asarray(baseline_correct, dtype=bool),
        "guessed": np.asarray(baseline_correct, dtype=bool),
        "unknown": np.zeros(n, dtype=np.int32),
        "codes": CategoricalCodes(name="job", labels=("clerk",)),
        "recall_scale": 1.0,
        "same": True,
    }
    return AttackTrace(**{**values, **changes})


def test_the_same_seed_gives_the_stored_outcomes_again(trace, attacked):
    assert trace.same
    again = Outcomes.from_predictions(
        trace.scores, trace.correct, trace.baseline_scores, trace.baseline_correct,
        max_thresholds=attacked.run.loop.max_thresholds,
    )  # fmt: skip
    assert again == attacked.run.outcomes
    assert len(np.unique(trace.rows)) == len(trace) == attacked.run.attempts


def test_rows_are_those_of_the_original(trace, attacked):
    names = np.array([*trace.codes.labels, None], dtype=object)
    assert (names[trace.unknown] == attacked.original.frame["job"].to_numpy()[trace.rows]).all()


def test_another_result_is_noticed(attacked):
    other = alc.assess(
        attacked.original, attacked.release, attacked.run.scenario, families=attacked.families,
        loop=attacked.loop, seed=4,
    )  # fmt: skip
    wrong = structs.replace(attacked.run, outcomes=other.outcomes)
    found = trace_attack(attacked.original, attacked.release, wrong, families=attacked.families)
    assert not found.same
    own = structs.replace(attacked.run, attack_name="mine")
    with pytest.raises(InputError, match="'mine' is not registered"):
        trace_attack(attacked.original, attacked.release, own)


def test_groups_add_up_to_the_best_point_of_the_attack(trace, attacked):
    best = attacked.run.attack
    for column in group_columns(attacked.original, "job"):
        found = break_down(
            trace, group_targets(trace, attacked.original, column), threshold=best.threshold,
            min_people=1,
        )  # fmt: skip
        assert sum(group.people for group in found.groups) == attacked.run.attempts
        assert sum(group.predictions for group in found.groups) == best.predictions
        assert sum(group.true_predictions for group in found.groups) == best.true_predictions


def test_values_come_in_reading_order_numbers_in_quarters_missing_ones_last(people):
    frame = people(400).assign(rate=np.tile(["10", "9", "8.5", None], 100))
    frame["born"] = pd.Timestamp("1990-01-01") + pd.to_timedelta(np.arange(400), unit="D")
    frame.loc[:39, "hours"] = np.nan
    original = alc.table_from_frame(frame, name="people").with_kinds({"rate": "categorical"})
    trace = made_up(np.ones(400), np.ones(400), np.zeros(400), rows=np.arange(400))
    rates = group_targets(trace, original, "rate")
    assert rates.names == ("8.5", "9", "10", MISSING)
    assert np.array(rates.names)[rates.codes[:4]].tolist() == ["10", "9", "8.5", MISSING]
    hours = group_targets(trace, original, "hours")
    assert hours.names[-1] == MISSING
    assert np.bincount(hours.codes).tolist()[-1] == 40
    assert len(hours.names) == 5
    assert np.bincount(hours.codes)[:4].min() > 80
    low, high = hours.names[0].split(" to ")
    inside = frame["hours"].iloc[np.flatnonzero(hours.codes == 0)]
    assert (float(low), float(high)) == (inside.min(), inside.max())
    born = group_targets(trace, original, "born")
    assert born.names[0] == "1990-01-01 to 1990-04-10"
    assert group_columns(original, "job") == ("job", "age", "city", "hours", "rate", "born")


def groups_of(sizes):
    codes = np.repeat(np.arange(len(sizes)), sizes)
    return TargetGroups(column="town", names=tuple(f"g{n}" for n in range(len(sizes))), codes=codes)


def test_one_group_is_measured_as_told():
    scores = [0.9] * 30 + [0.1] * 10
    trace = made_up(scores, [1] * 24 + [0] * 16, [1] * 6 + [0] * 18 + [1] * 3 + [0] * 13)
    (group,) = break_down(trace, groups_of([40]), threshold=0.5).groups
    assert (group.people, group.predictions, group.true_predictions) == (40, 30, 24)
    assert (group.recall, group.precision, group.baseline_precision) == (0.75, 0.8, 0.3)
    assert group.gain == pytest.approx(0.5)
    assert group.precision_interval == pytest.approx([float(x) for x in wilson_interval(24, 30)])
    # 18 right for the attack alone, 3 for the baseline alone.
    assert group.gain_interval == paired_interval(18, 3, 30)
    wider = break_down(trace, groups_of([40]), threshold=0.5, confidence=0.99).groups[0]
    assert wider.gain_interval[0] < group.gain_interval[0]


def test_small_groups_are_pooled_and_left_out_where_still_too_small():
    trace = made_up(np.ones(85), np.ones(85), np.zeros(85))
    found = break_down(trace, groups_of([40, 12, 9, 24]), threshold=0.5)
    assert [(g.group, g.people) for g in found.groups] == [
        ("g0", 40), ("g3", 24), ("2 smaller groups together", 21),
    ]  # fmt: skip
    assert "2 groups pooled" in suppression_sentence(found)
    less = break_down(trace, groups_of([40, 10, 9, 26]), threshold=0.5)
    assert [g.group for g in less.groups] == ["g0", "g3"]
    assert less.suppressed_groups == 2
    assert "2 groups excluded" in suppression_sentence(less)
    allowed = break_down(trace, groups_of([40, 10, 9, 26]), threshold=0.5, min_people=9)
    assert len(allowed.groups) == 4
    assert suppression_sentence(allowed) == ""
    with pytest.raises(ParameterError, match="min_people must be a whole number of at least 1"):
        break_down(trace, groups_of([85]), threshold=0.5, min_people=0)


def test_many_groups_leave_the_smallest_pooled():
    sizes = [30] * MAX_GROUPS + [25, 25]
    trace = made_up(np.ones(sum(sizes)), np.ones(sum(sizes)), np.zeros(sum(sizes)))
    found = break_down(trace, groups_of(sizes), threshold=0.5)
    assert len(found.groups) == MAX_GROUPS + 1
    assert found.groups[-1].people == 50


def test_groups_without_a_prediction_have_no_precision():
    trace = made_up([0.9] * 30 + [0.1] * 30, np.ones(60), np.zeros(60))
    first, second = break_down(trace, groups_of([30, 30]), threshold=0.5).groups
    assert first.precision == 1.0
    assert np.isnan(second.precision)
    assert second.precision_interval == (0.0, 1.0)
    nobody = break_down(trace, groups_of([60]), threshold=2.0)
    assert "does not answer" in breakdown_sentence(nobody)


def test_sentences_tell_the_clear_differences_and_warn_of_chance():
    trace = made_up(np.ones(100), [1] * 50 + [0] * 50, [0] * 50 + [0, 1] * 25)
    found = break_down(trace, groups_of([50, 50]), threshold=0.5)
    assert breakdown_sentence(found).startswith("The attack clearly beats the best guess in 1 of 2")
    assert "Most: g0, 100% of 50 correct" in breakdown_sentence(found)
    assert "About 0.1 of 2 groups differ by chance" in chance_sentence(found)
    assert "reveals something" in reading_sentence(found, "job")
    assert "rare values of 'town'" in reading_sentence(found, "town")
    alike = break_down(trace, groups_of([50, 50]), threshold=0.5, confidence=0.95)
    none = replace(alike, groups=alike.groups[1:])
    assert breakdown_sentence(none).startswith("The attack clearly beats the best guess in none")


def test_the_paired_interval_covers_what_it_should():
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(400):
        outcome = rng.choice(3, size=60, p=[0.3, 0.1, 0.6])
        low, high = paired_interval(int((outcome == 0).sum()), int((outcome == 1).sum()), 60)
        hits += low <= 0.2 <= high
    assert 0.92 <= hits / 400 <= 0.99


@pytest.fixture
def counted_above(monkeypatch):
    """Let people exposed be counted from a rank score on."""

    def counted(score, known=np.inf):
        monkeypatch.setattr("alc_core.explain.trace.counted_from", lambda _: (score, known))

    return counted


def test_exposed_are_those_sure_and_right_where_the_baseline_is_wrong(counted_above):
    trace = made_up(
        [0.9, 0.8, 0.8, 0.8, 0.2], [1, 1, 1, 0, 1], [0, 0, 1, 0, 0],
        baseline_scores=np.array([0.1, 0.2, 0.9, 0.3, 0.4]),
    )  # fmt: skip
    counted_above(0.5)
    found = exposed_people(trace, None)
    assert found.rows.tolist() == [4, 3]
    assert found.scores.tolist() == [0.9, 0.8]
    assert (found.attacked, found.share, found.reverse) == (5, 0.4, 0)
    assert exposed_people(made_up([0.9, 0.8, 0.1], [1, 0, 0], [0, 1, 1]), None).reverse == 1
    assert exposed_sentence(found).startswith(
        "5 people: only the attack is correct about 2 (40%), only the best guess about 0."
    )
    counted_above(0.5, known=0.15)
    assert exposed_people(trace, None).rows.tolist() == [4], "the others are known anyway"
    counted_above(0.85)
    assert exposed_people(trace, None).rows.tolist() == [4]


def test_people_told_one_by_one_are_those_who_are_counted_as_exposed(trace, attacked):
    run = attacked.run
    assert run.attempts < run.people
    listed = exposed_people(trace, run)
    assert (len(listed) - listed.reverse) * run.people_a_gain == pytest.approx(run.exposed)


def test_records_are_masked_until_they_are_asked_for(trace, attacked):
    found = exposed_people(trace, attacked.run)
    assert len(found) > 25
    columns = attacked.run.scenario.columns
    masked = exposed_table(found, attacked.original, columns, start=20, rows=20)
    assert masked["Place"].tolist()[0] == "21"
    assert (masked[["Row", *columns]] == MASK).all().all()
    shown = exposed_table(found, attacked.original, columns, start=20, rows=20, reveal=True)
    frame = attacked.original.frame.iloc[found.rows[20:40]]
    assert shown["job"].tolist() == frame["job"].tolist()
    assert shown["age"].tolist() == frame["age"].astype(str).tolist()
    assert shown["Row"].tolist() == (frame.index + 1).astype(str).tolist()
    assert shown["Rank score"].tolist() == [f"{score:.2f}" for score in found.scores[20:40]]
    assert len(exposed_table(found, attacked.original, columns, start=len(found) - 3)) == 3


def test_missing_values_and_columns_called_like_ours_are_shown(counted_above):
    frame = pd.DataFrame({"Row": ["x", None], "job": ["clerk", "clerk"], "age": [1, 2]})
    trace = made_up([1, 1], [1, 1], [0, 0])
    counted_above(0.5)
    found = exposed_people(trace, None)
    original = alc.table_from_frame(frame, name="t")
    table = exposed_table(found, original, ("Row", "job"), reveal=True)
    assert list(table.columns) == ["Place", "Rank score", "Row", "Row (column)", "job"]
    assert set(table["Row (column)"]) == {"x", "(missing)"}
