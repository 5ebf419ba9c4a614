import gzip
from threading import Event, Thread
from types import SimpleNamespace

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from alc_core.dashboard.state import browser
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work import uploads
from alc_core.tables.read import table_from_frame


@pytest.fixture
def manager(monkeypatch):
    manager = MemoryUploadedFileManager("/upload")
    for session, file in (("mine", "a"), ("mine", "b"), ("other", "c")):
        record = UploadedFileRec(file_id=file, name=file, type="text/csv", data=b"x" * 10)
        manager.add_file(session, record)
    context = SimpleNamespace(uploaded_file_mgr=manager, session_id="mine")
    monkeypatch.setattr(browser, "get_script_run_ctx", lambda: context)
    return manager


def held(manager, session):
    return [record.file_id for record in manager.get_files(session, ["a", "b", "c"])]


def test_bytes_of_named_uploads_are_freed(manager):
    browser.free_uploads(["a"])
    assert held(manager, "mine") == ["b"]
    assert held(manager, "other") == ["c"]


def test_what_was_not_taken_counts_for_its_session(manager, monkeypatch):
    monkeypatch.setattr(browser.runtime, "exists", lambda: True)
    server = SimpleNamespace(uploaded_file_mgr=manager)
    monkeypatch.setattr(browser.runtime, "get_instance", lambda: server)
    found = [browser.uploaded_bytes(session) for session in ("mine", "other", "strange")]
    assert found == [20, 10, 0]


def test_outside_of_a_session_there_is_nothing_to_free(monkeypatch):
    monkeypatch.setattr(browser, "get_script_run_ctx", lambda: None)
    browser.free_uploads(["a"])


def test_a_large_file_does_not_replace_a_small_one_that_came_after_it(monkeypatch, people):
    reads, goes_on, state = Event(), Event(), AppState()

    def read(data, *, name, **_):
        if name == "large":
            reads.set()
            assert goes_on.wait(60)
        return table_from_frame(people(20), name=name)

    monkeypatch.setattr(uploads, "take_file", lambda upload: (upload, b"x"))
    monkeypatch.setattr(uploads, "read_table", read)
    large, small = (
        Thread(target=uploads.take_uploads, args=(state, "original", [name]))
        for name in ("large", "small")
    )
    large.start()
    assert reads.wait(60)
    small.start()  # Streamlit draws the page anew in another thread at once
    small.join(1)
    goes_on.set()
    for each in (large, small):
        each.join(60)
    assert state.original.read.name == "small"


def test_a_release_of_the_same_file_name_comes_beside_the_first(monkeypatch, people):
    monkeypatch.setattr(uploads, "take_file", lambda upload: upload)
    first, second = (people(20, seed=n).to_csv(index=False).encode() for n in range(2))
    state = AppState()
    for data in (first, second, first):
        uploads.take_uploads(state, "release", [("candidate.csv.gz", gzip.compress(data, mtime=0))])
    assert [file.read.name for file in state.release] == [
        "candidate (2).csv.gz", "candidate.csv.gz",
    ]  # fmt: skip
    assert not state.failed
