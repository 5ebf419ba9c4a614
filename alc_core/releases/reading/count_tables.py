"""Reading tables of counts, however they are laid out, as lists of cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from alc_core.errors import InputError
from alc_core.phrasing import numbered, quoted
from alc_core.releases.reading.count_columns import named_after, values_of
from alc_core.tables.checks.counts import is_total, names_count
from alc_core.tables.column_codes import FloatArray
from alc_core.tables.read import table_from_frame
from alc_core.tables.table import Table
from alc_core.tables.values.no_value_words import says_no_value
from alc_core.tables.values.texts import canonical_labels, numeric_values

_COUNT = "count"
_FEWEST_CELLS = 2
_READABLE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountTable:
    """A table of counts as a list of cells."""

    table: Table  # A row for each cell, with the values of the original's columns that it counts
    # How many people are in each cell; noise may have made it fractional or negative
    people: FloatArray
    column: str  # What messages call the counts: a column of the file, or how it holds them
    notes: tuple[str, ...] = ()  # How the file was understood
    unreadable: tuple[str, ...] = ()  # Counts that are no numbers, as they are written


def count_tables(table: Table, original: Table) -> tuple[CountTable, ...]:
    """Read a table of counts: a long one, one of attributes and their values, or a cross table.

    Totals are left out. Columns of the file that are not the original's are summed over.
    """
    if not len(table):
        raise InputError(f"'{table.name}' has no rows. Add its counts.")
    cells = _from_cross_table(table, original) or _from_long_table(table, original)
    parts = [_named(part, original) for part in _by_attribute(cells, original)]
    return tuple(_finished(part, original) for part in parts)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Cells:
    """A table on its way to cells: all columns beside the counts, and these as written."""

    source: Table
    frame: pd.DataFrame
    counts: pd.Series
    column: str
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
    """Read a table with a column of counts for each value of one of the original's columns."""
    extra = [c for c in table.columns if c not in original.columns and _is_numeric(table, c)]
    best: tuple[str, dict[str, str]] = ("", {})
    for column in original.columns:
        if column not in table.columns:
            named = _headers(extra, column, original)
            if len(named) > len(best[1]):
                best = column, named
    column, named = best
    if len(named) < _FEWEST_CELLS:
        return None
    keys = [c for c in table.columns if c not in named and c not in extra]
    frame = table.frame.reset_index(drop=True)
    repeated = frame[keys].loc[np.repeat(np.arange(len(frame)), len(named))].reset_index(drop=True)
    repeated[column] = pd.Series(np.tile(list(named.values()), len(frame)), dtype="str")
    counts = frame[list(named)].to_numpy(dtype=object).reshape(-1)
    cells = _Cells(
        source=table, frame=repeated, counts=pd.Series(counts, dtype=object), column=_COUNT,
        notes=(f"Its columns {quoted(list(named), most=6)} are counts by '{column}'.",),
    )  # fmt: skip
    left_out = [name for name in extra if name not in named]
    totals = [name for name in left_out if is_total(name)]
    if totals:
        cells = cells.noted(f"The totals in {quoted(totals)} are left out.")
    if others := [name for name in left_out if name not in totals]:
        cells = cells.noted(
            f"{quoted(others, most=6)} {'is no value' if len(others) == 1 else 'are no values'} of"
            f" '{column}' in the original and {'is' if len(others) == 1 else 'are'} left out."
        )
    return cells


def _headers(names: Sequence[str], column: str, original: Table) -> dict[str, str]:
    """Return the column names that are values of one of the original's columns, as values."""
    bare = {
        name: name[len(column) :].lstrip("=_.: ") if _starts(name, column) else name
        for name in names
        if not is_total(name)
    }
    known = values_of(original, column, list(bare.values()))
    return {name: value for name, value in bare.items() if value in known}


def _starts(name: str, column: str) -> bool:
    rest = name[len(column) :]
    return name.startswith(column) and rest[:1] in ("=", "_", ".", ":", " ") and len(rest) > 1


def _from_long_table(table: Table, original: Table) -> _Cells:
    """Read a table with one column of counts."""
    own = [c for c in table.columns if c not in original.columns]
    named = [c for c in own if names_count(c)]
    chosen = named if named else [c for c in own if _is_numeric(table, c)]
    if len(chosen) != 1:
        raise InputError(_no_count_column(table, own, chosen))
    frame = table.frame.reset_index(drop=True)
    keys = [column for column in table.columns if column != chosen[0]]
    counts = frame[chosen[0]]
    read = np.isfinite(numeric_values(counts))
    if read.mean() < _READABLE and not _suppressed(counts[~read]).all():
        value = str(counts[~read][~_suppressed(counts[~read])].iloc[0])
        raise InputError(
            f"Column '{chosen[0]}' of '{table.name}' is to hold counts, but is mostly no numbers,"
            f" such as '{value}'. Correct it, or rename the column with the counts 'count'."
        )
    return _Cells(source=table, frame=frame[keys], counts=counts, column=chosen[0])


