"""Dates that are shifted together keep the days between them."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.campaign.model import KnownSetKind
from alc_core.releases.answers import knowing_intervals
from alc_core.releases.registry import as_release
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.facts import FactKind, file_facts
from alc_core.tables.labels.intervals import kept_intervals, read_interval

DATES = ["admitted", "discharged", "checkup"]
DAYS = "days from admitted to discharged"


def stays(seed, n=1_500):
    """Hospital stays whose diagnosis nothing predicts."""
    rng = np.random.default_rng(seed)
    admitted = pd.Timestamp("2022-01-01") + pd.to_timedelta(rng.integers(0, 730, n), unit="D")
    discharged = admitted + pd.to_timedelta(1 + rng.gamma(1.2, 20, n).astype(int), unit="D")
    checkup = discharged + pd.to_timedelta(14 + rng.gamma(2, 40, n).astype(int), unit="D")
    return pd.DataFrame({
        "sex": rng.choice(["f", "m"], n), "ward": rng.choice(["A", "B", "C"], n),
        "admitted": admitted, "discharged": discharged, "checkup": checkup,
        "diagnosis": rng.choice([*"abcdefgh"], n),
    })  # fmt: skip


def shifted(frame, *, together=True):
    """Their dates later or earlier by up to a year, beside other people's sex and ward."""
    rng, made = np.random.default_rng(7), frame.copy()
    made[["sex", "ward"]] = stays(99, len(frame))[["sex", "ward"]]
    by = rng.integers(-365, 366, len(frame))
    for column in DATES:
        by = by if together else rng.integers(-365, 366, len(frame))
        made[column] += pd.to_timedelta(by, unit="D")
    return made.sample(frac=1, random_state=1, ignore_index=True)


def table(frame, name):
    written = frame.assign(**{c: frame[c].dt.strftime("%d.%m.%Y") for c in DATES})
    return alc.table_from_frame(written, name=name)


@pytest.fixture(scope="module")
def original():
    return table(stays(1), "original")


def test_dates_shifted_together_are_found_and_no_others(original):
    found = kept_intervals(original, table(shifted(stays(1)), "release"))
    assert DAYS in {each.name for each in found.intervals}
    assert found.together.share > 0.95
    for harmless in (stays(2), stays(1), shifted(stays(1), together=False)):
        assert kept_intervals(original, table(harmless, "release")) is None


def test_few_dates_have_no_days_between_them(original):
    release = table(shifted(stays(1)), "release")
    alone = alc.table_from_frame(release.frame.drop(columns=DATES[1:]), name="release")
    assert kept_intervals(original, alone) is None


def test_the_check_says_so_of_who_knows_the_dates(original):
    release = table(shifted(stays(1)), "release")
    (finding,) = (f for f in check_tables(original, [release]) if f.code == "shifted-dates")
    assert f"'{DAYS}'" in finding.message
    asked = {
        known: [f.code for f in check_tables(original, [release], known=known, unknown="diagnosis")]
        for known in (("sex", "ward"), ("sex", *DATES))
    }
    assert ["shifted-dates" in codes for codes in asked.values()] == [False, True]


def test_who_knows_the_dates_knows_the_days_between_them(original):
    release = as_release(table(shifted(stays(1)), "release"), original)
    scenario = knowing_intervals(alc.Scenario(["sex", *DATES], "diagnosis"), original, release)
    assert scenario.known[:2] == ("sex", DAYS)
    assert {*scenario.known}.isdisjoint(DATES)
    of_a_date = alc.Scenario(["sex", "admitted", "checkup"], "discharged")
    assert "discharged" not in " ".join(knowing_intervals(of_a_date, original, release).known)


def test_the_attack_finds_what_the_dates_alone_hide(original):
    asked = alc.Scenario(["sex", "ward", *DATES], "diagnosis", targets=600)
    loop = alc.LoopParameters(folds=2, resamples=200)
    found = {
        name: alc.assess(original, table(frame, name), asked, loop=loop)
        for name, frame in (("leak", shifted(stays(1))), ("strangers", shifted(stays(2))))
    }
    assert str(found["leak"].verdict) == "serious"
    assert DAYS in found["leak"].scenario.known
    assert found["strangers"].scenario.known == asked.known
    assert str(found["strangers"].verdict) in ("no loss", "below limit", "too few")


def test_the_plan_has_an_attacker_who_knows_the_dates_alone(original):
    release = table(shifted(stays(1)), "release")
    plan = alc.plan_campaign(original, {"release": release}, unknown=["diagnosis"])
    few = [each for each in plan.attacks if each.kind is KnownSetKind.FEW_FACTS]
    assert few
    assert all(name.startswith("days from") for each in few for name in each.scenario.known)
    everything = next(e for e in plan.attacks if e.kind is KnownSetKind.ALL_OTHERS)
    assert DAYS in everything.scenario.known


def test_a_name_of_days_may_hold_the_word_that_parts_it():
    assert read_interval("days from a to b to c", ["a to b", "c"]) == ("a to b", "c")
    assert read_interval("days from a to b", ["a"]) is None


def test_only_dates_have_days_between_them(original):
    with pytest.raises(alc.AlcError, match="column 'sex' of the kind 'categorical'"):
        alc.assess(original, original.frame, alc.Scenario(["days from sex to ward"], "diagnosis"))


def with_stay(frame):
    """A release that has the length of stay in place of the discharge."""
    days = (frame["discharged"] - frame["admitted"]).dt.days
    return frame.drop(columns="discharged").assign(stay=days)


def test_a_length_of_stay_is_asked_about_if_its_dates_are_not_released(original):
    def asked(released):
        release = alc.table_from_frame(released, name="release")
        return [f for f in check_tables(original, [release]) if f.code == "worked-out-column"]

    (finding,) = asked(with_stay(shifted(stays(2))))  # of other people: it means the same
    assert finding.column == "stay"
    assert finding.blocking
    assert "'admitted' and 'discharged'" in finding.message
    whole = stays(2)
    assert not asked(whole.assign(stay=with_stay(whole)["stay"])), "the dates are there"
    rng = np.random.default_rng(3)
    assert not asked(with_stay(whole).assign(stay=rng.integers(0, 200, len(whole))))


def test_a_release_of_shifted_dates_is_of_the_right_people(original):
    facts = {
        name: {fact.kind: fact for fact in file_facts(original, table(frame, name)).facts}
        for name, frame in (("leak", shifted(stays(1))), ("strangers", shifted(stays(2))))
    }
    assert DAYS in facts["leak"][FactKind.OWN_TOGETHER].columns
    assert FactKind.ORIGINAL not in facts["leak"]
    assert FactKind.ORIGINAL in facts["strangers"]
