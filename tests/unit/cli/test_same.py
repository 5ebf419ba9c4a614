"""Columns that a release has under other names, on the command line and in campaign files."""

import json

import numpy as np
import pandas as pd
import pytest

from alc_core.campaign.file.store import CampaignStore
from alc_core.releases.samples.groups import anatomize
from alc_core.tables.read import table_from_frame
from tests.unit.cli.conftest import ended, results


def people_of(files):
    return pd.read_csv(files / "original.csv")


NAMES = {"age": "years", "hours": "time"}
SAME = ("--same", "years=age", "--same", "time=hours")


@pytest.fixture(scope="module")
def files(tmp_path_factory, people):
    """An original, and all of it released with other names: a leak that two columns hide."""
    folder = tmp_path_factory.mktemp("same")
    frame = people(600)
    frame.to_csv(folder / "original.csv", index=False)
    released = frame.sample(frac=1, random_state=2)
    released.rename(columns=NAMES).to_csv(folder / "renamed.csv", index=False)
    mixed = frame.apply(lambda column: np.random.default_rng(1).permutation(column.to_numpy()))
    mixed.to_csv(folder / "plain.csv", index=False)
    return folder


PLAN = (
    "--unknown", "job", "--known-sets", 0, "--known", "age,city", "--no-all-others",
    "--targets", 200, "--max-interval-width", 0.2, "--jobs", 1, "--quiet",
)  # fmt: skip


@pytest.fixture(scope="module")
def matched(files):
    """A campaign's file in which the columns are matched."""
    out = files / "same.alc"
    tables = ("--original", files / "original.csv", "--release", files / "renamed.csv")
    assert ended("campaign", *tables, "--out", out, *PLAN, *SAME) == 0
    return out


@pytest.fixture
def run(capsys, files):
    def _run(command, *arguments, release=("renamed.csv",)):
        files_given = [part for name in release for part in ("--release", files / name)]
        given = (command, "--original", files / "original.csv", *files_given, *arguments)
        code = ended(*given)
        captured = capsys.readouterr()
        return code, captured.out, " ".join(captured.err.split())

    return _run


def test_check_suggests_the_option_and_takes_it(run):
    code, out, _ = run("check", "--json", "-")
    findings = json.loads(out)["findings"]
    missing = {f["column"]: f["offers"] for f in findings if f["code"] == "missing-column"}
    assert missing == {
        "age": [{"option": "same", "value": "years=age"}],
        "hours": [{"option": "same", "value": "time=hours"}],
    }
    _, out, _ = run("check")
    assert code == 1
    assert "Use: --same years=age\n" in out
    _, out, err = run("check", *SAME)
    assert "to fix or answer" not in err
    assert "missing" not in out
    assert "  Column 'years' is read as the original's 'age'.\n" in out


def test_a_leak_is_found_only_once_the_columns_are_matched(run, tmp_path):
    def assessed(*more):
        out = tmp_path / "result.json"
        run(
            "assess", "--known", "age,city,hours", "--unknown", "job", "--targets", 400,
            "--max-interval-width", 0.2, "--json", out, "--quiet", *more,
        )  # fmt: skip
        return results(out.read_text())[0]

    code, _, err = run("assess", "--known", "age,city,hours", "--unknown", "job", "--quiet")
    assert code == 2
    assert "missing-column:age" in err
    hidden = assessed("--accept", "missing-column:age,missing-column:hours")
    assert hidden["verdict"] in ("no loss", "below limit", "inconclusive")
    assert hidden["release"][0]["same_columns"] == {}
    found = assessed(*SAME)
    assert found["verdict"] == "serious"
    assert found["release"][0]["same_columns"] == {"years": "age", "time": "hours"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("years", "--same takes NAME=COLUMN, such as pay_class=income, not 'years'."),
        ("=age", "--same takes NAME=COLUMN"),
        ("yeers=age", "No released table has 'yeers' for the original's"),
        ("years=salary", "Column 'salary' is not in 'original.csv'"),
        ("years=city", "which the release has"),
    ],
)
def test_what_cannot_be_is_refused(run, given, message):
    code, _, err = run("check", "--same", given)
    assert (code, message in err) == (2, True), err


