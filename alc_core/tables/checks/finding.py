"""Findings of the check, as facts.

Their sentences are in ``sentences.toml``.
"""

from __future__ import annotations

import enum
import itertools
import string
import tomllib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from alc_core.note import stops
from alc_core.phrasing import by_chance, count, listed, numbered, percent, quoted
from alc_core.plain_values import from_plain, plain_of
from alc_core.present.notebook import InNotebook
from alc_core.tables.table import some_names

Text = str | tuple[str, ...]

_SHOWN_VALUES = 3
_SHOWN_CHARACTERS = 40
_SHOWN_SHARES = 6
_OF_CODE = ("message", "action")  # What a case says only if it differs
_PER_COLUMN = "shares"  # The fact counted in each attacked column


@dataclass(frozen=True, slots=True)
class Sentence:
    """The sentences for one kind of finding."""

    message: Text  # What was found
    action: Text  # What to do about it
    together: str = ""  # Message for several columns or tables
    option: str = ""  # The command's, for the action


@cache
def sentences() -> Mapping[str, Sentence]:
    """Return sentences by code, or code and case."""
    file = Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8")
    written = tomllib.loads(file)
    for key, said in written.items():
        of_code = written.get(key.partition("/")[0], {})
        written[key] = {**{what: of_code[what] for what in _OF_CODE if what in of_code}, **said}
    return from_plain(written, dict[str, Sentence])


def sentence(code: str, case: str = "") -> Sentence:
    """Return a code's sentences; a plugin's finding brings its own."""
    return sentences().get(f"{code}/{case}" if case else code, _BROUGHT_ALONG)


_BROUGHT_ALONG = Sentence("{message}", "{action}")


def shown_labels(labels: Iterable[object]) -> tuple[str, ...]:
    """Return the released values shown, and one more if there are more."""
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
    return listed(shown, most=_SHOWN_SHARES)


def _replays(found: Sequence[tuple[str, float, float]]) -> str:
    return listed(
        [
            f"{piece} of {percent(share)} of the people ({by_chance(expected)} by chance)"
            for piece, share, expected in found
        ]
    )


# Forms of facts; "if" writes nothing, "number WORD" writes "1 WORD" or "2 WORDs"
_FORMS: Mapping[str, Callable[[Any], str]] = {
    "percent": percent,
    "chance": by_chance,
    "count": lambda number: count(round(number)),
    "all": lambda number: "both" if number == 2 else f"all {number}",
    "names": quoted,
    "3 names": partial(quoted, most=3),
    "6 names": partial(quoted, most=6),
    "some names": some_names,
    "examples": examples,
    "shares": _shares,
    "replays": _replays,
    "sentences": " ".join,
    "if": lambda _: "",
}


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
    """Return a text without parts whose facts are missing."""
    if isinstance(text, str):
        return _FORMATTER.vformat(text, (), facts)
    parts = (part for part in text if _FORMATTER.facts_of(part) <= facts.keys())
    return "".join(_FORMATTER.vformat(part, (), facts) for part in parts)


def facts_in(text: Text) -> frozenset[str]:
    """Return the names of the facts in a text."""
    return frozenset().union(*map(_FORMATTER.facts_of, (text,) if isinstance(text, str) else text))


@dataclass(frozen=True, slots=True)
class Offer:
    """An answer: an option of the command line, and a button."""

    option: str  # Without dashes, such as "same"
    value: str  # Such as "pay_class=income"

    def value_for(self, table: str) -> str:
        """Return the option's value for one of several tables."""
        return f"{table}={self.value}" if self.option in _OF_A_TABLE else self.value

    @property
    def words(self) -> str:
        """The answer's text on a button."""
        return _OFFERS[self.option].format(value=self.value)


_OF_A_TABLE = frozenset({"same"})  # Options whose value may begin with a table

# What a button says, by option
_OFFERS = {
    "same": "Read it so",
    "known": "Attack with these known",
    "household": "They belong together",
    "continuous": "They are amounts",
    "categorical": "They are codes",
    "person": "It is the person",
    "missing": "It means “no value”",
    "day-first": "The day comes first",
    "month-first": "The month comes first",
    "dates": "Read {value}",
    "thousands": "They separate thousands",
    "decimal": "They separate decimals",
    "skip-rows": "Leave them out",
    "delimiter": "Read it with the delimiter {value}",
    "release-type": "They are editions",
}


