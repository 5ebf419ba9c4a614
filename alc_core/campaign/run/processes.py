"""Running a campaign: groups of attacks in processes, results kept as they come."""

from __future__ import annotations

import itertools
import tempfile
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from alc_core.attacks.protocol import Attack
from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.run.worker import (
    AttackGroup,
    EncodedCampaign,
    Finished,
    GroupedAttack,
    WorkerSettings,
    run_group,
)
from alc_core.campaign.run.workers import Workers
from alc_core.errors import AlcError
from alc_core.note import Note
from alc_core.runtime.progress import CancelCallback

_LOOK_EVERY = 0.2  # Seconds between two questions whether to stop

_DIED = (
    "The process that ran it ended twice without a result: it may have run out of memory, or the "
    "attack crashed. Run fewer processes, or this attack alone."
)


def group_attacks(
    planned: Sequence[PlannedAttack],
    attacks: Mapping[str, Attack],
    notes: Mapping[int, tuple[Note, ...]],
) -> list[AttackGroup]:
    """Put the attacks of one scenario together, in the order of the plan."""
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
    """Run groups and yield what comes of each as soon as it is there.

    Attacks on releases that are in `settled` when their turn comes are left out.

    A worker that dies costs a second try: the groups that had been started then run one by one,
    and one whose worker dies again is reported as failed. When it is to stop, it starts no further
    group; workers that see this machine's files leave off what they do, others finish it.
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
            except Exception:  # noqa: BLE001 - run_group raises nothing: a worker died
                workers.recover()
                suspects = list(started.values())
                started.clear()
                for suspect in suspects:
                    if stop():
                        return
                    yield _alone(suspect, data, workers, own)


def _next(waiting: list[AttackGroup], settled: Collection[str]) -> AttackGroup | None:
    """Take the next group that has attacks on releases that are not settled; None at the end."""
    while waiting:
        group = waiting.pop(0)
        if left := tuple(each for each in group.attacks if each.release not in settled):
            return replace(group, attacks=left)
    return None


def _alone(
    group: AttackGroup, data: EncodedCampaign, workers: Workers, settings: WorkerSettings
) -> tuple[Finished, ...]:
    try:
        with workers.run(_run_numbered, data, [(0, group, settings)]) as results:
            ((_, finished),) = results
            return finished
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
    """Ask again and again whether to stop, and make a file that workers see when it is so."""
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
