from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from alc_core.dashboard.state import browser


@pytest.fixture
def cookies(monkeypatch):
    given: dict[str, str] = {}
    monkeypatch.setattr(browser.st, "context", SimpleNamespace(cookies=given))
    return given


def test_the_secret_stays_the_same_however_it_is_masked(cookies):
    secrets = set()
    for _ in range(5):
        cookies["_streamlit_xsrf"] = generate_xsrf_token_string(b"sixteen bytes...")
        secrets.add(browser.browser_secret())
    assert secrets == {b"sixteen bytes..."}


@pytest.mark.parametrize("value", [None, "", "2|x|y|z", "nonsense"])
def test_without_a_cookie_there_is_no_secret(cookies, value):
    if value is not None:
        cookies["_streamlit_xsrf"] = value
    assert browser.browser_secret() is None


def test_outside_a_page_nothing_is_connected():
    assert not browser.is_connected("any")
    assert browser.session_id() == ""
