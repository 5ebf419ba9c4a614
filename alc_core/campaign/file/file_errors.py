"""Errors of a campaign's file, never with its content."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alc_core.errors import InputError


class CampaignFileError(InputError):
    """A campaign's file is missing, damaged, locked, not one, or not writable."""


_NO_ACCESS = "cannot be written. Copy it elsewhere."
_LOCKED = "is locked by another program. Close that."
_INSTEAD = "Use an earlier copy, or another file."
_REASONS = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_PERM: _NO_ACCESS,
    sqlite3.SQLITE_READONLY: _NO_ACCESS,
    sqlite3.SQLITE_FULL: "could not be written: the disk is full. Free space, then continue.",
    sqlite3.SQLITE_IOERR: ("could not be read or written. Check the disk, then continue."),
    sqlite3.SQLITE_CANTOPEN: "cannot be opened. Check permissions.",
    sqlite3.SQLITE_NOTADB: ("is not a review file. Choose another."),
    sqlite3.SQLITE_CORRUPT: f"is damaged. {_INSTEAD}",
}


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and file system into :class:`CampaignFileError`."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        name = getattr(error, "sqlite_errorname", type(error).__name__)
        other = f"cannot be used ({name}). {_INSTEAD}"
        raise CampaignFileError(f"'{path}' {_REASONS.get(primary_code(error), other)}") from None
    except OSError as error:
        raise CampaignFileError(
            f"'{path}' cannot be used: {error.strerror or type(error).__name__}. Check the path."
        ) from None


def refuse_missing_folder(path: Path) -> None:
    """Raise :class:`CampaignFileError` if there is no folder for a file."""
    if not path.parent.is_dir():
        raise CampaignFileError(
            f"'{path}' cannot be written: folder '{path.parent}' does not exist. Create it."
        )


def primary_code(error: Exception) -> int:
    """Return SQLite's primary result code; 0 for other errors."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


@contextmanager
def content_errors(path: Path, part: str) -> Iterator[None]:
    """Turn decoding errors into :class:`CampaignFileError`."""
    try:
        yield
    except CampaignFileError:
        raise
    except (
        ArithmeticError,
        InputError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
        AttributeError,
        zlib.error,
    ):
        raise damaged(path, part) from None


def damaged(path: Path, part: str) -> CampaignFileError:
    """Return the error for a damaged part of the file."""
    return CampaignFileError(f"'{path}' is damaged: {part} cannot be read. {_INSTEAD}")
