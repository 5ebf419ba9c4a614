"""Campaigns that ask for what is no single column: planned, kept, examined, resumed, reported."""

import html
import threading
from pathlib import Path

import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.file.annotations import kept_settings
from alc_core.campaign.file.examine import examine
from alc_core.campaign.file.records import identity_of
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.errors import CampaignMismatchError, InputError
from alc_core.explain.trace import trace_attack
from alc_core.releases.registry import as_release
from alc_core.report.html.document import report_html
from alc_core.report.options import ReportOptions
from alc_core.studies.remedies.searching import flagged_numbers

ASKED = ("job & city", "age in 30..50")


def test_what_is_asked_is_kept_resumed_and_reported(people, tmp_path):
    frame, path = people(600), tmp_path / "campaign.alc"
    releases = {"copy": frame.copy(), "strong": alc.swap_columns(frame, 1.0, seed=1)}
    plan = alc.plan_campaign(
        frame, releases, unknown=ASKED, known_sets=1, attacks=["best row match", "chained"],
        targets=alc.Targets(count=300, where="hours >= quantile 0.3"),
    )  # fmt: skip
    with pytest.raises(InputError, match="Not run: chained"):
        alc.plan_campaign(frame, releases, unknown=["job"], attacks=["chained"])
    known = {each.scenario.unknown: {*each.scenario.known} for each in plan.attacks}
    assert known["job & city"] <= {"age", "hours"}
    assert known["age in 30..50"] <= {"city", "job", "hours"}
    chained = {each.scenario.unknown for each in plan.attacks if each.attack == "chained"}
    assert chained == {"job & city"}
    options = {
        "families": [NaiveBayes()],
        "jobs": 1,
        "loop": alc.LoopParameters(folds=2, resamples=100),
    }
    told, asked = [], threading.Event()

    def cancel():
        if told:
            asked.set()
        return bool(told)

    def tell(progress):
        if progress.of == "attacks" and progress.done > 0 and not told:
            told.append(progress)
            asked.wait(60)  # whether to stop, which is asked every fifth of a second

    with alc.run_campaign(
        frame, releases, path, plan=plan, progress=tell, cancel=cancel, **options
    ) as store:
        assert 0 < store.counts().finished < len(plan)
    # Nothing but the file says what was asked.
    with alc.run_campaign(frame, releases, path, **options) as store:
        assert not store.failures()
        assert store.counts().finished == len(plan)
        assert kept_settings(store).unknown == ASKED
        results = {
            (a.scenario.unknown, a.release, a.attack): store.assessment(a.number)
            for a in store.attacks
        }
        for (_, release, _), result in results.items():
            flagged = result.verdict in (alc.Verdict.SERIOUS, alc.Verdict.AT_RISK)
            assert flagged == (release == "copy"), result.verdict
    assert examine(path) == ()
    with CampaignStore.open(path) as store:
        assert flagged_numbers(CampaignView(store), "copy") == ()
        result = results["job & city", "copy", "chained"]
        traced = trace_attack(
            alc.table_from_frame(frame), as_release(frame), result, families=[NaiveBayes()]
        )
        assert len(traced.rows) == result.attempts
        text = report_html(CampaignView(store), ReportOptions(scoring=store.settings.scoring))
        assert "job & city" in html.unescape(text)
        assert {*ASKED} == {each.scenario.unknown for each in store.attacks}


DATA = Path(__file__).parents[3] / "data"
OPTIONS = {
    "families": (NaiveBayes(),),
    "loop": alc.LoopParameters(resamples=100, min_targets=300, folds=3),
    "jobs": 1,
}


@pytest.fixture
def tables(people):
    frame = people(600)
    frame.loc[:99, "job"] = "?"
    release = alc.swap_columns(frame, 0.2, seed=1)
    return alc.table_from_frame(frame, name="people"), alc.table_from_frame(release, name="v1")


def planned(tables, known=("age", "city"), **targets):
    return alc.plan_campaign(
        tables[0], tables[1], unknown=["job"], named=[list(known)], known_sets=0, all_others=False,
        targets=alc.Targets(**targets),
    )  # fmt: skip


def test_results_are_those_of_the_attack_alone_and_go_on(tables, tmp_path):
    path = tmp_path / "review.alc"
    with alc.run_campaign(*tables, path, plan=planned(tables), **OPTIONS) as store:
        result = store.assessment(0)
        assert result.without_value == 100
        assert result.scenario.markers == ("?",)
        (attack,) = store.attacks
    assert identity_of(attack) == identity_of(planned(tables).attacks[0])
    more = planned(tables, known=("hours",))
    with alc.run_campaign(*tables, path, plan=more, **OPTIONS) as store:
        assert [store.assessment(n).without_value for n in (0, 1)] == [100, 100]
    with alc.run_campaign(*tables, path, plan=planned(tables), **OPTIONS) as store:
        assert store.counts().planned == 2


def test_a_scenario_of_ones_own_is_settled(tables, tmp_path):
    attack = PlannedAttack(
        number=0, scenario=alc.Scenario(["age"], "job"), release="v1", attack="best row match",
        kind=KnownSetKind.NAMED, reason="",
    )  # fmt: skip
    plan = CampaignPlan(attacks=(attack,))
    with alc.run_campaign(*tables, tmp_path / "a.alc", plan=plan, **OPTIONS) as store:
        assert store.attacks[0].scenario.markers == ("?",)
        assert store.assessment(0).without_value == 100


@pytest.mark.parametrize("other", [{"missing": None}, {"missing": {"job": ()}}])
def test_other_people_on_the_same_column_are_refused(tables, tmp_path, other):
    path = tmp_path / "review.alc"
    alc.run_campaign(*tables, path, plan=planned(tables), **OPTIONS).close()
    says = (
        "of 'job', no missing values exclude targets instead of people with "
        r"empty cells and '\?' are excluded from the targets"
    )
    with pytest.raises(CampaignMismatchError, match=says):
        alc.run_campaign(*tables, path, plan=planned(tables, ("hours",), **other), **OPTIONS)
    with alc.CampaignStore.open(path) as store:
        assert store.counts().planned == 1
