"""Checksums over each record of a campaign's file, and over all.

They detect accidents, not forgery: a writer can reseal the file. See :mod:`.examine`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import msgspec

from alc_core.phrasing import listed

# By kind and key of the record; kind "whole" covers all
SEALS = """
CREATE TABLE seal (
    kind TEXT NOT NULL, key TEXT NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (kind, key)
)
"""

# The rows of a record by its key
_ROWS = {
    "meta": ("SELECT * FROM meta WHERE ? = '' ORDER BY key",),
    "attack": ("SELECT * FROM attack WHERE number = ?",),
    "result": ("SELECT * FROM result WHERE number = ?",),
    "failure": ("SELECT * FROM failure WHERE number = ?",),
    "annotation": (
        "SELECT * FROM annotation WHERE kind = json_extract(?1, '$[0]') "
        "AND key = json_extract(?1, '$[1]')",
    ),
}

_REMOVAL = {
    "result": ("DELETE FROM result WHERE number = ?",),
    "failure": ("DELETE FROM failure WHERE number = ?",),
    "annotation": (
        "DELETE FROM annotation WHERE kind = json_extract(?1, '$[0]') "
        "AND key = json_extract(?1, '$[1]')",
    ),
    "whole": (),
}
# What removes a record by key, with its dependents
_REMOVAL["attack"] = (
    *_REMOVAL["result"],
    *_REMOVAL["failure"],
    "DELETE FROM annotation WHERE kind IN ('decision', 'skipped', 'added later') "
    "AND key = CAST(? AS TEXT)",
    "DELETE FROM annotation WHERE kind = 'measured' "
    "AND json_extract(content, '$.number') = CAST(? AS INTEGER)",
    "DELETE FROM attack WHERE number = ?",
)

_KEYS = (
    "SELECT 'meta', '' UNION ALL SELECT 'attack', number FROM attack "
    "UNION ALL SELECT 'result', number FROM result UNION ALL SELECT 'failure', number FROM failure "
    "UNION ALL SELECT 'annotation', json_array(kind, key) FROM annotation"
)
_WHOLE = ("whole", "")
_LARGEST = 2**63
_SHOWN = 3


@dataclass(frozen=True, slots=True, order=True)
class Damage:
    """A record that changed since it was written."""

    kind: str  # "whole" if records were added or removed
    key: str  # Attack number, or an annotation's kind and key as JSON; else empty

    @property
    def words(self) -> str:
        """What it is, as it stands in a sentence."""
        if self.kind == "annotation":
            kind, key = json.loads(self.key)
            return f"{kind} '{key}'"
        return {
            "meta": "its settings",
            "attack": f"the plan of attack {self.key}",
            "result": f"the result of attack {self.key}",
            "failure": f"why attack {self.key} failed",
            "whole": "the number of its records",
        }[self.kind]


def damage_words(found: Sequence[Damage]) -> str:
    """Say what cannot be read; empty if all can."""
    if not found:
        return ""
    named = listed([each.words for each in found], most=_SHOWN)
    return f"The file is damaged and read-only: {named} cannot be read."


def seal(connection: sqlite3.Connection, kind: str, key: str) -> None:
    """Renew the checksum of a written or removed record."""
    new = _checksum(connection, kind, key)
    known = {
        (k, of): number
        for k, of, number in connection.execute(
            "SELECT * FROM seal WHERE (kind = ? AND key = ?) OR kind = 'whole'", (kind, key)
        )
    }
    if new is None:
        connection.execute("DELETE FROM seal WHERE kind = ? AND key = ?", (kind, key))
    else:
        connection.execute("INSERT OR REPLACE INTO seal VALUES (?, ?, ?)", (kind, key, new))
    whole = known.get(_WHOLE, 0) + (new or 0) - known.get((kind, key), 0)
    connection.execute("INSERT OR REPLACE INTO seal VALUES (?, ?, ?)", (*_WHOLE, whole % _LARGEST))


def seal_all(connection: sqlite3.Connection) -> None:
    """Renew all checksums."""
    connection.execute("DELETE FROM seal")
    for kind, key in connection.execute(_KEYS).fetchall():
        seal(connection, kind, str(key))


def found_damage(connection: sqlite3.Connection) -> tuple[Damage, ...]:
    """Return damaged records, in one transaction."""
    sealed = {
        (k, key): number
        for k, key, number in connection.execute("SELECT kind, key, checksum FROM seal")
    }
    whole = sealed.pop(_WHOLE, None)
    there = {(kind, str(key)) for kind, key in connection.execute(_KEYS)}
    wrong = {
        Damage(*(each if _is_named(*each) else _WHOLE))
        for each in there | sealed.keys()
        if each not in sealed or _checksum(connection, *each) != sealed[each]
    }
    if whole != sum(sealed.values()) % _LARGEST:
        wrong.add(Damage(*_WHOLE))
    return tuple(sorted(wrong))


def _is_named(kind: str, key: str) -> bool:
    """Return whether a checksum, which may itself be damaged, identifies its record."""
    try:
        return kind in _ROWS and (kind != "annotation" or len(json.loads(key)) == 2)
    except (TypeError, ValueError):
        return False


def remove_damaged(connection: sqlite3.Connection, found: Sequence[Damage]) -> None:
    """Remove damaged records, with dependents of plans, from a copy."""
    for each in found:
        for statement in _REMOVAL[each.kind]:
            connection.execute(statement, (each.key,))


def _checksum(connection: sqlite3.Connection, kind: str, key: str) -> int | None:
    if kind not in _ROWS:
        return None
    connection.text_factory = bytes  # text may be damaged, too
    try:
        rows = [connection.execute(query, (key,)).fetchall() for query in _ROWS[kind]]
    finally:
        connection.text_factory = str
    if not rows[0]:
        return None
    content = msgspec.msgpack.encode((kind, key, rows))
    return int.from_bytes(blake2b(content, digest_size=8).digest()) % _LARGEST
