import dataclasses
import itertools
import re
import threading

import pytest

import alc_core as alc
from alc_core import swap_columns
from alc_core.attacks import registry as attack_registry
from alc_core.campaign.file.database import saved_campaign
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.plan import estimate
from alc_core.campaign.plan.settings import Effort, PlanSettings
from alc_core.candidates.lines import candidate_lines
from alc_core.dashboard.choices.plan import Choices
from alc_core.dashboard.work import campaign_planning, campaign_runs
from alc_core.dashboard.work.campaign_planning import effort_seconds, plan_preview, seconds_to_run
from alc_core.dashboard.work.campaign_runs import collect_campaign, start_campaign
from alc_core.dashboard.work.uploads import remove_file
from alc_core.errors import InputError
from alc_core.parameter import Parameter
from alc_core.review.campaign_words import candidates_title
from alc_core.runtime.progress import Progress
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.roles import ColumnRole
from alc_core.team.turns import Turns
from tests.app.conftest import csv
from tests.toys.planted import KNOWN, NEAR, in_records, in_rows
from tests.toys.toy_attack import TOY_LOOKUP

ATTACKERS = ("A neighbour", "A colleague", "Someone who knows everything else")
START_TITLE = "What does your release reveal?"


def is_first(progress) -> bool:
    """Whether the first of two attacks is finished."""
    return progress.of == "attacks" and progress.done == 1


@pytest.fixture
def pausing(monkeypatch, quick_run):
    """Lets campaigns pause after their first scenario until they are cancelled or the event."""
    go_on = threading.Event()

    def run(*args, progress, cancel, **kwargs):
        def tell(news):
            progress(news)
            while is_first(news) and not cancel() and not go_on.wait(0.01):
                pass
            if cancel():  # what tells the workers asks now and then only, and ends with that
                for thread in threading.enumerate():
                    if thread.name == "alc-cancel":
                        thread.join()

        return quick_run(*args, progress=tell, cancel=cancel, **kwargs)

    monkeypatch.setattr(campaign_runs, "run_campaign", run)
    yield go_on
    go_on.set()


@pytest.fixture
def small(loaded):
    """An app on the Data page with a campaign that attacks two columns with one set each."""
    loaded.state.choose(unknown=["city", "job"], known_sets=0)
    return loaded


@pytest.fixture
def planning(small):
    """An app on the Attack page with that campaign chosen."""
    small.go_to("attack")
    return small


def wait_until(condition) -> None:
    for _ in range(30_000):
        if condition():
            return
        threading.Event().wait(0.01)
    pytest.fail("It did not come to that in time")


def checkbox(app, label):
    return next(box for box in app.test.checkbox if box.label.startswith(label))


def test_without_data_it_says_where_to_go(app):
    app.go_to("attack")
    assert app.title == "Attack"
    assert "This needs the original and a release." in app.texts
    assert "Run the attacks" not in app.buttons


def test_every_column_is_planned_at_first(loaded):
    loaded.click("Continue")
    assert loaded.widget("multiselect", "plan_unknown").value == [
        "age", "city", "hours", "job",
    ]  # fmt: skip
    assert plan_preview(loaded.state).plan.unknown == ("age", "city", "hours", "job")
    assert "4 unknown columns" in loaded.texts
    (table,) = loaded.test.dataframe
    assert set(table.value["Attacked"]) == {"age", "city", "hours", "job"}
    assert table.value["Why"].str.contains("other columns").any()
    assert not loaded.buttons["Run the attacks"].disabled


def test_choices_make_the_plan(planning):
    assert "2 attacks on 2 unknown columns in 1 release." in planning.texts
    planning.widget("number_input", "plan_max_known").set_value(2)
    planning.run()
    assert "at most 2 may be known" in planning.texts
    assert {len(s.known) for s in plan_preview(planning.state).plan.scenarios} == {2}
    attacked = planning.widget("button_group", "attacked")
    assert attacked.options.index(attacked.value) == 2
    attacked.set_value(next(each for each in attacked.options if each.startswith("All 4")))
    planning.run()
    assert planning.state.choices.settings.unknown is None
    assert len(plan_preview(planning.state).plan.unknown) == 4


