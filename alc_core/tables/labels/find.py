"""Finding what released labels cover."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray
from alc_core.errors import InputError
from alc_core.phrasing import percent
from alc_core.tables.labels.cut import cut_labels
from alc_core.tables.labels.date_readings import with_read_dates
from alc_core.tables.labels.hierarchies import sets_of_hierarchy
from alc_core.tables.labels.notation import LabelReading, read_label
from alc_core.tables.labels.spelling import leading_codes, same_labels
from alc_core.tables.labels.unknown import unexplained
from alc_core.tables.labels.worked_out import (
    MOST_LABELS,
    LinkedPairs,
    LinkedRows,
    Pairs,
    apart,
    end_codes,
    grouped_values,
    interval_codes,
    is_suppressed,
    may_be_codes,
    suppressed_numbers,
    swapped_bounds,
    word_ranges,
)
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.value_sets import (
    ANY,
    SUPPRESSED_CELL,
    ColumnSets,
    Domain,
    HowFound,
    Interval,
    LabelSet,
    UnreadLabel,
    ValueSet,
)
from alc_core.tables.values.generalized import (
    is_generalized,
    may_be_generalized,
    texts_among_numbers,
)
from alc_core.tables.values.no_value import no_value_words, says_no_value
from alc_core.tables.values.texts import (
    canonical_labels,
    label_codes,
    label_counts,
    numeric_values,
    parse_numbers,
)

# Limits, each tried at half and twice its value on the tables of `worked_out`; the same is read
# unless stated
_FEWEST_LINKED = 100  # If fewer, rows that agree in a few columns are added
_MOSTLY = 0.9  # Share of rows of words for ranges
_LINKING = 6  # Columns per link if not all can be kept
_SETTLED = 0.01  # Share of people whose values may stay open
_NEARLY_ALL = 0.95  # Share of people a word may not cover; at 0.5, fewer words are read
_MOST_NEW = 10_000  # New labels of which all are read
_CLEARLY = 0.05  # Better fit of labels without codes before them
_UNLIKELY = 0.1  # Misfit of shares that needs linked rows
_CONTRADICTED = 0.5  # Least share of a label's linked values for its reading
_MOSTLY_SINGLE = 0.5  # Least share of rows with plain values
_UNREAD = "Its meaning could not be read."
_NEW = "The original does not have it."
_OVERRULED = "Linked rows contradict the label and give this."


@dataclass(kw_only=True, eq=False)
class _Search:
    """A released column beside the original's, and findings."""

    column: str
    domain: Domain
    released: pd.Series
    pairs: Pairs
    more_pairs: Pairs  # If those are few, agreeing in a few columns
    rows: dict[str, int] = field(default_factory=dict)
    found: dict[str, tuple[ValueSet, HowFound, str]] = field(default_factory=dict)
    unread: list[UnreadLabel] = field(default_factory=list)

    def add(self, label: str, covers: ValueSet, how: HowFound, doubt: str = "") -> None:
        self.found[label] = (covers, how, doubt)

    def result(self) -> ColumnSets | None:
        domain = self.domain
        texts = not pd.api.types.is_numeric_dtype(self.released.dtype)
        if texts or domain.of_dates or not domain.numeric:
            _read_labels(self)
        if domain.numeric and not domain.of_dates:
            _number_codes(self)
            _word_ranges(self)
        _suppressed_cells(self)
        if not self.found and not self.unread:
            return None
        n_rows = len(self.released)
        labels = (
            LabelSet.of(domain, label, *found, rows=self.rows, n_rows=n_rows)
            for label, found in self.found.items()
        )
        return ColumnSets.of(self.column, domain, labels, self.unread, n_rows)


def plain_rows(domain: Domain, released: pd.Series, labels: Sequence[str]) -> FloatArray:
    """Return released numbers or days, NaN for generalized labels."""
    numbers = Domain(released, numeric=True, of_dates=domain.of_dates).rows
    if not labels:
        return numbers
    return np.where(np.asarray(canonical_labels(released).isin(list(labels))), np.nan, numbers)


