import pytest

import alc_core as alc
from alc_core.campaign.file.database import saved_campaign
from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.dashboard.parts.study_runs import StudyChoices
from alc_core.studies.risk_numbers.result import KEPT_RISK_NUMBERS
from tests.app.test_rapid_page import NASTY, as_file, town_frame
from tests.toys.campaigns import run_quickly


def tables():
    frame = town_frame()
    low = frame["age"] // 20 * 20
    coarse = frame.assign(age=low.astype(str) + "-" + (low + 19).astype(str))
    return (
        as_file("town.csv", frame), as_file("coarse.csv", coarse),
        as_file("swapped.csv", alc.swap_columns(frame, 0.5, seed=1)),
    )  # fmt: skip


@pytest.fixture
def asked(app):
    """An app on the page with an original and two releases, and columns chosen."""
    app.load(*tables())
    app.state.release_mode = "several"
    given = app.open_study("risk-numbers").given
    given.known, given.protected = ["district", "age"], [NASTY]
    app.run()
    return app


def one(app):
    return app.state.screen(StudyChoices).studies["risk-numbers"]


def count_classes(app):
    app.run_study("risk-numbers", "Count classes")


def numbers(app):
    return app.test.dataframe[0].value.set_index("Number")


def test_columns_are_suggested_by_their_roles(app):
    app.load(*tables())
    given = app.open_study("risk-numbers").given
    assert {"district", "age"} <= set(given.known)
    assert not set(given.known) & set(given.protected)


def test_releases_stand_beside_the_original_and_swapped_rows_have_no_numbers(asked):
    count_classes(asked)
    frame = numbers(asked)
    assert list(frame.columns) == ["Original", "coarse", "swapped"]
    assert set(frame["swapped"]) == {"\N{EM DASH}"}
    assert int(frame.loc["Smallest class (k)", "coarse"]) >= 1
    assert "In the original, " in asked.texts
    assert any(chart.startswith("Share of rows by the size") for chart in asked.charts)
    assert "Plan attacks on it" in asked.links
    one(asked).shown = "swapped | swapped"
    asked.run()
    assert "The release's rows were changed or made up" in asked.texts


def test_only_the_columns_that_were_made_coarser(asked):
    count_classes(asked)
    asked.click("Take the 1 coarser or suppressed columns only")
    assert one(asked).given.known == ["age"]


def test_uniqueness_is_estimated_where_the_population_is_given(asked):
    count_classes(asked)
    assert not any("Estimated" in title for title in numbers(asked).index)
    one(asked).given.population = 6_000
    asked.run()
    count_classes(asked)
    assert "Estimated: unique in the population" in numbers(asked).index


def test_what_does_not_fit_together_is_said_and_not_counted(asked):
    choices = one(asked).given
    choices.protected = ["age"]
    asked.run()
    assert "cannot be both known and protected" in asked.texts
    choices.protected, choices.population = [], 10
    asked.run()
    assert "smaller than the table" in asked.texts
    assert asked.buttons["Count classes"].disabled


def test_numbers_are_kept_in_the_campaign_s_file_with_the_alc_beside(asked, tmp_path):
    count_classes(asked)
    original, coarse, _ = (alc.read_table(data, name=name) for name, data in tables())
    path = tmp_path / "campaign.alc"
    release = {"coarse": alc.Microdata(tables=(coarse,), name="coarse")}
    run_quickly(original, release, path, unknown=[NASTY], named=[["district"]], targets=300).close()
    open_campaign(asked.state, "campaign.alc", path.read_bytes())
    asked.run()
    assert "The worst attack that knows no more than these columns learns" in asked.texts
    store = asked.state.campaign.view.store
    assert "coarse | coarse" in KEPT_RISK_NUMBERS.read(store)
    saved = saved_campaign(asked.state.campaign.folder.path)

    asked.click("Open the attack")
    assert asked.title == "One attack"

    asked.state.original, asked.state.release = None, ()
    asked.state.screens.clear()
    open_campaign(asked.state, "campaign.alc", saved)
    asked.open_study("risk-numbers")
    assert "coarse" in numbers(asked).columns
