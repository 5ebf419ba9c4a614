"""The page of studies: its list, a toy that nobody wrote a page for, and each study on one town."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.file.database import saved_campaign
from alc_core.dashboard.choices.plan import OneAttack
from alc_core.dashboard.data.samples import SAMPLE_TASK, SampleChoices
from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.dashboard.parts.study_runs import study_data
from alc_core.dashboard.state.files import LoadedFile
from alc_core.dashboard.work.study_results import StudyChoices, results_here
from alc_core.studies import registry
from alc_core.studies.learning.result import KEPT_STUDIES
from alc_core.studies.learning.study import KEPT_EXAMPLES
from alc_core.studies.rapid.result import KEPT_RAPID
from alc_core.studies.relative_threat.result import KEPT_THREATS
from alc_core.studies.risk_numbers.result import KEPT_RISK_NUMBERS
from alc_core.tables.read import table_from_frame
from tests.app.conftest import csv
from tests.toys.campaigns import run_quickly
from tests.toys.toy_study import ToyRows

NASTY = "<b>job</b> **x** $y$"
JOBS = ("nurse", "smith", "clerk", "baker")


@pytest.fixture
def _toy():
    before = dict(registry._STUDIES)
    registry.register_study(ToyRows())
    yield
    registry._STUDIES.clear()
    registry._STUDIES.update(before)


def town_frame(n=600):
    """A district that goes with the job, an age and a shift that do not."""
    rng = np.random.default_rng(7)
    job = np.arange(n) % 4
    district = np.where(rng.random(n) < 0.8, job, rng.integers(0, 4, n))
    return pd.DataFrame(
        {
            "district": [f"d{number}" for number in district],
            "age": rng.integers(18, 80, n),
            "shift": rng.choice(["day", "night"], n),
            NASTY: [JOBS[number] for number in job],
        }
    )


TOWN = town_frame()
LOW = TOWN["age"] // 20 * 20
TABLES = {
    "town": TOWN,
    "weak": alc.swap_columns(TOWN, 0.05, seed=1),
    "strong": alc.swap_columns(TOWN, 0.9, seed=1),
    "coarse": TOWN.assign(age=LOW.astype(str) + "-" + (LOW + 19).astype(str)),
    "labels": TOWN.assign(district=TOWN["district"].map(lambda d: "{d0, d1}" if d < "d2" else d)),
}
ASKED = {
    "rapid": (
        ("weak", "strong"), "Measure RAPID",
        {"unknown": [NASTY], "known": ["district", "age"], "learner": "decision tree"},
    ),
    "risk-numbers": (
        ("coarse", "strong"), "Count classes",
        {"known": ["district", "age"], "protected": [NASTY]},
    ),
    "relative-threat": (
        ("labels",), "Run the chains",
        {"unknown": NASTY, "known": ["district", "shift"], "iterations": 2_000, "chains": 2},
    ),
    "utility": (("weak", "strong"), "Measure utility", {}),
    "learning-attacks": (
        (), "Run the study",
        {
            "unknown": NASTY, "known": ["district", "age"], "epsilons": "0.05, 1",
            "lowest_level": 2, "highest_level": 3, "rounds": 20, "repetitions": 2,
        },
    ),
}  # fmt: skip
"""By study: the releases it is asked about, its button, and what is chosen."""


def values_of(app, name):
    """The values of a study's parameters as its page shows them."""
    study = registry.studies()[name]
    return app.state.screen(StudyChoices).of(study).values(study, study_data(app.state, study))


class Asked:
    """The page of a study on the town, with what is asked chosen."""

    def __init__(self, app, name):
        releases, self.button, chosen = ASKED[name]
        self.app, self.name = app, name
        app.load(*((f"{each}.csv", csv(TABLES[each])) for each in ("town", *releases)))
        app.state.release_mode = "several"
        app.open_study(name)
        self.choose(**chosen)

    @property
    def one(self):
        return self.app.state.screen(StudyChoices).studies[self.name]

    @property
    def values(self):
        return values_of(self.app, self.name)

    def choose(self, **chosen):
        for option, value in chosen.items():
            setattr(self.one.given, option, value)
        self.app.run()

    def measure(self):
        self.app.run_study(self.name, self.button)


def study(name):
    @pytest.fixture
    def asked(app):
        return Asked(app, name)

    return asked


rapid, risk = study("rapid"), study("risk-numbers")
threat, learning = study("relative-threat"), study("learning-attacks")


def read(name):
    return alc.read_table(csv(TABLES[name]), name=name)


@pytest.fixture(scope="module")
def campaign_file(tmp_path_factory):
    """A campaign of one attack on the town."""
    path = tmp_path_factory.mktemp("campaign") / "campaign.alc"
    release = {"coarse": alc.Microdata(tables=(read("coarse"),), name="coarse")}
    run_quickly(read("town"), release, path, unknown=[NASTY], named=[["age"]], targets=300).close()
    return path.read_bytes()


