"""One row a person, by one function for original and release."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray
from alc_core.errors import ColumnError
from alc_core.linked.keys import LinkedTables
from alc_core.phrasing import count as counted
from alc_core.phrasing import numbered
from alc_core.plain_values import read_only
from alc_core.tables.codes.columns import encode_continuous
from alc_core.tables.labels.date_readings import with_read_dates
from alc_core.tables.labels.find import column_sets
from alc_core.tables.table import ColumnKind, KindGuess, Table
from alc_core.tables.value_sets import ANY, AnyValue, Interval, ValueSet
from alc_core.tables.values.texts import label_codes

_ASKED = re.compile(
    r"(?P<how>first|last|most frequent|all|ever|mean|least|greatest|sum) (?P<of>.+)"
)
_OF_NUMBERS = ("mean", "least", "greatest", "sum")
YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Child:
    """A child table's rows with people; dates and numbers are read like the original's.

    Attributes
    ----------
    table : Table
    original : Table
        The original's table of that name, perhaps itself.
    person : ndarray of int64 of shape (n_rows,)
    order : str or None
        Column that orders the rows.
    """

    table: Table
    original: Table
    person: IntArray
    order: str | None

    def numbers(self, column: str) -> FloatArray:
        """Return numbers or days; the middle of a label's; NaN if missing."""
        kind = self.original.kind(column)
        before = self.original.frame[column]
        if self.table is self.original:
            (own,), _ = encode_continuous([before], kind)
            return own
        (_, own), _ = encode_continuous([before, self.table.frame[column]], kind)
        if found := column_sets(self.original, self.table, [column]).get(column):
            codes, labels = label_codes(self.table.frame[column])
            middle = np.full(len(labels) + 1, np.nan)
            for place, label in enumerate(labels):
                covers = found.sets.get(label)
                if isinstance(covers, Interval):
                    middle[place] = _middle(covers)
            own = np.where(np.isnan(middle[codes]), own, middle[codes])
        return own


def _middle(covers: Interval) -> float:
    ends = np.array(covers.closed_bounds)
    ends = ends[np.isfinite(ends)]
    return float(ends.mean()) if len(ends) else np.nan


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Values:
    series: pd.Series
    kind: ColumnKind
    # By label of several values whose order is open
    sets: Mapping[str, ValueSet]


def entity_view(
    linked: LinkedTables,
    *,
    original: LinkedTables | None = None,
    asked: Iterable[str] = (),
    orders: Mapping[str, str] | None = None,
) -> Table:
    """Return one row a person: the root's columns, and summaries of child rows.

    For each child: number of rows, first and last date, each other column's last value (without
    dates, the most frequent) or mean, and all texts. If the order leaves several values, a
    released person has their set, and one of the original none.

    Parameters
    ----------
    linked : LinkedTables
    original : LinkedTables, optional
        A release's original, whose values decide how it is read.
    asked : iterable of str
        Further columns, such as "ever diagnosis = C50 of visits" or "sum cost of visits".
    orders : mapping of str to str, optional
        Ordering column by table; by default its first of dates.

    Returns
    -------
    Table
        Keys are identifiers.

    Raises
    ------
    ColumnError
        If an asked column cannot be made.
    """
    before = original or linked
    number, people = linked.people()
    frames: dict[str, pd.Series] = {}
    kinds: dict[str, ColumnKind] = {}
    sets: dict[str, Mapping[str, ValueSet]] = {}
    for name in linked.children:
        child = child_of(linked, before, name, person=number[name], orders=orders or {})
        names = [*_usual(child, name, linked.keys[name] | before.keys[name])]
        names += [each for each in asked if each.endswith(f" of {name}") and each not in names]
        for column in names:
            made = _made(child, column, name, people)
            if made is None:
                continue
            frames[column], kinds[column] = made.series, made.kind
            if made.sets:
                sets[column] = made.sets
    made_of = {column: KindGuess(kind, "what a person's rows come to") for column, kind in
               kinds.items()}  # fmt: skip
    table = _rooted(linked, people)
    frame = pd.concat([table.frame, pd.DataFrame(frames, index=table.frame.index)], axis=1)
    identifiers = {c: ColumnKind.IDENTIFIER for c in table.columns if c in _root_keys(linked)}
    sizes = [f"{numbered(len(t), 'row')} of '{n}'" for n, t in linked.tables.items()]
    joined = f", joined by {linked.described()}" if linked.links else ""
    note = f"{counted(people)} people of {', '.join(sizes)}{joined}."
    digest = hashlib.sha256(
        "\n".join(
            [
                *(t.fingerprint for t in linked.tables.values()),
                *map(str, linked.links),
                *frame.columns,
            ]
        ).encode()
    )
    return replace(
        table,
        name=linked.name,
        frame=frame,
        guesses=read_only({**table.guesses, **made_of}),
        overrides=read_only({**table.overrides, **identifiers}),
        value_sets=read_only({**table.value_sets, **sets}),
        notes=(*(note for each in linked.tables.values() for note in each.notes), note),
        fingerprint=digest.hexdigest(),
        empty_rows=(),
        doubtful_rows=(),
    )


