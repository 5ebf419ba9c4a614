"""What Streamlit knows of the browser: its session, its page, whether it is connected, its secret.

The only place that uses these parts of Streamlit, some of which are not public.
"""

from __future__ import annotations

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

_COOKIE = "_streamlit_xsrf"


def session_id() -> str:
    """Return the id of the session that runs now, which no browser gets to see."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def page_id() -> str:
    """Return what Streamlit tells pages apart by."""
    context = get_script_run_ctx()
    return "" if context is None else context.page_script_hash


def is_connected(session: str) -> bool:
    """Return whether a page is connected to a session."""
    return bool(runtime.exists() and runtime.get_instance().is_active_session(session))


def browser_secret() -> bytes | None:
    """Return a secret that the browser holds as a cookie until it is closed, or None.

    It is what Streamlit protects uploads with. The cookie's text changes with every request, as
    the secret is masked anew.
    """
    try:
        from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string

        secret, _ = decode_xsrf_token_string(st.context.cookies[_COOKIE])
    except (ImportError, KeyError, TypeError, ValueError):
        return None
    return secret
