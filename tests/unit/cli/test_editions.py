"""Editions of the same data on the command line: asked about, then attacked as a series."""

import pytest

from alc_core.campaign.file.store import CampaignStore
from tests.toys.editions import quarters

NEW = "rows new or changed in 'q2.csv' since 'q1.csv'"
PLAN = ["--known", "age,sex,area", "--unknown", "status", "--quiet"]
ONE = ["--no-all-others", "--known-sets", "0", "--targets", "1000", "--jobs", "1"]


@pytest.fixture(scope="module", params=[False, True], ids=["leak", "harmless"])
def files(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("editions")
    for frame, name in zip(quarters(harmless=request.param), ("people", "q1", "q2"), strict=True):
        frame.to_csv(folder / f"{name}.csv", index=False)
    return folder, request.param


def test_two_quarters_are_asked_about_and_stop_the_gate_until_answered(files, run, tmp_path):
    folder, harmless = files
    both = ["--original", folder / "people.csv", "--release", f"r={folder / 'q1.csv'}",
            "--release", f"r={folder / 'q2.csv'}"]  # fmt: skip
    done = run("check", *both)
    assert done.code == 1
    assert "--release-type series" in done.out
    stopped = run("campaign", *both, *PLAN, *ONE, "--out", tmp_path / "a.alc")
    assert stopped.code == 2
    assert "accept editions.\nUse: --release-type series" in stopped.err
    answered = [*both, "--release-type", "series"]
    out = tmp_path / "b.alc"
    done = run("campaign", *answered, *PLAN, *ONE, "--out", out, "--fail-on", "at-risk")
    assert (done.code == 1) is not harmless, done.err
    shown = " ".join(done.out.split())
    assert f"age, sex, area, {NEW}" in shown, "it says what is read"
    assert harmless or f"can infer 'status' from r, by {NEW} (" in shown
    with CampaignStore.open(out) as store:
        parts = {(*each.scenario.selection.where,) for each in store.attacks}
        assert parts == {
            (),
            ("rows read in 'q1.csv' only",),
            ("rows read in 'q2.csv' only",),
            (NEW,),
        }
        whole = [a.attack for a in store.attacks if not a.scenario.selection.where]
        assert whole == ["best row match", "intersection"]
    again = run("campaign", *answered, "--out", out, "--quiet")
    assert again.code == 0


def test_what_a_new_edition_adds_to_published_ones(files, run):
    folder, harmless = files
    new = ["--original", folder / "people.csv", "--release", folder / "q2.csv",
           "--published", folder / "q1.csv", *PLAN]  # fmt: skip
    done = run("assess", *new, "--targets", "1000", "--fail-on", "at-risk")
    assert (done.code == 1) is not harmless, done.err
    assert harmless or f"people with {NEW}" in " ".join(done.out.split())
    refused = run("assess", *new, "--release-type", "series")
    assert refused.code == 2
    assert "--published says what the release is. Remove --release-type." in refused.err
