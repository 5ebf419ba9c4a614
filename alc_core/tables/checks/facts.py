"""What a released file shares with its original, before any attack."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator
from dataclasses import dataclass

from alc_core.note import PSEUDONYM, ROW_ORDER
from alc_core.phrasing import count, numbered, percent, quoted
from alc_core.tables.checks.links import check_links
from alc_core.tables.checks.own import plain_together
from alc_core.tables.checks.profile import Profiles
from alc_core.tables.checks.pseudonyms.check import check_pseudonyms
from alc_core.tables.checks.scales import rescaled
from alc_core.tables.codings import are_linked
from alc_core.tables.few_facts import copied_numbers
from alc_core.tables.labels.date_readings import with_read_dates
from alc_core.tables.labels.find import plain_columns
from alc_core.tables.labels.intervals import kept_intervals
from alc_core.tables.own_together import parts_return
from alc_core.tables.replayed_texts import clear_replays
from alc_core.tables.same_rows import (
    ROWS_LOOKED_UP,
    Chance,
    NearRows,
    chances_in,
    compare_rows,
    near_rows,
)
from alc_core.tables.table import Table
from alc_core.tables.values.texts import label_counts

# Limits of copies (docs/methods.md, Verbatim rows)
_LEAST_COPIED = 0.02  # Share of copied rows beyond chance
_TIMES_CHANCE = 1.4  # Times chance, for other populations
_TIMES_MUCH = 2.0  # If chance gives many copies
_MUCH = 0.3  # Share of copies by chance that is many
_MOST = 0.5  # Share of rows or values
_SAMPLED = 10_000  # Rows sampled
_STANDARD_ERRORS = 4.0  # Of the share of copies


class FactKind(enum.StrEnum):
    """What a fact counts."""

    ROWS = "rows"  # Of the file; of the original
    VERBATIM = "verbatim"  # Rows equal to the original's in all columns
    VERBATIM_BUT = "verbatim but"  # Equal in all but recoded columns
    ALL_BUT_ONE = "all but one"  # Equal in all of these columns but one
    # Rows with a value of the original's row at their place; only if so
    SAME_ORDER = "same order"
    ROW_NUMBER = "row number"  # The same, for the place a column names
    PSEUDONYM = "pseudonym"  # People whose value of a column anyone can compute
    TEXTS = "texts"  # People with a piece of their own text in the file
    # Numbers of single people in the first of these columns
    COPIED_NUMBERS = "copied numbers"
    # People these columns single out, whose combination is in the file
    OWN_TOGETHER = "own together"
    # Numbers of single people in the file that are theirs on another scale
    RESCALED = "rescaled"
    NEW_VALUES = "new values"  # Distinct values new to the original's column
    UNMATCHED = "unmatched"  # People without a row equal in all columns but one
    # Nothing matches beyond chance: is this the right original? CALM if answered or values of
    # single people show it; its columns have new values
    ORIGINAL = "original"


class Weight(enum.StrEnum):
    """What a fact means for publishing the file."""

    ALARM = "alarm"  # Decides by itself
    ASK = "ask"  # To be looked at
    CALM = "calm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One count."""

    kind: FactKind
    count: int
    of: int
    expected: float | None = None  # Number for a file of strangers; None if unknown
    columns: tuple[str, ...] = ()  # Recoded, with new values, or naming a place
    weight: Weight = Weight.CALM


