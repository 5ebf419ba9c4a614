"""Columns answer to their codes in every option where a codebook gives them names."""

import json

import pandas as pd
import pytest

import alc_core as alc
from tests.unit.cli.conftest import ended, results

CODES = {"age": "K01", "city": "K02", "hours": "K03", "job": "K07"}


@pytest.fixture(scope="module")
def files(written, people):
    frame = people(900).assign(person=lambda t: t.index // 2).rename(columns=CODES)
    frame["year"] = 1950 + frame["K01"] % 60
    folder = written(frame, release=0.3)
    book = pd.DataFrame({"column": CODES.values(), "label": CODES.keys()})
    book.to_csv(folder / "book.csv", index=False)
    # The name of one is the code of another
    book.replace({"hours": "K02", "city": "town"}).to_csv(folder / "crossed.csv", index=False)
    return folder


def tables(files, book="book.csv"):
    return (
        "--original", files / "original.csv", "--release", files / "release.csv", "--names",
        files / book,
    )  # fmt: skip


KNOWN = ("--known", "K01,city", "--unknown", "K07")
ALONE = ("--accept", "maybe-person:person")  # Pairs of rows are no one person's
QUICK = ("--targets", 200, "--max-interval-width", 0.2, "--quiet", "--json", "-")


def test_an_attack_is_the_same_by_codes_and_by_names(files, run):
    by_codes = (
        *KNOWN, "--person", "person", "--categorical", "K02", "--pretarget", "K01 in 20..80",
        "--missing", "K07=", "--accept", "no-value:K07", "--ignore", "K03",
    )  # fmt: skip
    by_names = (
        "--known", "age,city", "--unknown", "job", "--person", "person", "--categorical", "city",
        "--pretarget", "age in 20..80", "--missing", "job=", "--accept", "no-value:job",
        "--ignore", "hours",
    )  # fmt: skip
    found = [run("assess", *tables(files), *each, *QUICK) for each in (by_codes, by_names)]
    assert [done.code for done in found] == [0, 0], found[0].err
    assert found[0].out == found[1].out
    (result,) = results(found[0].out)
    assert result["scenario"]["known"] == ["age", "city"]
    assert result["scenario"]["targets"]["where"] == {"age in 20..80": ["yes"]}


@pytest.mark.parametrize(
    ("unknown", "named"),
    [
        ("K07 & K02", "job & city"),
        ("K03 >= 30", "hours >= 30"),
        ("mean K03 per person", "mean hours per person"),
        ("count K07 = smith per person", "count job = smith per person"),
        ("job", "job"),
    ],
)
def test_what_is_worked_out_answers_to_codes(files, run, unknown, named):
    asked = ("--known", "K01", "--unknown", unknown, "--person", "person")
    done = run("assess", *tables(files), *asked, *QUICK)
    assert done.code == 0, done.err
    assert {each["scenario"]["unknown"] for each in results(done.out)} == {named}


def test_a_check_and_its_answers_take_codes(files, run, tmp_path):
    done = run("check", *tables(files), *KNOWN, *ALONE, "--weight", "K03", "--json", "-")
    assert not done.asks, done.err
    renamed = pd.read_csv(files / "release.csv").assign(K07=lambda t: "x" + t["K07"])
    renamed.to_csv(tmp_path / "renamed.csv", index=False)
    same = ("check", *tables(files), "--release", tmp_path / "renamed.csv", "--json", "-", *ALONE)
    assert run(*same).asks
    assert not run(*same, "--accept", "unknown-labels:K07,other-coding:K07").asks
    pay = pd.read_csv(files / "release.csv").rename(columns={"K03": "pay"})
    pay.to_csv(tmp_path / "pay.csv", index=False)
    same = ("check", *tables(files), "--release", tmp_path / "pay.csv", "--same", "pay=K03")
    done = run(*same)
    assert "'pay' is read as the original's 'hours'" in done.out


def test_plans_studies_and_the_gate_take_codes(files, run, tmp_path):
    (tmp_path / "jobs.csv").write_text("K07,K01,city\n")
    done = run("plan", *tables(files), "--job-list", tmp_path / "jobs.csv", "--json", "-")
    assert list(json.loads(done.out)["known_sets"]) == ["job"]
    done = run("plan", *tables(files), *KNOWN, "--protect", "K07")
    assert "--unknown and --protect both say" in done.err
    out = tmp_path / "review.alc"
    assert ended(
        "campaign", *tables(files), *KNOWN, "--known-sets", 0, "--no-all-others", "--targets",
        200, "--max-interval-width", 0.2, "--jobs", 1, "--out", out, "--quiet", *ALONE,
    ) == 0  # fmt: skip
    with alc.CampaignStore.open(out) as store:
        assert [each.scenario.wanted for each in store.attacks] == ["job"]
    done = run("gate", out, "--allow", "K07")
    assert "job" not in done.err
    assert "all attacks allowed" in done.out
    for study, asked in (
        ("utility", ("--target", "K07")),
        ("risk", ("--known", "K01,K02", "--protected", "K07")),
    ):
        done = run(study, *tables(files), *asked, "--quiet")
        assert done.code == 0, done.err
        # and with the names that the campaign's file keeps
        done = run(study, *tables(files)[:4], *asked, "--quiet", "--campaign", out)
        assert done.code == 0, done.err


def test_a_code_that_is_another_column_s_name_is_refused_with_both(files, run):
    asked = ("--known", "K01", "--unknown", "K07", *ALONE)
    assert run("assess", *tables(files, "crossed.csv"), *asked, *QUICK).code == 0
    done = run("assess", *tables(files, "crossed.csv"), *asked, "--ignore", "K02", *QUICK)
    assert done.code == 2
    assert done.err == (
        "Error: 'K02' is the code of column 'town' and the name of 'K03'. Say 'town' or 'K03'.\n"
    )
    assert run("assess", *tables(files, "crossed.csv"), *asked, "--ignore", "K03", *QUICK).code == 0
