"""Which code page a text is in that is not Unicode: the one that gives it some language's letters.

`letters.txt` has a line per language: its most frequent pairs of neighbouring letters, at least one
of them outside ASCII and `_` for the end of a word; for Chinese, Japanese and Korean the most
frequent characters. They were ranked by how often they are in the names of Unicode's CLDR and in
the most frequent words of wordfreq (R. Speer, 2022).
"""

from __future__ import annotations

import re
from pathlib import Path

WIDE = ("cp932", "euc_jp", "cp949", "gb18030", "big5")
"""Code pages with characters of two bytes, which by chance can be those of a letter in UTF-8."""

WORD = re.compile(r"[A-Za-z\x80-\U0010ffff]*[\x80-\U0010ffff][A-Za-z\x80-\U0010ffff]*")
"""A word with a character outside ASCII."""

_PREFERRED = "cp1252"
_LANGUAGES = {
    _PREFERRED: "fr de es pt it nl sv da nb fi is et",
    "cp1250": "pl cs sk hu ro hr",
    "cp1251": "ru uk bg",
    "cp1253": "el",
    "cp1254": "tr",
    "cp1255": "he",
    "cp1256": "ar",
    "cp1257": "lt lv et",
    "iso8859_2": "pl cs sk hu ro hr",
    "koi8_r": "ru",
    "cp850": "fr de es pt it nl sv da nb fi",
    "mac_roman": "fr de es pt it sv da",
    **dict(zip(WIDE, ("ja", "ja", "ko", "zh", "tw"), strict=True)),
}
"""Code pages that tables are in, and their languages; few letters would do for rare ones, too."""

_ALL_LETTERS = ("cp1251", "cp1253", "cp1255", "cp1256", "koi8_r")
_LEAST = {_PREFERRED: 3, **dict.fromkeys(_ALL_LETTERS, 12), **dict.fromkeys(WIDE, 16)}
"""Points needed, 4 of others: where every letter is outside ASCII, two words soon have them."""
_SIGNS = frozenset("\xa0€£§°²³µ«»·–—‘’‚“”„…•©®™´×±½¼¾ªº¿¡")  # noqa: RUF001


def _read_letters() -> dict[str, frozenset[str]]:
    letters = {}
    for line in Path(__file__).with_name("letters.txt").read_text(encoding="utf-8").splitlines():
        language, _, known = line.partition(" ")
        step = 1 if language in ("ja", "ko", "zh", "tw") else 2
        pieces = (known[place : place + step] for place in range(0, len(known), step))
        letters[language] = frozenset(piece.replace("_", " ") for piece in pieces)
    return letters


_LETTERS = _read_letters()


def likely_code_pages(sample: bytes) -> list[str]:
    """Return the likeliest code page, and those as likely that give other letters."""
    readings = []
    for codec, languages in _LANGUAGES.items():
        try:
            text = sample.decode(codec)
        except UnicodeDecodeError:
            continue
        words = set(WORD.findall(text.replace("İ", "i").lower()))
        points, most = max(_points(words, language) for language in languages.split())
        readings.append((points + 2 * (codec == _PREFERRED), most, codec, words))
    if not readings:
        return []
    points, most, codec, words = max(readings, key=lambda reading: reading[0])
    margin = max(2, most / 10)
    if most and points < max(margin, _LEAST.get(codec, 4)):
        return []
    rivals = [other for p, _, other, w in readings if w != words and p > points - margin]
    return [codec, *rivals]


def _points(words: set[str], language: str) -> tuple[int, int]:
    """Return how well words fit a language, and what they would have if they fitted wholly.

    Both neighbours of a letter count one each; a character of two bytes counts for two letters.
    """
    known = _LETTERS[language]
    alphabet = {letter for piece in known for letter in piece}
    by_pairs = alphabet != known
    points = most = 0
    for word in words:
        for before, letter, after in zip(f" {word[:-1]}", word, f"{word[1:]} ", strict=True):
            if letter < "\x80":
                continue
            if letter in _SIGNS:
                points -= 2 * (before.isalpha() and after.isalpha() and letter not in "’·")  # noqa: RUF001
                continue
            most += 2 if by_pairs else 4
            if by_pairs and letter in alphabet:
                points += sum(1 if p in known else -1 for p in (before + letter, letter + after))
            elif by_pairs or "a" <= before <= "z" or "a" <= after <= "z" or "｡" <= letter <= "ﾟ":
                points -= 4
            else:
                points += 4 if letter in known else -1
    return points, most
