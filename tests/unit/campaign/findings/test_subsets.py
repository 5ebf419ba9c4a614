"""A set of known facts stands no better than its subsets that were run."""

from dataclasses import replace

import numpy as np
import pytest

from alc_core.assessment.result import TableSummary
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.decisions import asking_attacks
from alc_core.campaign.findings.findings_table import findings_frame
from alc_core.campaign.findings.subsets import NONE, standings, subset_pairs, through_text
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import CampaignSettings, KnownSetKind, PlannedAttack
from alc_core.campaign.rescore.rescoring import rescore
from alc_core.compare.comparison import compare_releases
from alc_core.explain.drivers import attack_losses, known_counts
from alc_core.figures.attacks import loss_scatter
from alc_core.figures.explain import highest_by_count, known_count_figure
from alc_core.phrasing import listed
from alc_core.present.renderers import terminal_text
from alc_core.report.html.scenario import scenario_facts
from alc_core.review.campaign import campaign_blocks
from alc_core.review.campaign_words import chance_sentence, flips_sentence, headline
from alc_core.review.release_words import through_sentence
from alc_core.scenario.scenario import Scenario, Targets
from alc_core.scoring.outcomes import Outcomes
from alc_core.scoring.parameters import LoopParameters, ScoringParameters
from alc_core.scoring.verdict import OUTCOMES
from alc_core.spreadsheet import csv_text
from tests.toys.judged import assessment_of
from tests.toys.paired import curve_of, table_of_pairs, with_intervals

RUN = ScoringParameters()
TWO = ("age", "fnlwgt")
MANY = (*TWO, *(f"fact {place}" for place in range(12)))
HALF_WIDTH = 0.05


def planned(number, known, *, unknown="occupation", release="v1", attack="best row match", **more):
    kind = more.pop("kind", KnownSetKind.NAMED)
    return PlannedAttack(
        number=number, scenario=Scenario(tuple(known), unknown, **more), release=release,
        attack=attack, kind=kind, reason="",
    )  # fmt: skip


def rescored(sides, scoring=RUN):
    """Attacks that predict for all of 10 000 people, by how often attack and baseline are right."""
    made = 10_000
    pairs = [tuple(curve_of([made], [round(made * share)]) for share in pair) for pair in sides]
    curves = with_intervals(table_of_pairs(pairs), HALF_WIDTH)
    return rescore(curves, scoring, run_scoring=RUN)


AT_RISK, NO_GAIN, SAFE, SERIOUS = (0.8, 0.4), (0.8, 0.8), (0.52, 0.4), (0.94, 0.4)
"""ALC 0.67, 0, 0.2 and 0.9."""


def stand(attacks, sides, scoring=RUN):
    """Standing and number of the attack that it comes through, of each attack."""
    found = standings(rescored(sides, scoring), subset_pairs(attacks))
    words = [OUTCOMES[code] for code in found.outcome.tolist()]
    return list(zip(words, found.through.tolist(), strict=True))


def test_fourteen_facts_stand_no_better_than_two_of_them():
    attacks = [planned(0, MANY), planned(1, TWO)]
    assert stand(attacks, [NO_GAIN, AT_RISK]) == [("at risk", 1), ("at risk", NONE)]
    found = standings(rescored([NO_GAIN, AT_RISK]), subset_pairs(attacks))
    assert found.alc == pytest.approx([2 / 3, 2 / 3], abs=0.001)
    assert found.low[0] == found.low[1]
    assert found.high[0] == found.high[1]


def test_more_facts_give_nothing_to_fewer():
    assert stand([planned(0, MANY), planned(1, TWO)], [AT_RISK, NO_GAIN]) == [
        ("at risk", NONE),
        ("no loss", NONE),
    ]


def test_a_chain_takes_the_riskiest_of_all_below():
    attacks = [planned(0, "a"), planned(1, "ab"), planned(2, "abc"), planned(3, "abcd")]
    assert stand(attacks, [SERIOUS, SAFE, AT_RISK, NO_GAIN]) == [
        ("serious", NONE),
        ("serious", 0),
        ("serious", 0),
        ("serious", 0),
    ]


