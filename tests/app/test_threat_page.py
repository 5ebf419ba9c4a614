from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.campaign.file.database import saved_campaign
from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.dashboard.threat.asking import THREAT_TASK
from alc_core.dashboard.threat.choices import ThreatChoices
from alc_core.dashboard.threat.example import TOY_TASK
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
    app.go_to("threat")
    choices = app.state.screen(ThreatChoices)
    choices.columns.unknown, choices.columns.known = NASTY, ["district", "shift"]
    choices.iterations, choices.chains = 2_000, 2
    app.run()
    return app


def measure(app):
    app.click("Run the chains")
    app.finish_task(THREAT_TASK)
    app.run()


def test_without_tables_the_example_can_be_run(app):
    app.go_to("threat")
    app.click("Run the example")
    app.finish_task(TOY_TASK)
    app.run()
    assert "attacker: Heart (58" in app.texts
    assert any("Attacker: Diabetes 0" in chart for chart in app.charts)


def test_numbers_pictures_and_the_state_of_the_chains(asked):
    measure(asked)
    assert "who knows besides that a person is in it" in asked.texts
    assert "R-hat" in asked.texts
    assert len(asked.charts) == 4
    assert "is at least 2 times as sure" in asked.texts


def test_chains_that_have_not_converged_say_so(asked):
    choices = asked.state.screen(ThreatChoices)
    choices.iterations, choices.kept = 100, 50
    asked.run()
    measure(asked)
    assert "Do not rely on these numbers" in asked.texts
    choices.iterations, choices.kept = 20_000, 500
    asked.run()
    asked.click("Let them go on")
    asked.finish_task(THREAT_TASK)
    asked.run()
    assert "Do not rely on these numbers" not in asked.texts


def test_what_is_concluded_about_a_person(asked):
    measure(asked)
    asked.choose("selectbox", "threat_victim_0", "d0")
    assert "The likeliest value for each: attacker:" in asked.texts
    assert asked.state.screen(ThreatChoices).victim == {"district": "d0"}


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
    summary = asked.state.screen(ThreatChoices).measured.summary
    open_campaign(asked.state, "campaign.alc", campaign_file)
    asked.run()
    assert list(KEPT_THREATS.read(asked.state.campaign.view.store).values()) == [summary]
    saved = saved_campaign(asked.state.campaign.folder.path)

    asked.state.original, asked.state.release = None, ()
    asked.state.screens.clear()
    open_campaign(asked.state, "campaign.alc", saved)
    asked.run()
    assert any(head.value == "Measured releases" for head in asked.test.subheader)
