from __future__ import annotations

from types import SimpleNamespace

import pytest

import alc_core as alc
from alc_core.assessment.words import interval_text, verdict_title
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.file.database import saved_campaign
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.decisions import Choice, decide, decisions
from alc_core.campaign.findings.overview import overview_title
from alc_core.campaign.findings.summary import headline
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.state.campaign_state import CampaignResult

NASTY = "<b>city</b> **x** $y$"


@pytest.fixture(scope="module")
def file(people, tmp_path_factory):
    """A finished campaign: two releases, one of them the original, and a failed attack."""
    frame = people(900).rename(columns={"city": NASTY})
    releases = {"copy": frame.copy(), "strong": alc.swap_columns(frame, 0.9, seed=1)}
    plan = alc.plan_campaign(
        frame, releases, unknown=["job", NASTY], known_sets=0, named=[["age", "hours"]],
        all_others=False, targets=alc.Targets(count=600),
    )  # fmt: skip
    path = tmp_path_factory.mktemp("campaign") / "campaign.alc"
    with alc.run_campaign(
        frame, releases, path, plan=plan, families=(NaiveBayes(),), jobs=1
    ) as store:
        extra = alc.plan_campaign(
            frame, releases, unknown=["hours"], known_sets=0, named=[["age"]], all_others=False
        )
        store.extend(extra.attacks)
        store.add_failure(4, "The column 'hours' has too few <b>values</b>.", seconds=0.1)
    return path


@pytest.fixture
def store(file, tmp_path):
    path = tmp_path / "campaign.alc"
    path.write_bytes(saved_campaign(file))
    with CampaignStore.open(path) as opened:
        yield opened


@pytest.fixture
def shown(app, store):
    """An app on the Findings page with a campaign."""
    app.state.campaign = CampaignResult(
        view=CampaignView(store), inputs=None, plan=None,
        folder=SimpleNamespace(path=store.path, discard=lambda: None),
    )  # fmt: skip
    app.test.switch_page("pages/findings.py")
    app.run()
    return app


def html(app) -> str:
    return "\n".join(element.value for element in app.test.get("html"))


def table(app):
    return next(frame.value for frame in app.test.dataframe if "alc" in frame.value.columns)


def charts(app):
    return [chart.proto.alt for chart in app.test.get("plotly_chart")]


def screen(app):
    return app.test.session_state["findings_screen"]


def test_the_verdict_comes_first_in_words_numbers_and_by_release(shown):
    view = shown.state.campaign.view
    overview = view.overview(view.settings.scoring)
    assert overview.counts["serious"]
    assert headline(overview.summary) in shown.texts
    first = html(shown)
    assert f"of {overview.summary.finished} attacks so far" in first
    for word in ("Serious", "At risk", "Undecided", "Safe", "No loss", "Failed", "Not yet run"):
        assert f">{word}</div>" in first
    assert ">copy</span>" in first
    assert ">strong</span>" in first


def test_the_table_holds_what_is_shown_and_nothing_else(shown):
    view = shown.state.campaign.view
    results = view.overview(view.settings.scoring).results
    found = table(shown)
    assert list(found.columns) == [
        "verdict", "alc", "alc_equal_recall", "interval", "unknown", "release", "precision",
        "recall", "n_known", "known", "number", "why",
    ]  # fmt: skip
    for name in ("alc", "alc_equal_recall"):
        assert found[name].tolist() == results[name].clip(lower=0).tolist()
    assert found["verdict"].iloc[0] == "✖ Serious"
    assert NASTY in found["unknown"].tolist()
    assert not found["interval"].str.contains("≈").any()


def test_the_worst_attack_is_open_and_says_which_it_is(shown):
    view = shown.state.campaign.view
    worst = view.overview(view.settings.scoring).worst
    attack, result = view.attack(worst), view.assessment(worst)
    assert "The worst attack in detail" in shown.texts
    assert f"Wants to learn **{attack.scenario.unknown}** from **{attack.release}**" in shown.texts
    assert "knows **age and hours**" in shown.texts
    assert f"Why these facts: {attack.reason}" in shown.texts
    assert verdict_title(result) in html(shown)
    assert len(charts(shown)) == 3
    assert "Ringed: " in charts(shown)[0]
    assert "SHA-256" in shown.texts


def test_attacks_are_also_shown_against_their_baselines(shown):
    assert "ALC against precision" in charts(shown)[0]
    shown.widget("segmented_control", "_Screen_picture").set_value("Attack and baseline")
    shown.run()
    assert "PRC of the attack against PRC of the baseline" in charts(shown)[0]


def test_another_attack_opens_when_it_is_chosen(shown):
    view = shown.state.campaign.view
    other = int(view.overview(view.settings.scoring).results["number"].iloc[-1])
    screen(shown).chosen = other
    shown.run()
    assert "The chosen attack in detail" in shown.texts
    assert f"from **{view.attack(other).release}**" in shown.texts
    assert verdict_title(view.assessment(other)) in html(shown)
    rows = shown.test.session_state["findings_table"]["selection"]["rows"]
    assert list(rows) == [len(table(shown)) - 1]


def test_sliders_score_all_attacks_and_the_flips_are_told(shown):
    shown.widget("slider", "Rescoring_limits").set_range(0.99, 1.0)
    shown.run()
    view = shown.state.campaign.view
    scoring = alc.ScoringParameters(at_risk=0.99, serious=1.0)
    flips = view.flips(scoring)
    assert len(flips)
    assert f"{len(flips)} attack" in shown.texts
    assert "from serious to" in shown.texts
    listed = next(f.value for f in shown.test.dataframe if "before" in f.value.columns)
    assert list(listed.columns) == ["before", "after", "alc", "release", "unknown", "known"]
    assert listed["before"].tolist() == [["✖ Serious"]] * len(flips)
    assert not table(shown)["interval"].str.contains("≈").any()
    shown.click("Back to the run's parameters")
    assert "These are the run's parameters." in shown.texts


