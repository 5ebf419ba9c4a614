"""What a budget of time leaves out is told wherever a campaign is."""

import dataclasses
import html
from collections import Counter

import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.file.annotations import kept_left_out
from alc_core.campaign.model import KnownSetKind, LeftOut
from alc_core.campaign.run.budget import within_budget
from alc_core.candidates.gate import FoundRelease, gate
from alc_core.candidates.lines import candidate_lines
from alc_core.phrasing import numbered
from alc_core.report.html.document import report_html
from alc_core.report.html.scenario import scenario_facts
from alc_core.report.options import ReportOptions
from alc_core.review.campaign_words import candidates_title, left_out_sentence, overview_title
from alc_core.review.release_words import line_sentence, reason_sentence
from alc_core.tables.roles import ColumnRole


def run(original, releases, path, **options):
    """Run a plan, or what a file lacks, with a cheap baseline in this process."""
    return alc.run_campaign(original, releases, path, families=(NaiveBayes(),), jobs=1, **options)


@pytest.fixture(scope="module")
def tables(people):
    frame = people(600)
    return frame, {"copy": frame.copy(), "strong": alc.swap_columns(frame, 1.0, seed=1)}


@pytest.fixture(scope="module")
def whole(tables):
    roles = {"hours": ColumnRole.PROTECTED}
    return alc.plan_campaign(*tables, unknown=["job", "city"], roles=roles, targets=300)


@pytest.fixture(scope="module")
def short(tables, whole):
    return within_budget(whole, *tables, 1, processes=1, speed=0.05)


@pytest.fixture(scope="module")
def store(tables, short, tmp_path_factory):
    path = tmp_path_factory.mktemp("left out") / "c.alc"
    with run(*tables, path, plan=short) as store:
        yield store


@pytest.fixture
def view(store):
    return alc.CampaignView(store)


def attackers(plan):
    return {attack.kind for attack in plan.attacks}


def test_the_file_keeps_what_was_left_out_as_numbers(store, short, whole):
    kept = kept_left_out(store)
    left = Counter(attack.release for attack in short.left_out)
    assert {name: len(each.attacks) for name, each in kept.items()} == left
    assert {each.minutes for each in kept.values()} == {1}
    assert sum(left.values()) == len(whole) - len(short)
    assert not any("minute" in note for note in store.notes)


def test_it_is_said_how_many_and_which_attackers(view, short, whole):
    said, left = left_out_sentence(view), len(whole) - len(short)
    assert said.startswith(f"{left} of {len(whole)} planned attacks were left out to finish in ")
    assert attackers(whole) - attackers(short) == {KnownSetKind.KNOWABLE, KnownSetKind.FEW_FACTS}
    assert said.endswith(
        "1 minute, including all by a colleague and someone with one or two facts that lead to a "
        "row."
    )
    own = left_out_sentence(view.only("strong"))
    on_strong = [
        sum(a.release == "strong" for a in each) for each in (short.left_out, whole.attacks)
    ]
    assert own.startswith("{} of {} planned attacks were left out".format(*on_strong))


def test_a_release_so_cut_does_not_read_as_fully_attacked(view):
    scoring = view.settings.scoring
    lines = {line.release: line for line in candidate_lines(view, scoring, {})}
    strong, of = lines["strong"], view.only("strong")
    found = FoundRelease.of(strong)
    assert found.planned == found.finished + found.left_out > found.finished
    facts = dict(scenario_facts(view, scoring))
    planned = sum(each.planned + each.left_out for each in lines.values())
    assert facts["Attacks planned"].startswith(f"{planned}, ")
    left = len(of.left_out["strong"].attacks)
    every = strong.finished + left
    assert strong.title.endswith(" so far")
    assert strong.words.endswith(f"provisional: {strong.finished} of {every} attacks so far")
    assert f"({left} left out to save time)" in line_sentence(strong)
    assert candidates_title([strong]).startswith("So far: ")
    assert overview_title(of.overview(scoring)).endswith(" so far")
    assert not lines["copy"].title.endswith("so far"), "nothing can make it less severe"
    assert FoundRelease.of(strong).left_out == left
    (waits,) = (each for each in gate(view).releases if each.release == "strong")
    assert waits.told == f"inconclusive ({numbered(left, 'attack')} left out to save time)"
    allowed = gate(view, allow_inconclusive=True)
    (passed,) = (each for each in allowed.releases if each.release == "strong")
    assert passed.outcome == "passed"


def test_report_terminal_and_notebook_say_it(view, short, whole):
    said = left_out_sentence(view)
    report = html.unescape(report_html(view, ReportOptions(scoring=view.settings.scoring)))
    front = report[: report.index('<table class="candidates">')]
    assert said in front
    assert f"tested with {len(short)} of {len(whole)} attacks" in front
    assert said in " ".join(view.summary().split())


@pytest.mark.parametrize(
    ("of", "said"),
    [
        ({}, ""),
        ({"copy": (5, ["KNOWABLE"])}, "was left out to finish in 5 minutes"),
        ({"copy": (5, ["ALL_OTHERS"])}, "planned attacks was left out to finish in 5 minutes."),
        (
            {"copy": (5, ["NAMED"]), "strong": (10, ["NAMED"])},
            "were left out to save time, including",
        ),
        ({"copy": (5, ["FEW_FACTS", "BUDGET"])}, "all by someone with one or two facts that lead"),
    ],
)
def test_the_words(view, monkeypatch, of, said):
    found = {
        name: LeftOut(
            minutes=minutes,
            attacks={str(place): KnownSetKind[kind] for place, kind in enumerate(kinds)},
        )
        for name, (minutes, kinds) in of.items()
    }
    monkeypatch.setattr(alc.CampaignView, "left_out", found)
    assert said in left_out_sentence(view) if said else left_out_sentence(view) == ""


def test_a_release_without_any_attack_in_time_was_not_impossible(view):
    line = candidate_lines(view, view.settings.scoring, {})[-1]
    idle = dataclasses.replace(line, standing=None, planned=0, worst=None, most=None, left_out=0)
    late = dataclasses.replace(idle, left_out=9)
    assert reason_sentence(late) == "Attacks were left out to save time."
    assert reason_sentence(idle).startswith("Not attacked")


def test_what_runs_later_is_left_out_no_more(tables, short, whole, tmp_path):
    path = tmp_path / "c.alc"
    run(*tables, path, plan=short).close()
    added = short.left_out[0]
    joined = alc.CampaignPlan(attacks=(*short.attacks, dataclasses.replace(added, number=99)))
    with run(*tables, path, plan=joined) as store:
        left = [key for each in kept_left_out(store).values() for key in each.attacks]
        assert len(left) == len(short.left_out) - 1, "what was chosen besides takes nothing back"
    with run(*tables, path) as store:
        assert sum(len(each.attacks) for each in kept_left_out(store).values()) == len(left)
    with run(*tables, path, plan=whole) as store:
        assert not kept_left_out(store)
        assert left_out_sentence(alc.CampaignView(store)) == ""
