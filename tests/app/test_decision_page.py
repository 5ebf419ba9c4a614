"""The Decision page: what is entered about a release is kept at once and found again."""

import dataclasses
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
    decide_release,
    release_decision_sentence,
    release_decisions,
)
from alc_core.candidates.lines import Publishing, candidate_lines, line_sentence
from alc_core.dashboard.decision import page as decision
from alc_core.dashboard.decision.report import HTML_TASK
from alc_core.dashboard.decision.report_screen import ReportScreen
from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.report.html.document import report_html
from alc_core.report.html.options import Details, ReportOptions, keep_details
from alc_core.scoring.verdict import Verdict

SCORING = alc.ScoringParameters()
SERIOUS = "An attack is serious: publishing as it is gives away most of what it wants."


@pytest.fixture
def shown(review):
    review.go_to("decision")
    assert review.title == "Decision"
    return review


@pytest.fixture
def copied(shown):
    """The page about the release that nobody may publish."""
    shown.choose("selectbox", "Focus_candidate", "copy")
    return shown


def view_of(app):
    return app.state.campaign.view


def kept(app):
    return release_decisions(view_of(app).store)


def line_of(app, release):
    lines = candidate_lines(view_of(app), SCORING, {})
    return next(line for line in lines if line.release == release)


def in_form(app, kind, name):
    """Return a widget of the form; each release has its own."""
    return next(w for w in app.test.get(kind) if str(w.key).startswith(f"DecisionForm_{name}_"))


def choose(app, choice):
    in_form(app, "segmented_control", "choice").set_value(choice)
    app.run()


def enter(app, kind, name, value):
    in_form(app, kind, name).set_value(value)
    app.run()


def warnings(app):
    return [warning.value.replace("\\", "") for warning in app.test.warning]


def has_conditions(app) -> bool:
    return any(str(area.key).startswith("DecisionForm_conditions") for area in app.test.text_area)


def test_it_begins_with_the_release_that_stands_best(shown):
    first = candidate_lines(view_of(shown), SCORING, {})[-1]
    assert shown.widget("selectbox", "Focus_candidate").value == first.release
    assert line_sentence(first) in shown.texts
    assert "no model tried yet" in shown.html
    assert "Next attack without a decision" not in " ".join(shown.buttons)
    assert in_form(shown, "date_input", "day").value == date.today()
    assert kept(shown) == {}


def test_what_is_entered_is_in_the_file_at_once(copied):
    choose(copied, ReleaseChoice.NOT)
    assert kept(copied)["copy"].choice is ReleaseChoice.NOT
    enter(copied, "text_area", "reasons", "It is the <b>original</b>.")
    enter(copied, "text_input", "name", "A. Reviewer")
    enter(copied, "date_input", "day", date(2025, 12, 31))
    (made,) = kept(copied).values()
    assert (made.choice, made.reasons, made.name, made.day) == (
        ReleaseChoice.NOT, "It is the <b>original</b>.", "A. Reviewer", "2025-12-31",
    )  # fmt: skip
    line = line_of(copied, "copy")
    assert (made.standing, made.alc, made.scoring) == ("serious", line.worst.alc, SCORING)
    assert release_decision_sentence(made, line) in copied.texts
    assert "Decided by A. Reviewer on 2025-12-31. The release was “serious” then" in copied.texts


def test_without_choice_and_words_it_is_taken_back(copied):
    choose(copied, ReleaseChoice.NOT)
    choose(copied, None)
    assert kept(copied) == {}
    assert "Kept in the campaign's file and on the first page of the report." in copied.texts


def test_what_speaks_against_a_decision_is_said(copied):
    assert warnings(copied) == []
    choose(copied, ReleaseChoice.PUBLISH)
    accepted = "The risk of 2 attacks that ask for a closer look is accepted with this decision."
    assert warnings(copied) == [accepted, SERIOUS]
    choose(copied, ReleaseChoice.CONDITIONS)
    assert warnings(copied) == [
        "2 attacks ask for a closer look: the conditions must cover what they may learn."
    ]
    view = view_of(copied)
    first, second = undecided_attacks(view.overview(SCORING), {})
    for number, choice in ((first, Choice.REDUCE), (second, Choice.ACCEPTED)):
        decide(view.store, number, choice, note="", standing="serious", alc=0.9, scoring=SCORING)
    copied.run()
    assert warnings(copied) == ["1 attack is still to be reduced."]
    assert "2 attacks ask for a decision: 2 have one of their own." in copied.texts
    choose(copied, ReleaseChoice.NOT)
    assert warnings(copied) == []


def test_against_publishing_what_is_safe_speaks_only_what_was_not_tried(shown):
    choose(shown, ReleaseChoice.PUBLISH)
    (untried,) = warnings(shown)
    assert untried.startswith("No model was tried.")
    assert [made.choice for made in kept(shown).values()] == [ReleaseChoice.PUBLISH]