@pytest.mark.parametrize("kind", [KnownSetKind.BUDGET, KnownSetKind.FEW_FACTS])
def test_the_attackers_shown_make_up_the_plan(planning, monkeypatch, kind):
    planning.widget("number_input", "plan_max_known").set_value(2)
    make = campaign_planning.plan_campaign

    def made(*args, **kwargs):
        plan = make(*args, **kwargs)
        attacks = [
            dataclasses.replace(each, kind=kind) if each.kind is KnownSetKind.BUDGET else each
            for each in plan.attacks
        ]
        return dataclasses.replace(plan, attacks=tuple(attacks))

    monkeypatch.setattr(campaign_planning, "plan_campaign", made)
    planning.run()
    plan = plan_preview(planning.state).plan
    assert kind in {attack.kind for attack in plan.attacks}
    told = re.findall(r"(?:facts?\*?\*? · |\*\*, of [^:]*: )(\d+) attacks?", planning.texts)
    assert sum(map(int, told)) == len(plan.attacks)


def test_what_others_can_know_is_edited_in_place_and_is_the_roles(planning):
    def know(*columns):
        planning.widget("multiselect", "knowable_columns").set_value(list(columns))
        planning.run()

    state, attacked = planning.state, planning.state.choices.settings.unknown
    everything = ("age", "city", "hours", "job")
    assert planning.widget("multiselect", "knowable_columns").value == list(everything)
    know("age", "city", "job")
    assert state.column_roles().by_user == {"hours": ColumnRole.PROTECTED}
    assert state.choices.settings.unknown == attacked, "what they want to learn stays as it is"
    attacks = plan_preview(state).plan.attacks
    colleagues = [a.scenario.known for a in attacks if a.kind is KnownSetKind.KNOWABLE]
    assert ("age", "job") in colleagues
    assert not any("hours" in known for known in colleagues)
    know(*everything)
    assert not state.column_roles().by_user


@pytest.mark.parametrize("only_known", [["age"], ["age", "job"], ["age", "city", "hours", "job"]])
def test_what_may_be_known_and_is_not_attacked_is_shown_as_known(loaded, only_known):
    state = loaded.state
    everything = ["age", "city", "hours", "job"]
    for column in everything:
        known = column in only_known
        state.set_role(column, ColumnRole.KNOWN if known else ColumnRole.PROTECTED)
    loaded.go_to("attack")
    knowable = loaded.widget("multiselect", "knowable_columns")
    assert knowable.value == only_known
    assert knowable.options == everything
    knowable.set_value(only_known[1:])
    loaded.run()
    assert loaded.widget("multiselect", "knowable_columns").value == only_known[1:]
    if len(only_known) < len(everything):
        attacked = [column for column in everything if column not in only_known]
        assert list(plan_preview(state).plan.unknown) == attacked, "what they want stays as it is"


def test_your_own_sets(planning):
    planning.click("Add an attacker")
    planning.widget("multiselect", "plan_set_1").set_value(["age", "job"])
    planning.run()
    known = {scenario.known for scenario in plan_preview(planning.state).plan.scenarios}
    assert {("age", "job"), ("age",)} < known
    next(b for b in planning.test.button if b.key == "remove_set_1").click()
    planning.run()
    assert len(plan_preview(planning.state).plan.scenarios) == 2


