import asyncio
import inspect
import logging
from pathlib import Path
from threading import Thread
from unittest.mock import MagicMock, Mock

import pytest
from streamlit.runtime import app_session
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from alc_core.dashboard.state import browser


def test_the_secret_stays_the_same_however_it_is_masked():
    secrets = set()
    for _ in range(5):
        cookies = {"_streamlit_xsrf": generate_xsrf_token_string(b"sixteen bytes...")}
        secrets.add(browser.secret_of(cookies))
    assert secrets == {b"sixteen bytes..."}


@pytest.mark.parametrize("value", [None, "", "2|x|y|z", "nonsense"])
def test_without_a_cookie_there_is_no_secret(value):
    cookies = {} if value is None else {"_streamlit_xsrf": value}
    assert browser.secret_of(cookies) is None


def test_outside_a_page_nothing_is_connected():
    assert not browser.is_connected("any")
    assert browser.session_id() == ""


@pytest.mark.parametrize("connected", [True, False])
def test_a_page_that_is_still_connected_is_drawn_again_at_the_end(monkeypatch, connected):
    loop, server = asyncio.new_event_loop(), MagicMock()
    server._get_async_objs.return_value.eventloop = loop
    server.is_active_session.return_value = connected
    monkeypatch.setattr(browser, "runtime", Mock(**{"get_instance.return_value": server}))
    thread = Thread(target=loop.run_forever)
    thread.start()
    browser.end_session("mine")
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
    page = server._session_mgr.get_active_session_info.return_value.session
    assert server.close_session.called is not connected
    assert page.request_rerun.called is connected


def test_only_the_message_about_parts_that_are_gone_stays_out_of_the_log():
    from streamlit.logger import get_logger

    logger, told = get_logger("streamlit.runtime.app_session"), []
    handler = logging.Handler()
    handler.emit = lambda record: told.append(record.getMessage())
    logger.addHandler(handler)
    try:
        browser.quiet_log()
        browser.quiet_log()
        logger.warning(
            "The fragment with id %s does not exist anymore - it might have been removed during a"
            " preceding full-app rerun.",
            "abc",
        )
        logger.warning("Something else about %s", "abc")
    finally:
        logger.removeHandler(handler)
    assert told == ["Something else about abc"]
    source = Path(inspect.getsourcefile(app_session)).read_text(encoding="utf-8")
    assert f'"{browser._GONE}%s' in source, "Streamlit words it otherwise now"


def test_a_connection_that_was_closed_twice_is_not_logged(caplog):
    logger = logging.getLogger("uvicorn.error")
    browser.quiet_log()
    try:
        with caplog.at_level(logging.ERROR, logger="uvicorn.error"):
            for error in (
                RuntimeError('Cannot call "send" once a close message has been sent.'),
                RuntimeError("something else"),
            ):
                logger.error("Exception in ASGI application", exc_info=error)
            logger.error("no exception")
    finally:
        logger.removeFilter(browser._without_closed_connections)
    assert [record.exc_info and str(record.exc_info[1]) for record in caplog.records] == [
        "something else", None,
    ]  # fmt: skip
