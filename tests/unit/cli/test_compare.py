"""Two campaigns of the same attacks: what got worse, with a known truth."""

import json

import pytest

import alc_core as alc
from alc_core.compare import campaigns
from alc_core.measures.measure import Measured
from alc_core.scoring.verdict import Verdict
from tests.unit.cli.conftest import ended


@pytest.fixture(scope="module")
def files(written, people):
    frame = people(1200)
    folder = written(frame, weak=0.02, strong=0.9)
    other = alc.swap_columns(frame, 0.9, seed=7)
    other.to_csv(folder / "other.csv", index=False)
    for name in ("weak", "strong", "other"):
        plan(folder, name, "--release", folder / f"{name}.csv")
    plan(folder, "older", "--release", folder / "weak.csv", known=["age"])
    frame[:-1].to_csv(folder / "fewer.csv", index=False)
    plan(folder, "fewer", "--release", folder / "strong.csv", original="fewer")
    both = [f"{name}={folder / name}.csv" for name in ("weak", "strong")]
    plan(folder, "two", "--release", both[0], "--release", both[1])
    return folder


def plan(folder, out, *release, known=("age,city",), original="original"):
    assert ended(
        "campaign", "--original", folder / f"{original}.csv", *release,
        "--out", folder / f"{out}.alc", "--unknown", "job", "--known-sets", 0,
        *(part for each in known for part in ("--known", each)),
        "--no-all-others", "--targets", 600, "--jobs", 1, "--quiet",
    ) == 0  # fmt: skip


def compared(run, folder, old, new):
    done = run("compare", folder / f"{old}.alc", folder / f"{new}.alc", "--json", "-")
    return done.code, json.loads(done.out)


@pytest.mark.parametrize(
    ("old", "new", "code", "change"),
    [
        ("strong", "weak", 1, "worse"),
        ("weak", "strong", 0, "better"),
        ("strong", "other", 0, "alike"),
    ],
)
def test_a_change_counts_beyond_both_intervals(files, run, old, new, code, change):
    ended_with, found = compared(run, files, old, new)
    (attack,) = found["attacks"]
    assert (ended_with, attack["change"]) == (code, change)
    with alc.CampaignStore.open(files / f"{new}.alc") as store:
        assessment = store.assessment(0)
    assert attack["new"]["value"] == assessment.decisive_alc
    assert attack["new"]["low"] == pytest.approx(assessment.decisive_interval[0])


def stands(verdict, low, high, *, told=True):
    found = Measured(value=(low + high) / 2, low=low, high=high) if told else None
    return campaigns._Standing(found, verdict is Verdict.NOT_CONVERGED)


SERIOUS, SAFE = stands(Verdict.SERIOUS, 0.75, 0.85), stands(Verdict.BELOW_LIMIT, 0.0, 0.1)
UNSURE = stands(Verdict.NOT_CONVERGED, 0.0, 0.2)
NOTHING = stands(Verdict.NOT_TESTABLE, 0.0, 0.9, told=False)


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        (SERIOUS, SAFE, "better"), (SERIOUS, UNSURE, "no result"), (UNSURE, SERIOUS, "no result"),
        (SAFE, stands(Verdict.NOT_CONVERGED, 0.3, 0.5), "worse"), (NOTHING, NOTHING, "alike"),
        (SAFE, NOTHING, "no result"), (None, NOTHING, "no result"),
    ],
)  # fmt: skip
def test_what_says_nothing_is_neither_better_nor_worse(old, new, change):
    assert campaigns._change(old, new) == change


def test_python_has_the_same_comparison(files, run):
    found = alc.compare_campaigns(files / "strong.alc", files / "weak.alc")
    with alc.CampaignView(files / "strong.alc") as old, alc.CampaignView(files / "weak.alc") as new:
        assert alc.compare_campaigns(old, new) == found
    assert (found.exit_code, found.attacks[0].change) == (1, "worse")
    done = run("compare", files / "strong.alc", files / "weak.alc")
    assert done.out == f"{found.text()}\n"
    assert "<td>worse</td>" in found._repr_html_()


def test_that_the_people_are_others_is_said(files, run):
    assert compared(run, files, "strong", "weak")[1]["same_original"]
    assert not compared(run, files, "strong", "fewer")[1]["same_original"]
    said = run("compare", files / "strong.alc", files / "fewer.alc").out
    assert "The originals differ" in said


def test_of_several_releases_those_of_the_same_name_are_compared(files, run):
    code, found = compared(run, files, "weak", "two")
    assert code == 0
    assert [(each["release"], each["change"]) for each in found["attacks"]] == [("weak", "alike")]
    assert (found["only_old"], found["only_new"]) == (0, 1)


def test_nothing_in_common_is_wrong_use(files, run):
    done = run("compare", files / "weak.alc", files / "older.alc")
    assert done.code == 2
    assert "--like" in done.err


def test_a_failed_attack_is_no_pass(files, run):
    with alc.CampaignStore.open(files / "weak.alc") as store:
        planned, settings = store.attacks, store.settings
    failed = files / "failed.alc"
    failed.unlink(missing_ok=True)
    with alc.CampaignStore.create(failed, settings, planned) as store:
        store.add_failure(planned[0].number, "no memory", seconds=0.0)
    code, found = compared(run, files, "weak", "failed")
    assert (code, found["attacks"][0]["change"]) == (3, "no result")


def test_an_attack_with_fewer_facts_that_only_one_campaign_has_is_no_change(
    written, people, run, capsys
):
    frame = people(1200)
    noisy = frame.assign(city=frame["city"].sample(frac=1.0, random_state=1).to_numpy())
    folder = written(frame, noisy=noisy)
    whole, part = "hours,age,city", "hours,age"
    for name, known in {"whole": [whole], "both": [whole, part]}.items():
        told = "--release", folder / "noisy.csv", "--accept", "own-together"
        plan(folder, name, *told, known=known)
    with alc.CampaignView(folder / "both.alc") as view:
        stands = view.frame().set_index("known").loc["age, city, hours"]
        assert stands["through_known"] == "age, hours"
        assert stands["standing_low"] > stands["decisive_high"]
    with alc.CampaignStore.open(folder / "both.alc") as store:  # As a run cut short
        begun = alc.CampaignStore.create(folder / "begun.alc", store.settings, store.attacks)
        with begun:
            (attack,) = (a for a in store.attacks if len(a.scenario.known) == 3)
            done = {attack.number: store.assessment(attack.number)}
            begun.add_results(done, seconds=dict.fromkeys(done, 0.0))
    capsys.readouterr()
    code, found = compared(run, folder, "begun", "both")
    assert (code, [each["change"] for each in found["attacks"]]) == (3, ["no result", "alike"])
    for old, new in (("whole", "both"), ("both", "whole")):
        code, found = compared(run, folder, old, new)
        assert (code, [each["change"] for each in found["attacks"]]) == (0, ["alike"])
