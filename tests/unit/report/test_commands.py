import shlex

import pytest

from alc_core.campaign.file.annotations import accepted_codes, keep_accepted
from alc_core.campaign.findings.decisions import Choice, decide
from alc_core.errors import InputError
from alc_core.releases.samples.demo import demo_file, load_demo, write_demos
from alc_core.report.html.scenario import campaign_command, report_command
from alc_core.report.options import Details, ReportOptions, keep_details, kept_details
from alc_core.report.sections import Depth, Section
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.apart.read import read_table


def words(command):
    return shlex.split(command.replace("\\\n", " "))


def test_the_campaign_is_made_again_from_its_own_file_and_its_tables(made_up):
    view = made_up([0.3], releases=("weak one.csv", "it's.csv"), original="people $HOME.csv")
    assert words(campaign_command(view.store, "my review.alc")) == [
        "alc", "campaign", "--original", "people $HOME.csv",
        "--release", "weak one.csv=weak one.csv", "--release", "it's.csv=it's.csv",
        "--like", "my review.alc", "--out", "my review-again.alc",
    ]  # fmt: skip


def test_accepted_questions_are_in_the_command(made_up):
    view = made_up([0.3])
    keep_accepted(view.store, ["renamed-labels"])
    keep_accepted(view.store, ["scale"])
    keep_accepted(view.store, [])
    assert accepted_codes(view.store) == ("renamed-labels", "scale")
    assert "--accept renamed-labels,scale" in campaign_command(view.store, "c.alc")


def test_the_report_names_every_option_that_is_not_the_default(made_up):
    view = made_up([0.3])
    plain = ReportOptions(scoring=view.settings.scoring, campaign_file="c.alc", html="r.html")
    assert words(report_command(view.store, plain)) == [
        "alc",
        "report",
        "c.alc",
        "--html",
        "r.html",
    ]
    keep_details(view.store, Details(purpose="Open data", date="2026-01-31"))
    changed = ReportOptions(
        scoring=ScoringParameters(alpha=2.5, loss="absolute"), campaign_file="c.alc",
        html="r.html", pdf="r.pdf", depth=Depth.SHORT,
        sections=(Section.LIMITS, Section.VERDICT, Section.GLOSSARY),
        details=Details(purpose="Open data", date="2026-01-31", assessor="-- O'Neil; rm"),
    )  # fmt: skip
    assert words(report_command(view.store, changed)) == [
        "alc", "report", "c.alc", "--html", "r.html", "--pdf", "r.pdf", "--depth", "short",
        "--section", "limits", "--alpha", "2.5", "--loss", "absolute",
        "--assessor=-- O'Neil; rm", "--date", "2026-01-31",
    ]  # fmt: skip


def test_declarations_are_kept_in_the_file_beside_decisions(made_up):
    view = made_up([0.9])
    assert kept_details(view.store) == Details()
    decide(
        view.store, 0, Choice.REDUCE, note="x", standing="serious", alc=0.9,
        scoring=view.settings.scoring,
    )  # fmt: skip
    details = Details(assessor="A", purpose="P", date="2026-01-31", assumptions="B")
    keep_details(view.store, details)
    assert kept_details(view.store) == details
    assert details.changed(purpose="Q", assessor=None).purpose == "Q"


def test_what_is_no_date_and_an_empty_choice_are_refused():
    with pytest.raises(InputError, match=r"'31.1.2026' is not a date. Enter year, month and day"):
        Details(date="31.1.2026")
    with pytest.raises(InputError, match=r"None of the chosen sections is in a report of depth"):
        ReportOptions(scoring=ScoringParameters(), depth=Depth.SHORT, sections=(Section.METHODS,))


def test_the_command_of_the_demo_writes_its_files_first(tmp_path):
    demo = load_demo("fair")
    write_demos(tmp_path)
    for table in (demo.original, *(each.tables[0] for each in demo.releases.values())):
        written = read_table(tmp_path / demo_file(table.name))
        assert len(written) == len(table)
        assert written.kinds == table.kinds
