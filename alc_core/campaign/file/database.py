"""A campaign's open file for many threads: one at a time, atomic changes."""

from __future__ import annotations

import os
import secrets
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from alc_core.campaign.file.file_errors import (
    CampaignFileError,
    damaged,
    file_errors,
    primary_code,
    refuse_missing_folder,
)
from alc_core.campaign.file.schema import (
    APPLICATION_ID,
    FORMAT_VERSION,
    create_tables,
)
from alc_core.campaign.file.seals import Damage, damage_words, found_damage, remove_damaged
from alc_core.runtime.files import check_file

# Longest value in bytes, and text in characters: far more than any result has
_LONGEST, _LONGEST_TEXT = 2**28, 2**24

_HELD_AS = {"INTEGER": "integer", "REAL": "real", "TEXT": "text", "BLOB": "blob"}
# Time limit of the checks at opening, and how often SQLite asks
_SECONDS, _SECONDS_PER_MIB, _STEPS = 5.0, 1.0, 10_000
# Leaves file and folder unchanged; nobody may write meanwhile
READ_ONLY = "mode=ro&immutable=1"
BUSY_SECONDS = 20.0  # To wait for another writer


def create_file(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Create a campaign's file, private to its owner from the first byte."""
    taken = CampaignFileError(f"'{path}' already exists. Continue it, or choose another name.")
    with file_errors(path):
        if path.is_symlink() or path.exists():
            raise taken
        refuse_missing_folder(path)
        fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
        try:
            os.close(_make_private(fresh))
            with closing(connect(fresh)) as connection:
                _write_first(connection, fill)
            try:
                os.close(_make_private(path))  # Now nobody else can take the name
            except FileExistsError:
                raise taken from None
            try:
                fresh.replace(path)
            except OSError:
                path.unlink()
                raise
        finally:
            for leftover in (fresh, fresh.with_name(f"{fresh.name}-journal")):
                leftover.unlink(missing_ok=True)


def connect(path: Path, *, options: str = "mode=rw") -> sqlite3.Connection:
    """Connect to an existing file, with explicit transactions."""
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?{options}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        # FULL: commits survive a power cut; an attack costs more than one sync
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        # Foreign files: no code in the schema, no endless values
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        # Sorted data must not reach temporary files
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def open_file(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Connect to a campaign's file after checking it."""
    with file_errors(path):
        if not path.exists():
            raise CampaignFileError(f"'{path}' does not exist. Check the path.")
        check_file(path, error=CampaignFileError)
        connection = _connected(path, read_only=read_only)
        try:
            _check_version(path, connection)
            with _deadline(path, connection):
                _check_tables(path, connection)
                _check_types(path, connection)
        except (CampaignFileError, sqlite3.Error):
            connection.close()
            raise
    return connection


def _make_private(path: Path) -> int:
    return os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)


def _write_first(
    connection: sqlite3.Connection, fill: Callable[[sqlite3.Connection], None]
) -> None:
    connection.execute("BEGIN IMMEDIATE")
    create_tables(connection)
    fill(connection)
    connection.execute("COMMIT")
    # Persistent: the write-ahead log lets readers work beside a writer
    connection.execute("PRAGMA journal_mode = WAL")


def _connected(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """Connect and check; read only if the write-ahead log cannot be set up."""
    try:
        connection = connect(path, options=READ_ONLY if read_only else "mode=rw")
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error:
            connection.close()
            raise
    except sqlite3.Error as error:
        unwritable = primary_code(error) in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
        log = path.resolve().with_name(f"{path.resolve().name}-wal")
        if read_only or not unwritable or (log.exists() and log.stat().st_size > 0):
            raise
        return _connected(path, read_only=True)
    return connection


def _check_version(path: Path, connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise CampaignFileError(f"'{path}' is empty or from another program. Choose a review file.")
    if version != FORMAT_VERSION:
        raise CampaignFileError(
            f"'{path}' has format {version}, not {FORMAT_VERSION}. Open it with the version that "
            "wrote it."
        )


@contextmanager
def _deadline(path: Path, connection: sqlite3.Connection) -> Iterator[None]:
    """Interrupt SQLite if the ``with`` block takes too long for the file's size."""
    most = _SECONDS + _SECONDS_PER_MIB * path.stat().st_size / 2**20
    over = time.monotonic() + most
    connection.set_progress_handler(lambda: time.monotonic() > over, _STEPS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if primary_code(error) != sqlite3.SQLITE_INTERRUPT:
            raise
        raise CampaignFileError(
            f"'{path}' takes more than {most:.0f} s. Ask for a new copy."
        ) from None
    finally:
        connection.set_progress_handler(None, 0)


@cache
def _columns() -> dict[tuple[str, str], tuple[str, bool]]:
    with closing(sqlite3.connect(":memory:")) as fresh:
        create_tables(fresh)
        rows = fresh.execute(_SELECT_COLUMNS).fetchall()
    return {(table, name): (kind, bool(filled)) for table, name, kind, filled in rows}


_SELECT_COLUMNS = (
    'SELECT tables.name, columns.name, columns.type, columns."notnull" FROM sqlite_master '
    "AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' "
    "AND tables.name != 'sqlite_sequence'"
)


def _check_tables(path: Path, connection: sqlite3.Connection) -> None:
    """Refuse what no campaign has, and what would compute on reading."""
    found = connection.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type != 'table' "
        "UNION SELECT name FROM sqlite_master WHERE type IN ('view', 'trigger') "
        "UNION SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL "
        "UNION SELECT each.name FROM pragma_table_list AS each, pragma_table_xinfo(each.name) "
        "AS column WHERE each.schema = 'main' AND column.hidden > 0"
    ).fetchall()
    strange = {str(name) for (name,) in found}
    there = {(t, n): (k, bool(f)) for t, n, k, f in connection.execute(_SELECT_COLUMNS)}
    known = _columns()
    strange |= {table for (table, name), held in there.items() if held != known.get((table, name))}
    strange |= {table for table, _ in known} - {table for table, _ in there}
    if strange:
        raise CampaignFileError(
            f"'{path}' is not a valid review file (bad part: {min(strange)!r}). Ask for a new copy."
        )


def _check_types(path: Path, connection: sqlite3.Connection) -> None:
    """Refuse values of other types than their columns', and endless texts."""
    columns = connection.execute(_SELECT_COLUMNS).fetchall()
    for table, of_table in groupby(columns, key=itemgetter(0)):
        wrong = " OR ".join(
            f"typeof({name}) NOT IN ('{_HELD_AS[kind]}', '{_HELD_AS[kind] if filled else 'null'}')"
            + (f" OR length({name}) > {_LONGEST_TEXT}" if kind == "TEXT" else "")
            for _, name, kind, filled in of_table
        )
        if connection.execute(f"SELECT 1 FROM {table} WHERE {wrong} LIMIT 1").fetchall():  # noqa: S608
            raise damaged(path, f"a value of its part '{table}'")


def saved_campaign(path: Path) -> bytes:
    """Return a campaign's complete file, even during a run."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        copy = Path(folder) / path.name
        with (
            closing(connect(path, options="mode=ro")) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
        return copy.read_bytes()


class CampaignDatabase:
    """An open campaign file; SQLite's errors become :class:`CampaignFileError`.

    Attributes
    ----------
    path : Path
        The file.
    read_only : bool
        Whether it was opened to be read.
    damage : tuple of Damage
        Damaged records, which reading skips.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path, self.read_only = path, read_only
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = open_file(path, read_only=read_only)
        try:
            with file_errors(path):
                self.damage = self._leave_out_damage(self._connection)
        except BaseException:
            self._connection.close()
            raise

    def _select(self, query: str, *values: object) -> list[Any]:
        with self._lock, file_errors(self.path):
            return self._open_connection().execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, file_errors(self.path):
            connection = self._open_connection()
            self.check_writable()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # SQLite may have rolled back by itself
                    connection.execute("ROLLBACK")
                raise

    def check_writable(self) -> None:
        """Raise an error where nothing can be changed."""
        if self.read_only:
            raise CampaignFileError("This review is read-only. Nothing was changed.")
        if self.damage:
            raise CampaignFileError(f"'{self.path}' is damaged. To continue, use an earlier copy.")

    def close(self) -> None:
        """Move everything into the one file, and release it.

        Without other users, the file is then complete and can be copied.
        """
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is None:
                return
            with suppress(sqlite3.Error):  # Read only, or in use
                connection.execute("PRAGMA busy_timeout = 1000")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            connection.close()

    def check_whole(self) -> None:
        """Refuse a damaged file, for a verdict on all of it."""
        if self.damage:
            raise CampaignFileError(f"'{self.path}': {damage_words(self.damage)}")

    def _leave_out_damage(self, connection: sqlite3.Connection) -> tuple[Damage, ...]:
        """Continue with a copy in memory without damaged records, if any."""
        connection.execute("BEGIN")
        try:
            found = found_damage(connection)
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
