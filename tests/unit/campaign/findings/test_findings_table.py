import csv
import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from alc_core.campaign.file.curve_table import CurveTable, FlatCurves
from alc_core.campaign.findings.findings_table import (
    findings_csv,
    findings_frame,
    write_findings_parquet,
)
from alc_core.campaign.findings.summary import headline, summarize
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.campaign.rescore.outcome_codes import TOO_FEW_TARGETS
from alc_core.campaign.rescore.rescoring import rescore
from alc_core.errors import InputError
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.parameters import ScoringParameters

RUN = ScoringParameters()


def planned(number, unknown="income", release="v2.csv", known=("age", "sex")):
    return PlannedAttack(
        number=number,
        scenario=Scenario(known, unknown),
        release=release,
        attack="best row match",
        kind=KnownSetKind.SINGLES_OUT,
        reason="Together they single out 12 % of people.",
    )


ATTACKS = [planned(number) for number in range(7)]


def finished(right, *, numbers, baseline=500, made=1000, widths=0.02):
    """Attacks that predict for everyone, right so often; the baseline for all alike."""
    right = np.asarray(right)
    sides = [
        FlatCurves.of_counts([[made]] * len(right), [[min(count, made)] for count in counts])
        for counts in (right.tolist(), [min(baseline, made)] * len(right))
    ]
    curves = CurveTable(
        numbers=np.asarray(numbers),
        attack=sides[0],
        baseline=sides[1],
        attempts=np.full(len(right), made),
        recall_scale=np.ones(len(right)),
        alc=np.zeros(len(right)),
        low=np.zeros(len(right)),
        high=np.zeros(len(right)),
    )
    alc = rescore(curves, RUN, run_scoring=RUN).alc
    return replace(curves, alc=alc, low=alc - widths, high=alc + widths)


@pytest.fixture
def rescored():
    """Serious, safe, at risk, no loss."""
    return rescore(finished([950, 600, 800, 400], numbers=[4, 0, 2, 5]), RUN, run_scoring=RUN)


def test_worst_first_then_what_has_no_number(rescored):
    frame = findings_frame(
        ATTACKS, rescored, failures={1: "The release is broken."}, seconds={4: 2.5}
    )
    assert frame["number"].tolist() == [4, 2, 0, 5, 1, 3, 6]
    assert frame["status"].tolist() == ["finished"] * 4 + ["failed"] + ["not yet run"] * 2
    assert frame["verdict"].tolist()[:4] == ["serious", "at risk", "safe", "no loss"]
    assert frame["verdict"].isna().tolist() == [False] * 4 + [True] * 3
    assert frame["reason"].dropna().tolist() == ["The release is broken."]
    assert frame["seconds"].tolist()[0] == 2.5
    assert frame["interval_exact"].dropna().tolist() == [True] * 4
    assert frame["known"].tolist()[0] == "age, sex"
    assert frame["n_known"].tolist()[0] == 2


def test_numbers_are_those_measured_and_unrounded(rescored):
    row = findings_frame(ATTACKS, rescored).iloc[0]
    assert row["alc"] == rescored.alc[0]
    assert (row["alc_low"], row["alc_high"]) == (rescored.low[0], rescored.high[0])
    assert row["attack_prc"] == rescored.attack.prc[0]
    assert row["baseline_precision_low"] == rescored.baseline.precision_low[0]
    assert row["attack_measured_precision"] == 0.95
    assert (row["attack_predictions"], row["attempts"]) == (1000, 1000)
    assert row["attack_recall"] == 1


def test_every_row_carries_the_parameters_it_was_scored_with(rescored):
    frame = findings_frame(ATTACKS, rescored, failures={1: "Broken."})
    parameters = RUN.to_dict()
    assert frame[list(parameters)].drop_duplicates().to_dict("records") == [parameters]


def test_too_few_targets_are_said_and_come_after_every_number():
    strict = ScoringParameters(max_interval_width=0.04)
    rescored = rescore(finished([950, 600], numbers=[0, 1], baseline=990), RUN, run_scoring=RUN)
    few = rescore(
        finished([950, 600], numbers=[0, 1], baseline=990), strict, run_scoring=RUN, run=rescored
    )
    frame = findings_frame(ATTACKS[:3], few, failures={2: "Broken."})
    assert frame["number"].tolist() == [0, 1, 2]
    assert frame["verdict"].tolist()[:2] == ["no loss", TOO_FEW_TARGETS]
    row = frame.iloc[1]
    assert row["reason"] == (
        "No threshold has a 95 % interval of precision at most 0.04 wide. Attack more targets, or "
        "allow a wider interval."
    )
    assert np.isnan(row["alc"])
    assert row["attack_predictions"] is pd.NA
    assert row["baseline_predictions"] == 1000
    assert row["interval_exact"] is pd.NA
    assert not frame["interval_exact"].iloc[0]


