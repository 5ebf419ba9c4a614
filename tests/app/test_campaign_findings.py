import io
import threading
from types import SimpleNamespace
from unittest.mock import MagicMock, Mock

import pandas as pd
import pytest

import alc_core as alc
from alc_core.campaign.findings.decisions import Choice, decide, decisions
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.lines import candidate_lines
from alc_core.dashboard.one_attack.page import HowWeKnow
from alc_core.dashboard.parts import header
from alc_core.dashboard.parts.header import SETTLING
from alc_core.figures.one_attack import people_bars_figure, right_people_figure
from alc_core.figures.template import alt_of
from alc_core.phrasing import alc_number
from alc_core.review.attack_words import (
    exposed_sentence,
    interval_text,
    short_sentence,
    verdict_title,
)
from alc_core.review.campaign_words import candidates_title
from alc_core.scoring.readings import READINGS
from alc_core.spreadsheet import csv_text
from tests.app.conftest import NASTY

SCORING = alc.ScoringParameters()


@pytest.fixture
def store(mixed):
    """The campaign on two releases, one of them the original, with a failed attack."""
    mixed.add_failure(4, "The column 'hours' has too few <b>values</b>.", seconds=0.1)
    return mixed


@pytest.fixture
def shown(app, store):
    """An app on the Findings page with a campaign."""
    return app.take(store, "findings")


def show_how(app):
    app.state.screen(HowWeKnow).open = True
    app.run()


def test_the_table_holds_what_is_shown_and_nothing_else(shown):
    view = shown.state.campaign.view
    results = view.overview(view.settings.scoring).results
    found = shown.table("alc")
    assert list(found.columns) == [
        "verdict", "unknown", "release", "alc", "exposed", "at_most", "interval",
        "precision", "compared", "recall", "n_known", "known", "number",
    ]  # fmt: skip
    told = results["standing_alc"].clip(lower=0).map(alc_number).astype(float)
    assert found["alc"].tolist() == told.tolist(), "as it is told elsewhere, never up to a limit"
    assert found["at_most"].tolist() == results["exposed_high"].clip(lower=0).round().tolist()
    written = pd.read_csv(io.StringIO(csv_text(view.frame(view.settings.scoring))))
    assert written["number"].tolist()[: len(found)] == found["number"].tolist()
    shares = {"precision": "deciding_measured_precision", "compared": "compared_measured_precision"}
    for name, measured in (*shares.items(), ("recall", "deciding_recall")):
        assert found[name].tolist() == pytest.approx((100 * results[measured]).tolist(), abs=0.1)
    assert (
        found["exposed"].tolist()
        == results["exposed"].where(results["exposed_low"] > 0, 0).round().tolist()
    )
    assert found["verdict"].iloc[0] == ["✖ Serious"]
    assert NASTY in found["unknown"].tolist()
    assert not found["interval"].str.contains("≈").any()


def test_the_worst_attack_is_open_and_says_which_it_is(shown):
    shown.go_to("one_attack")
    view = shown.state.campaign.view
    worst = view.overview(view.settings.scoring).worst
    attack, result = view.attack(worst), view.assessment(worst)
    assert "1 of 4" in shown.texts
    assert short_sentence(result) in shown.texts
    assert f"From {attack.release}." in shown.texts
    assert attack.reason in shown.helps
    assert verdict_title(result) in shown.html
    bars = [alt_of(draw(result)) for draw in (right_people_figure, people_bars_figure)]
    assert shown.charts[:2] == bars
    assert len(shown.charts) == 3
    assert exposed_sentence(result) in shown.texts
    assert "SHA-256" in shown.texts


def test_curves_and_all_attacks_are_behind_how_we_know(shown):
    assert shown.charts[0].startswith("3 attacks, worst first, by release. copy: 2 serious.")
    shown.go_to("one_attack")
    show_how(shown)
    result = shown.state.campaign.view.assessment(shown.state.campaign.view.overview(SCORING).worst)
    for name in READINGS:
        assert interval_text(result, name) in shown.texts
    assert "(open marks): " in shown.charts[3]
    assert "ALC against precision" in shown.charts[4]
    assert "Ringed: " in shown.charts[4]
    assert "PRC of attack against baseline" in shown.charts[5]


