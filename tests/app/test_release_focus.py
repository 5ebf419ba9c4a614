"""Which release a review looks at: all, one line each, or one on all pages."""

import html

import pytest

import alc_core as alc
from alc_core.candidates.coverage import UNLIKE
from alc_core.candidates.line import Reason
from alc_core.candidates.lines import candidate_lines
from alc_core.compare.comparison import compare_releases
from alc_core.dashboard.parts import header
from alc_core.dashboard.statistics.trade_offs import TradeOffChoices
from alc_core.review.attack_words import short_sentence
from alc_core.review.campaign_words import candidates_title
from alc_core.review.release_words import reason_sentence
from alc_core.studies.utility.result import KEPT_UTILITIES
from tests.app.conftest import opened
from tests.toys.utility import utility_of

SCORING = alc.ScoringParameters()


def lines_of(app, scoring=None):
    view = app.state.campaign.view
    return candidate_lines(view, scoring or view.settings.scoring, {})


def look_at(app, release: str) -> None:
    app.choose("selectbox", "Focus_release", release)


def worst_of(app, release: str) -> None:
    place = [line.release for line in lines_of(app)].index(release)
    app.widget("button", f"worst_{place}").click()
    app.run()


def attacks(app):
    return next(frame.value for frame in app.test.dataframe if "alc" in frame.value.columns)


@pytest.fixture
def shown(review):
    review.go_to("findings")
    return review


def test_findings_lead_with_one_line_a_release_refused_ones_first(shown):
    assert "## 1 of 3 releases should not be published unchanged" in shown.texts
    drawn = [
        element.value for element in shown.test.get("html") if "font-weight:650" in element.value
    ]
    drawn = [each for each in drawn if ">copy<" in each or ">weak<" in each or ">strong<" in each]
    names = [name for each in drawn for name in ("copy", "weak", "strong") if f">{name}<" in each]
    assert names == [line.release for line in lines_of(shown)]
    assert names[0] == "copy"
    assert "Do not publish unchanged" in drawn[0]
    assert all(">No problem found yet<" in each for each in drawn[1:])
    for line, each in zip(lines_of(shown), drawn, strict=True):
        found = shown.state.campaign.view.assessment(line.worst.attack.number)
        linked = line.reason is Reason.LINKED
        words = reason_sentence(line) if linked else short_sentence(found)
        assert html.escape(words) in each
    assert shown.charts[0].startswith("2 attacks, worst first, by release.")
    assert attacks(shown)["release"].value_counts().to_dict() == dict.fromkeys(names, 2)


def test_one_release_can_be_looked_at_and_the_choice_leads_back(shown):
    look_at(shown, "copy")
    assert shown.title == "Findings"
    assert shown.widget("selectbox", "Focus_release").value == "copy"
    view = shown.state.campaign.view.only("copy")
    overview = view.overview(SCORING)
    assert "## Do not publish the release" in shown.texts
    assert ">strong<" not in shown.html
    assert attacks(shown)["number"].tolist() == overview.results["number"].tolist()
    assert len(attacks(shown)) == 2
    assert "release" not in attacks(shown).columns
    shown.choose("selectbox", "Focus_release", "")
    assert candidates_title(lines_of(shown)) in shown.texts
    assert len(attacks(shown)) == 6


@pytest.fixture
def measured(shown):
    """The findings with the usefulness of two releases."""
    store = shown.state.campaign.view.store
    for name, distance in (("copy", 0.01), ("strong", 0.3)):
        KEPT_UTILITIES.keep(store, utility_of(store, name, pairs=(("a", "b", distance),)))
    shown.run()
    return shown


def test_a_release_clicked_on_the_map_is_looked_at_and_the_choice_leads_back(measured, monkeypatch):
    assert measured.charts[0].startswith("Risk by usefulness")
    assert "Not measured: weak." in measured.texts
    view = measured.state.campaign.view
    releases = compare_releases(view, view.settings.scoring).releases
    for name in ("strong", "copy"):
        monkeypatch.setattr(header, "clicked_point", lambda _, name=name: releases.index(name))
        measured.focus.look_at_clicked("risk_and_use", releases)
        measured.run()
        assert measured.widget("selectbox", "Focus_release").value == name
        assert len(attacks(measured)) == 2
        for each in ("copy", "strong"):
            assert f"{each}: 90% of relations kept" in measured.charts[0]
    monkeypatch.setattr(header, "clicked_point", lambda _: None)
    measured.focus.look_at_clicked("risk_and_use", releases)
    assert measured.focus.release == "copy"
    look_at(measured, "")
    assert len(attacks(measured)) == 6


