"""A team server's users: logins, and log.

On one's own machine there is neither.
"""

from __future__ import annotations

import atexit
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
from starlette.datastructures import Headers
from streamlit.runtime.uploaded_file_manager import UploadedFile

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.browser import LOGIN_COOKIE, free_uploads
from alc_core.dashboard.state.jobs import log_place
from alc_core.errors import InputError
from alc_core.phrasing import count
from alc_core.team.audit import AuditLog, MinuteCount
from alc_core.team.settings import JOURNAL, Login, Server, TeamSettings, is_address
from alc_core.team.shelf import Held, Shelf
from alc_core.team.turns import Turns

logger = logging.getLogger(__name__)

LOGIN = "alc_login"  # The session's login time
REFUSED = "refused"  # Address parameter of a refused login
NOT_LISTED = "not on a list"

_SKEW = 60.0  # Allowed clock difference in seconds
_CLEARED_EVERY = 3600.0


@dataclass(slots=True, eq=False)
class Team:
    """A team server's settings, log, folder, logouts and turns."""

    settings: TeamSettings | None = None
    log: AuditLog | None = None
    shelf: Shelf | None = None
    turns: Turns = field(default_factory=Turns)
    refused: int = 0
    refusals: MinuteCount = field(default_factory=MinuteCount)
    auditors: set[str] = field(default_factory=set)  # Seen so far
    left: set[tuple[str, float]] = field(default_factory=set)  # Person and ended login


TEAM = Team()  # Of this process


def begin_team(settings: TeamSettings) -> None:
    """Make the dashboard a team's."""
    server = settings.server
    TEAM.settings = settings
    place = None if server.audit_log == JOURNAL else Path(server.audit_log)
    TEAM.log = AuditLog(place) if server.audit_log else None
    atexit.register(_tell_refusals)
    TEAM.turns = Turns(server.campaigns_at_once)
    if server.shelf:
        TEAM.shelf = Shelf(Path(server.shelf), days=server.shelf_days)
        threading.Thread(target=_clear_shelf, args=(TEAM.shelf,), daemon=True).start()


def clear_shelf(shelf: Shelf) -> None:
    """Remove expired files from the team folder; locked ones next time."""
    for key, name in shelf.overdue().items():
        with suppress(InputError), closing(Held(shelf, key)) as held:
            note("shelf removal", "", id=key, name=name, why="expired")
            held.remove()


def _clear_shelf(shelf: Shelf) -> None:
    while True:
        try:
            clear_shelf(shelf)
        except Exception as error:  # noqa: BLE001 - the next round must come, whatever it is
            log_place(error)
        time.sleep(_CLEARED_EVERY)


def record(what: str, who: str | None = None, **facts: Any) -> None:
    """Log an action, by default of the page's user.

    Raises
    ------
    InputError
        If it cannot be written: the action must not be done.
    """
    if TEAM.log is not None:
        TEAM.log.record(what, person() if who is None else who, **facts)


def is_auditor() -> bool:
    """Return whether the page's user only reads the team folder."""
    return person() in TEAM.auditors


def refuse_auditors() -> None:
    """Raise if an auditor brings data, runs or changes something."""
    if is_auditor():
        refuse(person(), why="an auditor")
        raise InputError("You can only read the team folder.")


def note(what: str, who: str | None = None, **facts: Any) -> None:
    """Log what happens anyway; failures go to the program's log."""
    try:
        record(what, who, **facts)
    except InputError:
        logger.error("The audit log cannot be written and lacks: %s", what)


