import sqlite3
from contextlib import closing

import pytest

import alc_core as alc
from alc_core.campaign.file.database import saved_campaign
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.decisions import Choice, decide, decisions
from alc_core.dashboard import start as start_page
from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.dashboard.parts.widgets import UploadsScreen
from alc_core.dashboard.start import DEMO_UNKNOWN
from alc_core.dashboard.state.files import LoadedFile
from alc_core.dashboard.work.campaign_runs import can_go_on, go_on, start_campaign
from alc_core.errors import InputError
from alc_core.releases.samples.demo import load_demo
from alc_core.scoring.verdict import Verdict
from alc_core.tables.names import Names, with_names
from alc_core.tables.read import read_table, table_from_frame
from alc_core.tables.roles import ColumnRole

START_TITLE = "What does your release reveal?"


@pytest.fixture(scope="module")
def tables(people):
    frame = people(900)
    original = table_from_frame(frame, name="people")
    return original, table_from_frame(alc.swap_columns(frame, 0.3, seed=1), name="release")


@pytest.fixture(scope="module")
def saved(tables, tmp_path_factory, quick_run):
    """A saved campaign of two attacks, one of which has run, with a decision."""
    original, release = tables
    plan = alc.plan_campaign(
        original, release, unknown=["job", "city"], known_sets=0, all_others=True,
        targets=alc.Targets(count=600),
    )  # fmt: skip
    path = tmp_path_factory.mktemp("saved") / "campaign.alc"
    with quick_run(
        original, release, path, plan=alc.CampaignPlan(attacks=plan.attacks[:1])
    ) as store:
        store.extend(plan.attacks)
        decide(
            store, 0, Choice.REDUCE, note="coarsen it", standing="serious", alc=0.9,
            scoring=store.settings.scoring,
        )  # fmt: skip
    return saved_campaign(path)


@pytest.fixture
def start(app):
    app.run_framed()
    assert app.title == START_TITLE
    return app


def upload(app, name: str, data: bytes) -> None:
    key = f"campaign_file_{app.state.screen(UploadsScreen).taken.get('campaign_file', 0)}"
    (uploader,) = (u for u in app.test.file_uploader if u.key == key)
    uploader.set_value((name, data, "application/octet-stream"))
    app.run()


def load(app, tables) -> None:
    app.state.original, release = (LoadedFile.of(table, b"x") for table in tables)
    app.state.release = (release,)


@pytest.mark.usefixtures("usual_baselines")
def test_the_example_is_what_the_demo_shows():
    demo = load_demo("fair")
    release = next(iter(demo.releases.values()))
    known = [name for name in demo.original.columns if name != "religious"]
    result = alc.assess(demo.original, release, alc.Scenario(known, "religious"))
    assert result.verdict is Verdict.SERIOUS
    told, (low, high) = start_page._EXAMPLE_EXPOSED, result.exposed_interval
    assert (told.number, told.interval) == (round(result.exposed), (round(low), round(high)))
    sides = (result.attack_rest, result.baseline_rest)
    assert tuple(round(each.measured_precision, 2) for each in sides) == start_page._EXAMPLE


def test_a_first_visit_leads_to_the_data_and_has_the_terms_in_the_sidebar(start):
    assert "Your progress" not in start.texts
    assert "Terms explained" in start.popovers
    assert "**[ALC](methods#anonymity-loss-coefficient)**: " in start.texts
    start.click("Assess my data")
    assert start.title == "Data"


def test_one_click_leads_to_the_campaign_of_the_demo(start):
    start.click("Try the demo")
    assert start.title == "Attack"
    assert [len(start.state.release), start.state.original.table.name] == [3, "fair"]
    assert start.widget("multiselect", "plan_unknown").value == list(DEMO_UNKNOWN)
    assert not start.buttons["Run the attacks"].disabled
    start.run_framed()
    assert "Your progress" in start.texts
    assert "Original and 3 releases" in start.texts


def test_the_demo_takes_the_place_of_own_tables_only_after_a_question(start, tables):
    load(start, tables)
    start.run_framed()
    assert "Try the demo" not in start.buttons
    assert "The demo replaces your tables." in start.texts
    start.click("Replace my tables with the demo")
    assert start.state.original.table.name == "fair"


def test_a_saved_campaign_opens_in_the_findings_without_tables(start, saved):
    upload(start, "review.alc", saved)
    assert start.title == "Findings"
    assert "Opened from 'review.alc'. To continue it, or to view records, upload" in start.texts
    assert "Out of date" not in start.texts
    assert decisions(start.state.campaign.view.store)[0].note == "coarsen it"
    start.run_framed()
    assert "Opened from a file" not in start.texts, "an attack is missing: that is told first"
    assert "1 attack missing" in start.texts
    assert start.buttons["See the findings"]


def test_what_was_decided_meanwhile_is_saved_again(start, saved, tmp_path):
    open_campaign(start.state, "review.alc", saved)
    campaign = start.state.campaign
    decide(
        campaign.view.store, 0, Choice.ACCEPTED, note="fine", standing="below limit", alc=0.1,
        scoring=campaign.view.settings.scoring,
    )  # fmt: skip
    again = tmp_path / "again.alc"
    again.write_bytes(saved_campaign(campaign.folder.path))
    with CampaignStore.open(again) as store:
        assert decisions(store)[0].note == "fine"


