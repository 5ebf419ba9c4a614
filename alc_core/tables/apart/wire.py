"""What a reading process sends: lengths and plain values, then the columns as Arrow streams."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, BinaryIO

import pandas as pd
import pyarrow as pa

from alc_core.tables.apart.columns import Description, described, pieces, restored
from alc_core.tables.table import ColumnKind, KindGuess, Table

_LENGTH = 8
LONGEST_WORD = 2**25
"""Bytes of plain values at most: more than the names of any table or what any labels stand for."""

VALUE = "value"
"""Word of an answer that is no table."""

_END = "end"

BROKEN = (
    EOFError, OSError, ValueError, KeyError, TypeError, RecursionError, pa.ArrowException,
)  # fmt: skip
"""What receiving raises when the other side broke off."""


def send_word(out: BinaryIO, word: Mapping[str, Any]) -> None:
    """Send plain values."""
    data = json.dumps(word).encode("ascii")
    if len(data) > LONGEST_WORD:
        raise MemoryError
    out.write(len(data).to_bytes(_LENGTH, "little"))
    out.write(data)
    out.flush()


def receive_word(stream: BinaryIO) -> dict[str, Any]:
    """Receive plain values."""
    size = int.from_bytes(exactly(stream, _LENGTH), "little")
    if size > LONGEST_WORD:
        raise ValueError("not a length")
    word = json.loads(exactly(stream, size))
    if not isinstance(word, dict):
        raise TypeError("not a word")
    return word


def send_answer(out: BinaryIO, found: object) -> None:
    """Send a table or plain values; columns are let go one by one where nobody else holds them."""
    if not isinstance(found, Table):
        send_word(out, {VALUE: found})
        return
    columns = [described(found.frame.iloc[:, place]) for place in range(len(found.columns))]
    send_word(out, _word(found, [description for description, _ in columns]))
    del found
    columns.reverse()
    while columns:
        for array in columns.pop()[1]:
            _send_array(out, array)
    send_word(out, {_END: True})


def receive_table(stream: BinaryIO, word: Mapping[str, Any]) -> Table:
    """Receive a table whose first word is there already."""
    n_rows = int(word["n_rows"])

    def take(size: int) -> pa.ChunkedArray:
        with pa.ipc.open_stream(pa.PythonFile(stream, mode="r")) as reader:
            column = reader.read_all().column(0)
        if len(column) != size:
            raise EOFError
        column.validate(full=True)
        return column

    columns = {
        name: restored(description, n_rows, take)
        for name, description in zip(word["names"], word["columns"], strict=True)
    }
    if _END not in receive_word(stream):
        raise EOFError
    return Table(
        name=word["name"],
        frame=pd.DataFrame(columns, copy=False),
        guesses={
            name: KindGuess(kind=ColumnKind(kind), reason=reason)
            for name, (kind, reason) in word["guesses"].items()
        },
        notes=tuple(word["notes"]),
        fingerprint=word["fingerprint"],
    )


def _word(table: Table, columns: list[Description]) -> dict[str, Any]:
    return {
        "name": table.name,
        "n_rows": len(table),
        "names": list(table.columns),
        "columns": columns,
        "guesses": {name: (guess.kind, guess.reason) for name, guess in table.guesses.items()},
        "notes": table.notes,
        "fingerprint": table.fingerprint,
    }


def _send_array(out: BinaryIO, array: pa.Array | pa.ChunkedArray) -> None:
    schema = pa.schema([("", array.type)])
    with pa.ipc.new_stream(pa.PythonFile(out, mode="w"), schema) as stream:
        for piece in pieces(array):
            stream.write_batch(pa.record_batch([piece], schema=schema))
    out.flush()


def exactly(stream: BinaryIO, size: int) -> bytes:
    """Read so many bytes."""
    data = bytearray()
    while len(data) < size:
        more = stream.read(size - len(data))
        if not more:
            raise EOFError
        data += more
    return bytes(data)
