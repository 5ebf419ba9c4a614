"""One attack that the user chooses: from its choices on the Attack page to its findings."""

import threading

import pytest

from alc_core import Assessment, assess
from alc_core.dashboard.choices.plan import OneAttack
from alc_core.dashboard.one_attack.closer_look import (
    MARKS_TASK,
    NEEDS_TABLES,
    NUMBERS_TASK,
    TRACE_TASK,
    CloserLook,
)
from alc_core.dashboard.one_attack.page import HowWeKnow
from alc_core.dashboard.parts.header import Focus
from alc_core.dashboard.work import campaign_runs
from alc_core.dashboard.work.campaign_planning import plan_preview
from alc_core.dashboard.work.campaign_runs import start_campaign
from alc_core.errors import CancelledError
from alc_core.figures.one_attack import people_bars_figure
from alc_core.figures.template import alt_of
from alc_core.phrasing import alc_number, count, loss_text
from alc_core.review.attack_words import (
    changed_verdict,
    exposed_sentence,
    short_sentence,
    stopping_sentences,
    verdict_title,
)
from alc_core.runtime.progress import Progress
from alc_core.tables.roles import suggested_known
from tests.app.conftest import opened


@pytest.fixture
def choosing(loaded):
    """An app on the Attack page where one attack is chosen."""
    loaded.state.choose(mode="one")
    loaded.go_to("attack")
    return loaded


@pytest.fixture
def done(app, small_file):
    """An app on the page of one attack with a campaign of one finished attack."""
    with opened(app, small_file):
        app.go_to("one_attack")
        yield app


def result_of(app) -> Assessment:
    return app.state.campaign.view.assessment(0)


def test_what_the_check_found_that_stops_the_release_is_told(done):
    linked, copied = stopping_sentences(result_of(done))
    assert linked.startswith("Rows lead to people. Rows of 'release' are in the ")
    assert copied.startswith("Holds original rows. ")
    assert [error.value.replace("\\", "") for error in done.test.error] == [linked, copied]


def run_it(app) -> None:
    app.click("Run the attack")
    app.finish()


class TestChoosing:
    def test_suggestions_are_preselected(self, choosing):
        for mode in ("many", "one"):
            choosing.choose("segmented_control", "plan_mode", mode)
        assert choosing.widget("selectbox", "plan_one_unknown").value == "job"
        assert choosing.widget("multiselect", "plan_one_known").value
        assert not choosing.buttons["Run the attack"].disabled

    def test_known_column_buttons(self, choosing):
        choosing.click("Everything else")
        assert choosing.state.chosen().one.known == ("age", "city", "hours")
        choosing.click("Suggested")
        state = choosing.state
        assert list(state.choices.one.known) == suggested_known(
            state.column_roles(), ["age", "city", "hours"]
        )

    def test_another_unknown_column_keeps_all_others_known(self, choosing):
        choosing.click("Everything else")
        choosing.choose("selectbox", "plan_one_unknown", "city")
        assert choosing.state.choices.one.known == ("age", "hours", "job")

    def test_no_known_column_blocks_the_run_with_a_reason(self, choosing):
        choosing.choose("multiselect", "plan_one_known", [])
        assert "Choose a known column." in choosing.texts
        assert choosing.buttons["Run the attack"].disabled

    def test_a_selection_of_people_reaches_the_attack(self, choosing):
        choosing.choose("text_area", "plan_where", "city")
        assert "'city' is not a condition" in choosing.texts
        choosing.choose("text_area", "plan_where", "city = Ulm")
        choosing.choose("selectbox", "people_ConditionChoice_column", "hours")
        choosing.choose("selectbox", "people_ConditionChoice_how", "top")
        choosing.choose("number_input", "people_ConditionChoice_share", 60.0)
        choosing.widget("button", "add_people_condition").click()
        choosing.run()
        (attack,) = plan_preview(choosing.state).plan.attacks
        assert dict(attack.scenario.selection.where) == {
            "city": ("Ulm",),
            "hours >= quantile 0.4": ("yes",),
        }
        assert not choosing.buttons["Run the attack"].disabled

    def test_several_columns_and_a_set_are_asked_by_clicks(self, choosing):
        choosing.choose("multiselect", "AskedChoice_columns", ["job", "city"])
        choosing.widget("button", "add_asked").click()
        choosing.run()
        choosing.choose("multiselect", "plan_one_known", ["age", "hours"])
        (attack,) = plan_preview(choosing.state).plan.attacks
        assert attack.scenario.unknown == "job & city"
        choosing.click("Run the attack")
        choosing.finish()
        choosing.go_to("attack")
        choosing.choose("segmented_control", "AskedChoice_kind", "condition")
        choosing.choose("selectbox", "asked_ConditionChoice_column", "city")
        choosing.choose("multiselect", "asked_ConditionChoice_values", ["Ulm", "Bonn"])
        choosing.widget("button", "add_asked").click()
        choosing.run()
        (attack,) = plan_preview(choosing.state).plan.attacks
        assert attack.scenario.unknown == "city in Ulm|Bonn"
        result = choosing.state.campaign.view.store.assessment(0)
        assert result.scenario.unknown == "job & city"

    def test_one_of_several_releases_can_be_attacked_alone(self, choosing, people):
        narrow = people(800, seed=1).drop(columns="city")
        choosing.go_to("data")
        choosing.upload("release", ("second.csv", narrow.to_csv(index=False).encode()))
        choosing.state.release_mode = "several"
        choosing.go_to("attack")
        assert "1 scenario, each run where its columns exist." in choosing.texts
        choosing.choose("multiselect", "plan_attacked", ["second"])
        assert plan_preview(choosing.state).plan.releases == ("second",)
        assert "city" not in choosing.widget("selectbox", "plan_one_unknown").options
        choosing.choose("multiselect", "plan_attacked", [])
        assert "Choose a release" in choosing.texts
        assert choosing.buttons["Run the attack"].disabled


