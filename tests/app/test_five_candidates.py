"""Five candidates of one survey: each number is the same on every page, in the report and files."""

import csv
import html
import io
import json
import re
from collections import Counter

import pytest
from click.testing import CliRunner

import alc_core as alc
from alc_core.assessment.people import PeopleSplit, exposed_number
from alc_core.campaign.file.annotations import kept_facts
from alc_core.campaign.findings.decisions import asking_attacks
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import ReleaseChoice, decide_release, release_decisions
from alc_core.candidates.line import Reason
from alc_core.candidates.lines import candidate_lines, release_order, title_on_release
from alc_core.cli import cli
from alc_core.compare.comparison import compare_releases
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.jobs import UNEXPECTED
from alc_core.dashboard.state.said import RIGHT_ORIGINAL
from alc_core.figures.looks import LOOKS
from alc_core.phrasing import count
from alc_core.report.html.document import report_html
from alc_core.report.options import ReportOptions
from alc_core.review.attack_words import counted_sentence
from alc_core.review.campaign_words import candidates_title
from alc_core.review.decision_words import opening_sentence
from alc_core.review.release_words import (
    harm_sentence,
    learned_sentence,
    line_exposed_words,
    reason_sentence,
)
from alc_core.scoring.verdict import FLAGGED, HARMLESS, Publishing
from alc_core.spreadsheet import csv_text
from alc_core.tables.checks.facts import FactKind, Weight, fact_chip, most_by_chance
from tests.toys.campaigns import run_quickly
from tests.toys.five_candidates import candidates, original