class Matching(enum.StrEnum):
    """How far rows are the original's."""

    VERBATIM = "verbatim"  # Clearly more than by chance
    NEARLY = "nearly"  # More than by chance, in all columns but one or by order
    CHANCE = "by chance"  # No more than chance would give
    UNKNOWN = "unknown"  # Could not be counted


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFacts:
    """Counts about one file of a release."""

    table: str  # Its name
    facts: tuple[Fact, ...]  # In display order

    def fact(self, kind: FactKind) -> Fact | None:
        """Return the fact of a kind, if counted."""
        return next((fact for fact in self.facts if fact.kind is kind), None)

    @property
    def stops(self) -> bool:
        """Whether a fact stops the release whatever attacks find."""
        return any(fact.weight is Weight.ALARM for fact in self.facts)

    @property
    def shows_original(self) -> bool:
        """Whether values of single people show that the original is right."""
        kinds = {FactKind.COPIED_NUMBERS, FactKind.PSEUDONYM, FactKind.TEXTS, FactKind.RESCALED}
        return any(fact.kind in kinds for fact in self.facts)

    @property
    def same(self) -> Fact | None:
        """Rows equal to the original's, recoded columns aside."""
        return self.fact(FactKind.VERBATIM) or self.fact(FactKind.VERBATIM_BUT)

    @property
    def nearly_same(self) -> Fact | None:
        """Rows that differ in one column; None if by chance."""
        found = self.fact(FactKind.ALL_BUT_ONE)
        return None if found is None or found.weight is Weight.CALM else found

    @property
    def matching(self) -> Matching:
        """How far rows are the original's."""
        if self.same is None:
            return Matching.UNKNOWN
        if self.same.weight is not Weight.CALM:
            return Matching.VERBATIM
        if self.fact(FactKind.ORIGINAL):
            return Matching.CHANCE
        told = _more(self.same.of, self.same.expected or 0.0)
        return Matching.NEARLY if told else Matching.UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbatim:
    """Rows of a file that are the original's, and by chance."""

    rows: int  # Of the file
    columns: tuple[str, ...]  # In which they are the same
    recoded: tuple[str, ...]  # Other columns, where rows cannot be equal
    share: float
    chance: Chance
    identical: bool
    # Among rows unique in the original, without dense groups of equals
    unique: float
    unique_chance: Chance

    @property
    def expected(self) -> float:
        """The share among strangers."""
        return self.chance.share

    @property
    def beyond_chance(self) -> bool:
        """Whether clearly more rows are the original's than by chance."""
        if self.identical and not self.recoded:
            return True
        most = self.share >= _MOST and self.share - self.expected > (1 - self.expected) / 2
        times = _TIMES_CHANCE if self.expected <= _MUCH else _TIMES_MUCH
        pairs = (self.share, self.chance), (self.unique, self.unique_chance)
        return any(
            _clearly_more(share, chance, self.rows)
            and (share > times * chance.share or (most and not self.recoded))
            for share, chance in pairs
        )


def _clearly_more(share: float, chance: Chance, rows: int) -> bool:
    by_chance = max(chance.share * (1 - chance.share), 1 / rows) / rows
    least = max(
        _LEAST_COPIED * (1 - chance.share),
        _STANDARD_ERRORS * math.sqrt(by_chance + chance.error**2),
    )
    return share - chance.share >= least


def _shared_columns(original: Table, release: Table) -> tuple[str, ...]:
    return tuple(column for column in release.columns if column in original.own_compared)


def verbatim(original: Table, release: Table) -> Verbatim | None:
    """Count rows that are the original's; if none can be, in unchanged columns.

    None without rows, or two columns.
    """
    columns = _shared_columns(original, release)
    if len(columns) < 2 or not len(release):
        return None
    found = _verbatim(original, release, columns)
    if found.beyond_chance:
        return found
    kept = tuple(column for column in columns if _has_values_of(original, release, column))
    if not 2 <= len(kept) < len(columns):
        return found
    return _verbatim(original, release, kept, tuple(c for c in columns if c not in kept))


def _verbatim(
    original: Table, release: Table, columns: tuple[str, ...], recoded: tuple[str, ...] = ()
) -> Verbatim:
    before = original.frame[list(columns)]
    same = compare_rows(before, release.frame[list(columns)])
    chance, unique_chance = chances_in(original, columns)
    return Verbatim(
        rows=len(release),
        columns=columns,
        recoded=recoded,
        share=same.share,
        chance=chance,
        identical=same.identical,
        unique=same.unique,
        unique_chance=unique_chance,
    )