def test_a_list_of_attacks(planning):
    def give(text):
        (upload,) = (u for u in planning.test.file_uploader if u.key.startswith("job_list"))
        upload.set_value(("jobs.csv", text, "text/csv"))
        planning.run()

    give(b"job,agee\n")
    assert "'jobs.csv', line 1" in planning.texts
    assert len(plan_preview(planning.state).plan) == 2
    give(b"job,age,city\njob,hours\n")
    asked = {(s.unknown, s.known) for s in plan_preview(planning.state).plan.scenarios}
    assert asked == {("job", ("age", "city")), ("job", ("hours",))}
    assert "Add an attacker" not in planning.buttons
    give(b"job,city\n")
    assert [s.known for s in plan_preview(planning.state).plan.scenarios] == [("city",)]
    planning.click("Remove the list")
    assert {s.unknown for s in plan_preview(planning.state).plan.scenarios} == {"city", "job"}


@pytest.mark.parametrize(
    ("kind", "name", "value", "reason"),
    [
        ("multiselect", "plan_unknown", [], "No column to attack"),
        ("number_input", "plan_at_risk", 0.9, "at_risk must be less than serious"),
    ],
)
def test_what_does_not_fit_blocks_the_run_with_a_reason(planning, kind, name, value, reason):
    planning.choose(kind, name, value)
    assert reason in planning.texts
    assert planning.buttons["Run the attacks"].disabled


def test_quick_or_thorough_with_the_time_of_each(planning):
    effort = planning.widget("button_group", "effort")
    assert effort.value == Effort.QUICK
    assert [each.partition(",")[0] for each in effort.options] == ["Quick", "Thorough"]
    assert all(" minute" in each or " hour" in each for each in effort.options)
    quick = len(plan_preview(planning.state).plan)
    effort.set_value(Effort.THOROUGH)
    planning.run()
    state = planning.state
    assert list(state.chosen().attacks) == ["best row match", "model"]
    assert state.choices.settings.targets.count == 5000
    assert len(plan_preview(state).plan) == 2 * quick
    assert planning.widget("button_group", "effort").value == Effort.THOROUGH
    planning.choose("radio", "plan_targets", "all")
    assert planning.widget("button_group", "effort").value is None
    assert "It takes " in planning.texts
    planning.widget("button_group", "effort").set_value(Effort.QUICK)
    planning.run()
    assert state.choices.settings.targets.count is None
    assert len(plan_preview(state).plan) == quick
    planning.choose("checkbox", "plan_model", True)
    assert len(plan_preview(state).plan) == 2 * quick
    assert planning.widget("button_group", "effort").value == Effort.QUICK, "with one attack more"


def test_a_budget_of_time_takes_what_settles_most_and_again_adds_others(planning, monkeypatch):
    state = planning.state
    state.choose(known_sets=2)
    planning.run()
    whole = plan_preview(state).plan
    monkeypatch.setattr(campaign_planning, "speed_now", lambda processes: 0.01)
    monkeypatch.setattr(campaign_planning, "available_threads", lambda: 1)
    planning.choose("selectbox", "plan_minutes", 5)
    short = plan_preview(state).plan
    assert 0 < len(short) < len(whole)
    assert {attack.kind for attack in short.attacks} == {KnownSetKind.ALL_OTHERS}
    assert f"{len(short)} of {len(whole)} attacks take longer than 5 minutes" in planning.texts
    planning.click("Run the attacks")
    planning.finish()
    assert state.campaign.view.counts.finished == len(short)
    planning.go_to("attack")
    assert len(short) < len(plan_preview(state).plan) <= len(whole)
    assert "The last review keeps its 1 result." in planning.texts


@pytest.mark.parametrize("minutes", [0, 5])
@pytest.mark.parametrize("speeds", [(0.1, 0.9), (0.9, 0.1), (0.01, 0.02)])
def test_thorough_is_never_told_to_be_faster_whatever_else_the_machine_does(
    planning, monkeypatch, minutes, speeds
):
    speed = itertools.cycle(speeds)
    for module in (campaign_planning, estimate):
        monkeypatch.setattr(module, "speed_now", lambda processes: next(speed))
    monkeypatch.setattr(campaign_planning, "available_threads", lambda: 1)
    planning.state.choose(known_sets=2)
    for _ in range(3):
        planning.choose("selectbox", "plan_minutes", minutes)
        quick, thorough = effort_seconds(planning.state).values()
        assert quick <= thorough
    if minutes and max(speeds) > 0.1:
        assert thorough <= 60 * minutes, "both were cut by the speed that they are told by"


