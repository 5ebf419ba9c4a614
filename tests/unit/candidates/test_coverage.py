"""Which release was tried on what."""

import alc_core as alc
from alc_core.candidates.coverage import tried_columns, unlike_coverage
from tests.toys.campaigns import run_quickly


def test_releases_that_were_hardly_tried_are_told_apart(people, tmp_path):
    frame = people(400)
    releases = {"all": frame, "less": frame.drop(columns="hours")}
    options = {"named": [["age"]], "targets": 200, "accept": ["identical-release"]}
    with run_quickly(frame, releases, tmp_path / "a.alc", unknown=["job", "hours"], **options) as c:
        view = alc.CampaignView(c)
        found = unlike_coverage(view, view.settings.scoring)
        assert found.to_dict() == {"all": {"hours": 1, "job": 1}, "less": {"hours": 0, "job": 1}}
    with run_quickly(frame, releases, tmp_path / "b.alc", unknown=["job"], **options) as c:
        view = alc.CampaignView(c)
        assert unlike_coverage(view, view.settings.scoring) is None


def test_the_columns_tried_on_a_release_are_counted_and_those_worked_out_by_what_they_take(
    people, tmp_path
):
    frame = people(300)
    releases = {"one": frame, "two": frame.drop(columns=["city"])}
    unknown = ["city", "job & age >= 40"]
    with run_quickly(frame, releases, tmp_path / "c.alc", unknown=unknown) as store:
        view = alc.CampaignView(store)
        assert tried_columns(view) == {"one": 3, "two": 2}
