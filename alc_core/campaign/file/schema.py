"""The tables of a campaign's file, its formats, and the statements on them."""

from __future__ import annotations

import sqlite3

from alc_core.campaign.file.records import ResultRow
from alc_core.campaign.file.seals import SEALS, seal, seal_all

# Marks a SQLite file as a campaign ("ALCc"): visible to ``file`` and to SQLite's own tools
APPLICATION_ID = 0x414C4363
FORMAT_VERSION = 5  # Format that this version writes; it reads all up to it
_WITH_REST = 4

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE attack (
    number INTEGER PRIMARY KEY, identity BLOB NOT NULL UNIQUE, plan TEXT NOT NULL
);
CREATE TABLE result (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    number INTEGER NOT NULL UNIQUE REFERENCES attack (number),
    seconds REAL NOT NULL,
    attempts INTEGER NOT NULL,
    recall_scale REAL NOT NULL,
    unmatched INTEGER NOT NULL,
    unconverged INTEGER NOT NULL
);
CREATE TABLE curve (
    sequence INTEGER PRIMARY KEY REFERENCES result (sequence),
    checksum INTEGER NOT NULL,
    attack_predictions BLOB NOT NULL,
    attack_true_predictions BLOB NOT NULL,
    baseline_predictions BLOB NOT NULL,
    baseline_true_predictions BLOB NOT NULL
);
CREATE TABLE record (
    number INTEGER PRIMARY KEY REFERENCES attack (number), assessment BLOB NOT NULL
);
CREATE TABLE failure (
    number INTEGER PRIMARY KEY REFERENCES attack (number),
    reason TEXT NOT NULL,
    seconds REAL NOT NULL
);
"""

# Every number of every measure; within a result the readings of ALC come first
_MEASURES = """
CREATE TABLE measure (
    sequence INTEGER NOT NULL REFERENCES result (sequence),
    measure TEXT NOT NULL,
    name TEXT NOT NULL,
    value REAL,
    low REAL,
    high REAL,
    PRIMARY KEY (sequence, measure, name)
)
"""

_RESAMPLES = """
CREATE TABLE IF NOT EXISTS resample (
    sequence INTEGER PRIMARY KEY REFERENCES result (sequence),
    alc BLOB NOT NULL,
    alc_rest BLOB NOT NULL
)
"""
"""Both readings of ALC in the resamples that all attacks share.

Up to format 2 there were none, in format 3 the second reading was another one.
"""

_REST = """
CREATE TABLE IF NOT EXISTS rest (
    sequence INTEGER PRIMARY KEY REFERENCES result (sequence),
    checksum INTEGER NOT NULL,
    known INTEGER NOT NULL,
    known_right INTEGER NOT NULL,
    scale REAL NOT NULL,
    predictions BLOB NOT NULL,
    true_predictions BLOB NOT NULL,
    gain BLOB NOT NULL
)
"""
"""The attack among the people whom the baseline does not know, by the run's scoring.

Up to format 3 it has to be counted from the record.
"""

# What a review adds to the results; the oldest files of format 1 have no such table
_ANNOTATIONS = """
CREATE TABLE IF NOT EXISTS annotation (
    kind TEXT NOT NULL, key TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (kind, key)
)
"""

_MEASURES_OF_FORMAT_1 = """
CREATE TEMP VIEW measure AS
SELECT sequence, 'anonymity loss' AS measure, 'alc' AS name, alc AS value, low, high, 0 AS rowid
FROM main.result
"""
_RESULTS_OF_FORMAT_1 = """
CREATE TEMP VIEW result AS SELECT *, 0 AS unmatched, 0 AS unconverged FROM main.result
"""
_MEASURES_UP_TO_4 = """
CREATE TEMP VIEW measure AS SELECT *, rowid FROM main.measure
WHERE measure != 'anonymity loss' OR name NOT IN ('unmatched', 'not converged')
"""
# Numbers that meant nothing said which attacks could not match a column or did not converge
_RESULTS_UP_TO_4 = """
CREATE TEMP VIEW result AS
SELECT *,
    (sequence, 'unmatched') IN (SELECT sequence, name FROM main.measure) AS unmatched,
    (sequence, 'not converged') IN (SELECT sequence, name FROM main.measure) AS unconverged