PEOPLE = 3_000
CONDITIONS = " ".join(f"Condition {number} is kept." for number in range(40))
SPACED = re.compile(r"\d %")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A finished campaign on the five, decided as an office would."""
    people = original(PEOPLE)
    releases = {f"Candidate {name}": frame for name, frame in candidates(people).items()}
    path = tmp_path_factory.mktemp("five") / "five.alc"
    known = [column for column in people if column not in ("PINCP", "MSP")]
    with run_quickly(
        people, releases, path, unknown=["PINCP", "MSP"], named=[known], targets=1_000
    ) as store:
        view = CampaignView(store)
        scoring = store.settings.scoring
        for line in candidate_lines(view, scoring, {}):
            refused = line.publishing is Publishing.CHANGE
            choice = ReleaseChoice.NOT if refused else ReleaseChoice.CONDITIONS
            decide_release(
                store, line, choice, scoring=scoring, name="The Office", conditions=CONDITIONS
            )
    return path


@pytest.fixture
def view(app, file):
    from tests.app.conftest import opened

    with opened(app, file):
        yield app.state.campaign.view


@pytest.fixture
def lines(view):
    return candidate_lines(view, view.settings.scoring, {})


def by_name(lines):
    return {line.release[-1]: line for line in lines}


def in_order(text, names):
    """Return the names in the order in which a text has each first."""
    return sorted(names, key=text.index)


def plain(text):
    """A text with plain spaces."""
    return " ".join(text.split())


def words_of(app):
    """What a page says of a campaign, be it as text or as HTML; without tags and marks."""
    drawn = html.unescape(re.sub(r"<[^>]+>", " ", app.html))
    said = [each for each in app.texts.split("\n") if "Opened from" not in each]
    return " ".join("\n".join([*said, drawn]).replace("*", "").split())


def test_what_was_planted_decides(lines):
    found = by_name(lines)
    assert found["E"].linked
    assert found["B"].verbatim
    assert found["D"].exposes
    assert all(found[name].most.exposed < 0.02 * PEOPLE for name in "AC")
    assert all(found[name].most.exposed > 0.05 * PEOPLE for name in "BDE")
    refused = {name for name, line in found.items() if line.publishing is Publishing.CHANGE}
    assert {"B", "E"} <= refused
    assert not {"A", "C"} & refused
    assert [line.release for line in lines if line.release[-1] in refused] == [
        line.release for line in lines[: len(refused)]
    ]


def test_each_page_has_the_releases_in_one_order_with_the_same_numbers(app, view, lines):
    order = [line.release for line in lines]
    assert release_order(view, view.settings.scoring) == tuple(order)
    assert {each.people for line in lines for each in (line.worst, line.most)} == {PEOPLE}
    for page in ("findings", "decision"):
        app.go_to(page)
        said = words_of(app)
        # Findings has the rows as HTML, the decision as text, before what else names some
        rows = app.html if page == "findings" else said
        assert in_order(rows, order) == order, page
        for line in lines:
            told, exposed = line.people_exposed, "Nobody found exposed beyond guessing"
            if told.number:
                of_all = f"{count(told.number)} of {count(PEOPLE)}"
                exposed = f"{told.how.capitalize()} {of_all} exposed ({told.by})"
            assert plain(exposed) in said, page
            assert f"{LOOKS[line.shown_standing].icon} {line.title}" in said, page
            if page == "findings":  # at a pointer
                learned = learned_sentence(view, line, view.settings.scoring)
                assert plain(html.escape(learned)) in plain(app.html)


def test_findings_have_the_counts_and_the_facts(app, view, lines):
    app.go_to("findings")
    said = words_of(app)
    made = release_decisions(view.store)
    assert made.keys() == {line.release for line in lines}
    assert plain(opening_sentence([line.release for line in lines], made)) in said
    assert plain(candidates_title(lines)) in said, "also after decisions"
    facts = kept_facts(view.store)
    for line in lines:
        assert f"{line.finished} attacks" in said
        (file,) = facts[line.release]
        for kind in (FactKind.VERBATIM, FactKind.VERBATIM_BUT, FactKind.SAME_ORDER):
            if (fact := file.fact(kind)) and fact.weight is not Weight.CALM:
                assert plain(fact_chip(fact)) in said
    strangers = facts["Candidate C"][0].fact(FactKind.ORIGINAL)
    assert plain(fact_chip(strangers)) in said


def test_pages_write_numbers_and_names_in_one_way(app, view, lines):
    for page in ("findings", "decision", "attack", "statistics"):
        app.go_to(page)
        said = words_of(app)
        assert not SPACED.findall(said), page
        for line in lines:
            assert line.release.lower() not in said, page
        for column in ("PINCP", "MSP"):
            assert not re.search(rf"\b({column.lower()}|{column.capitalize()})\b", said), page


def test_the_attack_of_a_line_says_the_same_on_its_page(app, view, lines):
    for line in lines:
        worst = line.worst
        app.go_to("findings")
        app.open_attack(worst.attack.number)
        number = exposed_number(worst.exposed, worst.exposed_low)
        people = count(worst.people)
        expected = f"About {count(number)} of {people}" if number else f"one of {people} people"
        assert plain(expected) in words_of(app)
        result = view.assessment(worst.attack.number)
        assert (result.verdict, result.population) == (worst.standing, worst.people)
        title = title_on_release(view, worst.attack, result)
        assert title in words_of(app)
        assert f"Covered by the decision about {line.release}." in words_of(app)
        other = f"By another attack: {line_exposed_words(line)}"
        if line.exposes and line.most is not worst:
            app.click(literal(other))
            assert plain(f"About {count(round(line.most.exposed))} of {people}") in words_of(app)
        else:
            assert other not in app.buttons
        assert title.endswith("so far") is line.awaits_model
        kept = json.loads(json.dumps(result.to_dict()))
        told = kept["exposed"] if kept["exposed_interval"][0] > 0 else 0
        assert worst.exposed == pytest.approx(told)
        assert kept["exposed_interval"] == pytest.approx([worst.exposed_low, worst.exposed_high])


def test_the_comparison_has_the_same_order_and_worst_attacks(view, lines):
    comparison = compare_releases(view, view.settings.scoring)
    assert comparison.releases == tuple(line.release for line in lines)
    for place, line in enumerate(lines):
        assert max(comparison.alc[:, place]) >= line.worst.alc - 1e-9
        assert line.worst.attack.number in comparison.number[:, place]


def test_the_report_says_the_same(view, lines):
    text = html.unescape(report_html(view, ReportOptions(scoring=view.settings.scoring)))
    text = re.sub(r"<(script|style)\b.*?</\1>", " ", text, flags=re.DOTALL)
    said = plain(re.sub(r"<[^>]+>", " ", text.partition("<body")[2]))
    order = [line.release for line in lines]
    table = said[said.index("Release Verdict") :]
    assert in_order(table, order) == order
    for line in lines:
        told = line.people_exposed
        of_all = f"{count(told.number)} of {count(PEOPLE)}"
        assert plain(f"{told.how} {of_all} ({told.by})" if told.number else of_all) in said
        assert line.title in said
        assert plain(harm_sentence(line)) in said
        assert plain(learned_sentence(view, line, view.settings.scoring)) in said
        flagged = sum(line.counts[standing] for standing in FLAGGED)
        assert line.reason is not Reason.LINKED or f" {flagged} attack" in reason_sentence(line)
        many = f"Of those below the limit, {count(line.exposing)} expose"
        assert (many in said) is (line.exposing > 0)
    published = [line for line in lines if line.publishing is not Publishing.CHANGE]
    assert said[: said.index("a legal conclusion")].count(CONDITIONS) == len(published)
    planned = sum(line.planned for line in lines)
    assert f"tested with {count(planned)} attacks" in said
    assert not SPACED.findall(said)


def test_a_plan_says_numbers_of_attacks_that_add_up():
    people = original(PEOPLE)
    releases = {f"Candidate {name}": frame for name, frame in candidates(people).items()}
    plan = alc.plan_campaign(people, releases, unknown=["PINCP", "MSP"])
    own = Counter(attack.release for attack in plan.attacks)
    assert len(set(own.values())) > 1
    total, *_ = plan.summary.split()
    assert int(total) == len(plan) == sum(own.values())
    assert all(f"{number} on {name}" in plan.summary for name, number in own.items())


def test_the_command_and_the_table_say_the_same(view, lines, file):
    printed = plain(CliRunner().invoke(cli, ["findings", str(file)]).output)
    order = [line.release for line in lines]
    table = printed[printed.index("Release Verdict Publishing") :]
    assert in_order(table, order) == order
    frame = view.frame(view.settings.scoring)
    rows = list(csv.DictReader(io.StringIO(csv_text(frame))))
    for line in lines:
        worst = line.worst
        row = next(each for each in rows if each["number"] == str(worst.attack.number))
        assert (row["release"], row["standing"]) == (line.release, worst.standing)
        assert int(row["people"]) == worst.people
        assert row["unknown_code"] == worst.attack.scenario.unknown
        for name in ("exposed", "exposed_low", "exposed_high"):
            assert float(row[name]) == pytest.approx(max(getattr(worst, name), 0))
        assert plain(line_exposed_words(line)) in printed
        assert plain(reason_sentence(line)) in printed
        own = [each for each in rows if each["release"] == line.release]
        assert sum(each["status"] == "finished" for each in own) == line.finished
        assert sum(line.counts[standing] for standing in line.counts) == line.finished


def test_a_release_exposes_what_the_attack_does_that_exposes_most(view, lines):
    frame = view.frame(view.settings.scoring)
    for line in lines:
        own = frame[(frame["release"] == line.release) & (frame["status"] == "finished")]
        numbers = own["exposed"].where(own["exposed_low"] > 0, 0).round()
        assert exposed_number(line.most.exposed, line.most.exposed_low) == numbers.max()
        assert line.exposes is bool(numbers.any())
        assert (line.reason is Reason.BELOW_LIMIT) <= (line.standing in HARMLESS)


def test_as_many_attacks_ask_for_a_look_wherever_they_are_counted(app, view, lines, file):
    scoring, asking = view.settings.scoring, sum(line.asking for line in lines)
    overview = view.overview(scoring)
    assert asking == len(asking_attacks(overview)) == overview.asking > 0
    for line in lines:
        assert line.asking == len(asking_attacks(view.only(line.release).overview(scoring)))
    printed = plain(CliRunner().invoke(cli, ["findings", str(file)]).output)
    told = f"{asking} of {overview.tested} attacks need attention"
    assert told in printed
    report = html.unescape(report_html(view, ReportOptions(scoring=scoring)))
    assert told in plain(re.sub(r"<[^>]+>", " ", report))


def test_what_no_model_attacked_is_never_said_to_be_clear(view, lines):
    """Without a model no release with made-up rows is told as more than provisional."""
    made_up = [line for line in lines if line.release[-1] in "AC"]
    assert all(line.untried for line in made_up)
    for line in made_up:
        clear = line.publishing is Publishing.CLEAR
        assert line.awaits_model is clear
        assert line.title.endswith("so far") is clear
    waits = any(line.awaits_model for line in lines)
    assert ("so far" in candidates_title(lines)) is waits
    title = candidates_title(lines).replace(f"of {len(lines)} releases", "")
    assert sum(map(int, re.findall(r"\d+", title))) == len(lines)  # leaves none out


def test_the_people_of_an_attack_are_those_it_counted(view, lines):
    for line in lines:
        result = view.assessment(line.worst.attack.number)
        said, able = counted_sentence(result), PeopleSplit.of(result).rest
        if result.down_sampled_share is None:
            able = round(able * result.attempts / result.people)
            assert f"{count(able)} are hard to guess" in said
        else:
            assert "each other about 1." in plain(said)


def test_the_question_for_the_original_is_gone_once_it_is_answered(app, view, lines, monkeypatch):
    strangers = next(line for line in lines if line.release[-1] == "C")
    fact = strangers.facts[0].fact(FactKind.ORIGINAL)
    assert fact.weight is Weight.ASK
    assert fact.count <= most_by_chance(fact.expected)
    app.state.answers.accepted.add((RIGHT_ORIGINAL, strangers.facts[0].table, None))
    app.go_to("findings")
    (other,) = kept_facts(view.store)[strangers.release]
    assert other.fact(FactKind.ORIGINAL) == fact, "nothing is said of another campaign's tables"
    monkeypatch.setattr(AppState, "campaign_tables", lambda _: (None, {}))
    app.go_to("decision")
    app.go_to("findings")
    (answered,) = kept_facts(view.store)[strangers.release]
    answered = answered.fact(FactKind.ORIGINAL)
    assert answered.weight is Weight.CALM
    assert fact_chip(answered) not in words_of(app)
    app.state.answers.withdrawn, app.state.answers.accepted = app.state.answers.accepted, set()
    app.go_to("decision")
    app.go_to("findings")
    (again,) = kept_facts(view.store)[strangers.release]
    assert again.fact(FactKind.ORIGINAL) == fact, "the answer was taken back"


def test_all_releases_open_at_once_to_what_asks_for_a_look(app, view, lines):
    for line in lines:
        decide_release(view.store, line, None, scoring=view.settings.scoring)
    app.go_to("decision")
    for line in lines:
        app.widget("button", f"open_{line.release}").click()
        app.run()
    assert UNEXPECTED not in app.texts
    for line in lines:
        asking = f"next_on_{line.release}" in {each.key for each in app.test.button}
        assert asking == (line.asking > 0)
    assert sum(line.asking > 0 for line in lines) > 1
