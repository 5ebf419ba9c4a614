"""Exceptions of the package. Every message says what is wrong, where, and what to do about it.

Messages name tables, columns, counts and bounds, and values of a *release*; they never quote a cell
of the original table.
"""

from __future__ import annotations

from collections.abc import Sequence


class AlcError(Exception):
    """Base of every exception that the package raises on purpose."""


class InputError(AlcError, ValueError):
    """Something about the input cannot work as given; the message says what to change."""


class TableReadError(InputError):
    """A file cannot be read as a table.

    Attributes
    ----------
    tables : tuple of str
        The tables or sheets that it has, where one of them must be named.
    together : bool
        Whether these are one release, such as several syntheses of the same table.
    """

    def __init__(self, message: str, tables: Sequence[str] = (), *, together: bool = False) -> None:
        super().__init__(message)
        self.tables = tuple(tables)
        self.together = together


class ColumnError(InputError):
    """A column is missing, duplicated or of a kind that the request cannot use."""


class ParameterError(InputError):
    """A parameter is outside its bounds."""


class PreflightError(InputError):
    """The check of the tables found something that must be answered or fixed first.

    Attributes
    ----------
    findings : tuple of Finding
        The blocking findings.
    """

    def __init__(self, message: str, findings: tuple[object, ...] = ()) -> None:
        super().__init__(message)
        self.findings = findings


class NothingToAttackError(InputError):
    """No attack of a campaign can run; the message gives one reason for all."""


class CampaignMismatchError(InputError):
    """A campaign's file was made from other data or settings than those given."""


class CancelledError(AlcError):
    """The caller asked for the run to stop."""
