"""Reading of Parquet files by column, text as codes.

Text is read by batch in dictionary encoding: ten million rows fit in a few gigabytes.
"""

from __future__ import annotations

import re
from contextlib import suppress

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from alc_core.phrasing import quoted
from alc_core.tables.formats.columns import BLANKS, clean_names, finished, plain_columns
from alc_core.tables.formats.recognise import MAX_RATIO, RATIO_FROM_BYTES
from alc_core.tables.formats.source import (
    TOO_LARGE,
    Content,
    Options,
    Source,
    readable_size,
    refused,
)
from alc_core.tables.values.texts import LARGEST_EXACT, MOST_DISTINCT, canonical_labels

_BATCH = 2**18
_INDEX_COLUMN = re.compile(r"__index_level_[0-9]+__\Z")
_DAMAGES = (pa.ArrowException, OSError, ValueError, IndexError)


def read_parquet(source: Source, options: Options) -> Content:
    """Read a Parquet file."""
    damaged = source.damaged("a Parquet file")
    with refused(damaged, *_DAMAGES), pq.ParquetFile(source.readable()) as file:
        size, schema = _size(file), file.schema_arrow
    if size > options.max_bytes:
        raise source.error(
            f"unpacks to {readable_size(size)}, more than the limit of"
            f" {readable_size(options.max_bytes)}",
            TOO_LARGE,
        )
    if size > RATIO_FROM_BYTES and size > MAX_RATIO * source.size():
        raise source.error(
            f"claims a table of more than {MAX_RATIO} times its size",
            "If you trust it, use CSV.",
        )
    clean_names(source, schema.names)
    if nested := [field.name for field in schema if pa.types.is_nested(field.type)]:
        raise source.error(
            f"has lists or structures in {quoted(nested)}", "Keep columns with one value per row."
        )
    index = [name for name in schema.names if _INDEX_COLUMN.match(name)]
    told_apart = len(set(schema.names)) == len(schema.names)
    with refused(damaged, *_DAMAGES):
        frame = _columns(source, index) if told_apart else _whole(source, index)
    notes: tuple[str, ...] = ("Format: Parquet.",)
    if index:
        notes = (*notes, "Row labels stored by pandas were left out.")
    return finished(source, frame, notes, is_plain=told_apart)


def _size(file: pq.ParquetFile) -> int:
    """Return the unpacked bytes, or the columns' in memory if more: few bytes can hold many."""
    metadata = file.metadata
    groups = range(metadata.num_row_groups)
    unpacked = sum(metadata.row_group(group).total_byte_size for group in groups)
    width = sum(_width(field.type) for field in file.schema_arrow)
    return max(int(unpacked), int(metadata.num_rows) * width)


