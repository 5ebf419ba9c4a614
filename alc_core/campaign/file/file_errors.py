"""What goes wrong with a campaign's file, in one line for the user, and never with its content."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alc_core.errors import InputError


class CampaignFileError(InputError):
    """A campaign's file is missing, damaged, locked, of another kind, or cannot be written."""


_NO_ACCESS = "cannot be written. Allow writing to it and to its folder, or copy it elsewhere."
_LOCKED = "is locked by another program. Wait until it is done, or close it, and try again."
_INSTEAD = "Use an earlier copy of it, or start the campaign again in another file."
_REASONS = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_PERM: _NO_ACCESS,
    sqlite3.SQLITE_READONLY: _NO_ACCESS,
    sqlite3.SQLITE_FULL: (
        "could not be written: the disk is full. Free some space and continue with the same file: "
        "everything that had finished is in it."
    ),
    sqlite3.SQLITE_IOERR: (
        "could not be read or written: the disk reports an error. Check the disk and its free "
        "space, then continue with the same file: everything that had finished is in it."
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "cannot be opened. Check that its folder exists and that you may read and write in it, or "
        "copy the file elsewhere."
    ),
    sqlite3.SQLITE_NOTADB: (
        "is not a campaign: it is not a SQLite database. Choose a file that this tool wrote."
    ),
    sqlite3.SQLITE_CORRUPT: f"is damaged. {_INSTEAD}",
}


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the file system into :class:`CampaignFileError`."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        name = getattr(error, "sqlite_errorname", type(error).__name__)
        other = f"cannot be used ({name}). {_INSTEAD}"
        raise CampaignFileError(f"'{path}' {_REASONS.get(primary_code(error), other)}") from None
    except OSError as error:
        raise CampaignFileError(
            f"'{path}' cannot be used: {error.strerror or type(error).__name__}. Check the path, "
            "or choose another one."
        ) from None


def refuse_missing_folder(path: Path) -> None:
    """Raise :class:`CampaignFileError` if there is no folder for a file."""
    if not path.parent.is_dir():
        raise CampaignFileError(
            f"'{path}' cannot be made: there is no folder '{path.parent}'. Make the folder first, "
            "or choose another one."
        )


def primary_code(error: Exception) -> int:
    """Return SQLite's primary result code; 0 where the error is not from SQLite itself."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


@contextmanager
def content_errors(path: Path, part: str) -> Iterator[None]:
    """Turn what goes wrong in decoding a part of the file into :class:`CampaignFileError`."""
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
    """Return the error for a part of the file that is not as it was written."""
    return CampaignFileError(f"'{path}' is damaged: {part} cannot be read. {_INSTEAD}")