def asked_columns(names: Iterable[str], tables: Iterable[str]) -> list[str]:
    """Return the names that summarize rows of a table.

    Examples
    --------
    >>> asked_columns(["age", "sum cost of visits", "cost of living"], ["people", "visits"])
    ['sum cost of visits']
    """
    ends = [f" of {table}" for table in tables]
    return [
        name
        for name in dict.fromkeys(names)
        if any(name.endswith(end) and _ASKED.fullmatch(name.removesuffix(end)) for end in ends)
    ]


def child_of(
    linked: LinkedTables, before: LinkedTables, name: str, *, person: IntArray,
    orders: Mapping[str, str],
) -> Child:  # fmt: skip
    """Return a child's rows with people and order."""
    original = before.tables[name]
    table = linked.tables[name]
    if table is not original:
        table = with_read_dates(original, table)
    order = orders.get(name) or _order(original, before.keys[name])
    if order is not None and not original.kind(order).is_numeric:
        raise ColumnError(
            f"'{name}' cannot be ordered by '{order}', which holds categories. Choose dates or "
            "numbers."
        )
    return Child(
        table=table, original=original, person=person,
        order=order if order in table.columns else None,
    )  # fmt: skip


def _order(table: Table, keys: frozenset[str]) -> str | None:
    dates = (c for c in table.compared if table.kind(c) is ColumnKind.DATETIME and c not in keys)
    return next(dates, None)


def _root_keys(linked: LinkedTables) -> frozenset[str]:
    return frozenset() if linked.root is None else linked.keys[linked.root]


def _rooted(linked: LinkedTables, people: int) -> Table:
    if linked.root is None:
        frame = pd.DataFrame(index=pd.RangeIndex(people))
        return Table(name=linked.name, frame=frame, guesses=read_only({}))
    table = linked.tables[linked.root]
    frame = table.frame.reset_index(drop=True)
    return replace(table, frame=frame if len(frame) == people else frame.reindex(range(people)))


def _usual(child: Child, name: str, keys: frozenset[str]) -> list[str]:
    found = [f"number of {name}"]
    order = _order(child.original, keys) if child.order is None else child.order
    for column in child.original.compared:
        kind = child.original.kind(column)
        if column in keys or column not in child.table.columns:
            continue
        if column == order:
            found += [f"first {column} of {name}", f"last {column} of {name}"]
        elif kind is ColumnKind.CATEGORICAL:
            found.append(f"{'last' if order else 'most frequent'} {column} of {name}")
        elif kind is ColumnKind.CONTINUOUS:
            found.append(f"mean {column} of {name}")
    texts = (c for c in child.table.columns if _is_text(child, c))
    return [*found, *(f"all {column} of {name}" for column in texts)]


def _is_text(child: Child, column: str) -> bool:
    return ColumnKind.TEXT in (
        child.table.kind(column),
        child.original.kind(column) if column in child.original.columns else None,
    )


def _made(child: Child, text: str, name: str, people: int) -> _Values | None:
    """Return one column of the view, if the table can make it."""
    if text == f"number of {name}":
        number = np.bincount(child.person, minlength=people)
        return _Values(series=pd.Series(number), kind=ColumnKind.CONTINUOUS, sets={})
    found = _ASKED.fullmatch(text.removesuffix(f" of {name}"))
    if found is None:
        raise ColumnError(
            f"'{text}' does not summarize rows. Write 'last COLUMN of {name}', or first, most "
            "frequent, all, ever, mean, least, greatest or sum."
        )
    how, column = found["how"], found["of"]
    column, equals, value = column.partition(" = ") if how == "ever" else (column, "", "")
    if how == "all" and column in child.table.columns and _is_text(child, column):
        return _of_texts(child, column, people)
    child.original.require(column)
    if how == "ever" and not equals:
        raise ColumnError(f"'{text}' names no value. Write 'ever {column} = VALUE of {name}'.")
    if column not in child.table.columns:
        return None
    if how == "ever":
        return _ever(child, column, value.strip(), people)
    if how in _OF_NUMBERS or column == child.order:
        return _of_numbers(child, column, how, people)
    return _of_labels(child, column, how, people)