class TestRunning:
    def test_it_has_the_result_that_python_gives(self, choosing, quick_run):
        choosing.choose("multiselect", "plan_one_known", ["age", "city"])
        run_it(choosing)
        assert choosing.title == "Findings"
        state = choosing.state
        (release,) = state.releases().values()
        run = result_of(choosing)
        alone = assess(
            state.original_table(), release, run.scenario, seed=0,
            loop=run.loop, families=quick_run.families,
        )  # fmt: skip
        assert (run.alc, run.alc_interval) == (alone.alc, alone.alc_interval)
        assert run.alc_rest_interval == alone.alc_rest_interval
        assert (run.outcomes, run.models) == (alone.outcomes, alone.models)

    def test_it_joins_the_last_campaign_and_keeps_its_results(self, choosing):
        run_it(choosing)
        path = choosing.state.campaign.folder.path
        choosing.go_to("attack")
        assert choosing.buttons["Already run"].disabled
        choosing.choose("multiselect", "plan_one_known", ["city"])
        assert "The last review keeps its 1 result." in choosing.texts
        run_it(choosing)
        state = choosing.state
        assert state.campaign.folder.path == path
        assert [a.scenario.known for a in state.campaign.view.attacks][1:] == [("city",)]
        assert state.campaign.view.counts.finished == 2
        assert choosing.title == "Findings"
        choosing.click("Open the attack you chose")
        assert choosing.title == "One attack"
        assert state.screen(Focus).attack == state.campaign.view.attacks[1].number
        assert state.campaign_outdated() == ()

    @pytest.fixture
    def endless(self, monkeypatch):
        """Replaces the campaign by work that goes on until it is cancelled."""

        def run(*args, progress, cancel, **kwargs):
            progress(Progress(stage="Attacking", of="people", done=300, total=800))
            while not cancel():
                threading.Event().wait(0.01)
            raise CancelledError("The run was cancelled; nothing of it is kept.")

        monkeypatch.setattr(campaign_runs, "run_campaign", run)

    def test_it_shows_how_many_people_were_attacked_and_starts_only_once(self, choosing, endless):
        choosing.click("Run the attack")
        run = choosing.state.campaign_run
        choosing.run()
        assert "300 of at most 800 people attacked" in choosing.texts
        assert "Run the attack" not in choosing.buttons
        assert not start_campaign(choosing.state)
        assert choosing.state.campaign_run is run
        choosing.click("Cancel")
        choosing.finish()
        assert choosing.state.campaign_run is None
        assert "The run was cancelled" in choosing.texts
        assert choosing.state.chosen().one.unknown == "job"
        assert not choosing.buttons["Run the attack"].disabled

    def test_a_single_scenario_takes_no_processes_and_tells_of_people(self, loaded, monkeypatch):
        seen, jobs = [], []

        def run(*args, progress, jobs_of=jobs, quick=campaign_runs.run_campaign, **kwargs):
            jobs_of.append(kwargs.get("jobs"))
            return quick(*args, progress=lambda news: (seen.append(news), progress(news)), **kwargs)

        monkeypatch.setattr(campaign_runs, "run_campaign", run)
        loaded.state.choose(mode="one", one=OneAttack(unknown="job", known=("age",)))
        assert start_campaign(loaded.state)
        loaded.finish()
        assert jobs == [1]
        people = [news for news in seen if news.of == "people" and news.stage == "Attacking"]
        assert people
        assert {news.total for news in people} == {800}


