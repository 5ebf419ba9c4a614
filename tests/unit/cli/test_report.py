"""The report on the command line, and the campaign made again as it says."""

import html
import re
import shlex

import pandas as pd
import pytest

import alc_core as alc
from alc_core.campaign.findings.findings_table import findings_frame
from alc_core.cli.parts import campaign_file
from tests.unit.cli.conftest import ended


@pytest.fixture(scope="module")
def folder(tmp_path_factory, people):
    place = tmp_path_factory.mktemp("files")
    frame = people(300)
    frame.to_csv(place / "people 1.csv", index=False)
    alc.swap_columns(frame, 0.1, seed=1).to_csv(place / "weak.csv", index=False)
    code = ended(
        "campaign", "--original", place / "people 1.csv",
        "--release", f"my release={place / 'weak.csv'}", "--out", place / "review.alc",
        "--unknown", "job", "--known-sets", 0, "--known", "age,hours", "--no-all-others",
        "--categorical", "age", "--targets", 200, "--seed", 4, "--alpha", 2, "--jobs", 1, "--quiet",
    )  # fmt: skip
    assert code == 0
    return place


def commands(document):
    found = re.findall(r"<pre>(.*?)</pre>", document, re.DOTALL)
    return [shlex.split(html.unescape(each).replace("\\\n", " ")) for each in found]


def findings(path):
    with alc.CampaignStore.open(path) as store:
        view = alc.CampaignView(store)
        return findings_frame(view.attacks, view.rescored(view.settings.scoring)), store.settings


def test_a_report_that_takes_too_long_is_ended(folder, run, monkeypatch):
    def endless(*_, **__):
        while True:
            pass

    monkeypatch.setattr(campaign_file, "_SECONDS", 0.1)
    monkeypatch.setattr("alc_core.report.html.document.report_html", endless)
    done = run("report", folder / "review.alc", "--html", folder / "endless.html", "--quiet")
    assert done.code == 2
    assert "review.alc' takes more than 0 s" in done.err


def test_the_printed_commands_make_the_same_findings_and_the_same_report(folder, run, monkeypatch):
    monkeypatch.chdir(folder)
    first = run(
        "report", "review.alc", "--html", "report.html", "--at-risk", 0.3, "--purpose",
        "It's <open>", "--quiet",
    )  # fmt: skip
    assert first[0] == 0
    document = (folder / "report.html").read_bytes()
    campaign, report = commands(document.decode())
    assert campaign[:2] == ["alc", "campaign"]
    assert run(*campaign[1:], "--jobs", "1", "--quiet")[0] == 0
    one, settings = findings(folder / "review.alc")
    other, again = findings(folder / "review-again.alc")
    assert again.kinds == settings.kinds
    assert settings.kinds["age"] == "categorical"
    pd.testing.assert_frame_equal(one, other, check_exact=True)

    (folder / "report.html").unlink()
    assert run(*report[1:], "--quiet")[0] == 0
    assert (folder / "report.html").read_bytes() == document


def test_like_takes_other_names_for_the_same_tables_and_misses_none(folder, run, monkeypatch):
    monkeypatch.chdir(folder)
    arguments = ["campaign", "--original", "people 1.csv", "--like", "review.alc", "--quiet"]
    arguments += ["--jobs", "1"]
    code, _, _ = run(*arguments, "--release", "other=weak.csv", "--out", "other.alc")
    assert code == 0
    with alc.CampaignStore.open("other.alc") as store:
        assert list(store.settings.releases) == ["my release"]
    code, _, err = run(*arguments, "--release", "people 1.csv", "--out", "third.alc")
    assert code == 2
    assert "attacks release 'my release'. Add" in err
    both = ("--release", "my release=weak.csv", "--release", "my release=people 1.csv")
    code, _, err = run(*arguments, *both, "--out", "fourth.alc")
    assert code == 2
    assert "Release 'my release' has 2 tables here, but 1 in the campaign." in err


@pytest.mark.parametrize(
    "option",
    [("--unknown", "city"), ("--ignore", "age"), ("--person", "age"), ("--metadata", "weak.csv")],
)
def test_like_stands_alone(folder, run, monkeypatch, option):
    monkeypatch.chdir(folder)
    code, _, err = run(
        "campaign", "--original", "people 1.csv", "--release", "weak.csv", "--like",
        "review.alc", "--out", "x.alc", *option,
    )  # fmt: skip
    assert code == 2
    assert "--like takes plan, targets" in err


def test_a_report_that_is_written_nowhere_or_of_nothing_is_refused(folder, run):
    code, _, err = run("report", folder / "review.alc")
    assert (code, "Nothing to write" in err) == (2, True)
    code, _, err = run(
        "report", folder / "review.alc", "--html", folder / "x.html", "--date", "now"
    )
    assert (code, "'now' is not a date" in err) == (2, True)


def test_one_release_has_a_page_and_the_annex_is_there_as_text(folder, run):
    page, text = folder / "page.html", folder / "dpia.txt"
    arguments = ["report", folder / "review.alc", "--quiet", "--release", "my release"]
    assert run(*arguments, "--html", page, "--dpia-text", text)[0] == 0
    assert ": release my release</title>" in page.read_text("utf-8")
    assert "Illegitimate access: possible impacts" in text.read_text("utf-8").splitlines()
    code, _, err = run(*arguments, "--html", page, "--section", "limits")
    assert (code, "has no sections" in err) == (2, True)
    code, _, err = run(*arguments[:3], "--release", "x", "--html", page)
    assert (code, "Unknown release 'x'" in err) == (2, True)


def test_without_a_browser_the_html_is_there_and_the_way_to_a_pdf_is_told(folder, run, monkeypatch):
    monkeypatch.setattr("alc_core.report.pdf.find_chromium", lambda: None)
    code, _, err = run(
        "report", folder / "review.alc", "--html", folder / "r.html", "--pdf",
        folder / "r.pdf", "--depth", "short", "--quiet",
    )  # fmt: skip
    assert code == 2
    assert "Or print the HTML file" in err
    assert (folder / "r.html").exists()
