"""Notes for readers of a result: facts with their words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

COPIED, IDENTICAL = "copied-rows", "identical-release"
# Codes of findings that advice depends on
ROW_NUMBER, ROW_ORDER, PSEUDONYM = "row-number", "row-order", "pseudonym"
REPLAYED = "replayed-texts"
# What such findings say, briefly
LINKED_TITLE, COPIED_TITLE = "Rows lead to people", "Holds original rows"
TEXTS_TITLE = "Contains people's texts"
TOGETHER_TITLE = "Holds single people's values"
# Code of pseudonyms that nothing undoes
KEYED = "keyed-pseudonym"
# Code of a note that the loss may be overestimated
WEAK_GUESS = "weak-guess"
# Code of a note of the share of own rows that keep each column's value
KEPT = "kept-values"
_MOST = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note. Decisions use its code and numbers, never its words."""

    text: str  # For show
    code: str = ""  # Of the check's finding, if any
    table: str = ""  # Of that finding, if any
    column: str = ""
    numbers: tuple[tuple[str, float], ...] = ()  # What was counted, by name

    def __str__(self) -> str:
        return self.text


class SaidByCode(Protocol):
    """A finding of the check, or its note."""

    @property
    def code(self) -> str:
        """What was noticed."""

    @property
    def numbers(self) -> tuple[tuple[str, float], ...]:
        """What was counted, by name."""


def as_notes(said: Iterable[str | Note]) -> tuple[Note, ...]:
    """Return sentences as notes; notes stay."""
    return tuple(each if isinstance(each, Note) else Note(text=each) for each in said)


def leads_back(code: str) -> bool:
    """Return whether a finding links rows to the original's."""
    return code in (ROW_NUMBER, ROW_ORDER, PSEUDONYM)


def tells_copies(code: str) -> bool:
    """Return whether clearly more rows are the original's than by chance.

    In all columns, or all not recoded.
    """
    return code in (COPIED, IDENTICAL)


def stops(found: SaidByCode) -> bool:
    """Return whether a finding stops a release whatever attacks find."""
    return leads_back(found.code) or tells_copies(found.code) or found.code == REPLAYED


def stopping_title(note: Note) -> str:
    """Return briefly what stops a release."""
    if leads_back(note.code):
        return LINKED_TITLE
    return TEXTS_TITLE if note.code == REPLAYED else COPIED_TITLE


def keeps_rows(code: str, numbers: Iterable[tuple[str, float]]) -> bool:
    """Return whether most rows are the original's, or made of them in order.

    Examples
    --------
    >>> keeps_rows("copied-rows", [("share", 0.6)]), keeps_rows("copied-rows", [("share", 0.1)])
    (True, False)
    """
    most = code == COPIED and dict(numbers).get("share", 0.0) >= _MOST
    return most or code in (IDENTICAL, ROW_ORDER)
