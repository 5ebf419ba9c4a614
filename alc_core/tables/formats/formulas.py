"""Formulas of a workbook that were never calculated, and cells that hold an error.

Readers take both for empty cells. So they are looked up in the XML of .xlsx and .ods workbooks.
"""

from __future__ import annotations

import io
import re
import zipfile
from posixpath import join, normpath
from xml.etree import ElementTree as ET
from xml.sax.saxutils import quoteattr

from alc_core.tables.formats.source import Source, counted

_BOOK, _BOOK_LINKS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_PARTS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_CELL_WITHOUT_VALUE = re.compile(
    rb"<c\b([^>]*)>\s*<f\b(?:[^>]*/>|[^>]*>[^<]*</f>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>"
)
_TEXT_CELL = re.compile(rb'\bt="str"')
_ERROR_CELL = re.compile(rb'<c\b[^>]*\bt="e"')
_ODS_FORMULA = re.compile(rb"<table:table-cell\b[^>]*\btable:formula=[^>]*>")
_ODS_VALUE = re.compile(rb"\boffice:value-type=")


def check_formulas(source: Source, sheet: str) -> int | None:
    """Refuse formulas that were never calculated: their cells would silently be missing."""
    if not zipfile.is_zipfile(io.BytesIO(source.data)):
        return None
    with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
        names = archive.namelist()
        if _BOOK in names:
            xml = archive.read(_sheet_path(archive, sheet))
            uncalculated, errors = _in_excel(xml), len(_ERROR_CELL.findall(xml))
        elif "content.xml" in names:
            uncalculated, errors = _in_ods(archive.read("content.xml"), sheet), 0
        else:
            return None
    if uncalculated:
        raise source.error(
            f"has {counted(uncalculated, 'formula')} without a stored result in sheet '{sheet}'",
            "Open it in Excel and save it (which stores the results), or export the sheet as CSV.",
        )
    return errors


def _sheet_path(archive: zipfile.ZipFile, sheet: str) -> str:
    """Return where the XML of a sheet is; a KeyError means that the workbook is damaged."""
    book = ET.fromstring(archive.read(_BOOK))  # noqa: S314 (expat limits expansion)
    links = {each.get("name"): each.get(_LINK) for each in book.iter(f"{_PARTS}sheet")}
    targets = {
        each.get("Id"): str(each.get("Target"))
        for each in ET.fromstring(archive.read(_BOOK_LINKS))  # noqa: S314
    }
    return normpath(join("/xl", targets[links[sheet]])).lstrip("/")


def _in_excel(xml: bytes) -> int:
    if b"<f" not in xml:
        return 0
    cells = _CELL_WITHOUT_VALUE.findall(xml)
    return sum(_TEXT_CELL.search(attributes) is None for attributes in cells)


def _in_ods(xml: bytes, sheet: str) -> int:
    named = f"table:name={quoteattr(sheet)}".encode()
    table = xml[max(xml.find(named), 0) :].partition(b"</table:table>")[0]
    return sum(_ODS_VALUE.search(cell) is None for cell in _ODS_FORMULA.findall(table))