def test_another_attack_opens_when_it_is_chosen(shown):
    view = shown.state.campaign.view
    other = int(view.overview(view.settings.scoring).results["number"].iloc[-1])
    shown.open_attack(other)
    assert f"From {view.attack(other).release}." in shown.texts
    assert verdict_title(view.assessment(other)) in shown.html
    shown.go_to("findings")
    assert shown.title == "Findings"
    rows = shown.test.session_state["findings_table"]["selection"]["rows"]
    assert list(rows) == [], "a click on any row opens it, also on the one that was open"


def test_sliders_score_all_attacks_and_the_flips_are_told(shown):
    shown.widget("slider", "rescoring_at_risk").set_range(0.99, 1.0)
    shown.run()
    view = shown.state.campaign.view
    scoring = alc.ScoringParameters(at_risk=0.99, serious=1.0)
    flips = view.flips(scoring)
    assert len(flips)
    assert f"{len(flips)} attack" in shown.texts
    assert "from serious to" in shown.texts
    listed = shown.table("before")
    assert list(listed.columns) == ["before", "after", "alc", "release", "unknown", "known"]
    assert listed["before"].tolist() == [["✖ Serious"]] * len(flips)
    assert not shown.table("alc")["interval"].str.contains("≈").any()
    shown.click("Reset to the run's parameters")
    assert "The sliders match the run." in shown.texts


def waiting(shown):
    """Labels of the downloads that wait for exact intervals."""
    buttons = shown.test.get("download_button")
    return [button.label for button in buttons if button.proto.disabled]


def test_intervals_are_marked_while_approximate_and_drawn_again_by_themselves(shown, monkeypatch):
    held, view, settle = threading.Event(), shown.state.campaign.view, CampaignView.settle
    monkeypatch.setattr(
        CampaignView, "settle", lambda *given, **told: held.wait(300) and settle(*given, **told)
    )
    shown.choose("slider", "rescoring_alpha", 2.0)
    assert shown.table("alc")["interval"].str.startswith("≈ ").all()
    assert "≈: approximate." in shown.texts
    shown.go_to("decision")
    assert not shown.downloads, "nothing is decided on approximate intervals"
    shown.go_to("one_attack")
    assert "Reviewer's decision" not in shown.texts
    assert waiting(shown) == ["This attack (JSON)"]
    shown.go_to("findings")
    assert waiting(shown) == [f"All attacks ({kind})" for kind in ("CSV", "Excel", "Parquet")]
    held.set()
    shown.finish_task(SETTLING)
    assert not waiting(shown)
    assert not shown.table("alc")["interval"].str.contains("≈").any()
    shown.go_to("one_attack")
    assert "Reviewer's decision" in shown.texts
    assert not waiting(shown)
    show_how(shown)
    number = view.overview(alc.ScoringParameters(alpha=2.0)).worst
    exact = view.assessment(number).rescore(alpha=2.0)
    assert interval_text(exact, "alc") in shown.texts
    assert interval_text(exact, "alc_rest") in shown.texts
    assert "Changed after the run: alpha 3 → 2" in shown.texts
    shown.go_to("decision")
    assert shown.downloads


def test_impossible_parameters_keep_the_page(shown):
    shown.widget("slider", "rescoring_at_risk").set_range(0.5, 0.5)
    shown.run()
    assert shown.title == "Findings"
    assert "at_risk must be less than serious" in shown.texts
    assert not shown.charts
    shown.click("Reset to the run's parameters")
    assert shown.charts


def test_filters_narrow_figure_and_table_but_no_count(shown):
    before, drawn = shown.html, shown.charts[0]
    shown.choose("multiselect", "AttackFilter_releases", ["strong"])
    assert set(shown.table("alc")["release"]) == {"strong"}
    assert shown.html == before
    assert shown.charts[0] != drawn
    assert "2 of 4 attacks." in shown.texts
    shown.choose("text_input", "AttackFilter_text", "NO SUCH COLUMN")
    assert "No attack matches the filters." in shown.texts
    shown.click("Show all attacks")
    assert len(shown.table("alc")) == 4
    shown.choose("text_input", "AttackFilter_text", "CITY</B>")
    assert set(shown.table("alc")["unknown"]) == {NASTY}


