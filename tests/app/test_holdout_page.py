"""The page on the holdout: upload, run, read; and the holdout on the pages of other studies."""

import numpy as np
import pandas as pd
import pytest

from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work.study_results import StudyChoices
from alc_core.measures.full_recall import HOLDOUT
from alc_core.phrasing import alc_number, percent
from alc_core.studies.holdout.result import KEPT_HOLDOUTS
from alc_core.studies.prior import KEPT_PRIORS
from tests.app.conftest import csv

RUN = "Compare members and others"


@pytest.fixture
def given(loaded, people):
    """Two tables and a holdout, uploaded on the Data page."""
    loaded.go_to("data")
    loaded.upload("holdout", ("others.csv", csv(people(500, 9))))
    return loaded


def measure(app):
    app.open_study("holdout")
    app.run_study("holdout", RUN)


def one(app):
    return app.state.screen(StudyChoices).studies["holdout"]


def test_a_holdout_is_uploaded_replaced_and_removed(given, people):
    assert given.state.holdout.table.name == "others"
    assert len(given.state.release) == 1
    given.upload("holdout", ("further.csv", csv(people(300, 8))))
    assert given.state.holdout.table.name == "further"
    given.widget("button", "remove_holdout_further").click()
    given.run()
    assert given.state.holdout is None


def test_a_file_that_cannot_be_read_is_told_and_keeps_the_other(given):
    given.upload("holdout", ("broken.csv", b""))
    assert given.state.holdout.table.name == "others"
    assert "broken.csv" in given.texts


def test_members_are_compared_on_chosen_columns(given):
    measure(given)
    assert "Members are guessed more often" in given.texts
    assert "rows are nearer to a member" in given.texts
    assert any("Correct answers" in chart for chart in given.charts)
    assert any("People by distance" in chart for chart in given.charts)
    (result,) = one(given).found.values()
    assert result.attacks[0].risk.low > 0


def test_attacks_of_the_campaign_stand_beside_alc_and_are_kept(done_with_holdout):
    app = done_with_holdout
    measure(app)
    (result,) = one(app).found.values()
    attacks = app.state.campaign.view.attacks
    assert len(result.attacks) == len(attacks)
    assert list(KEPT_HOLDOUTS.read(app.state.campaign.view.store).values()) == [result]
    table = next(t.value for t in app.test.dataframe if "Residual risk" in t.value.columns)
    assert (table["ALC"] != "").all()
    assert "esidual risk" in app.texts
    one(app).given.most = 1
    app.run()
    measure(app)
    assert len(next(iter(one(app).found.values())).attacks) == 1


@pytest.fixture
def done_with_holdout(given):
    given.state.choose(unknown=["city", "job"], known_sets=0)
    given.go_to("attack")
    given.click("Run the attacks")
    given.finish()
    return given


def test_the_relative_threat_uses_the_holdout(given):
    asked = given.open_study("relative-threat").given
    assert "Compared with the holdout others" in given.texts
    asked.unknown, asked.known = "job", ["city"]
    asked.iterations, asked.chains = 500, 2
    given.run()
    given.run_study("relative-threat", "Run the chains")
    assert "against " in given.texts


def test_demo_data_and_removing_all_take_the_holdout_away(given):
    given.state.clear()
    assert given.state.holdout is None
    assert AppState().uploads["holdout"] == 0


def test_the_prior_approach_finds_the_planted_half_of_the_members(app):
    members, others = planted_rows(2000, 1), planted_rows(1000, 2)
    release = pd.concat([members[:1000], planted_rows(1000, 3)]).sample(frac=1, random_state=4)
    app.load(("people.csv", csv(members)), ("release.csv", csv(release)))
    app.go_to("data")
    app.upload("holdout", ("others.csv", csv(others)))
    app.state.choose(unknown=["job"], known_sets=0, unknown_by_user=True)
    app.go_to("attack")
    app.click("Run the attacks")
    app.finish()
    app.open_study("prior")
    app.run_study("prior", "Attack non-members")
    (kept,) = KEPT_PRIORS.read(app.state.campaign.view.store).values()
    assert kept.measure == HOLDOUT
    (found,) = kept.attacks.values()
    # Of four jobs, half of the members' are told and of the other half, as of others, a fourth
    assert found["attack"].value == pytest.approx(5 / 8, abs=0.06)
    assert found["other"].value == pytest.approx(1 / 4, abs=0.06)
    assert found["alc"].low < 1 / 2 < found["alc"].high
    shown = app.table("Prior approach").iloc[0]
    assert shown["Prior approach"] == alc_number(found["alc"].value)
    assert shown["Correct, non-members"] == percent(found["other"].value)


def planted_rows(rows, seed):
    """Three columns that tell people apart, and a job that nothing else tells."""
    rng = np.random.default_rng(seed)
    columns = {name: rng.integers(0, 30, rows).astype(str) for name in ("a", "b", "c")}
    return pd.DataFrame({**columns, "job": rng.choice([*"wxyz"], rows)})
