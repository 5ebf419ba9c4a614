"""Bytes and name of what is read, and its error."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal

import pandas as pd

from alc_core.errors import InputError, TableReadError
from alc_core.phrasing import printable, quoted
from alc_core.runtime.files import check_file

PART = "::"  # Between file and table or sheet
TOO_LARGE = "If you trust it, raise max_uncompressed_bytes, or remove rows or columns."


Purpose = Literal["original", "release"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """What an anonymization tool's file says beside a table."""

    tool: str  # Name of the tool
    roles: Mapping[str, str] = field(default_factory=dict)  # Of some of the original's columns
    kinds: Mapping[str, str] = field(default_factory=dict)
    household: str = ""  # Column that says who lives together
    # By column, rows of value and coarser labels
    hierarchies: Mapping[str, list[list[str]]] = field(default_factory=dict)
    both: bool = False  # Whether one file has original and release
    # By the tool's name of a role, columns of which one has it
    unclear: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file's content."""

    name: str  # What messages call the file
    data: bytes  # The content, or first bytes of the file at `path`
    # Lower case, without compression suffix, such as ".csv"; or empty
    extension: str
    path: str | None = None  # Of a file too large to read at once

    def readable(self) -> str | BinaryIO:
        """Return the file's path, or else its content."""
        return io.BytesIO(self.data) if self.path is None else self.path

    def size(self) -> int:
        """Return the bytes of the whole content."""
        return len(self.data) if self.path is None else Path(self.path).stat().st_size

    def fingerprint(self) -> str:
        """Return the SHA-256 of the whole content."""
        if self.path is None:
            return hashlib.sha256(self.data).hexdigest()
        with Path(self.path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def error(
        self, problem: str, action: str, tables: Sequence[str] = (), *, together: bool = False
    ) -> TableReadError:
        """Return the exception to raise: one line with file and advice."""
        message = printable(f"'{self.name}' {problem}. {action}")
        return TableReadError(message, tables, together=together)

    def damaged(self, what: str, action: str = "Export it again, or as CSV.") -> TableReadError:
        """Return the error for content that is not as its format says."""
        return self.error(f"is damaged, or is not {what}", action)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Format settings; None means detect."""

    delimiter: str | None = None  # Of text files
    encoding: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    sheet: str | int | None = None  # Name, or position from 0
    header_row: str | None = None  # Rows with column names, such as "3" or "1-2"
    skip_rows: str | None = None  # Other rows that are not records, such as "2,-1", or "none"
    purpose: Purpose | None = None  # Table of an object with both
    max_bytes: int  # Limit on the uncompressed size


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """A frame, notes, and columns' names for people."""

    frame: pd.DataFrame
    notes: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    # Columns whose marks may separate thousands, and whether all numbers have one
    maybe_thousands: Mapping[str, bool] = field(default_factory=dict)
    flags: Mapping[str, str] = field(default_factory=dict)  # Columns of marks beside numbers
    identifiers: tuple[str, ...] = ()  # Columns of names of rows
    project: Project | None = None
    called: str = ""  # Table of an object with both
    doubtful: tuple[int, ...] = ()  # As `Table.doubtful_rows`
    part: str = ""  # As of :func:`further_table`


def further_table(table: str, tables: Sequence[str]) -> str:
    """Return the table read; empty for the default first."""
    return "" if table == tables[0] else table


def chosen_table(
    source: Source, tables: Sequence[str], options: Options, *, together: bool = False
) -> str:
    """Return the table to read: wanted, only one, or by purpose."""
    wanted = options.sheet
    if wanted is None and options.purpose in tables:
        return str(options.purpose)
    if wanted in tables:
        return str(wanted)
    if wanted is None and len(tables) == 1:
        return tables[0]
    has = f"has the tables {quoted(list(tables))}"
    file = source.name.partition(PART)[0]
    raise source.error(
        has if wanted is None else f"has no table '{wanted}'; it {has}",
        f"Choose one as the sheet, or '{file}{PART}{tables[0]}'.",
        tables,
        together=together,
    )


@contextmanager
def refused(error: TableReadError, *damages: type[Exception]) -> Iterator[None]:
    """Replace a reader's error about a damaged file."""
    try:
        yield
    except (TableReadError, MemoryError):
        raise
    except damages:
        raise error from None


def readable_size(size: float) -> str:
    """Return bytes in a fitting unit."""
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"


def file_content(source: str | bytes, *, name: str) -> bytes:
    """Return the bytes of a path, or bytes."""
    if isinstance(source, bytes):
        return source
    check_file(source)
    try:
        return Path(source).read_bytes()
    except OSError as error:
        raise InputError(f"'{name}' cannot be read: {error.strerror}.") from None
