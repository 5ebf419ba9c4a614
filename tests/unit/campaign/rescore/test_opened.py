"""A result has one verdict: in the table of all attacks as when it is opened."""

from dataclasses import replace

import numpy as np
import pytest

from alc_core.assessment.result import Assessment
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.overview import exact_interval_sentence
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import CampaignSettings, KnownSetKind, PlannedAttack
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import READINGS, shared_numbers
from alc_core.scoring.verdict import FLAGGED, Verdict
from tests.toys.judged import assessment_of
from tests.toys.plain_readings import simulated

ATTACKS = 200
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
EXACT = ("run", "limits", "family-wise")


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
        results[number] = replace(
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
        assert found.interval_exact == row["interval_exact"] == (name in EXACT)
        for reading in READINGS:
            low, high = found.interval_of(reading)
            expected = row[[reading, f"{reading}_low", f"{reading}_high"]].tolist()
            assert [found.loss_of(reading), low, high] == expected
        exposed = [found.exposed, *found.exposed_interval]
        assert exposed == pytest.approx(row[["exposed", "exposed_low", "exposed_high"]].tolist())
    assert frame["verdict"].nunique() >= 3


def test_intervals_drawn_again_would_change_verdicts(view):
    """What the test above is about: the two kinds of interval do not always agree."""
    scoring = ScoringParameters(**SCORINGS["width"])
    some = range(0, ATTACKS, 3)
    again = {n: view.assessment(n).rescore(**scoring.to_dict()).verdict for n in some}
    different = [n for n in some if again[n] is not view.assessment(n, scoring).own_verdict]
    assert 0 < len(different) < len(some) / 3
    number = different[0]
    run, opened = view.assessment(number), view.assessment(number, scoring)
    assert exact_interval_sentence(run, opened).endswith("”.")
    assert exact_interval_sentence(run, run) == ""


def test_control_lowers_verdicts_and_says_so(view):
    scoring = ScoringParameters(**SCORINGS["family-wise"])
    found = [view.assessment(number, scoring) for number in range(ATTACKS)]
    lowered = [each for each in found if each.lowered and each.own_verdict in FLAGGED]
    assert {each.lowered for each in lowered} >= {Verdict.UNDECIDED}
    others = {each.own_verdict for each in found if each.lowered is Verdict.TOO_FEW}
    assert others <= {Verdict.UNDECIDED}


@pytest.mark.parametrize("name", ["alpha", "family-wise"])
def test_json_of_an_opened_attack_keeps_its_verdict(view, name):
    scoring = ScoringParameters(**SCORINGS[name])
    for number in range(0, ATTACKS, 10):
        found = view.assessment(number, scoring)
        back = Assessment.from_json(found.to_json())
        assert back == found
        assert (back.verdict, back.decisive_interval) == (found.verdict, found.decisive_interval)