def test_three_attackers_each_with_what_it_knows(loaded):
    loaded.go_to("attack")
    ticked = {box.label: box.value for box in loaded.test.checkbox if box.label in ATTACKERS}
    assert ticked == dict.fromkeys(ATTACKERS, True)
    assert "**3** facts · 4 attacks" in loaded.texts
    loaded.choose("checkbox", "plan_neighbour", False)
    kinds = {attack.kind for attack in plan_preview(loaded.state).plan.attacks}
    assert kinds == {KnownSetKind.ALL_OTHERS}
    loaded.choose("checkbox", "plan_neighbour", True)
    assert loaded.state.choices.settings.known_sets == 2


def test_some_set_of_known_columns_must_be_asked_for(planning):
    before = {scenario.known for scenario in plan_preview(planning.state).plan.scenarios}
    planning.choose("checkbox", "plan_all_others", False)
    now = {scenario.known for scenario in plan_preview(planning.state).plan.scenarios}
    assert now == before, "where all may be known, those who know what others can know it all"
    assert not planning.buttons["Run the attacks"].disabled
    planning.choose("checkbox", "plan_knowable", False)
    assert "No known columns. Set known_sets" in planning.texts
    assert planning.buttons["Run the attacks"].disabled


def test_choices_survive_a_visit_to_another_page(planning):
    planning.go_to("data")
    planning.go_to("attack")
    assert planning.widget("multiselect", "plan_unknown").value == ["city", "job"]
    assert planning.widget("number_input", "plan_known_sets").value == 0


def test_a_person_column_is_neither_known_nor_attacked(planning):
    planning.choose("selectbox", "plan_person", "age")
    options = planning.widget("multiselect", "plan_unknown").options
    assert "age" not in options
    assert all("age" not in s.columns for s in plan_preview(planning.state).plan.scenarios)


@pytest.fixture
def asked(app, people):
    """An app on the Attack page, where three columns of the release look renamed."""
    frame = people(800).assign(town=lambda frame: frame["city"])
    app.upload("original", ("people.csv", csv(frame)))
    texts = ["city", "job", "town"]
    renamed = frame.assign(**{c: frame[c].map(lambda value: f"code {value}") for c in texts})
    app.upload("release", ("release.csv", csv(renamed)))
    app.click("Continue")
    assert app.texts.count("Were they renamed?") >= 1
    assert app.buttons["Run the attacks"].disabled
    return app


def test_a_question_about_several_columns_is_answered_once(asked):
    checkbox(asked, "I have checked. This is intended in all 3 cases").check()
    asked.run()
    assert "Answered questions (1)" in [each.label for each in asked.test.expander]
    assert not asked.buttons["Run the attacks"].disabled
    checkbox(asked, "I have checked. This is intended in all 3 cases").uncheck()
    asked.run()
    assert asked.buttons["Run the attacks"].disabled


def test_questions_whose_names_run_together_are_asked_apart(planning, monkeypatch):
    facts = {"share": 0.5, "labels": ("x",), "sign": "plus"}
    findings = [
        Finding.of(Severity.QUESTION, code, table, column, case=case, **facts)
        for code, table, column, case in (
            ("unknown-labels", "a", "b_c", "renamed"),
            ("unknown-labels", "a_b", "c", "renamed"),
            ("recoded-integers", "a", "b_c", "shifted"),
            ("recoded-integers", "a_b", "c", "exchanged"),
        )
    ]
    monkeypatch.setattr(
        "alc_core.dashboard.attack.plan.campaign_findings", lambda state, plan: findings
    )
    planning.run()
    checkbox(planning, "**c in a_b").check()
    planning.run()
    assert planning.state.answers.accepted == {("unknown-labels", "a_b", "c")}


