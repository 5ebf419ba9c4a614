"""Texts and numbers that mean missing, such as ?, N/A, -9 or 999."""

from __future__ import annotations

import itertools
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

import numpy as np

from alc_core.arrays import FloatArray, IntArray
from alc_core.phrasing import texts_beside
from alc_core.tables.values.texts import parse_numbers

_BRACKETS = "()[]<>{}"
_ASCII = str.maketrans(dict.fromkeys(string.punctuation, " ") | dict.fromkeys("'`", ""))
_APOSTROPHES = re.compile("['`\u00b4\u2018\u2019\u02bc]")
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u3099\u309a]+")
_PUNCTUATION = re.compile(r"[\W_]+")
# Between phrases, as in "DK (refused)", and within, as in "refused or N/A"
_ASIDE = re.compile(r"[;,:()\[\]\u3001\uff0c]|\s[-\u2013\u2014]\s")
_OR = re.compile(
    r"[/|\u30fb\uff0f]|(?<=\s)(?:and|or|und|oder|et|ou|y|o|e|en|of|och|eller|og|tai|i|lub|a|nebo|vagy"
    r"|sau|si|ili|\u0438|\u0438\u043b\u0438)(?=\s)"
)
_LONGEST = 80  # Characters of a phrase
_LONGEST_CODE = 10  # Digits of its code
_FEWEST_CODES = 3  # Other codes of capitals that make one a code: NA is Namibia
_MOST_BESIDE = 1000  # Labels compared with a phrase
_FEWEST_NUMBERED = 3  # Codes that make the phrase behind them a noun: 0 missing, 1 missing
# From codes and other numbers, ascending, to whether codes mean missing
Rule = Callable[[FloatArray, FloatArray], bool]
Codes = frozenset[float] | frozenset[int]

_SHARED_BY = 3  # Rows a code needs to count
_CLEAR_GAP = 2.0  # Distance of a code from other values, in ranges
_NEGATIVE = frozenset(
    [*range(-9, 0), -66, -77, -88, *range(-99, -93)]
    + [-(10**digits - less) for digits in (3, 4, 5, 6) for less in (1, 2, 3, 4)]
    + [-666, -777, -888, -6666, -7777, -8888]
)
_SHORT = frozenset([77, 88, *range(94, 100)])
_LAST = frozenset([7, 8, 9])  # Behind answers from 0 or 1 on
_MOST_CODES = 3
_SPIKE, _TIMES_OTHERS = 0.05, 5  # Share of rows of one amount; relative to others
_WIDE_GAP = 0.25  # Distance of a code above amounts, as a share of their range
# Too long for one of a few categories
_LONG = frozenset(
    [10**digits - less for digits in range(3, 10) for less in (1, 2, 3, 4)]
    + [777, 888, 7777, 8888, 77777, 88888]
)


@dataclass(frozen=True, slots=True)
class _Words:
    """Texts of ``no_value.toml``, without accents and punctuation."""

    signs: frozenset[str]
    phrases: frozenset[str]
    abbreviations: frozenset[str]  # Of the phrases
    coded: frozenset[str]  # Phrases, and phrases behind a code
    among_numbers: frozenset[str]
    leading: frozenset[str]
    asides: frozenset[str]
    negations: frozenset[str]
    beside: Mapping[str, frozenset[str]]  # What makes a phrase a value, if it may be one
    heads: frozenset[str]  # First words of phrases and asides, with and without accents

    def phrase(self, plain: str) -> str:
        """Return a folded text's phrase, with or without code, if any."""
        if plain in self.phrases:
            return plain
        bare = _without_code(plain)
        return bare if bare != plain and bare in self.coded else ""

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Self:
        def folded(texts: Iterable[str]) -> frozenset[str]:
            return frozenset(map(_folded, texts))

        combined = (
            f"{start} {end}"
            for each in told["combined"]
            for start, end in itertools.product(each["starts"], each["ends"])
        )
        phrases = (*combined, *itertools.chain(*told["words"].values()), *told["abbreviations"])
        starts = (*phrases, *told["coded"], *told["asides"])
        return cls(
            signs=frozenset(told["signs"]),
            phrases=folded(phrases),
            abbreviations=folded(told["abbreviations"]),
            coded=folded((*phrases, *told["coded"])),
            among_numbers=folded(told["among_numbers"]),
            leading=folded(told["leading"]),
            asides=folded(told["asides"]),
            negations=folded(told["negations"]),
            beside={_folded(word): folded(of) for word, of in told["values_beside"].items()},
            heads=frozenset(
                text.partition(" ")[0]
                for start in starts
                for text in (start.casefold(), _folded(start))
            ),
        )