class Severity(enum.StrEnum):
    """Severity of a finding. Questions and errors stop a run.

    A ``WARNING`` may mislead; a ``QUESTION`` must be accepted by code, or fixed; an ``ERROR`` must
    be fixed.
    """

    INFO = "info"
    WARNING = "warning"
    QUESTION = "question"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(InNotebook):
    """A finding on a table or column. Decisions use its facts, never its words."""

    severity: Severity  # How much it matters
    # Stable name, such as "unknown-labels"; with the column it accepts a question
    code: str
    table: str  # Name of the table
    column: str | None = None  # None for the whole table
    case: str = ""  # Which of the code's sentences
    # By name in its sentences: counts, shares, names; of the original's values only what may be
    # shown
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False)
    offers: tuple[Offer, ...] = ()  # What mends it, the likeliest first
    # Of single columns, if merged
    parts: tuple[Finding, ...] = ()

    @classmethod
    def of(
        cls,
        severity: Severity,
        code: str,
        table: str,
        column: str | None = None,
        *,
        case: str = "",
        offers: tuple[Offer, ...] = (),
        **facts: Any,
    ) -> Finding:
        """Make a finding; None and False are dropped."""
        given = {
            name: fact for name, fact in facts.items() if fact is not None and fact is not False
        }
        return cls(
            severity=severity, code=code, table=table, column=column, case=case, facts=given,
            offers=offers,
        )  # fmt: skip

    @property
    def message(self) -> str:
        """What was found, in plain words."""
        return _told_together(self.parts) if self.parts else self._written(self.sentence.message)

    @property
    def action(self) -> str:
        """What to do about it, in plain words."""
        return self.parts[0].action if self.parts else self._written(self.sentence.action)

    @property
    def sentence(self) -> Sentence:
        """What is said of findings of its kind."""
        return sentence(self.code, self.case)

    def _written(self, text: Text) -> str:
        return written(text, {**self.facts, "table": self.table, "column": self.column})

    @property
    def numbers(self) -> tuple[tuple[str, float], ...]:
        """Counts by name, such as "rows", "share" and "expected"."""
        return tuple(
            (name, fact)
            for name, fact in self.facts.items()
            if isinstance(fact, (int, float)) and not isinstance(fact, bool)
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns concerned; empty for the whole table."""
        if self.parts:
            return tuple(column for part in self.parts for column in part.columns)
        return () if self.column is None else (self.column,)

    @property
    def answers(self) -> tuple[str, ...]:
        """Texts that accept a question: its code and column, or code, table and column."""
        if self.column is None:
            return self.code, f"{self.code}:{self.table}"
        return f"{self.code}:{self.column}", f"{self.code}:{self.table}:{self.column}"

    @property
    def place(self) -> str:
        """Table and any column, for a sentence."""
        return f"'{self.table}'" + (f", column '{self.column}'" if self.column else "")

    @property
    def names_its_table(self) -> bool:
        """Whether its message names the table."""
        parts = self.parts or (self,)
        return len(_tables(parts)) == 1 and "table" in facts_in(parts[0].sentence.message)

    @property
    def blocking(self) -> bool:
        """Whether it stops a run until answered or fixed."""
        return self.severity in (Severity.QUESTION, Severity.ERROR)

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain values for JSON."""
        return {
            **plain_of(self, "severity", "code", "table", "column", "columns", "message", "action"),
            "offers": [plain_of(offer, "option", "value") for offer in self.offers],
            "numbers": dict(self.numbers),
            "blocking": self.blocking,
            "stops_release": stops(self),
        }


def grouped(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Merge equal findings on columns of one table."""

    def kind(finding: Finding) -> Hashable:
        if finding.column is None:
            return finding
        advice = _told(finding, finding.sentence.action)
        return finding.severity, finding.code, finding.table, advice

    return tuple(
        alike[0]
        if len(alike) == 1
        else _as_one(alike, alike[0].table, facts={}, offers=_all_offers(alike))
        for alike in _of_one_kind(findings, kind)
    )


def patterns(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Merge equal findings on several columns or tables."""

    def kind(finding: Finding) -> Hashable:
        # Texts on a whole table must be equal, or have a joint one
        what: Hashable = None
        if not finding.columns:
            words = finding.sentence
            what = words.together or _told(finding, words.message)
        elif finding.sentence.together:  # It counts columns, which each table must have
            what = frozenset(finding.columns)
        return finding.severity, finding.code, _told(finding, finding.sentence.action), what

    return tuple(
        alike[0]
        if len(alike) == 1
        else _as_one(alike, listed(_tables(alike)), offers=_all_offers(alike))
        for alike in _of_one_kind(grouped(findings), kind)
    )


def once(findings: Iterable[Finding], *, told: Iterable[Finding] = ()) -> tuple[Finding, ...]:
    """Return attacks' findings once, worst first, without `told`.

    An attack may count in some columns what another counts in more.
    """
    before = {_subject(each): each for each in reversed(worst_first(told))}
    found: dict[Hashable, Finding] = {}
    for finding in worst_first(findings):
        first = found.setdefault(subject := _subject(finding), finding)
        one, other = (dict(each.facts.get(_PER_COLUMN, ())) for each in (first, finding))
        if (both := one | other) != other | one:
            found[subject, finding.facts[_PER_COLUMN]] = finding  # another table of this name
        elif both != one:
            facts = {**first.facts, _PER_COLUMN: tuple(both.items())}
            found[subject] = replace(first, facts=facts)
    return tuple(each for each in found.values() if not _says(before.get(_subject(each)), each))


def _subject(finding: Finding) -> Hashable:
    facts = {name: fact for name, fact in finding.facts.items() if name != _PER_COLUMN}
    stops = finding.severity if finding.blocking else None  # each must be answered, or fixed
    place = finding.table, finding.column
    return finding.code, stops, place, finding.parts, repr(sorted(facts.items()))


def _says(one: Finding | None, other: Finding) -> bool:
    """Return whether a finding covers another on its subject."""
    if one is None:
        return False
    worse = worst_first((one, other))[0] is not one
    return not worse and {*other.facts.get(_PER_COLUMN, ())} <= {*one.facts.get(_PER_COLUMN, ())}


def _told(finding: Finding, text: Text) -> Hashable:
    first = (finding.parts or (finding,))[0]
    facts = {**first.facts, "column": first.column}
    return text, *(facts.get(name) for name in sorted(facts_in(text) - {"table"}))


def _of_one_kind(
    findings: Iterable[Finding], kind: Callable[[Finding], Hashable]
) -> Iterable[list[Finding]]:
    kinds: dict[Hashable, list[Finding]] = {}
    for finding in findings:
        kinds.setdefault(kind(finding), []).append(finding)
    return kinds.values()


def _as_one(alike: Sequence[Finding], table: str, **changes: Any) -> Finding:
    parts = tuple(part for finding in alike for part in (finding.parts or (finding,)))
    return replace(alike[0], table=table, column=None, parts=parts, **changes)


def _all_offers(findings: Iterable[Finding]) -> tuple[Offer, ...]:
    return tuple(dict.fromkeys(offer for finding in findings for offer in finding.offers))


def _tables(findings: Sequence[Finding]) -> list[str]:
    return list(dict.fromkeys(finding.table for finding in findings))


def _told_together(parts: Sequence[Finding]) -> str:
    """Return the first column's message, and other columns."""
    table, *others = _tables(parts)
    first, *more = (part for part in parts if part.table == table)
    together, columns = first.sentence.together, [part.column or "" for part in (first, *more)]
    if first.column is None:
        if others and together:
            return together
        text = first.message
    else:
        text = f"In '{first.column}': {first.message}"
        if more and together:
            text = together.format(n=count(len(columns)), columns=quoted(columns))
        elif more:
            text += f" Likewise in {quoted(columns[1:])}."
    by_columns: dict[frozenset[str], list[str]] = {}
    for each in (table, *others):
        own = frozenset(part.column or "" for part in parts if part.table == each)
        by_columns.setdefault(own, []).append(each)
    (_, (_, *alike)), *unlike = by_columns.items()
    if unlike:
        text += f" This is so in {quoted([table, *alike])}."
        return text + "".join(
            f" In {quoted(tables)}: {quoted(sorted(own))}." for own, tables in unlike
        )
    return f"{text} Similar in {quoted(alike)}." if alike else text


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings by severity, stable."""
    order = list(reversed(Severity))
    return sorted(findings, key=lambda finding: order.index(finding.severity))
