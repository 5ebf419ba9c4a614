"""One run of a campaign at a time, across threads and processes."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from alc_core.campaign.file.file_errors import CampaignFileError, file_errors, primary_code

_held: set[Path] = set()
_guard = threading.Lock()


@contextmanager
def run_lock(path: Path | str) -> Iterator[None]:
    """Keep every other thread and process from running the same campaign.

    The operating system lets go of the lock when the process ends, however it ends.

    Parameters
    ----------
    path : Path or str
        The campaign's file. While it is locked, an empty file with ``-run`` after its name lies
        beside it.

    Raises
    ------
    CampaignFileError
        If the campaign is being run already, or nothing can be written beside its file.

    Notes
    -----
    The lock is SQLite's own, on a database that stays empty: it works alike on every system, and
    Python's standard library has no other such lock.
    """
    place = Path(path)
    file = place.resolve()
    mark = file.with_name(f"{file.name}-run")
    with _guard:
        if mark in _held:
            raise _running(place)
        _held.add(mark)
    try:
        connection = _locked(place, mark)
        try:
            yield
        finally:
            _let_go(connection, mark)
    finally:
        with _guard:
            _held.discard(mark)


def _locked(path: Path, mark: Path) -> sqlite3.Connection:
    """Lock the file at `mark`; not one that its last owner has just taken away from there."""
    while True:
        with file_errors(mark):
            before = _identity(mark)
            connection = sqlite3.connect(
                mark, timeout=0, isolation_level=None, check_same_thread=False
            )
            try:
                connection.execute("BEGIN EXCLUSIVE")
                if before is not None and before == _identity(mark):
                    return connection
            except sqlite3.Error as error:
                connection.close()
                if primary_code(error) == sqlite3.SQLITE_BUSY:
                    raise _running(path) from None
                raise
            connection.close()


def _let_go(connection: sqlite3.Connection, mark: Path) -> None:
    with suppress(OSError):
        mark.unlink()  # still locked: whoever opened it meanwhile sees that it is gone
    connection.close()
    if os.name == "nt":  # where no open file can be removed
        with suppress(OSError):
            mark.unlink()


def _identity(mark: Path) -> tuple[int, int] | None:
    try:
        status = mark.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _running(path: Path) -> CampaignFileError:
    return CampaignFileError(
        f"The campaign in '{path}' is being run by another process or in another window. Wait "
        "until it is done, or stop it there."
    )