def _no_count_column(table: Table, own: Sequence[str], chosen: Sequence[str]) -> str:
    if chosen:
        return (
            f"'{table.name}' has several columns that may be counts: {quoted(chosen, most=6)}. Call"
            " the right one 'count', and leave the others out."
        )
    has = f" It has {quoted(own, most=6)} beside those." if own else ""
    return (
        f"'{table.name}' has no column with numbers of people. A table of counts has one that the"
        f" original lacks, such as 'count', or one for each value of a column.{has}"
    )


def _by_attribute(cells: _Cells, original: Table) -> Iterable[_Cells]:
    """Split a table whose rows name the column that they count, such as "sex", "Female"."""
    own = [c for c in cells.frame.columns if c not in original.columns]
    attributes = [c for c in own if _names_columns(cells.frame[c], original)]
    values = {c: _value_column(c, own, attributes) for c in attributes}
    pairs = {a: v for a, v in values.items() if v is not None}
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


def _names_columns(series: pd.Series, original: Table) -> bool:
    labels = canonical_labels(series).dropna().unique()
    return bool(len(labels)) and all(label in original.columns for label in labels)


def _value_column(attribute: str, own: Sequence[str], attributes: Sequence[str]) -> str | None:
    """Return the column with the values of the columns that another one names: the next."""
    later = own[own.index(attribute) + 1 :]
    return later[0] if later and later[0] not in attributes else None


def _named(cells: _Cells, original: Table) -> _Cells:
    """Give columns the names that they have in the original, where that is plain."""
    for column in [c for c in cells.frame.columns if c not in original.columns]:
        free = [c for c in original.columns if c not in cells.frame.columns]
        found = named_after(column, cells.frame[column], free, original)
        if found:
            cells = replace(cells, frame=cells.frame.rename(columns={column: found})).noted(
                f"Column '{column}' is taken for '{found}', whose values and ranges it has."
            )
        else:
            cells = replace(cells, frame=cells.frame.drop(columns=column)).noted(
                f"The original has no column '{column}': the counts are summed over it."
            )
    if cells.frame.shape[1] < _FEWEST_CELLS:
        has = f" It has only {quoted(list(cells.frame.columns))}." if cells.frame.shape[1] else ""
        raise InputError(
            f"'{cells.source.name}' crosses no two columns of the original.{has} Give its columns "
            "the names that they have in the original, or leave the table out."
        )
    return cells


def _finished(cells: _Cells, original: Table) -> CountTable:
    """Leave totals out and read the counts."""
    totals = np.zeros(len(cells.frame), dtype=bool)
    for column in cells.frame.columns:
        totals |= _totals(cells.frame[column], column, original)
    if totals.all():
        raise InputError(
            f"'{cells.source.name}' has nothing but totals. Add the counts of single values."
        )
    if totals.any():
        cells = cells.take(~totals).noted(
            f"Left out: {numbered(int(totals.sum()), 'cell')} of totals."
        )
    people = numeric_values(cells.counts)
    hidden = _suppressed(cells.counts) & ~np.isfinite(people)
    bad = ~np.isfinite(people) & ~hidden
    if hidden.any():
        cells = cells.noted(f"Taken as 0: {numbered(int(hidden.sum()), 'cell')} without a count.")
    given = cells.source.value_sets
    sets = {column: given[column] for column in cells.frame.columns if column in given}
    table = table_from_frame(cells.frame, name=cells.source.name)
    return CountTable(
        table=replace(table, value_sets=sets),
        people=np.where(np.isfinite(people), people, 0.0),
        column=cells.column,
        notes=cells.notes,
        unreadable=tuple(str(each) for each in cells.counts[bad].unique()),
    )


def _totals(series: pd.Series, column: str, original: Table) -> np.ndarray:
    """Return which cells are of totals: by their name, or empty where the original never is."""
    labels = canonical_labels(series)
    expected = bool(original.frame[column].isna().any())
    missing = labels.isna().to_numpy() & (not expected)
    texts = labels.dropna().unique().tolist()
    named = {text for text in texts if is_total(text)} - set(values_of(original, column, texts))
    return missing | labels.isin(named).to_numpy()


def _suppressed(counts: pd.Series) -> np.ndarray:
    labels = canonical_labels(counts)
    words = {text for text in labels.dropna().unique() if says_no_value(text)}
    return (labels.isna() | labels.isin(words)).to_numpy()


def _is_numeric(table: Table, column: str) -> bool:
    numbers = np.isfinite(numeric_values(table.frame[column]))
    return bool(numbers.mean() >= _READABLE)
