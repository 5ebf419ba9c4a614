"""Checks of reversible pseudonyms: hashes, codes, numbers.

Some people's values are turned into pseudonyms in all known ways, and looked up among released
ones.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from alc_core.arrays import places_in, spread_out
from alc_core.note import KEYED, PSEUDONYM
from alc_core.phrasing import in_list
from alc_core.tables.checks.finding import Finding, Offer, Severity
from alc_core.tables.checks.links import Rows, agreement, telling_columns
from alc_core.tables.rows_by_value import LEAST_STRENGTH, rows_by_value
from alc_core.tables.same_rows import once_in_both, row_keys
from alc_core.tables.table import ColumnKind, Table, once_of_both
from alc_core.tables.values.digests import (
    CODES,
    HASHES,
    NAMED,
    OF_NUMBERS,
    TWICE,
    Digest,
    base64_forms,
    decoys,
    encodings,
    hex_forms,
    number_forms,
    plain_forms,
    sized_digests,
    spellings,
)
from alc_core.tables.values.texts import canonical_labels, numeric_values

# Cases: an identifier of the same people, and one an attack knows
KEPT, ATTACKED = "identifier", "attacked"
# Limits; see tests/unit/tables/checks/test_pseudonyms.py
_LOOKED_AT = 200  # Values that judge a column
_FEWEST_ROWS = 35  # Rows of a table that is examined
_LEAST_DISTINCT = 0.3  # Share of distinct pseudonyms
_LEAST_SINGLING = 0.2  # Share of distinct values of a source
_NEARLY_ALL = 0.9  # Share of distinct values, or of numbers in range
_MOST_RELEASED = 500_000  # Pseudonyms examined
_MOST_SORTED = 200_000  # Rows that are sorted
_MOST_CODED = 50_000  # People whose value is spelled
_LEAST_FULL = 0.8  # Share of full-length hexadecimal values, if leading zeros are dropped
_SHORTEST = 6  # Characters of a cut hash
_LONGEST_NUMBER = 18  # Digits of a whole number
_PEOPLE = 64  # People whose values are tried
_MOST_PEOPLE = 400  # If few rows are seen
_FOUND_PEOPLE = 24  # People that should be found
_FEWEST_HITS = 4  # People found beyond chance
_STANDARD_ERRORS = 6.0  # Of chance
_MOST_SOURCES = 8  # Columns tried
_MOST_JOINED = 4  # Columns joined
_SEPARATORS = ("", " ", "-", "_", "|", ";", ",", "/", ":")
_JOINED_HASHES = ("MD5", "SHA-1", "SHA-256", "SHA-512")
_DATES_JOINED = 5  # Spellings of a joined date
_SCREENED = 4  # People per person tried first
_MOST_LIKELY = 5  # Ways examined after that
_SPELLINGS_CODED = 5  # Spellings that are coded
_SPELLINGS_ENCODED = 20  # Spellings in other encodings; later ones have a country
_STEPS = (1, -1, 2, -2, 7)
_LEAST_ORDERED = 0.5  # Rank correlation
_FEWEST_LINKED = 100  # Linked rows
_LEAST_HASH = 16  # Characters of an unexplained hash

Numbers = NDArray[np.int64]
_Number = TypeVar("_Number", np.int64, np.float64)
_Key = tuple[tuple[str, ...], str]  # A pseudonym's sources, and how it is made
_Ways = dict[tuple[str, ...], list[tuple[str, ...]]]  # Some people's spelled values, by columns
_Candidates = dict[str, tuple[_Key, int]]  # Pseudonyms to look up, with the person


@once_of_both
def check_pseudonyms(original: Table, release: Table) -> tuple[Finding, ...]:
    """Return released pseudonyms computable from the original."""
    return tuple(_pseudonyms(original, release))


def _pseudonyms(original: Table, release: Table) -> Iterator[Finding]:
    if min(len(original), len(release)) < _FEWEST_ROWS:
        return
    people = _People(original, release)
    for column in release.columns:
        if (kept := _kept(original, release, column)) is not None:
            yield Finding.of(
                Severity.WARNING, PSEUDONYM, release.name, column, case=KEPT,
                offers=(Offer("known", in_list(column)),), of=(column,), share=kept,
            )  # fmt: skip
            continue
        released = None if column in release.derived else _released(original, release, column)
        if released is None or not people.sources:
            continue
        found = (make(released, people) for make in (_coded, _moved, _ordered, _hashed))
        if undone := next(filter(None, found), None):
            case, facts = undone
            yield Finding.of(Severity.WARNING, PSEUDONYM, release.name, column, case=case, **facts)
        elif released.is_hash:
            yield Finding.of(Severity.INFO, KEYED, release.name, column)


def _kept(original: Table, release: Table, column: str) -> float | None:
    """Return the share of people whose identifier is released; None if others'."""
    if column not in original.columns or original.kind(column) is not ColumnKind.IDENTIFIER:
        return None
    found = rows_by_value(original, release, column)
    return found.returning if found and found.strength >= LEAST_STRENGTH else None


