"""The closer look at one attack: familiar numbers, marks, drivers, people."""

import shutil

import pytest

import alc_core as alc
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.model import KnownSetKind
from alc_core.dashboard.one_attack.closer_look import (
    MARKS_TASK,
    NEEDS_TABLES,
    NUMBERS_TASK,
    TRACE_TASK,
    CloserLook,
)
from alc_core.dashboard.parts import drivers
from alc_core.dashboard.parts.drivers import DriversScreen
from alc_core.explain.context import attack_contexts
from alc_core.explain.trace import MASK
from alc_core.releases.registry import as_release
from tests.app.conftest import SAME
from tests.toys.campaigns import run_quickly


@pytest.fixture(scope="module")
def files(people, tmp_path_factory):
    """Two files, and a finished campaign on them: with and without a known fact."""
    folder = tmp_path_factory.mktemp("closer")
    frame = people(800)
    frame.to_csv(folder / "people.csv", index=False)
    alc.swap_columns(frame, 0.2, seed=1).to_csv(folder / "release.csv", index=False)
    original, release = (
        alc.read_table(folder / "people.csv", name="people"),
        alc.read_table(folder / "release.csv", name="release"),
    )
    releases = {release.name: as_release(release)}
    run_quickly(
        original,
        releases,
        folder / "c.alc",
        named=[["age", "city", "hours"], ["age", "city"]],
        targets=500,
    ).close()
    return folder


@pytest.fixture
def store(files, tmp_path):
    copy = shutil.copy(files / "c.alc", tmp_path / "c.alc")
    with CampaignStore.open(copy) as opened:
        yield opened


@pytest.fixture
def shown(app, files, store):
    """An app on the page of one attack with the campaign."""
    names = ("people.csv", "release.csv")
    app.load(*((name, (files / name).read_bytes()) for name in names))
    app.take(store, "one_attack", SAME)
    assert app.state.campaign_tables() is not None
    return app


def unfold(app, *parts):
    look = app.state.screen(CloserLook)
    for part in parts:
        setattr(look, f"{part}_open", True)
    app.state.screen(DriversScreen).open = True
    app.run()
    app.finish_task(NUMBERS_TASK)
    return look


def charts(app):
    return " ".join(app.charts)


def tables(app):
    return [table.value for table in app.test.table]


def test_all_is_folded_away_and_costs_nothing_at_first(shown, store):
    labels = [expander.label for expander in shown.test.expander]
    for part in ("k-anonymity and reference points", "Which facts matter", "Who is affected"):
        assert any(label.startswith(part) for label in labels)
    assert "k-anonymity" not in shown.texts
    assert not attack_contexts(store)
    assert not shown.state.tasks
    shown.go_to("findings")
    assert any(each.label.startswith("Which facts matter") for each in shown.test.expander)
    assert "attribute" not in " ".join(charts(shown))


def test_familiar_numbers_come_at_once_and_are_kept(shown, store):
    unfold(shown, "numbers")
    number = shown.state.campaign.view.overview(alc.ScoringParameters()).worst
    kept = attack_contexts(store)[number].familiar
    assert f"k = {kept.k}; " in shown.texts
    assert "About the original, not the release." in shown.texts
    assert "The original unchanged" not in shown.texts


def test_marks_are_computed_in_the_background_and_shown(shown, store):
    look = unfold(shown, "numbers")
    shown.click("Compute reference points")
    shown.finish_task(MARKS_TASK)
    assert look.context.has_marks
    assert attack_contexts(store)[look.number].has_marks
    assert "Same attack on three tables: The original unchanged, ALC " in charts(shown)
    told = shown.texts.split("**The original unchanged**: ")[1]
    assert told[8:].startswith(" (95% interval")
    assert "**The unknown column shuffled**: No loss" in shown.texts
    assert "Compute reference points" not in shown.buttons
    shown.choose("slider", "rescoring_alpha", 1.0)
    told = shown.texts.split("**The original unchanged**: ")[1]
    assert told.startswith("ALC ")
    assert not told[8:].startswith(" (95% interval")


def test_marks_for_all_flagged_attacks_at_once(shown, store):
    shown.widget("slider", "rescoring_at_risk").set_range(0.06, 0.95)  # all are flagged now
    shown.run()
    unfold(shown, "numbers")
    assert len(store.attacks) == 2
    shown.click("Compute for all 2 to examine")
    shown.finish_task(MARKS_TASK)
    assert all(context.has_marks for context in attack_contexts(store).values())
    assert sorted(attack_contexts(store)) == [0, 1]
    assert "Same attack on three tables" in charts(shown)
    assert not any(label.startswith("Compute") for label in shown.buttons)


