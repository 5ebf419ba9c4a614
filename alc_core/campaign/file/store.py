"""The store of a campaign: plan and results, none of the data."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import msgspec

from alc_core.assessment.result import Assessment
from alc_core.campaign.columns import Columns, ResultRow
from alc_core.campaign.file.database import CampaignDatabase, create_file
from alc_core.campaign.file.file_errors import content_errors, damaged
from alc_core.campaign.file.mismatch import (
    differences,
    refuse_differences,
    result_differences,
    version_notes,
)
from alc_core.campaign.file.records import (
    assessment_of,
    attack_of,
    attack_rows,
    outcomes_of,
    record_of,
    refuse_twice,
    to_json,
)
from alc_core.campaign.file.schema import insert_annotation, insert_failure, insert_result
from alc_core.campaign.file.seals import seal, seal_all
from alc_core.campaign.model import CampaignSettings, PlannedAttack
from alc_core.errors import InputError
from alc_core.phrasing import count, listed, numbered
from alc_core.plain_values import from_plain, to_plain

_NEWEST = 2**62
_READ_ROW = msgspec.msgpack.Decoder(ResultRow)
# Annotation kinds: attacks added when others had a result; skipped attacks
ADDED_LATER, SKIPPED = "added later", "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignCounts:
    """How far a campaign is."""

    planned: int  # Attacks; the others are among them
    finished: int
    failed: int
    skipped: int = 0  # Not run, as their release was settled

    @property
    def missing(self) -> int:
        """Attacks that are still to be run."""
        return self.planned - self.finished - self.failed - self.skipped


def file_words(path: Path, counts: CampaignCounts | None, releases: Iterable[str]) -> str:
    """Say which campaign it is, and its progress; without counts it is closed."""
    done = (
        "closed" if counts is None
        else f"{count(counts.finished)} of {numbered(counts.planned, 'attack')} finished"
    )  # fmt: skip
    return f"'{path.name}': {done}, on {listed(list(releases), most=6)}"


class CampaignReader(CampaignDatabase):
    """The reading side of :class:`CampaignStore`.

    It reads the last committed state, also while a run writes.
    """

    def __init__(self, path: Path | str, *, read_only: bool = False) -> None:
        path = Path(path)
        super().__init__(path, read_only=read_only)
        self._attacks: dict[int, PlannedAttack] = {}
        try:
            meta = dict(self._select("SELECT key, value FROM meta"))
            with content_errors(path, "its settings"):
                self.settings = from_plain(json.loads(meta["settings"]), CampaignSettings)
                self.notes: tuple[str, ...] = tuple(json.loads(meta["notes"]))
                self.created: str = meta["created"]
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        counts = None if self._connection is None else self.counts()
        words = file_words(self.path, counts, self.settings.releases)
        return f"<{type(self).__name__} {words}>"

    @property
    def attacks(self) -> tuple[PlannedAttack, ...]:
        """All planned attacks, by number."""
        with self._lock:
            rows = self._select(
                "SELECT number, plan FROM attack WHERE number > ? ORDER BY number",
                max(self._attacks, default=-1),
            )
            with content_errors(self.path, "its plan"):
                self._attacks |= {number: attack_of(number, plan) for number, plan in rows}
            return tuple(self._attacks.values())

    def has_attack(self, number: int) -> bool:
        """Return whether an attack of this number is planned."""
        planned = "SELECT 1 FROM attack WHERE number = ?"
        return number in self._attacks or bool(self._select(planned, number))

    def missing(
        self, *, retry_failed: bool = False, skipped: bool = False
    ) -> tuple[PlannedAttack, ...]:
        """Return the planned attacks still to run; failed and skipped ones on request."""
        done = "SELECT number FROM result"
        if not retry_failed:
            done += " UNION ALL SELECT number FROM failure"
        with self._lock:
            over = {number for (number,) in self._select(done)}
            over |= set() if skipped else self.skipped()
            return tuple(attack for attack in self.attacks if attack.number not in over)

    def unplanned(self, attacks: Sequence[PlannedAttack]) -> tuple[PlannedAttack, ...]:
        """Return attacks the campaign lacks, with their new numbers."""
        there = {identity for (identity,) in self._select("SELECT identity FROM attack")}
        last = max((attack.number for attack in self.attacks), default=-1)
        new: dict[bytes, PlannedAttack] = {}
        for attack, (_, identity, _) in zip(
            attacks, attack_rows(attacks, self.settings), strict=True
        ):
            if identity not in there and identity not in new:
                new[identity] = replace(attack, number=last + 1 + len(new))
        return tuple(new.values())

    def assessment(self, number: int) -> Assessment:
        """Return the result of an attack as it was added."""
        for _, found in self.assessments([number]):
            return found
        raise InputError(f"Attack {number} has no result in '{self.path}'. Run it first.")

    def assessments(self, numbers: Iterable[int]) -> Iterator[tuple[int, Assessment]]:
        """Yield results, read in one query."""
        asked = to_json(list(numbers))
        for number, record in self._select(
            "SELECT number, record FROM result WHERE number IN (SELECT value FROM json_each(?))",
            asked,
        ):
            with content_errors(self.path, f"the result of attack {number}"):
                found = assessment_of(record)
            yield number, found

    def failures(self) -> dict[int, str]:
        """Return why attacks failed, by number."""
        rows = self._select("SELECT number, reason FROM failure ORDER BY number")
        with content_errors(self.path, "the reason of a failure"):
            return {number: json.loads(reason) for number, reason in rows}

    def seconds(self) -> dict[int, float]:
        """Return how long finished and failed attacks took."""
        return dict(
            self._select(
                "SELECT number, seconds FROM result UNION ALL "
                "SELECT number, seconds FROM failure ORDER BY number"
            )
        )

    def counts(self) -> CampaignCounts:
        """Count planned, finished and failed attacks."""
        ((planned, finished, failed),) = self._select(
            "SELECT (SELECT count(*) FROM attack), (SELECT count(*) FROM result), "
            "(SELECT count(*) FROM failure)"
        )
        return CampaignCounts(
            planned=planned, finished=finished, failed=failed, skipped=len(self.skipped())
        )

    def columns(
        self, *, after: int = 0, until: int | None = None, cap: float | None = None
    ) -> Columns:
        """Return finished attacks, in the order they finished."""
        of_run = self.settings.scoring.precision_cap
        cap = of_run if cap is None else cap
        found = self._select(
            "SELECT sequence, number, row, CASE WHEN ? THEN record END FROM result "
            "WHERE sequence > ? AND sequence <= ? ORDER BY sequence",
            cap != of_run, after, _NEWEST if until is None else until,
        )  # fmt: skip
        rows = {number: self._row(number, packed) for _, number, packed, _ in found}
        for _, number, _, record in found if cap != of_run else ():
            with content_errors(self.path, f"the result of attack {number}"):
                rows[number] = rows[number].with_rest(outcomes_of(record), cap=cap)
        with content_errors(self.path, "the results"):
            columns = Columns.of(rows, cap=cap, last=found[-1][0] if found else after)
        if wrong := columns.impossible:
            raise damaged(self.path, f"the result of attack {wrong[0]}")
        return columns

    def row(self, number: int) -> ResultRow:
        """Return a finished attack's part of :meth:`columns`."""
        ((packed,),) = self._select("SELECT row FROM result WHERE number = ?", number)
        return self._row(number, packed)

    def _row(self, number: int, packed: bytes) -> ResultRow:
        with content_errors(self.path, f"the result of attack {number}"):
            return _READ_ROW.decode(packed)

    def annotations(self, kind: str) -> dict[str, Any]:
        """Return what a review added to the results."""
        rows = self._select("SELECT key, content FROM annotation WHERE kind = ? ORDER BY key", kind)
        with content_errors(self.path, f"an annotation of kind '{kind}'"):
            return {key: json.loads(content) for key, content in rows}

    def annotated(self) -> tuple[str, ...]:
        """Return the kinds of what a review added."""
        return tuple(kind for (kind,) in self._select("SELECT DISTINCT kind FROM annotation"))

    def annotations_digest(self) -> str:
        """Return a text that changes with any annotation."""
        rows = self._select("SELECT kind, key, content FROM annotation ORDER BY kind, key")
        return hashlib.sha256(repr(list(rows)).encode()).hexdigest()

    def added_later(self) -> frozenset[int]:
        """Return attacks added when others had a result."""
        return self._marked(ADDED_LATER)

    def skipped(self) -> frozenset[int]:
        """Return attacks not run, as their release was settled."""
        marked = self._marked(SKIPPED)
        done = self._select(
            "SELECT number FROM result UNION ALL SELECT number FROM failure"
        ) if marked else ()  # fmt: skip
        return marked.difference(number for (number,) in done)

    def _marked(self, kind: str) -> frozenset[int]:
        with content_errors(self.path, f"an annotation of kind '{kind}'"):
            return frozenset(map(int, self.annotations(kind)))

    def _planned(self, number: int) -> PlannedAttack:
        if number not in self._attacks and number not in {a.number for a in self.attacks}:
            raise InputError(f"Attack {number} is not planned in '{self.path}'. Plan it first.")
        return self._attacks[number]


