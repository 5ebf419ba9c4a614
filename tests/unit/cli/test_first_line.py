"""What the check found that stops a release is said first, and releases without a name are apart.

Copies of people beside strangers: no attack finds more than a guess would, and the gate stops it.
"""

import hashlib
import json

import pandas as pd
import pytest

import alc_core as alc
from alc_core.report.html.document import report_html
from alc_core.report.options import ReportOptions
from tests.unit.cli.conftest import ended, results

TITLE = "Holds original rows. "
COPIED = "120 rows (10%) of 'copied.csv' are also in the original"


@pytest.fixture(scope="module")
def files(written, people):
    everybody = people(3400).drop_duplicates(ignore_index=True)
    # So that hardly two people are alike, and copies are not by chance
    everybody["number"] = everybody.index * 7 % 3001
    original = everybody[:1200]
    strangers = everybody[1200:2280]
    copied = pd.concat([original[:120], strangers]).sample(frac=1, random_state=1)
    return written(original, copied=copied, strangers=everybody[2280:].sample(frac=1))


def assess(files, *releases, more=()):
    return (
        "assess", "--original", files / "original.csv",
        *(part for each in releases for part in ("--release", each)),
        "--known", "age,city", "--unknown", "job", "--targets", 300, "--quiet", *more,
    )  # fmt: skip


@pytest.fixture(scope="module")
def campaign(files):
    out = files / "review.alc"
    assert ended(
        "campaign", "--original", files / "original.csv", "--release", files / "copied.csv",
        "--release", files / "strangers.csv", "--out", out, "--unknown", "job", "--known",
        "age,city", "--known-sets", 0, "--no-all-others", "--targets", 300, "--jobs", 1, "--quiet",
    ) == 0  # fmt: skip
    return out


def test_an_assessment_begins_with_the_copies_and_stderr_says_why_it_ends_with_1(files, run):
    done = run(*assess(files, files / "copied.csv", more=("--fail-on", "serious")))
    assert done.code == 1
    first, *_ = done.out.splitlines()
    assert first.startswith(TITLE + COPIED)
    assert "Verdict: No loss of anonymity from this attack" in done.out
    assert "\nPeople exposed:      0 (0 to " in done.out
    assert done.err == ("Exit code 1: copied: stopped (rows are copied from the original)\n")


def test_strangers_pass_and_nothing_is_said_of_copies(files, run):
    done = run(*assess(files, files / "strangers.csv", more=("--fail-on", "serious")))
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Verdict: No loss of anonymity from this attack")


def test_files_without_a_name_are_releases_of_their_own_the_worst_first(files, run):
    both = files / "strangers.csv", files / "copied.csv"
    out = files / "out.csv"
    done = run(*assess(files, *both, more=("--fail-on", "serious", "--csv", out)))
    assert done.code == 1
    head, first, second, *_ = done.out.splitlines()
    assert " ".join(head.split()) == "release the check worst attack ALC people exposed"
    assert first.startswith("copied     Holds original rows  no loss, ")
    assert second.startswith("strangers                       no loss, ")
    assert done.out.index("--- copied") < done.out.index("--- strangers")
    assert done.err.startswith("Exit code 1: copied: ")
    assert set(pd.read_csv(out)["release"]) == {"copied", "strangers"}


def test_json_says_what_stops_each_release(files, run):
    both = f"s={files / 'strangers.csv'}", files / "copied.csv"
    done = run(*assess(files, *both, more=("--json", "-")))
    found = json.loads(done.out)["releases"]
    assert [each["release"] for each in found] == ["copied", "s"]
    assert [[n["code"] for n in each["stopped_by"]] for each in found] == [["copied-rows"], []]
    assert [each["release_name"] for each in results(done.out)] == ["copied", "s"]
    copied = alc.Assessment.from_dict(results(done.out)[0])
    assert copied._repr_html_().startswith(f"<div><p><strong>{TITLE}120 rows")
    assert repr(copied).endswith("; the check: holds original rows>")
    assert copied.summary().startswith(TITLE + COPIED)
    stranger = alc.Assessment.from_dict(results(done.out)[1])
    assert "the check" not in repr(stranger)
    assert "original rows" not in stranger._repr_html_()


def test_a_campaign_says_it_in_its_first_two_lines(campaign, run):
    done = run("findings", campaign)
    head = " ".join(done.out.splitlines()[:4])
    assert head.startswith("1 of 2 releases needs examining before publishing")
    assert f" copied: {TITLE}{COPIED}" in head
    assert "No loss from this attack" in done.out
    assert "nobody found exposed beyond guessing" in done.out
    done = run("gate", campaign, "--fail-on", "serious")
    assert done.code == 1
    assert done.out.startswith("copied: stopped (rows are copied from the original)")
    assert done.err == "Exit code 1: copied: stopped (rows are copied from the original)\n"
    (found, _) = json.loads(run("findings", campaign, "--json", "-").out)["releases"]
    assert (found["title"], found["reason"]) == (
        "Holds original rows",
        "rows are copied from the original",
    )


def test_a_notebook_and_the_report_say_it_of_a_campaign(campaign):
    with alc.CampaignView(campaign) as view:
        assert repr(view).endswith("; the check stops 'copied'>")
        assert view._repr_html_().startswith(f"<div><p><strong>copied: {TITLE}120 rows")
        assert repr(view.only("strangers")).endswith("on strangers>")
        page = report_html(view, ReportOptions(scoring=view.settings.scoring))
        front = page[page.index("<h1>") : page.index("What could go wrong")]
        assert "Holds original rows" in front
        assert "<strong>Found:</strong> 120 rows (10%) of" in front


