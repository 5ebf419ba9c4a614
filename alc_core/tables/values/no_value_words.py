"""Texts that stand for "no value", whatever the column."""

from __future__ import annotations

from collections.abc import Iterable

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
_CODES_OF_TWO_LETTERS = 3
"""From this many other codes of two capitals on, "NA" is one of them: Namibia, North America."""


def says_no_value(text: str) -> bool:
    """Return whether a text is one that stands for "no value".

    Examples
    --------
    >>> [says_no_value(text) for text in (" N/A ", "(Unknown)", "none", "other")]
    [True, True, False, False]
    """
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
