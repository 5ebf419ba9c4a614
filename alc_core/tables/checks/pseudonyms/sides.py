"""A released column that may hold pseudonyms, and people whose values it may come from."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from alc_core.arrays import spread_out
from alc_core.tables.checks.links import Rows, agreement, telling_columns
from alc_core.tables.same_rows import once_in_both, row_keys
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.digests import spellings
from alc_core.tables.values.texts import canonical_labels, numeric_values

# Limits; see tests/unit/tables/checks/test_pseudonyms.py
_LOOKED_AT = 200  # Values that judge a column
FEWEST_ROWS = 35  # Rows of a table that is examined
_LEAST_DISTINCT = 0.3  # Share of distinct pseudonyms
_LEAST_SINGLING = 0.2  # Share of distinct values of a source
NEARLY_ALL = 0.9  # Share of distinct values, or of numbers in range
_MOST_RELEASED = 500_000  # Pseudonyms examined
MOST_SORTED = 200_000  # Rows that are sorted
_LEAST_FULL = 0.8  # Share of full-length hexadecimal values, if leading zeros are dropped
SHORTEST = 6  # Characters of a cut hash
_LONGEST_NUMBER = 18  # Digits of a whole number
_PEOPLE = 64  # People whose values are tried
MOST_PEOPLE = 400  # If few rows are seen
_FOUND_PEOPLE = 24  # People that should be found
_MOST_SOURCES = 8  # Columns tried
_MOST_JOINED = 4  # Columns joined
_SEPARATORS = ("", " ", "-", "_", "|", ";", ",", "/", ":")
_DATES_JOINED = 5  # Spellings of a joined date
_LEAST_HASH = 16  # Characters of an unexplained hash

Numbers = NDArray[np.int64]
_Number = TypeVar("_Number", np.int64, np.float64)
Ways = dict[tuple[str, ...], list[tuple[str, ...]]]  # Some people's spelled values, by columns
Undone = tuple[str, dict[str, Any]]  # A finding's case and facts


@dataclass(frozen=True, kw_only=True)
class _Numbered:
    series: pd.Series

    @cached_property
    def numbers(self) -> Numbers | None:
        """Each row's whole number, -1 if missing; None if few values hold one."""
        return _whole(self.series)

    @cached_property
    def different(self) -> Numbers:
        """Different numbers, ascending."""
        return _NONE if self.numbers is None else _different(self.numbers[self.numbers >= 0])


@dataclass(frozen=True, kw_only=True)
class Released(_Numbered):
    """A released column that may be a pseudonym."""

    column: str
    kind: ColumnKind
    texts: pa.Array  # Different values, of very many some
    sample: list[str]

    @cached_property
    def plain(self) -> pa.Array:
        """Letters and digits, without leading zeros."""
        return pc.utf8_ltrim(self._alphanumeric, characters="0")

    @cached_property
    def _alphanumeric(self) -> pa.Array:
        texts = self._from_start
        if any(not text.isalnum() or text != text.lower() for text in self.sample):
            texts = pc.replace_substring_regex(pc.utf8_lower(texts), "[^0-9a-z]+", "")
        return texts

    @cached_property
    def start(self) -> str:
        """Common start of values besides a number or hash: 0x, ID- or P."""
        ends = (min(self.sample), max(self.sample))
        alike = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(*ends, strict=False))
        common = "".join(letter for letter, _ in alike)
        if sign := re.match(r"0[xX]|[A-Za-z]*[^0-9A-Za-z]", common):
            return sign.group()
        letters = re.match(r"[A-Za-z]*[G-Zg-z]|", common)
        start = letters.group() if letters else ""
        rests = (text[len(start) :] for text in self.sample)
        return start if all(re.fullmatch("[0-9a-fA-F]+", rest) for rest in rests) else ""

    @cached_property
    def _from_start(self) -> pa.Array:
        start = len(self.start)
        return pc.utf8_slice_codeunits(self.texts, start) if start else self.texts

    def _shorn(self, texts: list[str]) -> list[str]:
        return [text[len(self.start) :].rstrip("=") for text in texts]

    @cached_property
    def hexadecimal(self) -> tuple[pa.Array, int] | None:
        """Values as hexadecimal text, and length, if they are."""
        bare = [re.sub("[-: ]", "", text.lower()) for text in self._shorn(self.sample)]
        length = max(map(len, bare))
        padded = np.mean([len(text) == length for text in bare]) >= _LEAST_FULL
        if length < SHORTEST or not padded or not all(
            re.fullmatch("[0-9a-f]+", text) for text in bare
        ):  # fmt: skip
            return None
        texts = self._from_start
        if self._shorn(self.sample) != bare:
            texts = pc.replace_substring_regex(pc.utf8_lower(texts), "[-: ]", "")
        return pc.utf8_lpad(texts, length, padding="0"), length

    @cached_property
    def base64(self) -> tuple[pa.Array, int] | None:
        """Values as base64 without padding, and length, if they are."""
        bare = self._shorn(self.sample)
        lengths = {len(text) for text in bare}
        if self.hexadecimal or len(lengths) > 1 or min(lengths) < SHORTEST or not all(
            re.fullmatch("[A-Za-z0-9+/_-]+", text) for text in bare
        ):  # fmt: skip
            return None
        texts, length = self._from_start, len(bare[0])
        for old, new in (("-", "+"), ("_", "/"), ("=", "")):
            texts = pc.replace_substring(texts, old, new)
        return texts, length

    @cached_property
    def digits(self) -> int:
        """Most digits of the numbers; 0 for others."""
        if not all(re.fullmatch("-?[0-9]+", text) for text in self.sample):
            return 0
        return max(len(text.lstrip("-")) for text in self.sample)

    @property
    def is_dense(self) -> bool:
        """Whether numbers fill their range, like a sequence."""
        return _fill(self.different)

    def is_unchanged(self, source: Origin) -> bool:
        """Whether it is the original's column itself."""
        if source.column != self.column:
            return False
        return _share_in(self.sample, source.series) >= 0.5

    @property
    def is_hash(self) -> bool:
        """Whether values have the form of a hash."""
        return self.hexadecimal is not None and self.hexadecimal[1] >= _LEAST_HASH and all(
            text.isalnum() for text in self.sample
        )  # fmt: skip


