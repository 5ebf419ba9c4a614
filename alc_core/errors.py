"""Exceptions, whose messages say what is wrong, where, and what to do.

They may quote values of a *release*, never of the original.
"""

from __future__ import annotations

from collections.abc import Sequence


class AlcError(Exception):
    """Base of the package's exceptions.

    Examples
    --------
    >>> issubclass(ColumnError, AlcError)
    True
    """


class InputError(AlcError, ValueError):
    """An input that cannot work; the message says what to change."""


class TableReadError(InputError):
    """A file cannot be read as a table.

    Attributes
    ----------
    tables : tuple of str
        Its tables or sheets, if one must be named.
    together : bool
        Whether they are one release, such as several syntheses.
    """

    def __init__(self, message: str, tables: Sequence[str] = (), *, together: bool = False) -> None:
        super().__init__(message)
        self.tables = tuple(tables)
        self.together = together


class ColumnError(InputError):
    """A column is missing, duplicated or of an unusable kind."""


class ParameterError(InputError):
    """A parameter is outside its bounds."""


class PreflightError(InputError):
    """The check's findings must be answered or fixed first.

    Attributes
    ----------
    findings : tuple of Finding
        The blocking ones.
    """

    def __init__(self, message: str, findings: tuple[object, ...] = ()) -> None:
        super().__init__(message)
        self.findings = findings


class NothingToAttackError(InputError):
    """No attack of a campaign can run."""


class CampaignMismatchError(InputError):
    """A campaign's file has other data or settings."""


class CancelledError(AlcError):
    """The caller asked for the run to stop."""
