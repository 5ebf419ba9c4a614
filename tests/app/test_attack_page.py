"""The page of one attack: from one to the next, and which of them wait for a decision."""

import pytest

import alc_core as alc
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.decisions import Choice, decisions, undecided_attacks
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.review.attack_words import verdict_title

SCORING = alc.ScoringParameters()


@pytest.fixture
def shown(review):
    review.go_to("one_attack")
    assert review.title == "One attack"
    return review


def ranked(app, release=None):
    """The attacks with a result, worst first."""
    results = app.state.campaign.view.only(release).overview(SCORING).results
    return results["number"].tolist()


def is_open(app, number: int) -> bool:
    view = app.state.campaign.view
    attack = view.attack(number)
    title = verdict_title(view.assessment(number))
    return f"From {attack.release}." in app.texts and title in app.html


def waiting(app) -> str:
    """The button that opens the next attack without a decision."""
    return next((each for each in app.buttons if each == "Next to examine"), "")


def test_the_worst_attack_is_open_at_first_and_the_others_follow(shown):
    numbers = ranked(shown)
    assert len(numbers) == 6
    assert shown.buttons["Previous"].disabled
    for place, number in enumerate(numbers, 1):
        assert f"{place} of 6" in shown.texts
        assert is_open(shown, number)
        if place < 6:
            shown.click("Next")
    assert shown.buttons["Next"].disabled
    shown.click("Previous")
    assert is_open(shown, numbers[-2])
    assert shown.focus.attack == numbers[-2]


def test_the_attack_stays_open_on_other_pages_and_back(shown):
    shown.click("Next")
    shown.go_to("findings")
    assert shown.title == "Findings", "nothing was clicked there"
    shown.go_to("one_attack")
    assert is_open(shown, ranked(shown)[1])


def test_next_without_a_decision_goes_through_those_that_ask_for_one(shown):
    view = shown.state.campaign.view
    first, second = undecided_attacks(view.overview(SCORING), {})
    assert is_open(shown, first)
    assert waiting(shown) == "Next to examine"
    shown.choose("pills", f"decision_{first}", Choice.REDUCE)
    assert waiting(shown) == "Next to examine"
    shown.click(waiting(shown))
    assert is_open(shown, second)
    assert waiting(shown) == "", "the first has a decision, and this one is open"
    shown.choose("pills", f"decision_{second}", Choice.ACCEPTED)
    found = {number: made.choice for number, made in decisions(view.store).items()}
    assert found == {first: Choice.REDUCE, second: Choice.ACCEPTED}


def test_next_without_a_decision_begins_again_after_the_last(shown):
    view = shown.state.campaign.view
    first, second = undecided_attacks(view.overview(SCORING), {})
    shown.open_attack(second)
    shown.click(waiting(shown))
    assert is_open(shown, first)


def test_a_release_that_is_looked_at_limits_the_walk(shown):
    shown.choose("selectbox", "Focus_release", "strong")
    own = ranked(shown, "strong")
    assert len(own) == 2
    assert is_open(shown, own[0])
    assert "1 of 2" in shown.texts
    assert waiting(shown) == "", "those that ask are on another release"
    shown.click("Next")
    assert is_open(shown, own[1])
    assert shown.buttons["Next"].disabled


def test_an_attack_of_another_release_gives_way_to_the_worst_of_the_chosen_one(shown):
    copied = ranked(shown, "copy")[1]
    shown.open_attack(copied)
    shown.choose("selectbox", "Focus_release", "weak")
    assert is_open(shown, ranked(shown, "weak")[0])


def test_before_a_campaign_the_way_is_shown(app):
    app.go_to("one_attack")
    assert app.title == "One attack"
    assert "No results yet." in app.texts


def test_without_a_result_the_page_says_so(app, review_file, tmp_path):
    with CampaignStore.open(review_file) as full:
        settings, planned = full.settings, full.attacks
    with CampaignStore.create(tmp_path / "planned.alc", settings, planned) as store:
        app.state.campaign = CampaignResult(view=CampaignView(store, approximate=True), folder=None)
        app.go_to("one_attack")
        assert "No results yet." in app.texts
        assert "0 of 6 attacks have a result so far." in app.texts
        app.state.campaign = None
