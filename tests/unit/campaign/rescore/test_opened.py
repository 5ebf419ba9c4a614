"""A result has one verdict: in the table of all attacks as when it is opened."""

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs
from pandas.testing import assert_frame_equal

from alc_core.assessment.result import Assessment
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import CampaignSettings, KnownSetKind, PlannedAttack
from alc_core.errors import CancelledError
from alc_core.runtime.progress import Reporter
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import READINGS, shared_numbers
from alc_core.scoring.verdict import FLAGGED, Verdict
from tests.toys.judged import assessment_of
from tests.toys.plain_readings import simulated

ATTACKS = 50
SCORINGS = {
    "run": {},
    "limits": {"at_risk": 0.3, "serious": 0.4},
    "alpha": {"alpha": 1.0},
    "r_min": {"r_min": 1e-2, "alpha": 5.0},
    "confidence": {"confidence": 0.8},
    "width": {"max_interval_width": 0.2},
    "absolute": {"loss": "absolute", "at_risk": 0.2, "serious": 0.4},
    "family-wise": {"control": "family-wise", "at_risk": 0.3, "serious": 0.5},
    "false discovery": {"control": "false discovery", "alpha": 2.0, "at_risk": 0.3},
}


@pytest.fixture(scope="module")
def view(tmp_path_factory):
    """A campaign of attacks near the limits: some know much, some chains did not converge."""
    scenarios = [Scenario(["age"], f"secret{n}") for n in range(ATTACKS)]
    results = {}
    for number, scenario in enumerate(scenarios):
        outcomes = simulated(n=300, seed=number, levels=8, known=number % 4 / 4)
        units = np.arange(number, number + 300)
        run = assessment_of(
            outcomes, scenario=scenario, converged=number % 17 != 0,
            unmatched=("age",) if number % 13 == 0 else (),
        )  # fmt: skip
        results[number] = structs.replace(
            run, shared=shared_numbers(outcomes, units, run.scoring, seed=0, resamples=50)
        )
    attacks = [
        PlannedAttack(
            number=number, scenario=scenario, release="release", attack="best row match",
            kind=KnownSetKind.NAMED, reason="",
        )
        for number, scenario in enumerate(scenarios)
    ]  # fmt: skip
    path = tmp_path_factory.mktemp("opened") / "c.alc"
    first = results[0]
    settings = CampaignSettings(
        seed=first.seed, scoring=first.scoring, loop=first.loop, original=first.original,
        releases={"release": first.release}, kinds={}, versions=first.versions,
    )  # fmt: skip
    with CampaignStore.create(path, settings, attacks) as store:
        store.add_results(results, seconds=dict.fromkeys(results, 1.0))
        yield CampaignView(store)


@pytest.mark.parametrize("name", SCORINGS)
def test_an_opened_attack_has_the_verdict_and_the_intervals_of_the_table(view, name):
    scoring = ScoringParameters(**SCORINGS[name])
    frame = view.frame(scoring).set_index("number")
    for number, row in frame.iterrows():
        found = view.assessment(number, scoring)
        assert (found.verdict, found.decisive) == (row["verdict"], row["decisive"])
        assert found.interval_exact
        assert row["interval_exact"]
        for reading in READINGS:
            low, high = found.interval_of(reading)
            expected = row[[reading, f"{reading}_low", f"{reading}_high"]].tolist()
            assert [found.loss_of(reading), low, high] == expected
        told = found.exposed if found.exposed_interval[0] > 0 else 0.0
        exposed = [told, *(max(each, 0.0) for each in found.exposed_interval)]
        assert exposed == pytest.approx(row[["exposed", "exposed_low", "exposed_high"]].tolist())
    assert frame["verdict"].nunique() >= 3


def test_a_verdict_is_that_of_the_attack_scored_alone(view):
    """Whatever the scoring: intervals are drawn again, not carried over from the run."""
    for name in ("alpha", "r_min", "width", "absolute"):
        scoring = ScoringParameters(**SCORINGS[name])
        for number in range(0, ATTACKS, 9):
            alone = view.assessment(number).rescore(**scoring.to_dict())
            shown = view.assessment(number, scoring)
            assert shown.own_verdict is alone.verdict
            assert shown.exposed_interval == pytest.approx(alone.exposed_interval)
            for reading in READINGS:
                assert shown.interval_of(reading) == alone.interval_of(reading)


def test_intervals_are_approximate_while_a_control_moves_and_exact_once_settled(view):
    moving = CampaignView(view.store, approximate=True)
    scoring = ScoringParameters(**SCORINGS["width"])
    of_run = moving.frame().copy()
    carried = moving.frame(scoring).copy()
    assert not carried["interval_exact"].any()
    assert moving.unsettled(scoring) == tuple(range(ATTACKS))
    assert moving.unsettled(ScoringParameters(**SCORINGS["limits"])) == ()
    told = []
    moving.settle(scoring, reporter=Reporter(progress=lambda now: told.append(now.done)))
    assert told == list(range(ATTACKS)), "it says how far it is"
    exact = moving.frame(scoring)
    assert_frame_equal(exact, view.frame(scoring))
    assert moving.unsettled(scoring) == ()
    assert moving.unsettled(replace(scoring, at_risk=0.3)) == (), "limits move no interval"
    assert (
        0
        < (
            exact.sort_values("number")["verdict"].to_numpy()
            != carried.sort_values("number")["verdict"].to_numpy()
        ).sum()
        < ATTACKS / 3
    )
    assert_frame_equal(moving.frame(), of_run)


def test_settling_can_be_stopped_and_goes_on(view):
    moving, scoring = CampaignView(view.store, approximate=True), ScoringParameters(alpha=4.0)
    with pytest.raises(CancelledError):
        moving.settle(scoring, reporter=Reporter(cancel=lambda: True))
    assert len(moving.unsettled(scoring)) == ATTACKS
    moving.settle(scoring)
    assert not moving.unsettled(scoring)


def test_control_lowers_verdicts_and_says_so(view):
    scoring = ScoringParameters(**SCORINGS["family-wise"])
    found = [view.assessment(number, scoring) for number in range(ATTACKS)]
    lowered = [each for each in found if each.lowered and each.own_verdict in FLAGGED]
    assert {each.lowered for each in lowered} >= {Verdict.INCONCLUSIVE}
    others = {each.own_verdict for each in found if each.lowered is Verdict.TOO_FEW}
    assert others <= {Verdict.INCONCLUSIVE}


@pytest.mark.parametrize("name", ["alpha", "family-wise"])
def test_json_of_an_opened_attack_keeps_its_verdict(view, name):
    scoring = ScoringParameters(**SCORINGS[name])
    for number in range(0, ATTACKS, 10):
        found = view.assessment(number, scoring)
        back = Assessment.from_json(found.to_json())
        assert back == found
        assert (back.verdict, back.decisive_interval) == (found.verdict, found.decisive_interval)