def test_carried_over_intervals_are_marked_and_the_open_attack_is_exact(shown):
    shown.widget("slider", "Rescoring_alpha").set_value(2.0)
    shown.run()
    assert table(shown)["interval"].str.startswith("≈ ").all()
    assert "≈: approximated from the run's interval" in shown.texts
    view = shown.state.campaign.view
    number = view.overview(alc.ScoringParameters(alpha=2.0)).worst
    exact = view.assessment(number).rescore(alpha=2.0)
    assert not shown.state.campaign.view.rescored(alc.ScoringParameters(alpha=2.0)).exact.any()
    assert interval_text(exact, "alc") in shown.texts
    assert interval_text(exact, "alc_equal_recall") in shown.texts
    assert "Changed after the run: alpha 3 → 2" in shown.texts


def test_impossible_parameters_keep_the_page(shown):
    shown.widget("slider", "Rescoring_limits").set_range(0.5, 0.5)
    shown.run()
    assert shown.title == "Findings"
    assert "at_risk must be less than serious" in shown.texts
    assert not charts(shown)
    shown.click("Back to the run's parameters")
    assert charts(shown)


def test_filters_narrow_figure_and_table_but_no_count(shown):
    before = html(shown)
    shown.widget("multiselect", "AttackFilter_releases").set_value(["strong"])
    shown.run()
    assert set(table(shown)["release"]) == {"strong"}
    assert html(shown).startswith(before.split("By release")[0])
    assert "2 of 4 attacks with a result" in shown.texts
    shown.widget("text_input", "AttackFilter_text").set_value("NO SUCH COLUMN")
    shown.run()
    assert "No attack matches the filters." in shown.texts
    shown.click("Show all attacks")
    assert len(table(shown)) == 4
    shown.widget("text_input", "AttackFilter_text").set_value("CITY</B>")
    shown.run()
    assert set(table(shown)["unknown"]) == {NASTY}


def test_failed_attacks_are_listed_with_reasons(shown):
    assert any(expander.label == "1 attack failed: see why" for expander in shown.test.expander)
    failed = next(f.value for f in shown.test.dataframe if "reason" in f.value.columns)
    assert failed["reason"].tolist() == ["The column 'hours' has too few <b>values</b>."]
    assert failed["unknown"].tolist() == ["hours"]


def test_findings_and_the_open_attack_can_be_kept(shown):
    labels = [button.label for button in shown.test.get("download_button")]
    assert labels == [
        "Data (CSV)", "All attacks (CSV)", "All attacks (Excel)", "All attacks (Parquet)",
        "Save campaign file",
        "This attack (JSON)", "Its curves (CSV)", "Data (CSV)",
    ]  # fmt: skip


def test_a_what_if_says_so_beside_the_verdict_of_the_run(shown):
    view = shown.state.campaign.view
    title = overview_title(view.overview(view.settings.scoring))
    assert "What if (" not in html(shown)
    shown.widget("slider", "Rescoring_alpha").set_value(0.5)
    shown.run()
    what_if = overview_title(view.overview(alc.ScoringParameters(alpha=0.5)))
    assert f"What if (alpha 0.5): {what_if}" in html(shown)
    assert "The run itself:" in html(shown)
    assert title in html(shown)
    shown.click("Back to the run's parameters")
    assert "The run itself:" not in html(shown)


def test_what_is_missing_is_said_and_looked_for_again(shown):
    assert "4 of 6 attacks have a result so far." in shown.texts
    shown.click("Look again")
    assert "4 of 6 attacks have a result so far." in shown.texts


def test_a_decision_is_kept_at_once_and_found_again(shown, store):
    worst = shown.state.campaign.view.overview(alc.ScoringParameters()).worst
    assert "What a reviewer should ask next" in [e.label for e in shown.test.expander]
    assert "get to know age and hours of a person?" in shown.texts
    assert "None yet." in shown.texts
    shown.widget("segmented_control", f"decision_{worst}").set_value(Choice.REDUCE)
    shown.run()
    shown.widget("text_area", f"decision_note_{worst}").set_value("Drop <b>hours</b>")
    shown.run()
    (made,) = decisions(store).values()
    assert (made.choice, made.note, made.standing) == (
        Choice.REDUCE, "Drop <b>hours</b>", "serious",
    )  # fmt: skip
    assert "The attack was “serious” then" in shown.texts

    found = table(shown)
    assert found["decision"].tolist() == ["▼ To be reduced", *[""] * (len(found) - 1)]
    assert "attacks that ask for a decision (1 to be reduced)." in shown.texts
    shown.widget("multiselect", "AttackFilter_decisions").set_value([""])
    shown.run()
    assert len(table(shown)) == len(found) - 1

    shown.go_to("campaign")
    shown.go_to("findings")
    assert shown.widget("segmented_control", f"decision_{worst}").value == Choice.REDUCE
    decide(store, worst, None, note="Later", standing="safe", alc=0.1, scoring=made.scoring)
    shown.run()
    assert "check whether the decision still holds" in shown.texts


def test_inputs_that_changed_are_told(shown):
    campaign = shown.state.campaign
    shown.state.campaign = CampaignResult(
        view=campaign.view, plan=None, folder=campaign.folder,
        inputs=SimpleNamespace(differences=lambda other: ("the releases",)),
    )  # fmt: skip
    shown.run()
    assert "Out of date: since this campaign you changed the releases." in shown.texts