def test_what_drives_an_attack_is_told_by_its_pairs_and_the_rest_is_offered(shown, monkeypatch):
    view = shown.state.campaign.view
    shown.focus.attack = 0
    unfold(shown, "drivers")
    assert "What known columns add: hours" in charts(shown)
    assert "An ALC below 0 is shown as 0" in shown.texts
    assert "Still unknown: what age and city add." in shown.texts
    assert "Without 'hours', ALC is" in shown.texts or (
        "raises the ALC of this attack." in shown.texts
    )
    shown.go_to("findings")
    assert "ALC of 2 attacks by number of known columns" in charts(shown)
    effects = shown.table("without_count")
    assert effects.set_index("attribute").loc["hours", "pairs"] == 1
    assert "Pairs show what a column adds" in shown.texts
    shown.go_to("one_attack")
    started = []
    monkeypatch.setattr(drivers, "can_go_on", lambda state: True)
    monkeypatch.setattr(drivers, "go_on", lambda state, more: started.extend(more) or 1)
    shown.run()
    shown.click("Run 2 attacks with one fact fewer")
    assert {attack.kind for attack in started} == {KnownSetKind.ONE_LESS}
    assert {attack.scenario.known for attack in started} == {("city", "hours"), ("age", "hours")}
    assert shown.focus.attack == 0
    assert view.attack(0).scenario.known == ("age", "city", "hours")


def test_a_campaign_without_pairs_offers_to_make_some_of_its_riskiest_attack(shown, monkeypatch):
    started = []
    monkeypatch.setattr(drivers, "attack_pairs", lambda attacks, numbers: ())
    monkeypatch.setattr(drivers, "can_go_on", lambda state: True)
    monkeypatch.setattr(drivers, "go_on", lambda state, more: started.extend(more) or 1)
    shown.go_to("findings")
    unfold(shown)
    assert "No two attacks differ by just one column" in shown.texts
    assert "**The riskiest:** Attack " in shown.texts
    shown.widget("button", "one_less_riskiest").click()
    shown.run()
    assert {attack.kind for attack in started} == {KnownSetKind.ONE_LESS}


def test_who_is_affected_is_found_by_running_again_and_stays_masked(shown, store):
    look = unfold(shown, "people")
    shown.click("Run it again")
    shown.finish_task(TRACE_TASK)
    assert look.trace.same
    assert "Approximate: software" not in shown.texts
    assert "Precision of attack and baseline by job." in charts(shown)
    assert "differ by chance alone" in shown.texts
    assert "people are exposed" in shown.texts
    (masked,) = tables(shown)
    mask = MASK
    assert (masked[["Row", "age", "city", "hours", "job"]] == mask).all().all()
    shown.choose("selectbox", "group_by", "hours")
    assert "Precision of attack and baseline by hours" in charts(shown)
    kinds = {row[0] for row in store._select("SELECT kind FROM annotation")}
    assert kinds <= {"context", "facts", "plan", "relations", "roles"}


def test_records_are_shown_only_on_demand_and_forgotten_with_the_attack(shown):
    shown.focus.attack = 0
    look = unfold(shown, "people")
    shown.click("Run it again")
    shown.finish_task(TRACE_TASK)
    next(toggle for toggle in shown.test.toggle if "real people" in toggle.label).set_value(True)
    shown.run()
    (records,) = tables(shown)
    frame = shown.state.original.table.frame
    row = int(records["Row"].iloc[0]) - 1
    assert records["job"].iloc[0] == frame["job"].iloc[row]
    assert "Records of real people: in no file" in shown.texts
    shown.focus.attack = 1
    shown.run()
    assert look.trace is None
    assert not tables(shown)
    shown.focus.attack = 0
    shown.run()
    assert look.trace is None
    shown.click("Run it again")
    shown.finish_task(TRACE_TASK)
    assert (tables(shown)[0]["job"] == MASK).all()


def test_without_the_tables_the_page_says_what_it_needs(app, store):
    app.take(store, "one_attack")
    unfold(app, "numbers", "people", "drivers")
    assert app.texts.count(NEEDS_TABLES) == 3
    assert "Upload all tables" in app.texts
    assert "Run it again" not in app.buttons
    assert "Compute reference points" not in app.buttons
