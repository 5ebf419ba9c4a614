"""The Decision page: what is entered about a release is kept at once and found again."""

from datetime import date

import pytest

import alc_core as alc
from alc_core.campaign.file.database import saved_campaign
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.decisions import Choice, decide, undecided_attacks
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates import lines
from alc_core.candidates.decision import (
    ReleaseChoice,
    release_decisions,
)
from alc_core.candidates.lines import candidate_lines
from alc_core.dashboard.decision import page as decision
from alc_core.dashboard.decision.page import DecisionScreen
from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.phrasing import listed
from alc_core.report.options import ReportDetails, keep_details
from alc_core.review.release_words import line_sentence
from alc_core.scoring.verdict import Publishing, Verdict

SCORING = alc.ScoringParameters()
SERIOUS = "An attack is serious: do not publish unchanged."


@pytest.fixture
def shown(review):
    review.go_to("decision")
    assert review.title == "Decision"
    return review


def view_of(app):
    return app.state.campaign.view


def kept(app):
    return release_decisions(view_of(app).store)


def lines_of(app):
    return candidate_lines(view_of(app), SCORING, {})


def line_of(app, release):
    return next(line for line in lines_of(app) if line.release == release)


def in_row(app, kind, name, release):
    """Return a widget of the row of a release."""
    return app.widget(kind, f"on {release}_ReleaseForm_{name}")


def choose(app, release, choice):
    in_row(app, "pills", "choice", release).set_value(choice)
    app.run()


def enter(app, kind, name, release, value):
    in_row(app, kind, name, release).set_value(value)
    app.run()


def open_row(app, release):
    app.widget("button", f"open_{release}").click()
    app.run()


def doubts(app):
    """What is said against the decisions, without what was not tried."""
    said = [each.value.replace("\\", "") for each in app.test.caption]
    said = [each.removeprefix(":material/warning: ") for each in said if "warning" in each]
    return [each for each in said if not each.startswith(("Not yet run", "No reason"))]


def has(app, kind, start) -> bool:
    return any(f"_ReleaseForm_{start}" in str(widget.key) for widget in app.test.get(kind))


def test_each_release_is_decided_by_one_click_and_all_are_signed_by_one_name(shown):
    choose(shown, "copy", ReleaseChoice.NOT)
    choose(shown, "strong", ReleaseChoice.PUBLISH)
    assert {name: made.choice for name, made in kept(shown).items()} == {
        "copy": ReleaseChoice.NOT, "strong": ReleaseChoice.PUBLISH,
    }  # fmt: skip
    assert {(made.name, made.day) for made in kept(shown).values()} == {
        ("", date.today().isoformat())
    }
    shown.choose("text_input", "ReportScreen_assessor", "A. Reviewer")
    shown.choose("date_input", "ReportScreen_day", date(2025, 12, 31))
    assert {(made.name, made.day) for made in kept(shown).values()} == {
        ("A. Reviewer", "2025-12-31")
    }
    choose(shown, "weak", ReleaseChoice.NOT)
    assert (kept(shown)["weak"].name, kept(shown)["weak"].day) == ("A. Reviewer", "2025-12-31")
    line = line_of(shown, "copy")
    made = kept(shown)["copy"]
    assert (made.standing, made.alc, made.scoring) == ("serious", line.worst.alc, SCORING)
    shown.run_framed()
    assert "3 of 3 releases" in shown.texts


def test_a_click_is_for_the_release_that_was_clicked_though_the_order_changed(shown, monkeypatch):
    kinds = ("pills", "button", "text_area")
    open_row(shown, "copy")

    def on_copy():
        of = [each for kind in kinds for each in shown.test.get(kind) if "copy" in str(each.key)]
        return {each.proto.id for each in of}

    before = on_copy()
    assert len(before) == 4
    monkeypatch.setattr(
        decision, "candidate_lines", lambda *given: list(reversed(candidate_lines(*given)))
    )
    shown.run()
    assert on_copy() == before
    choose(shown, "copy", ReleaseChoice.NOT)
    assert {name: made.choice for name, made in kept(shown).items()} == {"copy": ReleaseChoice.NOT}


def test_the_opening_sentence_of_the_report_follows_each_click(shown):
    assert "No decision yet." in shown.texts
    choose(shown, "copy", ReleaseChoice.NOT)
    assert "Do not publish copy. No decision yet: weak and strong." in shown.texts
    choose(shown, "strong", ReleaseChoice.CONDITIONS)
    assert "Publish strong under conditions; do not publish copy. No decision yet: weak." in (
        shown.texts
    )


