"""The facts of a released file in words: a chip each, and the sentence behind it."""

from __future__ import annotations

from alc_core.phrasing import count, numbered, percent, quoted
from alc_core.tables.checks.facts import Fact, FactKind, Weight, most_by_chance

ORIGINAL_QUESTION = "Is this the right original?"

_CHIPS = {
    FactKind.ROWS: "{rows}",
    FactKind.VERBATIM: "{n} verbatim originals{chance}",
    FactKind.VERBATIM_BUT: "{n} verbatim but for {columns}{chance}",
    FactKind.ALL_BUT_ONE: "{n} the same but for one column{chance}",
    FactKind.SAME_ORDER: "in the original's order",
    FactKind.ROW_NUMBER: "{columns} numbers the original's rows",
    FactKind.NEW_VALUES: "{values} new to the original",
    FactKind.UNMATCHED: "{n} of {of} people unmatched",
    FactKind.ORIGINAL: ORIGINAL_QUESTION,
}

_MEANINGS = {
    FactKind.ROWS: "The original has {of}.",
    FactKind.VERBATIM: "Rows with the values of one of the original's rows in every shared column. "
    "Of as many strangers {expected} would have them by chance.",
    FactKind.VERBATIM_BUT: "Rows with the values of one of the original's rows in every shared "
    "column but {columns}. Of as many strangers {expected} would have them by chance.",
    FactKind.ALL_BUT_ONE: "Rows that differ from one of the original's in a single column. Of as "
    "many strangers {expected} would by chance.",
    FactKind.SAME_ORDER: "Up to {share} of the values in a column are those of the original's row "
    "at the same place: whoever has its order finds every person.",
    FactKind.ROW_NUMBER: "Up to {share} of the values in a column are those of the original's row "
    "with that number: whoever has its order finds every person.",
    FactKind.NEW_VALUES: "Different values that nobody in the original has{where}.",
    FactKind.UNMATCHED: "People of the original to whom no row is equal in all columns but one.",
    FactKind.ORIGINAL: "{rows} match the original's in all columns or all but one; chance alone "
    "gives up to {most}. Is this the right original?",
}
_ANSWERED = "✓ the right original"
_UNPROTECTED = " If its rows are other real people, they are published as they are."


def fact_chip(fact: Fact) -> str:
    """Return a few words with the count, and in brackets what chance would give."""
    if fact.kind is FactKind.ORIGINAL and fact.weight is Weight.CALM:
        return _ANSWERED
    return _CHIPS[fact.kind].format(**_written(fact))


def fact_meaning(fact: Fact) -> str:
    """Return the sentence that says what is counted."""
    more = _UNPROTECTED if fact.kind is FactKind.ORIGINAL and fact.columns else ""
    return _MEANINGS[fact.kind].format(**_written(fact)) + more


def _written(fact: Fact) -> dict[str, str]:
    known = fact.expected is not None
    expected = count(max(round(fact.expected or 0.0), 0))
    return {
        "n": count(fact.count),
        "of": count(fact.of),
        "rows": numbered(fact.count, "row"),
        "values": numbered(fact.count, "value"),
        "expected": expected,
        "most": count(int(most_by_chance(fact.expected or 0.0))),
        "chance": f" (chance: {expected})" if known else "",
        "share": percent(fact.count / max(fact.of, 1)),
        "columns": quoted(fact.columns, most=3),
        "where": f", in {quoted(fact.columns, most=6)}" if fact.columns else "",
    }
