import csv
import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from alc_core.campaign.columns import Columns
from alc_core.campaign.findings.findings_table import findings_frame, worst_first
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.subsets import standings, subset_pairs
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.campaign.rescore.rescoring import rescore
from alc_core.review.campaign_words import headline
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.parameters import ScoringParameters
from alc_core.spreadsheet import csv_text
from tests.toys.paired import curve_of, table_of, table_of_pairs, with_intervals

RUN = ScoringParameters()


def planned(number, unknown="income", release="v2.csv", known=("age", "sex")):
    return PlannedAttack(
        number=number,
        scenario=Scenario(known, unknown),
        release=release,
        attack="best row match",
        kind=KnownSetKind.SINGLES_OUT,
        reason="They single out 12% of people.",
    )


ATTACKS = [planned(number) for number in range(7)]


def finished(right, *, numbers, baseline=500, made=1000, widths=0.02):
    """Attacks that predict for everyone, right so often; the baseline for all alike."""
    guess = curve_of([made], [min(baseline, made)])
    pairs = [(curve_of([made], [min(each, made)]), guess) for each in right]
    return with_intervals(table_of_pairs(pairs, numbers=np.asarray(numbers)), widths)


def of_two_readings():
    """An attack that is right about half of all, over a baseline that is sure of 2%."""
    pair = curve_of([1000, 2000], [950, 1100]), curve_of([40, 2000], [40, 700])
    return rescore(table_of_pairs([pair], numbers=np.array([3])), RUN, run_scoring=RUN)


@pytest.fixture
def rescored():
    """Serious, below limit, at risk, no loss."""
    return rescore(finished([950, 600, 800, 400], numbers=[4, 0, 2, 5]), RUN, run_scoring=RUN)


def test_worst_first_then_what_has_no_number(rescored):
    frame = findings_frame(
        ATTACKS, rescored, failures={1: "The release is broken."}, seconds={4: 2.5}
    )
    assert frame["number"].tolist() == [4, 2, 0, 5, 1, 3, 6]
    assert frame["status"].tolist() == ["finished"] * 4 + ["failed"] + ["not yet run"] * 2
    assert frame["verdict"].tolist()[:4] == ["serious", "at risk", "below limit", "no loss"]
    assert frame["verdict"].isna().tolist() == [False] * 4 + [True] * 3
    assert frame["reason"].dropna().tolist() == ["The release is broken."]
    assert frame["seconds"].tolist()[0] == 2.5
    assert frame["interval_exact"].dropna().tolist() == [True] * 4
    assert frame["known"].tolist()[0] == "age, sex"
    assert frame["n_known"].tolist()[0] == 2


def test_attacks_are_ordered_by_what_they_stand_on_before_the_loss():
    own = [
        "no loss",
        "below limit",
        "no loss",
        "not testable",
        "at risk",
        "at risk",
        "inconclusive",
    ]
    results = pd.DataFrame(
        {
            "number": range(7),
            "status": "finished",
            "known_set": "singles out",
            "standing": ["at risk", *own[1:]],
            "standing_alc": [0.55, 0.4, -0.1, 0.45, 0.7, 0.55, 0.6],
            "through": pd.array([5, *[None] * 6], dtype="Int64"),
        }
    )
    # Of equals those come first that found it themselves.
    order = [4, 5, 0, 6, 1, 2, 3]
    pd.testing.assert_frame_equal(worst_first(results), results.iloc[order])
    one_less = results.assign(
        number=results["number"] + 7, known_set=str(KnownSetKind.ONE_LESS)
    ).head(2)
    none = results.head(2).assign(
        number=[14, 15], status=["not yet run", "failed"], standing=None, standing_alc=np.nan
    )
    every = worst_first(pd.concat([none, one_less, results], ignore_index=True))
    assert every["number"].tolist() == [*order, 15, 14, 7, 8]


def test_numbers_are_those_measured_and_unrounded(rescored):
    row = findings_frame(ATTACKS, rescored).iloc[0]
    for name, each in (
        ("alc", rescored.own), ("alc_rest", rescored.among_rest),
    ):  # fmt: skip
        found = (row[name], row[f"{name}_low"], row[f"{name}_high"])
        assert found == (each.alc[0], each.low[0], each.high[0])
    decided = rescored.decisive
    found = (row["decisive_alc"], row["decisive_low"], row["decisive_high"])
    assert found == (decided.alc[0], decided.low[0], decided.high[0])
    assert row["attack_prc"] == rescored.attack.prc[0]
    assert row["baseline_precision_low"] == rescored.baseline.precision_low[0]
    assert row["attack_measured_precision"] == 0.95
    assert (row["attack_predictions"], row["attempts"]) == (1000, 1000)
    assert row["attack_recall"] == 1