def _of_numbers(child: Child, column: str, how: str, people: int) -> _Values:
    """Return sums, means and extremes; NaN without a number."""
    kind = child.original.kind(column)
    if not kind.is_numeric:
        raise ColumnError(f"'{how} {column}' needs numbers, but '{column}' holds categories.")
    numbers = child.numbers(column)
    there = np.flatnonzero(np.isfinite(numbers))
    rows = there[np.lexsort((numbers[there], child.person[there]))]
    person = child.person[rows]
    starts = np.flatnonzero(np.diff(person, prepend=-1))
    result = np.full(people, np.nan)
    if column == child.order and how in ("first", "last"):
        # As written: a month is compared as what it covers
        ends = rows[starts] if how == "first" else rows[np.append(starts[1:], len(rows)) - 1]
        written = pd.Series(child.table.frame[column].to_numpy()[ends], index=person[starts])
        return _Values(series=written.reindex(range(people)), kind=kind, sets={})
    if len(rows):
        sums = np.add.reduceat(numbers[rows], starts)
        sizes = np.diff(np.append(starts, len(rows)))
        ends = np.append(starts[1:], len(rows)) - 1
        found = {
            "sum": sums, "mean": sums / sizes,
            "least": numbers[rows[starts]], "greatest": numbers[rows[ends]],
        }  # fmt: skip
        result[person[starts]] = found[how]
    return _Values(series=pd.Series(result), kind=ColumnKind.CONTINUOUS, sets={})


def _ever(child: Child, column: str, value: str, people: int) -> _Values:
    """Return whether a person's rows have a value; missing if none has any."""
    codes, labels = label_codes(child.table.frame[column])
    there = codes >= 0
    wanted = np.append(np.array([label == value for label in labels], dtype=bool), False)
    ever = np.bincount(child.person, weights=wanted[codes], minlength=people) > 0
    some = np.bincount(child.person, weights=there, minlength=people) > 0
    series = pd.Series(np.where(ever, YES, NO), dtype=object).where(some, None)
    return _Values(series=series, kind=ColumnKind.CATEGORICAL, sets={})


def _of_labels(child: Child, column: str, how: str, people: int) -> _Values:
    """Return the label chosen by order or frequency, or all labels as one."""
    codes, labels = label_codes(child.table.frame[column])
    rows = np.flatnonzero(codes >= 0)
    if how in ("first", "last"):
        if child.order is None:
            raise ColumnError(
                f"'{how} {column}' needs an order, but '{child.table.name}' has no column of dates."
            )
        order = child.numbers(child.order) * (1 if how == "last" else -1)
        weight = np.where(np.isnan(order), -np.inf, order)
    else:
        weight = np.zeros(len(codes))
    person = child.person[rows].astype(np.int64)
    if how == "most frequent":
        pairs, times = np.unique(person * len(labels) + codes[rows], return_counts=True)
        weight, rows = times.astype(np.float64), np.arange(len(pairs))
        person, chosen = np.divmod(pairs, len(labels))
    else:
        weight, chosen = weight[rows], codes[rows].astype(np.int64)
    most = np.full(people, -np.inf)
    np.maximum.at(most, person, weight)
    kept = weight == most[person]
    pairs = np.unique(person[kept] * len(labels) + chosen[kept])
    return _labelled(child, column, pairs, labels, people, how=how)


def _of_texts(child: Child, column: str, people: int) -> _Values:
    """Return all texts of a person as one."""
    texts = child.table.frame[column].set_axis(child.person).dropna().astype(str)
    of_people = texts.groupby(level=0).agg(" | ".join)
    return _Values(series=of_people.reindex(range(people)), kind=ColumnKind.TEXT, sets={})


def _labelled(
    child: Child, column: str, pairs: NDArray[np.int64], labels: list[str], people: int,
    *, how: str,
) -> _Values:  # fmt: skip
    """Return each person's label; of several, one covering them."""
    person, codes = np.divmod(pairs, max(1, len(labels)))
    starts = np.flatnonzero(np.diff(person, prepend=-1))
    sizes = np.diff(np.append(starts, len(person)))
    names = np.array([*labels, None], dtype=object)
    series = np.full(people, None, dtype=object)
    alone = starts[sizes == 1]
    series[person[alone]] = names[codes[alone]]
    several = [
        (person[start], sorted(names[codes[start : start + size]]))
        for start, size in zip(starts[sizes > 1], sizes[sizes > 1], strict=True)
    ]
    sets: dict[str, ValueSet] = {}
    if how == "all" or child.table is not child.original:
        for of, tied in several:
            series[of] = "{" + ", ".join(tied) + "}"
    if how != "all" and child.table is not child.original and several:
        own = {*label_codes(child.original.frame[column])[1]}
        found = column_sets(child.original, child.table, [column]).get(column)
        sets |= found.sets if found else {}
        for of, tied in several:
            parts = [sets.get(each, frozenset({each} & own)) for each in tied]
            plain = [each for each in parts if not isinstance(each, AnyValue | Interval)]
            whole = frozenset().union(*plain)
            sets[series[of]] = whole if len(plain) == len(parts) else ANY
    return _Values(series=pd.Series(series), kind=ColumnKind.CATEGORICAL, sets=read_only(sets))
