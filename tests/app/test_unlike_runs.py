"""Two runs of unlike scope in one campaign: no page, report or command refutes another."""

import html
import json
import re
from dataclasses import replace

import pytest
from click.testing import CliRunner

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.candidates.coverage import UNLIKE
from alc_core.candidates.lines import candidate_lines
from alc_core.cli import cli
from alc_core.compare.comparison import comparable, compare_all, compare_releases, riskiest
from alc_core.compare.sentences import comparison_title
from alc_core.phrasing import count, percent
from alc_core.report.html import document
from alc_core.report.html.document import report_html
from alc_core.report.options import ReportOptions
from alc_core.review.campaign_words import not_attacked_sentences
from alc_core.review.release_words import learned_sentence
from alc_core.review.rows_words import copied_sentence, not_clear_sentence, traced_words
from benchmarks.people import made_up_people

PEOPLE, NONE = 1_300, "\u2013"
FEW = ["age", "sex", "district", "education", "hours"]
BOTH, MORE = ["condition", "job"], ["income", "children"]
LOOP = alc.LoopParameters(resamples=100, folds=3)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A campaign that tried four releases alike, and then one of them on more columns."""
    people = made_up_people(2 * PEOPLE, seed=5)
    original = people[:PEOPLE].reset_index(drop=True)
    releases = {
        name: frame.sample(frac=1, random_state=1).reset_index(drop=True)
        for name, frame in {
            "Light": alc.swap_columns(original, 0.1, seed=1),
            "Middle": alc.swap_columns(original, 0.35, seed=2),
            "Heavy": alc.swap_columns(original, 1.0, seed=3),
            "Others": people[PEOPLE:],
        }.items()
    }
    path = tmp_path_factory.mktemp("unlike") / "campaign.alc"
    every = [column for column in original if column not in BOTH]
    given = {"loop": LOOP, "accept": ["own-together", "copied-rows", "other-original"]}
    named = {"named": [FEW, every], "known_sets": 0, "all_others": False}
    attacks = ["best row match", "record linkage"]
    plans = [
        alc.plan_campaign(original, releases, unknown=BOTH, attacks=attacks, **named),
        alc.plan_campaign(
            original, releases, unknown=MORE, attacks=attacks, attacked=("Light",), **named
        ),
    ]
    for plan in plans:
        alc.run_campaign(
            original, releases, path, plan=plan, families=(NaiveBayes(),), jobs=1, **given
        ).close()
    return path


@pytest.fixture
def view(app, file):
    from tests.app.conftest import opened

    with opened(app, file):
        yield app.state.campaign.view


@pytest.fixture
def lines(view):
    return candidate_lines(view, view.settings.scoring, {})


def plain(text):
    """A text without tags, marks and wide spaces."""
    text = re.sub(r"<(script|style)\b.*?</\1>", " ", text, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).replace("*", "").split())


def of_page(app, page):
    app.go_to(page)
    return plain(f"{app.texts}\n{app.html}")


def of_report(view):
    return plain(
        report_html(view, ReportOptions(scoring=view.settings.scoring)).partition("<body")[2]
    )


def of_command(file):
    return plain(CliRunner().invoke(cli, ["findings", str(file)]).output)


SHARE = r"(?:under |over )?[\d.]+%"


def rows_traced(said):
    """All shares of rows traced that a text tells, with what stands behind each."""
    found = re.findall(
        rf"Rows traced: ({SHARE})(?: of people)? \(({SHARE}) to ({SHARE}); knowing ([^;]+);", said
    )
    return sorted(set(found))


def people_exposed(said):
    """All numbers of people that releases are said to expose."""
    of = re.escape(plain(count(PEOPLE)))
    return set(re.findall(rf"(?:[Aa]bout|[Uu]p to) ([\d,]+) of {of} (?:people )?exposed", said))


def right_answers(said):
    """How often attacks and guesses are said to be right, at both ends."""
    number = r"[\d,]+"
    return set(
        re.findall(
            rf"({SHARE}) of the ({number}) most certain answers(?: about people hard to guess)? "
            rf"and ({SHARE}) of all ({number}) answers are correct "
            rf"\(best guess, of as many: ({SHARE}) and ({SHARE})\)",
            said,
        )
    )


@pytest.fixture(scope="module")
def kept():
    return {}


@pytest.fixture
def everywhere(app, view, file, kept):
    """What each place says of the campaign, made once."""
    if not kept:
        kept["findings"], kept["decision"] = of_page(app, "findings"), of_page(app, "decision")
        kept["report"], kept["command"] = of_report(view), of_command(file)
    return kept


def test_the_campaign_is_what_the_test_is_about(lines):
    found = {line.release: line for line in lines}
    assert found["Light"].planned > found["Heavy"].planned
    assert found["Light"].traced.share.value > 0.8
    assert found["Heavy"].traced is found["Others"].traced is None
    assert {line.not_attacked for line in lines} == {(), tuple(MORE)}


def test_rows_traced_are_the_same_wherever_they_are_told(lines, file, everywhere):
    expected = sorted(
        (*map(percent, (each.share.value, *each.share.interval)), traced_words(each))
        for each in (line.traced for line in lines)
        if each is not None
    )
    assert expected
    for where, said in everywhere.items():
        told = rows_traced(said)
        assert [each[:3] for each in told] == [
            tuple(plain(part) for part in each[:3]) for each in expected
        ], where
        assert all(
            plain(each[3]) in plain(words[3]) for each, words in zip(told, expected, strict=True)
        )
    kept = json.loads(CliRunner().invoke(cli, ["findings", str(file), "--json", "-"]).output)
    shares = {each["release"]: each["rows_traced"] for each in kept["releases"]}
    for line in lines:
        found = shares[line.release]
        assert (found is None) is (line.traced is None)
        assert found is None or found["value"] == pytest.approx(line.traced.share.value)


def test_what_is_learned_of_a_release_is_one_sentence_everywhere(app, view, lines, everywhere):
    scoring = view.settings.scoring
    learned = [learned_sentence(view, line, scoring, stopped_said=True) for line in lines]
    sentences = [*map(plain, (*learned, *map(copied_sentence, lines)))]
    expected = right_answers(" ".join(sentences))
    assert expected, "both ends are told"
    for where, said in everywhere.items():
        if where in ("report", "command"):  # pages have numbers of several releases
            assert all(sentence in said for sentence in sentences), where
        if where == "command":  # a report has cards of other attacks as well
            assert right_answers(said) == expected, where
        for line in lines:
            not_clear = plain(not_clear_sentence(line))
            assert not_clear in said, where
    for line in lines:
        app.go_to("findings")
        app.open_attack(line.worst.attack.number)
        said = plain(f"{app.texts}\n{app.html}")
        told = right_answers(plain(learned_sentence(view, line, scoring)))
        # Where people exposed decide, and no attack does, only the attack's page tells its answers
        assert not told or right_answers(said) <= told


def test_people_exposed_are_the_same_wherever_they_are_told(lines, everywhere):
    expected = {
        plain(count(each.number))
        for each in (line.people_exposed for line in lines)
        if each and each.number
    }
    assert expected
    for where, said in everywhere.items():
        assert people_exposed(said) <= expected, where


def test_what_was_tried_is_told_once_and_alike(app, view, lines, everywhere):
    (sentence,) = map(plain, not_attacked_sentences(lines))
    for where in ("findings", "report", "command"):
        assert everywhere[where].count(sentence) == 1, where
    app.go_to("findings")
    shown = app.table("Heavy")
    frame = view.frame(view.settings.scoring)
    report = everywhere["report"]
    matrix = report[report.index(plain(UNLIKE)) :]
    for column in (*BOTH, *MORE):
        numbers = []
        for release in shown.columns:
            own = (frame["unknown"] == column) & (frame["release"] == release)
            assert shown.loc[column, release] == own.sum()
            numbers.append(str(own.sum() or NONE))
        assert f"{column} {' '.join(numbers)}" in matrix
    assert "All 10 columns were tested" not in report
    assert "Light: Tested: " in report or "Light: All" in report


def test_releases_are_ranked_only_over_what_all_were_tried_on(app, view, everywhere):
    comparison = comparable(compare_releases(view, view.settings.scoring))
    shared = int(comparison.shared.sum())
    assert 0 < shared < len(comparison)
    title = plain(comparison_title(comparison, compare_all(comparison, riskiest(comparison))))
    assert title.startswith(f"In {shared} attacks run on all 4 releases")
    for said in (of_page(app, "compare"), everywhere["report"]):
        assert title in said
        assert "safest" not in said
        assert f"Only {shared} of {len(comparison)} attacks were run on all" in said


def test_the_test_notices_a_number_that_differs(view, monkeypatch, everywhere):
    """What is compared is what is told: a report with another number is another report."""
    before = everywhere["report"]
    changed = [
        dict(
            part,
            blocks=[
                replace(each, text=f"1{each.text}") if each.lead == "Rows traced:" else each
                for each in part["blocks"]
            ],
        )
        for part in document.release_parts(view, view.settings.scoring)
    ]
    monkeypatch.setattr(document, "release_parts", lambda *_: changed)
    assert rows_traced(of_report(view)) != rows_traced(before)
    assert rows_traced(before)
    assert people_exposed(before)
    assert right_answers(before)
