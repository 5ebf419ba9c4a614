"""A campaign's open file for many threads: one at a time, changes all or nothing."""

from __future__ import annotations

import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from alc_core.campaign.file.file_errors import CampaignFileError, damaged, file_errors
from alc_core.campaign.file.opening import connect, open_file
from alc_core.campaign.file.schema import show_older, upgrade
from alc_core.campaign.file.seals import Damage, found_damage, remove_damaged


def saved_campaign(path: Path) -> bytes:
    """Return a campaign's file, complete in itself even while a run writes to it."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        copy = Path(folder) / path.name
        with (
            closing(connect(path, options="mode=ro")) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
        return copy.read_bytes()


class CampaignDatabase:
    """An open campaign file. Errors of SQLite come out as :class:`CampaignFileError`."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.lock = threading.RLock()
        self._connection: sqlite3.Connection | None = open_file(path, read_only=read_only)
        self._may_be_older = True
        try:
            with file_errors(path):
                self.damage = self._leave_out_damage(self._connection)
        except BaseException:
            self._connection.close()
            raise

    def select(self, query: str, *values: object) -> list[Any]:
        """Return all rows of a query as tuples."""
        with self.lock, file_errors(self.path):
            connection = self._open_connection()
            if not self._may_be_older:
                return connection.execute(query, values).fetchall()
            # One look at the file: another process may upgrade it between any two.
            connection.execute("BEGIN")
            try:
                self._may_be_older = show_older(connection)
                return connection.execute(query, values).fetchall()
            finally:
                connection.execute("COMMIT")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Make the changes in the ``with`` block one transaction, on the disk at its end."""
        with self.lock, file_errors(self.path):
            connection = self._open_connection()
            if self.damage:
                raise CampaignFileError(
                    f"'{self.path}' is damaged and can only be read. Use an earlier copy to go on."
                )
            connection.execute("BEGIN IMMEDIATE")
            try:
                if self._may_be_older:
                    upgrade(connection)
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # SQLite may have rolled back by itself
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Move the write-ahead log into the file and let go of it; once more does nothing."""
        with self.lock:
            connection, self._connection = self._connection, None
            if connection is None:
                return
            with suppress(sqlite3.Error):  # read only, or another process is reading
                connection.execute("PRAGMA busy_timeout = 1000")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            connection.close()

    def _leave_out_damage(self, connection: sqlite3.Connection) -> tuple[Damage, ...]:
        """Look for damage; where there is some, go on with a copy in memory without it."""
        connection.execute("BEGIN")
        try:
            found = () if show_older(connection) else found_damage(connection)
            if any(each.kind == "meta" for each in found):
                raise damaged(self.path, "its settings")
            if found:
                self._connection = copy = sqlite3.connect(
                    ":memory:", isolation_level=None, check_same_thread=False
                )
                connection.backup(copy)
        finally:
            connection.execute("COMMIT")
        if found:
            connection.close()
            remove_damaged(copy, found)
        return found

    def _open_connection(self) -> sqlite3.Connection:
        if self._connection is None:
            raise CampaignFileError(f"'{self.path}' is closed. Open it again.")
        return self._connection
