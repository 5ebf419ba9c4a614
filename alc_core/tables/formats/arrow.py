"""Reading of Arrow files through Parquet."""

from __future__ import annotations

import io
from dataclasses import replace

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

from alc_core.tables.formats.parquet import read_parquet
from alc_core.tables.formats.source import Content, Options, Source, refused

_FIRST_VERSION = b"FEA1"
_FILE = b"ARROW1"


def read_arrow(source: Source, options: Options) -> Content:
    """Read an Arrow file or stream, or a Feather file."""
    damaged = source.damaged("an Arrow file")
    file = io.BytesIO()
    with refused(damaged, pa.ArrowException, OSError, ValueError, IndexError, TypeError):
        rows = _rows(source.data)
        rows.validate(full=True)
        pq.write_table(rows.replace_schema_metadata(), file)
    del rows
    packed = Source(name=source.name, data=file.getvalue(), extension="")
    content = read_parquet(packed, options)
    return replace(content, notes=("Format: Arrow.", *content.notes[1:]))


def _rows(data: bytes) -> pa.Table:
    if data.startswith(_FIRST_VERSION):
        return feather.read_table(io.BytesIO(data))
    opened = pa.ipc.open_file if data.startswith(_FILE) else pa.ipc.open_stream
    with opened(pa.BufferReader(data)) as reader:
        return reader.read_all()
