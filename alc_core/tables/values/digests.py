"""How pseudonyms are made: spellings, hashes, codes."""

from __future__ import annotations

import base64
import codecs
import datetime as dt
import hashlib
import re
import uuid
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

import numpy as np
import pandas as pd

from alc_core.tables.values.dates import datetime_values
from alc_core.tables.values.texts import canonical_labels

_DATES = (
    "%Y-%m-%d", "%Y%m%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%Y/%m/%d", "%d%m%Y",
    "%m%d%Y", "%y%m%d", "%d%m%y", "%Y-%m-%d %H:%M:%S",
)  # fmt: skip
_BYTES = {"MD5": 16, "SHA-1": 20, "SHA-224": 28, "SHA-256": 32, "SHA-384": 48, "SHA-512": 64}
_BYTES |= {"SHA3-256": 32, "SHA3-512": 64, "BLAKE2b": 64, "BLAKE2s": 32}
# Hashes made into numbers
OF_NUMBERS = ("MD5", "SHA-1", "SHA-256", "SHA-512", "CRC-32")
_OF_ITS_OWN = ("MD5", "SHA-1", "SHA-256", "SHA-512")
_SPACES = (uuid.NAMESPACE_DNS, uuid.NAMESPACE_URL, uuid.NAMESPACE_OID)
_WIDTHS = range(5, 11)  # Lengths of zero-filled numbers
_DIALLED = range(7, 12)  # Digits of a telephone number without country
# Countries' codes before telephone numbers
_COUNTRIES = (
    1, 7, 20, 27, 30, 31, 32, 33, 34, 36, 39, 40, 41, 43, 44, 45, 46, 47, 48, 49, 51, 52, 54, 55,
    56, 57, 60, 61, 62, 63, 64, 65, 66, 81, 82, 84, 86, 90, 91, 92, 351, 352, 353, 354, 358, 359,
    370, 371, 372, 380, 385, 386, 420, 421,
)  # fmt: skip
_FIRST_DAY = dt.datetime(1970, 1, 1)

Digest = Callable[[bytes], bytes]


def _plain(name: str) -> Digest:
    make = getattr(hashlib, name.lower().replace("sha-", "sha").replace("-", "_"))
    return lambda text: bytes(make(text, usedforsecurity=False).digest())


def _twice(text: bytes, *, digest: Digest) -> bytes:
    return digest(digest(text).hex().encode())


def _crc32(text: bytes) -> bytes:
    return zlib.crc32(text).to_bytes(4, "big")


def _named(text: bytes, *, space: uuid.UUID, digest: Digest, version: int) -> bytes:
    return uuid.UUID(bytes=digest(space.bytes + text)[:16], version=version).bytes


_PLAIN: Mapping[str, Digest] = {name: _plain(name) for name in _BYTES}
TWICE: Mapping[str, Digest] = {
    f"{name} of its {name}": partial(_twice, digest=_PLAIN[name]) for name in _OF_ITS_OWN
}
# What makes a digest by name
HASHES: Mapping[str, Digest] = {
    **_PLAIN,
    **TWICE,
    "CRC-32": _crc32,
}
# As UUIDs with a name space, by name and spelling
NAMED: Mapping[str, tuple[Digest, ...]] = {
    name: tuple(partial(_named, space=space, digest=_PLAIN[of], version=v) for space in _SPACES)
    for name, of, v in (("name-based UUID", "MD5", 3), ("name-based UUID (SHA-1)", "SHA-1", 5))
}


def sized_digests(size: int) -> dict[str, Digest]:
    """Return hashes of a chosen size in bytes."""
    sizes = {hashlib.blake2b: ("BLAKE2b", 64), hashlib.blake2s: ("BLAKE2s", 32)}
    return {
        name: lambda text, make=make: make(text, digest_size=size).digest()  # type: ignore[misc]
        for make, (name, most) in sizes.items()
        if 0 < size < most
    }


def spellings(series: pd.Series) -> list[tuple[str, ...]]:
    """Return possible spellings of values before pseudonymization.

    Examples
    --------
    >>> import pandas as pd
    >>> spellings(pd.Series(["066-1"]))[0]
    ('066-1', '0661', '661')
    """
    raw, labels = series.astype(str).tolist(), canonical_labels(series).tolist()
    days = datetime_values(series)
    width = max((len(label) for label in labels if label), default=0)
    return [
        tuple(dict.fromkeys(filter(None, _written(text, label or text, width, day))))
        for text, label, day in zip(raw, labels, days.tolist(), strict=True)
    ]