def test_every_row_carries_the_parameters_it_was_scored_with(rescored):
    frame = findings_frame(ATTACKS, rescored, failures={1: "Broken."})
    parameters = RUN.to_dict()
    assert frame[list(parameters)].drop_duplicates().to_dict("records") == [parameters]


def test_the_decisive_reading_is_named_with_the_point_that_it_compares_with():
    rescored = of_two_readings()
    row = findings_frame(ATTACKS, rescored).iloc[0]
    assert row["decisive"] == "alc_rest"
    assert row["decisive_alc"] == row["alc_rest"] > row["alc"]
    # 40 people are known anyway, and the attack is right about all of them.
    assert row["rest_share"] == 1 - 40 / 2000
    assert row["attack_predictions"] == 1000
    assert row["attack_rest_predictions"] == row["baseline_rest_predictions"] == 960
    assert row["attack_rest_true_predictions"] == 910
    # 960 / 1960 of the other 660 whom the guess gets right.
    assert row["baseline_rest_true_predictions"] == 323
    assert row["baseline_predictions"] == 40
    for name in ("precision", "measured_precision", "recall", "prc"):
        assert row[f"deciding_{name}"] == row[f"attack_rest_{name}"]
        assert row[f"compared_{name}"] == row[f"baseline_rest_{name}"]
    attack, baseline = row["deciding_prc"], row["compared_prc"]
    assert row["decisive_alc"] == pytest.approx((attack - baseline) / (1 - baseline))
    own = findings_frame(ATTACKS, rescore(finished([600], numbers=[0]), RUN, run_scoring=RUN))
    assert own["decisive"].iloc[0] == "alc"
    assert own["compared_prc"].iloc[0] == own["baseline_prc"].iloc[0]
    assert own["deciding_prc"].iloc[0] == own["attack_prc"].iloc[0]
    assert not row["interval_exact"]
    assert own["interval_exact"].iloc[0]


def test_columns_of_the_readings_stand_first_and_come_back_from_csv(rescored):
    frame = findings_frame(ATTACKS, rescored)
    first = [
        "number", "status", "standing", "standing_alc", "standing_low", "standing_high", "through",
        "through_known", "verdict", "decisive", "decisive_alc", "decisive_low", "decisive_high",
        "alc", "alc_low", "alc_high", "alc_rest", "alc_rest_low",
        "alc_rest_high", "rest_share", "exposed", "exposed_low", "exposed_high",
        "exposed_surely", "people", "interval_exact",
    ]  # fmt: skip
    assert frame.columns[:26].tolist() == first
    read = pd.read_csv(io.StringIO(csv_text(frame)))
    assert read.columns.tolist() == frame.columns.tolist()
    for name in (*first[2:6], *first[8:24]):
        assert read[name].iloc[:4].tolist() == frame[name].iloc[:4].tolist()
    for name in ("verdict", "decisive_alc", "decisive_low", "decisive_high"):
        same = name.replace("verdict", "standing").replace("decisive", "standing")
        assert frame[same].iloc[:4].tolist() == frame[name].iloc[:4].tolist()
    told = frame["exposed"].dropna()
    assert (told[~(frame["exposed_low"] > 0)] == 0).all(), "as texts tell it"
    assert frame[["through", "through_known"]].isna().all(axis=None)
    assert set(read["decisive"].dropna()) == {"alc"}
    assert not {"mixed_evidence", "look_twice"} & set(frame.columns)


def test_few_people_are_no_failure_but_a_result_with_a_wide_interval():
    few = finished([7], numbers=[0], baseline=5, made=10, widths=0.6)
    frame = findings_frame(ATTACKS[:2], rescore(few, RUN, run_scoring=RUN))
    row = frame.iloc[0]
    assert (row["status"], row["verdict"]) == ("finished", "inconclusive")
    assert pd.isna(row["reason"])
    assert row["attack_precision_high"] - row["attack_precision_low"] > 0.1


def test_no_attack_has_finished():
    none = rescore(table_of({}), RUN, run_scoring=RUN)
    frame = findings_frame(ATTACKS, none)
    assert frame["status"].unique().tolist() == ["not yet run"]
    assert frame["number"].tolist() == list(range(7))
    assert findings_frame([], none).empty
    assert headline(overview_of(ATTACKS, none, failures={3: "Broken."})) == (
        "No attack has a result yet. Not counted: 1 failed and 6 have not run yet."
    )


def test_types_of_columns_do_not_depend_on_what_has_finished(rescored):
    none = rescore(table_of({}), RUN, run_scoring=RUN)
    some, empty = (findings_frame(ATTACKS, each) for each in (rescored, none))
    assert some.dtypes.to_dict() == empty.dtypes.to_dict()