def _read_labels(search: _Search) -> None:
    released, domain = search.released, search.domain
    if domain.numeric and isinstance(released.dtype, pd.StringDtype):
        released = released[may_be_generalized(released)]  # many labels: what may be several
    search.rows = {str(label): int(count) for label, count in label_counts(released).items()}
    new = [label for label in search.rows if not _is_value(label, domain)]
    many = len(new) > _MOST_NEW
    if many:
        new = list(itertools.compress(new, may_be_generalized(pd.Series(new))))
    elif not domain.numeric:
        words = [label for label in new if not says_no_value(label)]
        for label, meant in same_labels([*map(str, domain.labels.index)], words).items():
            search.add(label, frozenset({meant}), HowFound.SPELLING)
    _read_notation(search, [label for label in new if label not in search.found])
    if not (many or domain.numeric):
        # H2X masks H2Y only if no label begins with H2X
        masks = {
            label
            for label, (_, how, _) in search.found.items()
            if how is HowFound.NOTATION and label.isalnum() and domain.labels_from(label)
        }
        read = {*search.found, *no_value_words(search.rows)} - masks
        plain = {label: rows for label, rows in search.rows.items() if label not in read}
        for label, begun in cut_labels(domain, plain).items():
            search.add(label, begun, HowFound.CUT)
    _overrule(search)
    left = list(_without_a_value(search, [label for label in new if label not in search.found]))
    groups, doubt = _groups(search, left)
    for label, group in groups.items():
        search.add(label, group, HowFound.LINKED, doubt)
        left.remove(label)
    search.unread += [
        UnreadLabel(label=label, rows=search.rows[label], reason=_UNREAD)
        for label in left
        if is_generalized(label)
    ]


def _read_notation(search: _Search, labels: Sequence[str]) -> None:
    domain = search.domain
    readings = _readings(labels, domain)
    swapped, why = swapped_bounds(domain, search.released, readings, search.pairs)
    for label, reading in readings.items():
        if reading is None:
            continue
        if label in swapped:
            search.add(label, swapped[label], HowFound.NOTATION, why)
        else:
            covers, doubt = reading.value_set, reading.doubt
            if isinstance(covers, Interval) and not doubt and not domain.chosen(covers).any():
                doubt = "The original has no such value."
            search.add(label, covers, HowFound.NOTATION, doubt)


def _readings(labels: Sequence[str], domain: Domain) -> Mapping[str, LabelReading | None]:
    """Read labels as written, or behind a code if that fits better."""
    written = {label: read_label(label, domain) for label in labels}
    plain = [
        label
        for label, reading in written.items()
        if not (reading and reading.value_set == ANY) and not says_no_value(label)
    ]
    behind = {label: read_label(rest, domain) for label, (_, rest) in leading_codes(plain).items()}
    if not behind:
        return written
    misfits = [_misfit([part[label] for label in behind], domain) for part in (written, behind)]
    return written if misfits[0] <= misfits[1] + _CLEARLY else {**written, **behind}


def _misfit(readings: Sequence[LabelReading | None], domain: Domain) -> float:
    covers = [domain.chosen(reading.value_set) for reading in readings if reading is not None]
    covers = [chosen for chosen in covers if chosen.any()]
    counts = domain.number_counts if domain.numeric else domain.labels.to_numpy()
    often = np.sum(covers, axis=0) if covers else np.zeros(len(counts))
    overlap = float((counts * np.maximum(often - 1, 0)).sum()) / max(1, int(counts.sum()))
    return 1 - len(covers) / max(1, len(readings)) + overlap


def _overrule(search: _Search) -> None:
    """Let linked rows overrule contradicted readings.

    Notations only if labels' rows do not fit.
    """
    domain = search.domain
    found = {
        label: (covers, how)
        for label, (covers, how, _) in search.found.items()
        if label in search.rows and covers != ANY
    }
    read = {label: covers for label, (covers, _) in found.items()}
    expected = [domain.share(covers) for covers in read.values()]
    guessed = any(how is not HowFound.NOTATION for _, how in found.values())
    rows = [search.rows[label] for label in read]
    if not sum(expected) or not (guessed or apart(rows, expected) >= _UNLIKELY):
        return
    for label, group in _groups(search, list(read), renamed=True)[0].items():
        of_group = domain.chosen(group)
        counts = (domain.number_counts if domain.numeric else domain.labels.to_numpy())[of_group]
        fitting = counts[domain.chosen(read[label])[of_group]].sum() / max(1, counts.sum())
        if fitting < _CONTRADICTED:
            search.add(label, group, HowFound.LINKED, _OVERRULED)


def _is_value(label: str, domain: Domain) -> bool:
    if domain.numeric and not domain.of_dates:
        return bool(np.isfinite(parse_numbers([label])[0])) or domain.has(label)
    return domain.has(label)


