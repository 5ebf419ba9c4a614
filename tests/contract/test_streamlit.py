"""What the dashboard relies on of Streamlit beside its public names is there.

pyproject.toml bounds Streamlit's version for it. Whoever raises the bound runs these tests first:
they say which of our modules to look at. Where they pass, run the browser tests on leaving a page.
"""

import inspect
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.web.server.starlette import starlette_app_utils

ROOT = Path(__file__).parents[2]
LATE = "alc_core/dashboard/state/late_requests.py"
BROWSER = "alc_core/dashboard/state/browser.py"
LAUNCH = "alc_core/dashboard/app/launch.py"


def changed(what, module):
    return f"Streamlit {version('streamlit')} changed {what}, which {module} relies on."


def test_the_version_is_bounded():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (bound,) = (
        need for need in map(Requirement, project["project"]["dependencies"])
        if need.name == "streamlit"
    )  # fmt: skip
    assert any(each.operator == "<" for each in bound.specifier), LATE
    assert bound.specifier.contains(version("streamlit"))


CALLED = {
    "a script's run": (ScriptRunner._run_script, ["self", "rerun_data"], LATE),
    "a request to run": (AppSession.request_rerun, ["self", "client_state"], LATE),
    "the message of a new run": (
        AppSession._create_new_session_message, ["self", "page_script_hash"], LATE
    ),
    "the pages": (PagesManager.get_pages, ["self"], LATE),
    "writing to a place of the page": (context_dg_stack.set, ["value"], LATE),
    "the place of a page's first words": (get_default_dg_stack_value, [], LATE),
    "taking back what was not sent": (
        AppSession._clear_queue, ["self", "fragment_ids_this_run"], LATE
    ),
    "sending a message": (ForwardMsgQueue.enqueue, ["self", "msg"], LATE),
    "keeping a file to save": (
        MemoryMediaFileStorage.load_and_get_id,
        ["self", "path_or_data", "mimetype", "kind", "filename"],
        BROWSER,
    ),
    "forgetting what a page offered": (
        MediaFileManager.clear_session_refs, ["self", "session_id"], BROWSER
    ),
    "freeing files to save": (MediaFileManager.remove_orphaned_files, ["self"], BROWSER),
    "freeing an upload": (
        MemoryUploadedFileManager.remove_file, ["self", "session_id", "file_id"], BROWSER
    ),
    "freeing a session's uploads": (
        MemoryUploadedFileManager.remove_session_files, ["self", "session_id"], BROWSER
    ),
    "whether a page is connected": (Runtime.is_active_session, ["self", "session_id"], BROWSER),
    "whose session it is": (Runtime.get_client, ["self", "session_id"], BROWSER),
    "an open session": (
        WebsocketSessionManager.get_active_session_info, ["self", "session_id"], BROWSER
    ),
    "a session that may come back": (
        WebsocketSessionManager.get_session_info, ["self", "session_id"], BROWSER
    ),
    "ending a session": (Runtime.close_session, ["self", "session_id"], BROWSER),
    "its event loop": (Runtime._get_async_objs, ["self"], BROWSER),
    "shutting a session down": (AppSession.shutdown, ["self"], BROWSER),
    "keeping sessions": (MemorySessionStorage.get, ["self", "session_id"], BROWSER),
    "forgetting parts of pages": (MemoryFragmentStorage.clear, ["self"], BROWSER),
    "the secret of a cookie": (
        starlette_app_utils.decode_xsrf_token_string, ["cookie_value"], BROWSER
    ),
}  # fmt: skip


@pytest.mark.parametrize(("call", "names", "module"), CALLED.values(), ids=CALLED)
def test_calls_take_what_they_are_given(call, names, module):
    found = list(inspect.signature(call).parameters)
    assert found[: len(names)] == names, changed(call.__qualname__, module)


HELD = {
    "a request": (ClientState(), ["page_script_hash", "is_auto_rerun", "fragment_id"], LATE),
    "where pages are": (PagesManager, ["uses_pages_directory"], LAUNCH),
    "what is not sent yet": (ForwardMsgQueue(), ["_queue"], LATE),
    "a message": (ForwardMsg(), ["file_urls_response", "backend_operation_response"], LATE),
    "a run": (RerunData(), ["page_script_hash", "fragment_id_queue"], LATE),
    "what is offered": (
        MediaFileManager(MemoryMediaFileStorage("/media")),
        ["_files_by_session_and_coord", "_lock", "_storage"],
        BROWSER,
    ),
    "kept sessions": (MemorySessionStorage(), ["_cache"], BROWSER),
    "the cache of kept sessions": (MemorySessionStorage()._cache, ["expire"], BROWSER),
}


@pytest.mark.parametrize(("owner", "names", "module"), HELD.values(), ids=HELD)
def test_things_hold_what_is_asked_of_them(owner, names, module):
    missing = [name for name in names if not hasattr(owner, name)]
    assert not missing, changed(f"{type(owner).__name__}.{missing}", module)


WRITTEN = {
    "the page that is shown": (PagesManager, ["current_page_script_hash"], LATE),
    "the pages of a session": (
        AppSession, ["_pages_manager", "_fragment_storage", "_browser_queue"], LATE
    ),
    "what a session's page holds": (AppSession, ["_client_state"], BROWSER),
    "the pages of a run": (ScriptRunner, ["_pages_manager"], LATE),
    "a run's context": (
        ScriptRunContext,
        ["session_id", "page_script_hash", "pages_manager", "fragment_ids_this_run",
         "uploaded_file_mgr"],
        BROWSER,
    ),
    "the server": (Runtime, ["_session_mgr", "media_file_mgr", "uploaded_file_mgr"], BROWSER),
    "the sessions": (WebsocketSessionManager, ["_session_storage"], BROWSER),
}  # fmt: skip


@pytest.mark.parametrize(("owner", "names", "module"), WRITTEN.values(), ids=WRITTEN)
def test_names_that_are_set_at_run_time_are_still_used(owner, names, module):
    source = inspect.getsource(owner)
    missing = [name for name in names if name not in source]
    assert not missing, changed(f"{owner.__name__}.{missing}", module)


def test_a_session_runs_its_pages_by_the_methods_that_are_replaced():
    told = inspect.getsource(AppSession) + inspect.getsource(ScriptRunner)
    for name in ("request_rerun", "_create_new_session_message", "_run_script", "_clear_queue"):
        assert f".{name}(" in told, changed(name, LATE)
