"""The original as codes: who is in the counts and groups, and who is held out of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray
from alc_core.errors import ColumnError, InputError
from alc_core.phrasing import count, quoted
from alc_core.releases.cells import quantile_edges, to_ranges
from alc_core.scenario.no_value import without_value
from alc_core.scenario.targets import People
from alc_core.studies.learning.result import StudySettings
from alc_core.tables.codes.encode import CategoricalCodes, EncodedData, EncodedTable, encode
from alc_core.tables.table import Table, missing_column_message

_FEWEST = 20
"""Rows without which there is nothing to study."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodedPeople:
    """Some rows as codes."""

    # Of each known column; -1 for a value that the members do not have, or a missing number
    columns: tuple[CodeArray, ...]
    unknown: CodeArray  # Of the unknown one

    def __len__(self) -> int:
        return len(self.unknown)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearningData:
    """Members and people held out, under common codes."""

    members: CodedPeople  # In the counts and groups
    holdout: CodedPeople | None  # Left out of them; None where nobody is
    sizes: tuple[int, ...]  # Codes of each known column that the members have: 0, ..., size - 1
    values: int  # Codes of the unknown column that the members have
    notes: tuple[str, ...]  # Who takes no part, and how numbers were cut
    most_rows: int  # Most rows of one person of the original

    @property
    def commonest(self) -> float:
        """Share of the members who have the most frequent value."""
        return float(np.bincount(self.members.unknown).max() / len(self.members))


def learning_data(
    original: Table, settings: StudySettings, *, holdout: Table | None, rng: np.random.Generator
) -> LearningData:
    """Code the original, and hold some of it out."""
    scenario = settings.scenario
    if lacking := [c for c in scenario.columns if c not in original.columns]:
        raise ColumnError(missing_column_message(original, lacking[0]))
    found = without_value(original, settings.unknown, scenario.selection.missing)
    tables = [] if holdout is None else [holdout]
    data = encode(original, tables, columns=scenario.columns, as_written=True)
    coded = [_coded(data, each, settings, found.markers) for each in range(1 + len(tables))]
    notes = [] if not found.rows else [
        f"{count(found.rows)} rows have no value of '{settings.unknown}' ({found.words}); they "
        "take no part."
    ]  # fmt: skip
    people = People.of(original, scenario)
    units = people.units
    rows = _drawn(np.flatnonzero(coded[0].unknown >= 0), settings.most_rows, rng)
    if len(rows) < len(original) - found.rows:
        notes.append(
            f"{count(len(rows))} of the {count(len(original) - found.rows)} rows were drawn at "
            "random."
        )
    inside = np.ones(len(rows), dtype=bool)
    if holdout is None and settings.holdout_share:
        inside = ~_held_out(units[rows], settings.holdout_share, rng)
    members = _take(coded[0], rows[inside])
    if holdout is not None:
        others = _take(coded[1], np.flatnonzero(coded[1].unknown >= 0))
    else:
        others = _take(coded[0], rows[~inside])
    notes += _ranges_notes(data, settings)
    return _dense(members, others, notes=tuple(notes), most_rows=people.most_rows)


def _coded(
    data: EncodedData, number: int, settings: StudySettings, markers: Sequence[str]
) -> CodedPeople:
    """Return a table's codes; -1 for no value of the unknown column."""
    table = data.original if number == 0 else data.released[number - 1]
    unknown = data.as_unknown(table, settings.unknown, settings.bins, markers).copy()
    coding = data.unknown_codes(settings.unknown, settings.bins, markers)
    unknown[np.isin(unknown, [*coding.codes_of(markers), coding.size - 1])] = -1
    columns = tuple(_known_codes(data, table, c, settings.ranges) for c in settings.known)
    return CodedPeople(columns=columns, unknown=unknown)


def _drawn(rows: NDArray[np.intp], most: int, rng: np.random.Generator) -> NDArray[np.intp]:
    return rows if len(rows) <= most else np.sort(rng.choice(rows, most, replace=False))


def _held_out(
    units: NDArray[np.int64], share: float, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Draw whole people until about a share of the rows is held out."""
    numbers, of_rows = np.unique(units, return_inverse=True)
    order = rng.permutation(len(numbers))
    sizes = np.bincount(of_rows)[order]
    out = np.zeros(len(numbers), dtype=bool)
    out[order[np.cumsum(sizes) <= share * len(units)]] = True
    return out[of_rows]


def _take(people: CodedPeople, rows: NDArray[np.intp]) -> CodedPeople:
    return CodedPeople(
        columns=tuple(codes[rows] for codes in people.columns), unknown=people.unknown[rows]
    )


def _dense(
    members: CodedPeople, others: CodedPeople, *, notes: tuple[str, ...], most_rows: int
) -> LearningData:
    """Renumber the codes that members have from 0, and check that there is something to study."""
    if len(members) < _FEWEST:
        raise InputError(
            f"Only {count(len(members))} rows have a value of the unknown column and are in the "
            f"counts; at least {_FEWEST} are needed. Choose another column, or hold fewer out."
        )
    pairs = [*zip(members.columns, others.columns, strict=True), (members.unknown, others.unknown)]
    numbered = [_renumbered(*pair) for pair in pairs]
    *sizes, values = (size for _, _, size in numbered)
    if values < 2:
        raise InputError(
            "All people have the same value of the unknown column, so there is nothing to learn. "
            "Choose another one."
        )
    inside = CodedPeople(columns=tuple(i for i, _, _ in numbered[:-1]), unknown=numbered[-1][0])
    outside = CodedPeople(columns=tuple(o for _, o, _ in numbered[:-1]), unknown=numbered[-1][1])
    return LearningData(
        members=inside,
        holdout=outside if len(outside) else None,
        sizes=tuple(sizes),
        values=values,
        notes=notes,
        most_rows=most_rows,
    )


def _renumbered(members: CodeArray, others: CodeArray) -> tuple[CodeArray, CodeArray, int]:
    """Return both with the members' codes numbered from 0, and how many there are; else -1."""
    present = np.unique(members[members >= 0])
    # The last entry is what the code -1 picks.
    numbers = np.full(max(members.max(), others.max(initial=0)) + 2, -1, dtype=np.int32)
    numbers[present] = np.arange(len(present), dtype=np.int32)
    return numbers[members], numbers[others], len(present)


def _known_codes(data: EncodedData, table: EncodedTable, column: str, ranges: int) -> CodeArray:
    """Return a table's codes of a known column; of numbers the range of the original's."""
    values = table.columns[column]
    if isinstance(data.specs[column], CategoricalCodes):
        return np.asarray(values, dtype=np.int32)
    edges = quantile_edges(np.asarray(data.original.columns[column], dtype=np.float64), ranges)
    return to_ranges(np.asarray(values, dtype=np.float64), edges)


def _ranges_notes(data: EncodedData, settings: StudySettings) -> list[str]:
    """Say which columns are cut."""
    cut = [c for c in settings.known if not isinstance(data.specs[c], CategoricalCodes)]
    notes = []
    if cut:
        notes.append(
            f"Numbers are known by ranges of about as many people, at most {settings.ranges}: "
            f"{quoted(cut)}."
        )
    if not isinstance(data.specs[settings.unknown], CategoricalCodes):
        notes.append(
            f"'{settings.unknown}' is cut into {settings.bins} equal ranges; right means the right "
            "range."
        )
    return notes
