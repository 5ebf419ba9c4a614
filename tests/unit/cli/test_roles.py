"""Who knows what, on the command line."""

import json

import numpy as np
import pytest

from alc_core.campaign.file.annotations import kept_roles
from alc_core.campaign.file.store import CampaignStore
from alc_core.tables.roles import ColumnRole

FEW = ("--targets", "200", "--max-interval-width", "0.2", "--jobs", "1", "--quiet")


@pytest.fixture(scope="module")
def files(written, people):
    rng = np.random.default_rng(0)
    frame = people(400).assign(PWGTP=rng.integers(1, 300, 400), ratio=rng.random(400))
    return written(frame, release=0.2)


def tables(folder):
    return "--original", folder / "original.csv", "--release", folder / "release.csv"


def plan_of(files, run, *arguments):
    code, out, err = run("plan", *tables(files), "--json", "-", *arguments)
    assert code == 0, err
    return json.loads(out)


def roles_of(found):
    return {column: each["role"] for column, each in found["columns"].items()}


@pytest.mark.parametrize("command", ["plan", "check"])
def test_roles_are_shown(files, run, command):
    done = run(command, *tables(files))
    out = done.out
    assert not done.asks
    assert "both (may be known, and attacked): age, city, hours, job" in out
    protected = "to be protected (attacked; known with everything else, or if leading to rows)"
    assert f"{protected}: ratio" in out
    weight = "survey weight (not known, not attacked, not used as a weight)"
    assert f"{weight}: PWGTP" in out


def test_more_than_three_facts_are_counted_unless_all_are_asked_for(files, run):
    asked = ("plan", *tables(files), "--unknown", "ratio", "--known", "age,city,hours,job")
    assert "\n  4 facts\n" in run(*asked).out
    assert "\n  age, city, hours and job\n" in run(*asked, "--verbose").out


def test_no_planned_set_has_a_weight(files, run):
    found = plan_of(files, run, "--weight", "ratio", "--max-known", 2)
    known = {c for sets in found["known_sets"].values() for each in sets for c in each["columns"]}
    assert known == {"age", "city", "hours", "job"} == set(found["known_sets"])
    assert found["columns"]["ratio"] == {
        "role": "survey weight", "reason": "as you set it", "by_user": True,
    }  # fmt: skip


def test_only_what_is_to_be_protected_is_attacked(files, run):
    found = plan_of(files, run, "--protect", "job,city")
    assert list(found["known_sets"]) == ["city", "job"]
    roles = roles_of(found)
    assert roles.pop("PWGTP") == "survey weight"
    assert {c for c, role in roles.items() if role == "may be known"} == {"age", "hours", "ratio"}
    few = [k["columns"] for k in found["known_sets"]["job"] if k["kind"] == "singles out"]
    assert few
    assert not any("city" in columns for columns in few)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--known", "age,ratio", "--weight", "ratio"), "'ratio' is in --weight and in --known"),
        (("--unknown", "job", "--weight", "job"), "'job' is in --weight and in --unknown"),
        (("--protect", "job", "--weight", "job"), "'job' is in --weight and in --protect"),
        (("--protect", "job", "--ignore", "job"), "'job' is in --protect and in --ignore"),
        (("--protect", "job", "--person", "job"), "'job' is in --protect and in --person"),
        (("--household", "job", "--weight", "job"), "'job' is in --weight and in --household"),
        (
            ("--protect", "job", "--unknown", "city"),
            ("--unknown and --protect both say what to attack"),
        ),
        (("--weight", "jbo"), "Column 'jbo' is not in 'original.csv'"),
        (("--protect", "jbo"), "Column 'jbo' is not in 'original.csv'"),
    ],
)
def test_contradictions_are_refused_and_name_the_column(files, run, arguments, message):
    code, out, err = run("plan", *tables(files), *arguments)
    assert code != 0
    assert message in err
    assert not out


def test_a_campaign_keeps_its_roles_and_repeats_them(files, run):
    first, again = files / "first.alc", files / "again.alc"
    code, _, err = run(
        "campaign", *tables(files), "--out", first, "--protect", "job", "--weight", "ratio",
        "--known-sets", 0, *FEW,
    )  # fmt: skip
    assert code == 0, err
    code, _, err = run("campaign", *tables(files), "--out", again, "--like", first, *FEW[4:])
    assert code == 0, err
    with CampaignStore.open(first) as one, CampaignStore.open(again) as two:
        assert kept_roles(one) == kept_roles(two)
        assert kept_roles(two).by_user["ratio"] is ColumnRole.WEIGHT
        facts = ("age", "city", "hours")  # and who has another file of the survey knows the weight
        asked = {a.scenario.columns for a in two.attacks}
        assert asked == {(*facts, "job"), (*facts, "ratio", "job")}
    code, _, err = run(
        "campaign", *tables(files), "--out", again, "--like", first, "--weight", "age", *FEW[4:]
    )
    assert code != 0
    assert "kinds and roles" in err


def test_a_weight_that_is_known_on_purpose_is_warned_of(files, run):
    code, _, err = run(
        "assess", *tables(files), "--known", "PWGTP,age", "--unknown", "job", *FEW[:4]
    )
    assert code == 0
    assert "warning [known-weight] 'original.csv', column 'PWGTP': The known column looks" in err
