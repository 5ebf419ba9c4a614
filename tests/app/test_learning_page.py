from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.campaign.file.database import saved_campaign
from alc_core.dashboard.data.samples import SAMPLE_TASK, SampleChoices
from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.dashboard.parts.study_runs import StudyChoices
from alc_core.studies.learning.result import KEPT_STUDIES
from alc_core.studies.learning.study import KEPT_EXAMPLES
from tests.toys.campaigns import run_quickly

JOBS = ("nurse", "smith", "clerk", "baker")
STUDY = "learning-attacks"
NASTY = "<b>job</b> **x** $y$"


def town_frame(n=1200):
    rng = np.random.default_rng(7)
    job = np.arange(n) % 4
    district = np.where(rng.random(n) < 0.8, job, rng.integers(0, 4, n))
    return pd.DataFrame(
        {
            "district": [f"d{number}" for number in district],
            "age": rng.integers(18, 80, n),
            NASTY: [JOBS[number] for number in job],
        }
    )


@pytest.fixture(scope="module")
def town():
    frame = town_frame()
    return ("town.csv", frame.to_csv(index=False).encode())


@pytest.fixture
def asked(app, town):
    """An app on the page with an original, ready for a quick study."""
    app.load(town)
    given = app.open_study(STUDY).given
    given.unknown, given.known = NASTY, ["district", "age"]
    given.epsilons, given.lowest_level, given.highest_level = "0.05, 1", 2, 3
    given.rounds, given.repetitions = 20, 2
    app.run()
    return app


def one(app):
    return app.state.screen(StudyChoices).studies[STUDY]


def study(app):
    app.run_study(STUDY, "Run the study")


def test_a_study_draws_five_figures_with_a_sentence_each(asked):
    study(asked)
    assert len(asked.charts) == 5
    assert asked.charts[0].startswith("Accuracy of the naive Bayes attack by ε. ε = 0.05: members")
    texts = asked.texts
    for words in (
        "From counts published with ε = 1",
        "more than 80 % sure",
        "Tight groups with ℓ = ",
        "Groups made of 2 tight ones",
        "After 20 rounds",
        "Groups: 1 chain of 20 rounds",
        "drawn at random from the original, were held out of them",
    ):
        assert words in texts, words
    assert NASTY in texts
    assert all(value not in texts for value in JOBS)


def test_a_cancelled_study_leaves_no_result(asked):
    one(asked).given.rounds = 10_000
    asked.run()
    asked.click("Run the study")
    asked.state.tasks[STUDY].job.cancel()
    asked.finish_task(STUDY)
    assert one(asked).found == {}
    assert "cancelled" in asked.texts
    assert "Run the study" in asked.buttons


def test_convergence_can_be_seen_of_merged_groups(asked):
    study(asked)
    asked.choose("button_group", "learning_attacks_convergence", "2")
    assert one(asked).chosen["convergence"] == "2"
    assert "Convergence" in asked.charts[-1]


@pytest.fixture(scope="module")
def campaign_file(town, tmp_path_factory):
    frame = alc.read_table(town[1], name="town.csv")
    path = tmp_path_factory.mktemp("campaign") / "campaign.alc"
    run_quickly(frame, frame, path, unknown=[NASTY], named=[["age"]], targets=300).close()
    return path.read_bytes()


def test_a_study_is_kept_in_the_campaign_s_file_and_shown_when_it_is_opened(asked, campaign_file):
    study(asked)
    open_campaign(asked.state, "campaign.alc", campaign_file)
    asked.run()
    store = asked.state.campaign.view.store
    (kept,) = KEPT_STUDIES.read(store).values()
    assert kept == one(asked).found[NASTY]
    saved = saved_campaign(asked.state.campaign.folder.path)

    asked.state.original, asked.state.release = None, ()
    asked.state.screens.clear()
    open_campaign(asked.state, "campaign.alc", saved)
    asked.run()
    assert len(asked.charts) == 5
    assert "From counts published with ε = 1" in asked.texts


def test_a_study_of_another_original_stays_out_of_the_file(asked, campaign_file):
    study(asked)
    one(asked).found[NASTY] = replace(one(asked).found[NASTY], fingerprint="other")
    open_campaign(asked.state, "campaign.alc", campaign_file)
    asked.run()
    assert KEPT_STUDIES.read(asked.state.campaign.view.store) == {}
    assert len(asked.charts) == 5


def test_the_example_shows_accuracy_baseline_and_loss_beside_each_other(asked, campaign_file):
    open_campaign(asked.state, "campaign.alc", campaign_file)
    asked.run()
    given = asked.state.screen(StudyChoices).studies["learning-example"].given
    given.unknown, given.known = NASTY, ["district", "age"]
    asked.run()
    asked.run_study("learning-example", "Run the example")
    labels = {metric.label: metric.value for metric in asked.test.metric}
    assert set(labels) == {
        "Attack is right for", "Most frequent value", "Baseline is right for",
        "Anonymity loss (ALC)",
    }  # fmt: skip
    assert labels["Most frequent value"] == "25 %"
    assert "With counts of ε = 1 the attack names the right value" in asked.texts
    assert list(KEPT_EXAMPLES.read(asked.state.campaign.view.store)) == [NASTY]


def test_a_test_release_is_made_marked_and_attacked_like_any_other(app, town):
    app.load(town)
    app.go_to("data")
    choices = app.state.screen(SampleChoices)
    choices.columns.unknown, choices.columns.known = NASTY, ["district", "age"]
    app.run()
    assert not app.state.ready
    app.click("Make the test release")
    app.finish_task(SAMPLE_TASK)
    app.run()
    assert list(app.state.releases()) == ["Anatomy ℓ = 4"]
    assert app.state.releases()["Anatomy ℓ = 4"].kind == "groups"
    assert "Made for experiments" in app.texts
    assert f"Test release, unknown column {NASTY}" in app.texts
    assert app.state.ready
    app.go_to("attack")
    assert "Anatomy ℓ = 4" in str(app.state.attacked_releases())


def test_test_releases_of_several_methods_stand_side_by_side_until_removed(app, town):
    app.load(town)
    app.go_to("data")
    choices = app.state.screen(SampleChoices)
    choices.columns.unknown, choices.columns.known = NASTY, ["district", "age"]
    for method in ("counts", "mondrian", "swapping", "counts"):
        choices.method = method
        app.run()
        app.click("Make the test release")
        app.finish_task(SAMPLE_TASK)
        app.run()
    names = ["k-anonymity k = 5", "Swapped 20 %", "Counts ε = 1"]
    assert list(app.state.releases()) == names
    app.widget("button", "remove_sample_Swapped 20 %").click()
    app.run()
    assert list(app.state.releases()) == ["k-anonymity k = 5", "Counts ε = 1"]
    app.state.original = None
    app.run()
    assert not app.state.releases()


def test_what_cannot_be_made_is_said(app, town):
    app.load(town)
    app.go_to("data")
    choices = app.state.screen(SampleChoices)
    choices.columns.unknown, choices.columns.known = NASTY, ["district", "age"]
    choices.of_method().level = 9
    app.run()
    app.click("Make the test release")
    app.finish_task(SAMPLE_TASK)
    app.run()
    assert "9-diverse" in app.texts
    assert not app.state.releases()
