"""Reading a campaign: its plan, its results, how far it is, and the curves for rescoring."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from alc_core.assessment.result import Assessment
from alc_core.campaign.file.curve_table import CurveTable
from alc_core.campaign.file.database import CampaignDatabase
from alc_core.campaign.file.file_errors import content_errors, damaged
from alc_core.campaign.file.records import (
    RESAMPLE,
    assessment_of,
    attack_of,
    curve_table_of,
    damaged_curves,
)
from alc_core.campaign.file.schema import (
    SELECT_CURVES,
    SELECT_MEASURED,
    SELECT_NUMBERS,
    SELECT_RESAMPLES,
    SELECT_RESULT,
)
from alc_core.campaign.file.seals import Damage
from alc_core.campaign.model import CampaignSettings, PlannedAttack
from alc_core.errors import InputError
from alc_core.measures.measure import Measured
from alc_core.plain_values import from_plain

_NEWEST = 2**62
ADDED_LATER = "added later"
"""Kind of the annotations that name attacks added when others had a result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignCounts:
    """How far a campaign is."""

    planned: int  # Attacks; the finished and the failed ones are among the planned ones
    finished: int
    failed: int

    @property
    def missing(self) -> int:
        """Attacks that have neither finished nor failed."""
        return self.planned - self.finished - self.failed


class CampaignReader:
    """The reading side of :class:`CampaignStore`.

    What is read is the last committed state, while a run in this process or another one writes.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self._database = CampaignDatabase(path, read_only=read_only)
        self._attacks: dict[int, PlannedAttack] = {}
        try:
            meta = dict(self._database.select("SELECT key, value FROM meta"))
            with content_errors(path, "its settings"):
                self.settings = from_plain(json.loads(meta["settings"]), CampaignSettings)
                self.notes: tuple[str, ...] = tuple(json.loads(meta["notes"]))
                self.created: str = meta["created"]
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Move all that was written into the one file, and let go of it.

        Once no other process has it open, that file is complete by itself and can be copied.
        """
        self._database.close()

    @property
    def path(self) -> Path:
        """The file."""
        return self._database.path

    @property
    def damage(self) -> tuple[Damage, ...]:
        """What of the file is not as it was written; it is left out of all that is read."""
        return self._database.damage

    @property
    def attacks(self) -> tuple[PlannedAttack, ...]:
        """All planned attacks, by number."""
        with self._database.lock:
            rows = self._database.select(
                "SELECT number, plan FROM attack WHERE number > ? ORDER BY number",
                max(self._attacks, default=-1),
            )
            with content_errors(self.path, "its plan"):
                self._attacks |= {number: attack_of(number, plan) for number, plan in rows}
            return tuple(self._attacks.values())

    def missing(self, *, retry_failed: bool = False) -> tuple[PlannedAttack, ...]:
        """Return the planned attacks without a result, by number."""
        done = "SELECT number FROM result"
        if not retry_failed:
            done += " UNION ALL SELECT number FROM failure"
        with self._database.lock:
            over = {number for (number,) in self._database.select(done)}
            return tuple(attack for attack in self.attacks if attack.number not in over)

    def assessment(self, number: int) -> Assessment:
        """Return the result of an attack as it was added."""
        rows = self._database.select(SELECT_RESULT, number)
        if not rows:
            raise InputError(
                f"Attack {number} has no result in '{self.path}'. Run it first, or see among the "
                "failures why it has none."
            )
        ((sequence, content, *curves),) = rows
        numbers = self._database.select(SELECT_NUMBERS, sequence)
        with content_errors(self.path, f"the result of attack {number}"):
            return assessment_of(content, curves, numbers)

    def failures(self) -> dict[int, str]:
        """Return why attacks failed, by number."""
        rows = self._database.select("SELECT number, reason FROM failure ORDER BY number")
        with content_errors(self.path, "the reason of a failure"):
            return {number: json.loads(reason) for number, reason in rows}

    def seconds(self) -> dict[int, float]:
        """Return how long attacks took, finished and failed, by number."""
        return dict(
            self._database.select(
                "SELECT number, seconds FROM result UNION ALL "
                "SELECT number, seconds FROM failure ORDER BY number"
            )
        )

    def counts(self) -> CampaignCounts:
        """Return how many attacks are planned, finished and failed."""
        ((planned, finished, failed),) = self._database.select(
            "SELECT (SELECT count(*) FROM attack), (SELECT count(*) FROM result), "
            "(SELECT count(*) FROM failure)"
        )
        return CampaignCounts(planned=planned, finished=finished, failed=failed)

    def curves(
        self, *, after: int = 0, until: int | None = None, cap: float | None = None
    ) -> CurveTable:
        """Return the curves of the finished attacks, in the order in which they finished."""
        of_run = self.settings.scoring.precision_cap
        cap = of_run if cap is None else cap
        last = _NEWEST if until is None else until
        rows = self._database.select(SELECT_CURVES, after, cap == of_run, last)
        if unreadable := damaged_curves(rows):
            raise damaged(self.path, f"the curves of attack {unreadable[0]}")
        with content_errors(self.path, "the results"):
            table = curve_table_of(rows, after=after, cap=cap)
        if wrong := table.impossible:
            raise damaged(self.path, f"the curves of attack {wrong[0]}")
        return table

    def measured(self, *, after: int = 0) -> dict[int, dict[str, dict[str, Measured]]]:
        """Return the numbers of all measures but ALC."""
        found: dict[int, dict[str, dict[str, Measured]]] = {}
        for number, measure, name, *bounds in self._database.select(SELECT_MEASURED, after):
            numbers = found.setdefault(number, {}).setdefault(measure, {})
            numbers[name] = Measured.from_list(bounds)
        return found

    def resamples(self, *, after: int = 0) -> dict[int, NDArray[np.float32]]:
        """Return both readings of ALC in the resamples that the attacks share."""
        rows = self._database.select(SELECT_RESAMPLES, after)
        return {
            number: np.stack([np.frombuffer(reading, dtype=RESAMPLE) for reading in readings])
            for number, *readings in rows
        }

    def annotations(self, kind: str) -> dict[str, Any]:
        """Return what a review added to the results."""
        rows = self._database.select(
            "SELECT key, content FROM annotation WHERE kind = ? ORDER BY key", kind
        )
        with content_errors(self.path, f"an annotation of kind '{kind}'"):
            return {key: json.loads(content) for key, content in rows}

    def annotated(self) -> tuple[str, ...]:
        """Return the kinds of what a review added."""
        return tuple(
            kind for (kind,) in self._database.select("SELECT DISTINCT kind FROM annotation")
        )

    def added_later(self) -> frozenset[int]:
        """Return the numbers of attacks that were added when others had a result already.

        Files of earlier versions do not tell.
        """
        return frozenset(map(int, self.annotations(ADDED_LATER)))

    def _planned(self, number: int) -> PlannedAttack:
        if number not in self._attacks and number not in {a.number for a in self.attacks}:
            raise InputError(
                f"Attack {number} is not planned in '{self.path}'. Extend the campaign by it first."
            )
        return self._attacks[number]