def test_one_name_cannot_be_two_columns(run):
    _, _, err = run("check", "--same", "years=age", "--same", "years=hours")
    assert "--same gives 'years' both 'age' and 'hours'. Choose one." in err


def test_names_with_an_equals_sign(run, files):
    people_of(files).rename(columns={"age": "a=b"}).to_csv(files / "equals.csv", index=False)
    _, out, err = run("check", "--same", "a=b=age", release=["equals.csv"])
    assert ("to fix" in err, "Column 'a=b' is read as" in out) == (False, True)


def test_groups_are_read_with_it(run, files):
    frame = people_of(files)
    original = table_from_frame(frame, name="original.csv")
    release = anatomize(original, unknown="job", known=["age", "city"], level=2)
    for number, table in enumerate(release.tables):
        renamed = table.frame.rename(columns={"job": "work", "age": "years"})
        renamed.to_csv(files / f"part{number}.csv", index=False)
    parts = [part for n in (0, 1) for part in ("--release", f"g={files / f'part{n}.csv'}")]
    same = ("--same", "work=job", "--same", "years=age")
    code, out, _ = run("check", *parts, "--release-type", "groups", *same, release=[])
    assert "is read as the original's 'job'" in out
    assert code == 0


def test_a_campaign_keeps_it_and_repeats_it(run, files, matched):
    out, both = matched, ["renamed.csv"]
    with CampaignStore.open(out) as store:
        (summary,) = store.settings.releases["renamed"]
        assert summary.same_columns == {"years": "age", "time": "hours"}
        first = store.assessment(0).alc
    code, _, err = run("campaign", "--out", out, "--quiet", release=both)
    assert code == 2
    assert "has other data or settings: release 'renamed': the column" in err
    assert run("campaign", "--out", out, "--quiet", *SAME, release=both)[0] == 0
    again = files / "again.alc"
    like = ("--like", out, "--jobs", 1, "--quiet")
    assert run("campaign", "--out", again, *like, release=both)[0] == 0
    more = files / "more.alc"
    assert run("campaign", "--out", more, *like, *SAME, release=both)[0] == 0
    for file in (again, more):
        with CampaignStore.open(file) as store:
            assert store.settings.same_columns("renamed") == (summary.same_columns,)
            assert store.assessment(0).alc == first


def test_it_holds_for_the_releases_that_have_the_column(run, files):
    releases = ["renamed.csv", "plain.csv"]
    named = [f"{name[:1]}={files / name}" for name in releases]
    arguments = [part for text in named for part in ("--release", text)]
    code, _, err = run("plan", *arguments, *SAME, release=[])
    assert code == 0, err
    _, _, err = run("plan", *arguments, "--same", "no=age", release=[])
    assert "No released table has 'no'" in err


def test_a_campaign_s_release_is_known_again_without_saying_it(run, matched):
    asked = ("--known", "age,hours", "--protected", "job", "--campaign", matched, "--quiet")
    code, out, err = run("risk", *asked)
    assert code == 0, err
    assert "Rows in classes" in out


def test_the_report_says_it(files, matched, tmp_path):
    plain = tmp_path / "plain.alc"
    tables = ("--original", files / "original.csv", "--release", files / "plain.csv")
    ended("campaign", *tables, "--out", plain, *PLAN)
    for file, said in ((matched, True), (plain, False)):
        out = tmp_path / "report.html"
        assert ended("report", file, "--html", out) == 0
        text = out.read_text("utf-8")
        assert ("Renamed columns" in text) is said
        assert ("<td>years</td><td>age</td>" in text) is said
