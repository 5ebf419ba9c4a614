"""Damaged, odd and hostile campaign files for ``fuzz_campaigns.py``: each from a sound one."""

from __future__ import annotations

import contextlib
import functools
import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from file_mutations import DAMAGES

from alc_core.campaign.columns import COUNT, GAIN, ResultRow
from alc_core.campaign.file.seals import seal_all

Random = np.random.Generator
Connection = sqlite3.Connection

AS_WRITTEN, ANYTHING, IMPOSSIBLE = "as written", "anything", "impossible"
"""What may be accepted without a word: what was written before; whatever a writer may have sealed;
nothing, since no campaign holds it."""


@dataclass(frozen=True, slots=True)
class Case:
    """A mutated file.

    Attributes
    ----------
    kind, label : str
        Class of the mutation, and which one it is.
    file : str
        Name of the sound file.
    data : bytes
        The mutated one.
    expected : {"as written", "anything", "impossible"}
        What may be accepted.
    """

    kind: str
    label: str
    file: str
    data: bytes
    expected: str


def mutated(rng: Random, files: Mapping[str, bytes]) -> Case:
    """Return a file that is odd in some way."""
    names = list(files)
    name = names[rng.integers(len(names))] if rng.random() < 0.5 else names[0]
    kind = str(rng.choice(list(_KINDS)))
    label, data, expected = _KINDS[kind](rng, files[name])
    return Case(kind, label, name, data, expected)


def odd_text(rng: Random) -> str:
    """Return a text that a page, a terminal or a spreadsheet might obey."""
    return _TEXTS[rng.integers(len(_TEXTS))]


def opened(data: bytes) -> Connection:
    """Return a database in memory with the content of a file."""
    rolled = bytearray(data)
    rolled[18:20] = b"\1\1"  # a database in memory has no write-ahead log
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.deserialize(bytes(rolled))
    connection.text_factory = bytes
    return connection


def resealed(connection: Connection) -> None:
    """Make all checksums fit what is there now, as whoever wrote it would."""
    connection.text_factory = str
    with contextlib.suppress(sqlite3.Error):  # text may be no UTF-8, a table another
        seal_all(connection)
    connection.text_factory = bytes


