"""One table that lies in several files, or among others in one."""

from __future__ import annotations

import glob
import hashlib
import io
from collections.abc import Sequence
from pathlib import Path, PurePath

from alc_core.errors import TableReadError
from alc_core.phrasing import numbered, printable
from alc_core.tables.formats.recognise import file_format
from alc_core.tables.formats.source import Source, listed, readable_size

PART = "::"
"""Stands between the name of a file and that of a table or sheet in it."""

_MARK = b"\xef\xbb\xbf"


def located(path: str, name: str | None) -> tuple[str, list[str], str | None]:
    """Return what a table is called, the files it lies in, and which of their tables it is."""
    file, colons, part = path.rpartition(PART)
    if not colons or Path(path).exists():
        file, part = path, ""
    label = name or PurePath(file).name + (f"{PART}{part}" if part else "")
    return label, _files(file), part or None


def _files(path: str) -> list[str]:
    """Return the files of a folder or pattern in the order of their names, or else the file."""
    if Path(path).is_dir():
        found = [each for each in Path(path).iterdir() if not each.name.startswith((".", "_"))]
    elif glob.has_magic(path) and not Path(path).exists():
        found = [Path(each) for each in glob.glob(path)]  # noqa: PTH207 - its folder may be one, too
    else:
        return [path]
    shown = printable(path)
    if not found:
        raise TableReadError(f"There is no file at '{shown}'. Check the path and the spelling.")
    if folders := sorted(each.name for each in found if each.is_dir()):
        raise TableReadError(
            f"'{shown}' has folders in it: {printable(listed(folders))}. Pass one of them, or save "
            "the table as one file: names of folders are not read as values."
        )
    return sorted(map(str, found))


def joined(label: str, parts: Sequence[Source], *, max_bytes: int) -> tuple[Source, str]:
    """Return files with the same columns as one, and a note on them."""
    formats = {file_format(part): part for part in parts}
    if len(formats) > 1 or not formats.keys() <= {"text", "parquet"}:
        part = next(reversed(formats.values()))
        raise part.error(
            f"cannot be joined with the other files of '{label}'",
            "Parts of a table are either text files (CSV) or Parquet files.",
        )
    is_text = "text" in formats
    data = _text(parts) if is_text else _parquet(parts)
    whole = Source(name=label, data=data, extension=parts[0].extension)
    if len(data) > max_bytes:
        raise whole.error(
            f"comes to more than the limit of {readable_size(max_bytes)}",
            "Raise max_uncompressed_bytes, or keep fewer rows or columns.",
        )
    names = listed([part.name for part in parts])
    return whole, f"Read from {numbered(len(parts), 'file')}: {names}."


def joint_fingerprint(fingerprints: Sequence[str]) -> str:
    """Return the fingerprint of a file, or one of several files in their order."""
    if len(fingerprints) == 1:
        return fingerprints[0]
    return hashlib.sha256("\n".join(fingerprints).encode()).hexdigest()


def _text(parts: Sequence[Source]) -> bytes:
    header = parts[0].data.removeprefix(_MARK).partition(b"\n")[0].rstrip(b"\r")
    if b"\r" in header or b"\0" in header or header.count(b'"') % 2:
        raise parts[0].error(
            "does not begin with a header of one line in UTF-8 or a similar encoding",
            "Join the parts into one file, or save them as Parquet.",
        )
    whole = bytearray(header + b"\n")
    for part in parts:
        own, _, rows = part.data.removeprefix(_MARK).partition(b"\n")
        if own.rstrip(b"\r") != header:
            raise part.error(
                f"does not begin with the same line as '{parts[0].name}'",
                "Give all parts the same header, or keep other files elsewhere.",
            )
        whole += rows if not rows or rows.endswith(b"\n") else rows + b"\n"
    return bytes(whole)


def _parquet(parts: Sequence[Source]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    whole = io.BytesIO()
    try:
        schemas = [pq.read_schema(part.readable()).remove_metadata() for part in parts]
        for part, schema in zip(parts, schemas, strict=True):
            if sorted(schema.names) != sorted(schemas[0].names):
                raise part.error(
                    f"has other columns than '{parts[0].name}'",
                    "Give all parts the same columns, or keep other files elsewhere.",
                )
        shared = pa.unify_schemas(schemas, promote_options="permissive")
        with pq.ParquetWriter(whole, shared) as out:
            for part in parts:
                with pq.ParquetFile(part.readable()) as file:
                    for batch in file.iter_batches():
                        rows = pa.Table.from_batches([batch]).select(shared.names)
                        out.write_table(rows.cast(shared))
    except (TableReadError, MemoryError):
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError):
        raise parts[0].error(
            "and the files beside it cannot be joined: one is damaged, or has other types",
            "Write them again alike, or save the table as one file.",
        ) from None
    return whole.getvalue()