def kept_in_scenario(findings: Iterable[Finding], known: Collection[str]) -> Iterator[Finding]:
    """Yield findings, without offering known identifiers."""
    for finding in findings:
        known_too = finding.case == KEPT and finding.column in known
        yield replace(finding, case=ATTACKED, offers=()) if known_too else finding


_Undone = tuple[str, dict[str, Any]]  # A finding's case and facts


@dataclass(frozen=True, kw_only=True)
class _Released:
    column: str
    kind: ColumnKind
    texts: pa.Array  # Different values, of very many some
    sample: list[str]
    series: pd.Series

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
        if length < _SHORTEST or not padded or not all(
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
        if self.hexadecimal or len(lengths) > 1 or min(lengths) < _SHORTEST or not all(
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

    @cached_property
    def numbers(self) -> Numbers | None:
        """Each row's number, -1 if missing; None if not numbers."""
        return _whole(self.series)

    @cached_property
    def distinct(self) -> Numbers:
        return _NONE if self.numbers is None else _different(self.numbers[self.numbers >= 0])

    @property
    def is_dense(self) -> bool:
        """Whether numbers fill their range, like a sequence."""
        return _fill(self.distinct)

    def is_unchanged(self, source: _Source) -> bool:
        """Whether it is the original's column itself."""
        if source.column != self.column:
            return False
        return _share_in(self.sample, source.series) >= 0.5

    @property
    def is_hash(self) -> bool:
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


def _released(original: Table, release: Table, column: str) -> _Released | None:
    """Return a possible pseudonym column, if not too few or the original's values."""
    series = release.frame[column]
    kinds = pd.api.types
    if kinds.is_bool_dtype(series.dtype) or kinds.is_datetime64_any_dtype(series.dtype):
        return None
    sample = _as_texts(series.iloc[spread_out(len(series), _LOOKED_AT)])
    numeric = kinds.is_numeric_dtype(series.dtype)
    least = _NEARLY_ALL if numeric else _LEAST_DISTINCT
    if len(sample) < _FEWEST_ROWS or len({*sample}) < least * len(sample):
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
    return _Released(
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
class _Source:
    """A column that singles people out."""

    column: str
    kind: ColumnKind
    series: pd.Series
    spelled: list[tuple[str, ...]]  # Spellings of some people's values
    numeric: bool
    distinct: float  # Share of different values among some

    @property
    def singles_out(self) -> bool:
        return self.kind is ColumnKind.IDENTIFIER or self.distinct >= _NEARLY_ALL

    @cached_property
    def numbers(self) -> Numbers | None:
        """Each row's whole number, if values hold some."""
        return _whole(self.series)

    @cached_property
    def different(self) -> Numbers:
        return _NONE if self.numbers is None else _different(self.numbers[self.numbers >= 0])

    @cached_property
    def order(self) -> Rows:
        """Rows with numbers, in their order."""
        numbers = _NONE if self.numbers is None else self.numbers
        order = np.argsort(numbers, kind="stable")
        return order[numbers[order] >= 0]


class _People:
    def __init__(self, original: Table, release: Table) -> None:
        self.original, self.release = original, release
        seen = min(len(release), _MOST_RELEASED)
        self.seen = seen / len(release)
        asked = -(-_FOUND_PEOPLE * len(original) // seen)
        self.asked = min(max(_PEOPLE, asked), _MOST_PEOPLE)

    @cached_property
    def sources(self) -> list[_Source]:
        """Possible source columns, those that single out first."""
        found = filter(None, map(self._source, self.original.columns))
        order = sorted(found, key=lambda each: (not each.singles_out, each.numeric, -each.distinct))
        return order[:_MOST_SOURCES]

    def _source(self, column: str) -> _Source | None:
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
        return _Source(
            column=column, kind=self.original.kind(column), series=series, spelled=spelled,
            numeric=numeric,
            distinct=len(different) / len(sample),
        )  # fmt: skip

    @cached_property
    def alone(self) -> _Ways:
        return {(each.column,): each.spelled for each in self.sources}

    @cached_property
    def joined(self) -> _Ways:
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
        if len(self.shared) < 2 or max(len(self.original), len(self.release)) > _MOST_SORTED:
            return none, none
        return once_in_both(
            *row_keys(self.original.frame[self.shared], self.release.frame[self.shared])
        )

    def share_led(self, theirs: Rows, own: Rows) -> float | None:
        """Return agreement of rows with those they lead to; None if by chance."""
        if len(own) < _FEWEST_ROWS or not self.shared:
            return None
        few = spread_out(len(own), _MOST_PEOPLE)
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


def _hits(among: pa.Array, candidates: _Candidates) -> dict[_Key, set[int]]:
    """Return people found among released pseudonyms, by key."""
    if not candidates:
        return {}
    texts = [*candidates]
    found = pc.unique(pc.index_in(among, value_set=pa.array(texts, pa.string())).drop_null())
    hits: dict[_Key, set[int]] = {}
    for place in found.to_pylist():
        key, person = candidates[texts[place]]
        hits.setdefault(key, set()).add(person)
    return hits


def _most(expected: float) -> float:
    return expected + _STANDARD_ERRORS * math.sqrt(expected) + _FEWEST_HITS - 1


def _hashed(released: _Released, people: _People) -> _Undone | None:
    form: Callable[[bytes], tuple[str, ...]]
    digests: dict[str, tuple[Digest, ...]]
    if released.digits >= _SHORTEST:
        if released.is_dense:
            return None
        size, space, form = 0, 10.0**released.digits, partial(number_forms, digits=released.digits)
        texts, digests = released.plain, {name: (HASHES[name],) for name in OF_NUMBERS}
    elif (view := released.hexadecimal) is not None:
        texts, length = view
        size, space, form = length // 2, 16.0**length, partial(hex_forms, length=length)
        digests = _digests(size)
    elif (view := released.base64) is not None:
        texts, length = view
        size, space, form = length * 3 // 4, 64.0**length, partial(base64_forms, length=length)
        digests = _digests(size)
    else:
        return None
    for several in (False, True) if size else (False,):
        ways = people.joined if several else people.alone
        made = {
            name: each
            for name, each in digests.items()
            if not several or name in _JOINED_HASHES or len(each[0](b"")) == size
        }
        step = _SCREENED * (1 + several + (size == 0))
        for of, how in _likely(texts, _of_texts(ways, made, form, step=step)):
            candidates = _of_texts({of: ways[of]}, {how: made[how]}, form)
            hits = len(_hits(texts, candidates).get((of, how), ()))
            expected = len(candidates) * len(texts) / space
            if not size:  # Amounts crowd like numbers of hashes
                salted = {of: [tuple(f"{text}~" for text in each) for each in ways[of]]}
                chance = _hits(texts, _of_texts(salted, {how: made[how]}, form))
                expected = max(expected, 2 * len(chance.get((of, how), ())))
            if hits > _most(expected):
                return "hash", {
                    "of": of, "how": how, "share": min(hits / len(ways[of]) / people.seen, 1.0),
                    "joined": several, "cut": 0 < size < len(made[how][0](b"")),
                }  # fmt: skip
    return None


def _digests(size: int) -> dict[str, tuple[Digest, ...]]:
    found = {
        name: (each,)
        for name, each in HASHES.items()
        if (own := len(each(b""))) == size or (own > size and name not in TWICE)
    }
    sized = {name: (each, *found.get(name, ())) for name, each in sized_digests(size).items()}
    return {**found, **sized, **(NAMED if size == 16 else {})}


def _of_texts(
    ways: _Ways,
    digests: Mapping[str, tuple[Digest, ...]],
    form: Callable[[bytes], tuple[str, ...]],
    *,
    step: int = 1,
) -> _Candidates:
    found: _Candidates = {}
    for of, people in ways.items():
        makers = [((of, name), make) for name, each in digests.items() for make in each]
        for person in range(0, len(people), step):
            for place, text in enumerate(people[person]):
                encoded = len(of) == 1 and place < _SPELLINGS_ENCODED
                for written in encodings(text) if encoded else (text.encode(),):
                    for key, make in makers:
                        for each in form(make(written)):
                            found.setdefault(each, (key, person))
    return found


def _likely(among: pa.Array, candidates: _Candidates) -> list[_Key]:
    hits = _hits(among, candidates)
    return sorted(hits, key=lambda each: -len(hits[each]))[:_MOST_LIKELY]


def _coded(released: _Released, people: _People) -> _Undone | None:
    """Return the column the values spell otherwise."""
    sources = {each.column: each for each in people.sources if each.distinct >= 0.5}
    coded = [
        (source, how)
        for source in sources.values()
        for how in CODES
        if how or source.kind is ColumnKind.IDENTIFIER
    ]
    screened: _Candidates = {}
    for source, how in coded:
        screened |= _of_code(source, how, step=_SCREENED)
    least = 0.5 * min(1.0, len(people.release) / len(people.original))
    for (column,), how in _likely(released.plain, screened):
        source, key = sources[column], ((column,), how)

        def hits(candidates: _Candidates, key: _Key = key) -> int:
            return len(_hits(released.plain, candidates).get(key, ()))

        found = hits(_of_code(source, how))
        expected = max(hits(_of_code(source, how, decoy=decoy)) for decoy in (0, 1))
        share = min(found / len(source.spelled) / people.seen, 1.0)
        if not how and share < least:
            continue
        facts = {"of": (column,), "how": how or None}
        beyond_chance = found > max(_most(expected), 2 * expected)
        if how and beyond_chance and not released.is_dense:  # a sequence has any small number
            return "code", {**facts, "share": share}
        if (beyond_chance or share >= least) and (how or not released.is_unchanged(source)):
            led = _led_by_code(released, people, column, how)
            if led is not None:
                return ("code" if how else "kept"), {**facts, "share": led}
    return None


def _of_code(source: _Source, how: str, *, step: int = 1, decoy: int | None = None) -> _Candidates:
    code, key = CODES[how], ((source.column,), how)
    found: _Candidates = {}
    for person in range(0, len(source.spelled), step):
        spelled = source.spelled[person][:_SPELLINGS_CODED]
        texts = spelled if decoy is None else [decoys(text)[decoy] for text in spelled]
        for text, each in zip(texts, plain_forms(map(code, texts)), strict=True):
            if len(each) > 1 and (not how or code(text) != text):
                found[each] = (key, person)
    return found


def _led_by_code(released: _Released, people: _People, column: str, how: str) -> float | None:
    """Return agreement of rows with those whose value they spell."""
    if len(people.original) > _MOST_CODED:
        return None
    labels = [label or "" for label in canonical_labels(people.original.frame[column])]
    own = pd.Series(plain_forms(map(CODES[how], labels)))
    rows = spread_out(len(people.release), 4_000)
    start = len(released.start)
    theirs = [text[start:] for text in canonical_labels(released.series.iloc[rows]).fillna("")]
    first = pd.Index(own.drop_duplicates(keep=False))
    places = own.drop_duplicates(keep=False).index.to_numpy()
    at = first.get_indexer(pd.Index(plain_forms(theirs)))
    return people.share_led(places[at[at >= 0]], rows[at >= 0])


def _moved(released: _Released, people: _People) -> _Undone | None:
    """Return the column whose numbers differ by one amount, factor or pattern."""
    theirs = released.numbers
    if theirs is None or len(released.distinct) < _FEWEST_ROWS:
        return None
    for source in people.sources:
        if ColumnKind.IDENTIFIER not in (source.kind, released.kind) or not source.singles_out:
            continue
        if source.numbers is None or len(source.different) < _FEWEST_ROWS:
            continue
        if released.is_unchanged(source):
            continue
        for how, change in _changes(source, source.numbers, released.distinct, theirs, people):
            share = _share_moved(source, change, released, people)
            if share is not None:
                return "code", {"of": (source.column,), "how": how, "share": share}
    return None


_Change = Callable[[Numbers], NDArray[np.float64]]


def _line(slope: float, first: float, start: float = 0.0) -> _Change:
    return lambda numbers: np.round((numbers - start) * slope + first, 3)


def _masked(mask: int) -> _Change:
    return lambda numbers: np.bitwise_xor(numbers, mask).astype(np.float64)


def _changes(
    source: _Source, of_rows: Numbers, theirs: Numbers, their_rows: Numbers, people: _People
) -> Iterator[tuple[str, _Change]]:
    """Propose changes that many pairs of numbers share."""
    own = source.different
    lowest = (own[:100], theirs[:1000])
    some = (own[spread_out(len(own), 20)], theirs[spread_out(len(theirs), 20_000)])
    left, right = people.linked
    pairs = (of_rows[left], their_rows[right])
    steps = {_commonest(np.subtract.outer(lowest[1], lowest[0])), _commonest(pairs[1] - pairs[0])}
    for step in {*steps, int(theirs[0] - own[0]), int(theirs[-1] - own[-1])} - {0, None}:
        yield "with a constant added", _line(1.0, step or 0)
    totals = {int(theirs[-1] + own[0]), int(theirs[0] + own[-1]), _commonest(pairs[1] + pairs[0])}
    for total in totals - {None}:
        yield "taken from a constant", _line(-1.0, total or 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.divide.outer(lowest[1], lowest[0]), pairs[1] / pairs[0]
    for ratio in {_commonest(np.round(each, 9)) for each in ratios} - {1, None}:
        yield "times a constant", _line(ratio or 1, 0.0)
    slope = _grid(theirs) / _grid(own)
    start = _commonest(np.round(np.subtract.outer(lowest[1], slope * lowest[0]), 3))
    if slope != 1 and start is not None:
        yield "times a constant, with another added", _line(slope, start)
    masks = {_commonest(np.bitwise_xor.outer(*some)), _commonest(np.bitwise_xor(*pairs))}
    for mask in masks - {0, None}:
        yield "XOR a constant", _masked(int(mask or 0))
    if len(own) == len(theirs) or len(left):
        x, y = (own, theirs) if len(own) == len(theirs) else pairs
        low, high = int(np.argmin(x)), int(np.argmax(x))
        if x[low] != x[high]:
            slope = float(y[high] - y[low]) / float(x[high] - x[low])
            if slope not in (0, 1):
                how = "times a constant, with another added"
                yield how, _line(slope, float(y[low]), float(x[low]))


def _grid(numbers: Numbers) -> int:
    return max(1, int(np.gcd.reduce(np.diff(numbers))))


def _commonest(values: NDArray[np.generic]) -> float | int | None:
    """Return the most frequent value; None if all are unique."""
    flat = np.sort(values[np.isfinite(values)], axis=None)
    if not len(flat):
        return None
    starts = np.flatnonzero(np.append(True, flat[1:] != flat[:-1]))
    times = np.diff(np.append(starts, len(flat)))
    return flat[starts[np.argmax(times)]].item() if times.max() > 1 else None


def _share_moved(
    source: _Source, change: _Change, released: _Released, people: _People
) -> float | None:
    """Return the share of numbers explained by a change; None if by chance."""
    own = source.different
    asked = own[spread_out(len(own), _MOST_PEOPLE)]
    among = released.distinct.astype(np.float64)

    def share(numbers: NDArray[np.float64]) -> float:
        return float(np.mean(places_in(numbers, among) >= 0))

    moved = np.asarray(change(asked), dtype=np.float64)
    found = share(moved)
    others = (asked + step * _grid(own) for step in _STEPS)  # Others of the kind
    beside = max(share(np.asarray(change(each), dtype=np.float64)) for each in others)
    coverage = min(1.0, len(among) / len(own))
    if found < 0.5 * coverage:
        return None
    if found - beside >= max(0.5 * (1 - beside), 0.2) * coverage and found * len(asked) >= 8:
        return found
    if source.numbers is None or released.numbers is None:
        return None
    order = source.order
    changed = np.asarray(change(source.numbers[order]), dtype=np.float64)
    sort = np.argsort(changed, kind="stable")
    rows = spread_out(len(people.release), 20_000)
    at = places_in(released.numbers[rows].astype(np.float64), changed[sort])
    return people.share_led(order[sort][at[at >= 0]], rows[at >= 0])


def _ordered(released: _Released, people: _People) -> _Undone | None:
    numbers = released.numbers
    if numbers is None or released.kind is not ColumnKind.IDENTIFIER:
        return None
    if len(people.original) > _MOST_SORTED or len(released.distinct) < 0.9 * len(numbers):
        return None
    for source in people.sources:
        column = source.column
        if source.kind.is_compared and column in people.release.columns:
            continue
        if released.is_unchanged(source):
            continue
        for theirs, own in _by_rank(source, numbers, people):
            if (share := people.share_led(theirs, own)) is not None:
                return "order", {"of": (column,), "share": share}
    return None


def _by_rank(source: _Source, numbers: Numbers, people: _People) -> Iterator[tuple[Rows, Rows]]:
    """Propose pairs of rows with equal rank."""
    values = source.numbers if source.numbers is not None else source.series
    if not isinstance(values, np.ndarray) and source.kind is not ColumnKind.DATETIME:
        values = canonical_labels(values).fillna("").str.lower()
    ranks = pd.Series(values).rank(method="first").to_numpy() - 1
    own = np.argsort(ranks, kind="stable")
    present = np.flatnonzero(numbers >= 0)
    for order in (own, own[::-1]):
        for first in (0, 1):
            places = numbers[present] - first
            inside = (places >= 0) & (places < len(order))
            if inside.mean() > _NEARLY_ALL:
                yield order[places[inside]], present[inside]
        if len(order) == len(present):
            yield order, present[np.argsort(numbers[present], kind="stable")]
    left, right = people.linked
    if len(left) >= _FEWEST_LINKED:
        together = _ranked_alike(ranks[left], numbers[right])
        shared = people.release.frame[people.shared].iloc[right]
        others = [pd.factorize(shared[column], sort=True)[0] for column in people.shared]
        beside = max(_ranked_alike(each, numbers[right]) for each in others)
        if together >= max(_LEAST_ORDERED, beside + 0.1):
            yield left, right


def _ranked_alike(one: NDArray[np.generic], other: NDArray[np.generic]) -> float:
    """Return the absolute rank correlation (Spearman); 0 for constants."""
    ranks = [pd.Series(each).rank() for each in (one, other)]
    return 0.0 if min(each.nunique() for each in ranks) < 2 else abs(float(ranks[0].corr(ranks[1])))
