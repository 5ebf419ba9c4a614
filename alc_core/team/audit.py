"""The audit log: one JSON line per action, each with the previous line's hash.

It holds people, actions, times, names and sizes of files.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import socket
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from alc_core.errors import InputError
from alc_core.runtime.files import check_file

_FIRST = "0" * 64
_START = "start"  # The first line of a chain in the journal
_JOURNAL = Path("/run/systemd/journal/socket")
_JOURNAL_NAME = b"alc-audit"  # Of our lines in it
_EVERY = 60.0  # Seconds
# Size at which a log file is set aside, named by its last line's time
MOST_BYTES = 64 * 2**20


class AuditLog:
    """An append-only file whose last hash systemd's journal has, too; or that journal alone.

    A line is written whole, or raises: nothing happens unlogged.
    """

    def __init__(self, path: Path | None) -> None:
        self._path, self._lock, self._last = path, threading.Lock(), _FIRST
        if path is None:
            self.record(_START)  # fails now if there is no journal
            return
        check_file(path)
        _lock(path)
        with self._lock:
            _cut_off(path)
            self._last = _last_hash(path)
            self._write(path, b"")  # fails now if not writable

    def record(self, what: str, who: str = "", **facts: Any) -> None:
        """Append a line, or raise :class:`InputError`."""
        with self._lock:
            line = {"at": _now(), "who": who, "what": what, **facts, "before": self._last}
            line["hash"] = _hashed(line)
            text = _written(line)
            if self._path is None:
                try:
                    _to_journal(text)
                except OSError as error:
                    raise InputError(
                        f"The systemd journal cannot be written ({error.strerror}). Nothing was "
                        "changed."
                    ) from None
            else:
                self._write(self._path, text + b"\n")
                with suppress(OSError):  # without systemd there is none
                    told = f"{self._path}: the last hash is {line['hash']}"
                    _to_journal(told.encode(errors="backslashreplace"))
            self._last = line["hash"]

    @staticmethod
    def _write(path: Path, line: bytes) -> None:
        try:
            if path.exists() and path.stat().st_size + len(line) > MOST_BYTES:
                aside = f"{path.stem}-{_now('microseconds')}{path.suffix}"
                aside = aside.replace(":", "")  # Two in a millisecond take different names
                path.rename(path.with_name(aside))
            place = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                size = os.fstat(place).st_size
                try:
                    if os.write(place, line) != len(line):
                        raise OSError(0, "the disk is full")
                    os.fsync(place)
                except OSError:
                    os.ftruncate(place, size)
                    raise
            finally:
                os.close(place)
        except OSError as error:
            raise _unwritable(path, error) from None


def verify(paths: Iterable[Path]) -> tuple[int, int, str]:
    """Return the number of lines, the number of chains and the last hash of an unchanged log.

    Only that hash shows lines removed at a chain's end, or a log written anew. In the journal each
    start begins a chain. Files are given oldest first.
    """
    lines, chains, last, of_journal = 0, 0, _FIRST, False
    for path in paths:
        check_file(path)
        try:
            texts = _lines(path)
        except (OSError, UnicodeDecodeError):
            raise InputError(f"The audit log '{path}' cannot be read.") from None
        for number, text in enumerate(texts, 1):
            line = _parsed(text)
            as_written = _written(line) == text.encode()
            told, before = line.pop("hash", None), line.get("before")
            starts = line.get("what") == _START
            of_journal |= starts and not lines
            begins = before == _FIRST and (not lines or (starts and of_journal))
            if told != _hashed(line) or not as_written or not (begins or before == last):
                raise InputError(
                    f"'{path}', line {number}: changed here or earlier, or lines are missing."
                )
            lines, chains, last = lines + 1, chains + begins, str(told)
    if not lines:
        raise InputError("The audit log is empty: never written, or all removed.")
    return lines, chains, last


def _to_journal(text: bytes) -> None:
    fields = b"MESSAGE=%b\nSYSLOG_IDENTIFIER=%b\nPRIORITY=5\n" % (text, _JOURNAL_NAME)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        out.sendto(fields, str(_JOURNAL))


class MinuteCount:
    """How often something of a kind happened since it was last told, at most once a minute."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kinds: dict[str, tuple[float, int]] = {}

    def told(self, kind: str) -> int:
        """Count one more; return the number to tell now, or 0."""
        now = time.monotonic()
        with self._lock:
            since, number = self._kinds.get(kind, (-math.inf, 0))
            is_due = now >= since + _EVERY
            self._kinds[kind] = (now, 0) if is_due else (since, number + 1)
        return number + 1 if is_due else 0

    def untold(self) -> dict[str, int]:
        """Return the numbers not told yet, by kind, and forget them."""
        with self._lock:
            left = {kind: number for kind, (_, number) in self._kinds.items() if number}
            self._kinds.clear()
        return left


def _lock(path: Path) -> None:
    """Lock a log until this process ends: two servers would break each other's chain."""
    import fcntl  # Not on Windows, where only one's own dashboard runs

    try:
        place = os.open(path.with_name(f"{path.name}.lock"), os.O_WRONLY | os.O_CREAT, 0o600)
        fcntl.lockf(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"Another server writes the audit log '{path}'. Choose another.") from None
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(
        f"The audit log '{path}' cannot be written ({error.strerror}). Nothing was changed."
    )


def _cut_off(path: Path) -> None:
    """Remove a half-written last line."""
    with suppress(OSError):
        text = path.read_bytes()
        if not text.endswith(b"\n"):
            os.truncate(path, text.rfind(b"\n") + 1)


def _last_hash(path: Path) -> str:
    """Return the hash to continue, from this file or the last one set aside."""
    aside = sorted(path.parent.glob(f"{path.stem}-*{path.suffix}"))
    for each in (path, *reversed(aside)):
        if each.is_file() and (texts := _lines(each)):
            return str(_parsed(texts[-1]).get("hash", ""))
    return _FIRST


def _lines(path: Path) -> list[str]:
    """Split at newlines only; names may hold other line ends."""
    *lines, rest = path.read_text("utf-8").split("\n")
    return [*lines, rest] if rest else lines


def _parsed(text: str) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except ValueError:
        return {}
    return line if isinstance(line, dict) else {}


def _written(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False).encode(errors="backslashreplace")


def _hashed(line: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(line, sort_keys=True).encode()).hexdigest()


def _now(timespec: str = "milliseconds") -> str:
    return datetime.now(UTC).isoformat(timespec=timespec)
