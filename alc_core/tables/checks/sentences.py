"""What findings say, in words: the one place that turns their codes and facts into sentences.

The sentences stand in ``sentences.toml`` beside this module, to which a language could be added.
"""

from __future__ import annotations

import itertools
import string
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from alc_core.phrasing import count, listed, numbered, percent, quoted
from alc_core.tables.formats.source import listed as names_of_columns
from alc_core.tables.table import some_names

Text = str | tuple[str, ...]

_SHOWN_VALUES = 3
_SHOWN_CHARACTERS = 40
_SHOWN_SHARES = 6


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is said of one kind of finding."""

    message: Text  # What was found
    action: Text  # What to do about it
    together: str = ""  # Instead of the message, where several columns or tables have it


@cache
def sentences() -> Mapping[str, Sentence]:
    """Return what is said by code, or by code and case."""
    file = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return {key: Sentence(**_in_parts(words)) for key, words in tomllib.loads(file).items()}


def _in_parts(words: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(t) if isinstance(t, list) else t for name, t in words.items()}


def sentence(code: str, case: str = "") -> Sentence:
    """Return what is said of a code; of a plugged-in one what its finding brings along."""
    return sentences().get(f"{code}/{case}" if case else code, _BROUGHT_ALONG)


_BROUGHT_ALONG = Sentence("{message}", "{action}")


def shown_labels(labels: Iterable[object]) -> tuple[str, ...]:
    """Return as many values of a release as a sentence shows, and one more if there are more."""
    return tuple(str(label) for label in itertools.islice(labels, _SHOWN_VALUES + 1))


def examples(labels: Sequence[str]) -> str:
    """Return up to three values of a release, shortened."""
    shown = []
    for label in labels[:_SHOWN_VALUES]:
        single_line = " ".join(label.split())
        short = single_line[: _SHOWN_CHARACTERS - 1] + "…"
        shown.append(f"'{single_line if len(single_line) <= _SHOWN_CHARACTERS else short}'")
    return ", ".join(shown) + (", ..." if len(labels) > _SHOWN_VALUES else "")


def _shares(columns: Sequence[tuple[str, float]]) -> str:
    shown = [f"'{column}' ({percent(share)} of the rows)" for column, share in columns]
    more = shown[_SHOWN_SHARES:] and [f"{len(shown) - _SHOWN_SHARES} more"]
    return listed([*shown[:_SHOWN_SHARES], *more])


_FORMS: Mapping[str, Callable[[Any], str]] = {
    "percent": percent,
    "count": lambda number: count(round(number)),
    "names": quoted,
    "3 names": partial(quoted, most=3),
    "6 names": partial(quoted, most=6),
    "some names": some_names,
    "columns": lambda names: names_of_columns(list(names)),
    "examples": examples,
    "shares": _shares,
    "joined": ",".join,
    "sentences": " ".join,
    "if": lambda _: "",
}
"""How facts are written; "if" writes nothing, "number WORD" writes "1 WORD" or "2 WORDs"."""


class _Formatter(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if form := _FORMS.get(format_spec):
            return form(value)
        if format_spec.startswith("number "):
            return numbered(value, format_spec.removeprefix("number "))
        return str(super().format_field(value, format_spec))

    def facts_of(self, text: str) -> set[str]:
        return {name for _, name, _, _ in self.parse(text) if name}


_FORMATTER = _Formatter()


def written(text: Text, facts: Mapping[str, Any]) -> str:
    """Return a text with facts, without the parts whose facts are not there."""
    if isinstance(text, str):
        return _FORMATTER.vformat(text, (), facts)
    parts = (part for part in text if _FORMATTER.facts_of(part) <= facts.keys())
    return "".join(_FORMATTER.vformat(part, (), facts) for part in parts)


def facts_in(text: Text) -> frozenset[str]:
    """Return the names of the facts that a text has a place for."""
    return frozenset().union(*map(_FORMATTER.facts_of, (text,) if isinstance(text, str) else text))
