"""A type of release for tests: how many people have each combination of known values and job."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from alc_core.arrays import CodeArray
from alc_core.errors import InputError
from alc_core.releases.release import AttackView, PublishedTables, Recognised
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import KnownValues
from alc_core.tables.codes.encode import EncodedData
from alc_core.tables.table import Table

COUNT = "people"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellsView(AttackView):
    cells: KnownValues
    values: CodeArray
    weights: np.ndarray

    def shuffled(self, rng: np.random.Generator) -> Self:
        return replace(self, values=rng.permutation(self.values))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedCells:
    data: EncodedData
    weights: np.ndarray

    def view(self, scenario: Scenario) -> CellsView:
        (table,) = self.data.released
        return CellsView(
            cells=KnownValues.of(table, self.data.specs, scenario.known),
            values=self.data.as_unknown(table, scenario.unknown, scenario.bins, scenario.markers),
            weights=self.weights,
            known={column: self.data.specs[column] for column in scenario.known},
            unknown=self.data.unknown_codes(scenario.unknown, scenario.bins, scenario.markers),
        )

    def notes(self, scenario: Scenario) -> tuple[str, ...]:
        return ()


class NothingToCheck:
    def findings(self, **_: object) -> tuple[()]:
        return ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToyCells(PublishedTables):
    kind: ClassVar[str] = "toy-cells"
    title: ClassVar[str] = "toy cells with counts"
    help: ClassVar[str] = "How many people are in each toy cell."

    @classmethod
    def of_tables(cls, tables: Sequence[Table], *, name: str, original: Table) -> Self:
        if len(tables) != 1 or COUNT not in tables[0].columns:
            raise InputError(f"Toy cells are one table with a column '{COUNT}'.")
        return cls(tables=tuple(tables), name=name)

    @classmethod
    def recognise(
        cls, original: Table, tables: Sequence[Table], profiles: object
    ) -> tuple[Recognised, ...]:
        return tuple(
            Recognised(kind=cls.kind, tables=(n,), reason=f"'{table.name}' is full of toys.")
            for n, table in enumerate(tables)
            if COUNT in table.columns
        )

    def described(self) -> tuple[str, ...]:
        return (f"{len(self.tables[0])} toy cells.",)

    def columns_beside(self, column: str) -> tuple[str, ...]:
        columns = [each for each in self.tables[0].columns if each != COUNT]
        return tuple(each for each in columns if each != column) if column in columns else ()

    def checker(self, original: Table) -> NothingToCheck:
        return NothingToCheck()

    def encoded(self, data: EncodedData) -> EncodedCells:
        weights = self.tables[0].frame[COUNT].to_numpy(dtype=np.float64)
        return EncodedCells(data=data, weights=weights)
