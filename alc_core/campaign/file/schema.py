"""The tables of a campaign's file, its formats, and the statements on them."""

from __future__ import annotations

import sqlite3

from alc_core.campaign.file.records import ResultRow
from alc_core.campaign.file.seals import SEALS, seal

# Marks a SQLite file as a campaign ("ALCc"): visible to ``file`` and to SQLite's own tools
APPLICATION_ID = 0x414C4363
FORMAT_VERSION = 6  # Format that this version writes and reads

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
    people INTEGER NOT NULL,
    complete INTEGER NOT NULL,
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
CREATE TABLE resample (
    sequence INTEGER PRIMARY KEY REFERENCES result (sequence),
    alc BLOB NOT NULL,
    alc_rest BLOB NOT NULL,
    exposed BLOB NOT NULL
)
"""
"""Both readings of ALC, and people exposed, in the resamples that all attacks share."""

_REST = """
CREATE TABLE rest (
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
"""The attack among the people whom the baseline does not know, by the run's scoring."""

# What a review adds to the results
_ANNOTATIONS = """
CREATE TABLE annotation (
    kind TEXT NOT NULL, key TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (kind, key)
)
"""

SELECT_CURVES = (
    "SELECT result.sequence, number, attempts, recall_scale, people, complete, "
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
    "SELECT number, resample.alc, resample.alc_rest, resample.exposed "
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
        "INSERT INTO result (number, seconds, attempts, recall_scale, people, complete, "
        "unmatched, unconverged) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (number) DO NOTHING",
        (
            number,
            seconds,
            row.attempts,
            row.recall_scale,
            row.people,
            row.complete,
            row.unmatched,
            row.unconverged,
        ),
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
                "INSERT INTO resample VALUES (?, ?, ?, ?)", (inserted.lastrowid, *row.shared)
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


def create_tables(connection: sqlite3.Connection) -> None:
    """Make all tables, and mark the file as a campaign of today's format."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
    for statement in (*_TABLES.split(";")[:-1], _MEASURES, _RESAMPLES, _REST, _ANNOTATIONS, SEALS):
        connection.execute(statement)
