"""Reading of ARX projects, without loading Java objects."""

from __future__ import annotations

import csv
import html
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from alc_core.tables.formats.delimited import read_delimited
from alc_core.tables.formats.recognise import ARX_INPUT, check_declared_sizes
from alc_core.tables.formats.source import Content, Options, Project, Source, refused

_FOLDER = "input/"
_COLUMN = re.compile(r"<assigment>(.*?)</assigment>", re.DOTALL)  # as ARX spells it
_KINDS = {"Integer": "continuous", "Decimal": "continuous", "Date": "datetime"}


def read_arx(source: Source, options: Options) -> Content:
    """Read the original of a project."""
    if options.purpose == "release":
        raise source.error(
            "is an ARX project, whose output is not read",
            "Use it as the original. Export the release as CSV (File, Export data).",
        )
    damaged = source.error("is a damaged ARX project", "Save it again in ARX.")
    with refused(damaged, Exception), zipfile.ZipFile(io.BytesIO(source.data)) as archive:
        check_declared_sizes(source, archive, max_bytes=options.max_bytes)
        settings = archive.read("project.xml").decode("utf-8", "replace")
        separator, quote, escape = (
            _tag(settings, name) or usual
            for name, usual in (("separator", ";"), ("quote", '"'), ("escape", '"'))
        )
        data = archive.read(ARX_INPUT)
        if (quote, escape) != ('"', '"'):
            data = _requoted(data, separator, quote, escape)
        columns = [*_columns(archive)]
        hierarchies = {
            each.name: rows for each in columns if (rows := _hierarchy(archive, each, separator))
        }
    text = Source(name=source.name, data=data, extension=".csv")
    content = read_delimited(text, replace(options, delimiter=options.delimiter or separator))
    project = Project(
        tool="ARX",
        roles=_roles(columns),
        kinds={
            **{each.name: _KINDS[each.datatype] for each in columns if each.datatype in _KINDS},
            **{each.name: "identifier" for each in columns if each.type == "IDENTIFYING"},
        },
        hierarchies=hierarchies,
    )
    note = f"Format: ARX project, with roles, and hierarchies of {len(hierarchies)} columns."
    others = (each for each in content.notes if not each.startswith("Delimiter"))  # Not yours
    return replace(content, notes=(note, *others), project=project)


@dataclass(frozen=True, slots=True)
class _ArxColumn:
    name: str
    type: str  # Such as QUASI_IDENTIFYING
    datatype: str  # Such as Integer
    hierarchy: str  # File in the project, or empty


def _columns(archive: zipfile.ZipFile) -> Iterator[_ArxColumn]:
    definition = archive.read(f"{_FOLDER}definition.xml").decode("utf-8", "replace")
    for told in _COLUMN.findall(definition):
        yield _ArxColumn(
            _tag(told, "name"),
            _tag(told, "type").removesuffix("_ATTRIBUTE"),
            _tag(told, "datatype"),
            _tag(told, "ref"),
        )


def _tag(text: str, name: str) -> str:
    found = re.search(rf"<{name}>(.*?)</{name}>", text, re.DOTALL)
    return html.unescape(found.group(1)) if found else ""


def _roles(columns: Sequence[_ArxColumn]) -> dict[str, str]:
    """Return roles; without a sensitive column, key columns are protected."""
    sensitive = any(each.type == "SENSITIVE" for each in columns)
    roles = {
        "IDENTIFYING": "identifier",
        "QUASI_IDENTIFYING": "may be known" if sensitive else "both",
        "SENSITIVE": "to be protected",
    }
    return {each.name: roles[each.type] for each in columns if each.type in roles}


def _hierarchy(archive: zipfile.ZipFile, column: _ArxColumn, separator: str) -> list[list[str]]:
    if not column.hierarchy:
        return []
    text = archive.read(_FOLDER + column.hierarchy).decode("utf-8", "replace")
    return [row for row in csv.reader(text.splitlines(), delimiter=separator) if row]


def _requoted(data: bytes, separator: str, quote: str, escape: str) -> bytes:
    doubled = escape == quote
    rows = csv.reader(
        io.StringIO(data.decode("utf-8")),
        delimiter=separator,
        quotechar=quote,
        escapechar=None if doubled else escape,
        doublequote=doubled,
    )
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