def test_a_column_to_be_fixed_fails_only_its_attacks(app, people):
    frame = people(800)
    app.upload("original", ("people.csv", csv(frame)))
    words = frame.assign(hours=[f"about {n % 7} or so" for n in range(800)])
    app.upload("release", ("release.csv", csv(words)))
    app.click("Continue")
    app.widget("multiselect", "plan_unknown").set_value(["job"])
    app.widget("number_input", "plan_known_sets").set_value(0)
    app.click("Add an attacker")
    app.widget("multiselect", "plan_set_1").set_value(["age", "city"])
    app.run()
    assert "1 of 2 attacks will fail: fix a column first" in app.texts
    app.click("Run the attacks")
    app.finish()
    assert app.state.campaign.view.counts.failed == 1
    app.go_to("attack")
    assert "1 of 2 attacks finished, 1 failed" in app.texts
    assert "hours" in app.texts
    assert "Try 1 failed again" in app.buttons


def test_while_it_runs_progress_is_everywhere_and_it_starts_only_once(planning, pausing):
    planning.click("Run the attacks")
    run = planning.state.campaign_run
    wait_until(lambda: is_first(run.job.snapshot.progress))
    planning.run()
    assert "1 of 2 attacks" in planning.texts
    assert "Save review" in [b.label for b in planning.test.get("download_button")]
    assert "have not run yet" in planning.texts or "has not run yet" in planning.texts
    assert not start_campaign(planning.state)
    assert planning.state.campaign_run is run


def test_the_sidebar_tells_how_far_it_is(small, pausing):
    assert start_campaign(small.state)
    wait_until(lambda: is_first(small.state.campaign_run.job.snapshot.progress))
    small.run_framed()
    assert small.title == START_TITLE
    (bar,) = small.test.get("progress")
    assert bar.proto.value == 50
    assert not re.search(r"\d of \d", bar.proto.text), "the page counts, at another moment"
    links = small.links
    assert links[-4:] == ["3 Findings", "4 Decision", "Statistics", "Methods"]
    pausing.set()
    assert small.state.campaign_run.job.wait(60)
    small.run_framed()
    assert small.title == START_TITLE, "only the Attack page goes on to the findings by itself"
    view = small.state.campaign.view
    assert candidates_title(candidate_lines(view, view.settings.scoring, {})) in small.texts


def test_cancel_keeps_what_is_finished_and_go_on_completes(planning, pausing):
    planning.click("Run the attacks")
    run = planning.state.campaign_run
    wait_until(lambda: is_first(run.job.snapshot.progress))
    planning.run()
    planning.click("Cancel")
    planning.finish()
    assert planning.state.campaign_run is None
    assert "Cancelled. 1 of 2 attacks finished." in planning.texts
    assert not {"Run the attacks", "Run new or missing attacks"} & set(planning.buttons)
    first = planning.state.campaign.view.store.seconds()
    pausing.set()
    planning.click("Continue: 1 missing")
    planning.finish()
    assert planning.title == "Findings"
    seconds = planning.state.campaign.view.store.seconds()
    assert len(seconds) == 2
    assert first.items() <= seconds.items(), "what was finished did not run again"


def test_where_others_run_first_a_campaign_waits_and_can_be_cancelled(planning, monkeypatch):
    monkeypatch.setattr(campaign_runs.TEAM, "turns", turns := Turns(1))
    with turns.taken(lambda _: None, lambda: False) as report:
        report(Progress(stage="", seconds_left=240.0))
        planning.click("Run the attacks")
        job = planning.state.campaign_run.job
        wait_until(lambda: job.snapshot.progress.of == "turns")
        planning.run()
        assert "1 before this one, about 4 min" in planning.texts
        planning.click("Cancel")
        planning.finish()
        assert (planning.state.campaign_run, turns.waiting) == (None, 0)
        planning.click("Run the attacks")
        assert planning.state.campaign_run is not None
    planning.finish()
    assert planning.title == "Findings"


