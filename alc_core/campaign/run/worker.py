"""What a worker does: all attacks of one scenario, whose baseline is fitted once."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from joblib import parallel_config

from alc_core.assessment.loop import RunSettings
from alc_core.assessment.prepare import ScenarioData, summarize_table
from alc_core.assessment.result import Assessment, TableSummary
from alc_core.assessment.run import Run
from alc_core.attacks.protocol import Attack
from alc_core.campaign.model import KnownSetKind
from alc_core.errors import AlcError, CancelledError
from alc_core.note import Note
from alc_core.releases.answers import answered, asked_tables
from alc_core.releases.release import EncodedRelease, Release
from alc_core.runtime.machine import limit_threads
from alc_core.runtime.plugins import Plugin, load_plugins
from alc_core.runtime.progress import ProgressCallback, Reporter
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import People
from alc_core.tables.codes.encode import encode_releases
from alc_core.tables.households import Household
from alc_core.tables.table import Table

_PeopleKey = tuple[str | None, Household, tuple[tuple[str, tuple[str, ...]], ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedCampaign:
    """An original and its releases as arrays; processes share them without copies."""

    encoded: Mapping[str, EncodedRelease]  # By release; the original's arrays are the same in all
    people: Mapping[_PeopleKey, People]  # By person column, household column and selection
    original: TableSummary
    releases: Mapping[str, tuple[TableSummary, ...]]  # Of the tables of each release

    @classmethod
    def of(
        cls, original: Table, releases: Sequence[Release], scenarios: Iterable[Scenario]
    ) -> EncodedCampaign:
        """Encode what the scenarios need."""
        distinct = list(scenarios)
        named = (column for scenario in distinct for column in scenario.named)
        original, releases = asked_tables(original, releases, named)
        columns = {column: None for scenario in distinct for column in scenario.columns}
        encoded = encode_releases(
            original, [release.coded_tables() for release in releases], columns=list(columns)
        )
        people: dict[_PeopleKey, People] = {}
        for scenario in distinct:
            key = _people_key(scenario)
            if key not in people:
                people[key] = People.of(original, scenario)
        return cls(
            encoded={r.name: r.encoded(data) for r, data in zip(releases, encoded, strict=True)},
            people=people,
            original=summarize_table(original),
            releases=summarize_releases(releases),
        )

    def scenario_data(self, release: str, scenario: Scenario) -> ScenarioData:
        """Return what a scenario needs for one release."""
        return ScenarioData(
            encoded=answered(self.encoded[release], scenario),
            people=self.people[_people_key(scenario)],
            original=self.original,
            release=self.releases[release],
        )


def summarize_releases(releases: Sequence[Release]) -> dict[str, tuple[TableSummary, ...]]:
    """Return what results say of each release's tables."""
    return {release.name: tuple(map(summarize_table, release.tables)) for release in releases}


def _people_key(scenario: Scenario) -> _PeopleKey:
    where = tuple(sorted(scenario.selection.where.items()))
    return scenario.person, scenario.household, where


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupedAttack:
    """One attack of a group."""

    number: int  # Of the planned attack
    release: str  # Name of the release
    attack: Attack  # What runs
    notes: tuple[Note, ...]  # From the pre-flight check


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackGroup:
    """All attacks of one scenario."""

    scenario: Scenario
    kind: KnownSetKind  # The rule that chose the known columns
    attacks: tuple[GroupedAttack, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """What is the same for all groups."""

    run: RunSettings  # What results depend on
    threads: int  # That a worker may take
    # Told how far each attack is; only for work in the process that asks for it
    progress: ProgressCallback | None = None
    plugins: tuple[Plugin, ...] = ()  # To load, where the work is done in another process
    # Once it exists the work is to stop; a worker on another machine never sees it
    cancel_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """What came of an attack: an assessment, or the reason why there is none."""

    number: int
    seconds: float
    assessment: Assessment | None = None
    reason: str = ""


def run_group(
    data: EncodedCampaign, group: AttackGroup, settings: WorkerSettings
) -> tuple[Finished, ...]:
    """Run all attacks of a scenario; whatever one of them raises, the others run."""
    load_plugins(settings.plugins)
    finished: list[Finished] = []
    shared: Run | None = None
    reporter = Reporter(progress=settings.progress, cancel=Path(settings.cancel_file).exists)
    with limit_threads(settings.threads), parallel_config("threading", n_jobs=settings.threads):
        for entry in group.attacks:
            start = time.perf_counter()
            try:
                shared = Run.on(
                    data.scenario_data(entry.release, group.scenario),
                    group.scenario,
                    settings.run,
                    notes=entry.notes,
                    like=shared,
                )
                result = shared.attack(entry.attack, reporter=reporter)
            except CancelledError:
                break
            except Exception as error:  # noqa: BLE001 - one bad attack must not end the others
                seconds = time.perf_counter() - start
                finished.append(
                    Finished(number=entry.number, seconds=seconds, reason=failure_reason(error))
                )
            else:
                seconds = time.perf_counter() - start
                finished.append(Finished(number=entry.number, seconds=seconds, assessment=result))
    return tuple(finished)


def failure_reason(error: Exception) -> str:
    """Say why an attack failed, without the text of an error that may quote data."""
    if isinstance(error, AlcError):
        return str(error)
    if isinstance(error, MemoryError):
        return (
            "There was not enough memory. Run fewer processes, or attack fewer columns at a time."
        )
    frames = traceback.extract_tb(error.__traceback__)
    places = " < ".join(f"{PurePath(f.filename).name}:{f.lineno}" for f in reversed(frames[-3:]))
    return (
        f"The attack raised {type(error).__name__} at {places}. Its message is not kept because it "
        "may quote data; run this attack alone to see it."
    )
