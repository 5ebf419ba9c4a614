"""What a reader of a result must know besides: a fact, with the words that it is shown in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

COPIED, IDENTICAL = "copied-rows", "identical-release"
# Codes of findings on which it depends what is advised
ROW_NUMBER, ROW_ORDER, PSEUDONYM = "row-number", "row-order", "pseudonym"
REPLAYED = "replayed-texts"
# What such findings say of a release in a few words
LINKED_TITLE, COPIED_TITLE = "Rows lead to people", "Holds original rows"
TEXTS_TITLE = "Contains people's texts"
TOGETHER_TITLE = "Keeps columns of one person together"
# Code of a finding of pseudonyms that nothing tried undoes
KEYED = "keyed-pseudonym"
# Code of a note that says that the loss may be lower than it was measured
WEAK_GUESS = "weak-guess"
_MOST = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One thing to know. What is decided from it goes by code and numbers, never by words."""

    text: str  # For show
    code: str = ""  # Of the check's finding that it repeats; empty where it is none
    table: str = ""  # Of that finding; empty where it has none
    column: str = ""
    numbers: tuple[tuple[str, float], ...] = ()  # What was counted, by name

    def __str__(self) -> str:
        return self.text


class SaidByCode(Protocol):
    """A finding of the check, or the note that keeps it: code and numbers say what it means."""

    @property
    def code(self) -> str:
        """What was noticed."""

    @property
    def numbers(self) -> tuple[tuple[str, float], ...]:
        """What was counted, by name."""


def as_notes(said: Iterable[str | Note]) -> tuple[Note, ...]:
    """Return sentences as notes; those that are notes stay as they are."""
    return tuple(each if isinstance(each, Note) else Note(text=each) for each in said)


def leads_back(code: str) -> bool:
    """Return whether a finding says that rows of a release lead back to the original's."""
    return code in (ROW_NUMBER, ROW_ORDER, PSEUDONYM)


def tells_copies(code: str) -> bool:
    """Return whether a finding says that clearly more rows are the original's than by chance.

    They are in all columns, or in all that were not recoded.
    """
    return code in (COPIED, IDENTICAL)


def stops(found: SaidByCode) -> bool:
    """Return whether a finding stops a release whatever attacks find."""
    return leads_back(found.code) or tells_copies(found.code) or found.code == REPLAYED


def stopping_title(note: Note) -> str:
    """Return in a few words what a finding says that stops a release."""
    if leads_back(note.code):
        return LINKED_TITLE
    return TEXTS_TITLE if note.code == REPLAYED else COPIED_TITLE


def keeps_rows(code: str, numbers: Iterable[tuple[str, float]]) -> bool:
    """Return whether a finding says that most rows are the original's, or made of them in order.

    Examples
    --------
    >>> keeps_rows("copied-rows", [("share", 0.6)]), keeps_rows("copied-rows", [("share", 0.1)])
    (True, False)
    """
    most = code == COPIED and dict(numbers).get("share", 0.0) >= _MOST
    return most or code in (IDENTICAL, ROW_ORDER)