def test_other_data_cannot_go_on(planning, pausing, people):
    planning.click("Run the attacks")
    wait_until(lambda: is_first(planning.state.campaign_run.job.snapshot.progress))
    planning.run()
    planning.click("Cancel")
    planning.finish()
    planning.go_to("data")
    remove_file(planning.state, "release", "release")
    planning.upload("release", ("release.csv", csv(swap_columns(people(800), 0.5, seed=2))))
    planning.go_to("attack")
    assert "Continue: 1 missing" in planning.buttons, planning.texts
    assert planning.buttons["Continue: 1 missing"].disabled
    assert "The tables have changed" in planning.texts
    assert checkbox(planning, "Replace the last findings")


def test_more_of_the_same_keeps_what_is_finished(planning, monkeypatch):
    planning.click("Run the attacks")
    planning.finish()
    planning.go_to("attack")
    path = planning.state.campaign.folder.path
    planning.widget("multiselect", "plan_unknown").set_value(["age", "city", "job"])
    planning.run()
    assert "The last review keeps its 2 results." in planning.texts
    preview = plan_preview(planning.state)
    monkeypatch.setattr(estimate, "speed_now", lambda processes: 1.0)
    monkeypatch.setattr(campaign_planning, "available_threads", lambda: 1)
    tables = planning.state.original_table(), list(planning.state.attacked_releases().values())
    whole = estimate.seconds_now(estimate.scenario_costs(preview.plan.attacks, *tables), 1)
    assert seconds_to_run(planning.state, preview) < whole, "of what is left alone"
    assert planning.state.campaign_outdated() == (), "what has run still holds"
    planning.click("Run new or missing attacks")
    planning.finish()
    assert planning.state.campaign.folder.path == path
    assert planning.state.campaign.view.counts.finished == 3


def test_narrower_choices_take_nothing_away_and_other_ones_are_added(planning):
    planning.click("Run the attacks")
    planning.finish()
    planning.go_to("attack")
    path = planning.state.campaign.folder.path
    unknown = planning.widget("multiselect", "plan_unknown")
    unknown.set_value(["job"])
    planning.run()
    assert planning.buttons["Already run"].disabled
    planning.widget("multiselect", "plan_unknown").set_value(["age"])
    planning.run()
    assert "keeps its 2 results." in planning.texts
    planning.click("Run new or missing attacks")
    planning.finish()
    view = planning.state.campaign.view
    assert planning.state.campaign.folder.path == path
    assert [a.scenario.unknown for a in view.judged] == ["city", "job", "age"]


def test_a_model_is_one_click_away_and_is_added_where_it_was_not_tried(app, people):
    frame = people(800)
    mixed = swap_columns(frame.sample(frac=1, random_state=1), 0.9, seed=2)
    app.load(("people.csv", csv(frame)), ("mixed.csv", csv(mixed)), ("own.csv", csv(frame)))
    app.state.choose(unknown=["job"], known_sets=0)
    app.go_to("attack")
    model = checkbox(app, "Also train a model")
    assert model.value, "by default, where rows are made up"
    model.uncheck()
    app.run()
    app.click("Run the attacks")
    app.finish()
    before = app.state.campaign.view.counts.finished
    app.click("Run the model attack")
    app.finish()
    view = app.state.campaign.view
    models = [each for each in view.judged if each.attack == "model"]
    assert {each.release for each in models} == {"mixed"}
    assert len(models) == before / 2
    assert view.counts.finished == before + len(models)
    assert not [each for each in app.buttons if each.startswith("Run the model")]


