"""People without an unknown value, who are not targets."""

from __future__ import annotations

import enum
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from alc_core.arrays import FloatArray, IntArray
from alc_core.errors import InputError
from alc_core.phrasing import count, in_list, listed, numbered, percent, quoted, with_values
from alc_core.scenario.scenario import Scenario, Targets
from alc_core.tables.checks.finding import Finding, Offer, Severity, shown_labels
from alc_core.tables.codes.encode import CategoricalCodes, EncodedData, encode
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.dates import datetime_values
from alc_core.tables.values.generalized import SHORT, tags, texts_beside_numbers
from alc_core.tables.values.no_value import (
    codes_among_words,
    doubtful_markers,
    is_code_among_numbers,
    judged_words,
    number_markers,
    outlying,
    spikes,
)
from alc_core.tables.values.texts import (
    canonical_labels,
    label_counts,
    numeric_values,
    parse_numbers,
)

_PLACEHOLDER_DATES = (
    "0001-01-01", "1000-01-01", "1753-01-01", "1800-01-01", "1899-12-30", "1899-12-31",
    "1900-01-01", "1901-01-01", "1970-01-01", "2099-12-31", "2100-01-01", "2199-12-31",
    "2200-01-01", "2261-12-31", "2999-12-31", "3000-01-01", "4712-12-31", "9998-12-31",
    "9999-01-01", "9999-12-31",
)  # fmt: skip
_DAYS = frozenset(datetime_values(pd.Series(_PLACEHOLDER_DATES)).tolist())

Missing = Mapping[str, Sequence[str]] | None  # As in `Targets`
_Judged = tuple[Mapping[str, "WhyNoValue"], tuple["LikelyNoValue", ...]]
_JUDGED: WeakKeyDictionary[Table, dict[str, _Judged]] = WeakKeyDictionary()
NO_VALUE = "no-value"  # Asks whether a value means "no value"
NOT_ATTACKED = "no-value-kept"  # Says that having such a value is not attacked


_SAMPLE = 20_000
_FEWEST_ROWS = 30
_LEAST_SHARE = 0.01
_MOST_LABELS = 60
_SHOWN = 3
_OFTEN = 0.05  # Least share of rows of a reported code
_RARE = 0.05  # Largest share of a short text among amounts, without other evidence


class WhyNoValue(enum.StrEnum):
    """Reasons for "no value", in words."""

    WORD = ""
    TEXT = "a text among numbers"
    NUMBER = "a number apart from the others"
    DATE = "a date apart from the others"
    OPPOSED = "beside a value that says the opposite"


def recognised_markers(table: Table, column: str) -> dict[str, WhyNoValue]:
    """Return a column's recognized "no value" markers, and why."""
    return {**_judged(table, column)[0]}


def _judged(table: Table, column: str) -> _Judged:
    judged = _JUDGED.setdefault(table, {})
    if column not in judged:
        judged[column] = _judge(table, column)
    return judged[column]


def _judge(table: Table, column: str) -> _Judged:
    series, kind = table.frame[column], table.kind(column)
    few = not kind.is_numeric
    if not kind.is_compared or not series.notna().any() or column in table.derived:
        return {}, ()
    if pd.api.types.is_numeric_dtype(series.dtype):  # booleans are numeric
        values = numeric_values(series)
        numbers, rows = np.unique(values[np.isfinite(values)], return_counts=True)
        rest = pd.Series(rows, index=canonical_labels(pd.Series(numbers)).to_numpy())
        of_label, words, is_date = rest, {}, False
        texts: list[str] = []
    else:
        of_label = label_counts(series)
        words = judged_words(map(str, of_label.index))
        rest = of_label.drop([*words])
        texts = []
        if is_date := kind is ColumnKind.DATETIME:
            numbers = datetime_values(pd.Series(list(map(str, rest.index)), dtype=object))
        else:
            texts = texts_beside_numbers([*map(str, rest.index)], few=few)
            rest = rest.drop([text for text in texts if len(text) <= SHORT])
            numbers = parse_numbers(list(map(str, rest.index)))
    labels, rows = list(map(str, rest.index)), rest.to_numpy()
    codes = perhaps = np.empty(0)
    if np.isfinite(numbers).all():
        mark = partial(outlying, candidates=_DAYS) if is_date else partial(number_markers, few=few)
        codes = mark(numbers, rows)
        left = ~np.isin(numbers, codes)
        if not is_date:
            numbers_left, rows_left = numbers[left], rows[left]
            perhaps = doubtful_markers(numbers_left, rows_left, few=few)
            perhaps = perhaps if few or len(perhaps) else spikes(numbers_left, rows_left)
    apart = [labels[place] for place in np.flatnonzero(np.isin(numbers, codes))]
    doubted = [
        label for number, label in sorted(zip(numbers, labels, strict=True)) if number in perhaps
    ]
    if few and not len(codes) and not doubted:
        doubted = codes_among_words(labels)
    taken = {
        **{word: WhyNoValue.WORD for word, sure in words.items() if sure},
        **{text: WhyNoValue.TEXT for text in texts if _is_code(table, column, text, of_label)},
        **dict.fromkeys(apart, WhyNoValue.DATE if is_date else WhyNoValue.NUMBER),
        **{code: WhyNoValue.NUMBER for code in doubted if _is_decided(table, column, code)},
    }
    alike = {len(label) for label in labels} if few else set()
    doubtful = {
        **dict.fromkeys(words, WhyNoValue.OPPOSED),
        **{text: WhyNoValue.TEXT for text in texts if {len(text)} != alike},
        **dict.fromkeys(doubted, WhyNoValue.NUMBER),
    }
    return taken, tuple(
        LikelyNoValue(column=column, value=value, rows=int(of_label[value]), why=why)
        for value, why in doubtful.items()
        if value not in taken and of_label[value] >= max(_FEWEST_ROWS, _LEAST_SHARE * len(series))
    )


