"""Before the loop: encoding, plan of targets, and what an attack may see."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray
from alc_core.assessment.people import binning_note, without_value_note
from alc_core.assessment.result import TableSummary
from alc_core.note import Note, as_notes
from alc_core.phrasing import percent
from alc_core.releases.answers import answered, asked_tables
from alc_core.releases.release import AttackView, EncodedRelease, Release
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import KnownValues, People, TargetPlan, plan_targets
from alc_core.tables.codes.encode import ContinuousScale, EncodedData, encode
from alc_core.tables.table import Table

_HALF = 0.505  # Shares up to this are called half


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScenarioData:
    """An original and a release, encoded once for all scenarios."""

    encoded: EncodedRelease  # With the columns of all scenarios
    people: People  # Of the original's rows
    original: TableSummary
    release: tuple[TableSummary, ...]  # Of the released tables

    @classmethod
    def of(cls, original: Table, release: Release, scenario: Scenario) -> ScenarioData:
        """Encode what one scenario needs."""
        original, (release,) = asked_tables(original, [release], scenario.named)
        data = encode(original, release.coded_tables(), columns=scenario.columns)
        return cls(
            encoded=answered(release.encoded(data), scenario),
            people=People.of(original, scenario),
            original=summarize_table(original),
            release=tuple(map(summarize_table, release.tables)),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScenarioTargets:
    """A scenario's targets and what baselines learn from, without any release."""

    scenario: Scenario  # What is attacked
    known: KnownValues  # Known attributes of the original's rows
    unknown: CodeArray  # Codes by row of the original
    plan: TargetPlan  # Targets and folds
    eligible: NDArray[np.bool_]  # Rows in the pre-targeted selection
    selection_known: bool  # Whether the attacker knows all selection columns
    seed: int  # Of the plan and everything after


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreparedScenario:
    """A scenario on encoded data, ready for an attack."""

    targets: ScenarioTargets  # Whom it attacks
    view: AttackView  # What the attack may use
    original: TableSummary
    release: tuple[TableSummary, ...]  # Of the released tables
    notes: tuple[Note, ...]  # Decisions to report
    # Ranges of a continuous unknown attribute, or the release's classes
    unknown_bins: int | None


def prepare_scenario(
    data: ScenarioData,
    scenario: Scenario,
    *,
    folds: int | None = None,
    seed: int = 0,
    notes: tuple[Note, ...] = (),
    targets: ScenarioTargets | None = None,
) -> PreparedScenario:
    """Select what the attack may use, and plan targets."""
    encoded = data.encoded
    view = encoded.view(scenario)
    spec = encoded.data.specs[scenario.unknown]
    bins, equal = view.unknown.size - 1, True
    if isinstance(spec, ContinuousScale) and scenario.level == "exact":
        bins -= 0 if spec.near else len(spec.codes)
        equal = encoded.data.has_equal_bins(scenario.unknown, scenario.bins, scenario.markers)
    elif scenario.level == "exact":
        bins = 0
    ranges = (binning_note(scenario, bins, equal=equal),) if bins else ()
    if targets is None:
        targets = _plan(data, scenario, folds, seed)
    else:  # Scale numbers as for this release
        targets = replace(targets, known=_known(encoded.data, scenario))
    left_out = (
        (without_value_note(scenario, targets.plan.without_value, targets.plan.population),)
        if targets.plan.without_value
        else ()
    )
    return PreparedScenario(
        targets=targets,
        view=view,
        original=data.original,
        release=data.release,
        notes=as_notes(
            (*notes, *left_out, *ranges, *_balancing(targets), *encoded.notes(scenario))
        ),
        unknown_bins=bins or None,
    )


def _known(data: EncodedData, scenario: Scenario) -> KnownValues:
    return KnownValues.of(data.original, data.specs, scenario.known)


def _plan(data: ScenarioData, scenario: Scenario, folds: int | None, seed: int) -> ScenarioTargets:
    encoded = data.encoded.data
    rng = np.random.default_rng([seed, 0])
    column, markers = scenario.unknown, scenario.markers
    unknown = encoded.as_unknown(encoded.original, column, scenario.bins, markers)
    left_out = scenario.selection.missing is not None
    lacking = encoded.lacks_value(column, markers) if left_out else None
    return ScenarioTargets(
        scenario=scenario,
        known=_known(encoded, scenario),
        unknown=unknown,
        plan=plan_targets(data.people, scenario, unknown, folds=folds, rng=rng, lacking=lacking),
        eligible=data.people.eligible,
        selection_known=all(
            name in scenario.known or base <= {*scenario.known}
            for name, base in data.people.selected_by.items()
        ),
        seed=seed,
    )


def _balancing(targets: ScenarioTargets) -> tuple[str, ...]:
    candidates = targets.unknown[np.concatenate(targets.plan.targets)]
    share = float(np.bincount(candidates).max() / len(candidates))
    if targets.plan.down_sampled_share is None or share <= _HALF:
        return ()
    return (
        f"The most frequent value of '{targets.scenario.unknown}' makes up {percent(share)} of "
        "these people: too few have another.",
    )


def summarize_table(table: Table) -> TableSummary:
    """Return name, size, fingerprint and renamed columns of a table."""
    return TableSummary(
        name=table.name,
        rows=len(table),
        columns=len(table.kinds),
        fingerprint=table.fingerprint,
        same_columns=dict(table.same_columns),
        date_readings=dict(table.date_readings),
    )
