"""RAPID against ALC: what is said of attacks whose numbers are made up."""

import io
import threading
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest

import alc_core as alc
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.other_measures import disagreements, rapid_column
from alc_core.campaign.findings.overview import CampaignOverview, untested_columns
from alc_core.campaign.findings.sensitivity import flag_grid
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.rescore.rescoring import rescore
from alc_core.errors import InputError
from alc_core.explain.drivers import plan_one_less
from alc_core.present.blocks import Metrics
from alc_core.review.campaign_words import (
    advice,
    flips_sentence,
    headline,
    overview_title,
    title_standing,
)
from alc_core.review.release_words import untested_sentence
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import SEVERITY
from alc_core.spreadsheet import csv_text
from alc_core.studies.rapid.study import RapidStudy
from alc_core.studies.study import CampaignStanding, Viewpoint
from tests.toys.rapid import made_rapid

RUN = ScoringParameters()


@pytest.fixture(scope="module")
def planned(campaign, tmp_path_factory):
    """Settings and attacks of the campaign."""
    one = replace(campaign.plan, attacks=campaign.plan.attacks[:1])
    with campaign.run(tmp_path_factory.mktemp("planned") / "c.alc", plan=one) as store:
        return store.settings, campaign.plan.attacks


@pytest.fixture
def store(planned, tmp_path):
    """A campaign's file with a plan and no result yet."""
    with CampaignStore.create(tmp_path / "c.alc", *planned) as made:
        yield made


def add(store, undisturbed, numbers):
    store.add_results(
        {number: undisturbed[number] for number in numbers}, seconds=dict.fromkeys(numbers, 1.0)
    )


@pytest.mark.parametrize("width", [0.1, 0.2])
def test_an_empty_campaign_has_an_overview(planned, tmp_path, width):
    scoring = ScoringParameters(max_interval_width=width)
    settings, attacks = planned
    with CampaignStore.create(
        tmp_path / "empty.alc", replace(settings, scoring=scoring), attacks
    ) as store:
        view = CampaignView(store)
        overview = view.overview(scoring)
        assert (view.counts.planned, view.counts.finished) == (len(attacks), 0)
        assert overview.standing is None
        assert overview.worst is None
        assert overview.releases == frozenset()
        assert overview_title(overview) == "No attack has a result yet"
        wider = replace(scoring, max_interval_width=2 * width)
        assert view.overview(wider).standing is None


def test_it_changes_only_by_refresh_and_then_has_everything(store, undisturbed):
    view = CampaignView(store)
    add(store, undisturbed, [3, 1])
    assert view.counts.finished == 0
    assert view.refresh()
    assert not view.refresh()
    add(store, undisturbed, [0])
    store.add_failure(2, "It is broken.", seconds=1.0)
    assert view.refresh()
    assert view.rescored(RUN).numbers.tolist() == [3, 1, 0]
    assert (view.counts.finished, view.counts.failed) == (3, 1)
    frame = view.frame(RUN).set_index("number")
    assert frame.loc[2, "reason"] == "It is broken."
    assert frame.loc[0, "alc"] == undisturbed[0].alc
    assert frame.loc[0, "alc_rest"] == undisturbed[0].alc_rest


def test_what_comes_while_a_grid_is_made_is_left_out(store, undisturbed, monkeypatch):
    add(store, undisturbed, [3])
    view = CampaignView(store)
    add(store, undisturbed, [1])
    rescored, threads = CampaignView.rescored, []

    def meanwhile(self, scoring):
        found = rescored(self, scoring)
        threads.append(threading.Thread(target=self.refresh))
        threads[-1].start()
        threads[-1].join(0.5)
        return found

    monkeypatch.setattr(CampaignView, "rescored", meanwhile)
    assert flag_grid(view).numbers.tolist() == [3]
    for thread in threads:
        thread.join()
    assert view.counts.finished == 2


def test_a_path_is_opened_and_closed_and_an_open_file_left_open(store, undisturbed):
    add(store, undisturbed, [0])
    with CampaignView(str(store.path)) as view:
        assert view.counts.finished == 1
    with pytest.raises(InputError, match="is closed"):
        view.refresh()
    with CampaignView(store) as view:
        pass
    assert store.counts().finished == 1


def test_reprs_say_which_campaign_and_how_far(store, undisturbed):
    add(store, undisturbed, [0])
    with CampaignStore(str(store.path)) as again:
        said = f"'c.alc': 1 of {len(store.attacks)} attacks finished, on weak and strong>"
        assert repr(again) == f"<CampaignStore {said}"
        view = CampaignView(again)
        assert repr(view) == f"<CampaignView of {said}"
        assert repr(view.only("weak")).endswith(" attacks finished, on weak>")
    assert repr(again) == "<CampaignStore 'c.alc': closed, on weak and strong>"


