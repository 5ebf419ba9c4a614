"""What a reader of a result must know besides: a fact, with the words that it is shown in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from alc_core.plain_values import from_plain

COPIED, IDENTICAL = "copied-rows", "identical-release"
# Codes of findings on which it depends what is advised
ROW_NUMBER, ROW_ORDER, PSEUDONYM = "row-number", "row-order", "pseudonym"
# What such findings say of a release in a few words
LINKED_TITLE, COPIED_TITLE = "Rows lead to people", "Holds original rows"
# Code of a finding of pseudonyms that nothing tried undoes
KEYED = "keyed-pseudonym"
# Code of a note that says that the loss may be lower than it was measured
WEAK_GUESS = "weak-guess"
# Code of a note that tells which values record linkage found unchanged
CHANGE_RATES = "change-rates"
# Code of a note of earlier versions that says that a column was cut into ranges
CUT = "cut-into-ranges"
_MOST = 0.5
_WARNED = re.compile(r"(?:Warning|Accepted): '(.*?)'(?:, column '(.*?)')?: ", re.DOTALL)
_CUT = re.compile(r"'(.*)' is a number or date, cut into ", re.DOTALL)
_SHARE = re.compile(r"([\d.]+) ?%")
_ALL_ROWS = ("exactly the same rows as the original", "exactly the original's rows")
_ROWS = (
    "of the rows are also in the original",
    "of the rows also occur in the original",
    "are rows of the original as they are",
)


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


def as_notes(said: Iterable[str | Note]) -> tuple[Note, ...]:
    """Return sentences as notes; those that are notes stay as they are."""
    return tuple(each if isinstance(each, Note) else Note(text=each) for each in said)


def leads_back(code: str) -> bool:
    """Return whether a finding says that rows of a release lead back to the original's."""
    return code in (ROW_NUMBER, ROW_ORDER, PSEUDONYM)


def tells_copies(code: str) -> bool:
    """Return whether a finding says that rows of a release are the original's."""
    return code in (COPIED, IDENTICAL)


def is_verbatim(note: Note) -> bool:
    """Return whether a finding says that clearly more rows are the original's than by chance."""
    return tells_copies(note.code) and "kept" not in dict(note.numbers)


def stops(note: Note) -> bool:
    """Return whether a finding stops a release whatever attacks find."""
    return leads_back(note.code) or is_verbatim(note)


def stopping_title(note: Note) -> str:
    """Return in a few words what a finding says that stops a release."""
    return LINKED_TITLE if leads_back(note.code) else COPIED_TITLE


def keeps_rows(code: str, numbers: Iterable[tuple[str, float]]) -> bool:
    """Return whether a finding says that most rows are the original's, or made of them in order.

    Examples
    --------
    >>> keeps_rows("copied-rows", [("share", 0.6)]), keeps_rows("copied-rows", [("share", 0.1)])
    (True, False)
    """
    most = code == COPIED and dict(numbers).get("share", 0.0) >= _MOST
    return most or code in (IDENTICAL, ROW_ORDER)


def notes_of_any_version(plain: Iterable[Any]) -> list[Note]:
    """Build notes from plain values; in files of earlier versions they are sentences."""
    return [_of_sentence(e) if isinstance(e, str) else from_plain(e, Note) for e in plain]


def _of_sentence(said: str) -> Note:
    """Tell the fact of a sentence as earlier versions wrote it; nothing else reads sentences."""
    if cut := _CUT.match(said):
        return Note(text=said, code=CUT, column=cut[1])
    start = _WARNED.match(said)
    if start is None:
        return Note(text=said)
    table, column = start[1], start[2] or ""
    numbers: tuple[tuple[str, float], ...] = ()
    if "which undoes all anonymization" in said:
        code = ROW_NUMBER if column else ROW_ORDER
    elif any(words in said for words in _ALL_ROWS):
        code = IDENTICAL
    elif words := next((words for words in _ROWS if words in said), ""):
        code = COPIED
        share = _SHARE.search(said, start.end())
        found = float(share[1]) / 100 if share else 0.0
        # The last words were written where most rows are not copies, the others where they are.
        numbers = (("share", max(found, _MOST) if words != _ROWS[-1] else min(found, 0.49)),)
    else:
        return Note(text=said)
    return Note(text=said, code=code, table=table, column=column, numbers=numbers)
