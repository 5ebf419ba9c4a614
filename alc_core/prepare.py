"""Before the attack loop: the pre-flight check, encoding, and the plan of targets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from alc_core.assessment import TableSummary
from alc_core.attacks.protocol import AttackView, KnownValues, ReleasedRows
from alc_core.errors import InputError, PreflightError
from alc_core.release import Release
from alc_core.scenario import Scenario
from alc_core.tables import Finding, Severity, Table, check_tables
from alc_core.tables.encode import CodeArray, EncodedData, EncodedTable, encode
from alc_core.targets import TargetPlan, plan_targets

FindingsCallback = Callable[[tuple[Finding, ...]], None]
"""Takes the findings of the pre-flight check."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreparedScenario:
    """A scenario on encoded data, ready for an attack.

    Attributes
    ----------
    scenario : Scenario
        What is attacked.
    view : AttackView
        What the attack may use.
    known : KnownValues
        Known attributes of the original's rows.
    unknown : ndarray of int32
        Codes of the unknown attribute of the original's rows.
    plan : TargetPlan
        Targets and folds.
    original : TableSummary
        Of the original.
    release : tuple of TableSummary
        Of the released tables.
    notes : tuple of str
        Decisions so far that the result must tell.
    seed : int
        Of the plan and all that follows.
    """

    scenario: Scenario
    view: AttackView
    known: KnownValues
    unknown: CodeArray
    plan: TargetPlan
    original: TableSummary
    release: tuple[TableSummary, ...]
    notes: tuple[str, ...]
    seed: int


def check_before_run(
    original: Table,
    release: Release,
    scenario: Scenario,
    *,
    accept: Collection[str] = (),
    tell: FindingsCallback | None = None,
) -> tuple[str, ...]:
    """Run the pre-flight check and raise on anything that must be answered or mended first.

    Parameters
    ----------
    original : Table
        The original.
    release : Microdata
        What is published.
    scenario : Scenario
        Only the columns of the scenario can stop the run.
    accept : collection of str
        Codes of questions that are answered.
    tell : callable, optional
        Called with all findings, worst first, before anything is raised.

    Returns
    -------
    tuple of str
        What a reader of the result must know: the warnings, and the questions accepted.

    Raises
    ------
    PreflightError
        If there is an error, or a question that is not accepted.
    """
    findings = check_tables(
        original,
        release.tables,
        known=scenario.known,
        unknown=scenario.unknown,
        person=scenario.person,
        household=scenario.household,
    )
    if tell is not None:
        tell(findings)
    blocking = tuple(f for f in findings if f.blocking and not _is_accepted(f, accept))
    if blocking:
        first = blocking[0]
        answer = (
            f" If this is as it should be, accept it by its code, {first.code}."
            if first.severity is Severity.QUESTION
            else ""
        )
        more = f" (And {len(blocking) - 1} more to mend or answer.)" if len(blocking) > 1 else ""
        place = "" if f"'{first.table}'" in first.message else f"{first.place}: "
        raise PreflightError(f"{place}{first.message} {first.action}{answer}{more}", blocking)
    return tuple(
        f"{'Accepted' if f.blocking else 'Warning'}: {f.place}: {f.message}"
        for f in findings
        if f.severity in (Severity.WARNING, Severity.QUESTION)
    )


def _is_accepted(finding: Finding, accept: Collection[str]) -> bool:
    return finding.severity is Severity.QUESTION and finding.code in accept


def prepare_scenario(
    original: Table,
    release: Release,
    scenario: Scenario,
    *,
    data: EncodedData | None = None,
    folds: int | None = None,
    seed: int = 0,
    notes: tuple[str, ...] = (),
) -> PreparedScenario:
    """Encode what the scenario needs and plan its targets.

    Parameters
    ----------
    original : Table
        The original.
    release : Microdata
        What is published.
    scenario : Scenario
        What is attacked.
    data : EncodedData, optional
        The same tables encoded already, at least the scenario's columns.
    folds : int, optional
        Parts that are held out in turn.
    seed : int
        Of the plan and all that follows.
    notes : tuple of str
        From :func:`check_before_run`; the result tells them.

    Returns
    -------
    PreparedScenario
        Independent of the attack.
    """
    data = data or encode(original, release.tables, columns=scenario.columns)
    specs = {column: data.specs[column] for column in scenario.known}
    unknown = data.as_unknown(data.original, scenario.unknown, scenario.bins)
    tables = tuple(
        ReleasedRows(
            name=table.name,
            known=_known_values(table, data, scenario),
            unknown=data.as_unknown(table, scenario.unknown, scenario.bins),
        )
        for table in data.released
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
    _check_overlap(unknown, tables, scenario.unknown)
    plan = plan_targets(
        original, scenario, unknown, folds=folds, rng=np.random.default_rng([seed, 0])
    )
    unused = [table.name for table in data.released if scenario.unknown not in table.columns]
    return PreparedScenario(
        scenario=scenario,
        view=AttackView(
            tables=tables,
            known=specs,
            unknown=data.unknown_codes(scenario.unknown, scenario.bins),
        ),
        known=_known_values(data.original, data, scenario),
        unknown=unknown,
        plan=plan,
        original=_summary(original),
        release=tuple(_summary(table) for table in release.tables),
        notes=(
            *notes,
            *(
                f"Released table '{name}' lacks the unknown column and was not used."
                for name in unused
            ),
        ),
        seed=seed,
    )


def _check_overlap(unknown: CodeArray, tables: Sequence[ReleasedRows], column: str) -> None:
    """Refuse a release no value of which the original knows: no prediction could be right."""
    released = np.unique(np.concatenate([table.unknown for table in tables]))
    if not np.isin(released, unknown).any():
        raise InputError(
            f"No released value of '{column}' occurs in the original, so that no prediction could "
            "be right and nothing can be measured. If the values were renamed, name them back as "
            "in the original; if the column holds something else, choose another."
        )


def _known_values(table: EncodedTable, data: EncodedData, scenario: Scenario) -> KnownValues:
    return KnownValues(
        specs={column: data.specs[column] for column in scenario.known},
        columns={c: table.columns[c] for c in scenario.known if c in table.columns},
        n_rows=len(table),
    )


def _summary(table: Table) -> TableSummary:
    return TableSummary(
        name=table.name,
        rows=len(table),
        columns=len(table.columns),
        fingerprint=table.fingerprint,
    )
