"""Shares at risk by group: who is in which group, and that small groups do not show."""

import numpy as np
import pandas as pd
import pytest

from alc_core.errors import ColumnError, InputError
from alc_core.measures.measure import Measured
from alc_core.releases.microdata import Microdata
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.intervals import wilson_interval
from alc_core.studies.rapid.measuring import measure_rapid
from alc_core.studies.rapid.result import (
    MeasuredRapid,
    RapidSettings,
    with_groups,
)
from alc_core.studies.rapid.study import RapidStudy, group_sentence
from alc_core.tables.read import table_from_frame
from tests.toys.rapid import made_rapid

N = 200


def measured(at_risk, original, *, rows=None, units=None):
    """A made-up result: the gain is 1 for people at risk and 0 for the others."""
    scores = np.asarray(at_risk, dtype=np.float64)
    numbers = np.arange(len(scores))
    result = made_rapid(original=original.fingerprint, parts=(), n_people=len(scores))
    return MeasuredRapid(
        result=result,
        rows=numbers if rows is None else rows,
        scores=scores,
        reference=np.where(numbers % 10 == 0, 1.0, 0.0),
        at_risk=scores > 0.3,
        units=numbers if units is None else units,
    )


def table(**columns):
    return table_from_frame(pd.DataFrame(columns), name="original")


def by(column, original, at_risk=None, **people):
    risk = np.zeros(len(original)) if at_risk is None else at_risk
    return with_groups(measured(risk, original, **people), original, [column]).result


def test_shares_and_wilson_s_intervals_by_hand():
    original = table(sex=["f"] * 50 + ["m"] * 150)
    found = by("sex", original, [1] * 30 + [0] * 170)
    women, men = found.groups("sex")
    low, high = wilson_interval(30, 50)
    assert women.share == Measured(0.6, float(low), float(high))
    assert (women.label, women.n_people, women.reference) == ("f", 50, 0.1)
    assert (men.label, men.n_people, men.share.value) == ("m", 150, 0.0)
    assert group_sentence(found, "sex") == "At risk by 'sex': 0% (m) to 60% (f)."
    assert found.grouped == ("sex",)


def test_numbers_are_cut_at_their_quintiles_in_their_order():
    original = table(age=np.arange(N) - 100.0).with_kinds({"age": "continuous"})
    found = by("age", original, np.arange(N) >= 160)
    assert [part.label for part in found.groups("age")] == [
        "up to -61", "over -61 to -21", "over -21 to 19", "over 19 to 59", "over 59",
    ]  # fmt: skip
    assert [part.n_people for part in found.groups("age")] == [40] * 5
    assert [part.share.value for part in found.groups("age")] == [0, 0, 0, 0, 1]


def test_mostly_zeros_and_missing_numbers():
    gain = np.r_[np.zeros(140), np.arange(1.0, 31.0), np.full(30, np.nan)]
    groups = by("gain", table(gain=gain)).groups("gain")
    assert [(part.label, part.n_people) for part in groups] == [
        ("up to 0", 140), ("over 0", 30), ("no value", 30),
    ]  # fmt: skip


def test_few_different_numbers_are_a_group_each():
    original = table(children=np.repeat([0.0, 1.0, 2.5], [80, 80, 40])).with_kinds(
        {"children": "continuous"}
    )
    assert [part.label for part in by("children", original).groups("children")] == ["0", "1", "2.5"]


def test_dates_are_written_as_dates():
    days = pd.date_range("2020-01-01", periods=N).strftime("%Y-%m-%d")
    original = table(day=days).with_kinds({"day": "datetime"})
    assert by("day", original).groups("day")[0].label == "up to 2020-02-09"
    noons = table(day=pd.date_range("1960-01-01 12:00", periods=N))
    assert by("day", noons).groups("day")[0].label == "up to 1960-02-09"


def test_small_groups_are_taken_together_or_left_out():
    together = by("town", table(town=["A"] * 150 + ["B"] * 35 + ["C"] * 10 + ["D"] * 5 * 2))
    assert {part.label: part.n_people for part in together.groups("town")} == {
        "A": 150, "B": 35, "2 other values": 20,
    }  # fmt: skip
    original = table(town=["A"] * 190 + ["B"] * 10)
    found = by("town", original)
    assert [part.label for part in found.groups("town")] == ["A"]
    assert group_sentence(found, "town").endswith("10 people with rare values left out.")


def test_a_group_of_one_person_s_many_records_is_small():
    original = table(town=["A"] * 100 + ["B"] * 100)
    units = np.r_[np.arange(100), np.full(100, 100)]
    assert [part.label for part in by("town", original, units=units).groups("town")] == ["A"]


def test_people_are_found_by_their_rows():
    original = table(sex=["f"] * 50 + ["m"] * 50 + [None] * 100)
    frame = measured([1] * 50 + [0] * 50, original, rows=np.arange(50, 150))
    groups = with_groups(frame, original, ["sex"]).result.groups("sex")
    assert {part.label: part.share.value for part in groups} == {"m": 1.0, "no value": 0.0}


def test_what_divides_nobody_is_refused_or_passed_over():
    original = table(who=[f"p{number}" for number in range(10)])
    with pytest.raises(InputError, match="Fewer than 20 people share any value of 'who'"):
        by("who", original)
    with pytest.raises(ColumnError, match="'whom' is not in 'original'.*Did you mean 'who'"):
        by("whom", original)
    other = table(who=["x"] * 10)
    with pytest.raises(InputError, match="not of"):
        with_groups(measured([0] * 10, original), other, ["who"])


def test_the_scenario_s_columns_are_always_among_the_groups():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "town": rng.choice(list("ABC"), 400),
            "pay": rng.normal(0, 100, 400).round(),
            "sex": rng.choice(["f", "m"], 400),
        }
    )
    original = table_from_frame(frame, name="original")
    release = Microdata(tables=(original,), name="same")
    settings = RapidSettings(learner="decision tree", resamples=100)
    found = measure_rapid(original, release, Scenario(["town"], "pay"), settings, by=["sex"]).result
    assert found.grouped == ("pay", "town", "sex")
    for column in found.grouped:
        shares = [part.n_people * part.share.value for part in found.groups(column)]
        assert sum(shares) / 400 == pytest.approx(found.rapid.value)
    columns = {group["column"] for group in RapidStudy().plain(found)["groups"]}
    assert columns == {"pay", "town", "sex"}
    with pytest.raises(ColumnError, match="'nobody' is not in"):
        measure_rapid(original, release, Scenario(["town"], "pay"), settings, by=["nobody"])
