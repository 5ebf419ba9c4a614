"""Labels in another spelling, or behind a code."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

# A code in brackets or before a mark, and its label; or a code in brackets behind it
_CODE = (
    r"(?:[Gg]r(?:ou|u)p(?:pe)?\s)?[0-9]{1,6}|[A-Za-z]{1,4}[0-9]{1,4}(?:\.[0-9]{1,2})?"
    r"|[IVX]{1,5}|[A-Za-z]"
)
_CODED = re.compile(
    rf"(?:\((?P<round>{_CODE})\)|\[(?P<square>{_CODE})\]"
    rf"|(?P<bare>{_CODE})(?P<mark>\s?[.):;=|_/]|\s[-\u2013\u2014]\s"
    r"|\s(?!.*[(\[][A-Za-z]{0,4}[0-9.]+[)\]]\Z)))\s*(?P<rest>\S.*)\Z"
)
_CODED_BEHIND = re.compile(
    rf"(?P<rest>\S.*?)\s*(?:\((?P<round>{_CODE})\)|\[(?P<square>{_CODE})\])\Z"
)
_NEARLY_ALL = 0.8

_BETWEEN = re.compile(r"(?<=[^\W\d_])[\s._/-]+(?=\w)|(?<=\w)[\s._/-]+(?=[^\W\d_])")
_DOTTED_CODE = re.compile(r"[a-z]+[0-9][a-z0-9.]*\Z")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "æ": "ae", "å": "aa"})
_STRANGE = re.compile(r"[^\x00-\x7f]+|\?+(?=\w)|(?<=\w)\?+")

Spelling = Callable[[str], str | None]


def leading_codes(labels: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    """Return code and rest of labels such as ``2. 25-34``, if coded.

    Nearly all labels have one; codes and rests differ.

    Examples
    --------
    >>> leading_codes(["1. low", "2. high"])
    {'1. low': ('1', 'low'), '2. high': ('2', 'high')}
    >>> leading_codes(["1 year", "2 years", "3 years"])
    {}
    """
    return _codes(labels, _CODED) or _codes(labels, _CODED_BEHIND)


def _codes(labels: Sequence[str], notation: re.Pattern[str]) -> Mapping[str, tuple[str, str]]:
    found, marks = {}, set()
    for label in labels:
        if match := notation.match(label.strip()):
            of = match.groupdict()
            kind = next(kind for kind in ("round", "square", "bare") if of.get(kind))
            found[label] = of[kind], of["rest"]
            marks.add((kind, " ".join((of.get("mark") or "").split())))
    if len(found) < max(2, _NEARLY_ALL * len(labels)) or len(marks) > 1:
        return {}
    sides = ({code.lstrip("0") for code, _ in found.values()}, {rest for _, rest in found.values()})
    return found if all(len(side) == len(found) for side in sides) else {}


def same_labels(known: Sequence[str], new: Sequence[str]) -> Mapping[str, str]:
    """Return the original's label that a new one certainly spells.

    Allows for case, leading zeros, separators, accents, wrong encoding, and codes.

    Examples
    --------
    >>> same_labels(["Köln", "Bonn"], ["KÃ¶ln", "BONN"]), same_labels(["01", "12"], ["1"])
    ({'KÃ¶ln': 'Köln', 'BONN': 'Bonn'}, {'1': '01'})
    """
    found: dict[str, str] = {}
    if not new:
        return found
    own, others = leading_codes(known), leading_codes(new)
    of_known: list[Mapping[str, str]] = [{label: label for label in known}]
    of_new: list[Mapping[str, str]] = [{label: label for label in new}]
    for names, codes in ((of_known, own), (of_new, others)):
        names += ({label: each[place] for label, each in codes.items()} for place in (1, 0))
    # Codes match labels, never other codes
    for number, other in sorted(itertools.product(range(len(of_known)), range(len(of_new)))):
        if number + other > 2:
            continue
        for spell in _SPELLINGS:
            place = _unique((spell(name), label) for label, name in of_known[number].items())
            for label, name in of_new[other].items():
                key = _suspect(name) if spell is _blurred else spell(name)
                if label not in found and key and (meant := place.get(key)):
                    found[label] = meant
    return found


def _unique(keys: Iterable[tuple[str | None, str]]) -> dict[str, str | None]:
    place: dict[str, str | None] = {}
    for key, label in keys:
        if key:
            place[key] = None if key in place else label
    return place


def _plain(label: str) -> str | None:
    """Return a label without case, separators, leading zeros and encoding errors."""
    text = unicodedata.normalize("NFKC", _repaired(label)).casefold()
    text = text.strip(" '\"`").rstrip(".")
    if text.isdecimal():
        return str(int(text))
    if _DOTTED_CODE.match(text):
        return text.replace(".", "")
    return _BETWEEN.sub("", text) or None


def _transliterated(label: str) -> str | None:
    plain = _plain(label)
    return plain and plain.translate(_UMLAUTS)


def _without_accents(label: str) -> str | None:
    parts = unicodedata.normalize("NFKD", _plain(label) or "")
    return "".join(letter for letter in parts if not unicodedata.combining(letter)) or None


def _blurred(label: str) -> str | None:
    """Return a label with one sign for parts an encoding may have spoiled."""
    return _STRANGE.sub("\ufffd", label.lower())


def _suspect(label: str) -> str | None:
    spoiled = any(
        unicodedata.category(sign) not in ("Ll", "Lu", "Lo", "Mn") and not sign.isspace()
        for run in _STRANGE.findall(label)
        for sign in run
    )
    return _blurred(label) if spoiled else None


# From the closest to the loosest
_SPELLINGS: tuple[Spelling, ...] = (_plain, _transliterated, _without_accents, _blurred)


def _repaired(text: str) -> str:
    if text.isascii():
        return text
    for encoding in ("cp1252", "latin-1"):
        try:
            return _repaired(text.encode(encoding).decode("utf-8"))
        except UnicodeError:
            continue
    return text
