"""Label meanings as people and files write them: ``20..39``, ``a | b``, ``*``, hierarchies."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from alc_core.errors import InputError
from alc_core.tables.formats.source import file_content
from alc_core.tables.labels.find import (
    column_domain,
    column_sets,
    open_labels,
    recognised_sets,
    with_sets,
)
from alc_core.tables.labels.notation import between, labels_inside, read_bound, read_label
from alc_core.tables.table import Table
from alc_core.tables.value_sets import ANY, AnyValue, Domain, Interval, ValueSet
from alc_core.tables.values.dates import iso_day
from alc_core.tables.values.texts import canonical_labels

_SPAN = re.compile(r"\s*(.*?)\s*(<)?\.\.(<)?\s*(.*?)\s*\Z")

# In files: labels as a list, others as written
PlainSet = str | list[str]
_WRITE_IT = "Save it on the Data page or by 'alc check --save-sets'."

NOT_SAID = ""  # In a file: meaning not given
# Label meanings by column and label, in files; None for a value
PlainSets = Mapping[str, Mapping[str, PlainSet | None]]


def written_set(covers: ValueSet, domain: Domain) -> str:
    """Write a set for :func:`read_set`.

    Examples
    --------
    >>> ages = Domain(pd.Series([17, 25, 40]), numeric=True)
    >>> [written_set(covers, ages) for covers in (Interval(20, 40, high_open=True), Interval(65))]
    ['20..<40', '65..']
    """
    return plain_text(plain_set(covers, domain))


def read_set(text: str, domain: Domain, *, column: str) -> ValueSet:
    """Read what a person says a label covers.

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
            f"'{text}' is not a value of the original's column '{column}'. Write what it covers "
            f"as {example}."
        )
    return covers


def _read(text: str, domain: Domain) -> ValueSet | None:
    if not domain.numeric:
        return _labels(text, domain)
    interval = _span(text, domain)
    if interval is not None:
        return interval
    low, high = read_bound(text, domain), read_bound(text, domain, last=True)
    if low is not None and high is not None and math.isfinite(low):
        return Interval(low, high)
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
    if not (low or high):
        return None
    return between((low, high), domain, low_open=bool(low_open), high_open=bool(high_open))


def plain_set(covers: ValueSet, domain: Domain) -> PlainSet:
    """Return a set as files keep it."""
    if isinstance(covers, AnyValue):
        return "*"
    if not isinstance(covers, Interval):
        return sorted(covers)
    low = _bound_text(covers.low, domain, last=covers.low_open or covers.low == covers.high)
    if covers.low == covers.high:
        return low
    high = _bound_text(covers.high, domain, last=not covers.high_open)
    opened = "<" if covers.low_open and low else ""
    closed = "<" if covers.high_open and high else ""
    return f"{low}{opened}..{closed}{high}"


def _bound_text(number: float, domain: Domain, *, last: bool) -> str:
    if math.isinf(number):
        return ""
    if domain.of_dates:
        texts = [iso_day(number), str(np.datetime64(round(number * 86_400), "s"))]
    else:
        plain = f"{number:.15g}"
        texts = [plain, repr(float(number)), f"{plain}0"]  # 1.1250 is never read as 1125
    return next((t for t in texts if read_bound(t, domain, last=last) == number), texts[0])


def plain_text(plain: PlainSet) -> str:
    """Return a set in files as a single text."""
    return plain if isinstance(plain, str) else " | ".join(plain)


def read_plain_set(plain: object, domain: Domain, *, column: str) -> ValueSet:
    """Return a set from what a file keeps."""
    if isinstance(plain, str):
        return read_set(plain, domain, column=column)
    if isinstance(plain, Sequence) and plain and all(isinstance(each, str) for each in plain):
        if domain.numeric:
            raise InputError(f"Column '{column}' has numbers or dates. Write 20..39, not a list.")
        labels = canonical_labels(pd.Series(list(plain), dtype=object)).dropna().tolist()
        known = frozenset(label for label in labels if domain.has(label))
        if not known:
            raise InputError(
                f"The original's column '{column}' has no '{labels[0] if labels else ''}'. "
                "Correct the label."
            )
        return known
    raise InputError(
        f"Write 20..39 or a list of labels for column '{column}', not {type(plain).__name__}."
    )


