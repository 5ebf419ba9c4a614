"""Texts and numbers that stand for "no value", such as ?, N/A, -9 or 999."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from alc_core.arrays import FloatArray, IntArray

_SIGNS = ("?", "??", "???", "-", "--", "---", "\u2013", "\u2014", ".", "..", "...", "*", "#")
_ABBREVIATIONS = (
    "na", "n/a", "n.a.", "n. a.", "n.a", "#n/a", "#na", "nan", "-nan", "#nan", "null",
    "<na>", "<null>", "nil", "nul", "unk", "dk", "d/k", "dk/na", "dk/nr", "dk/rf", "k.a.", "k. a.",
    "k.a", "ns/nc", "ns/nr",
)  # fmt: skip
_WORDS = (
    "missing", "unknown", "not known", "undefined", "unspecified", "not specified",
    "not available", "not applicable", "niu", "inapplicable", "does not apply", "not stated",
    "not reported", "not recorded", "not provided", "not disclosed", "not answered", "not asked",
    "no answer", "no response", "nonresponse", "non-response", "no data", "no information",
    "refused", "refusal", "refused to answer", "declined", "declined to answer",
    "prefer not to say", "prefer not to answer", "rather not say", "don't know", "dont know",
    "do not know", "don\u2019t know", "doesn't know", "don't know/refused", "unknown/not stated",
    "unbekannt", "keine angabe", "keine angaben", "keine antwort", "wei\u00df nicht", "weiss nicht",
    "trifft nicht zu", "nicht zutreffend", "entf\u00e4llt", "fehlend",
    "inconnu", "inconnue", "non renseign\u00e9", "non r\u00e9ponse", "sans objet", "ne sait pas",
    "desconocido", "desconocida", "no sabe", "no contesta", "no aplica", "no consta",
    "sconosciuto", "onbekend", "desconhecido",
)  # fmt: skip
_NO_VALUE = frozenset((*_SIGNS, *_ABBREVIATIONS, *_WORDS))
_PAIRS = (("(", ")"), ("[", "]"), ("<", ">"))
# From this many other codes of two capitals on, "NA" is one of them: Namibia, North America
_CODES_OF_TWO_LETTERS = 3
# Takes codes and the other numbers, both ascending; returns whether the codes are no values
Rule = Callable[[FloatArray, FloatArray], bool]
Codes = frozenset[float] | frozenset[int]

_SHARED_BY = 3  # Rows that must have a code before it counts
_CLEAR_GAP = 2.0  # A code lies farther from the other values than this many times their range
_NEGATIVE = frozenset(
    [*range(-9, 0), -66, -77, -88, *range(-99, -93)]
    + [-(10**digits - less) for digits in (3, 4, 5, 6) for less in (1, 2, 3, 4)]
    + [-666, -777, -888, -6666, -7777, -8888]
)
_SHORT = frozenset([77, 88, *range(94, 100)])
# Too long to be one of a few categories by itself
_LONG = frozenset(
    [10**digits - less for digits in range(3, 10) for less in (1, 2, 3, 4)]
    + [777, 888, 7777, 8888, 77777, 88888]
)


def says_no_value(text: str) -> bool:
    """Return whether a text is one that stands for "no value"."""
    plain = " ".join(text.split()).casefold()
    if plain in _NO_VALUE or plain.startswith("not in universe"):
        return True
    inner = next((plain[1:-1] for a, b in _PAIRS if plain[:1] == a and plain[-1:] == b), "")
    return inner.strip() in _NO_VALUE


def no_value_words(texts: Iterable[str]) -> list[str]:
    """Return those of a column's texts that stand for "no value".

    Examples
    --------
    >>> no_value_words(["clerk", "?", "NA"]), no_value_words(["AF", "EU", "NA", "SA"])
    (['?', 'NA'], [])
    """
    every = list(texts)
    found = [text for text in every if says_no_value(text)]
    if "NA" in found:
        others = [text for text in every if text not in found]
        codes = [text for text in others if len(text) == 2 and text.isalpha() and text.isupper()]
        if len(codes) == len(others) >= _CODES_OF_TWO_LETTERS:
            found.remove("NA")
    return found


def number_markers(numbers: FloatArray, counts: IntArray, *, few: bool) -> FloatArray:
    """Return those of a column's numbers that are codes for "no value"."""
    rule = _below_categories if few else _below
    return _at_ends(numbers, counts, _NEGATIVE, rule, _LONG if few else _LONG | _SHORT)


def outlying(numbers: FloatArray, counts: IntArray, candidates: frozenset[float]) -> FloatArray:
    """Return the candidates that lie clearly outside of the range of the other numbers."""
    return _at_ends(numbers, counts, candidates, _is_apart, candidates)


def _at_ends(
    numbers: FloatArray, counts: IntArray, least: Codes, rule: Rule, greatest: Codes
) -> FloatArray:
    """Return the codes below the other numbers by a rule, and those above them by a clear gap."""
    order = np.argsort(numbers)
    numbers, counts = numbers[order], counts[order]
    low = _leading(numbers, counts, least, rule)
    mirrored = frozenset(-code for code in greatest)
    high = _leading(-numbers[low:][::-1], counts[low:][::-1], mirrored, _is_apart)
    return np.concatenate([numbers[:low], numbers[len(numbers) - high :]])


def _leading(numbers: FloatArray, counts: IntArray, codes: Codes, rule: Rule) -> int:
    """Return how many of the least numbers are codes: as many as a rule allows."""
    most = 0
    while most < len(numbers) and float(numbers[most]) in codes:
        most += 1
    for leading in range(min(most, len(numbers) - 2), 0, -1):
        if counts[:leading].sum() >= _SHARED_BY and (
            rule(numbers[:leading], numbers[leading:])
            or _is_apart(numbers[:leading], numbers[leading:])
        ):
            return leading
    return 0


def _is_apart(codes: FloatArray, rest: FloatArray) -> bool:
    """Return whether codes lie below the rest by a clear gap."""
    return bool(rest[0] - codes[-1] > _CLEAR_GAP * (rest[-1] - rest[0]))


def _below(codes: FloatArray, rest: FloatArray) -> bool:
    """Return whether codes are the only negative numbers of a quantity.

    The numbers down to -2 and further without a hole are rather the lower part of its scale.
    """
    runs_on = bool(rest[0] == 0) and len(codes) > 1 and bool(codes[0] == -len(codes))
    return bool(rest[0] >= 0) and not runs_on and not _is_mirrored(codes, rest)


def _below_categories(codes: FloatArray, rest: FloatArray) -> bool:
    """Return whether codes are the only negative numbers of categories, and apart from them."""
    gap, step = rest[0] - codes[-1], np.diff(rest).min()
    return bool(rest[0] >= 0 and gap > step) and not _is_mirrored(codes, rest)


def _is_mirrored(codes: FloatArray, rest: FloatArray) -> bool:
    """Return whether a scale reaches as far below 0 as above, such as -2, -1, 1, 2."""
    return bool(rest[-1] == -codes[0])