def _is_code(table: Table, column: str, text: str, rows: pd.Series) -> bool:
    if is_code_among_numbers(text):
        return True
    if len(text) > SHORT:
        return False
    if table.kind(column).is_numeric and rows[text] <= _RARE * rows.sum():
        return len(texts_beside_numbers([*map(str, rows.index)], few=False)) == 1
    return _is_decided(table, column, text)


def _is_decided(table: Table, column: str, value: str) -> bool:
    return any(
        each.value == value and each.surely
        for by in table.compared
        if by != column
        for each in _decided_in(table, column, by)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutValue:
    """A column's rows without a value."""

    markers: tuple[str, ...]  # "No value", besides empty cells
    rows: int  # Empty cells and markers
    share: float
    # Whether rows have one value, or none
    nothing_to_learn: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)
    # By recognized marker
    why: Mapping[str, WhyNoValue] = field(default_factory=dict)
    # Doubtful markers, if none were named
    doubtful: tuple[LikelyNoValue, ...] = ()

    @property
    def words(self) -> str:
        """Markers with rows and reason, and their share."""
        found = [
            f"'{marker}' ({count(self.counts[marker])}{', ' * bool(why)}{why})"
            for marker in self.markers
            for why in (self.why.get(marker, ""),)
        ]
        if empty := self.rows - sum(self.counts.values()):
            found.append(f"empty cells ({count(empty)})")
        return f"{listed(found)}, {percent(self.share)} of the rows"

    @property
    def absent(self) -> tuple[str, ...]:
        """Markers without rows."""
        return tuple(marker for marker in self.markers if not self.counts[marker])

    @property
    def missing(self) -> tuple[str, ...] | None:
        """The column's entry in :class:`Targets`; None if everyone has a value."""
        return self.markers if self.rows or self.doubtful else None


def without_value(original: Table, column: str, missing: Missing) -> WithoutValue:
    """Return "no value" markers, and rows without a value."""
    if missing is None:
        return WithoutValue(markers=(), rows=0, share=0.0)
    named = missing.get(column)
    spelled = canonical_labels(pd.Series(list(named or ()), dtype=object)).dropna()
    why, doubtful = _judged(original, column) if named is None else ({}, ())
    markers = tuple(sorted({*(why if named is None else spelled)}))
    data = encode(original, [], columns=[column])
    lacking = data.lacks_value(column, markers)
    present = data.original.columns[column][~lacking]
    return WithoutValue(
        markers=markers,
        rows=int(lacking.sum()),
        share=float(lacking.mean()) if len(lacking) else 0.0,
        nothing_to_learn=not len(present) or bool((present == present[0]).all()),
        counts=_rows_of_each(original, column, markers, data),
        why=why,
        doubtful=doubtful,
    )


def _rows_of_each(
    original: Table, column: str, markers: Sequence[str], data: EncodedData
) -> dict[str, int]:
    empty = int(data.lacks_value(column, ()).sum())
    counts = {m: int(data.lacks_value(column, (m,)).sum()) - empty for m in markers}
    if not all(counts.values()):  # counts as an empty cell there
        written = label_counts(original.frame[column])
        counts = {m: rows or int(written.get(m, 0)) for m, rows in counts.items()}
    return counts


def columns_without_values(
    original: Table, missing: Missing, columns: Iterable[str]
) -> dict[str, WithoutValue]:
    """Return :func:`without_value` of several columns."""
    original.require(*(missing or ()))
    _refuse_worked_out(original, missing)
    return {c: without_value(original, c, missing) for c in columns if c in original.columns}


