import pytest

import alc_core as alc
from alc_core.compare.comparison import compare_releases, compare_with, release_losses
from alc_core.compare.sentences import comparison_title
from alc_core.dashboard.statistics.compare import CompareChoices
from tests.app.conftest import NASTY, SAME, opened


@pytest.fixture
def shown(app, mixed):
    """An app on the page, unfolded, with the campaign on two releases."""
    app.take(mixed, "compare", SAME)
    screen(app).explore_open = True
    app.run()
    return app


def compared(app, scoring=None):
    view = app.state.campaign.view
    return compare_releases(view, scoring or view.settings.scoring)


def screen(app):
    return app.state.screen(CompareChoices)


def test_without_a_campaign_the_page_says_what_it_needs(app):
    app.go_to("compare")
    assert app.title == "Statistics"
    assert "No results yet." in app.texts


def test_the_headline_compares_with_the_riskiest_release(shown):
    comparison = compared(shown)
    title = comparison_title(comparison, [compare_with(comparison, "copy", "strong")])
    assert title.startswith("“strong” is safer than “copy” in ")
    assert title in shown.texts
    assert "2 more attacks have no result" not in shown.texts
    assert "1 more attack has no ALC on one or both." in shown.texts
    safer = "Attacks on “copy” (serious, "
    assert safer in shown.texts
    assert "The sliders match the run." in shown.texts
    assert "the more severe reading, or 0" in shown.helps


def test_what_is_folded_away_is_not_drawn(shown):
    screen(shown).explore_open = False
    shown.run()
    assert not shown.charts


def test_another_reference_turns_the_comparison_around(shown):
    shown.choose("selectbox", "CompareChoices_reference", "strong")
    assert "“copy” is riskier than “strong” in" in shown.texts
    assert "From strong to copy." in shown.texts
    shown.go_to("start")
    shown.go_to("compare")
    assert "“copy” is riskier than “strong” in" in shown.texts


def test_figures_and_tables_hold_all_attacks_with_names_as_they_are(shown):
    distributions, changes = shown.charts
    assert "Distribution of ALC by release. copy: 2 attacks" in distributions
    assert "2 clearly safer" in changes or "1 clearly safer" in changes
    listed = shown.table("difference")
    assert NASTY in listed["unknown"].tolist()
    assert listed["before"].tolist()[0] == ["✖ Serious"]
    assert (listed["difference"] < 0).all()


def test_a_clicked_attack_is_shown_on_all_releases_and_opens_on_its_page(shown):
    comparison = compared(shown)
    number = int(comparison.number[1, 1])
    screen(shown).picked, screen(shown).picked_in = number, "compare_changes"
    shown.run()
    assert f"infers **{comparison.unknown[1]}**, knowing age and hours" in shown.texts
    shown.widget("button", "open_1").click()
    shown.test.run()
    assert not shown.test.exception
    assert shown.focus.attack == number
    assert shown.title == "One attack"
    assert f"From {comparison.releases[1]}." in shown.texts


def test_an_attack_without_a_result_cannot_be_opened(shown):
    comparison = compared(shown)
    screen(shown).picked = int(comparison.number[2, 0])
    screen(shown).picked_in = "compare_changes"
    shown.run()
    assert "copy: **No result**, ALC not known" in shown.texts
    assert "Open the attack" not in shown.buttons
    shown.click("Close")
    assert screen(shown).picked is None
    assert "The chosen attack" not in shown.texts


def test_sliders_score_the_comparison_too(shown):
    assert "2 serious" in shown.charts[0]
    shown.widget("slider", "rescoring_at_risk").set_range(0.99, 1.0)
    shown.run()
    scoring = alc.ScoringParameters(at_risk=0.99, serious=1.0)
    before, now = (release_losses(compared(shown, each))[0] for each in (None, scoring))
    assert now.flagged < before.flagged
    assert "2 serious" not in shown.charts[0]
    assert "What if: at-risk limit 0.99, serious limit 1." in shown.texts
    shown.widget("slider", "rescoring_at_risk").set_range(0.5, 0.5)
    shown.run()
    assert "at_risk must be less than serious" in shown.texts
    assert not shown.charts


def test_one_release_is_told_and_still_has_its_figures(app, small_file):
    with opened(app, small_file):
        app.go_to("compare")
        screen(app).explore_open = True
        app.run()
        assert "A comparison needs two or more releases" in app.texts
        assert len(app.charts) == 1
        assert not [w for w in app.test.selectbox if w.key == "CompareChoices_reference"]