@cache
def _words() -> _Words:
    return _Words.of(texts_beside(__file__))


def no_value_phrase(text: str) -> str:
    """Return the plain phrase of a text that means missing; else "".

    Examples
    --------
    >>> [no_value_phrase(text) for text in ("-9 Don't know", "Sans r\u00e9ponse", "clerk")]
    ['dont know', 'sans reponse', '']
    """
    if text[:1].isdigit() and text[-1:].isdigit():
        return ""
    written = " ".join(text.split()).casefold()
    if not written or len(written) > _LONGEST or (written[0].isdigit() and written[-1].isdigit()):
        return ""
    words = _words()
    if written in words.signs or written.strip(_BRACKETS).strip() in words.signs:
        return written
    head = written.partition(" ")[0]
    if head.isalnum() and not (head in words.heads or len(head) == 1 or head.isdecimal()):
        return ""
    plain = _folded(written)
    if phrase := words.phrase(plain):
        return phrase
    bare = _without_code(plain)
    if bare.partition(" ")[0] not in words.heads:
        return ""
    if any(bare.startswith(start) for start in words.leading):
        return bare
    return _of_parts(written, words)


def _of_parts(written: str, words: _Words) -> str:
    """Return the joined phrases of a text, if nothing else."""
    said: list[str] = []
    for piece in _ASIDE.split(written):
        whole = words.phrase(_folded(piece))
        for part in (whole,) if whole else map(_folded, _OR.split(piece)):
            stem = said[-1].rpartition(" ")[0] if said else ""
            if phrase := words.phrase(part) or words.phrase(f"{stem} {part}"):
                said.append(phrase)
            elif part and not (part.isdecimal() or part in words.asides or part == _initials(said)):
                return ""
    return " ".join(said)


def _initials(said: Sequence[str]) -> str:
    """Return the last phrase's initials, as in "Brak danych (BD)"."""
    return "".join(word[0] for word in said[-1].split()) if said else ""


def _folded(text: str) -> str:
    """Return words without case, accents and punctuation."""
    plain = text.casefold()
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", _APOSTROPHES.sub("", plain))
        return " ".join(_PUNCTUATION.sub(" ", _ACCENTS.sub("", plain)).split())
    return " ".join(plain.translate(_ASCII).split())


def _without_code(plain: str) -> str:
    """Return a folded text without a number or letter at either end."""
    first, _, rest = plain.partition(" ")
    if rest and (len(first) == 1 or (first.isdecimal() and len(first) <= _LONGEST_CODE)):
        return rest
    rest, _, last = plain.rpartition(" ")
    return rest if rest and last.isdecimal() and len(last) <= _LONGEST_CODE else plain


def is_code_among_numbers(text: str) -> bool:
    """Return whether a text means missing among numbers."""
    return text.casefold() in _words().among_numbers


def says_no_value(text: str) -> bool:
    """Return whether a text means a missing value."""
    return bool(no_value_phrase(text))


def no_value_words(texts: Iterable[str]) -> list[str]:
    """Return the texts of a column that mean missing.

    Examples
    --------
    >>> no_value_words(["clerk", "?", "NA"]), no_value_words(["AF", "EU", "NA", "SA"])
    (['?', 'NA'], [])
    """
    return [text for text, sure in judged_words(texts).items() if sure]