def _refuse_worked_out(original: Table, missing: Missing) -> None:
    """Refuse chosen markers in columns behind derived ones.

    Derivation comes before the choice.
    """
    for name, derived in original.derived.items():
        for column in sorted(derived.parts & (missing or {}).keys()):
            own = without_value(original, column, {}).markers
            if without_value(original, column, missing).markers != own:
                raise InputError(
                    f"'{name}' is worked out from '{column}': only "
                    f"{quoted(own) if own else 'empty cells'} would be excluded. Empty the others "
                    f"in '{original.name}'."
                )


def settled(scenario: Scenario, original: Table) -> Scenario:
    """Return a scenario that names the values excluding targets."""
    selection = scenario.selection
    if selection.missing is None or scenario.unknown not in original.columns:
        return scenario
    _refuse_worked_out(original, selection.missing)
    found = without_value(original, scenario.unknown, selection.missing)
    return replace(scenario, targets=narrowed(selection, scenario.unknown, found))


def narrowed(targets: Targets, column: str, found: WithoutValue) -> Targets:
    """Return one column's targets, with its markers."""
    missing = None if found.missing is None else {column: found.missing}
    return replace(targets, missing=missing)


def check_no_values(original: Table, column: str, missing: Missing) -> Iterator[Finding]:
    """Ask about doubtful markers that matter.

    Also report frequent "no value" codes.
    """
    if missing is None or column not in original.columns:
        return
    found = without_value(original, column, missing)
    often = [
        each  # A sign in a value would split it
        for each in found.why
        if found.counts[each] >= _OFTEN * len(original) and "|" not in each
    ]
    if often and found.rows < len(original):
        sign = "=" if any(".." in each for each in often) else "in"
        yield Finding.of(
            Severity.INFO, NOT_ATTACKED, original.name, column, values=tuple(often),
            rows=sum(found.counts[each] for each in often),
            asked=shlex.quote(in_list(f"{column} {sign} {'|'.join(often)}")),
            missing=shlex.quote(with_values(column, "")),
        )  # fmt: skip
    taken = missing.get(column, ())
    _, doubtful = _judged(original, column)
    if asked := [each for each in doubtful if each.value not in taken]:
        named = ",".join(map(in_list, (*taken, *(each.value for each in asked))))
        yield Finding.of(
            Severity.QUESTION, NO_VALUE, original.name, column,
            offers=(Offer("missing", with_values(column, named)),),
            labels=shown_labels(each.value for each in asked),
            share=sum(each.rows for each in asked) / len(original),
        )  # fmt: skip


