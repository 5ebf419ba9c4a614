"""Find a session again after a reload, by its secret token.

A token works only for its browser, while nobody else is connected or its person asks to continue
here. Nothing lists sessions or tokens.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import math
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from alc_core.dashboard.state.app_state import AppState
from alc_core.runtime.machine import give_back

logger = logging.getLogger(__name__)

KEPT = 300.0  # Seconds a session waits for its page
KEPT_WITH_RESULTS = 7200.0  # With results, or a running campaign
_SWEEP_EVERY = 10.0
_TOKEN_BYTES = 32


@dataclass(slots=True, kw_only=True, eq=False)
class _Entry:
    state: AppState
    owner: str
    browser: bytes | None
    seen: float
    ends: float  # End of the login
    who: str = ""
    shut: bool = False  # Whether the page shows only the login


class SessionRegistry:
    """States of this process's sessions, by token hash."""

    def __init__(
        self,
        is_connected: Callable[[str], bool],
        *,
        free: Callable[[str], object] = bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._is_connected = is_connected
        self._free = free
        self._clock = clock
        self._entries: dict[bytes, _Entry] = {}
        self._lock = threading.Lock()
        self._sweeper: threading.Thread | None = None

    def held(self, who: str) -> int:
        """Return a person's number of sessions."""
        with self._lock:
            return sum(entry.who == who for entry in self._entries.values())

    def who(self, session: str) -> str:
        """Return a session's person; empty without logins."""
        entry = self._of(session)
        return "" if entry is None else entry.who

    def is_of(self, session: str, *, browser: bytes | None, who: str | None) -> bool:
        """Return whether a session belongs to a browser, and any person.

        Not if its login has ended.
        """
        entry = self._of(session)
        if entry is None or self._clock() >= entry.ends or who not in (None, entry.who):
            return False
        return _same(entry.browser, browser)

    def has_ended(self, session: str) -> bool:
        """Return whether a session's login ended unseen by its page."""
        entry = self._of(session)
        return entry is not None and not entry.shut and self._clock() >= entry.ends

    def shut(self, session: str) -> None:
        """Note that a session's page shows only the login."""
        if (entry := self._of(session)) is not None:
            entry.shut = True

    def leave(self, *, browser: bytes | None, who: str) -> list[str]:
        """Free a person's states in a browser; return their sessions."""
        with self._lock:
            left = {
                key: entry for key, entry in self._entries.items()
                if entry.who == who and _same(entry.browser, browser)
            }  # fmt: skip
            for key in left:
                del self._entries[key]
        for entry in left.values():
            entry.state.clear()
        return [entry.owner for entry in left.values()]

    def state_of(self, session: str) -> AppState | None:
        """Return a session's state."""
        entry = self._of(session)
        return None if entry is None else entry.state

    def _of(self, session: str) -> _Entry | None:
        with self._lock:
            return next((e for e in self._entries.values() if e.owner == session), None)

    def __len__(self) -> int:
        return len(self._entries)

    def add(
        self,
        state: AppState,
        *,
        session: str,
        browser: bytes | None,
        who: str = "",
        lasts: float = math.inf,
    ) -> str:
        """Keep a session's state, person and login duration."""
        token, now = secrets.token_urlsafe(_TOKEN_BYTES), self._clock()
        with self._lock:
            self._entries[_hashed(token)] = _Entry(
                state=state, owner=session, browser=browser, seen=now, ends=now + lasts, who=who
            )
            if self._sweeper is None:
                self._sweeper = threading.Thread(
                    target=self._sweep_on, name="alc-sessions", daemon=True
                )
                self._sweeper.start()
        return token

    def owns(self, token: str, *, session: str) -> bool:
        """Return whether a session has a token's state, and note that it lives."""
        with self._lock:
            entry = self._entries.get(_hashed(token))
            if entry is None or entry.owner != session:
                return False
            entry.seen = self._clock()
            return True

    def take_over(
        self,
        token: str,
        *,
        session: str,
        browser: bytes | None,
        who: str = "",
        lasts: float = math.inf,
        patience: float = 0.0,
        asked: bool = False,
    ) -> AppState | None:
        """Hand a state to another session of its browser.

        Its page must be gone, or its person must ask.
        """
        deadline = self._clock() + patience
        while True:
            with self._lock:
                entry = self._entries.get(_hashed(token))
                if entry is None or entry.who != who or not _same(entry.browser, browser):
                    return None
                if asked or not self._is_connected(entry.owner):
                    entry.owner, entry.seen = session, self._clock()
                    entry.ends, entry.shut = entry.seen + lasts, False
                    return entry.state
            if self._clock() >= deadline:
                return None
            time.sleep(0.1)

    def holds(
        self, token: str, *, browser: bytes | None, who: str = "", **_visitor: object
    ) -> bool:
        """Return whether a token has a state of this browser and person."""
        with self._lock:
            entry = self._entries.get(_hashed(token))
            return entry is not None and entry.who == who and _same(entry.browser, browser)

    def remove(self, token: str) -> None:
        """Forget a token, but not its state."""
        with self._lock:
            self._entries.pop(_hashed(token), None)

    def sweep(self) -> int:
        """Free abandoned states; return how many remain.

        Ended logins count as closed pages.
        """
        now = self._clock()
        gone: list[str] = []
        with self._lock:
            for key, entry in list(self._entries.items()):
                run = entry.state.campaign_run
                runs = run is not None and run.job.running
                if self._is_connected(entry.owner) and now < entry.ends:
                    entry.seen = now
                    entry.state.heartbeat()
                # An ended run stays until collected
                has_results = run is not None or entry.state.campaign is not None
                kept = KEPT_WITH_RESULTS if has_results else KEPT
                if not runs and now - entry.seen > kept:
                    del self._entries[key]
                    entry.state.clear()
                    gone.append(entry.owner)
            left = len(self._entries)
        for owner in gone:
            self._free(owner)
        if gone:
            give_back()
        return left

    def _sweep_on(self) -> None:
        while True:
            time.sleep(_SWEEP_EVERY)
            try:
                left = self.sweep()
            except Exception as error:  # noqa: BLE001 - the next round must come, whatever it is
                logger.error("Freeing a session failed: %s", type(error).__name__)
                continue
            with self._lock:
                if not left and not self._entries:
                    self._sweeper = None
                    return


def browser_key(secret: bytes | None) -> bytes | None:
    """Return a browser's identity, without its secret."""
    return hashlib.sha256(secret).digest() if secret else None


def _hashed(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _same(one: bytes | None, other: bytes | None) -> bool:
    return one is not None and other is not None and hmac.compare_digest(one, other)
