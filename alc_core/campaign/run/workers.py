"""Workers in processes or on a cluster, one scenario's attacks at a time."""

from __future__ import annotations

import itertools
import re
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any, Self, TypeVar

from joblib import Parallel, cpu_count, delayed, parallel_config

from alc_core.assessment.loop import RunSettings
from alc_core.assessment.prepare import ScenarioData, summarize_table
from alc_core.assessment.result import Assessment, TableSummary
from alc_core.assessment.run import Run
from alc_core.attacks.protocol import Attack
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.errors import AlcError, CancelledError, InputError
from alc_core.note import Note
from alc_core.parameter import check_whole
from alc_core.releases.answers import answered, asked_tables
from alc_core.releases.release import EncodedRelease, Release
from alc_core.runtime.machine import limit_threads
from alc_core.runtime.plugins import Plugin, load_plugins
from alc_core.runtime.processes import TRIES, in_own_process, in_processes
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import People
from alc_core.tables.codes.encode import encode_releases
from alc_core.tables.households import Household
from alc_core.tables.table import Table

T = TypeVar("T")
_PeopleKey = tuple[str | None, Household, tuple[tuple[str, tuple[str, ...]], ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EncodedCampaign:
    """Encoded original and releases, shared by processes without copies."""

    encoded: Mapping[str, EncodedRelease]  # By release; the original's arrays are shared
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
    # Progress of each attack; only in the calling process
    progress: ProgressCallback | None = None
    plugins: tuple[Plugin, ...] = ()  # To load in other processes
    # Stop once it exists; remote workers never see it
    cancel_file: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """An assessment, or why there is none."""

    number: int
    seconds: float
    assessment: Assessment | None = None
    reason: str = ""


def run_group(
    data: EncodedCampaign, group: AttackGroup, settings: WorkerSettings
) -> tuple[Finished, ...]:
    """Run a scenario's attacks; an error in one does not stop others."""
    load_plugins(settings.plugins)
    finished: list[Finished] = []
    shared: Run | None = None
    cancel = None if settings.cancel_file is None else Path(settings.cancel_file).exists
    reporter = Reporter(progress=settings.progress, cancel=cancel)
    with limit_threads(settings.threads), parallel_config("threading", n_jobs=settings.threads):
        for entry in group.attacks:
            start, result, reason = time.perf_counter(), None, ""
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
                reason = failure_reason(error)
            seconds = time.perf_counter() - start
            finished.append(
                Finished(number=entry.number, seconds=seconds, assessment=result, reason=reason)
            )
    return tuple(finished)


def failure_reason(error: Exception) -> str:
    """Say why an attack failed, without error texts that may quote data."""
    if isinstance(error, AlcError):
        return str(error)
    if isinstance(error, MemoryError):
        return "Out of memory. Run fewer processes, or attack fewer columns."
    frames = traceback.extract_tb(error.__traceback__)
    places = " < ".join(f"{PurePath(f.filename).name}:{f.lineno}" for f in reversed(frames[-3:]))
    return (
        f"It raised {type(error).__name__} at {places}. Run it alone to see the message, "
        "which may quote data."
    )


_ADDRESS = re.compile(r"([a-z]+://)?[^/\s]+:[0-9]+")
_WAIT_FOR_WORKERS = 30
_WAIT_FOR_SCHEDULER = 10


class Workers:
    """Processes on this machine, by joblib, with shared data."""

    def __init__(self, jobs: int | None = None) -> None:
        if jobs is not None:
            check_whole("jobs", jobs, 1)
        # None if unknown
        self.jobs: int | None = jobs or int(cpu_count())

    @property
    def threads(self) -> int:
        """Threads per process: its share of processors."""
        return max(1, int(cpu_count()) // (self.jobs or 1))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Let them go: joblib ends idle processes."""

    @contextmanager
    def run(
        self, task: Callable[..., T], data: EncodedCampaign, arguments: Iterable[tuple[Any, ...]]
    ) -> Iterator[Iterator[T]]:
        """Run ``task(data, *arguments)`` for all arguments, yielding results as they come.

        Raises if a worker dies.
        """
        with in_processes(task, data, arguments, jobs=self.jobs or 1) as results:
            yield results

    def alone(self, task: Callable[..., T], data: EncodedCampaign, *arguments: Any) -> T:
        """Run ``task(data, *arguments)`` alone; raise if the worker dies."""
        return in_own_process(task, data, *arguments)

    def recover(self) -> None:
        """Get ready after a worker died; joblib restarts processes by itself."""


class ClusterWorkers(Workers):
    """A Dask cluster by joblib's backend, which sends the encoded data."""

    threads = 1

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise InputError(
                "A cluster needs dask.distributed: pip install anonymity-loss[cluster]."
            ) from None
        if not _ADDRESS.fullmatch(address):
            raise InputError(f"'{address}' is not a Dask address, such as tcp://127.0.0.1:8786.")
        self._connect: Callable[..., Any] = Client
        self.address, self.jobs = address, None
        self._client: Any = None

    def __enter__(self) -> Self:
        try:
            self._client = self._connect(
                self.address, timeout=_WAIT_FOR_SCHEDULER, set_as_default=False
            )
        except (OSError, ValueError, TimeoutError):
            raise InputError(f"No Dask scheduler at '{self.address}'. Start one.") from None
        self.recover()
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    @contextmanager
    def run(
        self, task: Callable[..., T], data: EncodedCampaign, arguments: Iterable[tuple[Any, ...]]
    ) -> Iterator[Iterator[T]]:
        """See :class:`Workers`."""
        with parallel_config(backend="dask", client=self._client, scatter=[data]):
            parallel = Parallel(return_as="generator_unordered", batch_size=1)
            with closing(parallel(delayed(task)(data, *rest) for rest in arguments)) as results:
                yield results

    def alone(self, task: Callable[..., T], data: EncodedCampaign, *arguments: Any) -> T:
        """See :class:`Workers`."""
        with self.run(task, data, [arguments]) as results:
            (result,) = results
            return result

    def recover(self) -> None:
        """Wait for a worker."""
        try:
            self._client.wait_for_workers(1, timeout=_WAIT_FOR_WORKERS)
        except (OSError, TimeoutError, ValueError, RuntimeError):
            raise AlcError(
                f"The cluster at '{self.address}' has no worker. Start 'dask worker "
                f"{self.address}'."
            ) from None


_LOOK_EVERY = 0.2  # Seconds between checks for a stop

_DIED = (
    "The process ended four times, perhaps out of memory. Run fewer processes, or this attack "
    "alone."
)


def group_attacks(
    planned: Sequence[PlannedAttack],
    attacks: Mapping[str, Attack],
    notes: Mapping[int, tuple[Note, ...]],
) -> list[AttackGroup]:
    """Group attacks by scenario, in the plan's order."""
    groups: dict[str, tuple[PlannedAttack, list[GroupedAttack]]] = {}
    for attack in planned:
        _, members = groups.setdefault(attack.scenario.key, (attack, []))
        members.append(
            GroupedAttack(
                number=attack.number,
                release=attack.release,
                attack=attacks[attack.attack],
                notes=notes[attack.number],
            )
        )
    return [
        AttackGroup(scenario=first.scenario, kind=first.kind, attacks=tuple(members))
        for first, members in groups.values()
    ]


def run_groups(
    groups: Sequence[AttackGroup],
    data: EncodedCampaign,
    workers: Workers,
    settings: WorkerSettings,
    *,
    settled: Collection[str] = (),
    cancel: CancelCallback | None = None,
) -> Iterator[tuple[Finished, ...]]:
    """Run groups and yield each one's results at once.

    Attacks on `settled` releases are skipped at their turn.

    If a worker dies, started groups run again one by one, and one whose worker dies each time is
    reported as failed. On a stop no group starts; workers that see this machine's files stop,
    others finish.
    """
    waiting, started = list(groups), dict[int, AttackGroup]()
    with _watched(cancel) as (stop, cancel_file):
        own = replace(settings, cancel_file=cancel_file)

        def feed() -> Iterator[tuple[int, AttackGroup, WorkerSettings]]:
            for number in itertools.count():
                group = None if stop() else _next(waiting, settled)
                if group is None:
                    return
                started[number] = group
                yield number, group, own

        while waiting and not stop():
            try:
                with workers.run(_run_numbered, data, feed()) as results:
                    for number, finished in results:
                        del started[number]
                        yield finished
            except AlcError:
                raise
            except Exception:
                if not started:
                    raise  # processes cannot even be started
                workers.recover()
                suspects = list(started.values())
                started.clear()
                for suspect in itertools.takewhile(lambda _: not stop(), suspects):
                    yield _alone(suspect, data, workers, own)


def _next(waiting: list[AttackGroup], settled: Collection[str]) -> AttackGroup | None:
    """Take the next group with attacks on unsettled releases; None at the end."""
    while waiting:
        group = waiting.pop(0)
        if left := tuple(each for each in group.attacks if each.release not in settled):
            return replace(group, attacks=left)
    return None


def _alone(
    group: AttackGroup, data: EncodedCampaign, workers: Workers, settings: WorkerSettings
) -> tuple[Finished, ...]:
    for _ in range(TRIES - 1):
        try:
            return workers.alone(run_group, data, group, settings)
        except AlcError:
            raise
        except Exception:  # noqa: BLE001 - see run_groups
            workers.recover()
    return tuple(
        Finished(number=attack.number, seconds=0.0, reason=_DIED) for attack in group.attacks
    )


def _run_numbered(
    data: EncodedCampaign, number: int, group: AttackGroup, settings: WorkerSettings
) -> tuple[int, tuple[Finished, ...]]:
    return number, run_group(data, group, settings)


@contextmanager
def _watched(cancel: CancelCallback | None) -> Iterator[tuple[Callable[[], bool], str]]:
    """Poll for a stop, and then make a file that workers see."""
    stopped, ended = threading.Event(), threading.Event()
    with tempfile.TemporaryDirectory(prefix="alc-") as folder:
        mark = Path(folder) / "cancel"

        def watch() -> None:
            while not ended.wait(_LOOK_EVERY):
                if cancel is not None and cancel():
                    stopped.set()
                    mark.touch()
                    return

        watcher = threading.Thread(target=watch, name="alc-cancel", daemon=True)
        watcher.start()
        try:
            yield stopped.is_set, str(mark)
        finally:
            ended.set()
            watcher.join()