def test_the_short_table_has_the_columns_that_people_read(store, undisturbed):
    add(store, undisturbed, [0])
    view = CampaignView(store)
    whole, short = view.frame(), view.frame(short=True)
    assert len(short.columns) == 13
    pd.testing.assert_frame_equal(short, whole[list(short.columns)])
    short["release"] = "changed"
    assert "changed" not in set(view.frame()["release"])


def test_only_what_is_new_is_read(store, undisturbed, monkeypatch):
    view = CampaignView(store)
    add(store, undisturbed, [0, 1])
    view.refresh()
    asked = []
    read = store.columns
    monkeypatch.setattr(
        store, "columns", lambda *, after=0: asked.append(after) or read(after=after)
    )
    view.refresh()
    assert asked == [2]


def test_a_failure_makes_way_for_a_result(store, undisturbed):
    view = CampaignView(store)
    store.add_failure(0, "It is broken.", seconds=1.0)
    view.refresh()
    assert dict(view.failures) == {0: "It is broken."}
    add(store, undisturbed, [0])
    view.refresh()
    assert (view.counts.finished, view.counts.failed) == (1, 0)


def test_the_run_is_scored_once_for_all_sliders(store, undisturbed, monkeypatch):
    add(store, undisturbed, [0, 1])
    view = CampaignView(store)
    scored = []

    def counting(curves, scoring, **arguments):
        scored.append((scoring, arguments["run"]))
        return rescore(curves, scoring, **arguments)

    monkeypatch.setattr("alc_core.campaign.findings.view.rescore", counting)
    for alpha in (2.0, 1.0, 2.0):
        view.rescored(replace(RUN, alpha=alpha))
    assert [scoring.alpha for scoring, _ in scored] == [3.0, 2.0, 1.0]
    assert scored[1][1] is view.rescored(RUN)


def stands_by(number, attacks, results):
    """The attack that another stands by: itself, or a worse one that knows a part of its facts."""

    def risk(each):
        return SEVERITY.index(results[each].verdict), results[each].decisive_alc

    whole = attacks[number]
    parts = [
        part.number
        for part in attacks
        if (part.release, part.scenario.unknown) == (whole.release, whole.scenario.unknown)
        and set(part.scenario.known) < set(whole.scenario.known)
    ]
    worst = max([number, *parts], key=risk)
    worse = risk(worst)[0] > risk(number)[0]
    above = risk(worst)[1] > max(results[number].decisive_interval[1], 0.0)
    return worst if worse or above else number


def test_the_overview_agrees_with_every_assessment(store, undisturbed):
    add(store, undisturbed, list(undisturbed))
    view = CampaignView(store)
    overview = view.overview(RUN)
    inherited = []
    for number, assessment in undisturbed.items():
        row = overview.row(number)
        assert (row["verdict"], row["decisive_alc"]) == (
            assessment.verdict, assessment.decisive_alc,
        )  # fmt: skip
        by = stands_by(number, store.attacks, undisturbed)
        assert row["through"] == (None if by == number else by)
        assert overview.stands(number) == (undisturbed[by].verdict, undisturbed[by].decisive_alc)
        inherited += [number] * (by != number)
    assert 0 < len(inherited) < len(undisturbed)
    assert sum(overview.counts.values()) == len(undisturbed)
    assert overview.releases == {"weak", "strong"}
    worst = max(
        undisturbed,
        key=lambda number: (
            SEVERITY.index(undisturbed[number].verdict), undisturbed[number].decisive_alc,
        ),
    )  # fmt: skip
    assert overview.worst == worst
    assert overview.interval_exact


@pytest.mark.parametrize("at_risk", [0.01, 0.05, 0.5])
def test_the_file_of_findings_has_the_order_of_the_page(store, undisturbed, at_risk):
    add(store, undisturbed, list(undisturbed)[1:])
    view, scoring = CampaignView(store), replace(RUN, at_risk=at_risk)
    written = pd.read_csv(io.StringIO(csv_text(view.frame(scoring))))
    shown = view.overview(scoring).results
    assert written["number"].tolist() == [*shown["number"].tolist(), *list(undisturbed)[:1]]
    ranks = written["standing"].dropna().map([*map(str, reversed(SEVERITY))].index)
    assert ranks.is_monotonic_increasing
    assert (written.groupby("standing")["standing_alc"].diff().dropna() <= 0).all()


