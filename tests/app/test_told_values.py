"""Values that a widget is told: until the browser has surely heard of them."""

from streamlit.testing.v1 import AppTest

from alc_core.dashboard.state import session
from tests.app.conftest import TIMEOUT


def part():
    import math
    from types import SimpleNamespace

    import streamlit as st

    from alc_core.dashboard.state import session

    choices = st.session_state.setdefault("choices", SimpleNamespace(number=3.0))
    session._Told.here().ended = math.inf
    st.number_input("Number", 0.0, 9.0, **session.bind(choices, "number"))
    if "broken_off" not in st.session_state:
        st.session_state["broken_off"] = True
        st.rerun()
    session.finish_page()


def test_what_a_run_told_that_was_broken_off_is_told_again(monkeypatch):
    test = AppTest.from_function(part, default_timeout=TIMEOUT).run()
    assert test.number_input[0].value == 3.0
    assert test.number_input[0].proto.set_value, "else the browser draws 0, and sends that back"
    assert test.run().number_input[0].proto.set_value, "another run at once may drop it, too"
    monkeypatch.setattr(session, "_HEARD", -1.0)
    again = test.run().number_input[0]
    assert again.value == 3.0
    assert not again.proto.set_value, "what is being typed stays"