def test_the_map_has_usefulness_by_models_where_there_are_any(measured):
    measured.choose("segmented_control", "MapChoices_utility", "accuracy")
    assert "strong: models reach 75% of the original's accuracy" in measured.charts[0]
    assert "Short line: the most frequent value." in measured.helps
    store = measured.state.campaign.view.store
    for name in ("copy", "strong"):
        KEPT_UTILITIES.keep(store, utility_of(store, name, targets=()))
    measured.run()
    assert "copy: 90% of relations kept" in measured.charts[0]
    assert not measured.test.segmented_control


def test_releases_measured_in_different_ways_are_told_below_the_map(measured):
    assert "seeds or columns" not in measured.texts
    store = measured.state.campaign.view.store
    KEPT_UTILITIES.keep(store, utility_of(store, "copy", bins=5))
    measured.run()
    assert "seeds or columns" in measured.texts


def test_the_map_leads_to_what_changed_in_each_release(measured):
    (link,) = (each for each in measured.test.get("page_link") if "changed" in each.proto.label)
    assert "part=utility" in link.proto.query_string
    measured.go_to("utility")
    assert "Largest distances: 'a' and 'b' (0.01)" in measured.texts
    assert "Upload the tables to see distributions." in measured.texts


def test_the_other_pages_follow(shown):
    look_at(shown, "copy")
    shown.go_to("trade-offs")
    assert shown.widget("selectbox", "Focus_release").value == "copy"
    assert shown.state.screen(TradeOffChoices).grid.finished == 2
    assert "of 2 attacks" in shown.charts[0]
    shown.go_to("one_attack")
    assert "1 of 2" in shown.texts
    shown.go_to("decision")
    assert "Less :gray[on copy]" in shown.buttons, "its row is open"
    shown.go_to("compare")
    assert not [box for box in shown.test.selectbox if box.key == "Focus_release"]
    shown.go_to("trade-offs")
    shown.choose("selectbox", "Focus_release", "")
    assert shown.state.screen(TradeOffChoices).grid.finished == 6
    shown.go_to("findings")
    assert candidates_title(lines_of(shown)) in shown.texts


def test_an_attack_opens_even_if_it_is_on_another_release_than_the_one_looked_at(shown):
    look_at(shown, "copy")
    view = shown.state.campaign.view
    other = next(attack.number for attack in view.attacks if attack.release == "strong")
    shown.go_to("compare")
    shown.open_attack(other)
    assert "From strong." in shown.texts
    assert shown.widget("selectbox", "Focus_release").value == ""


def test_the_worst_attack_opens_without_a_mark_to_click(shown):
    worst = shown.state.campaign.view.overview(SCORING).worst
    worst_of(shown, lines_of(shown)[0].release)
    assert (shown.title, shown.focus.attack) == ("One attack", worst)
    shown.go_to("findings")
    worst_of(shown, "strong")
    assert shown.focus.attack == shown.state.campaign.view.only("strong").overview(SCORING).worst


def test_what_only_best_row_match_cleared_asks_for_a_model(shown):
    assert shown.html.count("No problem found yet") == 2
    assert not [each for each in shown.buttons if each.startswith("Run the model")], (
        "the tables are not there to run it on"
    )
    look_at(shown, "copy")
    assert "No problem found yet" not in shown.html
    shown.go_to("decision")
    assert "the attack “model” on " in shown.texts


def test_releases_that_were_not_tried_alike_are_told_apart(app, people, quick_run, tmp_path):
    frame = people(900)
    releases = {"all": frame.copy(), "renamed": frame.rename(columns={"city": "town"})}
    plan = alc.plan_campaign(
        frame, releases, unknown=["job", "city"], known_sets=0, named=[["age", "hours"]],
        all_others=False, targets=alc.Targets(count=300),
    )  # fmt: skip
    quick_run(frame, releases, tmp_path / "renamed.alc", plan=plan).close()
    with opened(app, tmp_path / "renamed.alc"):
        app.go_to("findings")
        assert UNLIKE in app.texts
        tried = next(e.value for e in app.test.dataframe if "renamed" in e.value.columns)
        assert tried.loc["city"].to_dict() == {"all": 1, "renamed": 0}
