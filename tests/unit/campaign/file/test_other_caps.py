"""Counts among the rest in the file: for another most precision that counts."""

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs

from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import CampaignSettings, KnownSetKind, PlannedAttack
from alc_core.campaign.rescore.rescoring import rescore
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import EXPOSED, READINGS
from tests.toys.judged import assessment_of
from tests.toys.paired import table_of
from tests.toys.plain_readings import simulated

RUN = ScoringParameters()
WIDER = ScoringParameters(max_interval_width=0.3, at_risk=0.3, serious=0.4)
READ = {"alc": "own", "alc_rest": "among_rest"}


def planned(number: int) -> PlannedAttack:
    return PlannedAttack(
        number=number, scenario=Scenario(("age",), f"c{number}"), release="v1",
        attack="best row match", kind=KnownSetKind.NAMED, reason="",
    )  # fmt: skip


@pytest.fixture(scope="module")
def results():
    """Attacks on people whom a guess knows more or less of."""
    found = {}
    for number, known in enumerate((0.0, 0.3, 0.7, 0.99)):
        weights = np.where(np.arange(400) % 5, 1.0, 1.0 + number)
        outcomes = simulated(400, seed=number, known=known, weights=weights)
        shared = {name: np.linspace(0, 0.5, 7, dtype=np.float32) for name in (*READINGS, EXPOSED)}
        found[number] = assessment_of(
            outcomes, scenario=planned(number).scenario, people=9000, shared=shared
        )
    return found


@pytest.fixture
def store(results, tmp_path):
    one = results[0]
    settings = CampaignSettings(
        seed=one.seed, scoring=RUN, loop=one.loop, original=one.original,
        releases={"v1": one.release}, kinds={}, versions=one.versions,
    )  # fmt: skip
    with CampaignStore.create(tmp_path / "c.alc", settings, [planned(n) for n in range(5)]) as made:
        made.add_results(results, seconds=dict.fromkeys(results, 1.0))
        yield made


def assert_as_one_by_one(found, results, scoring):
    """Every number that needs no resamples is that of the assessments."""
    assert found.numbers.tolist() == list(results)
    for row, result in enumerate(results.values()):
        single = result.rescore(**scoring.to_dict())
        for name, reading in READ.items():
            assert getattr(found, reading).alc[row] == single.loss_of(name)
        for side in ("attack", "baseline", "attack_rest", "baseline_rest"):
            point, one = getattr(found, side), getattr(single, side)
            for name in ("predictions", "true_predictions", "prc", "recall"):
                assert getattr(point, name)[row] == getattr(one, name)
        assert found.exposed[row] == pytest.approx(single.exposed)
        assert found.rest_share[row] == pytest.approx(single.rest_share)


@pytest.mark.parametrize("scoring", [RUN, WIDER, ScoringParameters(max_interval_width=0.02)])
def test_another_widest_interval_gives_what_each_attack_gives_alone(store, results, scoring):
    curves = store.columns(cap=scoring.precision_cap)
    assert curves.cap == scoring.precision_cap
    expected = table_of(results, cap=scoring.precision_cap)
    for name in ("gain", "known", "known_right"):
        assert np.array_equal(getattr(curves, name), getattr(expected, name))
    assert np.array_equal(curves.rest.predictions, expected.rest.predictions)
    assert np.array_equal(curves.rest.starts, expected.rest.starts)
    assert_as_one_by_one(rescore(curves, scoring, run_scoring=RUN), results, scoring)
    view = CampaignView(store)
    assert view.columns_for(scoring).cap == scoring.precision_cap
    assert_as_one_by_one(view.rescored(scoring), results, scoring)


def test_people_are_others_where_another_share_counts_as_known(store):
    known = [store.columns(cap=cap).known for cap in (0.99, 0.95, 0.85)]
    assert np.all(known[0] <= known[1])
    assert np.all(known[1] <= known[2])
    assert known[0].sum() < known[1].sum() < known[2].sum()


def test_attacks_that_came_since_the_last_refresh_disturb_no_other_widest_interval(store, results):
    view = CampaignView(store)
    one = structs.replace(results[1], scenario=planned(4).scenario)
    store.add_results({4: one}, seconds={4: 1.0})
    assert view.rescored(RUN).numbers.tolist() == [0, 1, 2, 3]
    assert view.rescored(WIDER).numbers.tolist() == [0, 1, 2, 3]
    view.refresh()
    assert view.rescored(WIDER).numbers.tolist() == [0, 1, 2, 3, 4]


def test_results_are_read_in_one_query_for_another_widest_interval(store, results):
    asked: list[str] = []
    view = CampaignView(store)
    store._open_connection().set_trace_callback(asked.append)
    store.columns(cap=WIDER.precision_cap)
    assert sum("record" in query for query in asked) == 1
    asked.clear()
    view.settle(replace(RUN, alpha=2.0))
    assert sum("record" in query for query in asked) == 1
    assert not view.unsettled(replace(RUN, alpha=2.0))