FROM main.result
"""

_UPGRADE_OF_FORMAT_4 = (
    "ALTER TABLE result ADD COLUMN unmatched INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE result ADD COLUMN unconverged INTEGER NOT NULL DEFAULT 0",
    "UPDATE result SET "
    "unmatched = (sequence, 'unmatched') IN (SELECT sequence, name FROM measure), "
    "unconverged = (sequence, 'not converged') IN (SELECT sequence, name FROM measure)",
    "DELETE FROM measure "
    "WHERE measure = 'anonymity loss' AND name IN ('unmatched', 'not converged')",
)
_NO_RESAMPLES = "CREATE TEMP VIEW resample AS SELECT 1 AS sequence, 1 AS alc, 1 AS alc_rest LIMIT 0"
_NO_REST = (
    "CREATE TEMP VIEW rest AS SELECT 1 AS sequence, 1 AS checksum, 1 AS known, 1 AS known_right, "
    "1 AS scale, 1 AS predictions, 1 AS true_predictions, 1 AS gain LIMIT 0"
)
_HAS_ANNOTATIONS = "SELECT 1 FROM main.sqlite_master WHERE name = 'annotation'"
_NO_ANNOTATIONS = "CREATE TEMP VIEW annotation AS SELECT 1 AS kind, 1 AS key, 1 AS content LIMIT 0"

_UPGRADE_OF_FORMAT_1 = (
    _MEASURES,
    "INSERT INTO measure SELECT sequence, 'anonymity loss', 'alc', alc, low, high FROM result",
    "ALTER TABLE result DROP COLUMN alc",
    "ALTER TABLE result DROP COLUMN low",
    "ALTER TABLE result DROP COLUMN high",
    _ANNOTATIONS,
)

SELECT_CURVES = (
    "SELECT result.sequence, number, attempts, recall_scale, "
    "iif(among.low IS NULL, NULL, own.low), iif(among.low IS NULL, NULL, own.high), "
    "among.low, among.high, exposed.low, exposed.high, curve.checksum, "
    "attack_predictions, attack_true_predictions, baseline_predictions, "
    "baseline_true_predictions, "
    "unmatched, unconverged, "
    "rest.checksum, known, known_right, scale, predictions, true_predictions, gain, "
    "iif(rest.sequence IS NULL, assessment, NULL) "
    "FROM result JOIN record USING (number) JOIN curve USING (sequence) "
    "JOIN measure AS own USING (sequence) "
    "LEFT JOIN measure AS among ON among.sequence = result.sequence "
    "AND among.measure = own.measure AND among.name = 'alc_rest' "
    "LEFT JOIN measure AS exposed ON exposed.sequence = result.sequence "
    "AND exposed.measure = own.measure AND exposed.name = 'exposed' "
    "LEFT JOIN rest ON rest.sequence = result.sequence AND ?2 "
    "WHERE result.sequence > ?1 AND result.sequence <= ?3 "
    "AND own.measure = 'anonymity loss' AND own.name = 'alc' "
    "ORDER BY result.sequence"
)
"""Results newer than a sequence, with the intervals of both readings and of people exposed, their
curves, whether a column of the attack could not be matched, whether its chains did not converge,
and the counts among the rest, or where these are not wanted or not there the record to count them
from.