def test_flips_are_told_by_kind(store, undisturbed):
    add(store, undisturbed, list(undisturbed))
    view = CampaignView(store)
    assert flips_sentence(view.flips(RUN)) == ""
    flips = view.flips(replace(RUN, at_risk=0.01, serious=0.02))
    sentence = flips_sentence(flips)
    assert sentence.startswith(f"{len(flips)} attack")
    told = [int(word) for word in sentence.split(": ")[1].split() if word.isdigit()]
    assert sum(told) == len(flips)


def test_assessments_are_read_once(store, undisturbed, monkeypatch):
    add(store, undisturbed, [0])
    view = CampaignView(store)
    first = view.assessment(0)
    monkeypatch.setattr(store, "assessment", None)
    assert view.assessment(0) is first
    assert first.to_dict() == undisturbed[0].to_dict()


def test_an_unknown_attack_is_refused(store):
    with pytest.raises(InputError, match="No attack 99 of"):
        CampaignView(store).attack(99)


def test_title_and_advice_follow_the_worst_that_was_found(store, undisturbed):
    weak = [attack.number for attack in store.attacks if attack.release == "weak"]
    strong = [attack.number for attack in store.attacks if attack.release == "strong"]
    add(store, undisturbed, strong)
    view = CampaignView(store)
    lenient = replace(RUN, at_risk=0.9, serious=0.95)
    harmless = view.overview(lenient)
    finished, planned = len(strong), len(store.attacks)
    assert overview_title(harmless) == f"No risk found so far ({finished} of {planned})"
    ended = replace(harmless, planned=finished + 2, failed=2)
    assert overview_title(ended) == f"No risk found in {finished} of {finished + 2} attacks"
    many = harmless.results.assign(exposed_surely=1e9)
    exposing = replace(ended, results=many)
    assert overview_title(exposing) == f"Many people exposed in {finished} of {finished} attacks"
    for each, standing in ((ended, "not testable"), (exposing, "inconclusive")):
        assert title_standing(each) == standing
    assert advice(harmless).startswith("Other attacks may learn more")
    add(store, undisturbed, weak)
    view.refresh()
    strict = view.overview(replace(RUN, at_risk=0.001, serious=0.002))
    serious = strict.counts["serious"]
    assert serious
    assert overview_title(strict) == (
        f"Serious loss of anonymity in {serious} of {len(undisturbed)} attacks"
    )
    assert "Do not publish unchanged" in advice(strict)
    inconclusive = view.overview(
        replace(RUN, at_risk=strict.results["decisive_alc"].max(), serious=0.99)
    )
    assert inconclusive.standing == "inconclusive"
    assert advice(inconclusive).endswith("or attack more people."), "no column was left unused"


def test_columns_of_which_nothing_was_left_to_learn_are_named():
    nothing = "not testable"
    results = pd.DataFrame(
        {"unknown": ["pay", "job", "age", "job", "pay"],
         "standing": [nothing, nothing, "below limit", "no loss", nothing]}
    )  # fmt: skip
    assert untested_columns(results) == ("pay",)
    assert untested_sentence(("pay",)) == (
        "Not testable: 'pay', easy to guess for nearly everyone."
    )
    assert untested_sentence(()) == ""


def test_attacks_with_one_fact_less_count_in_no_verdict_of_their_own(campaign, people, tmp_path):
    frame = people(900)
    releases = {"copy": frame.copy()}
    plan = alc.plan_campaign(
        frame, releases, unknown=["job"], known_sets=0, named=[["age", "hours"]],
        all_others=False, targets=alc.Targets(count=600),
    )  # fmt: skip
    less = plan_one_less(plan.attacks, 0)
    assert len(less) == 2
    whole = replace(plan, attacks=(*plan.attacks, *less))
    for name, each in (("plain", plan), ("more", whole)):
        alc.run_campaign(
            frame, releases, tmp_path / f"{name}.alc", plan=each, **campaign.options
        ).close()
    scoring = alc.ScoringParameters(alpha=0.7)
    with (
        alc.CampaignStore.open(tmp_path / "plain.alc") as plain,
        alc.CampaignStore.open(tmp_path / "more.alc") as more,
    ):
        before, after = CampaignView(plain), CampaignView(more)
        assert [a.number for a in after.judged] == [0]
        assert after.counts.finished == 3
        assert len(after.frame(scoring)) == 3
        for each in (after.settings.scoring, scoring):
            now, then = after.overview(each), before.overview(each)
            assert headline(now) == headline(then)
            assert (now.counts, now.planned) == (then.counts, then.planned)
            assert len(after.flips(each)) == len(before.flips(each))
        assert flag_grid(after).finished == flag_grid(before).finished == 1


