import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.campaign.file.database import saved_campaign
from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.dashboard.parts.study_runs import StudyChoices
from alc_core.studies.relative_threat.result import KEPT_THREATS

NASTY = "<b>job</b> **x** $y$"


def town_frame(n=400):
    rng = np.random.default_rng(3)
    job = np.arange(n) % 4
    district = np.where(rng.random(n) < 0.8, job, rng.integers(0, 4, n))
    return pd.DataFrame(
        {
            "district": [f"d{number}" for number in district],
            "shift": rng.choice(["day", "night"], n),
            NASTY: [("nurse", "smith", "clerk", "baker")[number] for number in job],
        }
    )


@pytest.fixture
def asked(app):
    """An app on the page with an original and its rows in labels."""
    frame = town_frame()
    released = frame.assign(district=frame["district"].map(lambda d: "{d0, d1}" if d < "d2" else d))
    app.load(
        ("town.csv", frame.to_csv(index=False).encode()),
        ("labels.csv", released.to_csv(index=False).encode()),
    )
    given = app.open_study("relative-threat").given
    given.unknown, given.known = NASTY, ["district", "shift"]
    given.iterations, given.chains = 2_000, 2
    app.run()
    return app


def one(app):
    return app.state.screen(StudyChoices).studies["relative-threat"]


def measure(app):
    app.run_study("relative-threat", "Run the chains")


def test_without_tables_the_example_can_be_run(app):
    app.open_study("relative-threat")
    app.run_study("relative-threat-example", "Run the example")
    assert "attacker: Heart (58" in app.texts
    assert any("Attacker: Diabetes 0" in chart for chart in app.charts)


def test_numbers_pictures_and_the_state_of_the_chains(asked):
    measure(asked)
    assert "somebody who also knows that a person is in it" in asked.texts
    assert "R-hat" in asked.texts
    assert len(asked.charts) == 4
    assert "is at least 2 times as sure" in asked.texts


def test_chains_that_have_not_converged_say_so(asked):
    given = one(asked).given
    given.iterations, given.kept = 100, 50
    asked.run()
    measure(asked)
    assert "Do not rely on these numbers" in asked.texts
    given.iterations, given.kept = 20_000, 500
    asked.run()
    asked.run_study("relative-threat", "Let them go on")
    assert "Do not rely on these numbers" not in asked.texts


def test_what_is_concluded_about_a_person(asked):
    measure(asked)
    asked.widget("selectbox", "relative_threat_victim district").set_value("d0")
    asked.run()
    assert "The likeliest value for each: attacker:" in asked.texts


@pytest.fixture
def campaign_file(tmp_path):
    frame, path = town_frame(), tmp_path / "campaign.alc"
    table = alc.read_table(frame.to_csv(index=False).encode(), name="town.csv")
    plan = alc.plan_campaign(
        table, table, unknown=[NASTY], named=[["shift"]], known_sets=0, all_others=False,
    )  # fmt: skip
    alc.run_campaign(table, table, path, plan=plan, jobs=1).close()
    return path.read_bytes()


def test_a_threat_is_kept_in_the_campaign_s_file_and_shown_again(asked, campaign_file):
    measure(asked)
    (summary,) = (found.summary for found in one(asked).found.values())
    open_campaign(asked.state, "campaign.alc", campaign_file)
    asked.run()
    assert list(KEPT_THREATS.read(asked.state.campaign.view.store).values()) == [summary]
    saved = saved_campaign(asked.state.campaign.folder.path)

    asked.state.original, asked.state.release = None, ()
    asked.state.screens.clear()
    open_campaign(asked.state, "campaign.alc", saved)
    asked.run()
    assert "somebody who also knows that a person is in it" in asked.texts
    assert len(asked.charts) == 2