Up to format 3 there was no reading of the rest: no interval then.
"""

# All that a result has besides its numbers
SELECT_RESULT = (
    "SELECT sequence, assessment, checksum, attack_predictions, attack_true_predictions, "
    "baseline_predictions, baseline_true_predictions "
    "FROM result JOIN record USING (number) JOIN curve USING (sequence) WHERE number = ?"
)

# The numbers of a result
SELECT_NUMBERS = (
    "SELECT measure, name, value, low, high FROM measure WHERE sequence = ? ORDER BY rowid"
)

# The numbers of all measures but ALC, of results newer than a sequence
SELECT_MEASURED = (
    "SELECT number, measure, name, value, measure.low, measure.high "
    "FROM measure JOIN result USING (sequence) "
    "WHERE sequence > ? AND measure != 'anonymity loss' ORDER BY sequence, measure.rowid"
)

# The shared resamples of results newer than a sequence
SELECT_RESAMPLES = (
    "SELECT number, resample.alc, resample.alc_rest "
    "FROM resample JOIN result USING (sequence) "
    "WHERE sequence > ? ORDER BY sequence"
)

_INSERT_FAILURE = (
    "INSERT INTO failure SELECT ?1, ?2, ?3 "
    "WHERE NOT EXISTS (SELECT 1 FROM result WHERE number = ?1) "
    "ON CONFLICT (number) DO UPDATE SET reason = excluded.reason, seconds = excluded.seconds"
)


def insert_result(
    connection: sqlite3.Connection, number: int, row: ResultRow, seconds: float
) -> None:
    """Insert a result unless it is there already, in place of a failure."""
    inserted = connection.execute(
        "INSERT INTO result (number, seconds, attempts, recall_scale, unmatched, unconverged) "
        "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (number) DO NOTHING",
        (number, seconds, row.attempts, row.recall_scale, row.unmatched, row.unconverged),
    )
    if inserted.rowcount:
        connection.execute(
            "INSERT INTO curve VALUES (?, ?, ?, ?, ?, ?)", (inserted.lastrowid, *row.curves)
        )
        connection.executemany(
            "INSERT INTO measure VALUES (?, ?, ?, ?, ?, ?)",
            [(inserted.lastrowid, *numbers) for numbers in row.numbers],
        )
        if row.shared:
            connection.execute(
                "INSERT INTO resample VALUES (?, ?, ?)", (inserted.lastrowid, *row.shared)
            )
        connection.execute(
            "INSERT INTO rest VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (inserted.lastrowid, *row.rest)
        )
        connection.execute("INSERT INTO record VALUES (?, ?)", (number, row.assessment))
        connection.execute("DELETE FROM failure WHERE number = ?", (number,))
        seal(connection, "result", str(number))
        seal(connection, "failure", str(number))


def insert_failure(
    connection: sqlite3.Connection, number: int, reason: str, seconds: float
) -> None:
    """Insert why an attack failed, in place of an earlier reason; a result stays."""
    connection.execute(_INSERT_FAILURE, (number, reason, seconds))
    seal(connection, "failure", str(number))


def insert_annotation(
    connection: sqlite3.Connection, kind: str, key: str, content: str | None
) -> None:
    """Insert what a review adds, in place of what had the same kind and key; None removes it."""
    connection.execute("DELETE FROM annotation WHERE kind = ? AND key = ?", (kind, key))
    if content is not None:
        connection.execute("INSERT INTO annotation VALUES (?, ?, ?)", (kind, key, content))
    ((record,),) = connection.execute("SELECT json_array(?, ?)", (kind, key))
    seal(connection, "annotation", record)


def show_older(connection: sqlite3.Connection) -> bool:
    """Let a file of an older format look like one of today; return whether it is one.

    Views in the connection alone stand in for what the file does not have. They go as soon as
    another process has upgraded it.
    """
    version = _version(connection)
    _drop_views(connection)
    if version < FORMAT_VERSION:
        oldest = version == 1
        connection.execute(_MEASURES_OF_FORMAT_1 if oldest else _MEASURES_UP_TO_4)
        connection.execute(_RESULTS_OF_FORMAT_1 if oldest else _RESULTS_UP_TO_4)
    if version == 1 and not connection.execute(_HAS_ANNOTATIONS).fetchall():
        connection.execute(_NO_ANNOTATIONS)
    if version < _WITH_REST:
        connection.execute(_NO_RESAMPLES)
        connection.execute(_NO_REST)
    return version < FORMAT_VERSION


def upgrade(connection: sqlite3.Connection) -> None:
    """Bring a file of an older format to that of today, within the transaction under way."""
    _drop_views(connection)
    version = _version(connection)
    if version == 1:
        for statement in _UPGRADE_OF_FORMAT_1:
            connection.execute(statement)
    if version < _WITH_REST:
        connection.execute("DROP TABLE IF EXISTS resample")
        connection.execute(_RESAMPLES)
        connection.execute(_REST)
    if version < FORMAT_VERSION:
        for statement in _UPGRADE_OF_FORMAT_4:
            connection.execute(statement)
        connection.execute(SEALS)
        seal_all(connection)
        connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")


def create_tables(connection: sqlite3.Connection) -> None:
    """Make all tables, and mark the file as a campaign of today's format."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
    for statement in (*_TABLES.split(";")[:-1], _MEASURES, _RESAMPLES, _REST, _ANNOTATIONS, SEALS):
        connection.execute(statement)


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _drop_views(connection: sqlite3.Connection) -> None:
    for view in ("result", "measure", "resample", "rest", "annotation"):
        connection.execute(f"DROP VIEW IF EXISTS temp.{view}")