class TestFindings:
    def test_they_are_about_the_one_attack_alone(self, done):
        run = result_of(done)
        assert verdict_title(run) in done.html
        assert short_sentence(run) in done.texts
        assert not done.test.metric, "the numbers are behind Evidence"
        done.state.screen(HowWeKnow).open = True
        done.run()
        assert "Knowing age and city, an attacker infers 'job'" in done.texts
        assert [(metric.label, metric.value) for metric in done.test.metric] == [
            ("ALC, everyone", loss_text(run.alc)), ("ALC, hard to guess", loss_text(run.alc_rest)),
        ]  # fmt: skip
        assert run.rest_share == 1, "where nobody is known the attack among the rest is at its best"
        (table,) = done.test.dataframe
        assert table.value["Correct"].tolist() == [
            f"{count(side.true_predictions)} of {count(side.predictions)}"
            for side in (run.attack, run.baseline, run.baseline_rest)
        ]
        assert len(done.charts) == 6
        assert alt_of(people_bars_figure(run)) in done.charts
        assert exposed_sentence(run) in done.texts
        assert "SHA-256" in done.texts
        assert done.buttons["Previous"].disabled
        assert done.buttons["Next"].disabled
        assert done.downloads[:2] == ["This attack (JSON)", "Its curves (CSV)"]

    def test_the_overview_has_no_choice_among_attacks(self, done):
        done.go_to("findings")
        assert "in the original&#x27;s order" in done.html
        assert not [box.label for box in done.test.multiselect]
        assert not [box for box in done.test.selectbox if box.key == "Focus_release"]
        assert "Decide" in done.links
        assert [str(b.key) for b in done.test.button if str(b.key).startswith("worst_")]
        assert done.downloads == [
            "All attacks (CSV)", "All attacks (Excel)", "All attacks (Parquet)",
            "Save review",
        ]  # fmt: skip

    def test_sliders_rescore_at_once_and_go_back(self, done):
        before = result_of(done)
        assert done.buttons["Reset to the run's parameters"].disabled
        done.choose("slider", "rescoring_alpha", 1.0)
        shown = before.rescore(alpha=1.0)
        assert f"({alc_number(shown.alc, decimals=3)}; 95% interval" in done.texts
        assert "alpha 1, R_min 0.0001" in done.texts
        done.click("Reset to the run's parameters")
        assert "alpha 3, R_min 0.0001" in done.texts
        assert done.widget("slider", "rescoring_alpha").value == 3.0

    def test_a_changed_verdict_is_said(self, done):
        run = result_of(done)
        loss = run.decisive_alc
        limits = (max(0.01, loss / 2), max(0.02, loss * 0.9))
        sentence = changed_verdict(run, run.rescore(at_risk=limits[0], serious=limits[1]))
        assert sentence
        done.state.rescoring = dict(zip(("at_risk", "serious"), limits, strict=True))
        done.run()
        assert sentence in done.texts

    def test_impossible_parameters_keep_the_page(self, done):
        done.widget("slider", "rescoring_at_risk").set_range(0.5, 0.5)
        done.run()
        assert done.title == "One attack"
        assert "at_risk must be less than serious" in done.texts
        assert "Move the sliders or reset" in done.texts
        done.click("Reset to the run's parameters")
        assert "at_risk must be less than serious" not in done.texts

    def test_before_a_run_they_say_where_to_go(self, app):
        app.go_to("findings")
        assert "No results yet." in app.texts

    def test_choices_that_changed_since_are_said(self, choosing):
        run_it(choosing)
        choosing.go_to("findings")
        assert "Out of date" not in choosing.texts
        choosing.state.choose(one=OneAttack(unknown="job", known=("age",)))
        choosing.run()
        assert "Out of date" not in choosing.texts, "what is run next changes no result"
        choosing.state.choose(down_sample=False)
        choosing.run()
        assert "the people attacked, or the roles of columns changed" in choosing.texts
        choosing.go_to("one_attack")
        assert "the people attacked, or the roles of columns changed" in choosing.texts


def test_numbers_marks_and_people_are_there_for_it_too(choosing):
    choosing.choose("multiselect", "plan_one_known", ["age", "city"])
    run_it(choosing)
    choosing.go_to("one_attack")
    look = choosing.state.screen(CloserLook)
    look.numbers_open = look.people_open = True
    choosing.run()
    choosing.finish_task(NUMBERS_TASK)
    assert "k = " in choosing.texts
    for label, task in (("Compute reference points", MARKS_TASK), ("Run it again", TRACE_TASK)):
        choosing.click(label)
        choosing.finish_task(task)
    assert "Same attack on three tables" in " ".join(choosing.charts)
    assert look.trace.same
    assert "people are exposed" in choosing.texts
    choosing.state.release = ()
    choosing.run()
    assert look.trace is None
    assert NEEDS_TABLES in choosing.texts
    assert "Same attack on three tables" in " ".join(choosing.charts)