def test_another_campaign_replaces_the_last_one(planning):
    planning.click("Run the attacks")
    planning.finish()
    planning.go_to("attack")
    path = planning.state.campaign.folder.path
    planning.widget("number_input", "plan_seed").set_value(5)
    planning.run()
    assert planning.buttons["Run the attacks"].disabled, "until the user lets go of the last one"
    checkbox(planning, "Replace the last findings").check()
    planning.run()
    planning.click("Run the attacks")
    planning.finish()
    assert planning.state.campaign.folder.path != path
    assert not path.parent.exists()


def test_that_too_few_people_are_attacked_to_decide_stands_beside_the_button(planning):
    planning.state.choose(count=100)
    planning.run()
    few = plan_preview(planning.state).plan.too_few
    assert "100" in few.split()
    assert few in planning.texts


def test_how_near_is_right_is_asked_and_planned(planning):
    planning.choose("text_area", "plan_tolerance", "hours=3")
    assert "'hours' has a tolerance, but is not attacked." in planning.texts
    planning.choose("multiselect", "plan_unknown", ["hours", "job"])
    near = {
        each.scenario.unknown: each.scenario.tolerance
        for each in plan_preview(planning.state).plan.attacks
    }
    assert str(near["hours"]) == "3"
    assert near["job"] is None


ASKED_BY_CLICKS = {
    "job & branch": {"multiselect": {"AskedChoice_columns": ["job", "branch"]}},
    "diagnosis in C50|C51|C52": {
        "segmented_control": {"AskedChoice_kind": "condition"},
        "selectbox": {"asked_ConditionChoice_column": "diagnosis"},
        "multiselect": {"asked_ConditionChoice_values": ["C50", "C51", "C52"]},
    },
    "debt >= 50000": {
        "segmented_control": {"AskedChoice_kind": "condition"},
        "selectbox": {
            "asked_ConditionChoice_column": "debt",
            "asked_ConditionChoice_how": "at least",
        },
        "text_input": {"asked_ConditionChoice_low": "50000"},
    },
    "count per patient": {"segmented_control": {"AskedChoice_kind": "person"}},
    "ever diagnosis = A per patient": {
        "segmented_control": {"AskedChoice_kind": "person", "AskedChoice_of_person": "ever"},
        "selectbox": {"ever_ConditionChoice_column": "diagnosis"},
        "multiselect": {"ever_ConditionChoice_values": ["A"]},
    },
    "last diagnosis by date per patient": {
        "segmented_control": {"AskedChoice_kind": "person", "AskedChoice_of_person": "last"},
        "selectbox": {"AskedChoice_column": "diagnosis", "AskedChoice_by": "date"},
    },
    "mean cost per patient": {
        "segmented_control": {"AskedChoice_kind": "person", "AskedChoice_of_person": "mean"},
        "selectbox": {"AskedChoice_column": "cost"},
    },
}  # fmt: skip


@pytest.mark.parametrize("make", [in_rows, in_records])
def test_what_is_asked_by_clicks_is_what_options_ask(app, make):
    """Which finds what is planted: see the tests of the command."""
    planted = make()
    app.load(("people.csv", csv(planted.original)), ("leak.csv", csv(planted.leak)))
    app.state.choices = Choices(
        settings=PlanSettings(unknown=["income"], known_sets=0, all_others=False, knowable=False),
        sets={1: KNOWN}, unknown_by_user=True, model_by_user=True,
    )  # fmt: skip
    app.go_to("attack")
    if planted.person:
        app.choose("selectbox", "plan_person", planted.person)
        app.choose("multiselect", "plan_unknown", [])
    else:
        app.choose("text_area", "plan_tolerance", f"income={NEAR}")
    for unknown in filter(ASKED_BY_CLICKS.get, planted.guessed):
        for kind, chosen in ASKED_BY_CLICKS[unknown].items():
            for key, value in chosen.items():
                app.choose(kind, key, value)
        app.widget("button", "add_asked").click()
        app.run()
    planned = plan_preview(app.state).plan.attacks
    assert {each.scenario.unknown for each in planned} == set(planted.guessed)
    assert not app.buttons["Run the attacks"].disabled


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (InputError("All rows belong to one person."), "All rows belong to one person"),
        (KeyError("Jane Doe"), "Something went wrong. Try again"),
    ],
)
def test_a_failed_run_says_why(planning, monkeypatch, error, message):
    def fail(*args, **kwargs):
        raise error

    monkeypatch.setattr(campaign_runs, "run_campaign", fail)
    planning.click("Run the attacks")
    planning.finish()
    assert planning.title == "Attack"
    assert message in planning.texts
    assert "Jane" not in planning.texts
    assert not planning.buttons["Run the attacks"].disabled