@pytest.mark.parametrize(
    "other",
    [
        {"unknown": "income"},
        {"release": "v2"},
        {"attack": "another"},
        {"targets": Targets(count=500)},
        {"household": "family"},
    ],
    ids=str,
)
def test_other_questions_do_not_mix(other):
    attacks = [planned(0, MANY), planned(1, TWO, **other)]
    assert len(subset_pairs(attacks).whole) == 0
    assert stand(attacks, [NO_GAIN, AT_RISK])[0] == ("no loss", NONE)


def test_neither_overlapping_nor_equal_sets_are_subsets():
    attacks = [planned(0, "abc"), planned(1, "abd"), planned(2, "cba")]
    assert len(subset_pairs(attacks).whole) == 0


def test_where_nothing_is_left_to_learn_nothing_passes():
    attacks = [planned(0, "abc"), planned(1, "ab"), planned(2, "a")]
    nothing_left = (0.99, 0.97)
    assert stand(attacks, [nothing_left, SAFE, AT_RISK]) == [
        ("not testable", NONE),
        ("at risk", 2),
        ("at risk", NONE),
    ]
    assert stand(attacks, [SAFE, nothing_left, NO_GAIN])[0] == ("below limit", NONE)


def test_a_higher_loss_within_the_interval_adds_nothing():
    attacks = [planned(0, "ab"), planned(1, "a")]
    assert stand(attacks, [(0.52, 0.4), (0.54, 0.4)])[0] == ("below limit", NONE)
    assert stand(attacks, [(0.52, 0.4), (0.56, 0.4)])[0] == ("below limit", 1)
    assert stand(attacks, [(0.2, 0.8), (0.7, 0.8)])[0] == ("no loss", NONE)


def test_unfinished_subsets_do_not_count():
    attacks = [planned(0, MANY), planned(1, TWO), planned(2, ["age"])]
    assert stand(attacks, [NO_GAIN, SAFE])[0] == ("below limit", 1)


def test_pairs_agree_with_sets_also_beyond_64_columns():
    rng = np.random.default_rng(3)
    columns = [f"c{place}" for place in range(150)]
    sets = [rng.choice(columns[:9], rng.integers(1, 8), replace=False) for _ in range(700)]
    sets += [rng.choice(columns, rng.integers(1, 150), replace=False) for _ in range(100)]
    sets.append(columns)
    attacks = [planned(number, each.tolist() if number < 800 else each)
               for number, each in enumerate(sets)]  # fmt: skip
    pairs = subset_pairs(attacks)
    found = set(zip(pairs.whole.tolist(), pairs.part.tolist(), strict=True))
    known = [frozenset(attack.scenario.known) for attack in attacks]
    assert len(found) == len(pairs.whole)
    assert found == {(i, j) for i, a in enumerate(known) for j, b in enumerate(known) if b < a}


def test_words():
    attacks = [planned(0, MANY), planned(1, TWO)]
    frame = findings_frame(attacks, rescored([NO_GAIN, AT_RISK])).set_index("number")
    row = frame.loc[0]
    assert through_text(row) == "through age, fnlwgt only: ALC 0.67 (at risk)"
    assert through_sentence(row, "age and fnlwgt") == (
        "Knowing only age and fnlwgt, the attack learns more, with an ALC of 0.67 (at risk)."
    )
    assert through_text(frame.loc[1]) == through_sentence(frame.loc[1], None) == ""


def test_a_worse_verdict_is_not_called_a_higher_or_clearer_one():
    row = {"through": 1, "standing_alc": 0.6, "decisive_alc": 0.7, "standing": "at risk"}
    assert through_sentence(row, "age").startswith(
        "Knowing only age, the attack reaches an ALC of 0.60"
    )


def test_the_table_keeps_what_the_attack_itself_found():
    frame = findings_frame([planned(0, MANY), planned(1, TWO)], rescored([NO_GAIN, AT_RISK]))
    assert frame["number"].tolist() == [1, 0]
    row = frame.iloc[1]
    assert (row["verdict"], row["standing"]) == ("no loss", "at risk")
    assert row["decisive_alc"] == pytest.approx(0.0, abs=0.001)
    assert row["standing_alc"] == frame["decisive_alc"].iloc[0]
    assert (row["through"], row["through_known"]) == (1, "age, fnlwgt")
    assert frame["through"].isna().tolist() == [True, False]
    text = csv_text(frame)
    assert "standing,standing_alc,standing_low,standing_high,through,through_known" in text


