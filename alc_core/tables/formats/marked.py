"""Numbers with marks: statistical flags, footnotes, units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from alc_core.arrays import IntArray
from alc_core.tables.values.no_value import says_no_value
from alc_core.tables.values.texts import PADDED, parse_numbers

_NUMBER = r"[+-]?[0-9](?:[0-9.,'\u2019 \u00a0\u2009\u202f]*[0-9])?"
_CURRENCY = r"[$€£¥]|EUR|USD|GBP|CHF"
_WORD = r"[^\W\d_]+[.²³]?(?:/[^\W\d_]+[²³2]?)?|°[CF]|[%‰]"
_NO_CENTS = frozenset(mark + dash for mark in ".," for dash in ("-", "--", "\u2013", "\u2014"))
_SIGNS = (
    r"[.,](?:--?|[\u2013\u2014])"
    r"|[*†‡§#]+|[¹²³⁴-⁹]+[)⁾]?|(?<=\s)[1-9]\)|\([^()\s]{1,3}\)|\[[^\[\]\s]{1,3}\]"
)
_MARKED = re.compile(
    rf"(?:(?P<sign>{_CURRENCY})\s*)?(?P<number>{_NUMBER})"
    rf"(?:(?P<space>[\s\u00a0\u202f]*)(?P<mark>{_CURRENCY}|{_WORD}|{_SIGNS}))?\Z"
)
# Eurostat's: break, confidential, definition differs, estimated, forecast, ...
_FLAGS = re.compile(r"[bcdefimnprsuz]{1,3}\Z")
_NO_NUMBER = re.compile(r":\s*(?P<mark>[bcdefimnprsuz]{0,3})\Z")  # Eurostat's, with a flag
_PLAIN = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?\Z")
# Units, and their value in the first of their kind
_SCALES = (
    {"kg": 1.0, "g": 1e-3, "mg": 1e-6, "µg": 1e-9, "mcg": 1e-9, "t": 1e3},
    {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "km": 1e3},
    {"l": 1.0, "L": 1.0, "dl": 0.1, "dL": 0.1, "cl": 1e-2, "ml": 1e-3, "mL": 1e-3},
    {"h": 1.0, "hr": 1.0, "hrs": 1.0, "hours": 1.0, "min": 1 / 60, "sec": 1 / 3600},
)
_UNITS = frozenset(
    {
        *(unit for scale in _SCALES for unit in scale), "lb", "lbs", "oz", "ft", "in", "mi",
        "%", "‰", "$", "€", "£", "¥", "EUR", "USD", "GBP", "CHF", "°C", "°F", "m²", "m2", "km²",
        "ha", "km/h", "mph", "kWh", "kcal", "kJ", "mmHg", "bpm", "mmol/l", "mmol/L", "mg/dl",
        "mg/dL", "g/l", "y", "yr", "yr.", "yrs", "yrs.", "years", "year", "y.o.", "J.", "Jahre",
        "ans", "años", "jaar", "months", "Monate", "mois", "weeks", "days", "d", "Tage", "jours",
        "pts", "points", "Punkte", "persons", "people", "Personen", "PLN", "zł", "kr", "SEK", "DKK",
        "NOK", "CZK", "Kč", "Ft", *_NO_CENTS,
    }
)  # fmt: skip
_MOST_MARKS = 12
_FEWEST_NUMBERS = 5  # Distinct ones; fewer may be codes
_FEWEST_FLAGGED = 10
_LARGE = 1000  # Codes with a letter seldom have as many digits
_MOSTLY = 0.5
_ALIKE, _TINY = 3.0, 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A column's distinct texts as numbers and marks."""

    bare: list[str | None]  # Numbers as written; None if none
    flags: list[str | None]  # The marks, unless they are units


def bare_number(text: str) -> str:
    """Return a text without its number's flag.

    >>> bare_number("1 234 p"), bare_number("12.5(u)"), bare_number("12 kg"), bare_number("<10")
    ('1 234', '12.5', '12 kg', '<10')
    """
    found = _MARKED.match(text.strip())
    if found is None or found["sign"] or found["mark"] is None:
        return text
    letters = found["mark"][0].isalpha()
    return text if letters and not _FLAGS.match(found["mark"]) else found["number"]


def looks_marked(texts: Sequence[str]) -> bool:
    """Return quickly whether texts may be numbers with marks."""
    found = [_MARKED.match(text) for text in texts]
    marks = {each["sign"] or each["mark"] for each in found if each} - {None}
    if not marks or not (all(map(_may_mark, marks)) or _is_unit_of_all(found)):
        return False
    others = [text for text, each in zip(texts, found, strict=True) if each is None]
    return all(_NO_NUMBER.match(text) or says_no_value(text) for text in others)