def test_the_saved_file_is_complete_while_the_campaign_runs(planning, pausing, tmp_path):
    planning.click("Run the attacks")
    run = planning.state.campaign_run
    wait_until(lambda: is_first(run.job.snapshot.progress))
    copy = tmp_path / "copy.alc"
    copy.write_bytes(saved_campaign(run.folder.path))
    with CampaignStore.open(copy) as store:
        assert (store.counts().planned, store.counts().finished) == (2, 1)
    assert [path.name for path in run.folder.path.parent.iterdir() if path.is_dir()] == []


def test_remove_all_data_stops_the_campaign_and_removes_its_file(small, pausing):
    start_campaign(small.state)
    state, run = small.state, small.state.campaign_run
    wait_until(lambda: is_first(run.job.snapshot.progress))
    small.run_framed()
    token = small.test.session_state["alc_token"]
    small.click("Yes, remove all")
    assert small.state is not state
    assert state.campaign is None
    assert state.original is None
    assert run.job.wait(60)
    wait_until(lambda: not run.folder.path.parent.exists())
    assert small.test.session_state["alc_token"] != token
    assert not collect_campaign(small.state)


def test_a_campaign_without_its_page_stops_and_says_so(planning, pausing):
    planning.click("Run the attacks")
    job = planning.state.campaign_run.job
    wait_until(lambda: is_first(job.snapshot.progress))
    job._abandoned_after = 0.0
    planning.finish()
    assert "stopped: its page was closed" in planning.texts
    assert "Continue: 1 missing" in planning.buttons, planning.texts


class Twin(alc.BestRowMatch):
    name = "twin"

    def __init__(self, *, weight=1.0):
        super().__init__()


TWIN = alc.AttackType(
    name="twin", method="The same again.", reference="Nobody (2026)", accepts=(alc.Microdata,),
    make=Twin,
    parameters=(Parameter(name="weight", title="weight", help="Of it.", default=1.0, low=0),),
)  # fmt: skip


def test_attacks_are_chosen_with_their_settings_and_those_that_do_not_fit_are_named(
    planning, monkeypatch
):
    monkeypatch.setitem(attack_registry._TYPES, "twin", TWIN)
    monkeypatch.setitem(attack_registry._TYPES, TOY_LOOKUP.name, TOY_LOOKUP)
    planning.run()
    attacks = planning.widget("multiselect", "plan_attacks")
    assert set(attacks.options) == {
        "best row match", "record linkage", "model", "chained", "naive bayes", "bayesian", "twin",
    }  # fmt: skip
    assert attacks.value == ["best row match"]
    why = "toy lookup needs toy cells with counts; this release is rows of people"
    told = attacks.help.replace("\\", "").partition("Not for these releases: ")[2]
    assert why in told
    alone = len(plan_preview(planning.state).plan)
    attacks.set_value(["best row match", "twin"])
    planning.run()
    assert len(plan_preview(planning.state).plan) == 2 * alone
    next(w for w in planning.test.number_input if w.label == "Weight").set_value(2.5)
    planning.run()
    planned = {attack.attack for attack in plan_preview(planning.state).plan.attacks}
    assert planned == {"best row match", "twin: weight=2.5"}
    assert Choices.of(plan_preview(planning.state).plan.settings).settings.attacks == (
        "best row match", "twin: weight=2.5",
    )  # fmt: skip
