"""What holds of classes whatever the table."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import alc_core as alc
from alc_core.releases.microdata import Microdata
from alc_core.studies.risk_numbers.result import RiskSettings, RowsAre, measure_risk_numbers

SLOW = settings(deadline=None, max_examples=30)
TABLES = st.tuples(st.integers(2, 80), st.integers(1, 6), st.integers(0, 999))


def people(n, width, seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {f"q{place}": rng.choice(list("abcd*")[: 2 + place % 4], n) for place in range(width)}
        | {"secret": rng.integers(0, 5, n)}
    )


def measured(original, release, known):
    table = alc.table_from_frame(original, name="o")
    released = Microdata(tables=(alc.table_from_frame(release, name="r"),), name="r")
    (found,) = measure_risk_numbers(
        table, released, RiskSettings(known=tuple(known), protected=("secret",))
    )
    return found


@SLOW
@given(TABLES)
def test_a_further_known_column_never_raises_k_and_never_lowers_the_risk(made):
    frame = people(*made)
    columns = [column for column in frame if column != "secret"]
    found = [measured(frame, frame, columns[: n + 1]).original for n in range(len(columns))]
    assert [sizes.smallest for sizes in found] == sorted(
        (sizes.smallest for sizes in found), reverse=True
    )
    risks = [sizes.mean_risk for sizes in found]
    assert np.all(np.diff(risks) >= -1e-12)
    assert all(sizes.total == len(frame) for sizes in found)


@SLOW
@given(TABLES, st.floats(0.1, 1.0))
def test_rows_drawn_from_the_original_can_be_people(made, share):
    frame = people(*made)
    release = frame.sample(max(1, int(share * len(frame))), random_state=1)
    found = measured(frame, release, [column for column in frame if column != "secret"])
    assert found.rows_are is RowsAre.PEOPLE
    assert found.fit.known == found.fit.together == 1.0
    if found.in_original is not None:
        assert found.in_original.highest_risk <= found.released.highest_risk
        assert found.in_original.mean_risk <= found.released.mean_risk + 1e-12


@SLOW
@given(TABLES)
def test_pycanon_agrees(made):
    anonymity = pytest.importorskip("pycanon.anonymity")
    frame = people(*made).replace("*", "e")
    known = [column for column in frame if column != "secret"]
    found = measured(frame, frame, known)
    asked = known if len(known) > 1 else known * 2  # it takes no single column
    assert found.released.smallest == anonymity.k_anonymity(frame, asked)
    assert found.diversity[0].distinct == anonymity.l_diversity(frame, asked, ["secret"])
    if found.diversity[0].values > 1 and found.diversity[0].ordered:
        expected = anonymity.t_closeness(frame, asked, ["secret"])
        assert found.diversity[0].closeness == pytest.approx(expected)