def _without_a_value(search: _Search, labels: Sequence[str]) -> Iterator[str]:
    """Mark labels that mean missing beyond the original's rate as suppressed."""
    domain = search.domain
    words = set(no_value_words([*map(str, search.rows)]))
    own = no_value_words([*map(str, domain.labels.index)]) if words else []
    before = int(domain.labels[own].sum()) + int(domain.series.isna().sum())
    still = sum(search.rows.get(label, 0) for label in own) + int(search.released.isna().sum())
    expected = max(0, before - still)
    for label in labels:
        if label in words and is_suppressed(
            search.rows[label], len(search.released), expected, len(domain.series)
        ):
            search.add(label, ANY, HowFound.SUPPRESSED)
        else:
            yield label


def _groups(
    search: _Search, labels: Sequence[str], *, renamed: bool = False
) -> tuple[Mapping[str, ValueSet], str]:
    """Return what new words cover in linked rows, and a doubt."""
    words = [label for label in labels if not says_no_value(label)]
    if not words or len(words) > MOST_LABELS or search.domain.of_dates:
        return {}, ""
    of_original, of_release = search.pairs()
    before = canonical_labels(search.domain.series.iloc[of_original]).to_numpy(dtype=object)
    after = canonical_labels(search.released.iloc[of_release]).to_numpy(dtype=object)
    groups, settled = grouped_values(before, after, words, renamed=renamed)
    covers: dict[str, ValueSet] = dict(groups)
    if search.domain.numeric:
        numbers = {label: parse_numbers(list(values)) for label, values in groups.items()}
        covers = {
            label: Interval(float(np.nanmin(each)), float(np.nanmax(each)))
            for label, each in numbers.items()
            if np.isfinite(each).any()
        }
    found = {
        label: each for label, each in covers.items() if search.domain.share(each) < _NEARLY_ALL
    }
    left = 1 - search.domain.share(settled)
    if search.domain.numeric or left < _SETTLED:
        return found, ""
    return found, (f"In few rows: it may also cover values of {percent(left)} of people.")


def _number_codes(search: _Search) -> None:
    domain, released = search.domain, search.released
    labelled = list(search.found)
    numbers = plain_rows(domain, released, labelled)
    if not np.isfinite(numbers).any():
        return

    def add(number: float, covers: ValueSet, how: HowFound, doubt: str = "") -> None:
        label = str(canonical_labels(pd.Series([number])).iloc[0])
        search.rows[label] = int(np.count_nonzero(numbers == number))
        search.add(label, covers, how, doubt)

    for number in suppressed_numbers(domain, numbers):
        add(number, ANY, HowFound.SUPPRESSED)
        numbers = np.where(numbers == number, np.nan, numbers)
    so_far = len(search.found)
    if not labelled and may_be_codes(domain, numbers):
        of_original, of_release = search.pairs()
        linked = (domain.rows[of_original], numbers[of_release])
        for code, interval, doubt in interval_codes(domain, numbers, linked):
            add(code, interval, HowFound.CODES, doubt)
    if len(search.found) > so_far:
        return
    for number, interval in end_codes(domain, numbers):
        add(number, interval, HowFound.TOP if np.isinf(interval.high) else HowFound.BOTTOM)


def _word_ranges(search: _Search) -> None:
    counts = label_counts(search.released)
    left = counts[~counts.index.isin([*search.found])]
    if not 2 <= len(left) <= MOST_LABELS:
        return
    words = texts_among_numbers([str(label) for label in left.index])
    if left[words].sum() < _MOSTLY * left.sum():
        return
    for word, interval, doubt in word_ranges(
        search.domain, search.released, words, search.more_pairs
    ):
        search.rows[word] = int(counts[word])
        search.add(word, interval, HowFound.LINKED, doubt)
    search.unread = [each for each in search.unread if each.label not in search.found]


def _suppressed_cells(search: _Search) -> None:
    own, before = search.released, search.domain.series
    without = int(np.count_nonzero(_empty(own)))
    if without == len(own):
        return
    if is_suppressed(without, len(own), int(np.count_nonzero(_empty(before))), len(before)):
        search.rows[SUPPRESSED_CELL] = without
        search.add(SUPPRESSED_CELL, ANY, HowFound.SUPPRESSED)


def _empty(series: pd.Series) -> NDArray[np.bool_]:
    if pd.api.types.is_numeric_dtype(series.dtype):
        return np.asarray(series.isna())
    return label_codes(series)[0] < 0