@pytest.mark.parametrize("command", ["check", "plan", "utility", "risk"])
def test_every_command_takes_files_without_a_name_as_releases_of_their_own(files, run, command):
    more = {"utility": ("--target", "job"), "risk": ("--known", "age,city", "--protected", "job")}
    tables = (
        "--original", files / "original.csv", "--release", files / "copied.csv", "--release",
        files / "strangers.csv",
    )  # fmt: skip
    done = (
        run(command, *tables, *more.get(command, ()), "--quiet")
        if command != "plan"
        else run(command, *tables)
    )
    assert done.code == (command == "check"), done.err  # which a copy ends with 1
    if command == "plan":
        assert "2 releases" in done.out
    else:
        assert "copied" in done.out
        assert "strangers" in done.out


def test_names_of_files_that_are_alike_are_made_different(files, run, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "r.csv").write_bytes((files / "strangers.csv").read_bytes())
    both = tmp_path / "a" / "r.csv", tmp_path / "b" / "r.csv"
    found = json.loads(run(*assess(files, *both, more=("--json", "-"))).out)["releases"]
    assert sorted(each["release"] for each in found) == ["r.csv", "r.csv (2)"]
    pattern = json.loads(run(*assess(files, tmp_path / "a" / "*.csv", more=("--json", "-"))).out)
    assert pattern["releases"][0]["release"] == "a"


@pytest.fixture(scope="module")
def stopped(files, tmp_path_factory):
    """Releases that the check stops, each for one reason, and harmless twins of them."""
    folder = tmp_path_factory.mktemp("stopped")
    own, strangers = (pd.read_csv(files / f"{name}.csv") for name in ("original", "strangers"))
    own = own.assign(code=[f"S-{place:05d}" for place in own.index * 17 % 99_991])
    plain = alc.swap_columns(own.drop(columns="code"), 0.75, seed=1)
    shuffled = plain.sample(frac=1, random_state=3)

    def hashed(key):
        digest = (hashlib.sha256(f"{key}{code}".encode()).hexdigest() for code in own["code"])
        return plain.assign(code=list(digest)).sample(frac=1, random_state=4)

    def banded(frame):
        bands = pd.cut(frame["age"], [0, 29, 49, 120], labels=["0-29", "30-49", "50-120"])
        return frame.drop(columns="code", errors="ignore").assign(age=bands).sample(frac=1)

    made = {
        "original": own,
        "banded": banded(own),
        "half": pd.concat([banded(own)[:600], banded(strangers)[:600]]).sample(frac=1),
        "strangers_banded": banded(strangers),
        "few": banded(own)[["age", "city", "job"]],
        "copied": pd.read_csv(files / "copied.csv"),
        "identical": own.sample(frac=1, random_state=2),
        "ordered": plain,
        "numbered": shuffled.assign(row=shuffled.index),
        "undone": hashed(""),
        "changed": shuffled,
        "keyed": hashed("ab1e08d3-52c6"),
        "strangers": strangers,
    }
    for name, frame in made.items():
        frame.to_csv(folder / f"{name}.csv", index=False)
    return folder


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("copied", COPIED),
        (
            "banded",
            "1,200 rows (100%) of 'banded.csv' are also in the original, in all but 1",
        ),
        (
            "half",
            "600 rows (50%) of 'half.csv' are also in the original, in all but 1 column (under",
        ),
        ("identical", "Every row of 'identical.csv' is in the original"),
        ("ordered", "Rows of 'ordered.csv' are in the original's order"),
        ("numbered", "People can be looked up by 'row', "),
        ("undone", "People can be looked up by 'code'"),
        *((name, None) for name in ("changed", "keyed", "strangers", "strangers_banded", "few")),
    ],
)
def test_a_check_ends_with_1_where_a_finding_stops_a_release(stopped, run, name, why):
    tables = ("--original", stopped / "original.csv", "--release", stopped / f"{name}.csv")
    done = run("check", *tables)
    if why is None:
        assert (done.code, done.err) == (0, "")
    else:
        assert done.code == 1
        assert done.err.startswith(f"Exit code 1: {why}")
        assert done.err.count("\n") == 1
        numbers = "; 'row' numbers the original's rows in 'numbered.csv'"
        assert (numbers in done.err) == (name == "numbered")
    assert run("check", *tables, "--quiet", "--json", "-").code == done.code


def test_rows_that_are_the_original_s_but_for_bands_stop_an_assessment(stopped, run):
    done = run(
        "assess", "--original", stopped / "original.csv", "--release", stopped / "banded.csv",
        "--known", "age,city", "--unknown", "job", "--targets", 100, "--quiet", "--fail-on",
        "serious",
    )  # fmt: skip
    assert done.out.startswith(f"{TITLE}1,200 rows (100%) of 'banded.csv' are also in")
    assert (done.code, "banded: stopped (rows are copied from the original" in done.err) == (
        1,
        True,
    )


def test_a_check_of_several_releases_names_the_one_that_is_stopped(files, run):
    tables = ("--original", files / "original.csv", "--release", files / "strangers.csv")
    done = run("check", *tables, "--release", f"first={files / 'copied.csv'}")
    assert done.code == 1
    assert done.err.startswith("Exit code 1: first: 120 rows (10%) of 'copied.csv' are also")


def test_a_check_says_on_stderr_what_is_open(files, run, tmp_path):
    frame = pd.read_csv(files / "strangers.csv")
    frame.assign(job="x" + frame["job"]).to_csv(tmp_path / "renamed.csv", index=False)
    tables = ("--original", files / "original.csv", "--release", tmp_path / "renamed.csv")
    done = run("check", *tables, "--json", "-")
    assert done.code == 1
    assert done.err == "Exit code 1: to fix or answer: unknown-labels ('job')\n"
    found = json.loads(done.out)["findings"]
    assert {each["release_name"] for each in found} == {"renamed"}
