import numpy as np
import pandas as pd
import pytest

from alc_core.campaign.plan.estimate import (
    baseline_cost,
    estimate_seconds,
    machine_speed,
    scan_cost,
    scenario_sizes,
    told_duration,
    total_seconds,
)
from alc_core.campaign.plan.planner import CampaignPlan, plan_campaign
from alc_core.errors import ParameterError
from alc_core.releases.microdata import Microdata
from alc_core.scenario.scenario import Targets
from alc_core.scoring.parameters import LoopParameters
from alc_core.tables.codes.encode import encode
from alc_core.tables.read import table_from_frame

KINDS = {"age": "continuous", "city": "categorical", "job": "categorical"}


def people(n=400):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, n).astype(float),
            "city": rng.choice(["Ulm", "Bonn", "Köln"], n),
            "job": np.where(np.arange(n) < n * 3 // 4, "nurse", "smith"),
        }
    )


def table(frame, name="people"):
    kinds = {column: kind for column, kind in KINDS.items() if column in frame}
    return table_from_frame(frame, name=name).with_kinds(kinds)


def sizes(frame=None, releases=1, **options):
    original = table(people() if frame is None else frame)
    published = [Microdata(tables=(original,), name=f"v{n}") for n in range(releases)]
    plan = plan_campaign(original, published, known_sets=0, **options)
    found = scenario_sizes(plan, original, published)
    return dict(zip(plan.unknown, found, strict=True))


def test_sizes_are_those_of_the_table():
    found = sizes(releases=2, attacks=["best row match", "own"])
    assert found["city"].rows == found["city"].candidates == 400
    assert (found["city"].known, found["city"].classes) == (2, 3)
    assert found["city"].released == (400,) * 4
    assert found["age"].classes == 20
    assert found["city"].wanted is None


def test_rare_values_are_not_learned_and_missing_ones_are():
    frame = people()
    frame.loc[:2, "city"] = "Rom"
    frame.loc[3:20, "city"] = None
    frame.loc[30:60, "age"] = np.nan
    found = sizes(frame)
    assert found["city"].classes == 4
    assert found["age"].classes == 21


def test_a_dominating_value_is_down_sampled():
    assert sizes()["job"].candidates == 300
    assert sizes(down_sample=False)["job"].candidates == 400


def test_targets_asked_for():
    assert sizes(targets=Targets(count=50))["city"].wanted == 50
    assert sizes(targets=Targets(count="all"))["job"].wanted == 300
    found = sizes(targets=Targets(where={"city": ("Ulm",)}))
    assert found["age"].candidates == int((people()["city"] == "Ulm").sum())


def test_people_are_counted_once():
    frame = people().assign(who=[f"p{n}" for n in np.arange(400) // 4])
    assert sizes(frame, person="who")["city"].candidates == 100


def test_only_tables_that_can_be_attacked_are_scanned():
    frame = people()
    original = table(frame)
    split = Microdata(
        tables=(
            table(frame[["age", "city"]]),
            table(frame[["city", "job"]].sample(100, random_state=0)),
            table(frame[["job"]]),
        ),
        name="split",
    )
    plan = plan_campaign(original, [split], known_sets=0)
    found = dict(zip(plan.unknown, scenario_sizes(plan, original, [split]), strict=True))
    assert found["city"].released == (500,)
    assert found["age"].released == (400,)
    assert found["job"].released == (100,)


@pytest.mark.parametrize(
    ("costs", "processes", "expected"),
    [
        ([1.0, 2.0, 3.0], 1, 6.0),
        ([1.0, 2.0, 3.0], 2, 4.0),
        ([1.0, 2.0, 3.0], 3, 3.0),
        ([1.0, 2.0, 3.0], 64, 3.0),
        ([5.0, 1.0, 1.0, 1.0], 2, 5.0),
    ],
)
def test_processes_share_the_work(costs, processes, expected):
    start = total_seconds([0.0], processes=1, speed=1)
    assert start > 0
    assert total_seconds(costs, processes=processes, speed=1) == start + expected
    assert total_seconds(costs, processes=processes, speed=2) == (start + expected) / 2


def test_nothing_takes_no_time():
    assert total_seconds([], processes=2, speed=1) == 0
    assert estimate_seconds(CampaignPlan(attacks=()), table(people()), [], speed=1.0) == 0


def test_processes_are_at_least_one():
    with pytest.raises(ParameterError, match="processes must be at least 1, but is 0"):
        total_seconds([1.0], processes=0, speed=1)


def test_the_estimate_is_the_sum_of_baselines_and_scans():
    original = table(people())
    releases = [Microdata(tables=(original,), name=name) for name in ("v1", "v2")]
    plan, loop = plan_campaign(original, releases), LoopParameters()
    parts = [
        baseline_cost(size, loop) + scan_cost(size, loop)
        for size in scenario_sizes(plan, original, releases)
    ]
    one = estimate_seconds(plan, original, releases, speed=1.0)
    assert one == total_seconds(parts, processes=1, speed=1.0)
    data = encode(original, []).original
    assert estimate_seconds(plan, original, releases, speed=1.0, data=data) == one
    assert estimate_seconds(plan, original, releases, speed=1.0, processes=2) < one
    single = plan_campaign(original, releases[:1])
    less = estimate_seconds(single, original, releases[:1], speed=1.0)
    assert one / 2 < less < one


def test_the_machine_is_measured_once():
    speed = machine_speed()
    assert 0.005 < speed < 100
    assert machine_speed() is speed


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "under a minute"),
        (59, "under a minute"),
        (60, "about 1 minute"),
        (89 * 60, "about 89 minutes"),
        (90 * 60, "about 1.5 hours"),
        (3600 * 3, "about 3 hours"),
        (3600 * 24 * 4, "about 4 days"),
    ],
)
def test_durations_are_told_roughly(seconds, told):
    assert told_duration(seconds) == told