def spelled_otherwise(own: Sequence[str], others: Iterable[str]) -> dict[str, str]:
    """Return other labels for missing, with the original's.

    Examples
    --------
    >>> spelled_otherwise(["clerk", "98. DK"], ["clerk", "Don't know", "smith"])
    {"Don't know": '98. DK'}
    """
    new = no_value_words(set(others).difference(own))
    markers = no_value_words(own) if new else []
    by_phrase = {no_value_phrase(marker): marker for marker in reversed(markers)}
    return {label: by_phrase.get(no_value_phrase(label), markers[0]) for label in new if markers}


def judged_words(texts: Iterable[str]) -> dict[str, bool]:
    """Return texts that may mean missing, and certainty.

    Examples
    --------
    >>> judged_words(["granted", "refused", "?"]), judged_words(["yes", "refused"])
    ({'refused': False, '?': True}, {'refused': True})
    """
    every = list(texts)
    phrases = {text: phrase for text in every if (phrase := no_value_phrase(text))}
    if not phrases:
        return {}
    words = _words()
    others = [text for text in every if text not in phrases]
    for text, phrase in [*phrases.items()]:
        if phrase in words.abbreviations and _is_code_among(text, others):
            del phrases[text]
    coded = Counter(phrase for text, phrase in phrases.items() if _folded(text) != phrase)
    numbered = {phrase for phrase, times in coded.items() if times >= _FEWEST_NUMBERED}
    few = others if len(others) <= _MOST_BESIDE else ()
    beside = {_without_code(_folded(text)) for text in few}
    return {
        text: not _is_value_beside(phrase, beside, words)
        for text, phrase in phrases.items()
        if phrase not in numbered or _folded(text) == phrase
    }


def _is_code_among(text: str, others: Sequence[str]) -> bool:
    """Return whether all texts are equally long capitals: NA beside AF, EU and SA."""
    return len(others) >= _FEWEST_CODES and all(
        len(each) == len(text) and each.isalpha() and each.isupper() for each in (text, *others)
    )


def _is_value_beside(phrase: str, beside: AbstractSet[str], words: _Words) -> bool:
    """Return whether other values make a phrase one of them."""
    first, _, rest = phrase.partition(" ")
    opposites = set(words.beside.get(phrase, ()))
    if rest and first in words.negations:
        opposites.add(rest)
    elif not rest and phrase.startswith("un"):
        opposites.add(phrase.removeprefix("un"))
    return any(
        f" {each} ".startswith(f" {opposite} ") or f" {each} ".endswith(f" {opposite} ")
        for opposite in opposites
        for each in beside
    )


def number_markers(numbers: FloatArray, counts: IntArray, *, few: bool) -> FloatArray:
    """Return numbers that are codes for missing."""
    rule = _below_categories if few else _below
    return _at_ends(numbers, counts, _NEGATIVE, rule, _LONG if few else _LONG | _SHORT)


def doubtful_markers(numbers: FloatArray, counts: IntArray, *, few: bool) -> FloatArray:
    """Return numbers that may be codes for missing.

    Examples
    --------
    >>> doubtful_markers(np.array([1.0, 2, 3, 99]), np.array([40, 50, 60, 70]), few=True)
    array([99.])
    """
    order = np.argsort(numbers)
    numbers, counts = numbers[order], counts[order]
    n, low = len(numbers), int(few and -1 in numbers[:1])
    high = next(
        (
            n - end
            for end in range(max(n - _MOST_CODES, low + 2), n)
            if _may_end(
                numbers[low:end], {*map(float, numbers[end:])}, few=few,
                rarer=bool(counts[end:].max() < counts[low:end].min()),
            )
        ),
        0,
    )  # fmt: skip
    rest = numbers[low : n - high]
    below = low if len(rest) >= _MOST_CODES and _runs(rest, {0}) else 0
    return np.concatenate([numbers[:below], numbers[n - high :]])


