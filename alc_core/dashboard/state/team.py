"""Who is at the page, where the server is a team's: logging in, and what is logged of it.

For one person on one machine there is no team; then nobody logs in and nothing is logged.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import math
import threading
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.browser import LOGIN_COOKIE, free_uploads
from alc_core.dashboard.state.jobs import log_place
from alc_core.errors import InputError
from alc_core.phrasing import count
from alc_core.team.audit import AuditLog
from alc_core.team.settings import Login, Server, TeamSettings
from alc_core.team.shelf import Held, Shelf
from alc_core.team.turns import Turns

logger = logging.getLogger(__name__)

LOGIN = "alc_login"  # Where the session holds when its person came
REFUSED = "refused"  # In the page's address where the provider's answer was not accepted
NOT_LISTED = "not on a list"

_SKEW = 60.0  # Seconds by which clocks may differ
_CLEARED_EVERY = 3600.0


@dataclass(slots=True, eq=False)
class Team:
    """What a server for a team keeps: settings, log, shelf, who logged out, whose turn it is."""

    settings: TeamSettings | None = None
    log: AuditLog | None = None
    shelf: Shelf | None = None
    turns: Turns = field(default_factory=Turns)
    refused: int = 0
    auditors: set[str] = field(default_factory=set)  # Of those who came
    left: set[tuple[str, float]] = field(default_factory=set)  # Who, and the login that ended


TEAM = Team()  # The one of this process


def begin_team(settings: TeamSettings) -> None:
    """Let the dashboard be a team's from now on."""
    server = settings.server
    TEAM.settings = settings
    TEAM.log = AuditLog(Path(server.audit_log)) if server.audit_log else None
    TEAM.turns = Turns(server.campaigns_at_once)
    if server.shelf:
        TEAM.shelf = Shelf(Path(server.shelf), days=server.shelf_days)
        threading.Thread(target=_clear_shelf, args=(TEAM.shelf,), daemon=True).start()


def clear_shelf(shelf: Shelf) -> None:
    """Remove what lay on the shelf for its days; what somebody changes goes at the next round."""
    for key, name in shelf.overdue().items():
        with suppress(InputError), closing(Held(shelf, key)) as held:
            note("shelf removal", "", id=key, name=name, why="its days are over")
            held.remove()


def _clear_shelf(shelf: Shelf) -> None:
    while True:
        try:
            clear_shelf(shelf)
        except Exception as error:  # noqa: BLE001 - the next round must come, whatever it is
            log_place(error)
        time.sleep(_CLEARED_EVERY)


def record(what: str, who: str | None = None, **facts: Any) -> None:
    """Log what somebody does, by default whoever is at the page.

    Raises
    ------
    InputError
        If it cannot be written; then it must not be done.
    """
    if TEAM.log is not None:
        TEAM.log.record(what, person() if who is None else who, **facts)


def is_auditor() -> bool:
    """Return whether whoever is at the page only reads what is on the shelf."""
    return person() in TEAM.auditors


def refuse_auditors() -> None:
    """Raise an error where an auditor brings data, runs or changes something."""
    if is_auditor():
        refuse(person(), why="an auditor")
        raise InputError("You can read what is on the shelf, and nothing else.")


def note(what: str, who: str | None = None, **facts: Any) -> None:
    """Log what is done in any case; the program's own log says where that cannot be."""
    try:
        record(what, who, **facts)
    except InputError:
        logger.error("The audit log cannot be written, and lacks: %s", what)


