"""The audit log: one JSON line per action, each with the previous line's hash.

It holds people, actions, times, names and sizes of files.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from alc_core.errors import InputError
from alc_core.runtime.files import check_file

_FIRST = "0" * 64
# Size at which a log file is set aside, named by its last line's time
MOST_BYTES = 64 * 2**20


class AuditLog:
    """An append-only file.

    A line is written whole, or raises: nothing happens unlogged.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        check_file(path)
        with self._lock:
            _cut_off(path)
            self._last = _last_hash(path)
            self._write(b"")  # fails now if not writable

    def record(self, what: str, who: str = "", **facts: Any) -> None:
        """Append a line, or raise :class:`InputError`."""
        with self._lock:
            line = {"at": _now(), "who": who, "what": what, **facts, "before": self._last}
            line["hash"] = _hashed(line)
            self._write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
            self._last = line["hash"]

    def _write(self, line: bytes) -> None:
        try:
            if self._path.exists() and self._path.stat().st_size + len(line) > MOST_BYTES:
                aside = f"{self._path.stem}-{_now('microseconds')}{self._path.suffix}"
                aside = aside.replace(":", "")  # Two in a millisecond have different names
                self._path.rename(self._path.with_name(aside))
            place = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
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
            raise InputError(
                f"The audit log '{self._path}' cannot be written ({error.strerror}). "
                "Nothing was changed."
            ) from None


def verify(paths: Iterable[Path]) -> tuple[int, str]:
    """Return the number of lines and the last hash of an unchanged log.

    Only that hash shows lines removed at the end. Files are given oldest first.
    """
    lines, last = 0, _FIRST
    for path in paths:
        check_file(path)
        try:
            texts = _lines(path)
        except (OSError, UnicodeDecodeError):
            raise InputError(f"The audit log '{path}' cannot be read.") from None
        for number, text in enumerate(texts, 1):
            line = _parsed(text)
            told = line.pop("hash", None)
            if line.get("before") != last or told != _hashed(line):
                raise InputError(
                    f"'{path}', line {number}: this line or the one before was changed, or "
                    "lines are missing."
                )
            lines, last = lines + 1, str(told)
    return lines, last


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


def _hashed(line: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(line, sort_keys=True).encode()).hexdigest()


def _now(timespec: str = "milliseconds") -> str:
    return datetime.now(UTC).isoformat(timespec=timespec)
