import dataclasses

import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.findings.view import CampaignView
from alc_core.report.text import campaign_text


@pytest.fixture(scope="module")
def view(tmp_path_factory, people):
    frame = people(900)
    plan = alc.plan_campaign(
        frame, {"weak": alc.swap_columns(frame, 0.1)}, unknown=["job", "city"], known_sets=0,
        targets=alc.Targets(count=600),
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("campaign")
    with alc.run_campaign(
        frame, {"weak": alc.swap_columns(frame, 0.1)}, folder / "c.alc",
        plan=dataclasses.replace(plan, attacks=plan.attacks[:2]), jobs=1,
        families=(NaiveBayes(),), loop=alc.LoopParameters(resamples=100),
    ) as store:  # fmt: skip
        store.add_failure(1, "ignored", seconds=0)
        yield CampaignView(store)


def text(view, scoring, **options):
    return campaign_text(
        view.overview(scoring), view.frame(scoring), flips=view.flips(scoring), **options
    )


def test_the_headline_parameters_and_every_attack_are_told(view):
    lines = text(view, view.settings.scoring).splitlines()
    assert "attacks" in lines[0]
    assert any(line.startswith("Parameters: alpha 3") for line in lines)
    table = lines[next(n for n, line in enumerate(lines) if line.startswith("verdict ")) :]
    assert sum(" weak " in line for line in table) == 2
    assert "Other than in the run" not in "".join(lines)


def test_other_parameters_tell_what_flips_and_mark_carried_intervals(view):
    scoring = alc.ScoringParameters(alpha=3.01, at_risk=0.98, serious=0.99)
    found = text(view, scoring)
    assert "Other than in the run: 2 attacks change" in found
    assert "\u2248" in found


def test_only_the_worst_are_shown_where_asked_for(view):
    found = text(view, view.settings.scoring, shown=1)
    assert "... and 1 more" in found