class _Pair:
    """An original and one released table, with cached findings."""

    def __init__(self, original: Table, release: Table) -> None:
        self._frames = original.frame, with_read_dates(original, release).frame
        self._kinds = {column: original.kind(column) for column in original.columns}
        self._found: dict[str, ColumnSets | None] = {}
        self._unknown: dict[str, tuple[UnreadLabel, ...]] = {}
        self._linked: LinkedRows | None = None
        project = original.project
        self._hierarchies = {} if project is None else project.hierarchies
        self._codes = original.codes

    def of(self, column: str) -> ColumnSets | None:
        if column not in self._found:
            told = self._of_hierarchy(column)
            search = _Search(
                column=column,
                domain=self.domain(column),
                released=self._frames[1][column],
                pairs=lambda: self.pairs(column),
                more_pairs=lambda: self.more_pairs(column),
            )
            self._found[column] = search.result() if told is None else told
        return self._found[column]

    def _of_hierarchy(self, column: str) -> ColumnSets | None:
        """Return the tool's hierarchy if it has all new labels."""
        rows = self._hierarchies.get(self._codes.get(column, column))
        if not rows:
            return None
        domain, counts = self.domain(column), label_counts(self._frames[1][column])
        of_label = {str(label): int(rows) for label, rows in counts.items()}
        try:
            covers = sets_of_hierarchy(rows, domain, column=column, name=column)
        except InputError:  # of another table, or without levels
            return None
        if any(label not in covers and not _is_value(label, domain) for label in of_label):
            return None
        n_rows = len(self._frames[1])
        labels = [
            LabelSet.of(domain, label, each, HowFound.HIERARCHY, rows=of_label, n_rows=n_rows)
            for label, each in covers.items()
            if label in of_label
        ]
        return ColumnSets.of(column, domain, labels, (), n_rows)

    def unknown(self, column: str) -> tuple[UnreadLabel, ...]:
        if column not in self._unknown:
            rows = label_counts(self._frames[1][column])
            found = self.of(column)
            rows = rows[~rows.index.isin([*found.sets])] if found else rows
            self._unknown[column] = tuple(
                UnreadLabel(label=str(label), rows=int(count), reason=_NEW)
                for label, count in unexplained(self.domain(column), rows).items()
            )
        return self._unknown[column]

    def domain(self, column: str) -> Domain:
        return _domain(self._frames[0], self._kinds[column], column)

    def pairs(self, column: str) -> LinkedPairs:
        if self._linked is None:
            original, release = self._frames
            shared = [c for c in original.columns if c in release.columns and not self._coded(c)]
            self._linked = LinkedRows(original, release, shared)
        return self._linked.pairs(column)

    def more_pairs(self, column: str) -> LinkedPairs:
        found = self.pairs(column)
        if len(found[0]) >= _FEWEST_LINKED:
            return found
        parts = [found, *(part.pairs(column) for part in self.parts)]
        rows = np.unique(
            np.column_stack([np.concatenate(each) for each in zip(*parts, strict=True)]), axis=0
        )
        return rows[:, 0], rows[:, 1]

    @cached_property
    def parts(self) -> tuple[LinkedRows, ...]:
        """Links by a few columns of many values at a time."""
        original, release = self._frames
        shared = [c for c in original.columns if c in release.columns and not self._coded(c)]
        ordered = sorted(shared, key=lambda c: -original[c].nunique())
        number = len(ordered) // _LINKING
        parts = [ordered[n::number] for n in range(number)] if number > 1 else []
        return tuple(LinkedRows(original, release, columns) for columns in parts)

    def _coded(self, column: str) -> bool:
        original, release = (frame[column] for frame in self._frames)
        if not all(pd.api.types.is_numeric_dtype(part.dtype) for part in (original, release)):
            return False
        return may_be_codes(Domain(original, numeric=True), numeric_values(release))


# By original and released table, held weakly
_PAIRS: WeakKeyDictionary[Table, WeakKeyDictionary[Table, _Pair]] = WeakKeyDictionary()


