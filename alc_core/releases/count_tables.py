"""Tables of counts in any layout, read as lists of cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import CodeArray, FloatArray, places_in
from alc_core.errors import InputError
from alc_core.phrasing import numbered, quoted
from alc_core.releases.hidden_counts import Hidden, MarkedCounts, hidden_counts
from alc_core.releases.totals import Layout, values_of
from alc_core.tables.checks.no_people import is_total, names_count
from alc_core.tables.codes.encode import CategoricalCodes, ColumnSpec, EncodedTable
from alc_core.tables.codes.sets import IntervalSets, LabelSets
from alc_core.tables.formats.marked import bare_number
from alc_core.tables.labels.count_marks import count_marks
from alc_core.tables.read import table_from_frame
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.thousands import as_thousands, in_thousands, mark_of
from alc_core.tables.values.generalized import distinct_keys
from alc_core.tables.values.texts import canonical_labels, label_counts, numeric_values

_COUNT = "count"
_FEWEST_CELLS = 2
_READABLE = 0.5
_FEWEST_SHOWN = 3  # Without smaller counts, these may be suppressed
_LEFT_OUT = ".."
_MOST_COMBINATIONS = 1_000_000
_MOST = 0.5
_GROUPED = (
    r"(s|groups?|grp|ranges?|bands?|brackets?|class(es)?|cat(egor(y|ies))?|bins?|intervals?|years"
    r"|recoded?|coded?|gruppen?|klassen?)*"
)
_THOUSANDS = {"Commas": ",", "Points": r"\.", "Spaces": r"[ \u00a0\u2009\u202f]"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountTable:
    """A table of counts as a list of cells."""

    table: Table  # One row per cell, with the original's columns
    # Per cell; fractional or negative after noise
    people: FloatArray
    column: str  # Name of the counts in messages
    notes: tuple[str, ...] = ()  # How the file was read
    unreadable: tuple[str, ...] = ()  # Non-numeric counts, as written
    recovered: int = 0  # Suppressed cells recovered from totals
    ranged: int = 0  # Suppressed cells known only in a range
    numbers: tuple[str, ...] = ()  # Columns of other numbers, such as means


def count_tables(table: Table, original: Table) -> tuple[CountTable, ...]:
    """Read a table of counts: long, by attribute and value, or a cross table.

    Totals recover suppressed counts, and are removed. Other columns are summed over.
    """
    if not len(table):
        raise InputError(f"'{table.name}' has no rows. Add its counts.")
    used = [column for column in table.columns if table.kind(column) is not ColumnKind.IGNORE]
    table = replace(table, frame=table.frame[used])
    whole = _with_whole_counts(table, len(original))
    cells = _from_cross_table(whole, original) or _from_long_table(whole, original)
    if whole is not table:
        cells = cells.noted(whole.notes[-1])
    parts = [_named(part, original) for part in _by_attribute(cells, original)]
    return tuple(_finished(_completed(part, original), original) for part in parts)


def _with_whole_counts(table: Table, people: int) -> Table:
    """Return a table with points as thousands separators if that fits the people."""
    maybe = [name for name in table.maybe_thousands if mark_of(table, name) == "."]
    if not maybe:
        return table
    as_is = sum(float(np.nansum(np.abs(table.frame[name].to_numpy()))) for name in maybe)
    whole = sum(float(np.nansum(np.abs(in_thousands(table, name)))) for name in maybe)
    nearer = abs(np.log(max(whole, 1) / people)) < abs(np.log(max(as_is, 1) / people))
    why = "which add up to the original's people"
    return as_thousands(table, maybe if nearer else (), why)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Cells:
    """A table in work: other columns, and counts as written."""

    source: Table
    frame: pd.DataFrame
    counts: pd.Series
    column: str
    crossed: str = ""  # Column spread over a cross table's header
    left_out: int = 0  # Number of last cells missing from the file
    numbers: tuple[str, ...] = ()  # Columns of other numbers
    notes: tuple[str, ...] = ()

    def noted(self, note: str) -> _Cells:
        return replace(self, notes=(*self.notes, note))

    def take(self, rows: np.ndarray) -> _Cells:
        return replace(
            self,
            frame=self.frame[rows].reset_index(drop=True),
            counts=self.counts[rows].reset_index(drop=True),
        )


def _from_cross_table(table: Table, original: Table) -> _Cells | None:
    own = [c for c in table.columns if c not in original.columns]
    readable = [c for c in own if _is_readable(table, c)]
    found = {
        c: _headers(readable, c, original) for c in original.compared if c not in table.columns
    }
    fits = {
        column: (sum(_starts(name, column) for name in named), len(named))
        for column, named in found.items()
        if len(named) >= _FEWEST_CELLS
    }
    best = [column for column, fit in fits.items() if fit == max(fits.values())]
    if not best:
        return None
    column, named = best[0], found[best[0]]
    if len(best) > 1:
        raise InputError(
            f"Columns {quoted(list(named), most=6)} of '{table.name}' may be values of "
            f"{quoted(best, most=6)}. Name one, as in '{column}={next(iter(named))}'."
        )
    totals = [c for c in readable if c not in named and is_total(_bare(c, column))]
    beside = [c for c in own if c not in (*named, *totals) and _is_counts(table, c)]
    keys = [c for c in table.columns if c not in (*named, *totals, *beside)]
    others = [*totals, *(c for c in beside if _is_whole(table, c))]
    labels = {**named, **{name: _bare(name, column) for name in others}}
    frame = table.frame.reset_index(drop=True)
    repeated = frame[keys].loc[np.repeat(np.arange(len(frame)), len(labels))]
    repeated = repeated.reset_index(drop=True)
    repeated[column] = pd.Series(np.tile(list(labels.values()), len(frame)), dtype="str")
    counts = frame[list(labels)].to_numpy(dtype=object).reshape(-1)
    cells = _Cells(
        source=table, frame=repeated, counts=pd.Series(counts, dtype=object), column=_COUNT,
        crossed=column,
        notes=(f"Its columns {quoted(list(named), most=6)} are counts by '{column}'.",),
    )  # fmt: skip
    if totals:
        cells = cells.noted(f"The totals in {quoted(totals)} are left out.")
    if beside:
        cells = cells.noted(
            f"{quoted(beside, most=6)} "
            f"{'is not a value' if len(beside) == 1 else 'are not values'} of '{column}' in the "
            f"original and {'is' if len(beside) == 1 else 'are'} left out."
        )
    return cells


def _headers(names: Sequence[str], column: str, original: Table) -> dict[str, str]:
    bare = {name: _bare(name, column) for name in names}
    known = values_of(original, column, list(bare.values()))
    return {name: value for name, value in bare.items() if value in known}


def _bare(name: str, column: str) -> str:
    return name[len(column) :].lstrip("=_.: ") if _starts(name, column) else name


def _starts(name: str, column: str) -> bool:
    rest = name[len(column) :]
    return name.startswith(column) and rest[:1] in ("=", "_", ".", ":", " ") and len(rest) > 1


def _from_long_table(table: Table, original: Table) -> _Cells:
    own = [c for c in table.columns if c not in original.columns]
    named = [c for c in own if names_count(c)]
    chosen = named if named else [c for c in own if _is_counts(table, c)]
    if len(chosen) != 1:
        if chosen:
            raise InputError(
                f"'{table.name}' may have several columns of counts: {quoted(chosen, most=6)}. "
                "Call one 'count'."
            )
        has = f" It also has {quoted(own, most=6)}." if own else ""
        raise InputError(
            f"'{table.name}' has no column of counts. Add 'count', or one for each value of a "
            f"column.{has}"
        )
    frame = table.frame.reset_index(drop=True)
    keys = [column for column in table.columns if column != chosen[0]]
    counts = frame[chosen[0]]
    marks = np.isfinite(count_marks(counts)[0])
    read = np.isfinite(_people(counts)[0])
    if read.mean() < _READABLE and not marks[~read].all():
        value = str(counts[~read & ~marks].iloc[0])
        raise InputError(
            f"Column '{chosen[0]}' of '{table.name}' has '{value}' and the like. Correct it, or "
            "call the counts 'count'."
        )
    return _Cells(source=table, frame=frame[keys], counts=counts, column=chosen[0])


def _by_attribute(cells: _Cells, original: Table) -> Iterable[_Cells]:
    """Split a table whose rows name the counted column, such as "sex", "Female"."""
    own = [c for c in cells.frame.columns if c not in original.columns]
    labels = {c: {*canonical_labels(cells.frame[c]).dropna().unique()} for c in own}
    attributes = [c for c in own if labels[c] and labels[c] <= {*original.columns}]
    # Values of a named column are in the next column.
    pairs = {a: v for a, v in pairwise(own) if a in attributes and v not in attributes}
    if not pairs:
        return [cells]
    keys = [canonical_labels(cells.frame[c]).fillna("") for c in pairs]
    names = pd.Series(list(zip(*keys, strict=True)))
    parts = []
    for named in names.unique():
        part = cells.take((names == named).to_numpy())
        frame = part.frame.drop(columns=list(pairs))
        frame = frame.rename(columns=dict(zip(pairs.values(), named, strict=True)))
        parts.append(replace(part, frame=frame))
    return parts


def _named(cells: _Cells, original: Table) -> _Cells:
    for column in [c for c in cells.frame.columns if c not in original.columns]:
        free = [c for c in original.columns if c not in cells.frame.columns]
        found = named_after(column, cells.frame[column], free, original)
        if found:
            cells = replace(cells, frame=cells.frame.rename(columns={column: found})).noted(
                f"Column '{column}' is read as '{found}'."
            )
        elif _are_numbers(cells.source, column):
            cells = replace(cells, numbers=(*cells.numbers, column))
        else:
            cells = cells.noted(f"Counts are summed over '{column}', which the original lacks.")
    columns = [c for c in cells.frame.columns if c in original.columns]
    if len(columns) < _FEWEST_CELLS:
        has = f" It has only {quoted(columns)}." if columns else ""
        raise InputError(
            f"'{cells.source.name}' crosses no two columns of the original.{has} Rename its "
            "columns."
        )
    return cells


def _are_numbers(table: Table, column: str) -> bool:
    return column in table.columns and table.kind(column) is ColumnKind.CONTINUOUS


def _completed(cells: _Cells, original: Table) -> _Cells:
    """Add combinations that a long table with totals suppresses."""
    layout = Layout.of(cells.frame, original)
    totals, combinations = layout.totals, layout.n_combinations
    if cells.crossed or totals.all() or not totals.any() or len(layout.known) < len(layout.labels):
        return cells
    shown = _people(cells.counts)[0][~totals]
    few = bool((shown >= _FEWEST_SHOWN).all()) and int((~totals).sum()) < combinations
    if not few or combinations > _MOST_COMBINATIONS:
        return cells
    absent = layout.absent()
    frame = pd.concat([pd.DataFrame(dict(layout.labels)), absent], ignore_index=True)
    counts = pd.concat([cells.counts, pd.Series([_LEFT_OUT] * len(absent))], ignore_index=True)
    return replace(cells, frame=frame.astype("str"), counts=counts, left_out=len(absent))


def _finished(cells: _Cells, original: Table) -> CountTable:
    """Read counts, recover hidden ones from totals, and remove totals."""
    people, separator = _people(cells.counts)
    if separator:
        cells = cells.noted(f"{separator} in the counts separate thousands.")
    low, high = count_marks(cells.counts)
    hidden = np.isnan(people) & np.isfinite(low)
    bad = np.isnan(people) & ~hidden
    layout = Layout.of(cells.frame, original)
    marked = MarkedCounts(
        numbers=np.where(bad, 0.0, people),
        low=np.where(hidden, low, np.nan),
        high=np.where(hidden, high, np.nan),
        zeros_are_left_out=not cells.crossed and layout.n_combinations > (~layout.totals).sum(),
    )
    subtotals, families = layout.sums(marked, cells.crossed)
    totals = layout.totals | subtotals
    if totals.all():
        raise InputError(f"'{cells.source.name}' has only totals. Add single values.")
    beside = np.zeros(len(totals), dtype=bool)  # Of the header, not a value
    if cells.crossed:
        beside = layout.strange(cells.crossed)
    kept = ~totals & ~beside
    found = hidden_counts(marked, families)
    absent = np.arange(len(kept)) >= len(kept) - cells.left_out
    kept &= ~absent | (np.isfinite(found.most) & (found.people > 0))
    if (absent & kept).any():
        left_out = numbered(int((absent & kept).sum()), "combination")
        cells = cells.noted(f"By its totals, {left_out} with people are missing.")
    exact, ranged = (int(each[kept].sum()) for each in (found.exact, found.ranged))
    if in_rows := int((totals & ~beside).sum()):
        cells = cells.noted(f"Left out: {numbered(in_rows, 'cell')} of totals.")
    for note in _hidden_notes(found, exact, ranged):
        cells = cells.noted(note)
    columns = [column for column in cells.frame.columns if column in original.columns]
    given = cells.source.value_sets
    sets = {column: given[column] for column in columns if column in given}
    table = table_from_frame(cells.take(kept).frame[columns], name=cells.source.name)
    return CountTable(
        table=replace(table, value_sets=sets),
        people=found.people[kept],
        column=cells.column,
        notes=cells.notes,
        unreadable=tuple(str(each) for each in cells.counts[bad & kept].unique()),
        recovered=exact,
        ranged=ranged,
        numbers=cells.numbers,
    )


def _hidden_notes(found: Hidden, exact: int, ranged: int) -> Iterator[str]:
    if exact:
        yield f"The totals reveal {numbered(exact, 'suppressed cell')} exactly."
    if ranged:
        known = "known only in a range" + (", which the totals narrow" if found.totals else "")
        yield f"{numbered(ranged, 'suppressed cell')} {'is' if ranged == 1 else 'are'} {known}."
    if found.unfit:
        yield f"Not used: {numbered(found.unfit, 'sum')} that differ from their totals."


def _people(counts: pd.Series) -> tuple[FloatArray, str]:
    """Read counts, and the thousands separator if all agree.

    A single number with a point is a fraction.
    """
    counts = counts.map(lambda each: bare_number(each) if isinstance(each, str) else each)
    marks = np.isfinite(count_marks(counts)[0])
    texts = [each for each in counts[~marks].unique() if isinstance(each, str)]
    for name, mark in _THOUSANDS.items():
        marked = [text for text in texts if re.search(f"[0-9]{mark}", text)]
        grouped = re.compile(rf"\s*[-+]?[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+\s*")
        if len(marked) > (name == "Points") and all(map(grouped.fullmatch, marked)):
            bare = counts.astype(str).str.replace(mark, "", regex=True)
            return numeric_values(counts.astype(object).mask(counts.isin(marked), bare)), name
    return numeric_values(counts), ""


def _is_counts(table: Table, column: str) -> bool:
    """Return whether a column holds mostly numbers, or more than marks."""
    counts = table.frame[column]
    numbers = np.isfinite(_people(counts)[0])
    if numbers.mean() >= _READABLE:
        return True
    several = counts[numbers].nunique() >= max(_FEWEST_CELLS, counts[~numbers].nunique())
    return several and _is_readable(table, column)


def _is_whole(table: Table, column: str) -> bool:
    numbers = _people(table.frame[column])[0]
    return bool((numbers[np.isfinite(numbers)] % 1 == 0).all())


def _is_readable(table: Table, column: str) -> bool:
    """Return whether it holds only numbers and marks, or mostly numbers."""
    counts = table.frame[column]
    numbers = np.isfinite(_people(counts)[0])
    return bool(
        numbers.mean() >= _READABLE or (numbers | np.isfinite(count_marks(counts)[0])).all()
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountedColumn:
    """A release's distinct values and ranges with counts."""

    # From `distinct_keys`, ascending, one per row
    values: NDArray[np.int64]
    # Generalized labels, in the next rows
    sets: LabelSets | IntervalSets | None = None
    n_sets: int = 0

    @classmethod
    def of(cls, table: EncodedTable, column: str, spec: ColumnSpec) -> tuple[Self, CodeArray]:
        """Find the values of a table's column."""
        found = table.set_columns.get(column)
        single = table.columns[column] if found is None else found.single
        alone = np.ones(len(table), dtype=bool) if found is None else ~found.labelled
        if isinstance(spec, CategoricalCodes):
            alone &= single >= 0
        keys = distinct_keys(single[alone])
        values = np.unique(keys)
        rows = np.full(len(table), -1, dtype=np.int32)
        rows[alone] = np.searchsorted(values, keys)
        if found is None:
            return cls(values=values), rows
        rows[found.labelled] = len(values) + found.codes[found.labelled]
        return cls(values=values, sets=found.sets, n_sets=len(found.labels)), rows

    @property
    def n_rows(self) -> int:
        """Number of values and ranges."""
        return len(self.values) + self.n_sets

    def rows(self, values: CodeArray | FloatArray) -> CodeArray:
        """Return values' rows: their own, else the narrowest range."""
        found = places_in(distinct_keys(values), self.values).astype(np.int32)
        if self.sets is None:
            return found
        distinct, back = np.unique(values, return_inverse=True)
        label = _narrowest(self.sets, distinct)[back.reshape(-1)]
        in_range = (found < 0) & (label >= 0)
        found[in_range] = len(self.values) + label[in_range]
        return found


