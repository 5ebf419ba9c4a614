"""Before the attack loop: encoding, the plan of targets, and what an attack may see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from alc_core.assessment.result import TableSummary
from alc_core.assessment.words import binning_note, lacking_note
from alc_core.attacks.protocol import AttackView, ReleasedRows
from alc_core.errors import InputError
from alc_core.releases.release import Release
from alc_core.scenario.known_values import KnownValues
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import People, TargetPlan, plan_targets
from alc_core.tables.encode import (
    CodeArray,
    ContinuousScale,
    EncodedData,
    EncodedTable,
    encode,
)
from alc_core.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScenarioData:
    """An original and one release, encoded once for any number of scenarios.

    Attributes
    ----------
    encoded : EncodedData
        The columns of all scenarios.
    people : People
        Of the original's rows.
    original : TableSummary
        Of the original.
    release : tuple of TableSummary
        Of the released tables.
    """

    encoded: EncodedData
    people: People
    original: TableSummary
    release: tuple[TableSummary, ...]

    @classmethod
    def of(cls, original: Table, release: Release, scenario: Scenario) -> ScenarioData:
        """Encode what one scenario needs."""
        return cls(
            encoded=encode(original, release.tables, columns=scenario.columns),
            people=People.of(original, scenario),
            original=summarize_table(original),
            release=tuple(map(summarize_table, release.tables)),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScenarioTargets:
    """The targets of a scenario and what baselines learn from; no release plays a part.

    Attributes
    ----------
    scenario : Scenario
        What is attacked.
    known : KnownValues
        Known attributes of the original's rows.
    unknown : ndarray of int32 of shape (n_rows,)
        Codes of the unknown attribute of the original's rows.
    plan : TargetPlan
        Targets and folds.
    seed : int
        Of the plan and all that follows.
    """

    scenario: Scenario
    known: KnownValues
    unknown: CodeArray
    plan: TargetPlan
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreparedScenario:
    """A scenario on encoded data, ready for an attack.

    Attributes
    ----------
    targets : ScenarioTargets
        Whom it attacks.
    view : AttackView
        What the attack may use.
    original : TableSummary
        Of the original.
    release : tuple of TableSummary
        Of the released tables.
    notes : tuple of str
        Decisions so far that the result must tell.
    unknown_bins : int or None
        Ranges that a continuous unknown attribute is cut into.
    """

    targets: ScenarioTargets
    view: AttackView
    original: TableSummary
    release: tuple[TableSummary, ...]
    notes: tuple[str, ...]
    unknown_bins: int | None


def prepare_scenario(
    data: ScenarioData,
    scenario: Scenario,
    *,
    folds: int | None = None,
    seed: int = 0,
    notes: tuple[str, ...] = (),
    targets: ScenarioTargets | None = None,
) -> PreparedScenario:
    """Select what the attack may use and plan its targets.

    Parameters
    ----------
    data : ScenarioData
        At least the scenario's columns.
    scenario : Scenario
        What is attacked.
    folds : int, optional
        Parts that are held out in turn.
    seed : int
        Of the plan and all that follows.
    notes : tuple of str
        From the pre-flight check; the result tells them.
    targets : ScenarioTargets, optional
        Those of the same scenario and seed, where another release was prepared already.

    Returns
    -------
    PreparedScenario
        Independent of the attack.

    Raises
    ------
    InputError
        If the release holds nothing to attack, or nobody can be a target.
    """
    encoded = data.encoded
    tables = _released_rows(encoded, scenario)
    unknown = encoded.as_unknown(encoded.original, scenario.unknown, scenario.bins)
    _check_overlap(unknown, tables, scenario.unknown)
    return PreparedScenario(
        targets=targets or _plan(data, scenario, unknown, folds, seed),
        view=AttackView(
            tables=tables,
            known={column: encoded.specs[column] for column in scenario.known},
            unknown=encoded.unknown_codes(scenario.unknown, scenario.bins),
        ),
        original=data.original,
        release=data.release,
        notes=(*notes, *_notes(encoded, scenario)),
        unknown_bins=scenario.bins if _is_binned(encoded, scenario) else None,
    )


def _notes(encoded: EncodedData, scenario: Scenario) -> Iterator[str]:
    """Say what counts as right, and what of the release was not used."""
    if _is_binned(encoded, scenario):
        yield binning_note(scenario)
    for table in encoded.released:
        used = [column for column in scenario.known if column in table.columns]
        lacking = [column for column in scenario.known if column not in table.columns]
        if scenario.unknown not in table.columns:
            yield f"Released table '{table.name}' lacks the unknown column and was not used."
        elif not used:
            yield f"Released table '{table.name}' lacks all known columns and was not used."
        elif lacking:
            yield lacking_note(table.name, lacking, used)


def _is_binned(encoded: EncodedData, scenario: Scenario) -> bool:
    return isinstance(encoded.specs[scenario.unknown], ContinuousScale)


def _plan(
    data: ScenarioData, scenario: Scenario, unknown: CodeArray, folds: int | None, seed: int
) -> ScenarioTargets:
    rng = np.random.default_rng([seed, 0])
    return ScenarioTargets(
        scenario=scenario,
        known=_known_values(data.encoded.original, data.encoded, scenario),
        unknown=unknown,
        plan=plan_targets(data.people, scenario, unknown, folds=folds, rng=rng),
        seed=seed,
    )


def _released_rows(encoded: EncodedData, scenario: Scenario) -> tuple[ReleasedRows, ...]:
    """Return the released tables that hold the unknown column and a known one."""
    tables = tuple(
        ReleasedRows(
            name=table.name,
            known=_known_values(table, encoded, scenario),
            unknown=encoded.as_unknown(table, scenario.unknown, scenario.bins),
        )
        for table in encoded.released
        if scenario.unknown in table.columns
        and any(column in table.columns for column in scenario.known)
    )
    if not tables:
        raise InputError(
            f"No released table holds the unknown column '{scenario.unknown}' together with a "
            "known one, so there is nothing to attack. Choose other columns."
        )
    if empty := [table.name for table in tables if len(table) == 0]:
        raise InputError(f"Released table '{empty[0]}' has no rows. Give a table with rows.")
    return tables


def _check_overlap(unknown: CodeArray, tables: Sequence[ReleasedRows], column: str) -> None:
    """Refuse a release no value of which the original knows: no prediction could be right."""
    released = np.unique(np.concatenate([np.unique(table.unknown) for table in tables]))
    if not np.isin(released, unknown).any():
        raise InputError(
            f"No released value of '{column}' occurs in the original, so that no prediction could "
            "be right and nothing can be measured. If the values were renamed, name them back as "
            "in the original; if the column holds something else, choose another."
        )


def _known_values(table: EncodedTable, encoded: EncodedData, scenario: Scenario) -> KnownValues:
    return KnownValues(
        specs={column: encoded.specs[column] for column in scenario.known},
        columns={c: table.columns[c] for c in scenario.known if c in table.columns},
        n_rows=len(table),
    )


def summarize_table(table: Table) -> TableSummary:
    """Return what results say of a table: name, size and fingerprint."""
    return TableSummary(
        name=table.name,
        rows=len(table),
        columns=len(table.columns),
        fingerprint=table.fingerprint,
    )
