"""Original and release as small whole numbers, the same ones for the same values or bins."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.errors import InputError, ParameterError
from alc_core.tables.codes.encode import CategoricalCodes, EncodedData, encode
from alc_core.tables.table import Table
from alc_core.tables.values.tagged import tags
from alc_core.tables.values.texts import blank_texts, distinct_codes

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
Binning = Literal["quantile", "equal width"]

BINS = 20
"""Bins that numbers and dates are cut into unless another number is asked for."""

_BELOW, _ABOVE, _MISSING, _UNREADABLE = range(4)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coded:
    """The original's columns and those of a release's tables under common codes."""

    data: EncodedData  # The same with numbers and dates as they are
    original: Mapping[str, IntArray]  # Codes by column
    # Codes by column of each released table, with the columns that it has
    released: tuple[Mapping[str, IntArray], ...]
    size: Mapping[str, int]  # Codes of each column: 0, ..., size - 1
    missing: Mapping[str, int]  # The code that stands for a missing value
    # Share of the release's values, missing ones left out, that the original never has, or that
    # cannot be read as the numbers or dates that the original has; from 0 to 1
    strange: Mapping[str, float]

    @property
    def columns(self) -> tuple[str, ...]:
        """The original's columns that are compared, in its order."""
        return tuple(self.original)

    def holder(self, *columns: str) -> int | None:
        """Return which released table to take columns from: of those with all, the widest one."""
        return widest_holder(self.released, columns)


def widest_holder(tables: Sequence[Collection[str]], columns: Sequence[str]) -> int | None:
    """Return which of some tables, each its columns, to take columns from; None if none has all."""
    widths = [len(table) if all(column in table for column in columns) else 0 for table in tables]
    widest = int(np.argmax(widths))
    return widest if widths[widest] else None


def code_tables(
    original: Table, release: Sequence[Table], *, bins: int = BINS, binning: Binning = "quantile"
) -> Coded:
    """Code original and release alike.

    Categories keep their values, a missing value being one of its own. Numbers and dates are cut
    into bins of the original, between its quantiles or of equal width; values outside the
    original's range, missing ones, and what is not a number or date have a code each; so has each
    text among the original's numbers.
    """
    if bins < 2:
        raise ParameterError(f"bins must be at least 2, not {bins}.")
    if binning not in ("quantile", "equal width"):
        raise ParameterError(f"binning must be 'quantile' or 'equal width', not '{binning}'.")
    columns = _compared(original, release)
    data = encode(original, release, columns=columns, as_written=True)
    coded: list[dict[str, IntArray]] = [{} for _ in (original, *release)]
    size, missing, strange = {}, {}, {}
    for column in columns:
        tables = [table for table in (original, *release) if column in table.columns]
        arrays = [
            part.columns[column]
            for part in (data.original, *data.released)
            if column in part.columns
        ]
        spec = data.specs[column]
        if isinstance(spec, CategoricalCodes):
            found = [array.astype(np.int64) for array in arrays]
            size[column], missing[column] = spec.size, spec.size - 1
            known = np.zeros(spec.size, dtype=bool)
            known[found[0]] = True
            odd = [~known[codes] for codes in found[1:]]
        else:
            numbers = arrays[0].astype(np.float64)
            own = np.setdiff1d(tags(numbers), [0])
            edges = _edges(numbers, bins=bins, binning=binning)
            first = max(len(edges) - 1, 1)
            frames = [table.frame[column] for table in tables]
            found = [
                _binned(array.astype(np.float64), frame, edges, own, first=first)
                for array, frame in zip(arrays, frames, strict=True)
            ]
            size[column], missing[column] = first + 4 + len(own), first + _MISSING
            odd = [codes == first + _UNREADABLE for codes in found[1:]]
        strange[column] = _share(odd, [codes != missing[column] for codes in found[1:]])
        holders = [part for part, table in zip(coded, (original, *release), strict=True)
                   if column in table.columns]  # fmt: skip
        for part, codes in zip(holders, found, strict=True):
            part[column] = codes
    return Coded(
        data=data, original=coded[0], released=tuple(coded[1:]), size=size, missing=missing,
        strange=strange,
    )  # fmt: skip


def check_rows(tables: Sequence[Table]) -> None:
    """Refuse tables without rows."""
    for table in tables:
        if not len(table):
            raise InputError(f"'{table.name}' has no rows. Choose a table that has rows.")


def _compared(original: Table, release: Sequence[Table]) -> list[str]:
    columns = list(original.compared)
    check_rows([original, *release])
    if not any(column in table.columns for table in release for column in columns):
        names = ", ".join(f"'{table.name}'" for table in release)
        raise InputError(
            f"{names} has none of the columns of '{original.name}' that can be compared "
            "(identifiers cannot). Choose a release of this original."
        )
    return columns


def _edges(values: FloatArray, *, bins: int, binning: Binning) -> FloatArray:
    """Return the bounds of bins, the lowest and highest value included; empty without values.

    Between quantiles a value as frequent as a whole bin has one of its own: else an amount that is
    zero for most people would be compared as "anything up to the highest amounts".
    """
    present = values[~np.isnan(values)]
    if not len(present):
        return np.empty(0)
    if binning == "quantile":
        cuts = np.quantile(present, np.linspace(0, 1, bins + 1))
        repeated = cuts[:-1][cuts[1:] == cuts[:-1]]
        return np.unique(np.concatenate([cuts, np.nextafter(repeated, np.inf)]))
    return np.unique(np.linspace(present.min(), present.max(), bins + 1))


def _binned(
    values: FloatArray, column: pd.Series, edges: FloatArray, own: IntArray, *, first: int
) -> IntArray:
    """Return bins from 0 to `first` - 1, and the codes after them for all that is in none.

    The texts among the original's numbers, of which `own` has the tags, come last.
    """
    codes = np.clip(np.searchsorted(edges[1:-1], values, side="right"), 0, first - 1)
    codes = codes.astype(np.int64)
    if len(edges):
        codes[values < edges[0]] = first + _BELOW
        codes[values > edges[-1]] = first + _ABOVE
    empty = np.isnan(values)
    if empty.any():
        codes[empty] = np.where(is_missing(column)[empty], first + _MISSING, first + _UNREADABLE)
    of_rows = tags(values)
    shared = np.isin(of_rows, own)
    codes[shared] = first + 4 + np.searchsorted(own, of_rows[shared])
    return codes


def is_missing(column: pd.Series) -> NDArray[np.bool_]:
    """Return where nothing is written, as against something that could not be read."""
    codes, distinct = distinct_codes(column)
    blank = np.append(np.asarray(blank_texts(distinct), dtype=bool), True)
    return blank[codes]


def _share(odd: Sequence[NDArray[np.bool_]], present: Sequence[NDArray[np.bool_]]) -> float:
    total = sum(int(each.sum()) for each in present)
    found = sum(int((each & there).sum()) for each, there in zip(odd, present, strict=True))
    return found / total if total else 0.0