def test_conditions_belong_to_their_choice_alone(copied):
    assert not has_conditions(copied)
    choose(copied, ReleaseChoice.CONDITIONS)
    enter(copied, "text_area", "conditions", "Under contract only")
    assert kept(copied)["copy"].conditions == "Under contract only"
    choose(copied, ReleaseChoice.NOT)
    assert not has_conditions(copied)
    assert kept(copied)["copy"].conditions == ""


def test_each_release_has_a_decision_of_its_own(copied):
    choose(copied, ReleaseChoice.NOT)
    enter(copied, "text_area", "reasons", "Of the copy")
    copied.choose("selectbox", "Focus_candidate", "strong")
    assert in_form(copied, "segmented_control", "choice").value is None
    assert in_form(copied, "text_area", "reasons").value == ""
    choose(copied, ReleaseChoice.PUBLISH)
    enter(copied, "text_area", "reasons", "Of the strong one")
    copied.choose("selectbox", "Focus_candidate", "copy")
    assert in_form(copied, "segmented_control", "choice").value == ReleaseChoice.NOT
    assert in_form(copied, "text_area", "reasons").value == "Of the copy"
    found = {name: (made.choice, made.reasons) for name, made in kept(copied).items()}
    assert found == {
        "copy": (ReleaseChoice.NOT, "Of the copy"),
        "strong": (ReleaseChoice.PUBLISH, "Of the strong one"),
    }
    copied.run_framed()
    assert "2 of 3 releases" in copied.texts


def test_the_next_attack_without_a_decision_opens_on_its_page(copied):
    first, second = undecided_attacks(view_of(copied).overview(SCORING), {})
    copied.click("Next attack without a decision (2)")
    assert copied.title == "One attack"
    assert copied.focus.attack == first
    assert "1 of 6, worst first" in copied.texts
    copied.choose("segmented_control", f"decision_{first}", Choice.REDUCE)
    copied.go_to("decision")
    copied.click("Next attack without a decision (1)")
    assert copied.focus.attack == second


def test_other_parameters_change_what_a_release_is_decided_as(copied):
    choose(copied, ReleaseChoice.NOT)
    copied.widget("slider", "Rescoring_limits").set_range(0.99, 1.0)
    copied.run()
    scoring = alc.ScoringParameters(at_risk=0.99, serious=1.0)
    line = next(
        each for each in candidate_lines(view_of(copied), scoring, {}) if each.release == "copy"
    )
    assert line.standing != "serious"
    assert f"It is “{line.standing}” now: check whether the decision still holds." in copied.texts
    enter(copied, "text_area", "reasons", "Seen again")
    assert (kept(copied)["copy"].standing, kept(copied)["copy"].scoring) == (
        line.standing, scoring,
    )  # fmt: skip


def test_a_saved_file_holds_the_decisions_and_an_opened_one_shows_them(copied):
    choose(copied, ReleaseChoice.CONDITIONS)
    enter(copied, "text_area", "conditions", "Under contract only")
    data = saved_campaign(copied.state.campaign.folder.path)
    copied.state.campaign.close()
    open_campaign(copied.state, "again.alc", data)
    copied.go_to("decision")
    copied.choose("selectbox", "Focus_candidate", "copy")
    form = in_form(copied, "segmented_control", "choice")
    assert form.value == ReleaseChoice.CONDITIONS
    assert in_form(copied, "text_area", "conditions").value == "Under contract only"
    enter(copied, "text_area", "reasons", "After a look")
    assert kept(copied)["copy"].reasons == "After a look"
    copied.state.campaign.close()


def test_the_assessor_of_the_report_is_who_decides(shown):
    keep_details(view_of(shown).store, Details(assessor="The Office"))
    shown.choose("selectbox", "Focus_candidate", "copy")
    assert in_form(shown, "text_input", "name").value == "The Office"


def test_before_a_campaign_the_way_is_shown(app):
    app.go_to("decision")
    assert app.title == "Decision"
    assert "There is nothing to decide on yet." in app.texts


def test_without_a_result_nothing_is_known_of_a_release(app, review_file, tmp_path):
    with CampaignStore.open(review_file) as full:
        settings, planned = full.settings, full.attacks
    with CampaignStore.create(tmp_path / "planned.alc", settings, planned) as store:
        app.state.campaign = CampaignResult(view=CampaignView(store), folder=None)
        app.go_to("decision")
        assert "No result: not known yet" in app.html
        choose(app, ReleaseChoice.PUBLISH)
        assert warnings(app) == ["2 attacks have no result."]
        app.state.campaign = None


def test_deciding_on_one_release_does_not_narrow_what_findings_shows(shown):
    shown.choose("selectbox", "Focus_candidate", "copy")
    assert shown.focus.release == ""
    shown.go_to("findings")
    assert shown.widget("selectbox", "Focus_release").value == ""
    shown.choose("selectbox", "Focus_release", "strong")
    shown.go_to("decision")
    assert shown.widget("selectbox", "Focus_candidate").value == "strong"
    shown.choose("selectbox", "Focus_candidate", "copy")
    assert shown.focus.release == "copy"


