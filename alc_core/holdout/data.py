"""Original, release and holdout under the same codes, and checks that this makes sense."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.errors import ColumnError, InputError
from alc_core.holdout.resemblance import Found, resemblance
from alc_core.holdout.result import Resemblance
from alc_core.phrasing import count, quoted
from alc_core.releases.release import EncodedRelease, Release
from alc_core.tables.codes.encode import (
    CategoricalCodes,
    ColumnSpec,
    EncodedData,
    EncodedTable,
    encode_releases,
)
from alc_core.tables.households import likely_households, numbered
from alc_core.tables.table import Table, missing_column_message
from alc_core.tables.values.texts import canonical_labels

_MANY_LABELS = 100
"""A column with more labels than this may well have new ones in another sample."""

_HALF = 0.5
_SOME = 0.05

Checked = dict[Hashable, Found]
"""What was found of holdouts beside originals."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HoldoutData:
    """Tables with the same codes."""

    release: EncodedRelease  # The release and the original
    people: EncodedTable  # The people of the holdout who take part
    rows: NDArray[np.intp]  # Their rows in the holdout's table
    columns: tuple[str, ...]  # Columns that all of them have
    resemblance: Resemblance  # How far holdout and original are alike
    notes: tuple[str, ...]  # What a reader must know

    @property
    def original(self) -> EncodedTable:
        """The people of the original."""
        return self.release.data.original

    @classmethod
    def of(
        cls,
        original: Table,
        release: Release,
        holdout: Table,
        *,
        columns: Collection[str] = (),
        seed: int = 0,
        checked: Checked | None = None,
    ) -> HoldoutData:
        """Encode the tables and check the holdout."""
        shared = _shared_columns(original, holdout, columns)
        data, other = encode_releases(original, [release.coded_tables(), [holdout]], columns=shared)
        people, rows, notes = _readable(original, holdout, other, data.specs)
        checked = {} if checked is None else checked
        key = (original.fingerprint, holdout.fingerprint, shared, rows.tobytes(), seed)
        if key not in checked:
            checked[key] = resemblance(data.original, people, data.specs, shared, seed=seed)
        found = checked[key]
        if found.dropped:
            kept = ~found.copied
            people, rows = _take(people, np.flatnonzero(kept)), rows[kept]
        if not len(people):
            raise InputError(
                f"All rows of the holdout '{holdout.name}' are also in '{original.name}'. A "
                "holdout is of people who are not in the original. Upload another file."
            )
        lacking = [
            c for c in original.columns
            if c not in holdout.columns and original.kind(c).is_compared and _released(release, c)
        ]  # fmt: skip
        return cls(
            release=release.encoded(data),
            people=people,
            rows=rows,
            columns=shared,
            resemblance=found.told(len(people)),
            notes=(
                *notes,
                *found.notes(holdout.name, len(people)),
                *_relatives(original, holdout, rows),
                *_lacking(holdout, lacking),
            ),
        )


def _shared_columns(original: Table, holdout: Table, columns: Collection[str]) -> tuple[str, ...]:
    for name in columns:
        for table in (original, holdout):
            if name not in table.columns:
                raise ColumnError(missing_column_message(table, name))
    if not len(holdout):
        raise InputError(f"The holdout '{holdout.name}' has no rows. Upload a table with people.")
    found = tuple(
        name
        for name in original.columns
        if name in holdout.columns and (name in columns or original.kind(name).is_compared)
    )
    if not found:
        raise ColumnError(
            f"'{holdout.name}' shares no column with '{original.name}'. A holdout has the same "
            "columns as the original."
        )
    return found


def _released(release: Release, column: str) -> bool:
    return any(column in table.columns for table in release.coded_tables())


