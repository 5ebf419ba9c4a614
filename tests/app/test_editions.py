"""Two quarters on the Data page: a question, and the answer that makes them a series."""

from alc_core.dashboard.work.campaign_planning import plan_preview
from tests.app.conftest import csv
from tests.toys.editions import quarters


def load(app, mode=None):
    names = ("people.csv", "q1.csv", "q2.csv")
    app.load(*zip(names, map(csv, quarters()), strict=True))
    app.state.release_mode = mode
    app.go_to("data")


def test_two_files_can_be_editions(app):
    load(app)
    assert [*app.state.releases()] == ["q1", "q2"]
    (choice,) = (r for r in app.test.radio if r.label.startswith("How will these files"))
    choice.set_value("series")
    app.run()
    (release,) = app.state.releases().values()
    assert release.kind == "series"
    assert not [finding for finding in app.state.findings() if finding.blocking]


def test_editions_are_asked_about_and_become_a_series_by_one_click(app):
    load(app, "one")
    (question,) = (f for f in app.state.findings() if f.blocking)
    assert question.code == "editions"
    (button,) = (b for b in app.test.button if b.label.startswith("They are editions"))
    button.click()
    app.run()
    assert not [f for f in app.state.findings() if f.blocking]
    ((name, release),) = app.state.releases().items()
    assert release.kind == app.widget("selectbox", f"release_type_{name}").value == "series"
    assert "200 rows new or changed in 'q2' since 'q1'." in app.texts
    app.go_to("attack")
    selected = {w for a in plan_preview(app.state).plan.attacks for w in a.scenario.selection.where}
    assert "rows new or changed in 'q2' since 'q1'" in selected