def _has_values_of(original: Table, release: Table, column: str) -> bool:
    rows = release.frame[[column]]
    sample = rows.iloc[:: max(1, len(rows) // _SAMPLED)]
    return compare_rows(original.frame[[column]], sample, least=_MOST).share >= _MOST


def file_facts(original: Table, release: Table) -> FileFacts:
    """Count what a file of rows shares with its original.

    Facts have the count by chance, if known.
    """
    release = with_read_dates(original, release)
    named = [
        *_of_pseudonyms(original, release), *_of_texts(original, release),
        *_of_scales(original, release),
    ]  # fmt: skip
    facts = [rows_fact(original, release), *named]
    if len(original) and (found := verbatim(original, release)) is not None:
        facts += _of_rows(original, release, found, is_original=bool(named))
    return FileFacts(table=release.name, facts=tuple(facts))


def rows_fact(original: Table, release: Table) -> Fact:
    """Return how many rows a file has."""
    return Fact(kind=FactKind.ROWS, count=len(release), of=len(original))


def _of_pseudonyms(original: Table, release: Table) -> Iterator[Fact]:
    people = len(original)
    for found in check_pseudonyms(original, release):
        if found.code == PSEUDONYM:
            yield Fact(
                kind=FactKind.PSEUDONYM, count=round(found.facts["share"] * people), of=people,
                columns=found.columns, weight=Weight.ALARM,
            )  # fmt: skip


def _of_scales(original: Table, release: Table) -> Iterator[Fact]:
    for column, found in rescaled(original, release):
        singled = found["singled"]
        yield Fact(
            kind=FactKind.RESCALED, count=round(found["share"] * singled), of=singled,
            columns=(column,), weight=Weight.ASK,
        )  # fmt: skip


def _of_texts(original: Table, release: Table) -> Iterator[Fact]:
    if clear := clear_replays(original, release):
        most = max(clear, key=lambda each: each.people)
        yield Fact(
            kind=FactKind.TEXTS, count=most.people, of=most.of_people,
            expected=most.expected * most.of_people, weight=Weight.ALARM,
        )  # fmt: skip


def _of_rows(
    original: Table, release: Table, found: Verbatim, *, is_original: bool
) -> Iterator[Fact]:
    rows, people, columns = len(release), len(original), _shared_columns(original, release)
    own, theirs = (each.frame[list(found.columns)] for each in (original, release))
    near = near_rows(own, theirs)
    links = tuple(check_links(original, release, Profiles()))
    same, expected = round(found.share * rows), found.expected * rows
    yield Fact(
        kind=FactKind.VERBATIM_BUT if found.recoded else FactKind.VERBATIM,
        count=same, of=rows, expected=expected, columns=found.recoded,
        weight=Weight.ALARM if found.beyond_chance else Weight.CALM,
    )  # fmt: skip
    yield (beside := all_but_one(found, near))
    for link in links:
        yield Fact(
            kind=FactKind.SAME_ORDER if link.code == ROW_ORDER else FactKind.ROW_NUMBER,
            count=round(link.facts["share"] * rows), of=rows, columns=link.columns,
            weight=Weight.ALARM,
        )  # fmt: skip
    if numbers := copied_numbers(original, release):
        singled = numbers[0].singled_out * people
        yield Fact(
            kind=FactKind.COPIED_NUMBERS, count=round(numbers[0].share * singled),
            of=round(singled),
            expected=numbers[0].expected * singled,
            columns=tuple(each.columns[0] for each in numbers), weight=Weight.ASK,
        )  # fmt: skip
    together = [each.together for each in plain_together(original, release) if each.others]
    if (kept := kept_intervals(original, release)) is not None:
        together.append(kept.together)
    for each in together:
        singled = each.singled_out * people
        yield Fact(
            kind=FactKind.OWN_TOGETHER, count=round(each.share * singled), of=round(singled),
            expected=each.expected * singled, columns=each.columns, weight=Weight.ASK,
        )  # fmt: skip
    new = _new_values(original, release, columns)
    yield new
    unmatched = people - round(near.people * people)
    yield Fact(kind=FactKind.UNMATCHED, count=unmatched, of=people)
    more = _more(same + beside.count, near.expected * rows, rows) or _more(same, expected)
    if (
        not links
        and not more
        and not together
        and _more(rows, expected)  # else rows match whoever they are
        and not _reordered(original, release, columns)
        and not are_linked(original, release, columns)
        and not parts_return(original, release, plain_columns(original, release))
    ):
        yield Fact(
            kind=FactKind.ORIGINAL, count=same + beside.count, of=rows,
            expected=near.expected * rows, columns=new.columns,
            weight=Weight.CALM if numbers or is_original else Weight.ASK,
        )  # fmt: skip


def all_but_one(found: Verbatim, near: NearRows) -> Fact:
    """Count rows that differ from the original's in one column."""
    rows = found.rows
    same = round(found.share * rows)
    beside = max(round(near.released * rows) - same, 0)
    expected = (near.expected - found.expected) * rows
    # Both: fewer equal rows than by chance leave more that differ in one column
    more = _more(same + beside, near.expected * rows, rows) and _more(beside, expected, rows)
    return Fact(
        kind=FactKind.ALL_BUT_ONE, count=beside, of=rows, expected=expected, columns=found.recoded,
        weight=Weight.ASK if more else Weight.CALM,
    )  # fmt: skip


def most_by_chance(expected: float, rows: int = 0) -> float:
    """Return the most rows by chance if `expected` is the mean.

    If `rows` exceeds the rows looked up, these have weights.
    """
    each = max(rows / ROWS_LOOKED_UP, 1.0)
    return expected + _STANDARD_ERRORS * math.sqrt(each * (max(expected, 0.0) + each))


def _more(found: float, expected: float, rows: int = 0) -> bool:
    return found > most_by_chance(expected, rows)


def _reordered(original: Table, release: Table, columns: tuple[str, ...]) -> bool:
    return len(original) == len(release) and all(
        label_counts(original.frame[column])
        .sort_index()
        .equals(label_counts(release.frame[column]).sort_index())
        for column in columns
    )


def _new_values(original: Table, release: Table, columns: tuple[str, ...]) -> Fact:
    new, distinct = {}, 0
    for column in columns:
        released = label_counts(release.frame[column]).index
        distinct += len(released)
        if fresh := len(released.difference(label_counts(original.frame[column]).index)):
            new[column] = fresh
    return Fact(kind=FactKind.NEW_VALUES, count=sum(new.values()), of=distinct, columns=tuple(new))


ORIGINAL_QUESTION = "Is this the right original?"

_CHIPS = {
    FactKind.ROWS: "{rows}",
    FactKind.VERBATIM: "{originals}{chance}",
    FactKind.VERBATIM_BUT: "{n} originals{aside}{chance}",
    FactKind.ALL_BUT_ONE: "{rows} with one {more}value changed{chance}",
    FactKind.SAME_ORDER: "in the original's order",
    FactKind.ROW_NUMBER: "{columns} numbers the original's rows",
    FactKind.PSEUDONYM: "people can be looked up by {columns}",
    FactKind.TEXTS: "texts of {n} people{chance}",
    FactKind.COPIED_NUMBERS: "{n} numbers of one person each{chance}",
    FactKind.OWN_TOGETHER: "{named} kept together of {n} people{chance}",
    FactKind.RESCALED: "{columns} on another scale",
    FactKind.NEW_VALUES: "{values} new to the original",
    FactKind.UNMATCHED: "{n} of {of} people without a similar row",
    FactKind.ORIGINAL: ORIGINAL_QUESTION,
}

_MEANINGS = {
    FactKind.ROWS: "The original has {of}.",
    FactKind.VERBATIM: "Rows equal to an original row in shared columns{chance}.",
    FactKind.VERBATIM_BUT: "Rows equal to an original row but in {columns}{chance}.",
    FactKind.ALL_BUT_ONE: "Rows that differ from an original row in one column{aside}.",
    FactKind.SAME_ORDER: "Up to {share} of a column match the original's row at the same place.",
    FactKind.ROW_NUMBER: "Up to {share} of a column match the original's row with that number.",
    FactKind.PSEUDONYM: (
        "About {n} of {of} people have the original's value, or one derived from it."
    ),
    FactKind.TEXTS: "{n} of {of} people with a unique piece of text in the file{chance}.",
    FactKind.COPIED_NUMBERS: (
        "Unique numbers of {columns} in the file: {n} of {of} in the first column."
    ),
    FactKind.OWN_TOGETHER: (
        "The values of {columns} still belong to one person, for {n} of the "
        "{of} people singled out{chance}."
    ),
    FactKind.RESCALED: "{share} of single people's {columns} return on another scale.",
    FactKind.NEW_VALUES: "Values that the original lacks{where}.",
    FactKind.UNMATCHED: "People without a row equal in all but one column, recoded ones aside.",
    FactKind.ORIGINAL: "{rows} match the original's in all columns or all but one (by chance up "
    "to {most}).",
}
_ANSWERED = "✓ the right original"
_UNPROTECTED = " If its rows are other real people, all are published."


def fact_chip(fact: Fact) -> str:
    """Return the count in a few words, with chance in brackets."""
    if fact.kind is FactKind.ORIGINAL and fact.weight is Weight.CALM:
        return _ANSWERED
    if fact.kind is FactKind.UNMATCHED and not fact.count:
        return f"a similar row for all {count(fact.of)} people"
    return _CHIPS[fact.kind].format(**_written(fact))


def fact_meaning(fact: Fact) -> str:
    """Return the sentence that explains a count."""
    more = _UNPROTECTED if fact.kind is FactKind.ORIGINAL and fact.columns else ""
    return _MEANINGS[fact.kind].format(**_written(fact)) + more


def by_chance(fact: Fact) -> str:
    """Return chance in brackets; empty if unknown."""
    return "" if fact.expected is None else f" (by chance: {_expected(fact)})"


def _expected(fact: Fact) -> str:
    return count(round(expected)) if (expected := fact.expected or 0.0) >= 0.5 else "hardly any"


def _written(fact: Fact) -> dict[str, str]:
    none = (
        {"n": "no", "rows": "no rows", "values": "no values", "originals": "no original rows"}
        if not fact.count
        else {}
    )
    return {
        "n": count(fact.count),
        "of": count(fact.of),
        "rows": numbered(fact.count, "row"),
        "originals": numbered(fact.count, "original row"),
        "values": numbered(fact.count, "value"),
        "most": count(int(most_by_chance(fact.expected or 0.0, fact.of))),
        "chance": by_chance(fact),
        "share": percent(fact.count / max(fact.of, 1)),
        "columns": quoted(fact.columns, most=3),
        "named": numbered(len(fact.columns), "column"),
        "where": f", in {quoted(fact.columns, most=6)}" if fact.columns else "",
        "more": "more " if fact.columns else "",
        "aside": f", {quoted(fact.columns, most=3)} aside" if fact.columns else "",
        **none,
    }