def test_no_attack_has_finished():
    none = rescore(CurveTable.of({}), RUN, run_scoring=RUN)
    frame = findings_frame(ATTACKS, none)
    assert frame["status"].unique().tolist() == ["not yet run"]
    assert frame["number"].tolist() == list(range(7))
    assert findings_frame([], none).empty
    assert headline(summarize(ATTACKS, none, failures={3: "Broken."})) == (
        "No attack has a result yet. Not counted: 1 failed and 6 have not run yet."
    )


def test_types_of_columns_do_not_depend_on_what_has_finished(rescored):
    none = rescore(CurveTable.of({}), RUN, run_scoring=RUN)
    some, empty = (findings_frame(ATTACKS, each) for each in (rescored, none))
    assert some.dtypes.to_dict() == empty.dtypes.to_dict()


def test_a_finished_attack_that_nobody_planned(rescored):
    with pytest.raises(InputError, match="Attack 5 is finished but is not among the 5 planned"):
        findings_frame(ATTACKS[:5], rescored)
    with pytest.raises(InputError, match="Attack 5"):
        summarize(ATTACKS[:5], rescored)


def test_csv_holds_no_formula_and_every_digit(rescored):
    odd = planned(6, unknown="=1+1", release="@v2", known=("-age", "sex"))
    frame = findings_frame([*ATTACKS[:6], odd], rescored, failures={6: "+broken"})
    rows = list(csv.DictReader(io.StringIO(findings_csv(frame))))
    by_number = {row["number"]: row for row in rows}
    row = by_number["6"]
    assert [row[name] for name in ("unknown", "release", "known", "reason")] == [
        "'=1+1", "'@v2", "'-age, sex", "'+broken",
    ]  # fmt: skip
    assert row["alc"] == ""
    assert float(by_number["4"]["alc"]) == rescored.alc[0]
    assert float(by_number["5"]["alc"]) < 0
    assert by_number["5"]["alc"].startswith("-")
    assert "=1+1" in frame["unknown"].tolist()


def test_parquet_gives_the_same_frame_back(rescored, tmp_path):
    frame = findings_frame(ATTACKS, rescored, failures={1: "Broken."})
    write_findings_parquet(frame, tmp_path / "findings.parquet")
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "findings.parquet"), frame)


def test_summary_and_headline(rescored):
    summary = summarize(ATTACKS, rescored, failures={1: "Broken.", 4: "Finished later."})
    assert (summary.flagged, summary.undecided, summary.failed, summary.to_run) == (2, 0, 1, 2)
    assert summary.worst is ATTACKS[4]
    assert summary.counts["serious"] == 1
    frame = findings_frame(ATTACKS, rescored)
    assert (summary.worst_alc, summary.worst_verdict) == (frame["alc"][0], frame["verdict"][0])
    assert headline(summary) == (
        "2 of 4 attacks are flagged: 1 serious and 1 at risk. The worst: someone who knows age and "
        "sex learns income from v2.csv (ALC 0.90, serious). Not counted: 1 failed and 2 have not "
        "run yet."
    )


def test_headline_of_a_harmless_campaign():
    curves = finished([600, 400], numbers=[0, 1])
    found = headline(summarize(ATTACKS[:2], rescore(curves, RUN, run_scoring=RUN)))
    assert found == (
        "None of 2 attacks is flagged. The worst: someone who knows age and sex learns income from "
        "v2.csv (ALC 0.20, safe)."
    )
    curves = finished([400], numbers=[0])
    assert headline(summarize(ATTACKS[:1], rescore(curves, RUN, run_scoring=RUN))) == (
        "The one attack with a result is not flagged. No attack is clearly better than a guess "
        "without the person's record."
    )


def test_headline_with_undecided_attacks():
    curves = finished([750, 800, 940], numbers=[0, 1, 2], widths=0.2)
    assert headline(summarize(ATTACKS[:3], rescore(curves, RUN, run_scoring=RUN))).startswith(
        "None of 3 attacks is flagged. 3 are undecided. The worst: "
    )
    strict = ScoringParameters(max_interval_width=0.01)
    few = rescore(curves, strict, run_scoring=RUN)
    assert headline(summarize(ATTACKS[:3], few)) == (
        "No attack has a result yet. Not counted: 3 had too few targets."
    )
