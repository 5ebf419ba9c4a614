"""Campaigns that ask for what is no single column: planned, kept, examined, resumed, reported."""

import html

import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.file.annotations import kept_settings
from alc_core.campaign.file.examine import examine
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.view import CampaignView
from alc_core.errors import InputError
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
    told = []

    def cancel():
        return bool(told)

    def tell(progress):
        told.extend([progress] * (progress.of == "attacks" and progress.done > 0))

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
