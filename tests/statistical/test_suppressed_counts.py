"""Suppression that totals undo hides as little as none, and what is measured says so."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.releases.counts import Counts

SIZE = 3_000
KNOWN = ["town", "job"]
VALUES = ["negative", "positive"]


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(3)
    town, job = rng.integers(0, 60, SIZE), rng.choice(list("ABC"), SIZE)
    risk = np.where(town % 6 == 0, 0.5, 0.03)
    sick = np.where(rng.random(SIZE) < risk, *reversed(VALUES))
    return pd.DataFrame({"town": [f"T{t:02}" for t in town], "job": job, "result": sick})


def loss(people, table):
    original = alc.table_from_frame(people, name="people.csv")
    tables = [alc.table_from_frame(table, name="counts.csv")]
    result = alc.assess(
        original,
        Counts.of_tables(tables, name="counts", original=original),
        alc.Scenario(KNOWN, "result"),
        attack="naive bayes",
        families=(NaiveBayes(),),
        seed=1,
    )
    notes = [dict(note.numbers) for note in result.notes if note.code == "suppressed-counts"]
    return result.alc_rest, notes


def test_totals_give_the_attack_what_suppression_hides(people):
    full = pd.crosstab([people[name] for name in KNOWN], people["result"]).reset_index()
    full = full.rename_axis(columns=None)
    total = full[VALUES].sum(axis=1)
    few = full["positive"].between(1, 9)
    one = full.astype({"positive": object})
    one.loc[few, "positive"] = "<10"
    unsuppressed, none = loss(people, full)
    recovered, notes = loss(people, one.assign(Total=total))
    assert not none
    assert notes == [{"recovered": few.sum(), "ranged": 0}]
    assert recovered == pytest.approx(unsuppressed, abs=1e-9)
    assert unsuppressed > 0.3
    both = one.astype({"negative": object})
    both.loc[few, "negative"] = ".."
    in_range, notes = loss(people, both.assign(Total=total))
    assert notes[0]["ranged"] > few.sum()
    assert in_range == pytest.approx(unsuppressed, abs=0.15)