def test_each_release_is_decided_by_one_click(copied):
    enter(copied, "text_input", "name", "A. Reviewer")
    choose(copied, ReleaseChoice.NOT)
    copied.choose("segmented_control", "decide_strong", ReleaseChoice.PUBLISH)
    copied.choose("segmented_control", "decide_copy", ReleaseChoice.CONDITIONS)
    found = kept(copied)
    for release, choice in (
        ("strong", ReleaseChoice.PUBLISH),
        ("copy", ReleaseChoice.CONDITIONS),
    ):
        assert found[release].choice is choice
        assert found[release].name == "A. Reviewer"
    assert in_form(copied, "segmented_control", "choice").value == ReleaseChoice.CONDITIONS
    copied.choose("segmented_control", "decide_strong", None)
    assert copied.widget("selectbox", "Focus_candidate").value == "strong", "the form follows"
    assert in_form(copied, "segmented_control", "choice").value is None
    enter(copied, "text_area", "reasons", "Not yet.")
    assert kept(copied)["strong"].reasons == "Not yet."
    enter(copied, "text_area", "reasons", "")
    assert "strong" not in kept(copied)


def test_without_words_of_the_decider_what_the_attacks_find_stays_the_reason(copied):
    copied.choose("segmented_control", "decide_strong", ReleaseChoice.PUBLISH)
    assert kept(copied)["strong"].reasons == ""
    document = report_html(copied.state.campaign.view, ReportOptions(scoring=SCORING))
    assert "what the attacks found, as said above" in document


def test_all_that_must_not_be_published_is_refused_together(review, monkeypatch):
    # As if the releases that are safe were serious, too.
    monkeypatch.setitem(lines._BY_STANDING, Verdict.SAFE, Publishing.CHANGE)
    found = candidate_lines(view_of(review), SCORING, {})
    serious = [line.release for line in found if line.publishing is Publishing.CHANGE]
    assert len(serious) >= 2
    review.go_to("decision")
    label = f"Do not publish: the {len(serious)} releases with serious attacks"
    review.click(label)
    assert {name: made.choice for name, made in kept(review).items()} == dict.fromkeys(
        serious, ReleaseChoice.NOT
    )
    assert label not in review.buttons


def test_a_single_serious_release_is_decided_by_its_own_buttons(shown):
    assert not any(label.startswith("Do not publish: the") for label in shown.buttons)


def test_the_report_is_made_by_the_click_that_asks_for_it(copied):
    copied.click("Make the report")
    assert copied.title == "Report"
    copied.finish_task(HTML_TASK)
    assert copied.state.screen(ReportScreen).made is not None


def test_conditions_that_are_not_named_are_asked_for(copied):
    copied.choose("segmented_control", "decide_strong", ReleaseChoice.CONDITIONS)
    assert "strong: no condition is named" in copied.texts
    copied.choose("selectbox", "Focus_candidate", "strong")
    enter(copied, "text_area", "conditions", "Under contract.")
    assert kept(copied)["strong"].conditions == "Under contract."
    assert "no condition is named" not in copied.texts


def test_one_name_signs_all_decisions_and_the_report(copied):
    copied.choose("segmented_control", "decide_strong", ReleaseChoice.PUBLISH)
    copied.choose("segmented_control", "decide_copy", ReleaseChoice.NOT)
    assert {made.name for made in kept(copied).values()} == {""}
    enter(copied, "text_input", "name", "A. Reviewer")
    assert [made.name for made in kept(copied).values()] == ["A. Reviewer"] * 2
    copied.go_to("decision")
    assert copied.widget("text_input", "ReportScreen_assessor").value == "A. Reviewer"


def test_what_must_be_done_before_is_filled_in_as_a_condition(copied, monkeypatch):
    told = "The rows are shuffled before publication."
    monkeypatch.setattr(decision, "suggested_conditions", lambda line: told)
    copied.choose("segmented_control", "decide_copy", ReleaseChoice.CONDITIONS)
    assert kept(copied)["copy"].conditions == told
    copied.choose("segmented_control", "decide_copy", None)
    assert "copy" not in kept(copied)


def test_conditions_are_named_below_the_choice_in_the_list(copied):
    copied.choose("segmented_control", "decide_strong", ReleaseChoice.CONDITIONS)
    copied.choose("text_input", "conditions_of_strong", "Under contract.")
    assert kept(copied)["strong"].conditions == "Under contract."
    assert kept(copied)["strong"].choice is ReleaseChoice.CONDITIONS
    assert "no condition is named" not in copied.texts
    copied.choose("segmented_control", "decide_strong", ReleaseChoice.NOT)
    assert not [each for each in copied.test.text_input if each.key == "conditions_of_strong"]


def test_a_release_that_stands_otherwise_than_when_it_was_decided_is_told_in_the_list(copied):
    line = dataclasses.replace(line_of(copied, "strong"), standing=Verdict.AT_RISK)
    decide_release(view_of(copied).store, line, ReleaseChoice.PUBLISH, scoring=SCORING)
    copied.run()
    assert "strong: decided when it was “at risk”. It is “" in copied.texts
    assert "copy: decided when" not in copied.texts
