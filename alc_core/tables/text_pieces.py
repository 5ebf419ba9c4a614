"""Identifying pieces of texts: numbers, addresses, names, words in a row.

A name is two capitalised words in a row. In scripts without spaces each character is a word.
"""

from __future__ import annotations

import enum
import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import BoolArray, RowArray

FEWEST_DIGITS = 5  # Of a number
RUN = 8  # Words in a row
_SHORTEST = 4  # Words of a text that is one piece, if shorter than a run
_MOST_GROUPS = 6  # Digit groups read as one number, such as a phone number's
_MOST_PAIRED = 6  # Names, and numbers, of a text that are paired
_CHUNK = 10_000  # Texts read at once

Codes = NDArray[np.uint64]
_Found = tuple[Codes, RowArray, RowArray]  # Pieces, their texts, and first words

_END = "\x1e"  # Between texts
_MAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
# A number with digit groups, a word, or a limit of names
_WORD = (
    r"\d+(?:[ \xa0.\-/()]{1,3}\d+)*"
    r"|[^\W\d_][^\W_]*(?:['\u2019][^\W_]+)*"
    rf"|[.;:!?()\[\]{{}}|/\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f{_END}]"
)
_TOKEN, _TOKEN_OR_MAIL = re.compile(_WORD), re.compile(f"{_MAIL}|{_WORD}")
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")
_TAG = re.compile(r"<[A-Za-z/!][^<>]*>")
# Scripts without spaces between words
_SPACELESS = re.compile("[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Piece(enum.StrEnum):
    """A kind of piece."""

    NUMBER = "number"
    MAIL = "e-mail address"
    NAME = "name"
    TOGETHER = "name and number"
    RUN = "words in a row"

    @property
    def one(self) -> str:
        """One of them, in words."""
        return _ONE[self]


_ONE = {
    Piece.NUMBER: "a number",
    Piece.MAIL: "an e-mail address",
    Piece.NAME: "a name",
    Piece.TOGETHER: "a name with a number",
    Piece.RUN: f"{RUN} words in a row",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """Pieces of one kind, once for each text."""

    codes: Codes  # Equal for equal pieces
    rows: RowArray  # Places of the texts

    @classmethod
    def of(cls, codes: Codes, rows: RowArray) -> Pieces:
        """Drop what a text has twice."""
        twice = pd.DataFrame({"code": codes, "row": rows}).duplicated().to_numpy()
        return cls(codes=codes[~twice], rows=rows[~twice])

    def at(self, chosen: BoolArray) -> Pieces:
        """Return some of them."""
        return Pieces(codes=self.codes[chosen], rows=self.rows[chosen])


def find_pieces(series: pd.Series) -> dict[Piece, Pieces]:
    """Return the pieces of texts, by kind."""
    texts = _written(series)
    chunks = [_Words(texts[n : n + _CHUNK], n) for n in range(0, max(len(texts), 1), _CHUNK)]
    found: dict[Piece, Pieces] = {}
    for kind in Piece:
        if kind is Piece.TOGETHER:
            pairs = _together(found[Piece.NAME], found[Piece.NUMBER])
            found[kind] = Pieces.of(pairs["code"].to_numpy(), pairs["row"].to_numpy())
        else:
            each = [chunk.pieces(kind) for chunk in chunks]
            codes, rows, _ = (np.concatenate(arrays) for arrays in zip(*each, strict=True))
            found[kind] = Pieces.of(codes, rows)
    return found


def spell_pieces(series: pd.Series, kind: Piece, codes: Codes) -> Iterator[tuple[int, str]]:
    """Yield texts with some pieces, and these as written.

    Overlapping runs are one.
    """
    words = _Words(_written(series), 0)
    if kind is not Piece.TOGETHER:
        yield from words.spelled(kind, codes)
        return
    names, numbers = (
        pd.DataFrame(dict(zip(("code", "row", "place"), words.pieces(each), strict=True)))
        for each in (Piece.NAME, Piece.NUMBER)
    )
    pairs = names.merge(numbers, on="row")
    pairs = pairs[np.isin(_joined(pairs["code_x"].to_numpy(), pairs["code_y"].to_numpy()), codes)]
    for row, name, number in pairs[["row", "place_x", "place_y"]].itertuples(index=False):
        yield row, f"{words.at(name, 2)} {words.at(number, 1)}"


def words_in(text: str) -> int:
    """Return the number of words, numbers aside.

    Examples
    --------
    >>> words_in("Room 12, first floor"), words_in("左膝の痛み")
    (3, 5)
    """
    return len(_LETTERS.findall(_plain(text)))


def _written(series: pd.Series) -> list[str]:
    """Return texts without separators; missing is empty."""
    present = series.astype(object).where(series.notna(), "")
    return [str(text).replace(_END, " ") for text in present]


class _Words:
    """Texts as words; each distinct word is examined once."""

    def __init__(self, texts: Sequence[str], start: int) -> None:
        text = _plain(_END.join(texts))
        self._tokens = (_TOKEN_OR_MAIL if "@" in text else _TOKEN).findall(text)
        self._which, found = pd.factorize(np.array(self._tokens, dtype=object))
        different = [str(token) for token in found]

        def of_each(values: list[bool]) -> BoolArray:
            return np.array(values, dtype=np.bool_)[self._which]

        self._rows = start + np.cumsum(of_each([token == _END for token in different]))
        self._hashes = _hashed([token.casefold() for token in different])[self._which]
        self._is_name = of_each([_is_capitalised(token) for token in different])
        self._words = np.flatnonzero(of_each([token[0].isalnum() for token in different]))
        self._inside: dict[Piece, list[tuple[int, str]]] = {Piece.NUMBER: [], Piece.MAIL: []}
        for number, token in enumerate(different):
            if "@" in token:
                self._inside[Piece.MAIL].append((number, token.casefold()))
            else:
                self._inside[Piece.NUMBER] += ((number, each) for each in _numbers(token))

    def pieces(self, kind: Piece) -> _Found:
        """Return the pieces of a kind."""
        if kind in self._inside:
            return self._of_words(self._inside[kind])
        return self._of_names() if kind is Piece.NAME else self._of_runs()

    def spelled(self, kind: Piece, codes: Codes) -> Iterator[tuple[int, str]]:
        """Yield texts with some pieces, and these as written."""
        found, rows, places = self.pieces(kind)
        chosen = np.isin(found, codes)
        if kind is not Piece.RUN:
            for row, place in zip(rows[chosen], places[chosen], strict=True):
                yield int(row), self.at(place, 2 if kind is Piece.NAME else 1)
            return
        firsts = np.sort(np.searchsorted(self._words, places[chosen]))
        of = self._rows[self._words[firsts]]
        apart = (np.diff(firsts) > RUN) | (np.diff(of) > 0)
        for run in np.split(firsts, np.flatnonzero(apart) + 1) if len(firsts) else ():
            row = self._rows[self._words[run[0]]]
            inside = self._words[run[0] : run[-1] + RUN]
            yield int(row), " ".join(self._tokens[p] for p in inside if self._rows[p] == row)

    def at(self, place: int, size: int) -> str:
        return " ".join(self._tokens[place : place + size])

    def _of_words(self, inside: list[tuple[int, str]]) -> _Found:
        order = np.argsort(self._which, kind="stable")
        of = np.array([number for number, _ in inside], dtype=np.intp)
        first, last = (np.searchsorted(self._which[order], of, side=s) for s in ("left", "right"))
        times = last - first
        starts = np.repeat(first - np.cumsum(times) + times, times)
        places = order[starts + np.arange(times.sum())]
        codes = np.repeat(_hashed([text for _, text in inside]), times)
        return codes, self._rows[places], places

    def _of_names(self) -> _Found:
        places = np.flatnonzero(self._is_name[:-1] & self._is_name[1:])
        pair = np.sort([self._hashes[places], self._hashes[places + 1]], axis=0)
        return _joined(pair[0], pair[1]), self._rows[places], places

    def _of_runs(self) -> _Found:
        hashes, rows = self._hashes[self._words], self._rows[self._words]
        size = max(len(rows) - RUN + 1, 0)
        whole = np.flatnonzero(rows[:size] == rows[RUN - 1 :])
        codes = np.zeros(len(whole), dtype=np.uint64)
        for step in range(RUN):
            codes = _joined(codes, hashes[whole + step])
        firsts = np.flatnonzero(np.diff(rows, prepend=-1))
        words = np.diff(np.append(firsts, len(rows)))
        short = (words >= _SHORTEST) & (words < RUN)
        firsts, words = firsts[short], words[short]
        own = words.astype(np.uint64)  # Not the start of a longer text
        for step in range(RUN - 1):
            inside = step < words
            own[inside] = _joined(own[inside], hashes[firsts[inside] + step])
        first = np.append(whole, firsts)
        return np.append(codes, own), rows[first], self._words[first]


def _plain(text: str) -> str:
    """Return text without markup, each letter in one form."""
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "&" in text:
        text = html.unescape(text)
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text)
    marks = [letter for letter in set(text) if unicodedata.category(letter).startswith("M")]
    return _SPACELESS.sub(r" \g<0> ", text.translate(dict.fromkeys(map(ord, marks))))


def _is_capitalised(token: str) -> bool:
    return len(token) > 1 and token[0].isupper() and not any(map(str.isdigit, token))


def _numbers(token: str) -> list[str]:
    """Return a word's numbers, also with digit groups."""
    groups = [_plain_digits(group) for group in _DIGITS.findall(token)]
    if not token[0].isdigit():
        groups = ["".join(groups)]  # Letters among digits, as in a passport's number
    found = [group for group in groups if len(group) >= FEWEST_DIGITS]
    for first in range(len(groups)):
        for last in range(first + 2, min(first + _MOST_GROUPS, len(groups)) + 1):
            part = groups[first:last]
            if max(map(len, part)) < FEWEST_DIGITS <= sum(map(len, part)):
                found.append("".join(part))
    return found


def _plain_digits(group: str) -> str:
    return group if group.isascii() else "".join(str(unicodedata.decimal(d)) for d in group)


def _hashed(texts: Sequence[str]) -> Codes:
    return pd.util.hash_array(np.array(texts, dtype=object), categorize=False)


def _joined(first: Codes, second: Codes) -> Codes:
    codes = (first ^ (second + (first << np.uint64(6)) + (first >> np.uint64(2)))) * _FACTOR
    joined: Codes = codes ^ (codes >> np.uint64(29))
    return joined


def _together(names: Pieces, numbers: Pieces) -> pd.DataFrame:
    """Return pairs of a name and a number in one text."""
    sides = []
    for each in (names, numbers):
        frame = pd.DataFrame({"row": each.rows, "code": each.codes})
        sides.append(frame[frame.groupby("row").cumcount() < _MOST_PAIRED])
    pairs = sides[0].merge(sides[1], on="row")
    pairs["code"] = _joined(pairs["code_x"].to_numpy(), pairs["code_y"].to_numpy())
    return pairs