def opened(app, file):
    open_campaign(app.state, "campaign.alc", file)
    app.run()
    return app.state.campaign.view.store


@pytest.mark.usefixtures("_toy")
def test_the_list_says_what_each_study_answers_and_needs(app):
    app.go_to("studies")
    for each in registry.studies().values():
        assert each.sentence in app.texts
        assert f"**{each.title}**" in app.buttons
    assert "Needs an original and a release" in app.texts


@pytest.mark.usefixtures("_toy")
def test_a_study_says_what_it_needs_and_leads_to_the_data(app):
    for name, each in registry.studies().items():
        app.open_study(name)
        assert f"{each.sentence} {each.explanation}" in app.texts
        assert "This needs an original" in app.texts, name
        assert each.button not in app.buttons
        assert "Go to the data" in app.links


@pytest.mark.usefixtures("_toy")
def test_a_toy_study_is_asked_for_run_and_shown_and_has_an_address(loaded):
    loaded.test.query_params["part"] = "toy-rows"
    loaded.test.switch_page("pages/statistics.py")
    loaded.run()
    assert "It counts rows." in loaded.texts
    one = loaded.open_study("toy-rows")
    assert "Toy rows" in [each.value for each in loaded.test.header]
    loaded.run_study("toy-rows", "Count rows")
    assert "release has 800 toy rows." in loaded.texts
    assert loaded.charts == ["Toy rows of release."]
    one.given.least = 0
    loaded.run()
    assert "least must be at least 1" in loaded.texts
    assert loaded.buttons["Count rows"].disabled
    loaded.click("All studies")
    assert not loaded.test.header
    assert "1 result" in loaded.texts


@pytest.mark.usefixtures("_toy")
def test_a_study_without_a_result_says_why(loaded, monkeypatch):
    loaded.open_study("toy-rows")
    monkeypatch.setattr(ToyRows, "run", lambda *_: [])
    loaded.run_study("toy-rows", "Count rows")
    assert "Nothing was found." in loaded.texts


@pytest.mark.parametrize(("name", "asked"), [("learning-attacks", False), ("utility", True)])
def test_releases_are_chosen_only_for_a_study_that_needs_them(app, name, asked):
    app.load(*((f"{each}.csv", csv(TABLES[each])) for each in ("town", "weak", "strong")))
    app.state.release_mode = "several"
    app.open_study(name)
    assert any(each.label == "Releases" for each in app.test.multiselect) is asked


def test_where_the_campaign_alone_is_missing_the_way_leads_there(loaded):
    loaded.open_study("dependence")
    assert "No results yet." in loaded.texts
    assert "Run with and without them" not in loaded.buttons


@pytest.mark.parametrize(
    ("name", "kept", "charts", "said"),
    [
        ("rapid", KEPT_RAPID, 4, "trained on others"),
        ("risk-numbers", KEPT_RISK_NUMBERS, 1, "infers"),
        ("relative-threat", KEPT_THREATS, 2, "by the attacker"),
        ("learning-attacks", KEPT_STUDIES, 5, "From counts with ε = 1"),
    ],
)
def test_results_are_kept_in_the_campaign_s_file_and_shown_when_it_is_opened(
    app, campaign_file, name, kept, charts, said
):
    asked = Asked(app, name)
    asked.measure()
    study = next(each for each in registry.with_parts() if each.name == name)
    found = [study.keepable(each) for each in asked.one.found.values()]
    store = opened(app, campaign_file)
    assert sorted(kept.read(store).values(), key=str) == sorted(found, key=str)
    saved = saved_campaign(app.state.campaign.folder.path)

    app.state.original, app.state.release = None, ()
    app.state.screens.clear()
    opened(app, saved)
    app.open_study(name)
    assert len(app.charts) == charts
    assert said in app.texts
    assert "Each person's risk (CSV)" not in app.downloads


def test_a_result_of_an_earlier_release_of_the_same_name_is_neither_shown_nor_kept(loaded):
    asked = Asked(loaded, "risk-numbers")
    asked.measure()
    state, study = loaded.state, registry.studies()["risk-numbers"]
    assert asked.one.found.keys() == results_here(state, study, asked.one).keys()
    names = {found.release for found in asked.one.found.values()}
    first, *rest = state.release
    changed = first.table.frame.iloc[::-1].reset_index(drop=True)
    other = table_from_frame(changed, name=first.table.name)
    state.release = (LoadedFile.of(other), *rest)
    shown = {found.release for found in results_here(state, study, asked.one).values()}
    assert names - shown == {first.table.name}


# RAPID


