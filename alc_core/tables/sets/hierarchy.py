"""Hierarchies as ARX keeps them: a row per value of the original, its coarser labels beside it."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from alc_core.errors import InputError
from alc_core.tables.sets.domain import Domain
from alc_core.tables.sets.value_sets import ANY, Interval, ValueSet
from alc_core.tables.values.texts import canonical_labels, parse_numbers


def file_content(source: str | bytes, *, name: str) -> bytes:
    """Return the bytes of a file that is given as its path or its bytes."""
    if isinstance(source, bytes):
        return source
    try:
        return Path(source).read_bytes()
    except OSError as error:
        raise InputError(f"'{name}' cannot be read: {error.strerror}.") from None


def hierarchy_rows(source: str | bytes, *, name: str) -> list[list[str]]:
    """Read the cells of a hierarchy's file, given as its path or its bytes."""
    data = file_content(source, name=name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"The hierarchy '{name}' is not UTF-8 text. Save it as UTF-8.") from None
    delimiter = ";" if ";" in text.partition("\n")[0] else ","
    try:
        return [row for row in csv.reader(text.splitlines(), delimiter=delimiter) if row]
    except csv.Error as error:
        raise InputError(f"The hierarchy '{name}' is no text table: {error}.") from None


def sets_of_hierarchy(
    rows: Sequence[Sequence[str]], domain: Domain, *, column: str, name: str
) -> Mapping[str, ValueSet]:
    """Return which values of the original the labels of a hierarchy cover."""
    levels = max((len(row) for row in rows), default=0)
    if levels < 2:
        raise InputError(
            f"The hierarchy '{name}' has a single column. Give one row per value: the value, then "
            "its labels on coarser levels, separated by semicolons or commas."
        )
    spelled = [_canonical(row) for row in rows]
    covered: dict[str, set[str]] = {}
    for row in spelled:
        for label in row[1:]:
            if row[0] and label and label != row[0]:
                covered.setdefault(label, set()).add(row[0])
    found = {
        label: covers
        for label, values in covered.items()
        if (covers := _covers(label, values, domain)) is not None
    }
    if not found:
        raise InputError(
            f"The hierarchy '{name}' has no value that column '{column}' of the original has in "
            "its first column. Check that it belongs to this column."
        )
    return found


def _covers(label: str, values: set[str], domain: Domain) -> ValueSet | None:
    if domain.numeric:
        if domain.of_dates:
            numbers = Domain(pd.Series(sorted(values)), numeric=True, of_dates=True).numbers
        else:
            numbers = parse_numbers(sorted(values))
        numbers = numbers[np.isin(numbers, domain.numbers)]
        if not len(numbers):
            return None
        if label == "*" and len(numbers) == len(domain.numbers):
            return ANY
        return Interval(float(numbers.min()), float(numbers.max()))
    known = frozenset(value for value in values if domain.has(value))
    if domain.has(label) or not known:
        return None
    return ANY if label == "*" and len(known) == len(domain.labels) else known


def _canonical(row: Sequence[str]) -> list[str]:
    return [label or "" for label in canonical_labels(pd.Series(row, dtype=object))]
