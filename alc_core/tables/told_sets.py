"""What users say that labels stand for: as a table of texts that can be saved and read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from alc_core.errors import InputError
from alc_core.tables.found_sets import (
    column_domain,
    column_sets,
    recognised_sets,
    with_sets,
)
from alc_core.tables.sets.hierarchy import file_content
from alc_core.tables.sets.language import PlainSet, plain_set, read_plain_set
from alc_core.tables.sets.value_sets import ValueSet
from alc_core.tables.table import Table

_WRITE_IT = "Save it on the Data page or by 'alc check --save-sets', and edit that."

PlainSets = Mapping[str, Mapping[str, PlainSet | None]]
"""By column and label what labels stand for, as files keep it; None for a label that is a value."""


def plain_sets(original: Table, release: Table) -> dict[str, dict[str, PlainSet | None]]:
    """Return what the labels of a released table stand for as plain values, for JSON or editing.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> original = alc.table_from_frame(pd.DataFrame({"age": [*range(18, 78)] * 2}), name="a")
    >>> release = alc.table_from_frame(pd.DataFrame({"age": ["18-47", "48+"] * 30}), name="release")
    >>> alc.plain_sets(original, release)
    {'age': {'18-47': '18..47', '48+': '48..'}}
    """
    plain: dict[str, dict[str, PlainSet | None]] = {}
    for column, sets in column_sets(original, release).items():
        domain = column_domain(original, column)
        plain[column] = {
            each.label: plain_set(each.covers, domain) for each in sets.labels if each.n_values
        }
    return plain


def told_sets(original: Table, release: Table) -> dict[str, dict[str, PlainSet | None]]:
    """Return where what a released table's labels stand for differs from what is recognised.

    It is all that has to be kept to have the same table again from its file, and holds values of
    the original only as far as a user has named them.

    Examples
    --------
    >>> import pandas as pd, alc_core as alc
    >>> ages = pd.DataFrame({"age": [*range(18, 78)] * 2})
    >>> original = alc.table_from_frame(ages, name="people")
    >>> release = alc.table_from_frame(pd.DataFrame({"age": ["18-47", "48+"] * 30}), name="release")
    >>> told = {"age": {"18-47": "18..48", "48+": "48.."}}
    >>> told_sets(original, alc.with_plain_sets(original, release, told))
    {'age': {'18-47': '18..48'}}
    """
    told: dict[str, dict[str, PlainSet | None]] = {}
    for column, given in release.value_sets.items():
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
        own = {label: None for label in known if label not in given}
        if different or own:
            told[column] = {**different, **own}
    return told


def with_plain_sets(original: Table, release: Table, told: PlainSets) -> Table:
    """Return a released table with what a user says of some labels, and what is found of others.

    Parameters
    ----------
    original : Table
        The table of real people.
    release : Table
        One released table.
    told : mapping of str to mapping of str to str, list of str or None
        By column and label: a text such as ``20..39``, ``65..``, ``a | b`` or ``*``, a list of
        labels, or None for a label that stands for itself. An empty label is an empty cell.

    Raises
    ------
    ColumnError
        If a table lacks a column.
    InputError
        If a text cannot be read, or covers nothing that the original has.

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
        sets[column] = {
            label: None if plain is None else read_plain_set(plain, domain, column=column)
            for label, plain in labels.items()
        }
    return with_sets(original, release, sets)


def parse_plain_sets(source: str | bytes, *, name: str) -> dict[str, dict[str, Any]]:
    """Read what labels stand for from a JSON file, given as its path or its bytes."""
    data = file_content(source, name=name)
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise InputError(f"'{name}' is not JSON. {_WRITE_IT}") from None
    if not isinstance(found, dict) or not all(isinstance(each, dict) for each in found.values()):
        raise InputError(
            f"'{name}' does not say by column and label what labels stand for. {_WRITE_IT}"
        )
    return found


def sets_text(sets: PlainSets) -> str:
    """Return what labels stand for as the text of a JSON file."""
    return json.dumps(sets, ensure_ascii=False, indent=2) + "\n"
