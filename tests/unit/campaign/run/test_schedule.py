import dataclasses
import heapq
import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest

import alc_core as alc
from alc_core.campaign.file.annotations import keep_plan
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.plan.estimate import attack_costs
from alc_core.campaign.run.schedule import TimeLeft, settles, settling_first
from alc_core.campaign.run.workers import Workers, WorkerSettings, group_attacks, run_groups
from alc_core.candidates.gate import gate
from alc_core.candidates.lines import candidate_lines
from alc_core.releases.registry import as_releases
from alc_core.review.campaign_words import headline
from alc_core.review.release_words import line_sentence
from alc_core.runtime.machine import free_processors
from alc_core.scoring.verdict import Cause, Publishing, Verdict
from alc_core.tables.roles import ColumnRole, Roles
from tests.unit.campaign.conftest import same_results


def left(costs, kinds, **options) -> TimeLeft:
    return TimeLeft(costs=dict(enumerate(costs)), kinds=dict(enumerate(kinds)), **options)


def test_processes_that_cannot_be_started_end_the_run(settled):
    *_, plan, _ = settled

    class Broken(Workers):
        def run(self, *_):
            raise OSError("no space left")

    groups = group_attacks(
        plan.attacks,
        {each.attack: None for each in plan.attacks},
        {each.number: () for each in plan.attacks},
    )
    with pytest.raises(OSError, match="no space left"):
        list(run_groups(groups, None, Broken(1), WorkerSettings(run=None, threads=1)))


def test_a_kind_s_own_pace_counts_once_it_is_known():
    time_left = left([1.0] * 8, ["quick", "slow"] * 4, processes=1)
    assert time_left.seconds is None
    time_left.take({0: 1.0, 1: 3.0})
    assert time_left.seconds == pytest.approx(6 * 2.0), "of all so far"
    time_left.take({2: 1.0, 3: 3.0, 4: 1.0, 5: 3.0})
    assert time_left.seconds == pytest.approx(1.0 + 3.0)
    time_left.drop([7])
    assert time_left.seconds == pytest.approx(1.0)


def test_before_the_first_result_it_is_as_estimated_for_the_processors_that_are_free():
    time_left = left([2.0, 4.0], ["a", "a"], processes=2, speed=0.5)
    assert time_left.seconds == pytest.approx(6.0)
    time_left.take({0: 2.0})
    assert time_left.seconds == pytest.approx(4 * 20 / 11 / 2), "then the pace counts, too"


def test_large_ones_are_not_taken_for_small_ones_and_processes_share_them():
    time_left = left([1.0, 1.0, 10.0, 10.0], ["a"] * 4, processes=2)
    time_left.take({0: 2.0, 1: 2.0})
    assert time_left.seconds == pytest.approx(20.0)


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def ends_said(took, *, costs=None, processes=2, dropped=()):
    """Run attacks of two kinds, so many at once; return when it was said to end, and when it did.

    The last `dropped` are left out after the first.
    """
    clock, costs = Clock(), costs or [10.0] * len(took)
    kinds = ["a", "b"] * len(took)
    time_left = left(costs, kinds[: len(took)], processes=processes, speed=1.0, _clock=clock)
    said, free, done = [time_left.ends()], [0.0] * processes, []
    for number, seconds in enumerate(took[: len(took) - len(dropped)]):
        done.append((heapq.heappushpop(free, free[0] + seconds) + seconds, number))
    for clock.now, number in sorted(done):
        time_left.take({number: took[number]})
        time_left.drop(dropped)
        said.append(time_left.ends())
    return said, clock.now


SEQUENCES = {
    "as estimated": [10.0] * 30,
    "three times slower": [29.0] * 30,
    "three times quicker": [3.5] * 30,
    "slow at first": [30.0] * 4 + [12.0] * 26,
    "one kind dear": [4.0, 30.0] * 15,
    "slower and slower": [10.0 + number for number in range(30)],
    "by chance": list(np.random.default_rng(1).lognormal(np.log(12), 0.5, 40)),
}