def check_missing(original: Table, missing: Missing) -> None:
    """Refuse named markers that do not occur."""
    for column, values in (missing or {}).items():
        original.require(column)
        if absent := without_value(original, column, {column: values}).absent:
            raise InputError(
                f"Column '{column}' of '{original.name}' has no '{absent[0]}' to treat as "
                "missing. Check its spelling."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class LikelyNoValue:
    """A possible "no value", such as the marital status of children."""

    column: str  # The value, and where it stands
    value: str
    rows: int
    why: WhyNoValue = WhyNoValue.WORD  # Reason, without another column
    # Column that determines who has it: everyone with some values, nobody else
    by: str | None = None
    labels: tuple[str, ...] = ()  # Those values, if categories
    below: float | None = None  # Bound of those values, if numbers
    above: float | None = None
    # Whether others' values are on both sides, unlike age and school grades
    surely: bool = True

    @property
    def words(self) -> str:
        """The reason, in words."""
        start = f"'{self.value}' ({count(self.rows)}): "
        if self.by is None:
            return start + self.why
        if self.labels:
            shown = [f"'{label}'" for label in self.labels[:_SHOWN]]
            if more := len(self.labels) - len(shown):
                shown.append(numbered(more, "other value"))
            whom = f"the {self.by} {listed(shown, last='or')}"
        elif self.below is not None:
            whom = f"{self.by} below {self.below:g}"
        else:
            whom = f"{self.by} above {self.above:g}"
        return f"{start}all people with {whom}, and nobody else"


def likely_no_values(
    original: Table, found: Mapping[str, WithoutValue]
) -> tuple[LikelyNoValue, ...]:
    """Return possible "no value" markers not used as such."""
    columns = tuple(column for column in found if original.kind(column).is_compared)
    some = encode(_sample(original), [], columns=original.compared)
    pairs = [
        (column, by)
        for column in columns
        for by in original.compared
        if by != column and any(_decided(some, column, by))
    ]
    likely = {(each.column, each.value): each for of in found.values() for each in of.doubtful}
    if not pairs:
        return (*likely.values(),)
    whole = encode(
        original, [], columns=[c for c in original.compared if any(c in p for p in pairs)]
    )
    for column, by in pairs:
        for each in _decided(whole, column, by):
            if each.value not in found[column].markers:
                likely.setdefault((column, each.value), each)
    return tuple(likely.values())


def _sample(original: Table) -> Table:
    step = max(1, len(original) // _SAMPLE)
    return replace(original, frame=original.frame.iloc[::step])


def _decided_in(original: Table, column: str, by: str) -> Iterator[LikelyNoValue]:
    """Yield values that another column determines, checked on a sample first."""
    columns = [column, by]
    if any(_decided(encode(_sample(original), [], columns=columns), column, by)):
        yield from _decided(encode(original, [], columns=columns), column, by)


def _decided(data: EncodedData, column: str, by: str) -> Iterator[LikelyNoValue]:
    labels, codes = _labels(data, column)
    counts = np.bincount(codes, minlength=len(labels))
    usual = (counts >= _FEWEST_ROWS) & (counts >= _LEAST_SHARE * len(codes))
    usual &= np.array(labels, dtype=object) != ""
    wanted = np.flatnonzero(usual)
    found: dict[int, dict[str, Any]] = {}
    if not len(wanted) or not 3 <= np.count_nonzero(counts) <= _MOST_LABELS:
        return
    elif isinstance(spec := data.specs[by], CategoricalCodes):
        groups = data.original.columns[by].astype(np.int64)
        found = _by_labels(codes, groups, (len(labels), spec), wanted)
    else:
        numbers = np.asarray(data.original.columns[by], np.float64)
        found = _by_numbers(codes, numbers, len(labels), wanted)
    for place, how in found.items():
        yield LikelyNoValue(
            column=column, value=labels[place], rows=int(counts[place]), by=by, **how
        )


def _by_labels(
    codes: IntArray, groups: IntArray, sizes: tuple[int, CategoricalCodes], wanted: IntArray
) -> dict[int, dict[str, Any]]:
    """Return values of exactly the people with some labels."""
    size, spec = sizes
    if spec.size > _MOST_LABELS:
        return {}
    table = np.bincount(codes * spec.size + groups, minlength=size * spec.size)
    table = table.reshape(size, spec.size)
    whole = ((table == 0) | (table == table.sum(axis=0))).all(axis=1)
    found = {}
    for place in wanted[whole[wanted]].tolist():
        own, others = table[place] > 0, np.delete(table, place, axis=0)
        if not own[-1] and _is_free(others[:, ~own]):
            found[place] = {
                "labels": tuple(spec.labels[each] for each in np.flatnonzero(own)),
                "surely": bool((others[others.any(axis=1)] > 0).all(axis=0).any()),
            }
    return found


def _by_numbers(
    codes: IntArray, numbers: FloatArray, size: int, wanted: IntArray
) -> dict[int, dict[str, Any]]:
    """Return values of exactly the people on one side of a number."""
    if np.isnan(numbers).any():
        return {}
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(low, codes, numbers)
    np.maximum.at(high, codes, numbers)
    found = {}
    for place in wanted.tolist():
        others = np.delete(np.arange(size), place)
        least, greatest = float(low[others].min()), float(high[others].max())
        if not _overlap(low[others], high[others]):
            continue
        present = others[np.isfinite(low[others])]
        surely = bool(low[present].max() <= high[present].min())
        if high[place] < least:
            found[place] = {"below": least, "surely": surely}
        elif low[place] > greatest:
            found[place] = {"above": greatest, "surely": surely}
    return found


def _labels(data: EncodedData, column: str) -> tuple[tuple[str, ...], IntArray]:
    spec, values = data.specs[column], data.original.columns[column]
    if isinstance(spec, CategoricalCodes):
        return (*spec.labels, ""), values.astype(np.int64)
    numbers = np.asarray(values, np.float64)
    low = np.isnan(numbers) | (numbers <= np.nanmedian(numbers))
    codes = np.where(tags(numbers) > 0, tags(numbers) + 1, low)
    return ("", "", *spec.codes), codes.astype(np.int64)


def _is_free(table: IntArray) -> bool:
    rows = table.sum()
    by_group = table[:, (table > 0).sum(axis=0) > 1].sum()
    by_value = table[(table > 0).sum(axis=1) > 1].sum()
    return bool(2 * min(by_group, by_value) > rows)


def _overlap(low: FloatArray, high: FloatArray) -> bool:
    order = np.argsort(low[np.isfinite(low)])
    low, high = low[np.isfinite(low)][order], high[np.isfinite(low)][order]
    return bool((np.maximum.accumulate(high)[:-1] > low[1:]).all())