def take_file(upload: UploadedFile) -> tuple[str, bytes]:
    """Return an uploaded file's name and bytes, log that it came, and free Streamlit's copy."""
    name, data = upload.name, upload.getvalue()
    free_uploads([upload.file_id])
    refuse_auditors()
    record("upload", name=name, bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
    return name, data


class UploadRefusal(StrEnum):
    """Why an upload was refused before it was read."""

    NO_SIZE = "size not told"
    TOO_LARGE = "too large"
    SESSION_FULL = "too much in one session"
    NO_MEMORY = "no memory left"


def upload_refused(why: UploadRefusal, server: Server) -> str:
    """Say why an upload was refused, and what to do."""
    return {
        UploadRefusal.NO_SIZE: "The file was not taken: the proxy hides its size. Tell whoever "
        "runs the server.",
        UploadRefusal.TOO_LARGE: f"The file was not taken: it may have {count(server.upload_mb)} "
        "MB. Pack it (.gz, .zip), or drop columns.",
        UploadRefusal.SESSION_FULL: "The file was not taken: all files together may have "
        f"{count(server.session_mb)} MB. Remove one, then try again.",
        UploadRefusal.NO_MEMORY: "The file was not taken: the server lacks memory. Remove data, or "
        "try again later.",
    }[why]


def refuse(who: str, **facts: Any) -> None:
    """Log that somebody was refused."""
    TEAM.refused += 1
    note("refused", who, **facts)


def person() -> str:
    """Return who is at the page, as they logged in; empty where nobody logs in."""
    return "" if TEAM.settings is None else str(st.user.get("email") or "").strip().lower()


def told_by_proxy(headers: Mapping[str, str]) -> str | None:
    """Return who a proxy says sent a request; None where people log in otherwise, or not.

    Without the proxy's own secret nobody is told.
    """
    settings = TEAM.settings
    if settings is None or settings.login.by != "header":
        return None
    login = settings.login
    known = hmac.compare_digest(
        headers.get(login.proxy_header, "").encode(), (login.proxy_secret or "").encode()
    )
    return headers.get(login.email_header, "").strip().lower() if known else ""


def not_listed(who: str) -> str:
    """Say that somebody is on no list."""
    return f"{who or 'Whoever logged in'} is not on the list of this server."


def groups_told(headers: Mapping[str, str], login: Login) -> set[str]:
    """Return the groups that a proxy names."""
    return _split(headers.get(login.groups_header, ""))


def admitted() -> bool:
    """Return whether whoever is at the page may use it; if not, draw why, and the way to log in."""
    settings = TEAM.settings
    if settings is None:
        return True
    who, by_oidc = person(), settings.login.by == "oidc"
    why, words = _obstacle(settings)
    if words:
        if why:
            refuse(who, why=why)
        st.title("Anonymity loss")
        st.markdown(literal(words))
        if by_oidc and why != NOT_LISTED:
            st.button("Log in", type="primary", on_click=st.login)
        else:
            st.caption("Reload the page to try again.")
        if by_oidc and why == NOT_LISTED:
            st.button("Log out", on_click=st.logout)
        return False
    audits = settings.login.audits(who, _groups(settings))
    (TEAM.auditors.add if audits else TEAM.auditors.discard)(who)
    if LOGIN not in st.session_state:
        record("login")
        st.session_state[LOGIN] = time.time()
    return True


def _obstacle(settings: TeamSettings) -> tuple[str, str]:
    """Return why somebody may not use the page: as it is logged, if at all, and in words."""
    login, who, now = settings.login, person(), time.time()
    if login.by == "oidc":
        if not st.user.get("is_logged_in"):
            return _not_logged_in()
        told: Any = st.user.get("aud") or ()
        audience = [told] if isinstance(told, str) else told
        if settings.auth["client_id"] not in audience:
            return "login of another program", "This login is for another program."
    since = _since()
    if (who, since) in TEAM.left:
        return "", "You have logged out."
    if since > now + _SKEW:
        words = "The clocks of the provider and of this server differ. Tell whoever runs them."
        return "login of the future", words
    # What a provider says of the time is for the moment of logging in, a page lives longer.
    late = LOGIN not in st.session_state and now > (_seconds("exp") or now) + _SKEW
    if late or login_lasts() < 0:
        return "login expired", "Your login has expired."
    if st.user.get("email_verified") is False or not login.admits(who, _groups(settings)):
        return NOT_LISTED, not_listed(who)
    return "", ""


def _since() -> float:
    """Return when somebody logged in, or else was let in, and that was logged."""
    return _seconds("iat") or float(st.session_state.get(LOGIN, time.time()))


def login_lasts() -> float:
    """Return for how many seconds more the login of whoever is at the page counts."""
    if TEAM.settings is None:
        return math.inf
    return _since() + TEAM.settings.login.hours * 3600 - time.time()


def _not_logged_in() -> tuple[str, str]:
    if LOGIN_COOKIE in st.context.cookies:
        return "forged cookie", "This login does not count here."
    if REFUSED in st.query_params:  # which is logged already
        return "", (
            "Logging in did not work. Try again; if it happens again, tell whoever runs this "
            "server: its log says why."
        )
    return "", "Log in to review the privacy of releases."


def log_out() -> None:
    """Log out, in all tabs of the browser."""
    TEAM.left.add((person(), _seconds("iat") or 0.0))
    note("logout")
    st.logout()


def logs_out() -> bool:
    """Return whether logging out is done here, not at a proxy."""
    return TEAM.settings is not None and TEAM.settings.login.by == "oidc"


def waits(sessions: int) -> bool:
    """Return whether a person has too many pages open for one more, and say so."""
    settings = TEAM.settings
    if settings is None or sessions < settings.server.sessions_per_person:
        return False
    refuse(person(), why="too many sessions", sessions=sessions)
    st.warning(
        f"You have {count(sessions)} reviews open. Remove the data of one, then reload this page. "
        "A closed page makes room after 5 minutes, one with results after 2 hours.",
        icon=":material/error:",
    )
    return True


def _groups(settings: TeamSettings) -> set[str]:
    by_oidc = settings.login.by == "oidc"
    told: Any = st.user.get(settings.login.groups_claim if by_oidc else "groups") or ()
    return _split(told) if isinstance(told, str) else {str(name) for name in told}


def _split(told: str) -> set[str]:
    return {name.strip() for name in told.split(",")}


def _seconds(name: str) -> float | None:
    told = st.user.get(name)
    return float(told) if isinstance(told, int | float) else None
