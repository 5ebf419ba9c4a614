"""What labels stand for as people write it, and as files keep it: ``20..39``, ``a | b``, ``*``."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from alc_core.errors import InputError, ParameterError
from alc_core.tables.sets.bounds import read_bound
from alc_core.tables.sets.domain import Domain
from alc_core.tables.sets.notation import labels_inside, read_label
from alc_core.tables.sets.value_sets import ANY, AnyValue, Interval, ValueSet
from alc_core.tables.values.texts import canonical_labels

_SPAN = re.compile(r"\s*(.*?)\s*(<)?\.\.(<)?\s*(.*?)\s*\Z")

PlainSet = str | list[str]
"""A set as files keep it: labels in a list, anything else as it is written."""


def written_set(covers: ValueSet, domain: Domain) -> str:
    """Write a set so that :func:`read_set` reads it again.

    Examples
    --------
    >>> ages = Domain(pd.Series([17, 25, 40]), numeric=True)
    >>> [written_set(covers, ages) for covers in (Interval(20, 40, high_open=True), Interval(65))]
    ['20..<40', '65..']
    """
    if isinstance(covers, AnyValue):
        return "*"
    if isinstance(covers, Interval):
        if covers.low == covers.high:
            return _bound_text(covers.low, domain)
        low = "" if math.isinf(covers.low) else _bound_text(covers.low, domain)
        high = "" if math.isinf(covers.high) else _bound_text(covers.high, domain)
        opened = "<" if covers.low_open and low else ""
        closed = "<" if covers.high_open and high else ""
        return f"{low}{opened}..{closed}{high}"
    return " | ".join(sorted(covers))


def read_set(text: str, domain: Domain, *, column: str) -> ValueSet:
    """Read what a person says that a label stands for.

    Examples
    --------
    >>> towns = Domain(pd.Series(["Ulm", "Bonn", "Jena"]), numeric=False)
    >>> sorted(read_set("Ulm | Bonn", towns, column="town"))
    ['Bonn', 'Ulm']
    """
    plain = text.strip()
    covers = ANY if plain == "*" else _read(plain, domain)
    if covers is None or not np.any(domain.chosen(covers)):
        example = "20..39, 65.. or *" if domain.numeric else "a | b, or *"
        raise InputError(
            f"'{text}' names no value that column '{column}' of the original has. Write what the "
            f"label stands for as {example}."
        )
    return covers


def _read(text: str, domain: Domain) -> ValueSet | None:
    if not domain.numeric:
        return _labels(text, domain)
    interval = _span(text, domain)
    if interval is not None:
        return interval
    number = read_bound(text, domain)
    if number is not None and math.isfinite(number):
        return Interval(number, number)
    reading = read_label(text, domain)
    return None if reading is None else reading.value_set


def _labels(text: str, domain: Domain) -> ValueSet | None:
    if domain.has(text):
        return frozenset({text})
    found: set[str] = set()
    parts = canonical_labels(pd.Series(text.split("|"), dtype=object)).dropna()
    for part in parts:
        interval = _span(str(part), domain)
        inside = frozenset() if interval is None else labels_inside(domain, interval)
        if not domain.has(str(part)) and not inside:
            reading = read_label(str(part), domain)
            if reading is None or not isinstance(reading.value_set, frozenset):
                return None
            inside = reading.value_set
        found |= inside or {str(part)}
    return frozenset(found)


def _span(text: str, domain: Domain) -> Interval | None:
    match = _SPAN.match(text)
    if match is None:
        return None
    low, low_open, high_open, high = match.groups()
    bounds = (
        -math.inf if not low else read_bound(low, domain),
        math.inf if not high else read_bound(high, domain),
    )
    if bounds[0] is None or bounds[1] is None or not (low or high):
        return None
    try:
        return Interval(bounds[0], bounds[1], bool(low_open), bool(high_open))
    except ParameterError:
        return None


def plain_set(covers: ValueSet, domain: Domain) -> PlainSet:
    """Return a set as files keep it."""
    if isinstance(covers, Interval | AnyValue):
        return written_set(covers, domain)
    return sorted(covers)


def plain_text(plain: PlainSet) -> str:
    """Return a set as files keep it as a single text."""
    return plain if isinstance(plain, str) else " | ".join(plain)


def read_plain_set(plain: object, domain: Domain, *, column: str) -> ValueSet:
    """Return a set from what a file keeps."""
    if isinstance(plain, str):
        return read_set(plain, domain, column=column)
    if isinstance(plain, Sequence) and plain and all(isinstance(each, str) for each in plain):
        if domain.numeric:
            raise InputError(
                f"Column '{column}' has numbers or dates, so that what a label stands for is "
                "written as 20..39, not as a list of labels."
            )
        labels = canonical_labels(pd.Series(list(plain), dtype=object)).dropna()
        return read_set_of_labels(labels.tolist(), domain, column=column)
    raise InputError(
        f"What a label of column '{column}' stands for is a text such as 20..39, or a list of "
        f"labels, not {type(plain).__name__}."
    )


def read_set_of_labels(labels: Sequence[str], domain: Domain, *, column: str) -> ValueSet:
    """Return those labels that the original has."""
    known = frozenset(label for label in labels if domain.has(label))
    if not known:
        raise InputError(
            f"Column '{column}' of the original has none of the values that a label stands for, "
            f"such as '{labels[0] if labels else ''}'. Correct what it stands for."
        )
    return known


def _bound_text(number: float, domain: Domain) -> str:
    if domain.of_dates:
        return str(np.datetime64(int(number // 1), "D"))
    return f"{number:.15g}"