def hierarchy_rows(source: str | bytes, *, name: str) -> list[list[str]]:
    """Read a hierarchy file's cells."""
    data = file_content(source, name=name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"The hierarchy '{name}' is not UTF-8. Save it as UTF-8.") from None
    delimiter = ";" if ";" in text.partition("\n")[0] else ","
    try:
        return [row for row in csv.reader(text.splitlines(), delimiter=delimiter) if row]
    except csv.Error as error:
        raise InputError(f"The hierarchy '{name}' is not a text table: {error}.") from None


def plain_sets(original: Table, release: Table) -> dict[str, dict[str, PlainSet | None]]:
    """Return label meanings as plain values, for JSON or editing.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> original = alc.table_from_frame(pd.DataFrame({"age": [*range(18, 78)] * 2}), name="a")
    >>> release = alc.table_from_frame(pd.DataFrame({"age": ["18-47", "48+"] * 30}), name="release")
    >>> alc.plain_sets(original, release)
    {'age': {'18-47': '18..47', '48+': '48..'}}
    """
    plain: dict[str, dict[str, PlainSet | None]] = {}
    found = column_sets(original, release)
    for column in original.compared:
        sets = found[column].labels if column in found else ()
        left = [each.label for each in open_labels(original, release, column)]
        if not sets and not left:
            continue
        domain = column_domain(original, column)
        covers = {
            each.label: plain_set(each.covers, domain) if each.n_values else NOT_SAID
            for each in sets
        }
        own = _own_values(original, release, column)
        plain[column] = {**dict.fromkeys(left, NOT_SAID), **covers, **own}
    return plain


def _own_values(original: Table, release: Table, column: str) -> dict[str, None]:
    """Return recognized labels the user declares values."""
    found = recognised_sets(original, release, column)
    given = release.value_sets.get(column)
    if found is None or given is None:
        return {}
    return dict.fromkeys(label for label in found.sets if label not in given)


def told_sets(original: Table, release: Table) -> dict[str, dict[str, PlainSet | None]]:
    """Return sets that differ from recognized ones.

    Enough to restore the table; values of the original only if the user named them.
    """
    told: dict[str, dict[str, PlainSet | None]] = {}
    for column in release.value_sets:
        if column not in original.columns:
            continue
        found = recognised_sets(original, release, column)
        known = found.sets if found else {}
        domain = column_domain(original, column)
        different = {
            each.label: plain_set(each.covers, domain)
            for each in column_sets(original, release, [column])[column].labels
            if each.rows and known.get(each.label) != each.covers
        }
        own = _own_values(original, release, column)
        if different or own:
            told[column] = {**different, **own}
    return told


def with_plain_sets(original: Table, release: Table, told: PlainSets) -> Table:
    """Return a released table with user-given sets, and found ones.

    Parameters
    ----------
    original : Table
        Real people.
    release : Table
        One released table.
    told : mapping of str to mapping of str to str, list of str or None
        By column and label: ``20..39``, ``65..``, ``a | b`` or ``*``, a list of labels, or None for
        a value. An empty label is an empty cell.

    Raises
    ------
    ColumnError
        If a table lacks a column.
    InputError
        If a text is unreadable, or covers nothing.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> original = alc.table_from_frame(pd.DataFrame({"age": [*range(18, 78)] * 2}), name="a")
    >>> release = alc.table_from_frame(pd.DataFrame({"age": ["young", "48+"] * 30}), name="release")
    >>> release = alc.with_plain_sets(original, release, {"age": {"young": "..47"}})
    >>> [each.words for each in alc.column_sets(original, release)["age"].labels]
    ['48 and over', '47 and under']
    """
    sets: dict[str, dict[str, ValueSet | None]] = {}
    for column, labels in told.items():
        domain = column_domain(original, column)
        said = {
            label: None if plain is None else read_plain_set(plain, domain, column=column)
            for label, plain in labels.items()
            if plain != NOT_SAID
        }
        if said:
            sets[column] = said
    return with_sets(original, release, sets)


def parse_plain_sets(source: str | bytes, *, name: str) -> dict[str, dict[str, Any]]:
    """Read label meanings from a JSON file, by path or bytes."""
    data = file_content(source, name=name)
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise InputError(f"'{name}' is not JSON. {_WRITE_IT}") from None
    if not isinstance(found, dict) or not all(isinstance(each, dict) for each in found.values()):
        raise InputError(f"'{name}' does not list what labels cover by column. {_WRITE_IT}")
    return found


def sets_text(sets: PlainSets) -> str:
    """Return label meanings as JSON text."""
    return json.dumps(sets, ensure_ascii=False, indent=2) + "\n"