def column_sets(
    original: Table, release: Table, columns: Sequence[str] | None = None
) -> Mapping[str, ColumnSets]:
    """Return which released labels cover several values, and which.

    Intervals, open ends, masks, sets, suppressed cells and dates cut to months are read; codes of
    intervals, top and bottom codes, and words for groups are inferred from the original and linked
    rows. The original's labels cover themselves.

    Parameters
    ----------
    original : Table
        Real people.
    release : Table
        One released table.
    columns : sequence of str, optional
        By default all but identifiers and ignored ones.

    Returns
    -------
    mapping of str to ColumnSets
        Columns with such labels, or unreadable ones; user-given sets
        (:meth:`Table.with_value_sets`) unchanged.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> original = alc.table_from_frame(pd.DataFrame({"age": [*range(18, 78)] * 2}), name="a")
    >>> ages = ["18-37", "38-57", "58+"]
    >>> release = alc.table_from_frame(pd.DataFrame({"age": ages * 20}), name="release")
    >>> found = alc.column_sets(original, release)["age"]
    >>> [(label.label, label.words, label.n_values) for label in found.labels]
    [('18-37', '18 to 37', 20), ('38-57', '38 to 57', 20), ('58+', '58 and over', 20)]
    """
    if columns is None:
        columns = original.compared
    pair = _pair(original, release)
    found: dict[str, ColumnSets] = {}
    for column in columns:
        if column not in original.columns or column not in release.columns:
            continue
        if column in release.value_sets:
            found[column] = _given(pair, release, column)
        elif (sets := pair.of(column)) is not None:
            found[column] = sets
    return found


def linked_pairs(original: Table, release: Table, column: str) -> LinkedPairs:
    """Return linked rows of both tables, by all columns but one.

    If few, by a few columns.
    """
    return _pair(original, release).more_pairs(column)


def recognised_sets(original: Table, release: Table, column: str) -> ColumnSets | None:
    """Return recognized label meanings, ignoring the user's."""
    if column not in original.columns or column not in release.columns:
        return None
    return _pair(original, release).of(column)


def open_labels(original: Table, release: Table, column: str) -> tuple[UnreadLabel, ...]:
    """Return labels whose meaning someone must give."""
    if not (column in release.columns and original.kind(column).is_compared):
        return ()
    pair, given = _pair(original, release), release.value_sets.get(column, {})
    found = pair.of(column)
    left = (*(found.unread if found else ()), *pair.unknown(column))
    return tuple(each for each in left if each.label not in given)


def _pair(original: Table, release: Table) -> _Pair:
    pairs = _PAIRS.setdefault(original, WeakKeyDictionary())
    if release not in pairs:
        pairs[release] = _Pair(original, release)
    return pairs[release]


def with_found_sets(original: Table, release: Table, columns: Sequence[str] | None = None) -> Table:
    """Return a released table with label meanings found.

    User-given ones stay.
    """
    release = with_read_dates(original, release)
    found = {
        column: sets.sets
        for column, sets in column_sets(original, release, columns).items()
        if column not in release.value_sets and sets.labels
    }
    if not found:
        return release
    return replace(release, value_sets=MappingProxyType({**release.value_sets, **found}))


def with_sets(
    original: Table, release: Table, told: Mapping[str, Mapping[str, ValueSet | None]]
) -> Table:
    """Return a release with the user's label meanings, and found ones."""
    release = with_read_dates(original, release)
    pair = _pair(original, release)
    for column, labels in told.items():
        found = column_sets(original, release, [column]).get(column)
        merged = {**(found.sets if found else {}), **labels}
        sets = {label: covers for label, covers in merged.items() if covers is not None}
        release = release.with_value_sets(column, sets)
        _PAIRS[original][release] = pair  # The same rows: recognized ones are kept
    return release


def column_domain(original: Table, column: str) -> Domain:
    """Return the original's values of a column, for reading labels."""
    return _domain(original.frame, original.kind(column), column)


def _domain(frame: pd.DataFrame, kind: ColumnKind, column: str) -> Domain:
    dates = kind is ColumnKind.DATETIME
    return Domain(frame[column], numeric=kind.is_numeric, of_dates=dates)


def _given(pair: _Pair, release: Table, column: str) -> ColumnSets:
    """Describe user-given meanings; unchanged ones as found."""
    domain, found = pair.domain(column), pair.of(column)
    known = {label.label: label for label in found.labels} if found else {}
    counts = label_counts(release.frame[column])
    rows = {str(label): int(count) for label, count in counts.items()}
    rows[SUPPRESSED_CELL] = len(release) - sum(rows.values())
    labels = [
        known[label]
        if label in known and known[label].covers == covers
        else LabelSet.of(domain, label, covers, HowFound.GIVEN, rows=rows, n_rows=len(release))
        for label, covers in release.value_sets[column].items()
    ]
    given = release.value_sets[column]
    unread = (label for label in found.unread if label.label not in given) if found else ()
    return ColumnSets.of(column, domain, labels, unread, len(release))


def plain_columns(original: Table, release: Table) -> list[str]:
    """Return shared columns with mostly plain values in the release."""
    shared = [column for column in original.own_compared if column in release.columns]
    sets = column_sets(original, release, shared)
    return [c for c in shared if c not in sets or sets[c].share < _MOSTLY_SINGLE]