def _written(raw: str, label: str, width: int, days: float) -> Iterator[str]:
    if np.isfinite(days):
        moment = _FIRST_DAY + dt.timedelta(days=days)
        yield from (moment.strftime(each) for each in _DATES)
        return
    bare = re.sub(r"[\W_]+", "", label)
    for text in (raw, label, bare):
        yield from (text, text.lower(), text.upper())
    if "@" in label:
        name, _, host = label.rpartition("@")
        yield from (name, name.lower(), f"{name}@{host.lower()}")
    if any(letter.isdigit() for letter in label):
        digits = re.sub(r"\D", "", label)
        yield from (bare.lstrip("0"), digits, digits.lstrip("0"))
    if label.isdigit():
        yield from (f"{label}.0", *(label.zfill(each) for each in (width, *_WIDTHS)))
    dialled = bare.lstrip("0")
    if dialled.isdigit() and len(dialled) in _DIALLED:
        yield from (f"{sign}{code}{dialled}" for code in _COUNTRIES for sign in ("+", "00", ""))


def encodings(text: str) -> Iterator[bytes]:
    """Return a text as bytes that programs hash."""
    yield text.encode()
    yield f"{text}\n".encode()
    yield text.encode("utf-16-le")
    if not text.isascii():
        yield text.encode("latin-1", "ignore")


def hex_forms(digest: bytes, length: int) -> tuple[str, ...]:
    """Return a digest's first or last hexadecimal characters."""
    text = digest.hex()
    return (text[:length], text[-length:]) if len(text) >= length else ()


def base64_forms(digest: bytes, length: int) -> tuple[str, ...]:
    """Return a digest's first or last base64 characters, unpadded."""
    text = base64.b64encode(digest).decode().rstrip("=")
    return (text[:length], text[-length:]) if len(text) >= length else ()


def number_forms(digest: bytes, digits: int) -> tuple[str, ...]:
    """Return numbers of at most `digits` digits of a digest."""
    number, limit = int.from_bytes(digest, "big"), 10**digits
    # Hexadecimal digits, or bytes, of such numbers
    starts = range(4 * int(digits * 0.83), 4 * digits + 1, 4)
    found = [number % limit, *(number >> max(8 * len(digest) - size, 0) for size in starts)]
    for size in (32, 64):
        if 2**size < 10 * limit:
            first, last = digest[: size // 8], number % 2**size
            for each in (int.from_bytes(first, "big"), int.from_bytes(first, "little"), last):
                found += [each, each % 2 ** (size - 1), 2**size - each]
    return tuple({str(each) for each in found if limit // 1000 <= each < limit})


def _complement(text: str) -> str:
    return text.translate(str.maketrans("0123456789", "9876543210"))


def _half(text: str) -> str:
    return text.translate(str.maketrans("0123456789", "5678901234"))


def _atbash(text: str) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz"
    return text.lower().translate(str.maketrans(letters, letters[::-1]))


def _in_base(text: str, *, base: int) -> str:
    if not text.isdigit():
        return ""
    number, found = int(text), ""
    while number:
        number, rest = divmod(number, base)
        found = "0123456789abcdefghijklmnopqrstuvwxyz"[rest] + found
    return found


# Reversible codes by name; "" keeps the text
CODES: Mapping[str, Callable[[str], str]] = {
    "": str,
    "backwards": lambda text: text[::-1],
    "in base64": lambda text: base64.b64encode(text.encode()).decode(),
    "in base32": lambda text: base64.b32encode(text.encode()).decode(),
    "as hexadecimal bytes": lambda text: text.encode().hex(),
    "in ROT13": lambda text: codecs.encode(text, "rot13"),
    "in Atbash": _atbash,
    "with each digit taken from 9": _complement,
    "with 5 added to each digit": _half,
    **{
        f"as a number in base {base}": partial(_in_base, base=base)
        for base in (16, 36, 32, 8, 2)
    },
}  # fmt: skip


def plain_forms(texts: Iterable[str]) -> list[str]:
    """Return texts' letters and digits, without leading zeros.

    Examples
    --------
    >>> plain_forms(["0x0aF", " 00-7 "])
    ['x0af', '7']
    """
    return [re.sub(r"[^0-9a-z]+", "", text.lower()).lstrip("0") for text in texts]


def decoys(text: str) -> tuple[str, str]:
    """Return a text with another last, and another middle, letter or digit."""

    def turned(place: int) -> str:
        letter = text[place]
        if letter.isdigit():
            other = str((int(letter) + 1) % 10) if letter.isdecimal() else "0"
        else:
            other = "b" if letter.lower() == "a" else "a"
        return text[:place] + other + text[place + 1 :]

    return turned(len(text) - 1), turned(len(text) // 2)
