"""How dates are read, answered and chosen on the Data page."""

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from alc_core.dashboard.parts.offers import take_offer
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work.uploads import NO_OPTIONS, read_into


def loaded(original, release):
    state, job = AppState(), np.random.default_rng(0).choice(["clerk", "smith"], 300)
    for slot, values in (("original", original), ("release", release)):
        frame = pd.DataFrame({"born": np.asarray(values), "job": job})
        read_into(state, slot, f"{slot}.csv", frame.to_csv(index=False).encode(), NO_OPTIONS)
    return state


FIRSTS = pd.Series(
    pd.to_datetime(np.random.default_rng(1).integers(-3000, 9000, 300), unit="D")
).dt.to_period("M").dt.to_timestamp()  # fmt: skip


@pytest.mark.parametrize(("original", "offered"), [
    (FIRSTS.dt.strftime("%m/%d/%Y"), {"month-first", "day-first"}),
    ((FIRSTS - pd.Timestamp("1960-01-01")).dt.days, {"dates"}),
])  # fmt: skip
def test_each_answer_lets_the_run_go_on(original, offered):
    release = FIRSTS.dt.strftime("%Y-%m-%d")
    state = loaded(original, release)
    (asked,) = (f for f in state.findings() if f.blocking and f.column == "born")
    assert {offer.option for offer in asked.offers} == offered
    for offer in asked.offers:
        state = loaded(original, release)
        take_offer(state, asked, offer)
        assert asked.code not in {f.code for f in state.findings() if f.blocking}
    state.date_readings.clear()
    assert asked.code in {f.code for f in state.findings() if f.blocking}


def _page():
    import streamlit as st

    from alc_core.dashboard.data.dates import draw_dates

    draw_dates(st.session_state["state"])


def test_the_order_is_chosen_and_taken_back():
    state = loaded(FIRSTS.dt.strftime("%m/%d/%Y"), FIRSTS.dt.strftime("%m/%d/%Y"))
    app = AppTest.from_function(_page)
    app.session_state["state"] = state
    app.run(timeout=60)
    app.selectbox[0].select("month-first").run(timeout=60)
    assert state.date_readings == {"born": "month-first"}
    assert state.original_table().frame["born"].str.endswith("-01").all()
    app.selectbox[0].select("as the values show").run(timeout=60)
    assert not state.date_readings
    assert not app.exception