def test_failed_attacks_are_listed_with_reasons(shown):
    assert any(expander.label == "1 attack failed" for expander in shown.test.expander)
    failed = shown.table("reason")
    assert failed["reason"].tolist() == ["The column 'hours' has too few <b>values</b>."]
    assert failed["unknown"].tolist() == ["hours"]


def test_findings_and_the_open_attack_can_be_kept(shown):
    assert shown.downloads == [
        "Data (CSV)", "All attacks (CSV)", "All attacks (Excel)", "All attacks (Parquet)",
        "Save review",
    ]  # fmt: skip
    shown.go_to("one_attack")
    assert shown.downloads == ["This attack (JSON)", "Its curves (CSV)"]


def test_a_what_if_says_so_in_the_headline(shown):
    scoring = alc.ScoringParameters(alpha=0.5)
    assert " under alpha" not in shown.texts
    shown.choose("slider", "rescoring_alpha", 0.5)
    view = shown.state.campaign.view
    lines = candidate_lines(view, scoring, {})
    assert f"## {candidates_title(lines)} under alpha 0.5" in shown.texts
    shown.click("Reset to the run's parameters")
    assert " under alpha" not in shown.texts


def test_results_since_the_page_was_drawn_are_told_and_shown_at_a_click(monkeypatch):
    view = SimpleNamespace(counts=SimpleNamespace(finished=4, planned=5, missing=2), n_left_out=1)

    def a_second_later(_find, draw):
        view.counts = SimpleNamespace(finished=5, planned=5, missing=1)
        draw(None)

    state = Mock(campaign_outdated=Mock(return_value=()))
    monkeypatch.setattr(header, "watch", a_second_later)
    monkeypatch.setattr(header, "st", MagicMock())
    header.draw_freshness(state, SimpleNamespace(view=view))
    said = "4 of 6 attacks have a result; 1 more since."
    header.st.markdown.assert_called_once_with(said)
    header.st.rerun.assert_called_once()


def test_a_decision_is_kept_at_once_and_found_again(shown, store):
    shown.go_to("one_attack")
    worst = shown.state.campaign.view.overview(alc.ScoringParameters()).worst
    assert "Questions for the reviewer" in [e.label for e in shown.test.expander]
    assert "Who could know age and hours about a person?" in shown.texts
    assert "None yet." in shown.texts
    shown.choose("pills", f"decision_{worst}", Choice.REDUCE)
    shown.choose("text_area", f"decision_note_{worst}", "Drop <b>hours</b>")
    (made,) = decisions(store).values()
    assert (made.choice, made.note, made.standing) == (
        Choice.REDUCE, "Drop <b>hours</b>", "serious",
    )  # fmt: skip
    assert ", when it was “serious”" in shown.texts

    shown.go_to("findings")
    found = shown.table("alc")
    assert found["decision"].tolist() == ["▼ To be reduced", *[""] * (len(found) - 1)]
    shown.choose("multiselect", "AttackFilter_decisions", [""])
    assert len(shown.table("alc")) == len(found) - 1

    shown.go_to("decision")
    shown.click("More :gray[on copy]")
    assert "Decided: 1 of 2 attacks that ask for a decision (1 to be reduced)." in shown.texts
    shown.go_to("one_attack")
    assert shown.widget("pills", f"decision_{worst}").value == Choice.REDUCE
    decide(store, worst, None, note="Later", standing="below limit", alc=0.1, scoring=made.scoring)
    shown.run()
    assert "check the decision" in shown.texts


def test_inputs_that_changed_are_told(shown):
    changed = SimpleNamespace(differences=lambda other: ("the releases",))
    shown.take(shown.state.campaign.view.store, "findings", changed)
    assert "Out of date: the releases changed." in shown.texts
