import pytest

from alc_core.campaign.plan.estimate import attack_costs
from alc_core.campaign.run.schedule import TimeLeft
from alc_core.releases.registry import as_releases
from alc_core.runtime.machine import free_processors


def left(costs, kinds, **options) -> TimeLeft:
    return TimeLeft(costs=dict(enumerate(costs)), kinds=dict(enumerate(kinds)), **options)


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
    assert time_left.seconds == pytest.approx(2.0), "then the pace counts"


def test_large_ones_are_not_taken_for_small_ones_and_processes_share_them():
    time_left = left([1.0, 1.0, 10.0, 10.0], ["a"] * 4, processes=2)
    time_left.take({0: 2.0, 1: 2.0})
    assert time_left.seconds == pytest.approx(20.0)


def test_every_attack_of_a_campaign_has_a_cost(campaign):
    plan = campaign.plan
    costs = attack_costs(plan.attacks, campaign.original, as_releases(campaign.releases))
    assert costs.keys() == {attack.number for attack in plan.attacks}
    firsts = {a.scenario.key: a.number for a in reversed(plan.attacks)}.values()
    assert min(costs[n] for n in firsts) > max(c for n, c in costs.items() if n not in firsts)


def test_the_processors_that_are_free_are_measured():
    assert 0 < free_processors(1, seconds=0.05) <= 1.05