def test_a_row_opens_to_reasons_which_are_what_was_found_where_left_empty(shown):
    assert not has(shown, "text_area", "reasons")
    open_row(shown, "copy")
    assert in_row(shown, "text_area", "reasons", "copy").value == ""
    said = line_sentence(line_of(shown, "copy"))
    assert said in shown.texts
    enter(shown, "text_area", "reasons", "copy", "It is the <b>original</b>.")
    assert kept(shown)["copy"].reasons == "It is the <b>original</b>."
    open_row(shown, "strong")
    assert in_row(shown, "text_area", "reasons", "strong").value == ""
    assert in_row(shown, "text_area", "reasons", "copy").value == "It is the <b>original</b>."
    for release in ("copy", "strong"):
        open_row(shown, release)
    assert not has(shown, "text_area", "reasons")


def test_what_speaks_against_a_decision_is_said(shown):
    assert doubts(shown) == []
    choose(shown, "copy", ReleaseChoice.PUBLISH)
    accepted = "This accepts the risk of 2 attacks that need attention."
    copied = "It contains real records."
    assert doubts(shown) == [accepted, SERIOUS, copied]
    enter(shown, "pills", "choice", "copy", ReleaseChoice.CONDITIONS)
    enter(shown, "text_area", "conditions", "copy", "Under contract.")
    assert doubts(shown) == [
        "2 attacks need attention: the conditions must cover them.",
        copied,
    ]
    view = view_of(shown)
    first, second = undecided_attacks(view.overview(SCORING), {})
    for number, choice in ((first, Choice.REDUCE), (second, Choice.ACCEPTED)):
        decide(view.store, number, choice, note="", standing="serious", alc=0.9, scoring=SCORING)
    shown.run()
    assert doubts(shown) == ["1 attack is still marked “reduce”.", copied]
    open_row(shown, "copy")
    assert "2 attacks need a decision: 2 have their own." in shown.texts
    choose(shown, "copy", ReleaseChoice.NOT)
    assert doubts(shown) == []


def test_a_second_published_release_is_doubted_and_the_others_are_left_by_one_click(shown):
    label = "Not chosen: 2 other releases"
    assert label not in shown.buttons
    choose(shown, "strong", ReleaseChoice.PUBLISH)
    shown.click(label)
    assert {name: made.choice for name, made in kept(shown).items()} == {
        "strong": ReleaseChoice.PUBLISH,
        "weak": ReleaseChoice.NOT_CHOSEN,
        "copy": ReleaseChoice.NOT_CHOSEN,
    }
    assert "Publish strong; not chosen: copy and weak." in shown.texts
    assert not any(label.startswith("Only one") for label in shown.buttons)
    assert not doubts(shown)
    choose(shown, "weak", ReleaseChoice.PUBLISH)
    assert any("weak and strong may reveal more together" in each for each in doubts(shown))


def test_conditions_belong_to_their_choice_alone(shown):
    assert not has(shown, "text_area", "conditions")
    choose(shown, "copy", ReleaseChoice.CONDITIONS)
    assert "No conditions entered." in shown.texts
    enter(shown, "text_area", "conditions", "copy", "Under contract only")
    assert kept(shown)["copy"].conditions == "Under contract only"
    assert "No conditions entered." not in shown.texts
    choose(shown, "copy", ReleaseChoice.NOT)
    assert not has(shown, "text_area", "conditions")
    assert kept(shown)["copy"].conditions == ""


def test_what_must_be_done_before_is_filled_in_as_a_condition(shown, monkeypatch):
    told = "The rows are shuffled before publication."
    monkeypatch.setattr(decision, "suggested_conditions", lambda line: told)
    choose(shown, "copy", ReleaseChoice.CONDITIONS)
    assert kept(shown)["copy"].conditions == told


def test_the_next_attack_without_a_decision_opens_on_its_page(shown):
    first, second = undecided_attacks(view_of(shown).overview(SCORING), {})
    open_row(shown, "copy")
    shown.click("Next attack to examine")
    assert shown.title == "One attack"
    assert shown.focus.attack == first
    shown.choose("pills", f"decision_{first}", Choice.REDUCE)
    shown.go_to("decision")
    shown.click("Next attack to examine")
    assert shown.focus.attack == second


def test_other_parameters_change_what_a_release_is_decided_as(shown):
    choose(shown, "copy", ReleaseChoice.NOT)
    shown.widget("slider", "rescoring_at_risk").set_range(0.99, 1.0)
    shown.run()
    scoring = alc.ScoringParameters(at_risk=0.99, serious=1.0)
    lines = candidate_lines(view_of(shown), scoring, {})
    line = next(each for each in lines if each.release == "copy")
    assert line.standing != "serious"
    assert "Decided when it was “serious”." in shown.texts
    assert f"It is “{line.standing}” now. Check the decision." in shown.texts