@pytest.mark.parametrize("took", SEQUENCES.values(), ids=SEQUENCES)
def test_the_time_left_is_a_range_that_narrows_and_holds(took):
    said, end = ends_said(took)
    for (low, high), (later_low, later_high) in itertools.pairwise(said):
        assert later_low >= low
        assert later_high <= high
    half = said[: len(said) // 2]
    assert all(low <= end <= high for low, high in half)
    minutes = [math.ceil((high - end) / 60) for _, high in said]
    assert minutes == sorted(minutes, reverse=True)
    assert said[-1][1] == pytest.approx(end, abs=1e-6)


# Six scenarios of the demo, each six attacks, on two busy processors: what their first attacks were
# estimated to take; when each scenario ended, and what its attacks took
FIRSTS = [4.0, 3.9, 5.6, 5.4, 4.3, 4.0]
ENDED = [
    (70.7, 0, [19.5, 5.8, 1.7, 26.6, 1.5, 9.9]),
    (75.1, 2, [35.0, 7.5, 1.3, 14.8, 1.2, 9.8]),
    (125.8, 1, [7.0, 5.4, 1.1, 28.9, 1.2, 6.0]),
    (132.9, 4, [17.2, 13.9, 1.4, 17.9, 1.9, 8.5]),
    (182.2, 5, [19.5, 10.1, 1.2, 9.6, 2.7, 6.4]),
    (189.6, 3, [37.6, 7.9, 0.9, 11.6, 0.5, 5.2]),
]


def test_a_recorded_campaign_ends_within_all_that_was_said():
    clock = Clock()
    costs = [cost for first in FIRSTS for cost in (first, 0.7, 0.5, 0.7, 0.5, 0.7)]
    kinds = ["best first", "linkage", "best", "linkage", "best", "linkage"] * len(FIRSTS)
    time_left = left(costs, kinds, processes=2, speed=0.135, _clock=clock)
    said = [time_left.ends()]
    for clock.now, scenario, took in ENDED:
        time_left.take(dict(enumerate(took, start=6 * scenario)))
        said.append(time_left.ends())
    assert all(low <= clock.now <= high for low, high in said)
    widths = [high - low for low, high in said]
    assert widths == sorted(widths, reverse=True)


def test_it_narrows_by_what_was_learned():
    said, _ = ends_said([10.0] * 30)
    widths = [high - low for low, high in said]
    assert widths[10] < widths[0] / 2
    assert widths[20] < widths[10] / 1.5


def test_it_begins_anew_where_the_pace_is_another_altogether():
    said, end = ends_said([10.0] * 10 + [600.0] * 10)
    latest = [high for _, high in said]
    assert latest[10] < end < max(latest[11:])


def test_it_may_end_earlier_where_attacks_are_left_out():
    took = [10.0] * 30
    said, end = ends_said(took, dropped=range(6, 30))
    assert said[1][0] <= end < said[0][0] + 30
    assert said[1][1] < said[0][1]


def test_every_attack_of_a_campaign_has_a_cost(campaign):
    plan = campaign.plan
    costs = attack_costs(plan.attacks, campaign.original, as_releases(campaign.releases))
    assert costs.keys() == {attack.number for attack in plan.attacks}
    firsts = {a.scenario.key: a.number for a in reversed(plan.attacks)}.values()
    assert min(costs[n] for n in firsts) > max(c for n, c in costs.items() if n not in firsts)


def test_the_processors_that_are_free_are_measured():
    assert 0 < free_processors(1, seconds=0.05) <= 1.05


def test_who_knows_most_of_what_is_to_be_protected_comes_first(campaign):
    plan = campaign.plan
    attacks = {attack.attack: None for attack in plan.attacks}
    groups = group_attacks(plan.attacks, attacks, {a.number: () for a in plan.attacks})
    columns = campaign.original.columns
    roles = Roles.of(campaign.original, columns, chosen={"city": ColumnRole.PROTECTED})
    ordered = settling_first(groups, campaign.original, roles)
    assert sorted(map(id, ordered)) == sorted(map(id, groups))
    assert [group.scenario.unknown for group in ordered[:2]] == ["city", "job"]
    assert {group.kind for group in ordered[:2]} == {KnownSetKind.ALL_OTHERS}
    assert ordered[-1].scenario.unknown == "job"


def test_a_neighbour_comes_before_who_knows_all_others_of_what_is_no_secret(campaign):
    kinds = KnownSetKind.SINGLES_OUT, KnownSetKind.ALL_OTHERS, KnownSetKind.ONE_LESS
    known = {"city": ("hours", "job"), "job": ("city",), "hours": ("city",)}
    groups = [
        SimpleNamespace(scenario=alc.Scenario(of, column), kind=kind, attacks=())
        for kind in kinds
        for column, of in known.items()
    ]
    chosen = dict.fromkeys(["hours", "job"], ColumnRole.KNOWN) | {"city": ColumnRole.PROTECTED}
    roles = Roles.of(campaign.original, campaign.original.columns, chosen=chosen)
    ordered = settling_first(groups, campaign.original, roles)
    places = {(each.kind, each.scenario.unknown): at for at, each in enumerate(ordered)}
    neighbour = places[KnownSetKind.SINGLES_OUT, "city"]
    assert places[KnownSetKind.ALL_OTHERS, "city"] < neighbour
    assert neighbour < max(places[KnownSetKind.ALL_OTHERS, column] for column in known)
    assert {kind for kind, _ in sorted(places, key=places.get)[-3:]} == {KnownSetKind.ONE_LESS}


def test_few_facts_that_lead_to_a_row_come_with_all_others_of_their_column(campaign):
    kinds = KnownSetKind.KNOWABLE, KnownSetKind.FEW_FACTS, KnownSetKind.ALL_OTHERS
    groups = [
        SimpleNamespace(scenario=scenario, kind=kind, attacks=())
        for scenario in dict.fromkeys(attack.scenario for attack in campaign.plan.attacks)
        for kind in kinds
    ]
    ordered = settling_first(groups, campaign.original, Roles())
    half = 2 * len(groups) // 3
    assert {group.kind for group in ordered[:half]} == {*kinds[1:]}
    assert {group.kind for group in ordered[half:]} == {KnownSetKind.KNOWABLE}


def test_every_release_has_something_at_once(campaign):
    plan = campaign.plan
    lonely = [a for a in plan.attacks if a.release == "weak" or a.kind is KnownSetKind.NAMED]
    groups = group_attacks(lonely, {a.attack: None for a in lonely}, {a.number: () for a in lonely})
    ordered = settling_first(groups, campaign.original, Roles())
    assert {each.release for group in ordered[:2] for each in group.attacks} == {"weak", "strong"}


@pytest.fixture(scope="module")
def settled(people, tmp_path_factory):
    """A campaign on the original itself and on strangers' rows that stops what is settled."""
    original = alc.table_from_frame(people(900), name="people.csv")
    releases = {"copy": people(900), "other": alc.swap_columns(people(900), 1.0, seed=1)}
    options = {
        "loop": alc.LoopParameters(folds=2, resamples=200, min_targets=400), "seed": 5, "jobs": 1,
    }  # fmt: skip
    plan = alc.plan_campaign(original, as_releases(releases), stop_settled=True, seed=5)
    path = tmp_path_factory.mktemp("settled") / "c.alc"
    with alc.run_campaign(original, releases, path, plan=plan, **options) as store:
        yield original, releases, options, plan, store


def test_a_settled_release_is_attacked_no_further(settled):
    *_, plan, store = settled
    counts, view = store.counts(), CampaignView(store)
    assert counts.skipped > 0
    assert (counts.failed, counts.missing) == (0, 0)
    skipped = {attack.release for attack in plan.attacks if attack.number in store.skipped()}
    assert skipped == {"copy"}
    frame = view.frame(view.settings.scoring)
    assert frame["status"].value_counts()["skipped"] == counts.skipped == view.counts.skipped
    lines = {line.release: line for line in candidate_lines(view, view.settings.scoring, {})}
    assert lines["copy"].standing == "serious"
    assert (lines["copy"].to_run, lines["copy"].so_far) == (0, False)
    assert "skipped: the release is settled" in line_sentence(lines["copy"])
    assert lines["other"].skipped == 0
    overview = view.overview(view.settings.scoring)
    assert "skipped: their release was settled" in headline(overview)
    assert "have not run yet" not in headline(overview)


def test_what_was_skipped_counts_where_nothing_settles_the_release_any_more(settled):
    view = CampaignView(settled[-1])
    scoring = view.settings.scoring
    (line,) = (line for line in candidate_lines(view, scoring, {}) if line.release == "copy")
    laxer = dataclasses.replace(
        line, standing=Verdict.BELOW_LIMIT, linked=False, copied=None, most=None
    )
    assert laxer.publishing is Publishing.UNKNOWN

    ran = view.only("copy").overview(scoring).results
    settling = set(ran.loc[ran["standing"] == Verdict.SERIOUS, "unknown"])

    def causes(allow):
        (found,) = (
            each for each in gate(view, scoring, allow=allow).releases if each.release == "copy"
        )
        return [ground.cause for ground in found.grounds]

    assert Cause.FOUND in causes(())
    assert Cause.MISSING not in causes(())
    assert Cause.FOUND not in causes(settling)
    assert Cause.MISSING in causes(settling)


def test_what_was_skipped_is_run_on_demand_with_the_same_results(settled, tmp_path):
    original, releases, options, plan, store = settled
    finished = {
        a.number: store.assessment(a.number)
        for a in plan.attacks
        if a.number not in store.skipped()
    }
    whole = dataclasses.replace(
        plan, settings=dataclasses.replace(plan.settings, stop_settled=False)
    )
    path = tmp_path / "again.alc"
    with alc.run_campaign(original, releases, path, plan=whole, **options) as every:
        assert every.counts().skipped == 0
        expected = {a.number: every.assessment(a.number) for a in every.attacks}
    for number, found in finished.items():
        assert found.to_dict() == expected[number].to_dict()
    with alc.run_campaign(original, releases, store.path, **options) as same:
        assert same.counts().skipped, "the file keeps what it was told"
    with alc.CampaignStore.open(store.path) as told:
        keep_plan(told, whole)  # as a run does that is broken off
    with alc.run_campaign(original, releases, store.path, **options) as filled:
        assert filled.counts().skipped == 0
        assert same_results(filled, expected)


def test_many_attacks_must_all_leave_it_beyond_doubt(undisturbed):
    found = max(undisturbed.values(), key=lambda each: each.decisive_alc)
    strict = found.rescore(at_risk=0.1, serious=0.2)
    assert strict.verdict == "serious"
    assert settles(strict, 10_000)
    assert not settles(found.rescore(at_risk=0.97, serious=0.99), 1)
    near = found.rescore(
        at_risk=0.01, serious=found.decisive_interval[0] - 1e-6, control="family-wise"
    )
    assert near.verdict == "serious"
    assert not settles(near, 10_000)