def _narrowest(sets: LabelSets | IntervalSets, values: NDArray[np.generic]) -> CodeArray:
    """Return each value's narrowest label; -1 if none.

    Labels covering every value are ignored.
    """
    if isinstance(sets, IntervalSets):
        numbers = np.asarray(values, dtype=np.float64)
        inside = (sets.low[:, None] <= numbers) & (numbers <= sets.high[:, None])
        covers: NDArray[np.bool_] = np.asarray(inside, dtype=np.bool_)
        nothing, width = sets.any, sets.high - sets.low
    else:
        covers = sets.covered[:, np.asarray(values, dtype=np.int64)]
        nothing = np.asarray(sets.covered.all(axis=1), dtype=np.bool_)
        width = sets.covered.sum(axis=1).astype(np.float64)
    narrowest = [label for label in np.argsort(width, kind="stable") if not nothing[label]]
    found = np.full(len(values), -1, dtype=np.int32)
    for label in reversed(narrowest):
        found[covers[label]] = label
    return found


def named_after(
    column: str, values: pd.Series, candidates: Sequence[str], original: Table
) -> str | None:
    """Return the original's column behind a count column, by name and values."""
    labels = [str(label) for label in label_counts(values).index if not is_total(str(label))]
    if not labels:
        return None
    named = [c for c in candidates if _is_group_of(column, c)]
    whole = [c for c in candidates if not named and original.kind(c) is ColumnKind.CATEGORICAL]
    for candidate in sorted(named, key=len, reverse=True):
        if len(values_of(original, candidate, labels)) >= _MOST * len(labels):
            return candidate
    same = [c for c in whole if set(labels) <= set(label_counts(original.frame[c]).index)]
    return same[0] if len(same) == 1 and len(labels) > 1 else None


def _is_group_of(column: str, candidate: str) -> bool:
    name, start = (re.sub(r"[\W_]+", "", each.casefold()) for each in (column, candidate))
    return name.startswith(start) and bool(re.fullmatch(_GROUPED, name[len(start) :]))