@contextlib.contextmanager
def _changing(data: bytes, made: list[bytes]) -> Iterator[Connection]:
    """Append to `made` what a file becomes by the changes of the ``with`` block."""
    with contextlib.closing(opened(data)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        yield connection
        changed = bytearray(connection.serialize())
    changed[18:20] = data[18:20]
    made.append(bytes(changed))


Made = tuple[str, bytes, str]


# --- bytes and pages


def _bytes(rng: Random, data: bytes) -> Made:
    kind = str(rng.choice(list(DAMAGES)))
    return kind, DAMAGES[kind](rng, ("", data), ("", data))[1], AS_WRITTEN


def _pages(rng: Random, data: bytes) -> Made:
    size = 4096
    pages = [data[at : at + size] for at in range(0, len(data), size)]
    one, other = (int(place) for place in rng.integers(len(pages), size=2))
    kind = str(rng.choice(["zeroed", "swapped", "copied over", "added", "removed", "noise"]))
    if kind == "zeroed":
        pages[one] = bytes(size)
    elif kind == "swapped":
        pages[one], pages[other] = pages[other], pages[one]
    elif kind == "copied over":
        pages[one] = pages[other]
    elif kind == "added":
        pages.insert(one, pages[other])
    elif kind == "removed":
        del pages[one]
    else:
        pages[one] = rng.bytes(size)
    return kind, b"".join(pages), AS_WRITTEN


_HEADER = {
    "page size": (16, 2), "write version": (18, 1), "read version": (19, 1), "reserved": (20, 1),
    "fractions": (21, 3), "change counter": (24, 4), "pages": (28, 4), "freelist": (32, 4),
    "free pages": (36, 4), "schema cookie": (40, 4), "schema format": (44, 4), "cache": (48, 4),
    "largest root": (52, 4), "encoding": (56, 4), "user version": (60, 4), "vacuum": (64, 4),
    "application": (68, 4), "expansion": (72, 20), "valid for": (92, 4), "library": (96, 4),
}  # fmt: skip


def _header(rng: Random, data: bytes) -> Made:
    name = str(rng.choice(list(_HEADER)))
    at, width = _HEADER[name]
    value = int(rng.choice([0, 1, 2, 3, 4, 5, 6, 255, 2**15, 2**31 - 1, 2**32 - 1]))
    changed = bytearray(data)
    changed[at : at + width] = (value % 2 ** (8 * width)).to_bytes(width, "big")
    return name, bytes(changed), AS_WRITTEN


# --- values, rows and shape, in SQL

_TEXTS = (
    "", " ", "x" * 100_000, "<script>alert(1)</script>", "![r](http:&sol;&sol;example&sol;leak)",
    "=1+1", "\x1b[2J", "\0", "\ud800", "\u202e", "[" * 100_000, '{"a":' * 50_000, "{}", "[]",
    "null", "NaN", "1e999", "-1", "9" * 5000, '"', "ünïcode", "../../etc/passwd", "%s", "$.a",
    "\r\nError: no", ":red[x]", "[x](javascript:alert(1))", "<img src=x onerror=alert(1)>",
)  # fmt: skip
_VALUES = (
    None, 0, 1, -1, 2**31, 2**62, -(2**63), 0.5, -0.0, 1e308, -1e308, float("inf"), float("-inf"),
    5e-324, b"", b"\0", b"\xff" * 7, bytes(4096), b"x\x9c", *_TEXTS,
)  # fmt: skip
TABLES = ("meta", "attack", "result", "failure", "annotation", "seal", "sqlite_sequence")


def _columns(connection: Connection, table: str) -> list[str]:
    return [row[1].decode() for row in connection.execute(f"PRAGMA table_info({table})")]


def _sealed(connection: Connection, rng: Random, label: str) -> tuple[str, str]:
    """Seal half of what is changed: it may then be accepted whatever it is."""
    if rng.random() < 0.5:
        return label, AS_WRITTEN
    resealed(connection)
    return f"{label}, sealed", ANYTHING


def _value(rng: Random, data: bytes) -> Made:
    made: list[bytes] = []
    with _changing(data, made) as connection:
        table = str(rng.choice(TABLES))
        columns = _columns(connection, table)
        if not columns:
            return _value(rng, data)
        column = str(rng.choice(columns))
        value = _VALUES[rng.integers(len(_VALUES))]
        if isinstance(value, str):
            value = value.encode("utf-8", "surrogatepass")
        as_text = "CAST(? AS TEXT)" if isinstance(value, bytes) and rng.random() < 0.8 else "?"
        where = "" if rng.random() < 0.2 else "ORDER BY random() LIMIT 1"
        connection.create_function("random", 0, lambda: int(rng.integers(2**40)))
        connection.execute("PRAGMA ignore_check_constraints = ON")
        with contextlib.suppress(sqlite3.Error):  # a constraint: another value, then
            connection.execute(
                f"UPDATE {table} SET {column} = {as_text} "
                f"WHERE rowid IN (SELECT rowid FROM {table} {where})",
                (value,),
            )
        label, expected = _sealed(connection, rng, f"{table}.{column}")
    return label, made[0], expected


def _rows(rng: Random, data: bytes) -> Made:
    made: list[bytes] = []
    with _changing(data, made) as connection:
        table = str(rng.choice(TABLES))
        columns = _columns(connection, table)
        if not columns:
            return _rows(rng, data)
        rows = connection.execute(f"SELECT rowid FROM {table} ORDER BY rowid").fetchall()
        row = rows[rng.integers(len(rows))][0] if rows else 0
        kind = str(rng.choice(["deleted", "all deleted", "duplicated", "renumbered", "swapped"]))
        key, part = columns[0], str(rng.choice(columns))
        other = rows[rng.integers(len(rows))][0] if rows else 0
        statement = {
            "deleted": f"DELETE FROM {table} WHERE rowid = {row}",
            "all deleted": f"DELETE FROM {table}",
            "duplicated": f"INSERT INTO {table} SELECT {key} || 9, {', '.join(columns[1:])} "
            f"FROM {table} WHERE rowid = {row}",
            "renumbered": f"UPDATE {table} SET {key} = {key} + 7 WHERE rowid = {row}",
            "swapped": f"UPDATE {table} SET {part} = (SELECT {part} FROM {table} "
            f"WHERE rowid = {other}) WHERE rowid = {row}",
        }[kind]
        with contextlib.suppress(sqlite3.Error):
            connection.execute(statement)
        label, expected = _sealed(connection, rng, f"{kind} in {table}")
    return label, made[0], expected


_ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT {} FROM n"
_SHAPES = {
    "dropped": ["DROP TABLE {t}"],
    "renamed": ["ALTER TABLE {t} RENAME TO {t}_"],
    "other case": ["ALTER TABLE {t} RENAME TO {t}_", "ALTER TABLE {t}_ RENAME TO {T}"],
    "a view more": ["CREATE VIEW more AS SELECT 1 AS x"],
    "a table more": ["CREATE TABLE more (x)", "INSERT INTO more VALUES (zeroblob(100000))"],
    "an index more": ["CREATE INDEX more ON {t} ({c})"],
    "an odd index": ["CREATE INDEX more ON {t} (hex(zeroblob(400000000))) WHERE 0"],
    "endless view": ["DROP TABLE {t}", f"CREATE VIEW {{t}} AS {_ENDLESS.format('{x}')}"],
    "large view": ["DROP TABLE {t}", "CREATE VIEW {t} AS SELECT {h}"],
    "a trigger": ["CREATE TRIGGER more AFTER UPDATE ON {t} BEGIN DELETE FROM annotation; END"],
    "a column more": ["ALTER TABLE {t} ADD COLUMN more TEXT DEFAULT 'x'"],
    "a column less": ["ALTER TABLE {t} DROP COLUMN {c}"],
    "generated": ["ALTER TABLE {t} ADD COLUMN more GENERATED ALWAYS AS (hex(zeroblob(4e8)))"],
    "renamed column": ["ALTER TABLE {t} RENAME COLUMN {c} TO more"],
    "without rowid": ["CREATE TABLE more (x PRIMARY KEY) WITHOUT ROWID"],
    "strict": ["CREATE TABLE more (x INTEGER) STRICT"],
    "virtual": ["CREATE VIRTUAL TABLE more USING fts5(x)"],
    "unknown module": [
        "INSERT INTO sqlite_master VALUES ('table', 'more', 'more', 0, "
        "'CREATE VIRTUAL TABLE more USING nothing(x)')"
    ],
    "other type": [
        "UPDATE sqlite_master SET sql = replace(sql, 'INTEGER', 'BLOB') WHERE name = '{t}'"
    ],
    "no constraint": [
        "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE name = '{t}'"
    ],
    "default": [
        "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', 'NOT NULL DEFAULT (1)') "
        "WHERE name = '{t}'"
    ],
    "check": [
        "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', "
        "'NOT NULL CHECK (length(hex(zeroblob(400000000))) > 1)') WHERE name = '{t}'"
    ],
    "collation": [
        "UPDATE sqlite_master SET sql = replace(sql, 'TEXT', 'TEXT COLLATE NOCASE') "
        "WHERE name = '{t}'"
    ],
    "broken sql": ["UPDATE sqlite_master SET sql = 'CREATE TABLE ' WHERE name = '{t}'"],
    "other root": [
        "UPDATE sqlite_master SET rootpage = (SELECT max(rootpage) FROM sqlite_master) "
        "WHERE name = '{t}'"
    ],
    "same root": ["UPDATE sqlite_master SET rootpage = 2 WHERE rootpage > 0"],
    "no root": ["UPDATE sqlite_master SET rootpage = 99999 WHERE name = '{t}'"],
    "no index": ["DELETE FROM sqlite_master WHERE type = 'index'"],
    "statistics": ["ANALYZE"],
    "odd statistics": ["ANALYZE", "UPDATE sqlite_stat1 SET stat = '1e9 -1 x'"],
    "free pages": ["CREATE TABLE more (x)", "INSERT INTO more VALUES (randomblob(50000))",
                   "DROP TABLE more"],
    "version 0": ["PRAGMA user_version = 0"],
    "version 1": ["PRAGMA user_version = 1"],
    "version 2": ["PRAGMA user_version = 2"],
    "version 3": ["PRAGMA user_version = 3"],
    "version 4": ["PRAGMA user_version = 4"],
    "version 6": ["PRAGMA user_version = 6"],
    "version -1": ["PRAGMA user_version = -1"],
    "application": ["PRAGMA application_id = 1"],
    "other pages": ["PRAGMA page_size = 512", "VACUUM"],
    "large pages": ["PRAGMA page_size = 65536", "VACUUM"],
    "vacuumed": ["PRAGMA auto_vacuum = 1", "VACUUM"],
}  # fmt: skip


def _shape(rng: Random, data: bytes) -> Made:
    if rng.random() < 0.03:
        return "UTF-16", _in_utf16(data), AS_WRITTEN
    made: list[bytes] = []
    with _changing(data, made) as connection:
        kind = str(rng.choice(list(_SHAPES)))
        table = str(rng.choice(TABLES[:-1]))
        columns = _columns(connection, table) or ["x"]
        column = str(rng.choice(columns))
        filled = {
            "t": table, "T": table.upper(), "c": column,
            "x": ", ".join(f"x AS {name}" for name in columns),
            "h": ", ".join(f"hex(zeroblob(400000000)) AS {name}" for name in columns),
        }  # fmt: skip
        for statement in _SHAPES[kind]:
            with contextlib.suppress(sqlite3.Error):
                connection.execute(statement.format_map(filled))
    return f"{kind} ({table})", made[0], AS_WRITTEN


def _in_utf16(data: bytes) -> bytes:
    with (
        contextlib.closing(opened(data)) as connection,
        contextlib.closing(sqlite3.connect(":memory:")) as other,
    ):
        connection.text_factory = str
        other.execute("PRAGMA encoding = 'UTF-16'")
        other.executescript("\n".join(connection.iterdump()))
        for name in ("user_version", "application_id"):
            (value,) = connection.execute(f"PRAGMA {name}").fetchone()
            other.execute(f"PRAGMA {name} = {value}")
        return other.serialize()


# --- records whose checksums fit

_NUMBERS = (
    0, -1, 1, 2**31, 2**62, 2**64, 10**400, -(10**30), 0.5, 1e308, -1e308, 5e-324, float("nan"),
    float("inf"), float("-inf"), True, None,
)  # fmt: skip


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where each value of a JSON document is, a few of each list."""
    yield path
    if len(path) > 20:
        return
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _places(each, (*path, key))
    elif isinstance(value, list):
        for place, each in list(enumerate(value))[:3]:
            yield from _places(each, (*path, place))


def _deep(rng: Random) -> Any:
    found: Any = []
    for _ in range(int(rng.choice([10, 300, 700]))):
        found = [found] if rng.random() < 0.5 else {"x": found}
    return found


def _odd_json(rng: Random, value: Any) -> Any:
    """Change a place or two of a JSON document."""
    for _ in range(rng.geometric(0.7)):
        places = list(_places(value))
        path = places[rng.integers(len(places))]
        if not path:
            return _odd_value(rng, value)
        holder = functools.reduce(lambda found, key: found[key], path[:-1], value)
        how = rng.random()
        if how < 0.15:
            del holder[path[-1]]
        elif how < 0.25 and isinstance(holder, dict):
            holder[odd_text(rng)] = holder[path[-1]]
        elif how < 0.3 and isinstance(holder, list):
            holder += holder * int(rng.choice([1, 1000]))
        else:
            holder[path[-1]] = _odd_value(rng, holder[path[-1]])
    return value


def _odd_value(rng: Random, value: Any) -> Any:
    kind = rng.integers(6)
    if kind == 0 and isinstance(value, str):
        return value + odd_text(rng)
    if (kind <= 2 and isinstance(value, (int, float))) or kind == 1:
        return _NUMBERS[rng.integers(len(_NUMBERS))]
    if kind == 3:
        return odd_text(rng)
    if kind == 4:
        return [[], {}, [value], {"x": value}, str(value), [value] * 1000][rng.integers(6)]
    return _deep(rng)


_DOCUMENTS = (
    ("meta", "value", "key != 'created'"), ("attack", "plan", "1"), ("failure", "reason", "1"),
    ("annotation", "content", "1"), ("annotation", "content", "1"), ("result", "record", "1"),
    ("result", "row", "1"),
)  # fmt: skip


def _document(rng: Random, data: bytes) -> Made:
    made: list[bytes] = []
    with _changing(data, made) as connection:
        table, column, where = _DOCUMENTS[rng.integers(len(_DOCUMENTS))]
        rows = connection.execute(
            f"SELECT rowid, {column} FROM {table} WHERE {where} ORDER BY rowid"
        ).fetchall()
        if not rows:
            return _document(rng, data)
        row, content = rows[rng.integers(len(rows))]
        label = f"{table}.{column}"
        if table == "annotation":
            kind = "SELECT kind FROM annotation WHERE rowid = ?"
            label += f" {connection.execute(kind, (row,)).fetchone()[0].decode()}"
        if column == "row":
            odd = _odd_json(rng, msgspec.msgpack.decode(content))
            with contextlib.suppress(OverflowError):  # of a number that it cannot hold
                _write(connection, table, column, row, msgspec.msgpack.encode(odd))
        else:
            packed = column == "record"
            text = zlib.decompress(content) if packed else content
            text = json.dumps(_odd_json(rng, json.loads(text))).encode("ascii")
            _write(connection, table, column, row, zlib.compress(text) if packed else text)
        resealed(connection)
    return label, made[0], ANYTHING


def _write(connection: Connection, table: str, column: str, row: int, value: bytes) -> None:
    as_it_is = "?" if table == "result" else "CAST(? AS TEXT)"
    connection.execute(f"UPDATE {table} SET {column} = {as_it_is} WHERE rowid = ?", (value, row))


@functools.cache
def _bomb(start: bytes, filling: bytes, mebibytes: int) -> bytes:
    """Pack a text that is much larger than it looks."""
    packing = zlib.compressobj(9)
    block = filling * (2**20 // len(filling))
    parts = [packing.compress(start), *(packing.compress(block) for _ in range(mebibytes))]
    return b"".join([*parts, packing.flush()])


def _packed(rng: Random, data: bytes) -> Made:
    made: list[bytes] = []
    with _changing(data, made) as connection:
        row, content = connection.execute(
            "SELECT rowid, record FROM result ORDER BY rowid"
        ).fetchall()[0]
        text = zlib.decompress(content)
        odd: dict[str, Callable[[], tuple[bytes, str]]] = {
            "bomb of zeros": lambda: (_bomb(b"", b"\0", 1000), IMPOSSIBLE),
            "bomb of spaces": lambda: (_bomb(b"", b" ", 1000), IMPOSSIBLE),
            "bomb within the limit": lambda: (_bomb(b"", b" ", 120), IMPOSSIBLE),
            "bomb of lists": lambda: (_bomb(b"", b"[],", 100), IMPOSSIBLE),
            "bomb of numbers": lambda: (_bomb(b'{"x":[', b"1,", 100), IMPOSSIBLE),
            "bomb of depth": lambda: (_bomb(b"", b"[", 20), IMPOSSIBLE),
            "cut": lambda: (content[: rng.integers(len(content))], IMPOSSIBLE),
            "more behind": lambda: (content + rng.bytes(100), ANYTHING),
            "twice": lambda: (content + content, ANYTHING),
            "not packed": lambda: (text, IMPOSSIBLE),
            "packed twice": lambda: (zlib.compress(content), IMPOSSIBLE),
            "gzip": lambda: (zlib.compress(text, wbits=31), IMPOSSIBLE),
            "no UTF-8": lambda: (zlib.compress(text + b"\xff\xfe"), IMPOSSIBLE),
            "UTF-16": lambda: (zlib.compress(text.decode().encode("utf-16")), ANYTHING),
            "empty": lambda: (b"", IMPOSSIBLE),
            "empty inside": lambda: (zlib.compress(b""), IMPOSSIBLE),
        }
        label = str(rng.choice(list(odd)))
        packed, expected = odd[label]()
        _write(connection, "result", "record", row, packed)
        resealed(connection)
    return label, made[0], expected


_NAMES = (b"weak", b"MSP", b"AGEP", b"people.csv", b"best row match", b"clerk")


def _names(rng: Random, data: bytes) -> Made:
    """Call a release, a column or a table something nasty, everywhere alike."""
    old, new = bytes(rng.choice(_NAMES)), json.dumps(odd_text(rng)).encode("ascii")
    made: list[bytes] = []
    with _changing(data, made) as connection:
        for table, column, where in _DOCUMENTS[:-1]:
            for row, content in connection.execute(
                f"SELECT rowid, {column} FROM {table} WHERE {where}"
            ).fetchall():
                text = zlib.decompress(content) if column == "record" else content
                text = text.replace(b'"' + old + b'"', new)
                packed = zlib.compress(text) if column == "record" else text
                _write(connection, table, column, row, packed)
        resealed(connection)
    return old.decode(), made[0], ANYTHING


def _row(rng: Random, connection: Connection) -> tuple[int, ResultRow]:
    """Return the row of a finished attack, and where it is."""
    rows = connection.execute("SELECT sequence, row FROM result ORDER BY 1").fetchall()
    place, packed = rows[rng.integers(len(rows))]
    return place, msgspec.msgpack.decode(packed, type=ResultRow)


def _put(connection: Connection, place: int, row: ResultRow, **changes: object) -> None:
    packed = msgspec.msgpack.encode(msgspec.structs.replace(row, **changes))
    _write(connection, "result", "row", place, packed)


def _counts(rng: Random, data: bytes) -> Made:
    """Write counts into a curve that no attack can have."""
    made: list[bytes] = []
    with _changing(data, made) as connection:
        place, row = _row(rng, connection)
        side = str(rng.choice(["attack", "baseline", "rest"]))
        arrays = getattr(row, side)
        n, right = (np.frombuffer(each, dtype=COUNT).astype(np.int64) for each in arrays)
        odd = {
            "more right than predicted": (n, n + 1),
            "all zero": (n * 0, right * 0),
            "more than attempts": (n + row.attempts, right),
            "negative": (-n - 1, right),
            "negative right": (n, right - n - 1),
            "falling": (np.append(n, 0), np.append(right, 0)),
            "falling right": (np.append(n, n[-1:] + 1), np.append(right, -1)),
            "none": (n[:0], right[:0]),
            "uneven": (n, right[:-1]),
            "huge": (n * 0 + 2**31 - 1, right),
        }
        kind = str(rng.choice(list(odd)))
        values = [each.astype(COUNT).tobytes() for each in odd[kind]]
        if kind == "none" and rng.random() < 0.5:
            kind, values = "half a number", [each[:-1] for each in arrays]
        _put(connection, place, row, **{side: tuple(values)})
        resealed(connection)
    if side == "rest" and (kind in {"all zero", "none"} or not len(n)):
        return f"{side}: {kind}", made[0], ANYTHING  # where everybody is known anyway
    return f"{side}: {kind}", made[0], IMPOSSIBLE


_NO_RUN = float("inf")
_ROWS: dict[str, Callable[[ResultRow], dict[str, object]]] = {
    **{f"attempts {n}": functools.partial(lambda n, _: {"attempts": n}, n)
       for n in (0, -1, 2**62, 301)},
    **{f"recall scale {n}": functools.partial(lambda n, _: {"recall_scale": n}, n)
       for n in (0.0, -1.0, _NO_RUN, 1e308)},
    **{f"scale {n}": functools.partial(lambda n, _: {"scale": n}, n) for n in (-1.0, _NO_RUN)},
    "inverted interval": lambda row: {"own": (row.own[1] + 0.01, row.own[0])},
    "interval above 1": lambda _: {"own": (5.0, 6.0)},
    "infinite interval": lambda _: {"among_rest": (-_NO_RUN, _NO_RUN)},
    "another interval": lambda row: {"own": (row.own[0] - 0.1, row.own[1])},
    "share above 1": lambda row: {"measured": row.measured | {"rapid": {"rapid": [7.0, 7.0, 7.0]}}},
    "known -1": lambda _: {"known": -1},
    "more known than attempts": lambda _: {"known": 100_000},
    "more right than known": lambda row: {"known_right": row.known + 1},
    "known right -1": lambda _: {"known_right": -1},
    "short gain": lambda row: {"gain": row.gain + bytes(8)},
    "gain is no number": lambda row: {
        "gain": np.full(len(row.gain) // 8, np.nan).astype(GAIN).tobytes()
    },
    "another gain": lambda row: {"gain": (np.frombuffer(row.gain, dtype=GAIN) + 1).tobytes()},
    "short resamples": lambda row: {"shared": (bytes(4), *row.shared[1:])},
    "no resamples": lambda _: {"shared": (b"", b"", b"")},
    "half a resample": lambda row: {"shared": (row.shared[0][1:], *row.shared[1:])},
}  # fmt: skip


_SETTING = (
    "UPDATE meta SET value = json_replace(value, '$.{0}', json('{1}')) "
    "WHERE key = 'settings' AND json_type(value, '$.{0}') NOT NULL"
)
_PLAN = (
    "UPDATE attack SET plan = json_replace(plan, '$.{0}', json('{1}')) "
    "WHERE number = 0 AND json_type(plan, '$.{0}') NOT NULL"
)
_NOTED = (
    "UPDATE annotation SET content = json_replace(content, '$.{1}', json('{2}')) "
    "WHERE kind = '{0}' AND json_type(content, '$.{1}') NOT NULL"
)
_STATEMENTS = {
    **{f"seconds {n}": f"UPDATE result SET seconds = {n}" for n in ("-1.0", "9e999")},
    "failed and finished": "INSERT INTO failure VALUES (0, '\"No.\"', 1.0)",
    "failure of nothing": "INSERT INTO failure VALUES (99, '\"No.\"', 1.0)",
    "result of nothing": "UPDATE result SET number = 99 WHERE number = 0",
    "attack -1": "UPDATE attack SET number = -1 WHERE number = 0",
    "another's identity": "UPDATE attack SET identity = x'00' WHERE number = 0",
    **{f"setting {name} {value}": _SETTING.format(name, value) for name, value in (
        ("seed", "-1"), ("seed", "1e30"), ("scoring.alpha", "-1"), ("scoring.r_min", "0"),
        ("scoring.at_risk", "2"), ("scoring.confidence", "1.5"), ("scoring.loss", '"x"'),
        ("loop.folds", "0"), ("loop.resamples", "-5"), ("original.rows", "-1"),
        ("original.rows", "1e30"), ("original.fingerprint", "5"), ("releases", "{}"),
        ("kinds", "{}"), ("kinds.MSP", '"x"'),
    )},
    **{f"plan {name} {value}": _PLAN.format(name, value) for name, value in (
        ("release", '"nowhere"'), ("attack", '"no such attack"'), ("kind", '"x"'),
        ("scenario.unknown", '"AGEP"'), ("scenario.known", "[]"), ("scenario.bins", "-1"),
        ("scenario.known", '["nowhere"]'), ("scenario.targets.count", "-1"),
        ("scenario.level", '"x"'), ("scenario.targets.recall", '"x"'),
    )},
    **{f"decision {name} {value}": _NOTED.format("decision", name, value)
       for name, value in (("choice", '"maybe"'), ("scoring.alpha", "-1"), ("note", "5"))},
    "decision about nothing": "UPDATE annotation SET key = '99' WHERE kind = 'decision' "
    "AND key = '0'",
    "decision about a word": "UPDATE annotation SET key = 'x' WHERE kind = 'decision' "
    "AND key = '0'",
    "release decision about nothing": "UPDATE annotation SET key = 'x' "
    "WHERE kind = 'release decision'",
}  # fmt: skip
_RECORDS = {
    "abstentions -1": ("abstentions", -1), "population -1": ("population", -1),
    "candidates 0": ("candidates", 0), "huge population": ("population", 2**62),
    "fewer people than candidates": ("people", 1), "seed -1": ("seed", -1),
    "halting": ("halting", "x"),
    "models": ("models", {"x": -5}), "without a value": ("without_value", -3),
    "converged": ("converged", "maybe"),
}  # fmt: skip


def _impossible(rng: Random, data: bytes) -> Made:
    made: list[bytes] = []
    with _changing(data, made) as connection:
        label = str(rng.choice([*_STATEMENTS, *_RECORDS, *_ROWS]))
        before = connection.total_changes
        if label in _RECORDS:
            name, value = _RECORDS[label]
            for row, content in connection.execute("SELECT rowid, record FROM result").fetchall():
                record = json.loads(zlib.decompress(content)) | {name: value}
                packed = zlib.compress(json.dumps(record).encode("ascii"))
                _write(connection, "result", "record", row, packed)
        elif label in _ROWS:
            place, found = _row(rng, connection)
            _put(connection, place, found, **_ROWS[label](found))
        else:
            connection.execute(_STATEMENTS[label])
        if connection.total_changes == before:
            return _impossible(rng, data)
        resealed(connection)
    return label, made[0], IMPOSSIBLE


_KINDS: dict[str, Callable[[Random, bytes], Made]] = {
    "bytes": _bytes,
    "pages": _pages,
    "header": _header,
    "value": _value,
    "rows": _rows,
    "shape": _shape,
    "document": _document,
    "packed": _packed,
    "names": _names,
    "counts": _counts,
    "impossible": _impossible,
}