class CampaignStore(CampaignReader):
    """A campaign's open file: plan and results, none of the data.

    Made by :meth:`create` or :meth:`open`. Each change is a transaction, on the disk when the
    method returns. Results never change. Thread-safe.

    Examples
    --------
    >>> with CampaignStore.open("review.alc") as store:
    ...     print(store.counts().finished)
    1
    """

    @classmethod
    def create(
        cls,
        path: Path | str,
        settings: CampaignSettings,
        attacks: Sequence[PlannedAttack],
        *,
        notes: Sequence[str] = (),
    ) -> Self:
        """Create the file of a new campaign, private to its owner.

        Parameters
        ----------
        path : Path or str
            Must not exist.
        settings : CampaignSettings
            What results depend on besides attacks.
        attacks : sequence of PlannedAttack
            With their numbers.
        notes : sequence of str
            Decisions of planning.

        Returns
        -------
        CampaignStore
            Close it, or use it in a ``with`` statement.

        Raises
        ------
        InputError
            If the path exists or cannot be written, attacks or their numbers are equal, or
            `settings` lacks a release.
        """
        place = Path(path)
        refuse_twice(attacks)
        rows = attack_rows(attacks, settings)
        meta = {
            "settings": to_json(to_plain(settings)),
            "notes": to_json(list(notes)),
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
        }

        def fill(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
            connection.executemany("INSERT INTO attack VALUES (?, ?, ?)", rows)
            seal_all(connection)

        create_file(place, fill)
        return cls.open(place)

    @classmethod
    def open(cls, path: Path | str, *, read_only: bool = False) -> Self:
        """Open the file of a campaign.

        Parameters
        ----------
        path : Path or str
            From :meth:`create`. If read-only, so is the store.
        read_only : bool
            Refuse changes; nobody else may write meanwhile.

        Returns
        -------
        CampaignStore
            Close it, or use it in a ``with`` statement.

        Raises
        ------
        CampaignFileError
            If the file is missing, not a campaign, damaged or of a newer format.
        """
        return cls(path, read_only=read_only)

    def check_same(self, settings: CampaignSettings) -> tuple[str, ...]:
        """Refuse data or settings other than the campaign's.

        Parameters
        ----------
        settings : CampaignSettings
            Those at hand.

        Returns
        -------
        tuple of str
            Notes on other software versions.

        Raises
        ------
        CampaignMismatchError
            If tables, column kinds, seed, loop or scoring differ; names of files may.
        """
        refuse_differences(self.path, differences(settings, self.settings))
        return version_notes(settings.versions, self.settings.versions)

    def extend(self, attacks: Sequence[PlannedAttack]) -> int:
        """Add planned attacks that are not in the campaign yet.

        Parameters
        ----------
        attacks : sequence of PlannedAttack
            New ones get new numbers; scenario, release and attack identify them. If results exist,
            they are noted as :meth:`added_later`.

        Returns
        -------
        int
            Number of new ones.
        """
        rows = attack_rows(attacks, self.settings)
        with self._writing() as connection:
            (last,) = connection.execute("SELECT coalesce(max(number), -1) FROM attack").fetchone()
            (seen,) = connection.execute("SELECT EXISTS (SELECT 1 FROM result)").fetchone()
            number = last
            for _, identity, plan in rows:
                added = connection.execute(
                    "INSERT INTO attack VALUES (?, ?, ?) ON CONFLICT (identity) DO NOTHING",
                    (number + 1, identity, plan),
                )
                number += added.rowcount
                if added.rowcount:
                    seal(connection, "attack", str(number))
                if added.rowcount and seen:
                    insert_annotation(connection, ADDED_LATER, str(number), to_json(True))
        return int(number - last)

    def add_results(
        self, assessments: Mapping[int, Assessment], *, seconds: Mapping[int, float]
    ) -> None:
        """Keep finished attacks in one transaction.

        Parameters
        ----------
        assessments : mapping of int to Assessment
            By number. Existing results stay; failures are replaced.
        seconds : mapping of int to float
            Duration of each.

        Raises
        ------
        CampaignMismatchError
            If scenario, attack, seed or tables are not as planned.
        CampaignFileError
            If the file cannot be written.
        """
        rows = {}
        for number, assessment in assessments.items():
            attack = self._planned(number)
            refuse_differences(self.path, result_differences(assessment, attack, self.settings))
            row = ResultRow.of(assessment, cap=assessment.scoring.precision_cap)
            rows[number] = row, record_of(assessment)
        with self._writing() as connection:
            for number, packed in rows.items():
                insert_result(connection, number, *packed, float(seconds[number]))

    def add_failure(self, number: int, reason: str, *, seconds: float) -> None:
        """Keep why an attack has no result, replacing an earlier reason.

        Parameters
        ----------
        number : int
            Of a planned attack; an existing result stays.
        reason : str
            One sentence, without values of people.
        seconds : float
            Duration.
        """
        self._planned(number)
        with self._writing() as connection:
            insert_failure(connection, number, to_json(reason), float(seconds))

    def skip(self, numbers: Collection[int]) -> None:
        """Mark attacks as not run, as their release is settled.

        Parameters
        ----------
        numbers : collection of int
            Planned attacks; a later result or failure has precedence.
        """
        with self._writing() as connection:
            for number in numbers:
                insert_annotation(connection, SKIPPED, str(number), to_json(True))

    def annotate(self, kind: str, key: str, content: object) -> None:
        """Keep an annotation, replacing that of the same kind and key.

        Parameters
        ----------
        kind : str
            Such as "decision".
        key : str
            Such as the number of an attack.
        content : object
            Plain JSON values, never of people; None removes it.
        """
        with self._writing() as connection:
            insert_annotation(connection, kind, key, None if content is None else to_json(content))
