"""What to change, drawn by itself: pages mount it where a release is decided about."""

import pytest
from streamlit.testing.v1 import AppTest

import alc_core as alc
from alc_core.dashboard.parts import panels
from alc_core.dashboard.remedies import REMEDIES
from alc_core.dashboard.state.session import Page
from alc_core.dashboard.work.study_results import StudyChoices
from alc_core.studies.remedies.searching import KEPT_REMEDIES
from tests.app.conftest import TIMEOUT, csv


def part():
    import streamlit as st

    from alc_core.dashboard.remedies import draw_what_to_change
    from alc_core.dashboard.state.session import require_state

    state = require_state()
    draw_what_to_change(state, state.campaign.view, st.session_state["release_name"])


@pytest.fixture
def drawn(app, people):
    """Draws the part for a release of a finished campaign: ``drawn("weak")``."""
    frame = people(1500)
    frames = {
        "weak.csv": alc.swap_columns(frame, 0.02, seed=1),
        "strong.csv": alc.swap_columns(frame, 1.0, seed=1),
    }
    app.state.release_mode = "several"
    app.load(("people.csv", csv(frame)), *((name, csv(each)) for name, each in frames.items()))
    app.go_to("attack")
    app.state.choose(unknown=["job"])
    app.run()
    app.click("Run the attacks")
    app.finish()

    app.state.screen(StudyChoices).of(REMEDIES).given.trials = 6

    def draw(release):
        test = AppTest.from_function(part, default_timeout=TIMEOUT)
        test.session_state["alc_state"] = app.state
        test.session_state["release_name"] = release
        test.run()
        assert not test.exception
        return test

    draw.state = app.state
    return draw


def texts(test):
    found = [each.value for kind in ("caption", "success", "warning") for each in test.get(kind)]
    return "\n".join(found).replace("\\", "").replace("\u2060", "")


def test_changes_are_tried_in_the_background_kept_and_listed(drawn):
    state, test = drawn.state, drawn("weak")
    assert "Drops, coarsens or swaps columns in memory, then attacks again." in texts(test)
    (button,) = test.button
    assert button.label == "Try changes"
    button.click().run()
    if REMEDIES.name in state.tasks:
        assert state.tasks[REMEDIES.name].job.wait(TIMEOUT)
    test.run()
    assert not test.exception
    found = state.screen(StudyChoices).of(REMEDIES).found["weak"]
    assert "Review the changed release." in texts(test)
    assert found.trials[0].words in texts(test)
    table = test.dataframe[0].value
    assert table["Change"].tolist() == [trial.words for trial in found.trials]
    labels = [each.label for each in test.get("download_button")]
    assert labels == ["To-do list (CSV)", "To-do list (Markdown)"]
    assert KEPT_REMEDIES.read(state.campaign.view.store)["weak"] == found
    assert [each.label for each in test.button] == ["Try changes again"]


def test_what_is_in_the_way_is_said(drawn, monkeypatch):
    test = drawn("strong")
    assert "clearly exposes anyone" in texts(test)
    assert not test.button
    links = []
    monkeypatch.setattr(panels, "draw_link", lambda *link: links.append(link[0]))
    drawn.state.release = drawn.state.release[1:]
    test = drawn("weak")
    assert any("Trying changes needs the original" in each.value for each in test.markdown)
    assert not test.button
    assert links == [Page.DATA]
