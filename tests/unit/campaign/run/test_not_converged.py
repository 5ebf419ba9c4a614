"""An attack whose chains did not converge is never cleared, wherever its result is read."""

import json

import pytest

import alc_core as alc
from alc_core.assessment.words import verdict_explanation, verdict_title
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.findings.decisions import asking_attacks
from alc_core.campaign.findings.headline import campaign_headline
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.lines import candidate_lines
from alc_core.releases.samples.groups import anatomize
from alc_core.report.text import summary_text
from alc_core.scoring.verdict import Publishing, Verdict

SHORT = "bayesian: iterations=100, chains=2, kept=50"
KNOWN = ("age", "city")
QUICK = {"families": (NaiveBayes(),), "seed": 0}


@pytest.fixture(scope="module")
def original(people):
    return alc.table_from_frame(people(600), name="people")


@pytest.fixture(scope="module")
def release(original):
    return anatomize(original, unknown="job", known=KNOWN, level=2, merged=8, seed=1)


@pytest.fixture(scope="module")
def result(original, release):
    return alc.assess(original, release, alc.Scenario(KNOWN, "job"), attack=SHORT, **QUICK)


def test_the_verdict_is_not_converged_and_that_comes_first(result):
    assert not result.converged
    assert result.decisive_alc < 0.5
    assert result.verdict is Verdict.NOT_CONVERGED
    assert result.undecided_between is None
    assert verdict_title(result) == "Not converged"
    assert "no all-clear" in verdict_explanation(result)
    assert summary_text(result).startswith("Verdict: Not converged")
    assert result.notes[0].text.startswith("Do not rely on these numbers. The chains have not")


def test_it_stays_so_in_a_file_and_under_other_parameters(result):
    assert alc.Assessment.from_json(result.to_json()).verdict is Verdict.NOT_CONVERGED
    assert result.rescore(alpha=2.0).verdict is Verdict.NOT_CONVERGED
    older = json.loads(result.to_json())
    del older["converged"]
    assert alc.Assessment.from_dict(older).verdict is not Verdict.NOT_CONVERGED


def test_a_campaign_does_not_clear_it_either(original, release, tmp_path):
    plan = alc.plan_campaign(
        original, {"anatomy": release}, unknown=["job"], known_sets=0, attacks=[SHORT]
    )
    with alc.run_campaign(
        original, {"anatomy": release}, tmp_path / "c.alc", plan=plan, jobs=1, **QUICK
    ) as store:
        (number,) = [attack.number for attack in store.attacks]
        assert not store.assessment(number).converged
        assert store.curves().unconverged.all()
        view = CampaignView(store)
        for scoring in (store.settings.scoring, alc.ScoringParameters(alpha=2.0)):
            assert view.frame(scoring)["verdict"].tolist() == ["not converged"]
        overview = view.overview(store.settings.scoring)
        headline = campaign_headline(overview, overview)
        assert headline.standing == Verdict.NOT_CONVERGED
        assert headline.title == "Not converged in the one attack"
        assert "1 not converged" in headline.sentences[0]
        assert asking_attacks(overview) == [number]
        (line,) = candidate_lines(view, store.settings.scoring, {})
        assert line.publishing is Publishing.EXAMINE
