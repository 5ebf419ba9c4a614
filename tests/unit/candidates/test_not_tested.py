"""A release that no attack was possible on is told beside the others."""

import html

import pandas as pd
import pytest

import alc_core as alc
from alc_core.candidates.decision import ReleaseChoice
from alc_core.candidates.lines import candidate_lines
from alc_core.report.html.document import report_html
from alc_core.report.options import ReportOptions
from alc_core.review.campaign_words import candidates_title
from alc_core.review.decision_words import objections
from alc_core.review.release_words import harm_sentence, reason_sentence
from alc_core.scoring.verdict import Publishing
from tests.toys.campaigns import run_quickly


@pytest.fixture(scope="module")
def view(people, tmp_path_factory):
    frame = people(600)
    releases = {
        "other": pd.DataFrame({"x": range(60), "y": range(60)}),
        "strong": alc.swap_columns(frame, 1.0, seed=1),
    }
    path = tmp_path_factory.mktemp("untested") / "c.alc"
    with run_quickly(frame, releases, path, targets=300) as store:
        yield alc.CampaignView(store)


def test_it_is_no_part_of_what_nothing_was_found_against(view):
    lines = candidate_lines(view, view.settings.scoring, {})
    line = next(line for line in lines if line.release == "other")
    assert (line.title, line.publishing) == ("Not tested", Publishing.UNKNOWN)
    assert "lacks needed columns" in reason_sentence(line)
    assert harm_sentence(line) == "Unknown: no attack was possible."
    assert candidates_title(lines).endswith("; 1 without a result")


def test_that_no_attack_was_possible_speaks_against_publishing_it(view):
    scoring = view.settings.scoring
    line = next(e for e in candidate_lines(view, scoring, {}) if e.release == "other")
    overview = view.only("other").overview(scoring)
    (said,) = objections(line, overview, {}, ReleaseChoice.PUBLISH)
    assert said.startswith("No attack was possible")


def test_report_and_notebook_name_it(view):
    report = html.unescape(report_html(view, ReportOptions(scoring=view.settings.scoring)))
    assert "Not tested" in report
    assert "Not attacked: the release lacks" in report
    assert "other: Not tested." in report
    found = view.releases().set_index("release")
    assert found.loc["other", "title"] == "Not tested"