def _relatives(original: Table, holdout: Table, rows: NDArray[np.intp]) -> tuple[str, ...]:
    """Say how many people of a holdout seem to live with people of the original."""
    found = likely_households(original)
    if found is None or not {*found.columns} <= {*holdout.columns}:
        return ()
    columns = list(found.columns)
    both = pd.concat([original.frame[columns], holdout.frame[columns].iloc[rows]])
    homes = numbered(both, columns)
    shared = np.isin(homes[len(original) :], homes[: len(original)])
    by_chance = 2 * found.expected / found.of
    if shared.mean() <= max(_SOME, 2 * by_chance):
        return ()
    return (
        f"{count(int(shared.sum()))} of {count(len(rows))} people of the holdout '{holdout.name}' "
        f"share {quoted(columns)} with people of '{original.name}': they look like members of the "
        "same households, and the release may tell of them, too. The residual risk may then look "
        "too small. Draw the holdout by whole households.",
    )


def _lacking(holdout: Table, columns: list[str]) -> tuple[str, ...]:
    if not columns:
        return ()
    names = ", ".join(f"'{name}'" for name in columns[:5])
    more = f" and {len(columns) - 5} more" if len(columns) > 5 else ""
    return (f"The holdout '{holdout.name}' lacks {names}{more}: not used for distances.",)


def _readable(
    original: Table, holdout: Table, other: EncodedData, specs: Mapping[str, ColumnSpec]
) -> tuple[EncodedTable, NDArray[np.intp], tuple[str, ...]]:
    """Leave people out whose values are written as no value of the original is."""
    (people,) = other.released
    strange = np.zeros(len(people), dtype=bool)
    for name, spec in specs.items():
        wrong = _strange(original, holdout, other, name, spec)
        if wrong.mean() > _HALF:
            raise InputError(
                f"Column '{name}' of the holdout '{holdout.name}' holds "
                f"'{_example(holdout, name, wrong)}', which is not how '{original.name}' writes "
                "it. Write the column as in the original."
            )
        if name in people.set_columns:
            strange |= wrong
    plain = dict(people.columns)
    plain |= {name: column.single for name, column in people.set_columns.items()}
    kept = np.flatnonzero(~strange)
    people = _take(replace(people, columns=plain, set_columns={}), kept)
    notes: tuple[str, ...] = ()
    if strange.any():
        notes = (
            f"{count(int(strange.sum()))} people of the holdout '{holdout.name}' are left out: a "
            "value of theirs stands for several.",
        )
    return people, kept, notes


def _strange(
    original: Table, holdout: Table, other: EncodedData, name: str, spec: ColumnSpec
) -> NDArray[np.bool_]:
    """Return which cells of the holdout are no value that the original could have."""
    (people,) = other.released
    if name in people.set_columns:
        column = people.set_columns[name]
        return np.asarray(column.codes < len(column.labels))
    values = people.columns[name]
    if isinstance(spec, CategoricalCodes):
        own = np.unique(other.original.columns[name])
        if len(own) > _MANY_LABELS:
            return np.zeros(len(people), dtype=bool)
        return np.asarray(~np.isin(values, own) & (values != len(spec.labels)))
    filled = canonical_labels(holdout.frame[name]).notna().to_numpy(dtype=bool)
    usual = np.isnan(np.asarray(other.original.columns[name], np.float64)).mean()
    wrong: NDArray[np.bool_] = np.isnan(np.asarray(values, np.float64)) & filled
    written = canonical_labels(original.frame[name]).notna().to_numpy(dtype=bool)
    expected = float(usual) if written.all() else 0.0
    return wrong if wrong.mean() > expected + _HALF / 2 else np.zeros(len(people), dtype=bool)


def _example(holdout: Table, name: str, wrong: NDArray[np.bool_]) -> str:
    """Return the commonest value that is written differently."""
    return str(canonical_labels(holdout.frame[name])[wrong].value_counts().index[0])


def _take(table: EncodedTable, rows: NDArray[np.intp]) -> EncodedTable:
    columns = {name: values[rows] for name, values in table.columns.items()}
    return replace(table, n_rows=len(rows), columns=columns)
