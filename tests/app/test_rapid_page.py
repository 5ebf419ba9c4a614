import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.file.database import saved_campaign
from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.dashboard.parts.study_runs import StudyChoices
from alc_core.studies.rapid.result import KEPT_RAPID
from tests.toys.campaigns import run_quickly

NASTY = "<b>job</b> **x** $y$"


def town_frame(seed=7, n=600):
    rng = np.random.default_rng(seed)
    job = rng.integers(0, 3, n)
    district = np.where(rng.random(n) < 0.7, job, rng.integers(0, 3, n))
    return pd.DataFrame(
        {
            "district": [f"d{number}" for number in district],
            "age": rng.integers(18, 80, n),
            NASTY: [("nurse", "smith", "clerk")[number] for number in job],
        }
    )


def as_file(name, frame):
    return (name, frame.to_csv(index=False).encode())


@pytest.fixture
def asked(app):
    """An app on the page with an original and two releases, and a tree to train."""
    frame = town_frame()
    app.load(
        as_file("town.csv", frame), as_file("weak.csv", alc.swap_columns(frame, 0.05, seed=1)),
        as_file("strong.csv", alc.swap_columns(frame, 0.9, seed=1)),
    )  # fmt: skip
    app.state.release_mode = "several"
    given = app.open_study("rapid").given
    given.unknown, given.known = [NASTY], ["district", "age"]
    given.learner = "decision tree"
    app.run()
    return app


def one(app):
    return app.state.screen(StudyChoices).studies["rapid"]


def measure(app):
    app.run_study("rapid", "Measure RAPID")


def test_releases_stand_side_by_side_with_their_references(asked):
    measure(asked)
    weak, strong = (found.result for found in one(asked).found.values())
    assert weak.beyond.low > strong.beyond.low
    assert weak.reference == strong.reference
    assert "percentage points more people" in asked.texts
    assert any(
        chart.startswith("Share of people at risk by release. weak") for chart in asked.charts
    )
    assert asked.downloads.count("Each person's risk (CSV)") == 1


def test_the_moved_threshold_is_said(asked):
    measure(asked)
    one(asked).chosen["cut"] = 0.6
    asked.run()
    assert "At a threshold of 0.604" in asked.texts


def test_the_score_follows_the_kind_of_the_column(asked):
    given = one(asked).given
    given.unknown, given.known = ["age"], ["district", NASTY]
    asked.run()
    assert given.score == "symmetric"
    measure(asked)
    assert "predicts their 'age' within 10" in asked.texts.replace("\\", "")


@pytest.fixture
def campaign_file(tmp_path):
    """A campaign of one attack on the same original."""
    frame, path = town_frame(), tmp_path / "campaign.alc"
    table = alc.read_table(as_file("town.csv", frame)[1], name="town.csv")
    run_quickly(table, table, path, unknown=[NASTY], named=[["age"]], targets=300).close()
    return path.read_bytes()


def test_results_are_kept_in_the_campaign_s_file_and_shown_when_it_is_opened(asked, campaign_file):
    measure(asked)
    found = [each.result for each in one(asked).found.values()]
    open_campaign(asked.state, "campaign.alc", campaign_file)
    asked.run()
    store = asked.state.campaign.view.store
    assert sorted(KEPT_RAPID.read(store).values(), key=str) == sorted(found, key=str)
    saved = saved_campaign(asked.state.campaign.folder.path)

    asked.state.original, asked.state.release = None, ()
    asked.state.screens.clear()
    open_campaign(asked.state, "campaign.alc", saved)
    asked.run()
    assert len(asked.charts) == 4
    assert "Each person's risk (CSV)" not in asked.downloads


def test_who_is_at_risk_by_any_column_of_the_original(asked):
    one(asked).given.known = ["age"]
    measure(asked)
    assert any(chart.startswith(f"Share of people at risk by {NASTY}. ") for chart in asked.charts)
    assert asked.widget("selectbox", "rapid_by").options == [NASTY, "age", "district"]
    one(asked).chosen["by"] = "district"
    asked.run()
    assert any(chart.startswith("Share of people at risk by district. ") for chart in asked.charts)


def test_the_alc_of_the_same_facts_stands_beside_it(asked, tmp_path):
    one(asked).given.known = ["district"]
    measure(asked)

    def beside():
        (shown,) = [m for m in asked.test.metric if m.label == "ALC of the same facts"]
        return shown.value

    assert beside() == "none"
    frame, path = town_frame(), tmp_path / "campaign.alc"
    original, weak = (
        alc.read_table(as_file(f"{name}.csv", table)[1], name=name)
        for name, table in (
            ("town", frame), ("weak", alc.swap_columns(frame, 0.05, seed=1)),
        )
    )  # fmt: skip
    plan = alc.plan_campaign(
        original, weak, unknown=[NASTY], attacks=["model: family=naive Bayes"],
        named=[["district"]], known_sets=0, all_others=False, targets=alc.Targets(count=300),
    )  # fmt: skip
    alc.run_campaign(original, weak, path, plan=plan, families=(NaiveBayes(),), jobs=1).close()
    open_campaign(asked.state, "campaign.alc", path.read_bytes())
    one(asked).shown = next(key for key in one(asked).found if key.startswith("weak"))
    asked.run()
    assert beside() not in ("none", "")
    assert any(chart.startswith("RAPID and ALC of 1 attacks") for chart in asked.charts)
    asked.click("Open attack 0")
    assert asked.title == "One attack"
