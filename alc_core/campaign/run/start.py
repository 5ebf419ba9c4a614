"""A campaign from tables to a finished file, repeatable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from alc_core.assessment.loop import RunSettings
from alc_core.assessment.prepare import summarize_table
from alc_core.attacks.protocol import Attack
from alc_core.attacks.registry import make_attack
from alc_core.baselines.families import Family
from alc_core.campaign.file.annotations import (
    keep_accepted,
    keep_facts,
    keep_names,
    keep_plan,
    keep_relations,
    keep_waiting,
    kept_facts,
    kept_roles,
    kept_settings,
)
from alc_core.campaign.file.file_errors import CampaignFileError, file_errors, refuse_missing_folder
from alc_core.campaign.file.mismatch import people_differences, refuse_differences
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.model import CampaignSettings, PlannedAttack, named_columns
from alc_core.campaign.plan.estimate import attack_costs, speed_now
from alc_core.campaign.plan.planner import (
    CampaignPlan,
    check_sendable,
    chosen_attacks,
    plan_campaign,
)
from alc_core.campaign.run.check import Checked, TablesCheck, checked
from alc_core.campaign.run.schedule import TimeLeft, settles, settling_first
from alc_core.campaign.run.workers import (
    AttackGroup,
    ClusterWorkers,
    EncodedCampaign,
    Finished,
    Workers,
    WorkerSettings,
    group_attacks,
    run_groups,
    summarize_releases,
)
from alc_core.errors import CancelledError
from alc_core.note import as_notes
from alc_core.releases.answers import asked_tables
from alc_core.releases.registry import ReleasesLike, as_releases, told_of_releases
from alc_core.releases.release import Release
from alc_core.runtime.plugins import loaded_plugins
from alc_core.runtime.progress import CancelCallback, Progress, ProgressCallback, Reporter
from alc_core.scenario.preflight import FindingsCallback
from alc_core.scenario.relations import find_relations
from alc_core.scoring.parameters import LoopParameters, ScoringParameters
from alc_core.scoring.verdict import FLAGGED, Verdict
from alc_core.tables.apart.read import TableLike, as_table
from alc_core.tables.names import names_of
from alc_core.tables.table import Table
from alc_core.version import software_versions


def run_campaign(
    original: TableLike,
    releases: ReleasesLike,
    path: str | Path,
    *,
    plan: CampaignPlan | None = None,
    attacks: Sequence[Attack] = (),
    families: Sequence[Family] | None = None,
    scoring: ScoringParameters | None = None,
    loop: LoopParameters | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
    retry_failed: bool = False,
    check: TablesCheck | None = None,
    accept: Collection[str] = (),
    tell: FindingsCallback | None = None,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> CampaignStore:
    """Run the attacks of a plan, or those still missing from a campaign's file.

    Results are saved at once: the same call on the same file continues an interrupted run.

    Parameters
    ----------
    original : Table, data frame or path
        Real people; its column kinds also apply to releases.
    releases : Release or several, Table, DataFrame, several tables, or mapping of str to these
        Several tables without a name are one release.
    path : str or Path
        The campaign's file, created if missing.
    plan : CampaignPlan, optional
        New attacks are added to the file. By default the file's own, or :func:`plan_campaign`'s
        default.
    attacks : sequence of Attack, optional
        Your own unregistered attacks that the plan names.
    families, scoring, loop, seed
        As in :func:`assess`, whose results are the same; by default the file's own.
    jobs : int, optional
        Processes; by default one per processor.
    scheduler : str, optional
        Address of a Dask scheduler; encoded data are sent to its workers.
    retry_failed : bool, default False
        Run failed attacks again.
    check : TablesCheck, optional
        Made before of these tables, to check only once.
    accept, tell, progress, cancel
        As in :func:`assess`.

    Returns
    -------
    CampaignStore
        Open. Attacks may be missing if cancelled, or have failed.

    Raises
    ------
    CampaignMismatchError
        If data or settings differ from the file's.
    PreflightError
        If unaccepted questions leave no release to attack. Problems of single columns fail only
        their attacks.
    NothingToAttackError
        If no missing attack can run; a new campaign leaves no file.
    InputError
        If the campaign is already running, or tables, plan or parameters do not fit.
    CancelledError
        If cancelled before a new campaign's first attack; there is no file.

    Examples
    --------
    >>> import alc_core as alc
    >>> demo, name = alc.load_demo("fair"), "80% swapped"
    >>> with run_campaign(demo.original, {"strong": demo.releases[name]}, "review.alc") as done:
    ...     print(done.counts().finished)
    1
    """
    reporter = Reporter(progress=progress, cancel=cancel)
    table = as_table(original, name="original")
    published = as_releases(releases, table)
    attacks = [make_attack(attack) for attack in attacks]
    for attack in attacks:
        check_sendable(attack)
    place = Path(path)
    with run_lock(place):
        store = CampaignStore.open(place) if place.exists() else None
        try:
            named = named_columns(each for of in (plan, store) if of for each in of.attacks)
            table, published = asked_tables(table, published, named)
            plan = plan and plan.settled(table)
            settings = _settings(store, table, published, scoring=scoring, loop=loop, seed=seed)
            same = as_notes(store.check_same(settings) if store else ())
            if store is None:
                plan = plan or plan_campaign(table, published, seed=settings.seed)
                missing = plan.attacks
            else:
                missing = _missing(store, plan, retry_failed=retry_failed)
            chosen = chosen_attacks(missing, attacks, published)
            check = check or TablesCheck(table, published)
            ready = checked(missing, check.attacks(missing, reporter), accept=accept, tell=tell)
            reporter.report("Preparing the attacks")
            workers = ClusterWorkers(scheduler) if scheduler else Workers(jobs)
            with workers:
                # Only now: a refusal leaves no file, or the old one unchanged
                if store is None:
                    store = CampaignStore.create(
                        place, settings, missing, notes=plan.notes if plan else ()
                    )
                else:
                    store.extend(missing)
                told = (plan.settings if plan is not None else None) or kept_settings(store)
                todo = [
                    attack
                    for attack in missing
                    if attack.number not in ready.failures and attack.release not in ready.waiting
                ]
                _keep(store, plan, ready, table, todo)
                new = [each for each in published if each.name not in kept_facts(store)]
                keep_facts(store, {release.name: check.facts(release.name) for release in new})
                notes = {number: (*same, *found) for number, found in ready.notes.items()}
                data = EncodedCampaign.of(table, published, [attack.scenario for attack in todo])
                run = _Running(
                    store,
                    settling_first(group_attacks(todo, chosen, notes), table, kept_roles(store)),
                    costs=attack_costs(todo, table, published),
                    processes=workers.jobs,
                    speed=speed_now(workers.jobs) if workers.jobs and progress else None,
                    stop_settled=told is not None and told.stop_settled,
                )
                _work(run, data, workers, families, reporter)
        except CancelledError:
            if store is None:
                raise
        except BaseException:
            if store is not None:
                store.close()
            raise
    return store


def _missing(
    store: CampaignStore, plan: CampaignPlan | None, *, retry_failed: bool
) -> tuple[PlannedAttack, ...]:
    """Return attacks the file lacks or has not finished."""
    if plan is not None:
        refuse_differences(Path(store.path), people_differences(plan.attacks, store.attacks))
    told = kept_settings(store) if plan is None else plan.settings
    skipped = told is not None and not told.stop_settled
    missing = store.missing(retry_failed=retry_failed, skipped=skipped)
    return (*missing, *(() if plan is None else store.unplanned(plan.attacks)))


def _keep(
    store: CampaignStore,
    plan: CampaignPlan | None,
    ready: Checked,
    table: Table,
    todo: Sequence[PlannedAttack],
) -> None:
    """Keep plan, accepted questions, names, refusals and relations."""
    keep_accepted(store, ready.accepted)
    keep_waiting(store, ready.waiting)
    keep_plan(store, plan)
    keep_names(store, names_of(table))
    for number, reason in ready.failures.items():
        store.add_failure(number, reason, seconds=0.0)
    unknown = {attack.scenario.unknown for attack in todo}
    sound = [each.scenario for each in store.attacks if each.number not in ready.failures]
    keep_relations(store, find_relations(table, [s for s in sound if s.unknown in unknown]))


def _work(
    run: _Running,
    data: EncodedCampaign,
    workers: Workers,
    families: Sequence[Family] | None,
    reporter: Reporter,
) -> None:
    settings = run.store.settings
    options = RunSettings(
        shared=True,
        scoring=settings.scoring,
        loop=settings.loop,
        seed=settings.seed,
        families=families,
    )
    # The clock shows whole attacks; a single one needs its own progress
    within = reporter.progress if workers.jobs == 1 and len(run.groups) == 1 else None
    own = WorkerSettings(
        run=options, threads=workers.threads, progress=within, plugins=loaded_plugins()
    )
    reporter.report_progress(run.progress())
    for finished in run_groups(
        run.groups, data, workers, own, settled=run.settled, cancel=reporter.cancel
    ):
        run.take(finished)
        # Even if cancelled, keep what other workers finish
        if reporter.progress is not None:
            reporter.progress(run.progress())


class _Running:
    """Keep finished attacks, report settled releases and time left."""

    def __init__(
        self,
        store: CampaignStore,
        groups: Sequence[AttackGroup],
        *,
        costs: Mapping[int, float],
        processes: int | None,
        speed: float | None,
        stop_settled: bool,
    ) -> None:
        self.store, self.groups = store, groups
        self._time = TimeLeft.of(groups, costs, processes=processes, speed=speed)
        self.settled: set[str] = set()  # Releases that are attacked no further
        self._stop_settled = stop_settled
        self._planned = store.counts().planned
        self._left = {attack.number: attack.release for group in groups for attack in group.attacks}
        self._verdicts: Counter[Verdict] = Counter()

    def take(self, finished: Sequence[Finished]) -> None:
        """Keep finished attacks; skip others on releases they settle."""
        results = {f.number: f.assessment for f in finished if f.assessment is not None}
        self.store.add_results(results, seconds={f.number: f.seconds for f in finished})
        for failed in finished:
            if failed.assessment is None:
                self.store.add_failure(failed.number, failed.reason, seconds=failed.seconds)
        self._verdicts.update(result.verdict for result in results.values())
        self._time.take({each.number: each.seconds for each in finished})
        of = {each.number: self._left.pop(each.number, "") for each in finished}
        if not self._stop_settled:
            return
        serious = {of[n] for n, result in results.items() if settles(result, self._planned)}
        self.settled |= serious - {""}
        skipped = [number for number, release in self._left.items() if release in self.settled]
        for number in skipped:
            del self._left[number]
        self._time.drop(skipped)
        self.store.skip(skipped)

    def progress(self) -> Progress:
        return Progress(
            stage="Attacking",
            of="attacks",
            done=self._planned - len(self._left),
            total=self._planned,
            seconds_left=self._time.seconds,
            ends=self._time.ends(),
            remark=self._remark() if self._left else "",  # Then all are judged together
        )

    def _remark(self) -> str:
        worst_first = (*FLAGGED, Verdict.NOT_CONVERGED, Verdict.INCONCLUSIVE)
        found = [f"{self._verdicts[v]} {v}" for v in worst_first if self._verdicts[v]]
        return ", ".join(found) or ("none at risk or inconclusive" if self._verdicts else "")


def _settings(
    store: CampaignStore | None,
    original: Table,
    releases: Sequence[Release],
    *,
    scoring: ScoringParameters | None,
    loop: LoopParameters | None,
    seed: int | None,
) -> CampaignSettings:
    recorded = store.settings if store else None
    return CampaignSettings(
        seed=seed if seed is not None else recorded.seed if recorded else 0,
        scoring=scoring or (recorded.scoring if recorded else ScoringParameters()),
        loop=loop or (recorded.loop if recorded else LoopParameters()),
        original=summarize_table(original),
        releases=summarize_releases(releases),
        kinds={column: str(kind) for column, kind in original.kinds.items()},
        versions=software_versions(),
        release_kinds={release.name: release.kind for release in releases},
        part_of={release.name: release.part_of for release in releases if release.part_of},
        told_sets=told_of_releases(original, releases),
    )


_WAIT_SECONDS = 0.1  # For a start just as another run ends


@contextmanager
def run_lock(path: Path | str) -> Iterator[None]:
    """Keep other threads and processes from running the same campaign.

    The operating system frees the lock when the process ends.
    """
    file = Path(path).resolve()
    mark = file.with_name(f"{file.name}-run")
    lock = FileLock(mark, mode=0o600)
    with file_errors(mark):
        refuse_missing_folder(file)
        try:
            _acquire(lock, mark)
        except Timeout:
            raise CampaignFileError(
                f"'{path}' is running elsewhere. Wait, or stop it there."
            ) from None
    try:
        yield
    finally:
        with suppress(OSError):
            mark.unlink()  # Still locked: a new opener sees that it is gone
        lock.release()


def _acquire(lock: FileLock, mark: Path) -> None:
    try:
        lock.acquire(timeout=_WAIT_SECONDS, poll_interval=_WAIT_SECONDS / 5)
    except Timeout:
        if mark.exists():
            raise
        # filelock waits if an existing folder refuses a file with ENOENT, as /proc does
        with suppress(FileExistsError):
            mark.touch(mode=0o600, exist_ok=False)
        lock.acquire(timeout=_WAIT_SECONDS, poll_interval=_WAIT_SECONDS / 5)