def _different(numbers: NDArray[_Number]) -> NDArray[_Number]:
    found = np.sort(numbers, axis=None)
    return found[np.append(True, found[1:] != found[:-1])] if len(found) else found


def _fill(distinct: Numbers) -> bool:
    return len(distinct) > 1 and int(distinct[-1] - distinct[0]) <= 2 * len(distinct)


def is_sequence(series: pd.Series) -> bool:
    """Return whether values are numbers that fill their range, with constant text."""
    numbers = _whole(series)
    return numbers is not None and _fill(_different(numbers[numbers >= 0]))


_NONE: Numbers = np.array([], dtype=np.int64)


def released_of(original: Table, release: Table, column: str) -> Released | None:
    """Return a possible pseudonym column, if not too few or the original's values."""
    series = release.frame[column]
    kinds = pd.api.types
    if kinds.is_bool_dtype(series.dtype) or kinds.is_datetime64_any_dtype(series.dtype):
        return None
    sample = _as_texts(series.iloc[spread_out(len(series), _LOOKED_AT)])
    numeric = kinds.is_numeric_dtype(series.dtype)
    least = NEARLY_ALL if numeric else _LEAST_DISTINCT
    if len(sample) < FEWEST_ROWS or len({*sample}) < least * len(sample):
        return None
    if numeric and not all(re.fullmatch("-?[0-9]+", text) for text in sample):
        return None
    if column in original.own_compared:
        before = original.frame[column]
        if numeric and kinds.is_numeric_dtype(before.dtype):
            inside = float(series.between(before.min(), before.max()).mean())
        else:
            inside = _share_in(sample, before)
        if inside >= 0.5:
            return None
    some = series.iloc[:: -(-len(series) // _MOST_RELEASED)]
    return Released(
        column=column, kind=release.kind(column), texts=pc.unique(_as_array(some)),
        sample=sample, series=series,
    )  # fmt: skip


def _share_in(texts: Sequence[str], series: pd.Series) -> float:
    own = _as_array(series)
    found = {*pc.unique(pc.filter(own, pc.is_in(own, value_set=pa.array({*texts})))).to_pylist()}
    return float(np.mean([text in found for text in texts]))


def _as_array(series: pd.Series) -> pa.Array:
    present = series.dropna()
    if isinstance(present.dtype, pd.StringDtype):
        return pc.utf8_trim_whitespace(pa.array(present, pa.string()))
    if pd.api.types.is_integer_dtype(present.dtype):
        return pc.cast(pa.array(present.to_numpy()), pa.string())
    return pa.array(canonical_labels(present).dropna().tolist(), pa.string())


def _as_texts(series: pd.Series) -> list[str]:
    return [text for text in _as_array(series).to_pylist() if text]


def _whole(series: pd.Series) -> Numbers | None:
    """Return each value's whole number, -1 if missing; None if few have one."""
    if pd.api.types.is_numeric_dtype(series.dtype):
        values = numeric_values(series)
        whole = np.isfinite(values) & (values == np.floor(values)) & (np.abs(values) < 2**53)
        return np.where(whole, values, -1).astype(np.int64) if whole.mean() > 0.5 else None
    sample = _as_texts(series.iloc[spread_out(len(series), _LOOKED_AT)])
    shape = rf"[^0-9]*[0-9]{{1,{_LONGEST_NUMBER}}}[^0-9]*"
    if not sample or not all(re.fullmatch(shape, text) for text in sample):
        return None
    texts = pa.array(series.astype("str"), pa.string())
    if any(not text.isdecimal() for text in sample):
        texts = pc.replace_substring_regex(texts, "[^0-9]+", "")
    fits = pc.match_substring_regex(texts, f"^[0-9]{{1,{_LONGEST_NUMBER}}}$")
    texts = pc.if_else(pc.fill_null(fits, False), texts, "-1")
    return np.asarray(pc.cast(texts, pa.int64()), dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class Origin(_Numbered):
    """A column that singles people out."""

    column: str
    kind: ColumnKind
    spelled: list[tuple[str, ...]]  # Spellings of some people's values
    numeric: bool
    distinct: float  # Share of different values among some

    @property
    def singles_out(self) -> bool:
        """Whether nearly every person has a value of their own."""
        return self.kind is ColumnKind.IDENTIFIER or self.distinct >= NEARLY_ALL

    @cached_property
    def order(self) -> Rows:
        """Rows with numbers, in their order."""
        numbers = _NONE if self.numbers is None else self.numbers
        order = np.argsort(numbers, kind="stable")
        return order[numbers[order] >= 0]


class Owners:
    """People some of whose values are tried as pseudonyms."""

    def __init__(self, original: Table, release: Table) -> None:
        self.original, self.release = original, release
        seen = min(len(release), _MOST_RELEASED)
        self.seen = seen / len(release)
        asked = -(-_FOUND_PEOPLE * len(original) // seen)
        self.asked = min(max(_PEOPLE, asked), MOST_PEOPLE)

    @cached_property
    def sources(self) -> list[Origin]:
        """Possible source columns, those that single out first."""
        found = filter(None, map(self._source, self.original.columns))
        order = sorted(found, key=lambda each: (not each.singles_out, each.numeric, -each.distinct))
        return order[:_MOST_SOURCES]

    def _source(self, column: str) -> Origin | None:
        series = self.original.frame[column]
        if column in self.original.derived or pd.api.types.is_bool_dtype(series.dtype):
            return None
        sample = series.iloc[spread_out(len(series), _LOOKED_AT)].dropna()
        numeric = pd.api.types.is_numeric_dtype(series.dtype)
        different = sample.drop_duplicates()
        if len(different) < max(_LEAST_SINGLING * len(sample), 20):
            return None
        if numeric and (numeric_values(different) % 1 != 0).any():
            return None
        some = series.iloc[spread_out(len(series), 4 * self.asked)].dropna().drop_duplicates()
        asked = some.iloc[spread_out(len(some), self.asked)]
        spelled = spellings(asked)
        return Origin(
            column=column, kind=self.original.kind(column), series=series, spelled=spelled,
            numeric=numeric,
            distinct=len(different) / len(sample),
        )  # fmt: skip

    @cached_property
    def alone(self) -> Ways:
        """Single columns, spelled."""
        return {(each.column,): each.spelled for each in self.sources}

    @cached_property
    def joined(self) -> Ways:
        """Two or three columns joined, spelled."""
        chosen = self.sources[:_MOST_JOINED]
        rows = spread_out(len(self.original), self.asked)
        parts = {}
        for source in chosen:
            spelled = spellings(source.series.iloc[rows].astype(object).fillna(""))
            dates = source.kind is ColumnKind.DATETIME
            parts[source.column] = [each[: _DATES_JOINED if dates else 1] for each in spelled]
        in_file = [name for name in self.original.columns if name in parts]
        ways = [*itertools.permutations(parts, 2), *itertools.combinations(in_file, 3)]
        return {
            of: [tuple(_together(each)) for each in zip(*(parts[c] for c in of), strict=True)]
            for of in ways
        }

    @cached_property
    def shared(self) -> list[str]:
        """Columns whose agreement links rows."""
        return telling_columns(self.original, self.release)

    @cached_property
    def linked(self) -> tuple[Rows, Rows]:
        """Rows with equal values, unique in each table, in all shared columns."""
        none = np.array([], dtype=np.intp)
        if len(self.shared) < 2 or max(len(self.original), len(self.release)) > MOST_SORTED:
            return none, none
        return once_in_both(
            *row_keys(self.original.frame[self.shared], self.release.frame[self.shared])
        )

    def share_led(self, theirs: Rows, own: Rows) -> float | None:
        """Return agreement of rows with those they lead to; None if by chance."""
        if len(own) < FEWEST_ROWS or not self.shared:
            return None
        few = spread_out(len(own), MOST_PEOPLE)
        if not _agree(self.original, self.release, self.shared, theirs[few], own[few]):
            return None
        found = agreement(self.original, self.release, self.shared, theirs, own)
        return None if found is None else float(found["share"])


def _together(parts: Sequence[tuple[str, ...]]) -> Iterator[str]:
    for values in itertools.product(*parts):
        for separator in _SEPARATORS:
            text = separator.join(values)
            yield from dict.fromkeys((text, text.lower(), text.upper()))


def _agree(original: Table, release: Table, shared: Sequence[str], theirs: Rows, own: Rows) -> bool:
    for column in shared:
        before = original.frame[column]
        released = canonical_labels(release.frame[column].iloc[own]).to_numpy()
        share, beside = (
            float(np.mean(canonical_labels(before.iloc[rows]).to_numpy() == released))
            for rows in (theirs, (theirs + 1) % len(original))
        )  # fmt: skip
        if share - beside >= 3 * np.sqrt(max(beside * (1 - beside), 1 / len(own)) / len(own)):
            return True
    return False
