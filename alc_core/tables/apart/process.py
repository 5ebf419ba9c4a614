"""Starting, keeping warm and ending the reading process."""

from __future__ import annotations

import atexit
import contextlib
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import psutil

from alc_core.tables.apart import child
from alc_core.tables.apart.child import needed_environment
from alc_core.tables.apart.wire import BROKEN, receive_word, send_word

# Receives seconds spent reading, and allowed
Waiting = Callable[[float, float], None]
_TICK = 1.0
_START = "import sys; sys.path[:] = {path!r}; from alc_core.tables.apart.child import main; main()"

_lock = threading.Lock()


class Forked:
    """A fork of this otherwise idle process."""

    def __init__(self, request: dict[str, Any], data: bytes | None) -> None:
        reading, writing = os.pipe()
        # Idle threads of numerical libraries count as threads
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
            self._pid = os.fork()
        if not self._pid:
            child.answer_in_fork(request, data, writing)
        os.close(writing)
        self.output: BinaryIO = os.fdopen(reading, "rb")
        self._status: int | None = None

    def give(self) -> None:
        """Do nothing: a fork has the file."""

    def kill(self) -> None:
        """End it at once."""
        if self._status is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)

    def status(self) -> int:
        """Wait for its end; negative is a signal."""
        self.output.close()
        if self._status is None:
            self._status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        return self._status

    def done(self) -> None:
        """Wait for its end."""
        self.status()


class Host:
    """A process that waits for requests; see :mod:`alc_core.tables.apart.child`."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", _START.format(path=[str(Path(p).absolute()) for p in sys.path])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=needed_environment(),
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise OSError("no pipes")
        self._input: BinaryIO = self._process.stdin  # type: ignore[assignment]
        self.output: BinaryIO = self._process.stdout  # type: ignore[assignment]
        self._data: bytes | None = None

    @property
    def alive(self) -> bool:
        """Whether it waits for requests of this process."""
        return self.owner == os.getpid() and self._process.poll() is None

    def ask(self, request: dict[str, Any], data: bytes | None) -> None:
        """Send a request; a dead process will not answer."""
        self._data = data
        with contextlib.suppress(OSError):
            send_word(self._input, request)

    def give(self) -> None:
        """Send a file that has no path."""
        data, self._data = self._data, None
        if data is not None:
            with contextlib.suppress(OSError):
                self._input.write(data)
                self._input.flush()

    def kill(self) -> None:
        """End it and its forks at once."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def status(self) -> int:
        """Wait for its end by closing the pipes; negative is a signal."""
        for stream in (self._input, self.output):
            with contextlib.suppress(OSError):
                stream.close()
        code = self._process.wait()
        return 128 - code if 128 < code < 192 else code

    def done(self) -> None:
        """Keep it for the next file, or end it if it reads only one."""
        token = {child.TOKEN: secrets.token_hex()}
        try:
            if child.FORKS:
                send_word(self._input, token)
            whole = not child.FORKS or receive_word(self.output) == token
        except BROKEN:
            whole = False
        _keep(self) if whole else _end(self)


Reader = Forked | Host  # A process that reads one file
_idle: list[Host] = []


def start(request: dict[str, Any], data: bytes | None) -> Reader:
    """Start reading a file in the cheapest way."""
    if child.FORKS and threading.active_count() == 1:
        return Forked(request, data)
    host = _take()
    host.ask(request, data)
    return host


def warm_up() -> None:
    """Start a process for the next file, unless one waits already."""
    with _lock:
        if not any(host.alive for host in _idle):
            _idle.append(Host())


class Watch:
    """Ends a reader after so many seconds of processor time, and measures it."""

    def __init__(self, reader: Reader, pid: int, seconds: float, waiting: Waiting | None) -> None:
        self._reader, self._pid = reader, pid
        self._seconds, self._waiting = seconds, waiting
        self._over = threading.Event()
        self.too_late = False
        self._thread = threading.Thread(target=self._run, name="alc-read", daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        started = time.monotonic()
        spent = 0.0
        while not self._over.wait(min(_TICK, max(self._seconds - spent, 0.001))):
            spent = max(_processor_seconds(self._pid), (time.monotonic() - started) / child.BUSY)
            if spent >= self._seconds:
                self.too_late = True
                self._reader.kill()
                return
            if self._waiting is not None:
                self._waiting(spent, self._seconds)


def _processor_seconds(pid: int) -> float:
    try:
        used = psutil.Process(pid).cpu_times()
    except psutil.Error:  # it has ended
        return 0.0
    return float(used.user + used.system)


def _take() -> Host:
    with _lock:
        while _idle:
            host = _idle.pop()
            if host.alive:
                return host
            _end(host)
    return Host()


def _keep(host: Host) -> None:
    with _lock:
        if not _idle and child.FORKS and host.alive:
            _idle.append(host)
            return
    _end(host)
    if not child.FORKS:
        warm_up()


def _end(host: Host) -> None:
    if host.owner == os.getpid():
        host.kill()
        host.status()


@atexit.register
def _end_all() -> None:
    with _lock:
        while _idle:
            _end(_idle.pop())
