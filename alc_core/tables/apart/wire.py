"""The reading process's messages: lengths, plain values, Arrow streams."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from alc_core.tables.formats.source import Project
from alc_core.tables.table import ColumnKind, KindGuess, Table

_ROWS_AT_ONCE = 2**20

Description = dict[str, Any]
Take = Callable[[int], pa.ChunkedArray]

_PLAIN_KINDS = "iufbMm"
_MIXED = {str, bool, int, float, type(None), type(pd.NaT)}

_LENGTH = 8
# Most bytes of plain values, more than any table's names or labels
LONGEST_WORD = 2**25
VALUE = "value"  # Word of an answer without table
_END = "end"

# Raised when the other side broke off
BROKEN = (
    EOFError, OSError, ValueError, KeyError, TypeError, RecursionError, pa.ArrowException,
)  # fmt: skip


def described(series: pd.Series) -> tuple[Description, list[pa.Array | pa.ChunkedArray]]:
    """Return a column's description as plain values, and content as arrays."""
    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        inner, arrays = described(pd.Series(dtype.categories))
        codes = np.asarray(series.cat.codes)
        description = {
            "how": "codes",
            "codes": codes.dtype.str,
            "ordered": bool(dtype.ordered),
            "n_categories": len(dtype.categories),
            "categories": inner,
        }
        return description, [_bytes_of(codes), *arrays]
    if isinstance(dtype, pd.StringDtype):
        text = pa.array(series, type=pa.large_string(), from_pandas=True)
        return {"how": "text", "storage": dtype.storage}, [text]
    if isinstance(dtype, pd.DatetimeTZDtype):
        moments = series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()
        return {"how": "zoned", "dtype": str(dtype)}, [_bytes_of(moments)]
    if isinstance(dtype, np.dtype) and dtype.kind in _PLAIN_KINDS and dtype.itemsize <= 8:
        return {"how": "plain", "dtype": dtype.str}, [_bytes_of(series.to_numpy())]
    if pd.api.types.is_object_dtype(dtype):
        text = json.dumps(series.tolist(), default=_single)
        return {"how": "mixed"}, [pa.array([text], type=pa.large_string())]
    raise TypeError(f"no way to hand over {dtype}")


def restored(description: Description, n_rows: int, take: Take) -> pd.Series:
    """Build a column from its description and its arrays."""
    how = description["how"]
    if how == "codes":
        codes = _plain(description["codes"], n_rows, take).astype(np.int64)
        categories = restored(description["categories"], description["n_categories"], take)
        return pd.Series(
            pd.Categorical.from_codes(
                codes, categories=pd.Index(categories), ordered=description["ordered"]
            )
        )
    if how == "text":
        kind, text = pd.StringDtype(description["storage"], na_value=np.nan), take(n_rows)
        frame = pa.table({"text": text}).to_pandas(types_mapper={text.type: kind}.get)
        return pd.Series(frame["text"].array)
    if how == "zoned":
        dtype = pd.api.types.pandas_dtype(description["dtype"])
        if not isinstance(dtype, pd.DatetimeTZDtype):
            raise ValueError("no type with a time zone")
        moments = pd.Series(_plain(f"<M8[{dtype.unit}]", n_rows, take))
        return pd.Series(moments.dt.tz_localize("UTC").dt.tz_convert(dtype.tz))
    if how == "plain":
        return pd.Series(_plain(description["dtype"], n_rows, take))
    return _mixed(n_rows, take)


def _bytes_of(values: NDArray[np.generic]) -> pa.Array:
    contiguous = np.ascontiguousarray(values)
    return pa.array(contiguous.view(f"u{contiguous.dtype.itemsize}"))


def _plain(dtype: str, n_rows: int, take: Take) -> NDArray[np.generic]:
    kind = np.dtype(dtype)
    if kind.kind not in _PLAIN_KINDS:
        raise ValueError("no type of plain values")
    values = np.empty(n_rows, dtype=f"u{kind.itemsize}")
    end = 0
    for chunk in take(n_rows).chunks:
        start, end = end, end + len(chunk)
        values[start:end] = chunk.to_numpy()
    return values.view(kind)


def _single(value: object) -> bool | list[object]:
    """Return JSON for NumPy booleans, and an empty list for NaT."""
    if isinstance(value, np.bool_):
        return bool(value)
    if value is pd.NaT:
        return []
    raise TypeError(f"no way to hand over {type(value).__name__}")


def _mixed(n_rows: int, take: Take) -> pd.Series:
    (text,) = take(1).to_pylist()
    values = [pd.NaT if value == [] else value for value in json.loads(text)]
    if len(values) != n_rows or not {*map(type, values)} <= _MIXED:
        raise ValueError("no column of single values")
    return pd.Series(values, dtype=object)


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
    """Send a table or plain values, freeing columns."""
    if not isinstance(found, Table):
        send_word(out, {VALUE: found})
        return
    columns = [described(found.frame.iloc[:, place]) for place in range(len(found.columns))]
    word = {
        "name": found.name,
        "n_rows": len(found),
        "names": list(found.columns),
        "columns": [description for description, _ in columns],
        "guesses": {name: dataclasses.astuple(guess) for name, guess in found.guesses.items()},
        "notes": found.notes,
        "fingerprint": found.fingerprint,
        "labels": dict(found.labels),
        "maybe_thousands": dict(found.maybe_thousands),
        "doubtful_rows": found.doubtful_rows,
        "empty_rows": found.empty_rows,
        "project": None if found.project is None else dataclasses.asdict(found.project),
    }
    send_word(out, word)
    del found
    columns.reverse()
    while columns:
        for array in columns.pop()[1]:
            column = pa.table({"": array})
            with pa.ipc.new_stream(pa.PythonFile(out, mode="w"), column.schema) as stream:
                stream.write_table(column, max_chunksize=_ROWS_AT_ONCE)
            out.flush()
    send_word(out, {_END: True})


def receive_table(stream: BinaryIO, word: Mapping[str, Any]) -> Table:
    """Receive a table after its first word."""
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
            name: KindGuess(kind=ColumnKind(kind), reason=reason, constant=constant)
            for name, (kind, reason, constant) in word["guesses"].items()
        },
        notes=tuple(word["notes"]),
        fingerprint=word["fingerprint"],
        labels=dict(word["labels"]),
        maybe_thousands=dict(word["maybe_thousands"]),
        doubtful_rows=tuple(word["doubtful_rows"]),
        empty_rows=tuple(word["empty_rows"]),
        project=None if word["project"] is None else Project(**word["project"]),
    )


def exactly(stream: BinaryIO, size: int) -> bytes:
    """Read exactly `size` bytes."""
    data = bytearray()
    while len(data) < size:
        more = stream.read(size - len(data))
        if not more:
            raise EOFError
        data += more
    return bytes(data)
