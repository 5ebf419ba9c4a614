"""What a worker does: all attacks of one scenario, whose baseline is fitted once."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass
from pathlib import Path, PurePath

from joblib import parallel_config

from alc_core.assessment.result import Assessment
from alc_core.assessment.run import Run, RunSettings
from alc_core.attacks.protocol import Attack
from alc_core.campaign.run.shared_data import CampaignData
from alc_core.errors import AlcError, CancelledError
from alc_core.note import Note
from alc_core.runtime.progress import ProgressCallback, Reporter
from alc_core.runtime.threads import limit_threads
from alc_core.scenario.scenario import Scenario


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
    attacks: tuple[GroupedAttack, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """What is the same for all groups."""

    run: RunSettings  # What results depend on
    threads: int  # That a worker may take
    # Once it exists the work is to stop; a worker on another machine never sees it
    cancel_file: str
    # Told how far each attack is; only for work in the process that asks for it
    progress: ProgressCallback | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """What came of an attack: an assessment, or the reason why there is none."""

    number: int
    seconds: float
    assessment: Assessment | None = None
    reason: str = ""


def run_group(
    data: CampaignData, group: AttackGroup, settings: WorkerSettings
) -> tuple[Finished, ...]:
    """Run all attacks of a scenario; whatever one of them raises, the others run."""
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
