"""Recognising the format of a file, and what is not a table at all."""

from __future__ import annotations

import re

from alc_core.errors import TableReadError
from alc_core.tables.formats.encoding import not_a_table
from alc_core.tables.formats.source import Source
from alc_core.tables.formats.unpack import is_workbook

_EXTENSIONS = {
    extension: kind
    for kind, extensions in {
        "parquet": ".parquet .pq",
        "excel": ".xlsx .xlsm .xlsb .xls .ods",
        "stata": ".dta",
        "sas": ".sas7bdat .xpt",
        "spss": ".sav .zsav",
        "text": ".csv .tsv .tab .txt .dat",
    }.items()
    for extension in extensions.split()
}
PARQUET_MAGIC = b"PAR1"
"""First bytes of a Parquet file."""

_MAGICS = (
    (PARQUET_MAGIC, "parquet"),
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
    (b"RDX", "R data: export it as CSV with write.csv"),
    (b"X\n\x00\x00\x00", "R data: export it as CSV with write.csv"),
    (b"SQLite format 3", "an SQLite database: export the table as CSV"),
)
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_ENCRYPTED_XLS = re.compile(rb"\x09\x08\x10\x00.{16}(?:\x86\x00\x00\x00)?\x2f\x00", re.DOTALL)


def file_format(source: Source) -> str:
    """Recognise the format by its first bytes, and by the extension where these do not show it."""
    data = source.data
    _refuse_foreign(source)
    for magic, kind in _MAGICS:
        if data.startswith(magic):
            return kind
    if data.startswith(_OLE_MAGIC) or is_workbook(source):
        return "excel"
    expected = _EXTENSIONS.get(source.extension, "text")
    if expected == "excel":
        raise damaged_workbook(source)
    return expected


def damaged_workbook(source: Source) -> TableReadError:
    """Return the error for a workbook that cannot be opened."""
    return source.error(
        "is damaged, or is not a workbook",
        "Open it in Excel, save it again as .xlsx, or export the sheet as CSV.",
    )


def protected_workbook(source: Source) -> TableReadError:
    """Return the error for a workbook that asks for a password."""
    return source.error(
        "is a workbook protected by a password", "Save it without a password and use that file."
    )


def _refuse_foreign(source: Source) -> None:
    data = source.data
    for magic, what in _FOREIGN:
        if data.startswith(magic):
            raise not_a_table(source, what)
    if data.startswith(_OLE_MAGIC) and (_ENCRYPTED in data or _ENCRYPTED_XLS.search(data)):
        raise protected_workbook(source)
    head = data[:2000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<!doctype", b"<html", b"<?xml", b"<svg")):
        raise not_a_table(source, "HTML or XML")
    if source.extension in (".json", ".jsonl", ".ndjson") or head.startswith(
        (b'{"', b"{\n", b"[{")
    ):
        raise source.error("is a JSON file", "Export the table as CSV or Parquet.")
