from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from alc_core.campaign.plan.estimate import (
    attack_costs,
    machine_speed,
    scenario_costs,
    seconds_now,
    total_seconds,
)
from alc_core.campaign.plan.planner import plan_campaign
from alc_core.releases.microdata import Microdata
from alc_core.scenario.scenario import Targets
from alc_core.tables.read import table_from_frame


def people(n=400):
    rng = np.random.default_rng(0)
    columns = {name: rng.choice(["a", "b", "c"], n) for name in ("city", "job", "sex")}
    return table_from_frame(pd.DataFrame(columns), name="people")


def costs(rows=400, releases=1, released=None, **options):
    """Return what the attacks on one column of a campaign cost, in their order."""
    original = people(rows)
    published = [Microdata(tables=(released or original,), name=f"v{n}") for n in range(releases)]
    options = {"attacks": ["best row match"], "known_sets": 0, **options}
    plan = plan_campaign(original, published, unknown=["job"], knowable=False, **options)
    found = attack_costs(plan.attacks, original, published)
    assert scenario_costs(plan.attacks, original, published) == (sum(found.values()),)
    return list(found.values())


@pytest.mark.parametrize(
    ("of", "processes", "expected"),
    [
        ([1.0, 2.0, 3.0], 1, 6.0),
        ([1.0, 2.0, 3.0], 2, 4.0),
        ([1.0, 2.0, 3.0], 3, 3.0),
        ([1.0, 2.0, 3.0], 64, 3.0),
        ([5.0, 1.0, 1.0, 1.0], 2, 5.0),
    ],
)
def test_processes_share_the_work(of, processes, expected):
    start = total_seconds([0.0], processes=1, speed=1)
    assert start > 0
    assert total_seconds(of, processes=processes, speed=1) == start + expected
    assert total_seconds(of, processes=processes, speed=2) == (start + expected) / 2


def test_nothing_takes_no_time():
    assert total_seconds([], processes=2, speed=1) == 0
    assert scenario_costs([], people(), []) == ()
    assert seconds_now((), 1) == 0


def test_the_first_attack_of_a_scenario_has_the_baseline():
    first, *others = costs(releases=3)
    assert others == [others[0]] * 2
    assert first > 5 * others[0]


def test_a_release_of_more_rows_and_a_dearer_kind_of_attack_take_longer():
    assert costs(released=people(4000)) > costs()
    dearer = costs(attacks=["best row match", "model", "own"])
    assert dearer[1] > dearer[2]


@pytest.mark.parametrize(
    ("few", "many"),
    [(50, 100), (100, 400), (400, "all"), (None, "all")],
)
def test_more_targets_are_never_cheaper(few, many):
    less, more = (costs(3000, targets=Targets(count=each)) for each in (few, many))
    assert all(one <= other for one, other in zip(less, more, strict=True))


def test_all_who_are_asked_for_are_no_more_than_there_are():
    assert costs(targets=Targets(count=5000)) == costs(targets=Targets(count="all"))


@pytest.mark.parametrize("rows", [1, 35, 999, 25_000, 10_000_000])
def test_tables_of_any_size_have_a_cost(rows):
    original = people()
    plan = plan_campaign(original, [Microdata(tables=(original,), name="v")], known_sets=0)
    large = replace(original, frame=pd.DataFrame(index=range(rows)))
    released = [Microdata(tables=(large,), name="v")]
    found = attack_costs(plan.attacks, large, released)
    assert all(0 < cost < 1e7 for cost in found.values())


def test_the_machine_is_measured_once():
    speed = machine_speed()
    assert 0.005 < speed < 100
    assert machine_speed() is speed


@pytest.mark.parametrize(("rows", "seconds"), [(6000, 4.1), (6366, 2.9), (20_190, 1.8)])
def test_costs_are_near_what_was_measured(rows, seconds):
    """First attacks of scenarios of three real tables, measured with one thread."""
    assert seconds / 2 < sum(costs(rows)) < seconds * 2
