"""A session's campaign: inputs, plan, run, results."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from alc_core.campaign.file.annotations import kept_settings
from alc_core.campaign.file.database import saved_campaign
from alc_core.campaign.file.store import CampaignCounts
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.campaign.plan.settings import PlanSettings
from alc_core.dashboard.state.jobs import Job
from alc_core.releases.registry import ToldSets
from alc_core.releases.release import Release
from alc_core.runtime.machine import OwnFolder
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.checks.finding import Finding
from alc_core.tables.labels.date_readings import DateReadings
from alc_core.tables.names import Names, SameColumns, names_of
from alc_core.tables.table import ColumnKind, Table
from alc_core.team.shelf import Held

FILE_NAME = "campaign.alc"  # In a folder of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignData:
    """Identity of a campaign's tables."""

    original: str
    # Name, type and fingerprints by release
    releases: tuple[tuple[str, str, tuple[str, ...]], ...]
    kinds: tuple[tuple[str, ColumnKind], ...]  # Of the original
    # Renamed columns, by release and table
    same_columns: tuple[tuple[SameColumns, ...], ...]
    # Of the original, and of released tables
    date_readings: tuple[DateReadings, ...]
    names: Names
    told_sets: ToldSets  # The user's, by release and table

    @classmethod
    def of(cls, original: Table, releases: Mapping[str, Release], told: ToldSets) -> CampaignData:
        """Describe tables."""
        return cls(
            original=original.fingerprint,
            releases=tuple(
                (name, release.kind, tuple(table.fingerprint for table in release.tables))
                for name, release in releases.items()
            ),
            kinds=tuple(original.kinds.items()),
            same_columns=tuple(
                tuple(table.same_columns for table in release.tables)
                for release in releases.values()
            ),
            date_readings=tuple(
                table.date_readings
                for table in (original, *(each for r in releases.values() for each in r.tables))
            ),
            names=names_of(original),
            told_sets=told,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignInputs:
    """What a campaign depends on."""

    data: CampaignData
    settings: PlanSettings
    scoring: ScoringParameters

    def differences(self, other: CampaignInputs | None) -> tuple[str, ...]:
        """Return differences in words; None means incomplete choices.

        Attacks to run next do not count.
        """
        if other is None:
            return ("the choices",)
        parts = {
            "the original": self.data.original != other.data.original,
            "the releases": self.data.releases != other.data.releases,
            "the kinds of columns": self.data.kinds != other.data.kinds,
            "how dates are read": self.data.date_readings != other.data.date_readings,
            "the names": self.data.names != other.data.names,
            "which column is which": self.data.same_columns != other.data.same_columns,
            "what labels cover": self.data.told_sets != other.data.told_sets,
            "the people attacked, or the roles of columns": self.settings.on_whom
            != other.settings.on_whom,
            "the parameters": self.scoring != other.scoring,
        }
        return tuple(part for part, differs in parts.items() if differs)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlanPreview:
    """A plan, and its key."""

    # With the minutes allowed, and finished attacks
    key: tuple[CampaignData, PlanSettings, int, frozenset[bytes], frozenset[bytes]]
    plan: CampaignPlan
    speed: float | None = None  # Of a process, used to fit the minutes


class CampaignFolder:
    """A campaign's private folder; see :class:`OwnFolder`."""

    def __init__(self) -> None:
        self._folder = OwnFolder()
        self._lock = threading.Lock()
        self._users = 0
        self._unwanted = False

    @property
    def path(self) -> Path:
        """The campaign's file."""
        return self._folder.path / FILE_NAME

    @contextmanager
    def in_use(self) -> Iterator[Path]:
        """Keep the folder, even if discarded, during the ``with`` block."""
        with self._lock:
            self._users += 1
        try:
            yield self.path
        finally:
            with self._lock:
                self._users -= 1
            self._remove_if_unwanted()

    def discard(self) -> None:
        """Remove the folder once nothing uses it."""
        self._unwanted = True
        self._remove_if_unwanted()

    def _remove_if_unwanted(self) -> None:
        with self._lock:
            if self._unwanted and not self._users:
                self._folder.remove()


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignEnd:
    """How a run of a campaign ended."""

    # None if questions are open
    counts: CampaignCounts | None = None
    questions: tuple[Finding, ...] = ()  # To answer before it can run
    waiting: tuple[str, ...] = ()  # Releases waiting for answers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CampaignRun:
    """A running campaign."""

    job: Job[CampaignEnd]
    inputs: CampaignInputs | None
    plan: CampaignPlan
    folder: CampaignFolder
    who: str = ""  # Who started it; empty without logins

    def how(self) -> dict[str, str | int]:
        """Return how it ended, or ends when dropped, for the log."""
        snapshot = self.job.snapshot
        if self.job.running:
            return {"how": "stopped"}
        if (end := snapshot.result) is None:
            return {"how": snapshot.status.value}
        if end.counts is None:
            return {"how": "questions"}
        how = "abandoned" if self.job.abandoned else "cancelled"
        return {
            "how": how if end.counts.missing else "done",
            "finished": end.counts.finished,
            "failed": end.counts.failed,
        }


@dataclass(slots=True)
class _Saved:
    content: object = None
    at: dt.datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CampaignResult:
    """A campaign's results, during the run and afterwards."""

    view: CampaignView
    folder: CampaignFolder
    # None for an opened file
    inputs: CampaignInputs | None = None
    # Made here; None for an opened file. See :meth:`whole_plan`.
    plan: CampaignPlan | None = None
    name: str = ""  # Of an opened file; else empty
    shelf_id: str = ""  # In the team folder; else empty
    held: Held | None = None  # That file, if decisions are kept there
    _saved: _Saved = field(default_factory=_Saved)

    @property
    def content(self) -> object:
        """Changes with every result and review entry."""
        return self.view.store.annotations_digest(), self.view.store.counts()

    @property
    def saved_at(self) -> dt.datetime | None:
        """When a file last held all of it, if any."""
        return self._saved.at if self._saved.content == self.content else None

    def note_saved(self) -> None:
        """Note that a file holds all of it."""
        self._saved.content, self._saved.at = self.content, dt.datetime.now()

    def saved(self) -> bytes:
        """Return its file, to save."""
        self.note_saved()
        return saved_campaign(self.folder.path)

    def whole_plan(self) -> CampaignPlan:
        """Return the plan: made here, or in the file."""
        if self.plan is not None:
            return self.plan
        store = self.view.store
        return CampaignPlan(
            attacks=self.view.attacks, notes=store.notes, settings=kept_settings(store)
        )

    def close(self) -> None:
        """Close the file and its folder."""
        self.view.store.close()
        if self.held is not None:
            self.held.close()
        self.folder.discard()