def test_csv_holds_no_formula_and_every_digit(rescored):
    odd = planned(6, unknown="=1+1", release="@v2", known=("-age", "sex"))
    frame = findings_frame([*ATTACKS[:6], odd], rescored, failures={6: "+broken"})
    rows = list(csv.DictReader(io.StringIO(csv_text(frame))))
    by_number = {row["number"]: row for row in rows}
    row = by_number["6"]
    assert [row[name] for name in ("unknown", "release", "known", "reason")] == [
        "'=1+1", "'@v2", "'-age, sex", "'+broken",
    ]  # fmt: skip
    assert row["alc"] == ""
    assert float(by_number["4"]["alc"]) == rescored.own.alc[0]
    assert float(by_number["5"]["alc"]) < 0
    assert by_number["5"]["alc"].startswith("-")
    assert "=1+1" in frame["unknown"].tolist()


def test_parquet_gives_the_same_frame_back(rescored):
    frame = findings_frame(ATTACKS, rescored, failures={1: "Broken."})
    written = io.BytesIO(frame.to_parquet(index=False))
    pd.testing.assert_frame_equal(pd.read_parquet(written), frame)


def overview_of(attacks, rescored, *, failures=()):
    """Every attack by its own verdict alone, of so many people that none exposes many."""
    rescored = replace(rescored, people=np.full(len(rescored), 10**9))
    stands = standings(rescored, subset_pairs(()))
    frame = findings_frame(attacks, rescored, stands=stands)
    finished = frame[frame["status"] == "finished"]
    return CampaignOverview(
        scoring=RUN, results=finished, every={a.number: a for a in attacks}, planned=len(attacks),
        failed=len(failures), skipped=0, error=None,
    )  # fmt: skip


def test_counts_and_headline(rescored):
    found = overview_of(ATTACKS, rescored, failures={1: "Broken."})
    assert (found.asking, found.failed, found.to_run) == (2, 1, 2)
    assert found.worst == 4
    assert found.counts["serious"] == 1
    frame = findings_frame(ATTACKS, rescored)
    assert found.stands(4) == (frame["verdict"][0], frame["decisive_alc"][0])
    assert headline(found) == (
        "2 of 4 attacks need attention: 1 serious and 1 at risk. Worst attack by ALC: someone who "
        "knows age and sex can infer 'income' from v2.csv (ALC 0.90, serious). Not counted: 1 "
        "failed and 2 have not run yet."
    )


def test_headline_of_a_harmless_campaign():
    curves = finished([600, 400], numbers=[0, 1])
    found = headline(overview_of(ATTACKS[:2], rescore(curves, RUN, run_scoring=RUN)))
    assert found == (
        "None of 2 attacks needs attention. Worst attack by ALC: someone who knows age and sex "
        "can infer 'income' from v2.csv (ALC 0.20, below limit)."
    )
    curves = finished([400], numbers=[0])
    assert headline(overview_of(ATTACKS[:1], rescore(curves, RUN, run_scoring=RUN))) == (
        "The only attack with a result needs no attention. No attack does clearly better than "
        "guessing."
    )


def test_headline_with_inconclusive_attacks():
    curves = finished([750, 800, 840], numbers=[0, 1, 2], widths=0.2)
    assert headline(overview_of(ATTACKS[:3], rescore(curves, RUN, run_scoring=RUN))).startswith(
        "3 of 3 attacks need attention: 3 inconclusive. Worst attack by ALC: "
    )
    curves = finished([750, 800, 940], numbers=[0, 1, 2], widths=0.2)
    assert headline(overview_of(ATTACKS[:3], rescore(curves, RUN, run_scoring=RUN))).startswith(
        "3 of 3 attacks need attention: 1 at risk and 2 inconclusive. Worst attack by ALC: "
    )


def test_headline_where_nothing_was_left_to_learn():
    curves = finished([999, 600], numbers=[0, 1], baseline=500)
    sure = finished([999], numbers=[2], baseline=990)
    both = Columns.concat([curves, sure])
    some = overview_of(ATTACKS[:3], rescore(both, RUN, run_scoring=RUN))
    assert (some.nothing_left, some.tested, some.finished, some.asking) == (1, 2, 3, 1)
    assert headline(some) == (
        "1 of 2 attacks needs attention: 1 serious. Worst attack by ALC: someone who knows age and "
        "sex can infer 'income' from v2.csv (ALC 0.90, serious). 1 attack could not be tested: "
        "nearly everyone is easy to guess."
    )
    assert headline(overview_of(ATTACKS[2:3], rescore(sure, RUN, run_scoring=RUN))) == (
        "The only attack with a result could not be tested: nearly everyone is easy to guess."
    )
