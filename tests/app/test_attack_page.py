from __future__ import annotations

import threading

import pytest

from alc_core.dashboard.state.choices import suggested_known
from alc_core.dashboard.work import attack_runs
from alc_core.errors import CancelledError, InputError
from alc_core.runtime.progress import Progress


def csv(frame) -> bytes:
    return frame.to_csv(index=False).encode()


@pytest.fixture
def endless(monkeypatch):
    """Replaces the assessment by work that goes on until it is cancelled."""

    def assess(*args, progress, cancel, **kwargs):
        progress(Progress(stage="Attacking", done=300, total=800))
        while not cancel():
            threading.Event().wait(0.01)
        raise CancelledError("The run was cancelled; nothing of it is kept.")

    monkeypatch.setattr(attack_runs, "assess", assess)


def fail_with(monkeypatch, error):
    def assess(*args, **kwargs):
        raise error

    monkeypatch.setattr(attack_runs, "assess", assess)


def test_without_data_it_says_where_to_go(app):
    app.go_to("attack")
    assert app.title == "Single attack"
    assert "This needs the original and a release." in app.texts
    assert "Run the attack" not in app.buttons


def test_suggestions_are_preselected(attacking):
    assert attacking.widget("selectbox", "AttackChoices_unknown").value == "job"
    assert attacking.widget("multiselect", "AttackChoices_known").value
    assert not attacking.buttons["Run the attack"].disabled


def test_known_column_buttons(attacking):
    attacking.click("All others")
    assert attacking.state.choices.known == ["age", "city", "hours"]
    attacking.click("Suggested")
    original, releases = attacking.state.original_table(), attacking.state.release_tables()
    assert attacking.state.choices.known == suggested_known(original, releases, "job")


def test_choosing_another_unknown_keeps_all_others_known(attacking):
    attacking.click("All others")
    attacking.widget("selectbox", "AttackChoices_unknown").set_value("city")
    attacking.run()
    assert attacking.state.choices.known == ["age", "hours", "job"]


def test_no_known_column_blocks_the_run_with_a_reason(attacking):
    attacking.widget("multiselect", "AttackChoices_known").set_value([])
    attacking.run()
    assert "No known column is chosen. Choose at least one." in attacking.texts
    assert attacking.buttons["Run the attack"].disabled


def test_contradicting_parameters_block_the_run_and_stay(attacking):
    attacking.widget("number_input", "AttackChoices_at_risk").set_value(0.9)
    attacking.run()
    assert "The thresholds must satisfy 0 < at_risk < serious <= 1" in attacking.texts
    assert attacking.buttons["Run the attack"].disabled
    assert attacking.widget("number_input", "AttackChoices_at_risk").value == 0.9


def test_selection_of_people(attacking):
    attacking.widget("selectbox", "AttackChoices_where_column").set_value("city")
    attacking.run()
    assert "no value is chosen" in attacking.texts
    attacking.widget("multiselect", "AttackChoices_where_values").set_value(["Ulm"])
    attacking.run()
    assert not attacking.buttons["Run the attack"].disabled
    assert dict(attacking.state.inputs().scenario.selection.where) == {"city": ("Ulm",)}


def test_questions_must_be_answered(app, people):
    frame = people(800)
    app.upload("original", ("people.csv", csv(frame)))
    renamed = frame.assign(city=frame["city"].map(lambda city: f"code {city}"))
    app.upload("release", ("release.csv", csv(renamed)))
    app.go_to("attack")
    assert app.buttons["Run the attack"].disabled
    assert "Answer the questions of the check first." in app.texts
    (answer,) = (
        box for box in app.test.checkbox if box.label == "I have checked: this is as it should be"
    )
    answer.check()
    app.run()
    assert not app.buttons["Run the attack"].disabled
    app.click("Run the attack")
    assert app.state.job.wait(60)
    app.run()
    assert app.title == "Findings"


def test_running_shows_progress_and_starts_only_once(attacking, endless):
    attacking.click("Run the attack")
    job = attacking.state.job
    assert attacking.buttons["Run the attack"].disabled
    attacking.run()
    assert "300 of at most 800 people attacked" in attacking.texts
    assert not attack_runs.start_run(attacking.state)
    assert attacking.state.job is job
    job.cancel()
    job.wait(10)


def test_cancel_keeps_the_choices(attacking, endless):
    attacking.click("Run the attack")
    job = attacking.state.job
    attacking.click("Cancel")
    assert job.wait(10)
    attacking.run()
    assert attacking.state.job is None
    assert "The run was cancelled" in attacking.texts
    assert attacking.state.choices.unknown == "job"
    assert not attacking.buttons["Run the attack"].disabled


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            InputError("All rows belong to one person. Name another."),
            "All rows belong to one person",
        ),
        (KeyError("Jane Doe"), "Something went wrong that should not have"),
    ],
)
def test_a_failed_run_says_why(attacking, monkeypatch, error, message):
    fail_with(monkeypatch, error)
    attacking.click("Run the attack")
    if attacking.state.job is not None:
        attacking.state.job.wait(10)
        attacking.run()
    assert attacking.title == "Single attack"
    assert message in attacking.texts
    assert "Jane" not in attacking.texts
    assert not attacking.buttons["Run the attack"].disabled


def test_choices_survive_a_visit_to_another_page(attacking):
    attacking.widget("number_input", "AttackChoices_seed").set_value(7)
    attacking.widget("multiselect", "AttackChoices_known").set_value(["city"])
    attacking.run()
    attacking.go_to("data")
    attacking.go_to("attack")
    assert attacking.widget("number_input", "AttackChoices_seed").value == 7
    assert attacking.widget("multiselect", "AttackChoices_known").value == ["city"]