def test_a_saved_file_holds_the_decisions_and_an_opened_one_shows_them(shown):
    choose(shown, "copy", ReleaseChoice.CONDITIONS)
    enter(shown, "text_area", "conditions", "copy", "Under contract only")
    data = saved_campaign(shown.state.campaign.folder.path)
    shown.state.campaign.close()
    open_campaign(shown.state, "again.alc", data)
    shown.go_to("decision")
    form = in_row(shown, "pills", "choice", "copy")
    assert form.value == ReleaseChoice.CONDITIONS
    assert in_row(shown, "text_area", "conditions", "copy").value == "Under contract only"
    assert not shown.state.screen(DecisionScreen).open
    shown.state.campaign.close()


def test_what_no_file_holds_yet_is_told(shown):
    campaign = shown.state.campaign
    assert campaign.saved_at is None
    shown.run_framed()
    assert "Not saved" in shown.texts
    campaign.saved()
    saved = f"Saved {campaign.saved_at:%H:%M}"
    shown.run_framed()
    assert saved in shown.texts
    shown.go_to("decision")
    choose(shown, "copy", ReleaseChoice.NOT)
    shown.run_framed()
    assert "Not saved" in shown.texts
    assert saved not in shown.texts


def test_the_assessor_of_the_campaign_is_who_decides(review):
    keep_details(view_of(review).store, ReportDetails(assessor="The Office"))
    review.go_to("decision")
    assert review.widget("text_input", "ReportScreen_assessor").value == "The Office"


def test_before_a_campaign_the_way_is_shown(app):
    app.go_to("decision")
    assert app.title == "Decision"
    assert "No results yet." in app.texts
    assert not app.downloads


def test_without_a_result_nothing_is_known_of_a_release(app, review_file, tmp_path):
    with CampaignStore.open(review_file) as full:
        settings, planned = full.settings, full.attacks
    with CampaignStore.create(tmp_path / "planned.alc", settings, planned) as store:
        app.state.campaign = CampaignResult(view=CampaignView(store, approximate=True), folder=None)
        app.go_to("decision")
        assert "No result" in app.html
        choose(app, "copy", ReleaseChoice.PUBLISH)
        assert doubts(app) == ["2 attacks have no result."]
        assert "No results yet." in app.texts
        app.state.campaign = None


def test_all_that_must_not_be_published_is_refused_together(review, monkeypatch):
    # As if the releases that are safe were serious, too.
    monkeypatch.setitem(lines.PUBLISHING, Verdict.BELOW_LIMIT, Publishing.CHANGE)
    found = candidate_lines(view_of(review), SCORING, {})
    serious = [line.release for line in found if line.publishing is Publishing.CHANGE]
    assert len(serious) >= 2
    review.go_to("decision")
    label = f"Do not publish {listed(serious)}"
    review.click(label)
    assert {name: made.choice for name, made in kept(review).items()} == dict.fromkeys(
        serious, ReleaseChoice.NOT
    )
    assert label not in review.buttons


def test_what_is_to_be_examined_is_suggested_to_be_changed_and_tested_again(review, monkeypatch):
    monkeypatch.setitem(lines.PUBLISHING, Verdict.BELOW_LIMIT, Publishing.EXAMINE)
    found = candidate_lines(view_of(review), SCORING, {})
    doubtful = [line.release for line in found if line.publishing is Publishing.EXAMINE]
    assert doubtful
    review.go_to("decision")
    assert any(label.startswith("Do not publish copy") for label in review.buttons)
    label = f"Change {listed(doubtful)} and test again"
    review.click(label)
    assert {name: made.choice for name, made in kept(review).items()} == dict.fromkeys(
        doubtful, ReleaseChoice.CHANGE
    )
    assert label not in review.buttons


def test_the_button_for_all_others_counts_those_that_are_published(shown):
    for name in ("strong", "weak"):
        choose(shown, name, ReleaseChoice.PUBLISH)
    assert "Not chosen: 1 other release" in shown.buttons


def test_reasons_stay_where_a_suggestion_is_taken(shown):
    open_row(shown, "copy")
    enter(shown, "text_area", "reasons", "copy", "Rows of real people.")
    shown.click("Do not publish copy")
    assert kept(shown)["copy"].reasons == "Rows of real people."