def _width(kind: pa.DataType) -> int:
    try:
        return max(1, int(kind.bit_width) // 8)
    except ValueError:  # read as codes
        return 4


def _whole(source: Source, index: list[str]) -> pd.DataFrame:
    with pq.ParquetFile(source.readable()) as file:
        whole = file.read().drop_columns(index)
    whole.validate(full=True)
    return _plain(whole)


def _columns(source: Source, index: list[str]) -> pd.DataFrame:
    with pq.ParquetFile(source.readable()) as file:
        fields = [field for field in file.schema_arrow if field.name not in index]
        text = [field.name for field in fields if _is_text(field.type)]
        with pq.ParquetFile(source.readable(), read_dictionary=text) as coded:
            columns = {field.name: _column(source, file, coded, field) for field in fields}
    return pd.DataFrame(columns, copy=False)


def _column(
    source: Source, file: pq.ParquetFile, coded: pq.ParquetFile, field: pa.Field
) -> pd.Series:
    if _is_coded(field.type) and (labels := _labels(coded, field)) is not None:
        return labels
    if pa.types.is_decimal(field.type):
        return _decimals(file, field.name)
    whole = file.read(columns=[field.name])
    whole.validate(full=True)  # Damaged text may not be UTF-8
    cells = whole.column(field.name)
    if cells.null_count and pa.types.is_integer(field.type) and _any_long(cells):
        cells = pc.cast(cells, pa.string())
    frame = _plain(pa.table({field.name: cells}))
    del whole, cells
    if frame[field.name].dtype == object or pa.types.is_dictionary(field.type):
        frame = plain_columns(source, frame)
    series: pd.Series = frame[field.name]
    return series


def _any_long(cells: pa.ChunkedArray) -> bool:
    ends = pc.min_max(cells)
    return any(abs(ends[end].as_py() or 0) >= LARGEST_EXACT for end in ("min", "max"))


def _plain(table: pa.Table) -> pd.DataFrame:
    frame: pd.DataFrame = table.to_pandas(ignore_metadata=True, date_as_object=False)
    return frame


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_coded(kind: pa.DataType) -> bool:
    """Return whether values are read as codes: text, or becoming text."""
    as_text = (
        pa.types.is_dictionary,
        pa.types.is_time,
        pa.types.is_binary,
        pa.types.is_large_binary,
        pa.types.is_fixed_size_binary,
    )
    return _is_text(kind) or any(matches(kind) for matches in as_text)


def _labels(file: pq.ParquetFile, field: pa.Field) -> pd.Series | None:
    """Read a column as codes, if not too many."""
    n_rows = file.metadata.num_rows
    codes = np.empty(n_rows, dtype=np.int32)
    distinct: pa.Array | None = None
    end = 0
    for batch in file.iter_batches(batch_size=_BATCH, columns=[field.name]):
        cells = batch.column(batch.schema.get_field_index(field.name))
        if not pa.types.is_dictionary(cells.type):
            cells = pc.dictionary_encode(cells)
        values = cells.dictionary
        if distinct is None:
            distinct = values.slice(0, 0)
        new = values.filter(pc.invert(pc.is_in(values, distinct)))
        distinct = pa.concat_arrays([distinct, pc.drop_null(pc.unique(new))])
        if len(distinct) > MOST_DISTINCT * n_rows:
            return None
        start, end = end, end + len(cells)
        codes[start:end] = _looked_up(cells.indices, pc.index_in(values, distinct))
    if distinct is None:
        return None
    distinct.validate(full=True)
    texts = distinct.to_pandas() if _is_text(field.type) else canonical_labels(distinct.to_pandas())
    return _categorical(codes, texts.where(~texts.isin(BLANKS), None))


def _looked_up(indices: pa.Array, places: pa.Array) -> NDArray[np.int32]:
    """Return each index's place, -1 if missing."""
    rows = np.asarray(pc.fill_null(indices, len(places)), dtype=np.int64)
    of_index = np.asarray(pc.fill_null(places, -1), dtype=np.int32)
    return np.append(of_index, np.int32(-1))[rows]


def _categorical(codes: NDArray[np.int32], texts: pd.Series) -> pd.Series:
    appearing = pd.unique(codes)
    appearing = appearing[appearing >= 0]
    new, distinct = pd.factorize(texts.iloc[appearing], use_na_sentinel=True)
    mapping = np.full(len(texts) + 1, -1, dtype=np.int32)
    mapping[appearing] = new
    return pd.Series(
        pd.Categorical.from_codes(
            mapping[codes], categories=pd.Index(distinct).astype("str"), validate=False
        )
    )


def _decimals(file: pq.ParquetFile, name: str) -> pd.Series:
    """Read decimals as floats through text, which rounds only once.

    Whole numbers that floats would round stay text.
    """
    values = np.empty(file.metadata.num_rows, dtype=np.float64)
    end = 0
    for batch in file.iter_batches(batch_size=_BATCH, columns=[name]):
        cells = batch.column(batch.schema.get_field_index(name))
        start, end = end, end + len(cells)
        numbers = pc.cast(pc.cast(cells, pa.string()), pa.float64())
        values[start:end] = numbers.to_numpy(zero_copy_only=False)
    if (np.abs(values) >= LARGEST_EXACT).any():
        with suppress(pa.ArrowInvalid):  # where one has a fraction
            whole = pc.cast(file.read(columns=[name]).column(name), pa.decimal256(76, 0))
            texts: pd.Series = _plain(pa.table({name: pc.cast(whole, pa.string())}))[name]
            return texts
    return pd.Series(values)
