"""People who are in neither table, to compare the release's people with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from alc_core.errors import ColumnError, InputError
from alc_core.group_posterior.chances import Victims, random_worlds
from alc_core.group_posterior.released import GroupedRelease
from alc_core.group_posterior.tables import CodeArray
from alc_core.phrasing import count
from alc_core.scenario.known_values import KnownValues
from alc_core.scenario.scenario import Scenario
from alc_core.tables.codes.encode import (
    CategoricalCodes,
    ColumnSpec,
    EncodedData,
    EncodedTable,
    encode,
)
from alc_core.tables.table import Table, missing_column_message


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Others:
    """Codes of people whom nobody of the release is."""

    known: CodeArray  # Of the known columns
    truth: CodeArray  # Of the unknown one
    notes: tuple[str, ...]  # Who was left out

    @classmethod
    def of(
        cls,
        holdout: Table,
        original: Table,
        data: EncodedData,
        scenario: Scenario,
        release: GroupedRelease,
    ) -> Others:
        """Code the people of a holdout as those of the release are."""
        if lacking := [name for name in scenario.columns if name not in holdout.columns]:
            raise ColumnError(missing_column_message(holdout, lacking[0]))
        both = encode(original, [holdout], columns=scenario.columns, as_written=True)
        people = _under(data.specs, both.released[0], both.specs)
        known = release.coding.people(KnownValues.of(people, data.specs, scenario.known))
        truth = data.as_unknown(people, scenario.unknown, scenario.bins, scenario.markers)
        new = np.zeros(len(people), dtype=bool)
        for name, values in people.columns.items():
            if isinstance(data.specs[name], CategoricalCodes):
                new |= np.asarray(values, dtype=np.int64) < 0
        told = truth < release.table.domain.n_values
        own = replace(data, original=people)
        lacks = own.lacks_value(scenario.unknown, scenario.markers)
        if scenario.selection.missing is None:
            lacks &= ~told
        new |= ~told
        takes_part = ~(new | lacks)
        found = cls(
            known=known[takes_part],
            truth=truth[takes_part],
            notes=_left_out(int(lacks.sum()), int((new & ~lacks).sum()), scenario.unknown),
        )
        victims = Victims.of(release.table.domain, found.known)
        if not random_worlds(release.table, victims).any():
            raise InputError(
                f"No row of the release fits any of the {count(len(people))} people of "
                f"'{holdout.name}'. Choose people with the original's columns and values."
            )
        return found


def _under(
    specs: Mapping[str, ColumnSpec], people: EncodedTable, own: Mapping[str, ColumnSpec]
) -> EncodedTable:
    """Return people's columns under the codes of the release; -1 for a value that it lacks."""
    columns = dict(people.columns)
    for name, values in people.columns.items():
        spec, own_spec = specs[name], own[name]
        if isinstance(spec, CategoricalCodes) and isinstance(own_spec, CategoricalCodes):
            place = {label: code for code, label in enumerate(spec.labels)}
            codes = [place.get(label, -1) for label in own_spec.labels]
            columns[name] = np.array([*codes, len(spec.labels)], dtype=np.int32)[values]
    return replace(people, columns=columns)


def _left_out(without: int, new: int, unknown: str) -> tuple[str, ...]:
    notes = []
    if without:
        notes.append(
            f"People of the holdout left out, without a value of '{unknown}': {without:,}."
        )
    if new:
        notes.append(
            "People of the holdout left out, with a value that neither the original nor the "
            f"release has: {new:,}."
        )
    return tuple(notes)
