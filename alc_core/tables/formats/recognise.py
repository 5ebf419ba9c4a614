"""Locating, recognizing and unpacking files."""

from __future__ import annotations

import bz2
import glob
import gzip
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from typing import IO, Any

from alc_core.errors import TableReadError
from alc_core.phrasing import numbered, printable, quoted
from alc_core.tables.formats.encoding import not_a_table
from alc_core.tables.formats.source import PART, TOO_LARGE, Source, readable_size, refused

# Format by extension, if the first bytes do not show it; in order of use
EXTENSIONS = {
    extension: kind
    for kind, extensions in {
        "text": ".csv .tsv .tab .txt .dat",
        "parquet": ".parquet .pq",
        "excel": ".xlsx .xlsm .xlsb .xls .ods",
        "stata": ".dta",
        "sas": ".sas7bdat .xpt",
        "spss": ".sav .zsav",
        "r_data": ".rds .rdata .rda",
        "arx": ".deid",
        "arrow": ".arrow .arrows .feather",
        "json": ".json .jsonl .ndjson",
    }.items()
    for extension in extensions.split()
}

# Not a text with such a first column
_PARQUET = re.compile(rb"PAR1(?![\t\n\r\x20-\xff])")
_SQLITE_MAGIC = b"SQLite format 3\0"
# A workspace or object: binary in either order, or text
_R_DATA = re.compile(
    rb"RD[AXB][23]\n[AXB]\r?\n|X\n\0\0\0[\2\3]|B\n(?:[\2\3]\0\0\0|\0\0\0[\2\3])"
    rb"|A(\r?\n)[23]\1[12][0-9]{5}\1[12][0-9]{5}\1"
)
_ARROW = re.compile(
    rb"ARROW1\0\0|FEA1(?![\t\n\r\x20-\xff])|\xff\xff\xff\xff..\0\0.\0\0\0", re.DOTALL
)
_JSON = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\[\s*\{|\{\s*")')
_DUCKDB = re.compile(rb".{8}DUCK..\0{6}", re.DOTALL)
_PATTERNS = (
    (_PARQUET, "parquet"), (_DUCKDB, "duckdb"), (_R_DATA, "r_data"), (_ARROW, "arrow")
)  # fmt: skip
ARX_INPUT = "data/input.csv"  # Original in a project of ARX
HEAD = 20  # Bytes that show whether to read a path in pieces
_MAGICS = (
    (_SQLITE_MAGIC, "sqlite"),
    (b"<stata_dta>", "stata"),
    (b"$FL2", "spss"),
    (b"$FL3", "spss"),
    (b"HEADER RECORD", "sas"),
    (b"\x00" * 12 + b"\xc2\xea\x81", "sas"),
)
_FOREIGN = (
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"{\\rtf", "an RTF document"),
)
_MARK = b"\xef\xbb\xbf"
_PAGE_HEAD = 4096
_PAGE = re.compile(
    rb"\s*(?:<!--.*?-->\s*|<\?xml[^>]*>\s*)*<(?:!doctype\s+html|html|head|body|table|thead|tr|meta"
    rb"|title|style|script|link|base|div|center|form|font|span|h[1-6]|p|br|hr|b|i)\b",
    re.IGNORECASE | re.DOTALL,
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_TABLE_TAG = re.compile(rb"<table\b", re.IGNORECASE)
_SHEET_XML = b"urn:schemas-microsoft-com:office:spreadsheet"
_ARCHIVE = re.compile(rb"\s*(?:mime-version|from|subject|date|content-type):", re.IGNORECASE)
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_ENCRYPTED_XLS = re.compile(rb"\x09\x08\x10\x00.{16}(?:\x86\x00\x00\x00)?\x2f\x00", re.DOTALL)


def has_pieces(head: bytes) -> bool:
    """Return whether such a file is read in pieces."""
    return head.startswith(_SQLITE_MAGIC) or bool(_PARQUET.match(head) or _DUCKDB.match(head))


def file_format(source: Source) -> str:
    """Recognize the format by first bytes, or the extension."""
    data = source.data
    _refuse_foreign(source)
    for magic, kind in _MAGICS:
        if data.startswith(magic):
            return kind
    if is_arx_project(source):
        return "arx"
    for pattern, kind in _PATTERNS:
        if pattern.match(data):
            return kind
    if data.startswith(_OLE_MAGIC) or is_workbook(source):
        return "excel"
    if _is_page(source) or is_archive(source):
        return "page"
    if _JSON.match(data):
        return "json"
    expected = EXTENSIONS.get(source.extension, "text")
    if expected == "excel" and not _is_text_table(data[:_PAGE_HEAD]):
        raise damaged_workbook(source)
    return "text" if expected == "excel" else expected


def _is_text_table(head: bytes) -> bool:
    """Return whether a file begins with lines of separated cells."""
    wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    lines = (head[2:].replace(b"\0", b"") if wide else head).splitlines()
    return len(lines) > 1 and not _CONTROL.search(b"".join(lines)) and any(
        each in lines[0] and each in lines[1] for each in (b"\t", b";", b",")
    )  # fmt: skip


def _is_page(source: Source) -> bool:
    """Return whether a file is a web page, or Excel's XML of 2003."""
    head = source.data[:_PAGE_HEAD].removeprefix(_MARK).lstrip(b"\xff\xfe").replace(b"\0", b"")
    if _PAGE.match(head) or (head.lstrip().startswith(b"<?xml") and _SHEET_XML in head):
        return True
    is_text = b"\0" not in source.data[:_PAGE_HEAD]
    named = EXTENSIONS.get(source.extension) == "excel" or source.extension in (".html", ".htm")
    return named and is_text and _TABLE_TAG.search(source.data) is not None


def is_archive(source: Source) -> bool:
    """Return whether a file is a web archive (MHTML)."""
    head = source.data[:_PAGE_HEAD]
    return _ARCHIVE.match(head) is not None and b"multipart/related" in head.lower()


def damaged_workbook(source: Source) -> TableReadError:
    """Return the error for a workbook that cannot be opened."""
    return source.damaged("a workbook", "Save it as .xlsx or CSV.")


def protected_workbook(source: Source) -> TableReadError:
    """Return the error for a workbook that asks for a password."""
    return source.error("is a workbook with a password", "Save it without a password.")


def _refuse_foreign(source: Source) -> None:
    data = source.data
    for magic, what in _FOREIGN:
        if data.startswith(magic):
            raise not_a_table(source, what)
    if data.startswith(_OLE_MAGIC) and (_ENCRYPTED in data or _ENCRYPTED_XLS.search(data)):
        raise protected_workbook(source)
    head = data[:2000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<!doctype", b"<?xml", b"<svg")) and not _is_page(source):
        raise not_a_table(source, "XML")


# Largest ratio of unpacked to packed size; real tables stay below about 100
MAX_RATIO = 500
# Smaller repetitive files compress without bounds
RATIO_FROM_BYTES = 64 * 2**20
_CHUNK = 2**20
PACKED = frozenset({".gz", ".zip", ".bz2", ".xz", ".zst"})  # Extensions of packed files

# Starts of streams; bzip2's is followed by level and number below
_STREAMS = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zst"}
_BZIP2_BLOCK = b"1AY&SY"
_ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
_MAX_LAYERS = 2


def unpack(source: Source, *, max_bytes: int) -> tuple[Source, tuple[str, ...]]:
    """Unpack a table file; other sources pass unchanged."""
    notes: tuple[str, ...] = ()
    for _ in range(_MAX_LAYERS):
        if kind := _stream_kind(source.data):
            source = _from_stream(source, kind, max_bytes)
        elif source.data.startswith(_ZIP_MAGICS) and not _is_whole(source):
            source, member = _from_zip(source, max_bytes)
            notes = (*notes, f"Unpacked '{member}' from the zip file.")
        else:
            break
    packed = _stream_kind(source.data) or source.data.startswith(_ZIP_MAGICS)
    if packed and not _is_whole(source):
        raise source.error("is packed several times", "Unpack it and use the table.")
    return source, notes


def is_workbook(source: Source) -> bool:
    """Return whether a zip file is an Office document."""
    names = _members(source)
    return "[Content_Types].xml" in names or "mimetype" in names


def is_arx_project(source: Source) -> bool:
    """Return whether a zip file is a project of ARX."""
    return {"project.xml", ARX_INPUT} <= _members(source)


def _is_whole(source: Source) -> bool:
    return is_workbook(source) or is_arx_project(source)


def _members(source: Source) -> set[str]:
    if not source.data.startswith(_ZIP_MAGICS[0]):
        return set()
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            return set(archive.namelist())
    except (zipfile.BadZipFile, OSError, RuntimeError, ValueError):
        return set()


def check_declared_sizes(source: Source, archive: zipfile.ZipFile, *, max_bytes: int) -> None:
    """Refuse an archive that declares too large a size."""
    declared = sum(member.file_size for member in archive.infolist())
    _check_sizes(source, packed=len(source.data), unpacked=declared, max_bytes=max_bytes)


def _stream_kind(data: bytes) -> str:
    kind = next((kind for magic, kind in _STREAMS.items() if data.startswith(magic)), "")
    return "" if kind == "bzip2" and data[4:10] != _BZIP2_BLOCK else kind


def _zst(packed: io.BytesIO) -> Any:
    import pyarrow as pa

    return pa.CompressedInputStream(packed, "zstd")


_OPEN: dict[str, Callable[[io.BytesIO], Any]] = {
    "gzip": gzip.open, "bzip2": bz2.open, "xz": lzma.open, "zst": _zst
}  # fmt: skip


def _from_stream(source: Source, kind: str, max_bytes: int) -> Source:
    damaged = source.error(
        f"is a damaged or incomplete {kind} file", "Download or compress it again."
    )
    damages = (OSError, EOFError, zlib.error, lzma.LZMAError)
    with refused(damaged, *damages), _OPEN[kind](io.BytesIO(source.data)) as stream:
        data = _read_within(source, stream, packed=len(source.data), max_bytes=max_bytes)
    return Source(name=source.name, data=data, extension=source.extension)


def _from_zip(source: Source, max_bytes: int) -> tuple[Source, str]:
    damaged = source.error(
        "is a damaged, incomplete or unusual zip file",
        "Download or compress it again.",
    )
    # Each compression has its own errors
    with refused(damaged, Exception), zipfile.ZipFile(io.BytesIO(source.data)) as archive:
        member = _only_member(source, archive)
        if member.flag_bits & 1:
            raise source.error("has a password", "Unpack it and use the table.")
        check_declared_sizes(source, archive, max_bytes=max_bytes)
        with archive.open(member) as stream:
            data = _read_within(source, stream, packed=len(source.data), max_bytes=max_bytes)
    inner = PurePath(member.filename)
    if inner.suffix.lower() in PACKED:
        inner = inner.with_suffix("")
    return Source(name=source.name, data=data, extension=inner.suffix.lower()), member.filename


def _only_member(source: Source, archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    members = [
        member
        for member in archive.infolist()
        if not member.is_dir()
        and "__MACOSX" not in member.filename
        and not PurePath(member.filename).name.startswith(".")
    ]
    if not members:
        raise source.error("is an empty zip file", "Use a zip with one table.")
    if len(members) > 1:
        names = quoted([member.filename for member in members])
        raise source.error(
            f"is a zip of {len(members)} files: {names}",
            "Unpack it and use one.",
        )
    return members[0]


def _read_within(source: Source, stream: IO[bytes], *, packed: int, max_bytes: int) -> bytes:
    buffer = bytearray()
    while chunk := stream.read(_CHUNK):
        buffer += chunk
        _check_sizes(source, packed=packed, unpacked=len(buffer), max_bytes=max_bytes)
    return bytes(buffer)


def _check_sizes(source: Source, *, packed: int, unpacked: int, max_bytes: int) -> None:
    if unpacked > max_bytes:
        raise source.error(
            f"unpacks to more than the limit of {readable_size(max_bytes)}",
            TOO_LARGE,
        )
    if unpacked > RATIO_FROM_BYTES and unpacked > MAX_RATIO * max(packed, 1):
        raise source.error(
            f"unpacks to more than {MAX_RATIO} times its size (a zip bomb?)",
            "If you trust it, unpack it.",
        )


def located(path: str, name: str | None) -> tuple[str, list[str], str | None]:
    """Return a table's name, files, and table in them."""
    file, colons, part = path.rpartition(PART)
    if not colons or Path(path).exists():
        file, part = path, ""
    label = name or PurePath(file).name + (f"{PART}{part}" if part else "")
    files = _files(file)
    if own := [each for each in files if each != file and PurePath(each).name == part]:
        return label, own, None
    return label, files, part or None


def _files(path: str) -> list[str]:
    if Path(path).is_dir():
        found = [each for each in Path(path).iterdir() if not each.name.startswith((".", "_"))]
    elif glob.has_magic(path) and not Path(path).exists():
        found = [Path(each) for each in glob.glob(path)]  # noqa: PTH207 - its folder may be one, too
    else:
        return [path]
    shown = printable(path)
    if not found:
        raise TableReadError(f"No file '{shown}'. Check the path.")
    if folders := sorted(each.name for each in found if each.is_dir()):
        raise TableReadError(
            f"'{shown}' has the folders {printable(quoted(folders))}, whose names are not read. "
            "Pass one, or one file."
        )
    return sorted(map(str, found))


def joined(label: str, parts: Sequence[Source], *, max_bytes: int) -> tuple[Source, str]:
    """Return files with equal columns as one, and a note."""
    formats = {file_format(part): part for part in parts}
    if len(formats) > 1 or not formats.keys() <= {"text", "parquet"}:
        part = next(reversed(formats.values()))
        raise part.error(
            f"cannot be joined with the other files of '{label}'",
            "Parts must all be text (CSV) or all Parquet.",
            _names(parts),
        )
    is_text = "text" in formats
    data = _text(parts) if is_text else _parquet(parts)
    whole = Source(name=label, data=data, extension=parts[0].extension)
    if len(data) > max_bytes:
        raise whole.error(
            f"exceeds the limit of {readable_size(max_bytes)}",
            TOO_LARGE,
        )
    names = quoted(_names(parts))
    return whole, f"Read from {numbered(len(parts), 'file')}: {names}."


def _names(parts: Sequence[Source]) -> list[str]:
    return [part.name for part in parts]


def _text(parts: Sequence[Source]) -> bytes:
    header = parts[0].data.removeprefix(_MARK).partition(b"\n")[0].rstrip(b"\r")
    if b"\r" in header or b"\0" in header or header.count(b'"') % 2:
        raise parts[0].error(
            "does not begin with a one-line header in UTF-8",
            "Join the parts into one file, or save them as Parquet.",
        )
    whole = bytearray(header + b"\n")
    for part in parts:
        own, _, rows = part.data.removeprefix(_MARK).partition(b"\n")
        if own.rstrip(b"\r") != header:
            raise part.error(
                f"does not begin with the same line as '{parts[0].name}'",
                "Give all the same columns, or move other files.",
                _names(parts),
            )
        whole += rows if not rows or rows.endswith(b"\n") else rows + b"\n"
    return bytes(whole)


def _parquet(parts: Sequence[Source]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    whole = io.BytesIO()
    apart = parts[0].error(
        "and the files beside it do not fit together: one is damaged, or has other types",
        "Write them again alike, or as one file.",
    )
    with refused(apart, pa.ArrowException, OSError, ValueError, KeyError):
        schemas = [pq.read_schema(part.readable()).remove_metadata() for part in parts]
        for part, schema in zip(parts, schemas, strict=True):
            if sorted(schema.names) != sorted(schemas[0].names):
                raise part.error(
                    f"has other columns than '{parts[0].name}'",
                    "Give all the same columns, or move other files.",
                    _names(parts),
                )
        shared = pa.unify_schemas(schemas, promote_options="permissive")
        with pq.ParquetWriter(whole, shared) as out:
            for part in parts:
                with pq.ParquetFile(part.readable()) as file:
                    for batch in file.iter_batches():
                        rows = pa.Table.from_batches([batch]).select(shared.names)
                        out.write_table(rows.cast(shared))
    return whole.getvalue()
