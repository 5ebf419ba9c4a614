"""Who may fetch what a page offers to save, and for how long."""

from types import SimpleNamespace

import pytest
from starlette.requests import HTTPConnection
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

from alc_core.dashboard.state import browser, session
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.registry import SessionRegistry, browser_key

COOKIES = {name: generate_xsrf_token_string(name.encode() * 4, 1) for name in ("mine", "other")}


@pytest.fixture
def server(monkeypatch):
    """A server with a session each of two browsers, of which the first draws a page."""
    media = MediaFileManager(MemoryMediaFileStorage("/media"))
    registry = SessionRegistry(lambda _: True)
    known = dict.fromkeys(COOKIES, "a session that is connected, or was a minute ago")
    for name in known:
        registry.add(AppState(), session=name, browser=browser_key(name.encode() * 4))
    running = SimpleNamespace(
        media_file_mgr=media,
        uploaded_file_mgr=MemoryUploadedFileManager("/upload"),
        known=known,
        registry=registry,
        _session_mgr=SimpleNamespace(get_session_info=known.get),
    )
    monkeypatch.setattr(session, "REGISTRY", registry)
    monkeypatch.setattr(browser.runtime, "exists", lambda: True)
    monkeypatch.setattr(browser.runtime, "get_instance", lambda: running)
    monkeypatch.setattr(media_file_manager, "_get_session_id", lambda: "mine")
    monkeypatch.setattr(browser, "get_script_run_ctx", lambda: SimpleNamespace(session_id="mine"))
    return running


def draw(server, content=b"ready"):
    """Draw a page with a file to save and one that is made at a click, as Streamlit does."""
    media = server.media_file_mgr
    media.clear_session_refs("mine")
    browser.keep_offers()
    ready = media.add(content, "text/csv", "a", "a.csv", is_for_static_download=True)
    make = browser.offered_at_click(lambda: "made", "text/csv", "b.csv")
    waiting = media.add_deferred(make, "text/csv", "b", "b.csv")
    media.remove_orphaned_files()
    return ready, waiting


def fetched(server, address, who="mine"):
    """What a browser gets of an address, or None."""
    name = address.rsplit("/", 1)[1]
    headers = [(b"cookie", f"_streamlit_xsrf={COOKIES[who]}".encode())] if who else []
    request = HTTPConnection({"type": "http", "method": "GET", "headers": headers})
    if not session.may_fetch(name.split(".")[0], request):
        return None
    try:
        return server.media_file_mgr._storage.get_file(name).content
    except MediaFileStorageError:
        return None


def test_a_file_made_at_a_click_goes_to_the_browser_that_clicked(server):
    ready, waiting = draw(server)
    made = server.media_file_mgr.execute_deferred(waiting)
    for _ in range(3):
        server.media_file_mgr.remove_orphaned_files()  # as other sessions do, when they are drawn
    assert [fetched(server, each) for each in (ready, made)] == [b"ready", b"made"]
    for who in ("other", None):
        assert [fetched(server, each, who) for each in (ready, made)] == [None, None]


def test_what_is_on_the_screen_can_be_saved_while_the_page_is_drawn_again(server):
    ready, waiting = draw(server)
    server.media_file_mgr.clear_session_refs("mine")
    for _ in range(3):
        server.media_file_mgr.remove_orphaned_files()
    made = server.media_file_mgr.execute_deferred(waiting)
    assert [fetched(server, each) for each in (ready, made)] == [b"ready", b"made"]


def test_what_a_click_asked_for_comes_though_the_page_is_drawn_twice_meanwhile(server, monkeypatch):
    ready, waiting = draw(server, b"as it was")
    made = server.media_file_mgr.execute_deferred(waiting)
    for _ in range(2):
        draw(server)
    assert [fetched(server, each) for each in (ready, made)] == [b"as it was", b"made"]
    later = browser.time.monotonic() + 61
    monkeypatch.setattr(browser, "time", SimpleNamespace(monotonic=lambda: later))
    for _ in range(3):
        now, _ = draw(server)
    assert [fetched(server, each) for each in (ready, made)] == [None, None]
    assert fetched(server, now) == b"ready"
    assert len(server.media_file_mgr._storage._files_by_id) == 1


def test_what_a_drawing_offered_that_was_broken_off_can_be_saved(server):
    draw(server, b"the page before")
    shown, _ = draw(server, b"half a page")
    server.media_file_mgr.clear_session_refs("mine")  # it begins once more
    browser.keep_offers()
    for _ in range(3):
        server.media_file_mgr.remove_orphaned_files()
    assert fetched(server, shown) == b"half a page"


def test_nothing_is_left_of_a_session_that_is_freed(server):
    ready, waiting = draw(server)
    made = server.media_file_mgr.execute_deferred(waiting)
    record = UploadedFileRec(file_id="f", name="f.csv", type="text/csv", data=b"x")
    server.uploaded_file_mgr.add_file("mine", record)
    browser.free_session("mine")
    assert [fetched(server, each) for each in (ready, made)] == [None, None]
    assert not server.media_file_mgr._storage._files_by_id
    assert not server.uploaded_file_mgr.get_files("mine", ["f"])
    with pytest.raises(MediaFileStorageError):
        server.media_file_mgr.execute_deferred(waiting)


def test_what_was_being_made_while_all_was_removed_is_not_offered(server):
    media = server.media_file_mgr

    def make():
        browser.free_session("mine")
        return "made"

    waiting = media.add_deferred(
        browser.offered_at_click(make, "text/csv", "b.csv"), "text/csv", "b", "b.csv"
    )
    assert fetched(server, media.execute_deferred(waiting)) is None


def test_a_page_that_is_forgotten_offers_nothing(server):
    ready, _ = draw(server)
    server.registry.leave(browser=browser_key(b"mine" * 4), who="")
    assert fetched(server, ready) is None


def test_a_page_whose_connection_broke_can_save_what_it_has(server, monkeypatch):
    ready, waiting = draw(server)
    server.media_file_mgr.clear_session_refs("mine")
    other = SimpleNamespace(session_id="other")
    for gone in (False, True):
        if gone:
            del server.known["mine"]
        monkeypatch.setattr(browser, "get_script_run_ctx", lambda: other)
        browser.keep_offers()  # as another session draws its page
        for _ in range(3):
            server.media_file_mgr.remove_orphaned_files()
        if gone:
            assert fetched(server, ready) is None
            with pytest.raises(MediaFileStorageError):
                server.media_file_mgr.execute_deferred(waiting)
        else:
            made = server.media_file_mgr.execute_deferred(waiting)
            assert [fetched(server, each) for each in (ready, made)] == [b"ready", b"made"]
