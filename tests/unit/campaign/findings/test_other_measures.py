"""RAPID against ALC: what is said of attacks whose numbers are made up."""

from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest

import alc_core as alc
from alc_core.campaign.findings.other_measures import disagreements, rapid_column
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.studies.rapid.study import same_facts, same_facts_sentence
from tests.toys.rapid import made_rapid

COLUMNS = [
    "number", "unknown", "release", "rapid_share", "decisive_alc",
    "deciding_measured_precision", "deciding_recall", "compared_measured_precision",
]  # fmt: skip


def overview(*rows, **changes):
    frame = pd.DataFrame(
        [(number, "job", "weak", *row) for number, row in enumerate(rows)], columns=COLUMNS
    ).assign(**changes)
    return CampaignOverview(
        scoring=alc.ScoringParameters(), interval_exact=True, summary=None, results=frame,
        counts={}, releases=(), error=None,
    )  # fmt: skip


ALIKE = ((0.1, 0.1, 0.5, 0.5, 0.4), (0.2, 0.2, 0.5, 0.5, 0.4))
KNOWN = (0.6, 0.05, 0.9, 0.8, 0.89)
FEW = (0.01, 0.7, 0.9, 0.04, 0.3)


def test_high_rapid_without_a_loss_is_what_everybody_knows():
    order, known = disagreements(overview(*ALIKE, (0.3, 0.4, 0.6, 0.5, 0.5), KNOWN))
    assert (
        order == "RAPID and ALC order 4 attacks hardly alike (rank correlation \N{MINUS SIGN}0.20)."
    )
    assert "upper half and ALC below 0.5 in 2 attacks. Clearest is attack 3, 'job' on" in known
    assert "RAPID 60 %, ALC 0.05. It is right in 90 % of its predictions" in known
    assert known.endswith("in 89 %: most of this is known of everybody, whatever is released.")


def test_a_loss_with_low_rapid_is_of_few_people_or_not_sure():
    *_, leak = disagreements(overview(*ALIKE, (0.3, 0.6, 0.9, 0.5, 0.3), FEW))
    assert "ALC reaches 0.5 and RAPID is in the lower half in 1 attack. It is attack 3" in leak
    assert "for 4 % of the people, the baseline in 30 %" in leak
    assert leak.endswith("the release tells on few people, whom a share of all hardly shows.")
    unsure = (*FEW[:3], 0.6, 0.3)
    *_, leak = disagreements(overview(*ALIKE, (0.3, 0.6, 0.9, 0.5, 0.3), unsure))
    assert leak.endswith("right more often than it is sure, which RAPID does not count.")


def test_attacks_that_agree():
    rows = ((0.1, 0.1, 0.5, 0.5, 0.4), (0.2, 0.3, 0.5, 0.5, 0.4), (0.3, 0.8, 0.9, 0.5, 0.3))
    assert disagreements(overview(*rows)) == (
        "RAPID and ALC order 3 attacks much alike (rank correlation 1.00).",
        "Nowhere is one of them high and the other low.",
    )
    assert "is the same in all" in disagreements(overview(*rows, rapid_share=0.1))[0]


def test_nothing_is_said_of_too_few_attacks_or_without_rapid():
    assert disagreements(overview(*ALIKE)) == ()
    without = overview(*ALIKE, *ALIKE)
    without = replace(without, results=without.results.drop(columns="rapid_share"))
    assert rapid_column(without) is None
    assert disagreements(without) == ()


@pytest.mark.parametrize(
    ("known", "found"), [(["age", "town"], (2, 0)), (["town"], (1,)), (["sex"], ())]
)
def test_the_same_facts_in_any_order_worst_first(known, found):
    rows = overview(*ALIKE, KNOWN, FEW)
    ordered = rows.results.iloc[[2, 1, 0]].assign(standing="safe", attack="model")
    rows = replace(rows, results=ordered)
    facts = (["town", "age"], ["town"], ["age", "town"], ["age", "town"])
    attacks = [
        SimpleNamespace(number=number, release="weak", scenario=alc.Scenario(each, "job"))
        for number, each in enumerate(facts)
    ]
    result = made_rapid(known=tuple(known))
    assert same_facts(attacks, rows, result) == found
    assert same_facts(attacks, rows, replace(result, release="strong")) == ()
    sentence = same_facts_sentence(attacks, rows, result)
    if found == (2, 0):
        assert sentence == "ALC of the same facts: 0.05, safe (attack 2, model)."
    assert bool(sentence) == bool(found)
