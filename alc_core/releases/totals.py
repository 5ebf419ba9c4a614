"""Totals in a table of counts, and their parts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.releases.hidden_counts import TOTAL, MarkedCounts, Sums, added_up, adds_up, sums_of
from alc_core.tables.checks.no_people import has_total, is_total
from alc_core.tables.labels.find import column_domain
from alc_core.tables.labels.notation import read_label
from alc_core.tables.table import Table
from alc_core.tables.values.texts import canonical_labels, label_counts, parse_numbers

_FEWEST_PARTS = 2
_CHECKED = 2  # Checks that unnamed subtotals must pass


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """A table's cells by values, and its totals.

    Attributes
    ----------
    labels : mapping of str to ndarray of object
        By column; None if a cell is empty.
    known : mapping of str to frozenset of str
        Labels that are, or cover, values of the original's columns.
    of_totals : mapping of str to ndarray of bool
        Totals over a column.
    original : Table
    """

    labels: Mapping[str, NDArray[np.object_]]
    known: Mapping[str, frozenset[str]]
    of_totals: Mapping[str, NDArray[np.bool_]]
    original: Table

    @classmethod
    def of(cls, frame: pd.DataFrame, original: Table) -> Layout:
        """Find totals by name, or by a missing value new to the original."""
        labels, known, of_totals = {}, {}, {}
        for column in frame.columns:
            series = canonical_labels(frame[column])
            texts = [str(text) for text in series.dropna().unique()]
            own = column in original.columns
            values = values_of(original, column, texts) if own else frozenset()
            named = {text for text in texts if is_total(text)} - values
            empty = own and not original.frame[column].isna().any()
            totals = series.isin(named) | (series.isna() & empty)
            labels[column] = series.to_numpy(dtype=object)
            of_totals[column] = totals.to_numpy() & (own or not totals.all())
            if own:
                known[column] = values
        return cls(labels=labels, known=known, of_totals=of_totals, original=original)

    @property
    def totals(self) -> NDArray[np.bool_]:
        """Totals by name, also over a part of the values."""
        parts = [self._partial(column) for column in self.known]
        return np.asarray(np.any([*self.of_totals.values(), *parts], axis=0), dtype=bool)

    def _partial(self, column: str) -> NDArray[np.bool_]:
        named = {text for text in self._texts(column) if has_total(text)} - self.known[column]
        return pd.Series(self.labels[column]).isin(named).to_numpy()

    @property
    def n_combinations(self) -> int:
        """Number of combinations of values without totals."""
        inner = ~self.totals
        return math.prod(pd.Series(self.labels[c][inner]).nunique() for c in self.known)

    def absent(self) -> pd.DataFrame:
        """Return combinations not in the table."""
        inner = pd.DataFrame(dict(self.labels))[~self.totals]
        values = pd.MultiIndex.from_product([inner[c].dropna().unique() for c in inner])
        return values.difference(pd.MultiIndex.from_frame(inner)).to_frame(
            index=False, name=list(inner)
        )

    def strange(self, column: str) -> NDArray[np.bool_]:
        """Return cells with a value new to the original's column."""
        return ~pd.Series(self.labels[column]).isin(self.known[column]).to_numpy()

    def sums(self, marked: MarkedCounts, crossed: str) -> tuple[NDArray[np.bool_], list[Sums]]:
        """Return subtotals, and parts of subtotals and totals.

        A cross table's header that is not a value may be a part.
        """
        columns = self._keys()
        texts = np.column_stack([pd.factorize(self.labels[c])[0] for c in columns])
        codes = np.where(np.column_stack([self.of_totals[c] for c in columns]), TOTAL, texts + 1)
        outer, families = np.zeros(codes.shape, dtype=bool), []
        for place, column in enumerate(columns):
            if column in self.known:
                outer[:, place] = self._partial(column)
            labels, others = pd.Series(self.labels[column]), np.delete(codes, place, axis=1)
            for split, least in self._subtotals(column):
                of_label = [
                    added_up(others, *(np.flatnonzero(labels.isin(each)) for each in pair))
                    for pair in (([label], parts) for label, parts in split.items())
                ]
                if adds_up(marked, Sums.together(of_label), least=least):
                    outer[labels.isin(list(split)), place] = True
                    families += of_label
        subtotals = np.asarray(outer.any(axis=1), dtype=bool)
        if np.isfinite(marked.numbers).all():
            return subtotals, []
        if crossed and (strange := self.strange(crossed)).any():
            wider = [s for s in sums_of(codes, texts, outer) if adds_up(marked, s, least=1)]
            outer[strange, columns.index(crossed)] = True
            rest = sums_of(codes, texts, outer)
            fitting = [s for s in rest if adds_up(marked, s, least=0)] if wider else rest
            return subtotals, [*families, *wider, *fitting]
        return subtotals, [*families, *sums_of(codes, texts, outer)]

    def _texts(self, column: str) -> list[str]:
        found = dict.fromkeys(self.labels[column][~self.of_totals[column]])
        return [text for text in found if text is not None]

    def _keys(self) -> list[str]:
        """Return the original's columns, and others that distinguish cells."""
        keys = list(self.known)
        frame = pd.DataFrame(dict(self.labels))
        repeated = int(frame.duplicated(keys).sum())
        for column in self.labels:
            if column not in keys and repeated:
                still = int(frame.duplicated([*keys, column]).sum())
                if still < repeated:
                    keys, repeated = [*keys, column], still
        return keys

    def _subtotals(self, column: str) -> Iterator[tuple[Mapping[Any, Sequence[str]], int]]:
        """Return labels, possible parts, and checks to pass."""
        texts, known = self._texts(column), self.known.get(column, frozenset())
        yield {None: texts}, _CHECKED  # If the original also has missing values
        for label, parts in self._covering(column).items():
            yield {label: parts}, 0
        strange = [text for text in texts if text not in known]
        if not known or not strange:
            return
        begun = {label: [text for text in known if text.startswith(label)] for label in strange}
        yield {label: parts for label, parts in begun.items() if len(parts) >= _FEWEST_PARTS}, 1
        ways = (texts, strange[0] == texts[0]), (texts[::-1], strange[-1] == texts[-1])
        for order, begins in ways:
            if begins and (blocks := _blocks(order, known)):
                yield blocks, 0 if all(map(has_total, blocks)) else _CHECKED

    def _covering(self, column: str) -> dict[str, list[str]]:
        """Return generalized labels split by others, with the finest split."""
        texts = [text for text in self._texts(column) if text in self.known.get(column, ())]
        if column not in self.known or not self.original.kind(column).is_compared:
            return {}
        domain = column_domain(self.original, column)
        own = parse_numbers(texts) if domain.numeric else np.full(len(texts), np.nan)
        if all(map(domain.has, texts)) or np.isfinite(own).all():
            return {}  # Single values only
        held = {}
        for text, number in zip(texts, own.tolist(), strict=True):
            if domain.numeric and np.isfinite(number):
                held[text] = domain.numbers == number
            elif domain.has(text):
                if not domain.numeric:  # Else it is a code among numbers
                    held[text] = np.asarray(domain.labels.index == text)
            elif (read := read_label(text, domain)) is not None:
                held[text] = domain.chosen(read.value_set)
        return _split_up(held)


