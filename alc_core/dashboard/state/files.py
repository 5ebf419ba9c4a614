"""Files as they were given, read or not readable and why, and test releases made here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from alc_core.releases.release import Release
from alc_core.tables.table import Table

Slot = Literal["original", "release", "holdout"]


def campaign_file_stem(original: str, what: str) -> str:
    """Return a name for files about a campaign: the original's name, and what they hold.

    Examples
    --------
    >>> campaign_file_stem("people 2024.csv", "findings")
    'alc-people-2024-csv-findings'
    """
    return re.sub(r"[^\w-]+", "-", f"alc {original} {what}").strip("-")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """How a file is to be read where the reader's own guess is wrong; None leaves it the guess."""

    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    sheet: str | int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoadedFile:
    """A table, and the bytes it came from so that it can be read again (none for demo data)."""

    table: Table  # With the names in force, see :meth:`AppState.name_tables`
    read: Table  # As the file has it
    data: bytes | None = None
    options: ReadingOptions = ReadingOptions()

    @classmethod
    def of(
        cls, table: Table, data: bytes | None = None, options: ReadingOptions = ReadingOptions()
    ) -> LoadedFile:
        """Return a file as it was read."""
        return cls(table=table, read=table, data=data, options=options)

    @property
    def key(self) -> tuple[str, str, ReadingOptions]:
        """By what its table is known again."""
        return self.table.name, self.table.fingerprint, self.options


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FailedFile:
    """A file that could not be read, and why."""

    slot: Slot
    name: str
    data: bytes
    options: ReadingOptions
    message: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampleRelease:
    """A test release, and what it was made of."""

    release: Release  # With a name that says how it was made
    unknown: str  # The column that it protects in its way
    original: str  # Fingerprint of the original