def spikes(numbers: FloatArray, counts: IntArray) -> FloatArray:
    """Return codes far more frequent than any other amount."""
    order = np.argsort(-counts)
    often, others = counts[order[:1]].sum(), counts[order[1:2]].sum()
    first = numbers[order[:1]]
    is_spike = often >= _SPIKE * counts.sum() and often >= _TIMES_OTHERS * others
    return first[[is_spike and float(number) in _LONG | _SHORT for number in first]]


def codes_among_words(labels: Sequence[str]) -> list[str]:
    """Return labels that are codes for missing among words.

    Examples
    --------
    >>> codes_among_words(["asthma", "cancer", "-99"]), codes_among_words(["A1", "B2", "99"])
    (['-99'], [])
    """
    numbers = parse_numbers(labels)
    codes = _NEGATIVE | _SHORT | _LONG
    coded = [
        label for label, n in zip(labels, numbers, strict=True) if np.isfinite(n) and n in codes
    ]
    words = [text for text in labels if text not in coded]
    plain = not any(any(map(str.isdigit, text)) for text in words)
    return coded if plain and len(coded) <= _MOST_CODES and len(words) >= 2 else []


def _may_end(rest: FloatArray, codes: AbstractSet[float], *, few: bool, rarer: bool) -> bool:
    """Return whether the greatest numbers may be codes behind others."""
    first, last, gap = rest[0], rest[-1], min(codes) - rest[-1]
    if first < 0:
        return False
    if few and codes <= _LAST:
        return gap > (1 if rarer else 2) and _runs(rest, {0, 1})
    least = (_CLEAR_GAP if few else _WIDE_GAP) * (last - first)
    return codes <= _LONG | _SHORT and bool(gap > least)


def _runs(numbers: FloatArray, starts: AbstractSet[int]) -> bool:
    return numbers[0] in starts and bool((np.diff(numbers) == 1).all())


def outlying(numbers: FloatArray, counts: IntArray, candidates: frozenset[float]) -> FloatArray:
    """Return candidates clearly outside other numbers' range."""
    return _at_ends(numbers, counts, candidates, _is_apart, candidates)


def _at_ends(
    numbers: FloatArray, counts: IntArray, least: Codes, rule: Rule, greatest: Codes
) -> FloatArray:
    """Return codes below others by a rule, and above by a clear gap."""
    order = np.argsort(numbers)
    numbers, counts = numbers[order], counts[order]
    low = _leading(numbers, counts, least, rule)
    mirrored = frozenset(-code for code in greatest)
    high = _leading(-numbers[low:][::-1], counts[low:][::-1], mirrored, _is_apart)
    return np.concatenate([numbers[:low], numbers[len(numbers) - high :]])


def _leading(numbers: FloatArray, counts: IntArray, codes: Codes, rule: Rule) -> int:
    """Return how many of the least numbers are codes by a rule."""
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
    return bool(rest[0] - codes[-1] > _CLEAR_GAP * (rest[-1] - rest[0]))


def _below(codes: FloatArray, rest: FloatArray) -> bool:
    """Return whether codes are a quantity's only negative numbers.

    Numbers running on to -2 and below are rather its scale.
    """
    runs_on = bool(rest[0] == 0) and len(codes) > 1 and bool(codes[0] == -len(codes))
    return bool(rest[0] >= 0) and not runs_on and not _is_mirrored(codes, rest)


def _below_categories(codes: FloatArray, rest: FloatArray) -> bool:
    """Return whether codes are the only, separate negative categories."""
    gap, step = rest[0] - codes[-1], np.diff(rest).min()
    return bool(rest[0] >= 0 and gap > step) and not _is_mirrored(codes, rest)


def _is_mirrored(codes: FloatArray, rest: FloatArray) -> bool:
    """Return whether a scale is symmetric around 0, such as -2, -1, 1, 2."""
    return bool(rest[-1] == -codes[0])
