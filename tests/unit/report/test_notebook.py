"""What results show of themselves in a notebook."""

from xml.etree import ElementTree as ET

import plotly.graph_objects as go
import pytest

import alc_core as alc
from alc_core.assessment.words import verdict_title
from alc_core.candidates.lines import candidate_lines
from tests.toys.campaigns import run_quickly


@pytest.fixture(scope="module")
def result():
    demo = alc.load_demo("fair")
    scenario = alc.Scenario(["age"], "religious", targets=300)
    return alc.assess(demo.original, demo.releases["5% swapped"], scenario, seed=1)


def test_an_assessment_shows_its_verdict_and_both_readings(result):
    text = result._repr_html_()
    page = ET.fromstring(text)
    assert page.find(".//strong").text == verdict_title(result)
    marks = [float(each.get("cx")) for each in page.iter("circle")]
    expected = [320 * (max(loss, -1) + 1) / 2 for loss in (result.alc, result.alc_rest)]
    assert marks == pytest.approx(expected, abs=1)
    assert "<script" not in text
    assert verdict_title(result) in result.summary()
    assert isinstance(result.plot(), go.Figure)


def test_names_are_text_and_not_markup(result):
    from dataclasses import replace

    scenario = alc.Scenario(["<b>age"], "<script>x", targets=300)
    text = replace(result, scenario=scenario)._repr_html_()
    assert "<script" not in text
    assert "<b>" not in text


def test_a_campaign_shows_its_releases(tmp_path, people):
    frame = people(600)
    with run_quickly(frame, {"weak": frame.copy()}, tmp_path / "c.alc") as store:
        view = alc.CampaignView(store)
        page = ET.fromstring(view._repr_html_())
        (line,) = candidate_lines(view, store.settings.scoring, {})
        assert [cell.text for cell in page.iter("td")][:2] == ["weak", line.title]
        assert "weak" in view.summary()
        assert isinstance(view.plot(), go.Figure)