def test_releases_stand_side_by_side_with_their_references(rapid):
    rapid.measure()
    weak, strong = (found.result for found in rapid.one.found.values())
    assert weak.beyond.low > strong.beyond.low
    assert weak.reference == strong.reference
    assert "(on others: " in rapid.app.texts
    assert any(
        chart.startswith("Share of people at risk by release. weak") for chart in rapid.app.charts
    )
    assert rapid.app.downloads.count("Each person's risk (CSV)") == 1
    rapid.one.chosen["cut"] = 0.6
    rapid.app.run()
    assert "At a threshold of 0.604" in rapid.app.texts


def test_who_is_at_risk_by_any_column_of_the_original(rapid):
    app = rapid.app
    rapid.choose(known=["age"])
    rapid.measure()
    assert any(chart.startswith(f"Share of people at risk by {NASTY}. ") for chart in app.charts)
    assert app.widget("selectbox", "rapid_by").options == [NASTY, "age", "district", "shift"]
    rapid.one.chosen["by"] = "district"
    app.run()
    assert any(chart.startswith("Share of people at risk by district. ") for chart in app.charts)


def test_the_alc_of_the_same_facts_stands_beside_it(rapid, tmp_path):
    rapid.choose(known=["district"])
    rapid.measure()

    def beside():
        (shown,) = [m for m in rapid.app.test.metric if m.label == "ALC of the same facts"]
        return shown.value

    assert beside() == "none"
    original, weak, path = read("town"), read("weak"), tmp_path / "campaign.alc"
    plan = alc.plan_campaign(
        original, weak, unknown=[NASTY], attacks=["model: family=naive Bayes"],
        named=[["district"]], known_sets=0, all_others=False, targets=alc.Targets(count=300),
    )  # fmt: skip
    alc.run_campaign(original, weak, path, plan=plan, families=(NaiveBayes(),), jobs=1).close()
    open_campaign(rapid.app.state, "campaign.alc", path.read_bytes())
    rapid.one.shown = next(key for key in rapid.one.found if key.startswith("weak"))
    rapid.app.run()
    assert beside() not in ("none", "")
    assert any(chart.startswith("RAPID and ALC of 1 attacks") for chart in rapid.app.charts)
    rapid.app.click("Open attack 0")
    assert rapid.app.title == "One attack"


# Risk numbers


def numbers(app):
    return app.test.dataframe[0].value.set_index("Number")


def test_releases_stand_beside_the_original_and_swapped_rows_have_no_numbers(risk):
    risk.measure()
    frame = numbers(risk.app)
    assert list(frame.columns) == ["Original", "coarse", "strong"]
    assert set(frame["strong"]) == {"\N{EM DASH}"}
    assert int(frame.loc["Smallest class (k)", "coarse"]) >= 1
    assert not any("Estimated" in title for title in frame.index)
    assert "In the original, " in risk.app.texts
    assert any(chart.startswith("Share of rows by the size") for chart in risk.app.charts)
    assert "Plan attacks on it" in risk.app.links
    risk.one.shown = "strong | strong"
    risk.app.run()
    assert "Rows were changed or are synthetic" in risk.app.texts
    risk.choose(population=6_000)
    risk.measure()
    assert "Estimated: unique in the population" in numbers(risk.app).index
    risk.app.click("Use only the 1 coarser or suppressed columns")
    assert risk.values["known"] == ("age",)


def test_the_worst_attack_that_knows_no_more_stands_beside(risk, campaign_file):
    risk.measure()
    opened(risk.app, campaign_file)
    words = "The worst attack that knows no more than these columns infers"
    assert words in risk.app.texts
    risk.app.click("Open the attack")
    assert risk.app.title == "One attack"


# Relative threat


def test_without_tables_the_example_can_be_run(app):
    app.open_study("relative-threat")
    app.run_study("relative-threat-example", "Run the example")
    assert "attacker: Heart (58" in app.texts
    assert any("Attacker: Diabetes 0" in chart for chart in app.charts)


def test_numbers_pictures_the_state_of_the_chains_and_a_person(threat):
    app = threat.app
    threat.measure()
    assert "by the learner" in app.texts
    assert "R-hat" in app.texts
    assert len(app.charts) == 4
    assert "at least 2 times as certain" in app.texts
    app.widget("selectbox", "relative_threat_victim district").set_value("d0")
    app.run()
    assert "Likeliest value: attacker:" in app.texts


def test_chains_that_have_not_converged_say_so(threat):
    threat.choose(iterations=100, kept=50)
    threat.measure()
    assert "Do not rely on these numbers" in threat.app.texts
    threat.choose(iterations=20_000, kept=500)
    threat.app.run_study("relative-threat", "Continue")
    assert "Do not rely on these numbers" not in threat.app.texts


# Learning attacks


