"""Releases as candidates: their order, what is said of them, and decisions that are kept."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

import alc_core as alc
from alc_core.assessment.people import exposed_number
from alc_core.campaign.findings.decisions import Choice, decide, decisions
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates import lines as lines_module
from alc_core.candidates.decision import (
    PUBLISHED,
    ReleaseChoice,
    decide_release,
    doubt_names,
    last_decider,
    open_attacks,
    release_decisions,
    settled,
)
from alc_core.candidates.gate import FoundRelease
from alc_core.candidates.line import Reason, TracedRows, publishing_of
from alc_core.candidates.lines import asking_for_model, asks_for_model, candidate_lines, traced_rows
from alc_core.dashboard.parts.panels import exposed_bar, fact_chips, traced_bar
from alc_core.errors import InputError
from alc_core.measures.measure import Measured
from alc_core.plain_values import MOST_CHARACTERS
from alc_core.report.html.document import _environment
from alc_core.report.html.releases import scope_sentence
from alc_core.review import release_words
from alc_core.review.attack_words import CERTAINTY, short_sentence
from alc_core.review.campaign_words import (
    candidates_title,
    headline,
    not_attacked_sentences,
    strangers_sentence,
    untried_sentence,
)
from alc_core.review.decision_words import (
    advice_words,
    attacks_sentence,
    decision_reason,
    more_useful_sentence,
    moved_sentence,
    objections,
    release_decision_sentence,
    suggested_conditions,
    together_sentence,
)
from alc_core.review.release_words import (
    harm_sentence,
    learned_sentence,
    line_exposed_words,
    line_sentence,
    reason_sentence,
    utility_sentence,
)
from alc_core.review.rows_words import linked_cure, not_clear_sentence, traced_by, traced_sentence
from alc_core.scoring.verdict import Perhaps, Publishing, Verdict
from alc_core.studies.utility.measuring import measure_utility
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.facts import Fact, FactKind, FileFacts, Weight
from tests.toys.campaigns import run_quickly

SCORING = alc.ScoringParameters()


@pytest.fixture(scope="module")
def tables(people):
    frame = people(900)
    return frame, {
        "copy": frame.copy(),
        "weak": alc.swap_columns(frame, 0.95, seed=2),
        "strong": alc.swap_columns(frame, 1.0, seed=1),
    }


@pytest.fixture(scope="module")
def file(tables, tmp_path_factory):
    frame, releases = tables
    path = tmp_path_factory.mktemp("candidates") / "campaign.alc"
    run_quickly(frame, releases, path, unknown=["job", "city"], targets=500).close()
    return path


@pytest.fixture
def store(file, tmp_path):
    path = tmp_path / "campaign.alc"
    path.write_bytes(file.read_bytes())
    with alc.CampaignStore.open(path) as opened:
        yield opened


@pytest.fixture
def view(store):
    return alc.CampaignView(store)


def test_what_must_not_be_published_comes_first(view):
    lines = candidate_lines(view, SCORING, {})
    assert lines[0].release == "copy"
    assert lines[0].publishing is Publishing.CHANGE
    assert {line.publishing for line in lines[1:]} == {Publishing.CLEAR}
    assert candidates_title(lines) == (
        "1 of 3 releases should not be published unchanged, no problem found in 2 so far"
    )
    failed = dataclasses.replace(lines[-1], failed=1, planned=lines[-1].planned + 1)
    assert candidates_title([*lines[:-1], failed]) == (
        "1 of 3 releases should not be published unchanged, no problem found in 1 so far; "
        "1 without a result"
    )
    assert candidates_title([failed]) == "No result yet"
    assert candidates_title([failed, lines[1]]) == (
        "No problem found in 1 of 2 releases so far; 1 without a result"
    )
    twice = [lines[0], dataclasses.replace(lines[0], release="copy of it")]
    assert candidates_title(twice) == "Do not publish any of 2 releases"
    found = line_sentence(lines[0])
    assert found.startswith("Serious in all 2 attacks. The attack that exposes most infers ")
    worst = f" ({lines[0].worst.interval}), {lines[0].people_exposed.words}."
    assert f"{worst} Every row of 'copy' is in the original" in found
    assert lines[0].people_exposed.words.startswith("about ")
    assert "an original row" not in line_sentence(lines[-1])
    low, high = map(float, lines[0].worst.interval.split(" to "))
    assert 0.75 < low <= round(lines[0].worst.alc, 2) <= high


def test_while_attacks_still_run_the_title_says_what_is_found_so_far(view):
    copy, *clear = (
        dataclasses.replace(line, planned=3) for line in candidate_lines(view, SCORING, {})
    )
    assert (
        candidates_title([*clear, copy])
        == "So far: 1 of 3 releases should not be published unchanged"
    )
    assert candidates_title(clear) == "So far: no problem found"


def test_the_line_says_what_a_release_is_good_for(view, tables):
    frame, releases = tables
    utility = measure_utility(frame, releases["weak"], targets=["job"])
    line = next(e for e in candidate_lines(view, SCORING, {"weak": utility}) if e.utility)
    assert "of relations between columns kept" in utility_sentence(line)


def worst_of(line, **changes):
    return dataclasses.replace(line.worst, **changes)


def alone(line, **changes):
    """The worst attack with other numbers, as the one that exposes most, too."""
    worst = worst_of(line, **changes)
    return {"worst": worst, "most": worst}


def test_equal_verdicts_are_ordered_by_what_leads_back_people_exposed_and_copies(view):
    line = candidate_lines(view, SCORING, {})[0]
    plain = dataclasses.replace(line, copied=None)
    numbers = {"exposed": 50.0, "exposed_low": 20.0}
    cases = [
        dataclasses.replace(plain, standing=Verdict.AT_RISK, linked=True),
        dataclasses.replace(plain, linked=True, **alone(line, exposed_low=-1.0)),
        dataclasses.replace(plain, **alone(line, exposed=999.0, exposed_low=2.0)),
        line,
        dataclasses.replace(plain, **alone(line, **numbers)),
        dataclasses.replace(plain, **alone(line, exposed=9.0, exposed_low=2.0, alc=0.99)),
        dataclasses.replace(plain, **alone(line, exposed=99.0, exposed_low=-1.0)),
        dataclasses.replace(line, standing=Verdict.BELOW_LIMIT),
        dataclasses.replace(
            plain, standing=Verdict.BELOW_LIMIT, **alone(line, exposed_surely=18.0)
        ),
        dataclasses.replace(plain, standing=Verdict.AT_RISK, **alone(line, **numbers)),
        dataclasses.replace(
            plain, standing=Verdict.BELOW_LIMIT, **alone(line, exposed_surely=17.0)
        ),
    ]
    assert line.worst.people == 900  # of whom 2% are 18
    assert sorted([*cases[5:], *cases[:5]], key=lines_module._place) == cases
    assert [each.reason for each in cases] == [
        Reason.LINKED, Reason.LINKED, Reason.EXPOSED, Reason.VERBATIM, Reason.EXPOSED,
        Reason.EXPOSED, Reason.CERTAINTY, Reason.VERBATIM, Reason.EXPOSED, Reason.EXPOSED,
        Reason.BELOW_LIMIT,
    ]  # fmt: skip
    assert [each.publishing for each in cases[7:]] == [
        Publishing.EXAMINE, Publishing.EXAMINE, Publishing.EXAMINE,
        Publishing.CLEAR,
    ]  # fmt: skip


def test_what_is_said_of_an_exposing_release_is_what_decides_though_no_attack_is_flagged(view):
    line = candidate_lines(view, SCORING, {})[0]
    exposing = dataclasses.replace(
        line, copied=None, standing=Verdict.BELOW_LIMIT, **alone(line, exposed_surely=18.0)
    )
    wanted = exposing.most.attack.scenario.wanted
    assert learned_sentence(view, exposing, SCORING) == (
        f"The release reveals '{wanted}' for them, unlike the best guess, although "
        "no attack is clearly above the limit."
    )
    many = dataclasses.replace(exposing, exposing=2)
    assert "2 of those below the limit expose many people." in line_sentence(many)
    assert "many people" not in line_sentence(dataclasses.replace(exposing, exposing=0))


def test_whom_only_the_luckiest_attack_would_expose_is_told_as_chance(view, monkeypatch):
    line = candidate_lines(view, SCORING, {})[0]
    asked = SimpleNamespace(
        verdict=Verdict.BELOW_LIMIT, exposed_interval=(5.0, 17.0), scoring=SCORING
    )
    numbers = {"standing": Verdict.BELOW_LIMIT, "exposed": 13.0, "exposed_low": 5.0}
    for surely, said in ((-7.4, "exposes about 20 anyway."), (1.0, "")):
        found = worst_of(line, **numbers, exposed_surely=surely)
        monkeypatch.setattr(release_words, "attack_numbers", lambda *_, found=found: found)
        assert release_words.lucky_sentence(view, line.worst.attack.number, asked).endswith(said)
        assert bool(release_words.lucky_sentence(view, line.worst.attack.number, asked)) is bool(
            said
        )
    asked.exposed_interval = (-1.0, 9.0)
    assert release_words.lucky_sentence(view, line.worst.attack.number, asked) == ""


def test_all_numbers_of_a_line_are_of_one_attack(view):
    for line in candidate_lines(view, SCORING, {}):
        row = view.frame(SCORING).set_index("number").loc[line.worst.attack.number]
        worst = line.worst
        assert (worst.standing, worst.alc) == (row["standing"], row["standing_alc"])
        bounds = [max(each, 0.0) for each in (worst.exposed, worst.exposed_low)]
        assert [row["exposed"], row["exposed_low"]] == pytest.approx(bounds)
        assert worst.people == view.assessment(worst.attack.number).people


def test_another_attack_that_exposes_more_is_named(view):
    line = candidate_lines(view, SCORING, {})[0]
    assert line.most.exposed >= line.worst.exposed
    other = worst_of(line, exposed=500.0, exposed_low=450.0)
    more = line_sentence(dataclasses.replace(line, most=other))
    assert (
        f"'{other.attack.scenario.wanted}', exposes more: about 500 of 900 people exposed." in more
    )
    wanted = line.worst.attack.scenario.wanted
    beside = next(
        a for a in view.attacks if a.release == line.release and a.scenario.wanted != wanted
    )
    named = dataclasses.replace(line, most=dataclasses.replace(other, attack=beside))
    said = f" An attack on '{beside.scenario.wanted}' exposes more people."
    assert learned_sentence(view, named, SCORING).endswith(said)
    assert "Most are exposed" not in learned_sentence(
        view, dataclasses.replace(line, most=other), SCORING
    )


def test_no_number_is_said_where_too_few_to_test_can_concern_nobody(view):
    line = candidate_lines(view, SCORING, {})[-1]
    few = dict.fromkeys(Verdict, 0) | {Verdict.TOO_FEW: 1, Verdict.BELOW_LIMIT: line.finished - 1}
    line = dataclasses.replace(line, standing=Verdict.TOO_FEW, counts=few, concerned={})
    said = "Too few people to test in 1 attack"
    assert reason_sentence(line) == f"{said}."
    line = dataclasses.replace(line, concerned={Verdict.TOO_FEW: 31, Verdict.BELOW_LIMIT: 90})
    assert reason_sentence(line) == f"{said}: each concerns at most 31 of 900."


def test_a_flag_that_exposes_nobody_says_what_it_means(view):
    line = candidate_lines(view, SCORING, {})[0]
    nobody = dataclasses.replace(line, **alone(line, exposed_low=-3.0))
    assert CERTAINTY in line_sentence(nobody)
    assert CERTAINTY not in line_sentence(line)


def test_the_luckiest_of_many_harmless_attacks_exposes_no_more_than_chance(view):
    line = candidate_lines(view, SCORING, {})[-1]
    seems = {
        "standing": Verdict.BELOW_LIMIT,
        "exposed": 6.0,
        "exposed_low": 1.0,
        "exposed_high": 15.0,
    }
    seems["exposed_surely"] = -2.0
    lucky = dataclasses.replace(line, standing=Verdict.BELOW_LIMIT, **alone(line, **seems))
    assert not lucky.exposes
    assert line_exposed_words(lucky) == "nobody found exposed beyond guessing"
    most = {"below limit": 0, "no loss": 0}, {"below limit": 15, "no loss": 54}
    assert [harm_sentence(dataclasses.replace(lucky, concerned=each)) for each in most] == [
        "Nothing found by these attacks.",
        "Nothing found by these attacks; by their intervals, each exposes at most 54 of 900 "
        "people.",
    ]
    in_report = _environment().get_template("macros.html.j2").module.exposed(lucky)
    assert "<b>0</b> of 900 beyond guessing" in in_report
    assert FoundRelease.of(lucky).people_exposed == 0
    for beyond in ({"exposed_surely": 1.0}, {"standing": Verdict.AT_RISK}):
        changed = alone(line, **{**seems, **beyond})
        assert dataclasses.replace(line, **changed).exposes


def test_attacks_without_a_result_do_not_make_what_chance_gives(store):
    before = chances_by_release(store)
    planned = store.attacks[0]
    fewer = dataclasses.replace(planned.scenario, known=("age",))
    store.extend([dataclasses.replace(planned, number=99, scenario=fewer)])
    assert chances_by_release(store) == before


def chances_by_release(store):
    lines = candidate_lines(alc.CampaignView(store), SCORING, {})
    return {line.release: line.most.by_chance for line in lines}


@pytest.mark.parametrize(
    ("kept", "models", "said"),
    [
        ((0.95, 0.85), (0.61, 0.64), ""),
        ((0.95, 0.85), (0.64, 0.61), "weak is most useful"),
        ((0.95, 0.85), (0.64, 0.645), "weak is most useful"),
        ((0.95, 0.95), (0.61, 0.64), ""),
        ((0.95, 0.95), (0.61, 0.612), "about equally useful"),
    ],
)
def test_no_release_is_called_more_useful_where_models_disagree(view, kept, models, said):
    utilities = {
        name: SimpleNamespace(relations_kept=share, accuracy=model)
        for name, share, model in zip(("weak", "strong"), kept, models, strict=True)
    }
    found = more_useful_sentence(candidate_lines(view, SCORING, utilities))
    assert said in found if said else not found


def test_of_releases_that_nothing_was_found_against_the_more_useful_is_named(view):
    utilities = {"weak": SimpleNamespace(relations_kept=0.96, accuracy=None)}
    assert not more_useful_sentence(candidate_lines(view, SCORING, utilities))
    utilities["strong"] = SimpleNamespace(relations_kept=0.9, accuracy=None)
    found = more_useful_sentence(candidate_lines(view, SCORING, utilities))
    assert found.endswith("weak is most useful: 96% of relations kept, next best 90%.")
    lines = candidate_lines(view, SCORING, utilities)
    for perhaps, named in ((Perhaps.UNSHOWN, True), (Perhaps.AT_RISK, False)):
        unsure = dataclasses.replace(
            inconclusive(view, perhaps=perhaps, exposed_high=0.0), utility=lines[-1].utility
        )
        assert bool(more_useful_sentence([*lines[:-1], unsure])) is named
    utilities["strong"] = SimpleNamespace(relations_kept=0.955, accuracy=None)
    assert "about equally" in more_useful_sentence(candidate_lines(view, SCORING, utilities))


def test_every_release_has_a_reason_in_a_sentence(view):
    for line in candidate_lines(view, SCORING, {}):
        for each in Reason:
            assert each in release_words._REASONS
        assert reason_sentence(line).endswith(".")
    assert reason_sentence(candidate_lines(view, SCORING, {})[0]).startswith("Every row of")


def test_a_release_whose_attacks_are_missing_is_not_called_clear(view):
    line = candidate_lines(view, SCORING, {})[-1]
    assert dataclasses.replace(line, planned=3).publishing is Publishing.UNKNOWN
    assert dataclasses.replace(line, failed=1).publishing is Publishing.UNKNOWN
    assert "1 still to run" in line_sentence(dataclasses.replace(line, planned=3))
    nothing = dataclasses.replace(line, standing=None, worst=None, finished=0)
    assert nothing.publishing is Publishing.UNKNOWN
    assert line_sentence(nothing) == "No attack has a result yet."
    assert candidates_title([nothing]) == "No attack has a result yet"


def test_the_view_of_a_release_holds_its_attacks_alone(view):
    part = view.only("copy")
    assert part is view.only("copy")
    assert {attack.release for attack in part.attacks} == {"copy"}
    assert part.counts.planned == part.counts.finished == 2
    whole = view.overview(SCORING)
    rows = whole.results[whole.results["release"] == "copy"]
    assert part.overview(SCORING).results["number"].tolist() == rows["number"].tolist()
    assert part.overview(SCORING).counts["serious"] == 2
    assert set(part.frame(SCORING)["release"]) == {"copy"}
    assert view.counts.planned == 6
    with pytest.raises(InputError, match="Unknown release 'x'"):
        view.only("x")


def test_a_decision_is_kept_with_what_was_known_then(store, view):
    line = candidate_lines(view, SCORING, {})[0]
    decide_release(
        store, line, ReleaseChoice.CONDITIONS, scoring=SCORING, reasons=" Needed ",
        conditions="Safe room only", name="A. Reviewer", day="2026-01-31",
    )  # fmt: skip
    made = release_decisions(store)["copy"]
    assert (made.choice, made.reasons, made.conditions, made.standing) == (
        ReleaseChoice.CONDITIONS, "Needed", "Safe room only", "serious",
    )  # fmt: skip
    said = release_decision_sentence(made, line)
    assert said == "Decided by A. Reviewer on 31 January 2026. Its worst attack was “serious” then."
    assert "Check the" not in said
    moved = dataclasses.replace(line, standing="below limit")
    assert "It is “below limit” now. Check the" in release_decision_sentence(made, moved)
    assert decide_release(store, line, None, scoring=SCORING) is None
    assert not release_decisions(store)


def test_names_of_an_uploaded_file_are_said_to_be_its_own(store, view):
    line = candidate_lines(view, SCORING, {})[0]
    decide_release(store, line, ReleaseChoice.PUBLISH, scoring=SCORING, name="boss@example.org")
    for _ in range(2):  # as often as it is opened
        doubt_names(store)
    assert last_decider(store) == "boss@example.org (says an uploaded file)"
    decide_release(store, line, ReleaseChoice.PUBLISH, scoring=SCORING, name="b" * MOST_CHARACTERS)
    doubt_names(store)
    assert len(last_decider(store)) == MOST_CHARACTERS


def test_texts_that_no_form_takes_are_refused(store, view):
    line = candidate_lines(view, SCORING, {})[0]
    long = "x" * (MOST_CHARACTERS + 1)
    with pytest.raises(InputError, match="4,001 characters instead of at most 4,000"):
        decide_release(store, line, ReleaseChoice.PUBLISH, scoring=SCORING, reasons=long)


def test_conditions_belong_to_a_choice_with_conditions(store, view):
    line = candidate_lines(view, SCORING, {})[-1]
    made = decide_release(store, line, ReleaseChoice.NOT, scoring=SCORING, conditions="x")
    assert made.conditions == ""


def test_bad_input_is_refused(store, view):
    line = candidate_lines(view, SCORING, {})[-1]
    with pytest.raises(InputError, match="'soon' is not a date"):
        decide_release(store, line, ReleaseChoice.PUBLISH, scoring=SCORING, day="soon")
    strange = dataclasses.replace(line, release="other")
    with pytest.raises(InputError, match="Unknown release 'other'"):
        decide_release(store, strange, ReleaseChoice.PUBLISH, scoring=SCORING)


def test_several_published_releases_are_doubted_together(store, view):
    lines = candidate_lines(view, SCORING, {})
    for line, choice in zip(lines, (ReleaseChoice.NOT, *PUBLISHED), strict=True):
        assert not together_sentence(release_decisions(store))
        decide_release(store, line, choice, scoring=SCORING)
    said = together_sentence(release_decisions(store))
    assert [line.release in said for line in lines] == [False, True, True]


def test_whom_a_release_exposes_whose_rows_lead_back_it_exposes_even_when_unlinked(view):
    copy, *_ = candidate_lines(view, SCORING, {})
    for linked in (False, True):
        told = dataclasses.replace(copy, linked=linked).people_exposed
        assert told.by.endswith(", even when unlinked") is linked


def test_an_attack_that_knows_what_links_rows_does_not_speak_of_unlinked_ones(view):
    copy, *_ = candidate_lines(view, SCORING, {})
    column = copy.worst.attack.scenario.known[0]
    for columns, linked in (((column,), True), (("pid",), False)):
        fact = Fact(kind=FactKind.PSEUDONYM, count=9, of=9, columns=columns, weight=Weight.ALARM)
        facts = (FileFacts(table="r", facts=(fact,)),)
        line = dataclasses.replace(copy, linked=True, facts=facts)
        said = f"{reason_sentence(line)} {harm_sentence(line)} {line.people_exposed.by}"
        assert ("Even after that" not in said) is linked
        assert ("Without it, about" not in said) is linked
        assert ("even when unlinked" not in said) is linked


def test_what_could_go_wrong_says_of_how_many_people_or_that_it_is_not_known(view):
    copy, *_, clear = candidate_lines(view, SCORING, {})
    plain = dataclasses.replace(copy, linked=False, copied=None)
    told = plain.most or plain.worst
    number, people = exposed_number(told.exposed, told.exposed_low), told.people
    assert number
    assert f"about {number} of {people} people" in harm_sentence(plain)
    copied = harm_sentence(dataclasses.replace(copy, linked=False))
    assert copied.startswith("Anyone who recognizes a copied row can read the rest. An attack on")
    assert copied.endswith(f"exposes about {number} people.")
    linked = harm_sentence(dataclasses.replace(copy, linked=True))
    assert "every person. Without it, about" in linked
    unknown = dataclasses.replace(clear, standing=Verdict.INCONCLUSIVE)
    for line in (unknown, dataclasses.replace(copy, worst=None, most=None, standing=None)):
        assert harm_sentence(line).startswith("Unknown")
    assert not harm_sentence(clear).startswith("Unknown")


def test_what_speaks_against_publishing_is_said(store, view):
    lines = candidate_lines(view, SCORING, {})
    copy, clear = lines[0], lines[-1]
    overview = view.only("copy").overview(SCORING)
    assert objections(copy, overview, {}, ReleaseChoice.NOT) == ()
    said = objections(copy, overview, {}, ReleaseChoice.PUBLISH)
    assert said[0] == "This accepts the risk of 2 attacks that need attention."
    assert said[1].startswith("An attack is serious")
    assert "real records" in said[2]
    for number, choice in zip(
        overview.results["number"].tolist(), (Choice.ACCEPTED, Choice.REDUCE), strict=True
    ):
        decide(store, number, choice, note="", standing="serious", alc=0.9, scoring=SCORING)
    reduced, copied = objections(copy, overview, decisions(store), ReleaseChoice.CONDITIONS)
    assert reduced == "1 attack is still marked “reduce”."
    assert copied == said[2]
    overview = view.only(clear.release).overview(SCORING)
    tried = dataclasses.replace(clear, untried=False)
    assert objections(tried, overview, {}, ReleaseChoice.PUBLISH) == ()
    assert tried.words == "no problem found"
    of_copy = view.only("copy").overview(SCORING)
    assert objections(copy, of_copy, {}, ReleaseChoice.CONDITIONS) == (
        "2 attacks need attention: the conditions must cover them.",
        copied,
    )


def test_that_nothing_was_tested_speaks_against_publishing(view):
    line = dataclasses.replace(
        candidate_lines(view, SCORING, {})[-1], standing=Verdict.NOT_TESTABLE
    )
    assert line.publishing is Publishing.UNKNOWN
    said = objections(line, view.overview(SCORING), {}, ReleaseChoice.PUBLISH)
    assert said[-1] == "Nothing could be tested, so the risk is unknown."


def test_rows_in_the_original_s_order_speak_against_a_release_without_a_loss(people, tmp_path):
    frame = people(900)
    kept = frame.assign(job=frame["job"].sample(frac=1, random_state=3).to_numpy())
    path = tmp_path / "kept.alc"
    run_quickly(frame, {"kept": kept}, path, targets=300).close()
    with alc.CampaignStore.open(path) as opened:
        (line,) = candidate_lines(CampaignView(opened), SCORING, {})
        overview = CampaignView(opened).overview(SCORING)
    assert line.standing in ("below limit", "no loss")
    assert line.publishing is Publishing.CHANGE
    assert line.facts[0].fact(FactKind.SAME_ORDER)
    assert line.reason is Reason.LINKED
    assert reason_sentence(line) in line_sentence(line)
    said, copied = objections(line, overview, {}, ReleaseChoice.PUBLISH)
    assert said == "Rows can be traced. First shuffle the rows."
    assert "real records" in copied
    assert suggested_conditions(line) == "Before publication, shuffle the rows."
    numbered = Fact(kind=FactKind.ROW_NUMBER, count=900, of=900, columns=("row",))
    line = dataclasses.replace(line, facts=(dataclasses.replace(line.facts[0], facts=(numbered,)),))
    cure = "remove 'row' and shuffle the rows."
    assert suggested_conditions(line) == f"Before publication, {cure}"
    assert objections(line, overview, {}, ReleaseChoice.PUBLISH)[0].endswith(f"First {cure}")
    assert reason_sentence(line).endswith(f"identifies everyone. {cure.capitalize()}")
    assert not suggested_conditions(dataclasses.replace(line, linked=False))


def test_columns_that_only_other_releases_were_attacked_on_are_told_once(people, tmp_path):
    frame = people(900)
    renamed = frame.rename(columns={"city": "town"})
    releases = {"all": frame.copy(), "one": renamed, "other": renamed.copy()}
    with run_quickly(
        frame, releases, tmp_path / "c.alc", unknown=["job", "city"], targets=300
    ) as opened:
        lines = candidate_lines(CampaignView(opened), SCORING, {})
    assert not any("not attacked" in line_sentence(line) for line in lines)
    (said,) = not_attacked_sentences(lines)
    assert said.startswith("one and other were not attacked on 'city', unlike other releases.")
    many = [dataclasses.replace(lines[-1], not_attacked=tuple("abcdefgh"))]
    (said,) = not_attacked_sentences(many)
    assert f"{many[0].release} was not attacked on 8 columns" in said


def test_many_facts_are_counted_out_of_all_that_its_row_has(view):
    line = candidate_lines(view, SCORING, {})[-1]
    known = ("age", "hours", "job", "city")
    scenario = dataclasses.replace(line.worst.attack.scenario, known=known, unknown="income")
    attack = dataclasses.replace(line.worst.attack, scenario=scenario)
    line = dataclasses.replace(
        line, **alone(line, attack=attack, exposed=300.0, exposed_low=290.0, exposed_surely=280.0)
    )
    for absent, said in (((), "knows 4 facts"), (("city",), "knows 3 of 4 facts")):
        assert said in harm_sentence(dataclasses.replace(line, absent=absent))
    found = traced(0.6, 0.64, 0.67, *known)
    assert "knowing 4 facts;" in traced_by(found)
    assert "knowing 2 of 4 facts;" in traced_by(dataclasses.replace(found, absent=("age", "hours")))


def test_only_facts_that_a_release_has_are_counted_and_named(people, tmp_path):
    frame = people(900)
    releases = {"all": frame.copy(), "part": frame[["age", "job"]]}
    with run_quickly(
        frame, releases, tmp_path / "c.alc", unknown=["job", "city"],
        named=[("age", "hours", "city")], targets=300,
    ) as opened:  # fmt: skip
        view = CampaignView(opened)
        lines = {line.release: line for line in candidate_lines(view, SCORING, {})}
        part, whole = lines["part"], lines["all"]
        assert ({*part.absent}, whole.absent) == ({"hours", "city"}, ())
        for sentence in (
            short_sentence(view.assessment(part.worst.attack.number)),
            harm_sentence(part),
            headline(view.only("part").overview(SCORING)),
        ):
            assert "hours" not in sentence
            assert "3 facts" not in sentence
        assert "age" in short_sentence(view.assessment(part.worst.attack.number))
        assert scope_sentence(view.only("part")).endswith("Not tested: age.")
        assert "Not tested: age and hours." in scope_sentence(view.only("all"))
    (said,) = not_attacked_sentences([part, whole])
    assert said == ("part has no values of 'city': match renamed columns, if any.")


def test_a_good_verdict_of_best_row_match_alone_asks_for_a_model(view):
    lines = candidate_lines(view, SCORING, {})
    assert {line.release for line in lines if line.untried} == {"weak", "strong"}
    asking = [line for line in lines if line.untried]
    assert {*asking_for_model(lines)} == {"weak", "strong"}
    refused = [dataclasses.replace(line, linked=True) for line in lines]
    assert asking_for_model(refused) == [], "a model changes nothing of what is refused anyway"
    assert "the attack “model” on strong and weak" in untried_sentence(lines).replace(
        "weak and strong", "strong and weak"
    )
    assert "the attack “model”" in untried_sentence(asking)
    assert untried_sentence([line for line in lines if not line.untried]) == ""


def test_what_undoes_a_release_gives_it_its_word_and_colour(view):
    line = next(each for each in candidate_lines(view, SCORING, {}) if each.release == "strong")
    assert (line.undone, line.shown_standing) == (False, line.standing)
    linked = dataclasses.replace(line, linked=True)
    assert (linked.undone, linked.shown_standing) == (True, Verdict.SERIOUS)
    assert linked.title not in (line.title, dataclasses.replace(line, standing=None).title)
    serious = dataclasses.replace(linked, standing=Verdict.SERIOUS)
    assert not serious.undone, "attacks and check advise the same"


def test_whether_a_model_is_asked_for_does_not_depend_on_the_verdict(view):
    strict = alc.ScoringParameters(at_risk=0.01, serious=0.02)
    lines = candidate_lines(view, strict, {})
    assert {line.standing for line in lines} == {"serious", "inconclusive"}
    assert {line.release for line in lines if line.untried} == {"weak", "strong"}


def test_a_decision_about_a_release_covers_its_attacks(store, view):
    copy, overview = candidate_lines(view, SCORING, {})[0], view.only("copy").overview(SCORING)
    numbers = overview.results["number"].tolist()
    assert attacks_sentence(overview, {}, {}) == (
        "Decided: 0 of 2 attacks that ask for a decision."
    )
    decide_release(store, copy, None, scoring=SCORING, reasons="To be discussed.")
    assert set(open_attacks(overview, {}, release_decisions(store))) == set(numbers)
    decide_release(store, copy, ReleaseChoice.CONDITIONS, scoring=SCORING)
    assert open_attacks(overview, {}, release_decisions(store)) == ()
    decide_release(store, copy, ReleaseChoice.NOT, scoring=SCORING)
    releases = release_decisions(store)
    assert attacks_sentence(overview, {}, releases) == ("Decided with their release: 2 attacks.")
    assert open_attacks(overview, {}, releases) == ()
    decide(store, numbers[0], Choice.REDUCE, note="", standing="serious", alc=0.9, scoring=SCORING)
    assert attacks_sentence(overview, decisions(store), releases) == (
        "2 attacks need a decision: 1 has its own and 1 is covered by its release's decision."
    )
    weak = view.only("weak").overview(SCORING)
    assert attacks_sentence(weak, {}, releases) == ""


def test_a_running_release_says_so_far(view):
    line = candidate_lines(view, SCORING, {})[-1]
    assert not line.so_far
    assert line.words == "no problem found yet"
    assert line.title.endswith("so far")
    running = dataclasses.replace(line, planned=5)
    assert running.so_far
    assert running.words == "provisional: 2 of 5 attacks so far"
    assert dataclasses.replace(line, failed=1).words == "no result yet"
    waiting = dataclasses.replace(line, standing=None, worst=None, finished=0)
    assert not waiting.so_far
    serious = dataclasses.replace(running, standing="serious")
    assert serious.words == f"do not publish unchanged, {running.words}"


def test_while_attacks_still_run_releases_keep_their_places(view, monkeypatch):
    assert candidate_lines(view, SCORING, {})[0].release == "copy"
    made = lines_module._line
    monkeypatch.setattr(
        lines_module,
        "_line",
        lambda *args, **kept: dataclasses.replace(made(*args, **kept), planned=3),
    )
    fresh = alc.CampaignView(view.store)
    running = [line.release for line in candidate_lines(fresh, SCORING, {})]
    assert running == list(view.attacked_releases)


def test_where_the_interval_decides_the_line_says_by_which_limit(view):
    copy = candidate_lines(view, SCORING, {})[0]
    low, _ = map(float, copy.worst.interval.split(" to "))
    between = (low + copy.worst.alc) / 2
    for scoring, standing in (
        (alc.ScoringParameters(serious=between), Verdict.AT_RISK),
        (alc.ScoringParameters(at_risk=between, serious=0.9999), Verdict.INCONCLUSIVE),
    ):
        line = next(each for each in candidate_lines(view, scoring, {}) if each.release == "copy")
        assert line.standing == standing
        assert line.worst.interval.endswith(f", on both sides of {between:g}")


def test_a_verdict_that_moved_since_the_decision_is_told(view, store):
    line = candidate_lines(view, SCORING, {})[0]
    made = decide_release(store, line, ReleaseChoice.NOT, scoring=SCORING)
    assert moved_sentence(made, line) == ""
    moved = dataclasses.replace(line, standing=Verdict.BELOW_LIMIT)
    told = moved_sentence(made, moved)
    assert told == "It is “below limit” now. Check the decision."
    assert release_decision_sentence(made, moved).endswith(told)


def test_a_release_that_exposes_many_since_the_decision_is_told(view, store):
    line = candidate_lines(view, SCORING, {})[0]
    none = {"exposed": 0.0, "exposed_low": -9.0, "exposed_surely": -9.0}
    nobody = dataclasses.replace(line, **alone(line, **none))
    made = decide_release(store, nobody, ReleaseChoice.PUBLISH, scoring=SCORING)
    assert moved_sentence(made, nobody) == ""
    told = line.people_exposed
    assert moved_sentence(made, line) == (
        f"It exposes about {told.number} of {told.of} people now. Check the decision."
    )
    again = decide_release(store, line, ReleaseChoice.PUBLISH, scoring=SCORING)
    assert moved_sentence(again, line) == ""


ALONE = ["best row match"]


def told(original, released):
    tables = alc.table_from_frame(original, name="o"), [alc.table_from_frame(released, name="r")]
    return [finding for finding in check_tables(*tables) if finding.table == "r"]


@pytest.fixture
def frame(people):
    return people(600)


def test_strangers_and_shuffled_swapped_rows_ask_for_it(frame, people):
    swapped = alc.swap_columns(frame, 0.8, seed=1).sample(frac=1, random_state=1)
    # Drawn column by column: rows of nobody.
    rng = np.random.default_rng(1)
    nobody = frame.apply(lambda column: rng.permutation(column.to_numpy()))
    for released in (swapped, nobody):
        assert asks_for_model("rows", ALONE, told(frame, released))


def test_copied_rows_and_rows_in_their_order_do_not(frame):
    copied = frame.copy()
    copied.loc[:200, "job"] = "c"
    ordered = frame.copy()
    for column in ordered:  # of every value but each third
        moved = np.arange(len(frame)) % 3 > 0
        ordered.loc[moved, column] = np.roll(frame.loc[moved, column].to_numpy(), 5)
    for released in (frame, frame.sample(frac=1, random_state=1), copied, ordered):
        assert not asks_for_model("rows", ALONE, told(frame, released))


def test_other_attacks_and_other_types_of_release_do_not():
    assert not asks_for_model("groups", ALONE, [])
    assert not asks_for_model("rows", [*ALONE, "model"], [])
    assert not asks_for_model("rows", ["naive bayes"], [])
    assert asks_for_model("rows", [*ALONE, "of a plug-in that is missing"], [])
    assert not asks_for_model("rows", [], [])


def inconclusive(view, **numbers):
    """A line of a release of which nothing was shown, and nothing is ruled out."""
    line = candidate_lines(view, SCORING, {})[-1]
    found = {"standing": Verdict.INCONCLUSIVE, "alc": 0.3, "low": -0.2, "high": 0.8}
    people = {"exposed": 2.0, "exposed_low": -9.0, "exposed_high": 31.4}
    counts = dict.fromkeys(Verdict, 0) | {Verdict.INCONCLUSIVE: 1, Verdict.BELOW_LIMIT: 1}
    return dataclasses.replace(
        line, standing=Verdict.INCONCLUSIVE, counts=counts,
        **alone(line, **{**found, **people, "perhaps": Perhaps.UNSHOWN, **numbers}),
    )  # fmt: skip


def test_an_inconclusive_release_says_how_many_people_it_exposes_at_worst(view):
    line = inconclusive(view, more=False)
    assert line.title.startswith("Inconclusive, probably below the limit")
    assert (line.exposes, line.people_exposed.number) == (False, 31)
    assert line_exposed_words(line) == "perhaps up to 31 of 900 people exposed ('city')"
    assert "infer 'city' for up to 31 of 900 people" in harm_sentence(line)
    assert reason_sentence(line) == (
        "No attack is clearly above the limit, but 1 of 2 attacks is inconclusive. This "
        "table is too small: weigh the possible harm."
    )
    assert "Perhaps up to 31 of 900 people exposed ('city')." in line_sentence(line)
    assert "Perhaps up to <b>31</b> of 900 exposed ('city')" in exposed_bar(line)
    assert "Attack more people" in reason_sentence(inconclusive(view, more=True))
    seems = inconclusive(view, perhaps=Perhaps.AT_RISK)
    assert reason_sentence(seems).startswith("It is unclear whether 'city' can be inferred.")
    nobody, said = inconclusive(view, exposed_high=0.3), "nobody found exposed beyond guessing"
    assert (nobody.people_exposed.number, line_exposed_words(nobody)) == (0, said)
    safe = dataclasses.replace(line, standing=Verdict.BELOW_LIMIT)
    assert (safe.people_exposed.number, line_exposed_words(safe)) == (0, said)


def test_nearly_copied_rows_are_told_wherever_copied_ones_are(view):
    near = Fact(
        kind=FactKind.ALL_BUT_ONE, count=90, of=900, expected=20.0, weight=Weight.ASK
    )  # fmt: skip
    line = candidate_lines(view, SCORING, {})[-1]
    said = "'w': 90 rows with one value changed (by chance: 20). Some may be altered real rows"
    for weight, told in ((Weight.ASK, True), (Weight.CALM, False)):
        facts = (FileFacts(table="w", facts=(dataclasses.replace(near, weight=weight),)),)
        found = line_sentence(dataclasses.replace(line, copied=None, facts=facts))
        assert (said in found) is told


def test_a_published_release_tells_what_its_decision_accepts_unless_the_reviewer_does(view):
    open_line = inconclusive(view)
    for choice, reasons, told in (
        (ReleaseChoice.PUBLISH, "", "No reason given. It accepts perhaps up to 31 of 900 people"),
        (ReleaseChoice.CONDITIONS, "", "No reason given. It accepts perhaps up to 31 of 900"),
        (ReleaseChoice.PUBLISH, "Agreed.", "Agreed."),
        (ReleaseChoice.NOT, "", ""),
        (None, "A note.", ""),
    ):
        was = {"standing": open_line.standing, "exposes_many": False}
        made = {open_line.release: SimpleNamespace(choice=choice, reasons=reasons, **was)}
        found = decision_reason(open_line, made)
        assert found.startswith(told)
        assert bool(found) is bool(told)


def test_what_came_after_a_decision_is_not_said_to_be_accepted_and_needs_another_look(view):
    line = inconclusive(view)
    for standing, holds in ((line.standing, True), (Verdict.BELOW_LIMIT, False)):
        decision = SimpleNamespace(
            choice=ReleaseChoice.PUBLISH, reasons="", standing=standing, exposes_many=False
        )
        made = {line.release: decision}
        assert settled([line], made) is holds
        assert decision_reason(line, made).startswith(
            "No reason given" if holds else "It is “inconclusive”"
        )
    assert not settled([line], {})


def test_a_column_that_numbers_the_rows_of_two_tables_is_named_once(view):
    line = candidate_lines(view, SCORING, {})[0]
    numbers = SimpleNamespace(kind=FactKind.ROW_NUMBER, columns=("id",))
    twice = (SimpleNamespace(facts=(numbers,)),) * 2
    assert linked_cure(SimpleNamespace(facts=twice)) == "remove 'id' and shuffle the rows"
    assert line.release


def test_advice_goes_once_it_is_followed_unless_it_speaks_against_publishing(view):
    refused, *_, clear = candidate_lines(view, SCORING, {})
    decided = SimpleNamespace(choice=ReleaseChoice.PUBLISH)
    assert advice_words(clear, None) == clear.words
    assert advice_words(clear, SimpleNamespace(choice=None)) == clear.words
    assert advice_words(clear, decided) == ""
    open_still = dataclasses.replace(clear, left_out=3)
    assert advice_words(open_still, decided) == open_still.provisional != ""
    assert advice_words(refused, decided) == refused.words


def test_of_equally_bad_attacks_the_one_that_exposes_most_speaks_for_a_release(view, monkeypatch):
    worst = candidate_lines(view, SCORING, {})[0].worst
    others = view.frame(SCORING).query("standing == 'serious' and standing_alc < @worst.alc")
    other = lines_module.attack_numbers(view, int(others["number"].iloc[0]), SCORING)
    for standing, speaks in ((Verdict.SERIOUS, other), (Verdict.AT_RISK, worst)):
        most = dataclasses.replace(other, standing=standing, exposed=700.0, exposed_low=650.0)
        monkeypatch.setattr(lines_module, "_exposing_most", lambda *_, most=most: most)
        line = candidate_lines(CampaignView(view.store), SCORING, {})[0]
        assert line.most is most
        assert line.worst.attack == speaks.attack


def test_sentence_and_number_of_an_inconclusive_release_are_of_one_attack(view, monkeypatch):
    strict = alc.ScoringParameters(at_risk=0.01, serious=0.02)
    found = candidate_lines(view, strict, {})
    line = next(each for each in found if each.standing == Verdict.INCONCLUSIVE)
    other = next(attack for attack in view.judged if attack != line.worst.attack)
    might = {"attack": other, "exposed": 0.0, "exposed_low": -5.0, "exposed_high": 40.0}
    for perhaps, speaks in ((line.worst.perhaps, other), (None, line.worst.attack)):
        most = dataclasses.replace(line.worst, perhaps=perhaps, **might)
        monkeypatch.setattr(lines_module, "_exposing_most", lambda *_, most=most: most)
        fresh = CampaignView(view.store)
        again = {each.release: each for each in candidate_lines(fresh, strict, {})}[line.release]
        assert (again.worst.attack, again.people_exposed.number) == (speaks, 40)


def test_of_two_that_are_inconclusive_the_one_that_may_be_serious_comes_first(view):
    line = dataclasses.replace(
        candidate_lines(view, SCORING, {})[0], copied=None, standing=Verdict.INCONCLUSIVE
    )
    exposing = dataclasses.replace(line, **alone(line, exposed=50.0, perhaps=Perhaps.AT_RISK))
    perhaps = dataclasses.replace(line, **alone(line, exposed=0.0, perhaps=Perhaps.SERIOUS))
    assert sorted([exposing, perhaps], key=lines_module._place) == [perhaps, exposing]


def traced(low, value, high, *known):
    return TracedRows(share=Measured(value, low, high), known=known, absent=(), number=1, rows=900)


def test_many_rows_traced_keep_a_low_alc_from_clearing_a_release(view):
    line = next(each for each in candidate_lines(view, SCORING, {}) if each.release == "strong")
    assert not line.flagged
    assert (line.traced, traced_sentence(line), traced_bar(line)) == (None, "", "")
    many = dataclasses.replace(line, traced=traced(0.6, 0.64, 0.67, "age", "city"))
    said = "64% of people (60% to 67%; knowing age and city; by chance 1 in 900)"
    assert traced_sentence(many).startswith(f"Rows traced: {said}. A low ALC does not clear")
    assert "Rows traced: <b>64%</b> (60% to 67%; knowing age and city" in traced_bar(many)
    few = dataclasses.replace(line, traced=traced(0.02, 0.04, 0.06, *"abcd"))
    assert traced_sentence(few) == (
        "Rows traced: 4% of people (2% to 6%; knowing 4 facts; by chance 1 in 900)."
    )
    assert not_clear_sentence(few) == ""
    all_of_them = dataclasses.replace(line, traced=traced(0.9999, 0.9999, 0.9999, "age"))
    assert "over 99.9% of people (knowing age; by chance 1 in 900)." in traced_sentence(all_of_them)
    found = dataclasses.replace(many, standing=Verdict.SERIOUS)
    assert traced_sentence(found).endswith("1 in 900).")
    assert FoundRelease.of(many).rows_traced.low == 0.6
    assert FoundRelease.of(line).rows_traced is None


def test_the_attacker_who_surely_finds_most_speaks_for_a_release(view, monkeypatch):
    part = view.only("weak")
    numbers = [attack.number for attack in part.judged]
    told = dict.fromkeys(numbers, Measured(0.2, 0.15, 0.25))
    told[numbers[0]] = Measured(0.3, 0.1, 0.5)

    def measured(number):
        return {"rows traced": {"rows_traced": told[number]}} if number in told else {}

    monkeypatch.setattr(part, "measured", measured)
    found = traced_rows(part)
    assert (found.share.value, found.rows) == (0.2, 900)
    assert found.number in numbers[1:]
    told.update(dict.fromkeys(numbers, Measured(0.01, 0.0, 0.02)))
    assert traced_rows(part) is None, "no more than chance is no number that could read as proof"


def test_among_attackers_with_as_many_facts_no_single_high_estimate_speaks(view, monkeypatch):
    part = view.only("weak")
    shares = dict(enumerate((0.9, 0.5, 0.52, 0.7, 0.55)))
    alike = [dataclasses.replace(part.judged[number % 2], number=number) for number in shares]
    monkeypatch.setattr(type(part), "judged", alike)

    def measured(number):
        share = shares.get(number)
        return {"rows traced": {"rows_traced": Measured(share, share - 0.02, share + 0.02)}} \
            if share else {}  # fmt: skip

    monkeypatch.setattr(part, "measured", measured)
    assert traced_rows(part).share.value == 0.52
    shares.update(dict.fromkeys((1, 3)))
    assert traced_rows(part) is None, "one of two unknown columns may be easy to find by others"


def test_the_right_original_is_not_asked_for_where_rows_are_traced(view):
    strange = Fact(kind=FactKind.ORIGINAL, count=1, of=900, weight=Weight.ASK)
    line = dataclasses.replace(
        candidate_lines(view, SCORING, {})[-1],
        facts=(FileFacts(table="t", facts=(strange,)),), most=None,
    )  # fmt: skip
    said = strangers_sentence([line])
    assert "the original no better than chance" in said
    assert said.endswith("is this the right original?")
    found = dataclasses.replace(line, traced=traced(0.6, 0.64, 0.67, "age"))
    assert strangers_sentence([found]) == fact_chips(found) == ""


def test_parts_of_a_release_are_one_release_and_stay_together(view):
    copy, fair, far = candidate_lines(view, SCORING, {})
    parts = [dataclasses.replace(each, part_of="linked") for each in (copy, fair)]
    assert candidates_title([*parts, far]) == (
        "1 of 2 releases should not be published unchanged, no problem found in 1 so far"
    )
    assert candidates_title(parts) == "Do not publish the release"
    assert publishing_of([fair, far, copy]) == {
        fair.release: Publishing.CLEAR, far.release: Publishing.CLEAR,
        copy.release: Publishing.CHANGE,
    }  # fmt: skip
    assert publishing_of(parts) == {"linked": Publishing.CHANGE}