SETTINGS = CampaignSettings(
    seed=0,
    scoring=RUN,
    loop=LoopParameters(resamples=100),
    original=TableSummary(name="original", rows=30_000, columns=20, fingerprint="o" * 64),
    releases={
        name: (TableSummary(name=name, rows=30_000, columns=20, fingerprint=name * 32),)
        for name in ("v1", "v2")
    },
    kinds={},
    versions={"anonymity-loss": "0"},
)


def made_up(attack, sides):
    """The result of an attack of which both sides predict for everyone."""
    made = 4000
    predictions = [
        each
        for share in sides
        for each in (np.full(made, 0.5), np.arange(made) < round(made * share))
    ]
    return assessment_of(
        Outcomes.from_predictions(*predictions, max_thresholds=10), scenario=attack.scenario,
        attack_name=attack.attack, loop=SETTINGS.loop, original=SETTINGS.original,
        release=SETTINGS.releases[attack.release], population=30_000, candidates=30_000,
        people=30_000, versions=SETTINGS.versions,
    )  # fmt: skip


@pytest.fixture
def campaign(tmp_path):
    """A view of a campaign with these attacks, by how often attack and baseline are right."""
    stores = []

    def make(attacks, sides):
        stores.append(CampaignStore.create(tmp_path / f"{len(stores)}.alc", SETTINGS, attacks))
        results = {a.number: made_up(a, s) for a, s in zip(attacks, sides, strict=True)}
        stores[-1].add_results(results, seconds=dict.fromkeys(results, 1.0))
        return CampaignView(stores[-1])

    yield make
    for store in stores:
        store.close()


PAIR = [planned(0, MANY), planned(1, TWO), planned(2, ["sex"])]


def test_the_campaign_counts_by_standing_and_says_so(campaign):
    view = campaign(PAIR, [NO_GAIN, AT_RISK, NO_GAIN])
    overview = view.overview(RUN)
    assert overview.counts["at risk"] == overview.asking == 2
    assert overview.through == 1
    assert overview.worst == 1
    assert overview.results["number"].tolist() == [1, 0, 2]
    assert asking_attacks(overview) == [1, 0]
    assert overview.stands(0) == overview.stands(1)
    assert headline(overview) == (
        "2 of 3 attacks need attention: 2 at risk; 1 of them through fewer facts only. Worst "
        "attack by ALC: someone who knows age and fnlwgt can infer 'occupation' from v1 (ALC "
        "0.67, at risk)."
    )
    text = terminal_text(campaign_blocks(view, RUN, verbose=True))
    assert "fact 11 (through age, fnlwgt only: ALC 0.67 (at risk))" in text
    text = terminal_text(campaign_blocks(view, RUN))
    assert f"{len(MANY)} facts (through age, fnlwgt only: ALC 0.67 (at risk))" in text
    assert "fact 11" not in text
    hover = [str(each) for trace in loss_scatter(overview.results, RUN).data
             for each in (trace.text if trace.text is not None else ())]  # fmt: skip
    assert sum("through" in each and "0.67 (at risk)" in each for each in hover) == 1


def test_many_facts_are_counted_everywhere_and_listed_once(campaign):
    view = campaign(PAIR, [AT_RISK, NO_GAIN, NO_GAIN])
    many = f"{len(MANY)} facts"
    assert view.attacks[0].words == f"Attack 0: occupation from v1, knowing {many}"
    assert view.attacks[1].words.endswith(f"knowing {' and '.join(TWO)}")
    overview = view.overview(RUN)
    assert f"knows {many} can infer" in headline(overview)
    listed_once = dict(scenario_facts(view, RUN))
    assert listed_once[f"Which {many}"] == f"{listed(list(MANY))} (to infer occupation)"
    assert "Which 2 facts" not in listed_once


def test_attacks_with_one_fact_less_count_through_the_others(campaign):
    less = planned(1, TWO, kind=KnownSetKind.ONE_LESS)
    view = campaign([planned(0, (*TWO, "sex")), less], [NO_GAIN, AT_RISK])
    overview = view.overview(RUN)
    assert overview.results["number"].tolist() == [0]
    assert overview.counts["at risk"] == 1
    assert "1 of 1 attack needs attention: 1 at risk; through fewer facts only." in (
        headline(overview)
    )
    assert "someone who knows age and fnlwgt can infer" in (headline(overview))


