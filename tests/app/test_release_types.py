"""A table, groups and counts of one original: uploaded, told apart, attacked, compared."""

import pytest

from alc_core.compare.comparison import compare_releases
from tests.app.conftest import csv

KINDS = {"rows": "rows", "qi + sensitive": "groups", "counts": "counts"}
CHOICES = ["rows", "groups", "counts"]


@pytest.fixture(scope="module")
def files(people):
    """The original, and by name the files of a table, of an Anatomy pair and of counts."""
    frame = people(600).drop(columns="hours")
    group = [number // 3 for number in range(len(frame))]
    values = frame[["job"]].assign(group_id=group).value_counts(sort=False).reset_index()
    frames = {
        "rows.csv": frame.sample(frac=1, random_state=1),
        "qi.csv": frame[["age", "city"]].assign(group_id=group),
        "sensitive.csv": values,
        "counts.csv": frame.value_counts(["city", "job"]).rename("n").reset_index(),
    }
    original = ("people.csv", csv(frame))
    return original, {name: (name, csv(each)) for name, each in frames.items()}


@pytest.fixture
def mixed(app, files):
    original, released = files
    app.load(original, *released.values())
    return app


def kinds(app):
    return {name: release.kind for name, release in app.state.releases().items()}


def chosen(app, name):
    return app.widget("selectbox", f"release_type_{name}").value


def test_what_the_files_look_like_is_chosen_already(mixed):
    assert kinds(mixed) == KINDS
    assert {name: chosen(mixed, name) for name in KINDS} == KINDS
    assert "'qi' and 'sensitive' look like two parts of one Anatomy release" in mixed.texts
    assert "'counts' looks like a table of counts, not of people. Read it so?" in (mixed.texts)
    assert "600 people in 200 groups of 3" in mixed.texts
    assert "'counts' counts 600 people by city and job" in mixed.texts


def test_uploading_one_after_the_other(app, files):
    original, released = files
    app.upload("original", original)
    app.upload("release", released["qi.csv"])
    assert kinds(app) == {"qi": "rows"}
    app.upload("release", released["sensitive.csv"])
    assert kinds(app) == {"qi + sensitive": "groups"}
    app.upload("release", released["rows.csv"], released["counts.csv"])
    assert set(kinds(app).items()) == set(KINDS.items())
    next(b for b in app.test.button if b.key == "remove_release_sensitive").click()
    app.run()
    assert kinds(app)["qi"] == "rows"


def test_the_user_can_say_otherwise(mixed):
    mixed.choose("selectbox", "release_type_counts", "rows")
    assert kinds(mixed)["counts"] == "rows"
    assert "This is a table of counts" in mixed.texts
    mixed.choose("selectbox", "release_type_counts", "counts")
    assert kinds(mixed) == KINDS
    assert "This is a table of counts" not in mixed.texts


def test_what_cannot_be_read_so_is_said_and_not_taken(mixed):
    mixed.choose("selectbox", "release_type_rows", "groups")
    assert kinds(mixed) == KINDS
    assert chosen(mixed, "rows") == "rows"
    assert "'rows' has no column that numbers the groups" in mixed.texts
    mixed.choose("selectbox", "release_type_counts", "rows")
    mixed.choose("selectbox", "release_type_rows", "rows")
    assert chosen(mixed, "rows") == "rows"


def test_they_are_attacked_and_stand_side_by_side_until_another_type_is_said(mixed):
    mixed.state.choose(unknown=["job"], known_sets=0)
    mixed.click("Continue")
    mixed.click("Run the attacks")
    mixed.finish()
    view = mixed.state.campaign.view
    assert not view.store.failures()
    comparison = compare_releases(view, view.settings.scoring)
    assert set(comparison.releases) == set(KINDS)
    planned = {(attack.release, attack.attack) for attack in view.attacks}
    assert ("qi + sensitive", "best row match") in planned
    assert "counts" in {release for release, _ in planned}
    assert mixed.state.campaign_tables() is not None
    for page in ("findings", "compare", "trade-offs", "decision"):
        mixed.go_to(page)
        assert not mixed.test.error, page
    assert mixed.state.campaign_outdated() == ()
    mixed.go_to("data")
    mixed.choose("selectbox", "release_type_counts", "rows")
    assert "the releases" in mixed.state.campaign_outdated()
    assert mixed.state.campaign_tables() is None