def _is_unit_of_all(found: Sequence[re.Match[str] | None]) -> bool:
    marks = {(each["sign"], each["mark"]) for each in found if each}
    apart = all(each["space"] or len(each["mark"] or "") > 2 for each in found if each)
    return len(marks) == 1 and apart


def _may_mark(mark: str) -> bool:
    return mark in _UNITS or not mark[0].isalpha() or _FLAGS.match(mark) is not None


def marked_numbers(texts: Sequence[str], rows: IntArray) -> Marked | None:
    """Return texts as numbers with marks; None if perhaps codes.

    Texts are distinct; `rows` counts them.
    """
    found = [_MARKED.match(text) for text in texts]
    without = [
        None if each else _NO_NUMBER.match(text) for text, each in zip(texts, found, strict=True)
    ]
    for text, each, no_number in zip(texts, found, without, strict=True):
        if each is None and no_number is None and not says_no_value(text):
            return None
    bare = [each["number"] if each else None for each in found]
    numbers = [text for text in bare if text is not None]
    if any(PADDED.match(text) for text in numbers) or len({*numbers}) < _FEWEST_NUMBERS:
        return None
    marks = [
        (each["sign"] or each["mark"] or "") if each else (other["mark"] if other else "")
        for each, other in zip(found, without, strict=True)
    ]
    of_numbers = {mark for mark, each in zip(marks, found, strict=True) if each}
    units = {*filter(None, of_numbers)}
    if "" not in of_numbers and (units <= _UNITS or _is_unit_of_all(found)):
        return _with_unit(bare, marks, units, rows)
    if len(units) == 1 and units <= _UNITS and not all(map(_FLAGS.match, units)):
        alike = _beside(bare, [bool(mark) for mark in marks])
        return Marked(bare=bare, flags=[None] * len(bare)) if alike else None
    if not _are_flags(found, bare, marks, rows):
        return None
    return Marked(bare=bare, flags=[mark or None for mark in marks])


def _with_unit(
    bare: list[str | None], marks: list[str], units: set[str], rows: IntArray
) -> Marked | None:
    """Return numbers of one unit, converting others."""
    nothing: list[str | None] = [None] * len(bare)
    if len(units) == 1:
        return Marked(bare=bare, flags=nothing)
    scale = next((each for each in _SCALES if units <= each.keys()), None)
    if scale is None or not all(_PLAIN.match(text) for text in bare if text):
        return None
    often = {unit: sum(n for m, n in zip(marks, rows, strict=True) if m == unit) for unit in units}
    unit = max(sorted(units), key=lambda each: often[each])
    same = [
        text and f"{float(text) * scale[mark] / scale[unit]:.12g}"
        for text, mark in zip(bare, marks, strict=True)
    ]
    return Marked(bare=same, flags=nothing)


def _are_flags(
    found: Sequence[re.Match[str] | None],
    bare: Sequence[str | None],
    marks: Sequence[str],
    rows: IntArray,
) -> bool:
    """Return whether marks are few flags beside numbers, not codes."""
    used = {mark for mark in marks if mark}
    if len(used) > _MOST_MARKS or len({text for text in bare if text}) < _FEWEST_FLAGGED:
        return False
    letters = {mark for mark in used if mark[0].isalpha()}
    if not all(map(_FLAGS.match, letters)):
        return False
    if any(each and each["sign"] for each in found):
        return False
    is_masked = [mark[:1] == "*" for mark in marks]
    if any(is_masked) and (2 * sum(is_masked) > len(bare) or not _beside(bare, is_masked)):
        return False
    glued = any(
        mark in letters and each and not each["space"]
        for mark, each in zip(marks, found, strict=True)
    )
    sizes = np.array([_size(text) for text in bare])
    large = (sizes >= _LARGE) | np.array([bool(re.search("[.,]", text or "")) for text in bare])
    return not glued or float(rows[large].sum()) >= _MOSTLY * float(rows[~np.isnan(sizes)].sum())


def _beside(bare: Sequence[str | None], marked: Sequence[bool]) -> bool:
    """Return whether marked numbers are as large as the others."""
    sizes = np.array([_size(text) for text in bare])
    own, other = sizes[np.array(marked)], sizes[~np.array(marked)]
    own, other = own[np.isfinite(own)], other[np.isfinite(other)]
    if not len(own) or not len(other):
        return False
    return 1 / _ALIKE < float(np.median(own)) / max(float(np.median(other)), _TINY) < _ALIKE


def _size(text: str | None) -> float:
    plain = re.sub(r"[\s'\u2019\u00a0\u2009\u202f]", "", text or "")
    return abs(float(parse_numbers([plain])[0]))
