"""Measuring relative threat: tables for the chains, and their results."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import CodeArray
from alc_core.assessment.prepare import ScenarioData
from alc_core.errors import InputError
from alc_core.group_posterior.chances import Victims, attacker, random_worlds
from alc_core.group_posterior.released import READABLE, GroupedRelease
from alc_core.group_posterior.sampler import Posterior, Watch, sample
from alc_core.group_posterior.settings import RANGES, DirichletPrior, SamplerSettings
from alc_core.phrasing import count, listed, percent
from alc_core.releases.microdata import RowsView
from alc_core.releases.registry import ReleaseLike, as_release
from alc_core.releases.release import Release
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.scenario.no_value import settled
from alc_core.scenario.preflight import FindingsCallback, check_before_run
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import KnownValues
from alc_core.studies.relative_threat.result import (
    Chances,
    ThreatResult,
    compare_members,
    relative_threat,
    victim_chances,
)
from alc_core.tables.apart.read import TableLike, as_table
from alc_core.tables.codes.encode import (
    CategoricalCodes,
    ColumnSpec,
    ContinuousScale,
    EncodedData,
    EncodedTable,
    encode,
)
from alc_core.tables.table import Table
from alc_core.tables.values.generalized import tagged, tags

# Codes of people's known columns, and of the unknown one
Coded = tuple[CodeArray, CodeArray]


def code_others(
    holdout: Table, original: Table, data: EncodedData, scenario: Scenario, release: GroupedRelease
) -> tuple[Coded, tuple[str, ...]]:
    """Code holdout people, who are not in the release; say who was excluded."""
    holdout.require(*scenario.columns)
    both = encode(original, [holdout], columns=scenario.columns, as_written=True)
    people, new = _under(data.specs, both.released[0], both.specs)
    known = release.coding.people(KnownValues.of(people, data.specs, scenario.known))
    truth = data.as_unknown(people, scenario.unknown, scenario.bins, scenario.markers)
    told = truth < release.table.domain.n_values
    own = replace(data, original=people)
    lacks = own.lacks_value(scenario.unknown, scenario.markers)
    if scenario.selection.missing is None:
        lacks &= ~told
    new |= ~told
    takes_part = ~(new | lacks)
    victims = Victims.of(release.table.domain, known[takes_part])
    if not random_worlds(release.table, victims).any():
        raise InputError(
            f"No released row fits any of the {count(len(people))} people of '{holdout.name}'. "
            "Choose another holdout."
        )
    notes = tuple(
        f"Holdout people left out, {why}: {count(int(who.sum()))}."
        for who, why in (
            (lacks, f"with a missing '{scenario.unknown}'"),
            (new & ~lacks, "with a value in neither table"),
        )
        if who.any()
    )
    return (known[takes_part], truth[takes_part]), notes


def _under(
    specs: Mapping[str, ColumnSpec], people: EncodedTable, own: Mapping[str, ColumnSpec]
) -> tuple[EncodedTable, NDArray[np.bool_]]:
    """Return people's columns under the release's codes, and who has an unreleased value."""
    columns, new = dict(people.columns), np.zeros(len(people), dtype=bool)
    for name, values in people.columns.items():
        spec, own_spec = specs[name], own[name]
        if isinstance(spec, CategoricalCodes) and isinstance(own_spec, CategoricalCodes):
            place = {label: code for code, label in enumerate(spec.labels)}
            codes = [place.get(label, -1) for label in own_spec.labels]
            columns[name] = np.array([*codes, len(spec.labels)], dtype=np.int32)[values]
            new |= columns[name] < 0
        elif isinstance(spec, ContinuousScale) and isinstance(own_spec, ContinuousScale):
            place = {code: tag for tag, code in enumerate(spec.codes, start=1)}
            to = np.array([0, *(place.get(code, -1) for code in own_spec.codes)])
            numbers = np.asarray(values, dtype=np.float64)
            moved = to[tags(numbers)]
            new |= moved < 0
            columns[name] = np.where(np.isnan(numbers), tagged(np.maximum(moved, 0)), numbers)
    return replace(people, columns=columns), new


NO_VALUE = "no value"

# Findings about precisions, which do not matter here
_NO_MATTER = ("too-few-rows",)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreparedThreat:
    """A grouped release and its people, for the sampler."""

    name: str  # Of the release
    fingerprint: str  # Of the original
    unknown: str  # The unknown column
    values: tuple[str, ...]  # Of the unknown column, by code
    release: GroupedRelease  # What the sampler reads
    known: CodeArray  # Codes of the original's people
    truth: CodeArray  # Codes of their unknown values
    counted: NDArray[np.bool_]  # Who has a value
    others: Coded | None  # People who are in neither table
    notes: tuple[str, ...]  # Decisions so far

    @classmethod
    def of(
        cls,
        original: Table,
        release: Release,
        scenario: Scenario,
        *,
        holdout: Table | None = None,
        ranges: int = int(RANGES.default),
        accept: Collection[str] = (),
        tell: FindingsCallback | None = None,
        reporter: Reporter | None = None,
    ) -> PreparedThreat:
        """Check and encode tables; holdout people are in neither."""
        (reporter or Reporter()).report("Reading the release")
        scenario.require_exact("Relative threat")
        notes = check_before_run(
            release.checker(original), original, scenario,
            accept=accept, tell=tell, unless=_NO_MATTER,
        )  # fmt: skip
        scenario = settled(scenario, original)
        encoded = ScenarioData.of(original, release, scenario).encoded
        view, data = encoded.view(scenario), encoded.data
        if not isinstance(release, READABLE) or not isinstance(view, RowsView):
            raise InputError(
                f"Release '{release.name}' is {release.title}. Choose rows or groups of people."
            )
        people = KnownValues.of(data.original, data.specs, scenario.known)
        grouped = GroupedRelease.of(view, ranges=ranges, people=people)
        truth = data.as_unknown(data.original, scenario.unknown, scenario.bins, scenario.markers)
        has = np.ones(len(truth), dtype=bool)
        if scenario.selection.missing is not None:
            has = ~data.lacks_value(scenario.unknown, scenario.markers)
        others: Coded | None = None
        left_out: tuple[str, ...] = ()
        if holdout is not None:
            others, left_out = code_others(holdout, original, data, scenario, grouped)
        told = truth < grouped.table.domain.n_values
        without = int((~has).sum())
        whose = "person of the original is" if without == 1 else "people of the original are"
        said = f"{count(without)} {whose} left out: '{scenario.unknown}' is missing."
        return cls(
            name=release.name,
            fingerprint=original.fingerprint,
            unknown=scenario.unknown,
            values=(*view.unknown.labels, NO_VALUE)[: grouped.table.domain.n_values],
            release=grouped,
            known=grouped.coding.people(people)[told],
            truth=truth[told],
            counted=has[told],
            others=others,
            notes=(
                *map(str, notes),
                *((said,) if without else ()),
                *map(str, encoded.notes(scenario)),
                *grouped.notes,
                *left_out,
            ),
        )

    def measured(
        self, posterior: Posterior, *, victim: Mapping[str, str] | None = None
    ) -> ThreatResult:
        """Return the numbers by what the chains drew."""
        chances = self.chances(posterior, victim) if victim else {}
        threat = relative_threat(
            posterior, self.known, self.truth, counted=self.counted, seed=posterior.settings.seed
        )
        comparison = None
        if self.others is not None:
            members = self.known[self.counted], self.truth[self.counted]
            comparison = compare_members(posterior, members, self.others)
        nothing_hidden = "The release hides nothing."
        people, checks, settings = threat.people, posterior.diagnostics, posterior.settings
        weiss = "" if checks.weiss is None else f", Weiß {percent(checks.weiss)}"
        return ThreatResult(
            release=self.name,
            fingerprint=self.fingerprint,
            known=tuple(self.release.coding.columns),
            unknown=self.unknown,
            values=self.values,
            threat=threat,
            estimates=threat.estimates,
            baseline_accuracy=threat.baseline_accuracy,
            ideal_accuracy=threat.ideal_accuracy,
            levels=threat.levels,
            of_attacker=people.histogram(people.by_attacker),
            of_learner=people.histogram(people.by_learner),
            people=threat.n_people,
            absent=threat.n_absent,
            converged=checks.converged,
            chains=f"{checks.sentence} {settings.chains} chains of {count(posterior.steps)} "
            f"steps: R-hat {checks.r_hat:.3f}, effective sample size {checks.ess:.0f}, "
            f"Geweke {percent(checks.geweke)}{weiss} (about 5% by chance).",
            settings=settings,
            steps=posterior.steps,
            victim_known=dict(victim or {}),
            chances=chances,
            comparison=comparison,
            notes=(
                *checks.warnings,
                *(() if self.release.table.hides else (nothing_hidden,)),
                *self.notes,
            ),
        )

    def chances(self, posterior: Posterior, victim: Mapping[str, str]) -> dict[str, Chances]:
        """Return the conclusions about one person."""
        codes = self.release.coding.person(victim)
        if found := victim_chances(posterior, codes, self.known, self.truth):
            return found
        domain, person = posterior.table.domain, self.release.coding.person
        together = [f"{name} = '{value}'" for name, value in victim.items()]
        alone = [
            said
            for said, (name, value) in zip(together, victim.items(), strict=True)
            if not attacker(posterior, Victims.of(domain, person({name: value}))).any()
        ]
        what = listed(alone) if alone else f"{listed(together)} together"
        raise InputError(
            f"No row of '{self.name}' fits the victim: {what}. Check or remove a value."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeasuredThreat:
    """A measured threat, with what questions about a person or more steps need."""

    prepared: PreparedThreat
    posterior: Posterior
    result: ThreatResult

    @classmethod
    def of(
        cls,
        prepared: PreparedThreat,
        settings: SamplerSettings | None,
        reporter: Reporter,
        *,
        victim: Mapping[str, str] | None = None,
        **chains: Any,
    ) -> MeasuredThreat:
        """Run the chains and measure; `chains` are further arguments of `sample`."""
        if victim:
            prepared.release.coding.person(victim)  # Refused before the chains run.
        posterior = sample(prepared.release.table, settings, reporter=reporter, **chains)
        reporter.report("Comparing attacker and learner")
        result = prepared.measured(posterior, victim=victim)
        return cls(prepared=prepared, posterior=posterior, result=result)

    def about(self, victim: Mapping[str, str]) -> ThreatResult:
        """Return the result with the conclusions about a person."""
        chances = self.prepared.chances(self.posterior, victim)
        return replace(self.result, chances=chances, victim_known=dict(victim))


def measure_threat(
    original: TableLike,
    release: ReleaseLike,
    scenario: Scenario,
    *,
    victim: Mapping[str, str] | None = None,
    holdout: TableLike | None = None,
    settings: SamplerSettings | None = None,
    prior: DirichletPrior | None = None,
    ranges: int = int(RANGES.default),
    accept: Collection[str] = (),
    tell: FindingsCallback | None = None,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
    watch: Watch | None = None,
) -> ThreatResult:
    """Measure what an attacker learns from a grouped release beyond a learner.

    Parameters
    ----------
    original : Table, data frame or path
    release : Release, Table, data frame or path
        With generalized labels, or groups with shuffled values.
    scenario : Scenario
        Known and unknown columns; its targets do not matter.
    victim : mapping of str to str, optional
        Known values of one person, not necessarily all.
    holdout : Table, data frame or path, optional
        People in neither table, with the same columns.
    settings : SamplerSettings, optional
    prior : DirichletPrior, optional
        By default equal weights `settings.prior`.
    ranges : int, default 10
        Ranges of continuous known columns.
    accept, tell, progress, cancel
        As in :func:`~alc_core.assessment.run.assess`.
    watch : callable, optional
        Receives the sampler's diagnostics.

    Returns
    -------
    ThreatResult
        Has the chains' convergence.

    Raises
    ------
    PreflightError
        If the check finds an error, or a question not accepted.
    InputError
        If nothing can be measured, or no row can be the victim's.
    CancelledError
        If `cancel` returned true.

    References
    ----------
    Boreale, Corradi and Viscardi (2020), Relative privacy threats and learning from anonymized
    data.

    Examples
    --------
    >>> import alc_core as alc
    >>> women = alc.load_demo("fair").original.frame[["age", "religious"]].head(200)
    >>> grouped = women.assign(age=(women["age"] > 30).map({True: "31-99", False: "0-30"}))
    >>> alc.measure_threat(women, grouped, alc.Scenario(["age"], "religious")).people
    200
    """
    reporter = Reporter(progress=progress, cancel=cancel)
    table = as_table(original, name="original")
    prepared = PreparedThreat.of(
        table,
        as_release(release, table),
        scenario,
        holdout=None if holdout is None else as_table(holdout, name="holdout"),
        ranges=ranges,
        accept=accept,
        tell=tell,
        reporter=reporter,
    )
    return MeasuredThreat.of(
        prepared, settings, reporter, victim=victim, prior=prior, watch=watch
    ).result