def test_a_study_draws_five_figures_with_a_sentence_each(learning):
    app = learning.app
    learning.measure()
    assert len(app.charts) == 5
    assert app.charts[0].startswith("Accuracy of the naive Bayes attack by ε. ε = 0.05: members")
    texts = app.texts
    for words in (
        "From counts with ε = 1",
        "over 80% certain",
        "Tight groups with ℓ = ",
        "Two groups merged into one with ℓ = ",
        "After 20 rounds",
        "Groups: 1 chain of 20 rounds",
        "drawn at random are held out",
    ):
        assert words in texts, words
    assert NASTY in texts
    assert all(value not in texts for value in JOBS)
    app.choose("button_group", "learning_attacks_convergence", "2")
    assert learning.one.chosen["convergence"] == "2"
    assert "Convergence" in app.charts[-1]


def test_a_cancelled_study_leaves_no_result(learning):
    learning.choose(rounds=10_000)
    learning.app.click("Run the study")
    learning.app.state.tasks["learning-attacks"].job.cancel()
    learning.app.finish_task("learning-attacks")
    assert learning.one.found == {}
    assert "cancelled" in learning.app.texts
    assert "Run the study" in learning.app.buttons


def test_the_example_shows_accuracy_baseline_and_loss_beside_each_other(learning, campaign_file):
    app = learning.app
    store = opened(app, campaign_file)
    given = app.state.screen(StudyChoices).studies["learning-example"].given
    given.unknown, given.known = NASTY, ["district", "age"]
    app.run()
    app.run_study("learning-example", "Run the example")
    labels = {metric.label: metric.value for metric in app.test.metric}
    assert set(labels) == {
        "Attack is correct for", "Most frequent value", "Best guess is correct for",
        "Anonymity loss (ALC)",
    }  # fmt: skip
    assert labels["Most frequent value"] == "25%"
    assert "From counts with ε = 1, the attack infers" in app.texts
    assert list(KEPT_EXAMPLES.read(store)) == [NASTY]


# Test releases, made on the Data page


@pytest.fixture
def utility(app):
    """The utility of two releases of the town, as its page shows it."""
    asked = Asked(app, "utility")
    asked.measure()
    return asked


def test_a_columns_distribution_is_drawn_of_the_chosen_release(utility):
    app, found = utility.app, utility.one.found
    ranked = found["weak"].column_frame("distance")["column"].tolist()
    options = app.widget("selectbox", "utility_column").options
    assert [each.rpartition(" (")[0] for each in options] == ranked
    assert f"Distribution of {ranked[0]} in the original and in weak." in app.charts[-1]
    app.choose("selectbox", "utility_shown", "strong")
    app.choose("selectbox", "utility_column", NASTY)
    assert f"Distribution of {NASTY} in the original and in strong." in app.charts[-1]
    assert "Values in fewer than 10 original rows are not named." in app.texts

    # Only of the tables that were measured
    utility.one.found = {"weak": replace(found["weak"], original_fingerprint="of another table")}
    app.run()
    assert not any(chart.startswith("Distribution of") for chart in app.charts)
    assert "Upload the tables to see distributions." in app.texts


@pytest.fixture
def make(app):
    """Makes a test release of the town: ``make(method, level=9)``."""
    app.load(("town.csv", csv(TOWN)))
    app.go_to("data")
    choices = app.state.screen(SampleChoices)
    choices.columns = OneAttack(unknown=NASTY, known=("district", "age"))

    def made(method="", **options):
        choices.method = method or choices.method
        for option, value in options.items():
            setattr(choices.of_method(), option, value)
        app.run()
        app.click("Make the test release")
        app.finish_task(SAMPLE_TASK)
        app.run()

    return made


def test_a_test_release_is_made_marked_and_attacked_like_any_other(app, make):
    assert not app.state.ready
    make()
    assert list(app.state.releases()) == ["Anatomy ℓ = 4"]
    assert app.state.releases()["Anatomy ℓ = 4"].kind == "groups"
    assert "Do not publish" in app.texts
    assert f"Test release, unknown column {NASTY}" in app.texts
    assert app.state.ready
    app.go_to("attack")
    assert "Anatomy ℓ = 4" in str(app.state.attacked_releases())


def test_test_releases_of_several_methods_stand_side_by_side_until_removed(app, make):
    for method in ("counts", "mondrian", "swapping", "counts"):
        make(method)
    names = ["k-anonymity k = 5", "Swapped 20%", "Counts ε = 1"]
    assert list(app.state.releases()) == names
    app.widget("button", "remove_sample_Swapped 20%").click()
    app.run()
    assert list(app.state.releases()) == ["k-anonymity k = 5", "Counts ε = 1"]
    app.state.original = None
    app.run()
    assert not app.state.releases()


def test_what_cannot_be_made_is_said(app, make):
    make(level=9)
    assert "9-diverse" in app.texts
    assert not app.state.releases()