def _split_up(held: Mapping[str, NDArray[np.bool_]]) -> dict[str, list[str]]:
    """Return labels covered exactly by others, with the finest."""
    sizes = {text: int(mask.sum()) for text, mask in held.items()}
    ascending = sorted((text for text in held if sizes[text]), key=lambda text: sizes[text])
    found = {}
    for label in (text for text in ascending if sizes[text] > 1):
        left, parts = held[label].copy(), []
        for part in ascending:
            if sizes[part] < sizes[label] and not (held[part] & ~left).any():
                left &= ~held[part]
                parts.append(part)
        if not left.any() and len(parts) >= _FEWEST_PARTS:
            found[label] = parts
    return found


def _blocks(texts: Sequence[str], known: frozenset[str]) -> dict[str, list[str]]:
    """Return values that follow each label that is not a value."""
    found: dict[str, list[str]] = {}
    for text in texts:
        if text not in known:
            found[text] = parts = []
        elif found:
            parts.append(text)
    return {label: parts for label, parts in found.items() if len(parts) >= _FEWEST_PARTS}


def values_of(original: Table, column: str, labels: Sequence[str]) -> frozenset[str]:
    """Return labels that are, or cover, a column's values.

    Words for totals only if the original has them.
    """
    given = pd.Series(list(labels), dtype="str")
    known = set(canonical_labels(pd.Series(label_counts(original.frame[column]).index)))
    spelled = dict(zip(given, canonical_labels(given), strict=True))
    found = {label for label, spelling in spelled.items() if spelling in known}
    rest = [label for label in spelled if label not in found and not is_total(label)]
    if rest and original.kind(column).is_compared:
        domain = column_domain(original, column)
        read = {label: read_label(label, domain) for label in rest}
        found |= {
            label
            for label, each in read.items()
            if each is not None and domain.chosen(each.value_set).any()
        }
    return frozenset(found)