COLUMNS = [
    "number", "unknown", "release", "rapid_share", "decisive_alc",
    "deciding_measured_precision", "deciding_recall", "compared_measured_precision",
]  # fmt: skip


def overview(*rows, **changes):
    changes = {"standing": "below limit", **changes}
    frame = pd.DataFrame(
        [(number, "job", "weak", *row) for number, row in enumerate(rows)], columns=COLUMNS
    ).assign(**changes)
    return CampaignOverview(
        scoring=alc.ScoringParameters(), results=frame, every={}, planned=len(frame), failed=0,
        skipped=0, error=None,
    )  # fmt: skip


ALIKE = ((0.1, 0.1, 0.5, 0.5, 0.4), (0.2, 0.2, 0.5, 0.5, 0.4))
KNOWN = (0.6, 0.05, 0.9, 0.8, 0.89)
FEW = (0.01, 0.7, 0.9, 0.04, 0.3)


def test_high_rapid_without_a_loss_is_what_everybody_knows():
    order, known = disagreements(overview(*ALIKE, (0.3, 0.4, 0.6, 0.5, 0.5), KNOWN))
    assert (
        order
        == "RAPID and ALC rank 4 attacks very differently (rank correlation \N{MINUS SIGN}0.20)."
    )
    assert "upper half but ALC below 0.5 in 2 attacks. The clearest is attack 3, 'job' on" in known
    assert "RAPID 60%, ALC 0.05. 90% of its predictions are correct" in known
    assert known.endswith("correct (baseline 89%): the best guess does at least half as well.")


def test_a_loss_with_low_rapid_is_of_few_people_or_not_sure():
    *_, leak = disagreements(overview(*ALIKE, (0.3, 0.6, 0.9, 0.5, 0.3), FEW))
    assert "ALC reaches 0.5 but RAPID is in the lower half in 1 attack. It is attack 3" in leak
    assert "It answers for 4% of people: " in leak
    assert leak.endswith("correct (baseline 30%).")
    unsure = (*FEW[:3], 0.6, 0.3)
    *_, leak = disagreements(overview(*ALIKE, (0.3, 0.6, 0.9, 0.5, 0.3), unsure))
    assert leak.endswith("RAPID ignores uncertain predictions.")


def test_attacks_that_agree():
    rows = ((0.1, 0.1, 0.5, 0.5, 0.4), (0.2, 0.3, 0.5, 0.5, 0.4), (0.3, 0.8, 0.9, 0.5, 0.3))
    assert disagreements(overview(*rows)) == (
        "RAPID and ALC rank 3 attacks similarly (rank correlation 1.00).",
        "They never disagree.",
    )
    assert "is the same in all" in disagreements(overview(*rows, rapid_share=0.1))[0]


def test_nothing_is_said_of_too_few_attacks_or_without_rapid():
    assert disagreements(overview(*ALIKE)) == ()
    without = overview(*ALIKE, *ALIKE)
    without = replace(without, results=without.results.drop(columns="rapid_share"))
    assert rapid_column(without) is None
    assert disagreements(without) == ()


@pytest.mark.parametrize(
    ("known", "found"), [(["age", "town"], [2, 0]), (["town"], [1]), (["sex"], [])]
)
def test_the_same_facts_in_any_order_worst_first(known, found):
    rows = overview(*ALIKE, KNOWN, FEW)
    ordered = rows.results.iloc[[2, 1, 0]].assign(standing="below limit", attack="model")
    rows = replace(rows, results=ordered)
    facts = (["town", "age"], ["town"], ["age", "town"], ["age", "town"])
    attacks = [
        SimpleNamespace(
            number=number, release="weak", attack="model", scenario=alc.Scenario(each, "job")
        )
        for number, each in enumerate(facts)
    ]
    at = CampaignStanding(view=SimpleNamespace(attacks=attacks), overview=rows)
    assert at.worst_first("weak", unknown="job", known=known) == found
    assert at.worst_first("weak", attack="model") == [2, 1, 0]
    for other in ({"unknown": "age"}, {"attack": "best row match"}):
        assert at.worst_first("weak", known=known, **other) == []
    assert at.worst_first("strong", known=known) == []
    result, look = made_rapid("weak", unknown="job", known=tuple(known)), Viewpoint(standing=at)
    metrics = next(each for each in RapidStudy().blocks(result, look) if isinstance(each, Metrics))
    sentence = metrics.metrics[-1].help
    if found == [2, 0]:
        assert sentence == "ALC of the same facts: 0.05, below limit (attack 2, model)."
    assert sentence.startswith("ALC of the same facts") == bool(found)