def test_what_is_damaged_is_told_and_only_read(start, saved, tmp_path):
    path = tmp_path / "damaged.alc"
    path.write_bytes(saved)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE result SET seconds = seconds + 1")
    upload(start, "damaged.alc", path.read_bytes())
    for page in ("findings", "start"):
        start.go_to(page)
        (warning,) = start.test.warning
        assert "the result of attack 0" in warning.value
    assert "To continue it" not in start.texts


@pytest.mark.parametrize(
    ("name", "damage", "words"),
    [
        (
            "people.csv",
            lambda data: b"age,city\n1,2\n",
            "'people.csv' is not a review file (.alc).",
        ),
        ("cut.alc", lambda data: data[: len(data) // 2], "'cut.alc' is incomplete"),
        ("**b**.alc", lambda data: b"", "'**b**.alc' is empty"),
    ],
)
def test_other_files_are_refused_and_what_is_there_stays(start, saved, name, damage, words):
    open_campaign(start.state, "first.alc", saved)
    first = start.state.campaign
    upload(start, name, damage(saved))
    assert words in start.texts
    assert start.state.campaign is first
    assert first.view.counts.finished == 1
    upload(start, "good.alc", saved)
    assert start.title == "Findings"
    assert start.state.campaign.name == "good.alc"
    assert not first.folder.path.exists(), "the campaign before is removed"
    start.run_framed()
    assert words not in start.texts


def test_nothing_is_opened_while_a_campaign_runs(start, saved):
    start.state.campaign_run = object()
    with pytest.raises(InputError, match="Attacks are running"):
        open_campaign(start.state, "review.alc", saved)
    assert start.state.campaign is None
    start.state.campaign_run = None


def test_with_its_tables_an_opened_campaign_goes_on(start, saved, tables):
    open_campaign(start.state, "review.alc", saved)
    assert not can_go_on(start.state)
    assert not go_on(start.state)
    load(start, tables)
    assert can_go_on(start.state)
    start.go_to("attack")
    assert "Its tables are loaded and it can continue." in start.texts
    assert "Continue this review above." in start.texts
    start.click("Continue: 1 missing")
    start.finish()
    counts = start.state.campaign.view.counts
    assert (counts.finished, counts.missing) == (2, 0)
    assert decisions(start.state.campaign.view.store)[0].note == "coarsen it"


def test_other_tables_are_told_and_begin_a_campaign_anew(start, saved, tables):
    open_campaign(start.state, "review.alc", saved)
    original, release = tables
    changed = original.frame.assign(age=original.frame["age"] + 1)
    load(start, (table_from_frame(changed, name="people"), release))
    start.go_to("findings")
    assert "Other tables are loaded. Its tables: " in start.texts
    assert not can_go_on(start.state)
    opened = start.state.campaign
    start.state.choose(unknown=["job"], known_sets=0)
    assert start_campaign(start.state)
    run = start.state.campaign_run
    run.job.cancel()
    assert run.folder is not opened.folder
    assert run.job.wait(60)


def test_tables_that_come_after_the_file_make_releases_of_its_names(
    start, tables, tmp_path, quick_run
):
    """Releases that were named on the command line are known by their fingerprints."""
    files = [(f"{table.name}.csv", table.frame.to_csv(index=False).encode()) for table in tables]
    original, release = (read_table(data, name=name) for name, data in files)
    named = {"swapped": release}
    plan = alc.plan_campaign(
        original, named, unknown=["job"], known_sets=0, all_others=True,
        targets=alc.Targets(count=600),
    )  # fmt: skip
    with quick_run(original, named, tmp_path / "c.alc", plan=plan):
        pass
    open_campaign(start.state, "review.alc", saved_campaign(tmp_path / "c.alc"))
    start.load(*files)
    assert list(start.state.releases()) == ["swapped"]
    assert start.state.campaign_tables() is not None
    start.state.rename_release("release.csv", "another")
    assert list(start.state.releases()) == ["another"], "the user's word is the last"


def test_tables_that_come_after_the_file_get_its_names_and_roles(
    start, tables, tmp_path, quick_run
):
    """Without the codebook: the file holds what columns are called."""
    files = [(f"{table.name}.csv", table.frame.to_csv(index=False).encode()) for table in tables]
    original, release = (
        with_names(read_table(data, name=name), Names(columns={"job": "Occupation"}))
        for name, data in files
    )
    plan = alc.plan_campaign(
        original, release, unknown=["Occupation"], known_sets=0, all_others=True,
        targets=alc.Targets(count=600),
        roles={"Occupation": ColumnRole.PROTECTED},
    )  # fmt: skip
    with quick_run(original, release, tmp_path / "c.alc", plan=plan):
        pass
    open_campaign(start.state, "review.alc", saved_campaign(tmp_path / "c.alc"))
    start.load(*files)
    assert start.state.campaign_tables() is not None
    assert "Occupation" in start.state.original.table.columns
    assert start.state.choices.settings.roles["Occupation"] is ColumnRole.PROTECTED
    start.state.set_role("city", ColumnRole.BOTH)
    start.load(*files)
    assert start.state.choices.settings.roles["city"] is ColumnRole.BOTH, (
        "what is chosen afterwards stays"
    )