def test_what_chance_may_do_counts_attacks_with_one_fact_less_and_says_so(campaign):
    less = [
        planned(2, TWO, kind=KnownSetKind.ONE_LESS),
        planned(3, "a", kind=KnownSetKind.ONE_LESS),
    ]
    judged = [planned(0, (*TWO, "sex")), planned(1, MANY)]
    sides = [NO_GAIN, NO_GAIN, AT_RISK, (0.99, 0.97)]
    view = campaign([*judged, *less], sides)
    # Where nothing was left to learn nothing was tested.
    assert view.overview(RUN).error.attacks == 3
    assert chance_sentence(view.overview(RUN)).startswith(
        "Each of 3 attacks, 1 of them with one fact fewer, is judged alone: "
    )
    for control, said in (
        ("family-wise", "(family-wise): chance flags one in at most 5% of reviews"),
        ("false discovery", "(false discovery rate): chance flags at most 5% of"),
    ):
        sentence = chance_sentence(view.overview(replace(RUN, control=control)))
        assert sentence.startswith(
            f"Verdicts allow for 3 attacks, 1 of them with one fact fewer {said}"
        )
    plain = campaign(judged, sides[:2]).overview(RUN)
    assert "Each of 2 attacks is judged alone" in chance_sentence(plain)


def test_beside_one_release_chance_counts_the_attacks_of_all(campaign):
    attacks = [
        planned(2 * place + number, known, release=release)
        for place, release in enumerate(("v1", "v2"))
        for number, known in enumerate((MANY, TWO))
    ]
    view = campaign(attacks, [SAFE, AT_RISK, SAFE, SAFE])
    told = chance_sentence(view.overview(RUN))
    assert "Each of 4 attacks is judged alone" in told
    assert chance_sentence(view.only("v1").overview(RUN)) == told


def test_a_scoring_that_flips_the_subset_flips_the_whole(campaign):
    view = campaign(PAIR, [NO_GAIN, AT_RISK, NO_GAIN])
    lenient = replace(RUN, at_risk=0.8, serious=0.9)
    flips = view.flips(lenient)
    assert sorted(flips.numbers.tolist()) == [0, 1]
    assert flips_sentence(flips) == "2 attacks change: 2 from at risk to below limit."
    assert view.overview(lenient).stands(0) == view.overview(lenient).stands(1)
    assert len(view.flips(RUN)) == 0


def test_a_new_attack_counts_from_the_next_refresh(campaign):
    view = campaign(PAIR[:1], [NO_GAIN])
    assert view.overview(RUN).counts["at risk"] == 0
    view.store.extend(PAIR[1:2])
    view.store.add_results({1: made_up(PAIR[1], AT_RISK)}, seconds={1: 1.0})
    view.refresh()
    assert view.overview(RUN).counts["at risk"] == 2


def test_releases_are_compared_by_standing(campaign):
    attacks = [
        planned(2 * place + number, known, release=release)
        for place, release in enumerate(("v1", "v2"))
        for number, known in enumerate((MANY, TWO))
    ]
    compared = compare_releases(campaign(attacks, [NO_GAIN, AT_RISK, NO_GAIN, SAFE]), RUN)
    whole = compared.known.index(MANY)
    assert compared.alc[whole] == pytest.approx([2 / 3, 0.2], abs=0.01)


def test_the_line_by_number_of_facts_does_not_fall_where_facts_may_be_ignored(campaign):
    view = campaign(PAIR, [NO_GAIN, AT_RISK, NO_GAIN])
    losses = attack_losses(view.rescored(RUN))
    points = known_counts(view.attacks, losses, view.standings(RUN))
    highest = highest_by_count(points)
    assert highest[14] == highest[2] > 0.6
    assert [round(point.alc, 2) for point in points] == [0.0, 0.67, 0.0]
    texts = [t for trace in known_count_figure(points, RUN).data for t in trace.text or ()]
    assert sum("0.67 through fewer of these facts" in text for text in texts) == 1