def take_file(upload: UploadedFile) -> tuple[str, bytes]:
    """Return an upload's name and bytes; log it, and free Streamlit's copy."""
    name, data = upload.name, upload.getvalue()
    free_uploads([upload.file_id])
    refuse_auditors()
    record("upload", name=name, bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
    return name, data


class UploadRefusal(StrEnum):
    """Why an upload was refused before it was read."""

    NO_SIZE = "size unknown"
    TOO_LARGE = "too large"
    SESSION_FULL = "too much in one session"
    NO_MEMORY = "no memory left"


def upload_refused(why: UploadRefusal, server: Server) -> str:
    """Say why an upload was refused, and what to do."""
    return {
        UploadRefusal.NO_SIZE: "Upload refused: the proxy hides the file size.",
        UploadRefusal.TOO_LARGE: (
            f"The file exceeds {count(server.upload_mb)} MB. Compress it "
            "(.gz, .zip) or remove columns."
        ),
        UploadRefusal.SESSION_FULL: (
            f"Upload refused: all files exceed {count(server.session_mb)} MB. Remove one."
        ),
        UploadRefusal.NO_MEMORY: "Upload refused: no memory. Try again later.",
    }[why]


def refuse(who: str, *, why: str, **facts: Any) -> None:
    """Log a refusal; of one kind, a line a minute with the number since the last."""
    TEAM.refused += 1
    if times := TEAM.refusals.told(why):
        note("refused", who, why=why, **facts, **({"times": times} if times > 1 else {}))


def _tell_refusals() -> None:
    for why, times in TEAM.refusals.untold().items():
        note("refused", "", why=why, times=times)


def person() -> str:
    """Return the page's user; empty without logins."""
    return "" if TEAM.settings is None else str(st.user.get("email") or "").strip().lower()


def told_by_proxy(headers: Headers) -> str | None:
    """Return the sender a proxy names, if it sends its secret, and each header once."""
    settings = TEAM.settings
    if settings is None or settings.login.by != "header":
        return None
    if appends(headers):
        return ""
    login = settings.login
    known = hmac.compare_digest(
        headers.get(login.proxy_header, "").encode(), (login.proxy_secret or "").encode()
    )
    return headers.get(login.email_header, "").strip().lower() if known else ""


def appends(headers: Headers) -> bool:
    """Return whether a proxy that names people passes on what others sent."""
    settings = TEAM.settings
    if settings is None or settings.login.by != "header":
        return False
    login = settings.login
    address = headers.get(login.email_header, "").strip()
    return bool(address and not is_address(address)) or any(
        len(headers.getlist(name)) > 1
        for name in (login.email_header, login.groups_header, login.proxy_header)
    )


def not_listed(who: str) -> str:
    """Say that a person is on no list."""
    return f"{who or 'This account'} may not use this server."


def groups_told(headers: Mapping[str, str], login: Login) -> set[str]:
    """Return the groups a proxy names."""
    return _split(headers.get(login.groups_header, ""))


def admitted() -> bool:
    """Return whether the page's user may use it; if not, draw why."""
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
    """Return why not: for the log, if logged, and in words."""
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
        words = "Clocks of the login provider and server differ."
        return "login of the future", words
    # A provider's times are valid at login; pages live longer
    late = LOGIN not in st.session_state and now > (_seconds("exp") or now) + _SKEW
    if late or login_lasts() < 0:
        return "login expired", "Your login has expired."
    if st.user.get("email_verified") is False or not login.admits(who, _groups(settings)):
        return NOT_LISTED, not_listed(who)
    return "", ""


def _since() -> float:
    return _seconds("iat") or float(st.session_state.get(LOGIN, time.time()))


def login_lasts() -> float:
    """Return the seconds left of the user's login."""
    if TEAM.settings is None:
        return math.inf
    return _since() + TEAM.settings.login.hours * 3600 - time.time()


def _not_logged_in() -> tuple[str, str]:
    if LOGIN_COOKIE in st.context.cookies:
        return "forged cookie", "This login is not valid here."
    if REFUSED in st.query_params:  # logged already
        return "", ("Logging in failed. Try again, or contact your administrator.")
    return "", "Log in to review releases."


def log_out() -> None:
    """Log out in all tabs of the browser."""
    TEAM.left.add((person(), _seconds("iat") or 0.0))
    note("logout")
    st.logout()


def logs_out() -> bool:
    """Return whether logout is here, not at a proxy."""
    return TEAM.settings is not None and TEAM.settings.login.by == "oidc"


def waits(sessions: int) -> bool:
    """Return and say whether a person has too many pages open."""
    settings = TEAM.settings
    if settings is None or sessions < settings.server.sessions_per_person:
        return False
    refuse(person(), why="too many sessions", sessions=sessions)
    st.warning(
        f"You have {count(sessions)} reviews open. Remove one, then reload.",
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
