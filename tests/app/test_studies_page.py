"""The page of studies: its list, and a study of one module that nobody wrote a page for."""

import pytest

from alc_core.studies import registry
from tests.toys.toy_study import ToyRows


@pytest.fixture(autouse=True)
def _registered():
    before = dict(registry._STUDIES)
    registry.register_study(ToyRows())
    yield
    registry._STUDIES.clear()
    registry._STUDIES.update(before)


def test_the_list_says_what_each_study_answers_and_needs(app):
    app.go_to("studies")
    for study in registry.studies().values():
        assert study.sentence in app.texts
        assert f"**{study.title}**" in app.buttons
    assert "Needs an original and a release" in app.texts


def test_a_study_says_what_it_needs_and_leads_to_the_data(app):
    for name, study in registry.studies().items():
        app.open_study(name)
        assert all(each in app.texts for each in study.explanation)
        assert f"{study.title} needs an original" in app.texts, name
        assert study.button not in app.buttons
        assert "Go to the data" in app.links


def test_a_toy_study_is_asked_for_run_and_shown(loaded):
    one = loaded.open_study("toy-rows")
    assert "Toy rows" in [each.value for each in loaded.test.header]
    assert "It counts **rows**." in loaded.texts
    loaded.run_study("toy-rows", "Count rows")
    assert "release has 800 toy rows." in loaded.texts
    assert loaded.charts == ["Toy rows of release."]
    one.given.least = 0
    loaded.run()
    assert "least must be at least 1" in loaded.texts
    assert loaded.buttons["Count rows"].disabled
    loaded.click("All studies")
    assert not loaded.test.header
    assert "1 result" in loaded.texts


def test_a_study_has_an_address(loaded):
    loaded.test.query_params["part"] = "toy-rows"
    loaded.test.switch_page("pages/statistics.py")
    loaded.run()
    assert "It counts **rows**." in loaded.texts


def test_where_the_campaign_alone_is_missing_the_way_leads_there(loaded):
    loaded.open_study("dependence")
    assert "Dependent rows needs a campaign on these data." in loaded.texts
    assert "Attack both ways" not in loaded.buttons
