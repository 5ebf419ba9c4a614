"""From bytes of a text file to UTF-8."""

from __future__ import annotations

import codecs
import random
import re
from pathlib import Path

from alc_core.errors import TableReadError
from alc_core.phrasing import count, quoted
from alc_core.tables.formats.source import Source

# Two-byte characters may by chance be UTF-8 letters
WIDE = ("cp932", "euc_jp", "cp949", "gb18030", "big5")
# A word with a character outside ASCII
WORD = re.compile(r"[A-Za-z\x80-\U0010ffff]*[\x80-\U0010ffff][A-Za-z\x80-\U0010ffff]*")
_PREFERRED = "cp1252"
# Code pages and languages; rare ones need more letters
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
_ALL_LETTERS = ("cp1251", "cp1253", "cp1255", "cp1256", "koi8_r")
# Points needed, 4 of others: without ASCII letters, two words soon have them
_LEAST = {_PREFERRED: 3, **dict.fromkeys(_ALL_LETTERS, 12), **dict.fromkeys(WIDE, 16)}
_SIGNS = frozenset("\xa0€£§°²³µ«»·–—‘’‚“”„…•©®™´×±½¼¾ªº¿¡")  # noqa: RUF001

_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_SAMPLE = 256 * 1024
_CONTROL = bytes(set(range(32)) - {9, 10, 12, 13, 26})
_MAX_CONTROL_SHARE = 0.001

# Letters of UTF-8 per other byte by chance
_CHANCE, _CHANCE_WIDE = 0.1, 0.6
_LINES = 1000
_CHOOSE = "Save it as UTF-8, or choose its encoding, such as cp1252."


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
    """Return the likeliest code page, and equally likely ones."""
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
    """Return words' score in a language, and the most possible.

    Each neighbour counts one; two-byte characters are two letters.
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


def as_utf8(source: Source, *, encoding: str | None) -> tuple[bytes, tuple[str, ...]]:
    """Return UTF-8 text without byte order mark, and notes."""
    if encoding is not None:
        return _decode_given(source, encoding), (f"Encoding: {encoding}.",)
    data = source.data
    for mark, codec, label in _MARKS:
        if data.startswith(mark):
            return _decode_marked(source, data[len(mark) :], codec, label), (f"Encoding: {label}.",)
    if unmarked := _unmarked_utf16(data[:_SAMPLE]):
        text = _decode_marked(source, data, unmarked, "UTF-16")
        return text, ("Encoding: UTF-16 (no byte order mark).",)
    if b"\0" in data:
        raise not_a_table(source)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        first_broken = error.start
    else:
        _check_text(source, data)
        return data, ("Encoding: UTF-8.",)
    return _assumed(source, first_broken)


def not_a_table(source: Source, what: str = "binary data, not text") -> Exception:
    """Return the error for a file of something else."""
    return source.error(
        f"is not a table, but {what}",
        "Export the table as CSV.",
    )


def _decode_given(source: Source, encoding: str) -> bytes:
    unknown = source.error(
        f"cannot be read in the unknown encoding '{encoding}'",
        "Use a name such as utf-8, utf-16, latin-1 or cp1252.",
    )
    try:
        codecs.lookup(encoding)
    except (LookupError, ValueError):  # For impossible codec names
        raise unknown from None
    try:
        text = source.data.decode(encoding)
    except LookupError:  # A codec from bytes to bytes, such as zip
        raise unknown from None
    except ValueError:
        raise source.error(
            f"is not text in the encoding {encoding}",
            "Choose none, or save it as UTF-8.",
        ) from None
    data = text.removeprefix("\ufeff").encode("utf-8", errors="replace")
    _check_text(source, data)
    return data


def _decode_marked(source: Source, data: bytes, codec: str, label: str) -> bytes:
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        if codec == "utf-8":
            raise _broken(source, error.start + len(source.data) - len(data)) from None
        raise source.error(
            f"begins like {label} text but is damaged", "Save it as UTF-8."
        ) from None
    encoded = text.encode("utf-8", errors="replace")
    _check_text(source, encoded)
    return encoded


def _unmarked_utf16(head: bytes) -> str | None:
    """Recognize UTF-16 by zero bytes of Western text."""
    if len(head) < 4:
        return None
    half = len(head) // 2
    even, odd = head[::2].count(0) / half, head[1::2].count(0) / half
    if odd > 0.7 and even < 0.05:
        return "utf-16-le"
    if even > 0.7 and odd < 0.05:
        return "utf-16-be"
    return None


def _assumed(source: Source, first_broken: int) -> tuple[bytes, tuple[str, ...]]:
    """Read text by the code page its letters suggest."""
    data = source.data
    _check_text(source, data)
    lines = [line for line in data.splitlines() if not line.isascii()]
    sample = b"\n".join(random.Random(0).sample(lines, min(_LINES, len(lines))))
    codec, *rivals = likely_code_pages(sample) or [""]
    outside = [c for c in sample.decode("utf-8", errors="surrogateescape") if not c.isascii()]
    broken = sum("\udc80" <= c <= "\udcff" for c in outside)
    chance = _CHANCE_WIDE if codec in ("", *WIDE) else _CHANCE
    if len(outside) - broken > chance * broken:
        raise _broken(source, first_broken)
    if rivals:
        raise source.error(
            f"is not UTF-8, and has too few letters to choose from {quoted([codec, *rivals])}",
            _CHOOSE,
        )
    try:
        text = data.decode(codec)
    except (LookupError, UnicodeError):
        raise source.error("is not UTF-8, and no other encoding was detected", _CHOOSE) from None
    word = WORD.findall(sample.decode(codec))[0]
    note = f"Encoding: {codec} was assumed, such as '{word}'. If wrong,"
    return text.encode("utf-8"), (f"{note} choose the encoding.",)


def _broken(source: Source, place: int) -> TableReadError:
    before = source.data[:place]
    line = before[before.rfind(b"\n") + 1 :].decode("utf-8-sig")
    return source.error(
        f"has broken UTF-8 bytes: the first is 0x{source.data[place]:02X} in line "
        f"{count(before.count(10) + 1)}, character {count(len(line) + 1)} (byte "
        f"{count(place + 1)})",
        "Correct it, or choose the encoding.",
    )


def _check_text(source: Source, data: bytes) -> None:
    head = data[:_SAMPLE]
    control = len(head) - len(head.translate(None, _CONTROL))
    if control > _MAX_CONTROL_SHARE * len(head) or b"\0" in data:
        raise not_a_table(source)
