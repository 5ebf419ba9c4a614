"""The store of a campaign: one SQLite file with its plan and every result, and none of the data."""

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
# Kind of the annotations that name attacks added when others had a result
ADDED_LATER, SKIPPED = "added later", "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignCounts:
    """How far a campaign is."""

    planned: int  # Attacks; the others are among them
    finished: int
    failed: int
    skipped: int = 0  # Those not run as their release was settled before

    @property
    def missing(self) -> int:
        """Attacks that are still to be run."""
        return self.planned - self.finished - self.failed - self.skipped


def file_words(path: Path, counts: CampaignCounts | None, releases: Iterable[str]) -> str:
    """Say which campaign it is, and how far; without counts its file is closed."""
    done = (
        "closed" if counts is None
        else f"{count(counts.finished)} of {numbered(counts.planned, 'attack')} finished"
    )  # fmt: skip
    return f"'{path.name}': {done}, on {listed(list(releases), most=6)}"


class CampaignReader(CampaignDatabase):
    """The reading side of :class:`CampaignStore`.

    What is read is the last committed state, while a run in this process or another one writes.
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
        """Return the planned attacks that are still to be run, by number.

        Those that failed are among them on request, and so are those that were skipped.
        """
        done = "SELECT number FROM result"
        if not retry_failed:
            done += " UNION ALL SELECT number FROM failure"
        with self._lock:
            over = {number for (number,) in self._select(done)}
            over |= set() if skipped else self.skipped()
            return tuple(attack for attack in self.attacks if attack.number not in over)

    def unplanned(self, attacks: Sequence[PlannedAttack]) -> tuple[PlannedAttack, ...]:
        """Return which of some attacks the campaign does not have yet, as it would number them."""
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
        raise InputError(
            f"Attack {number} has no result in '{self.path}'. Run it first, or check the failures."
        )

    def assessments(self, numbers: Iterable[int]) -> Iterator[tuple[int, Assessment]]:
        """Yield the results of attacks, read in one query."""
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
        """Return how long attacks took, finished and failed, by number."""
        return dict(
            self._select(
                "SELECT number, seconds FROM result UNION ALL "
                "SELECT number, seconds FROM failure ORDER BY number"
            )
        )

    def counts(self) -> CampaignCounts:
        """Return how many attacks are planned, finished and failed."""
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
        """Return the finished attacks, in the order in which they finished."""
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
        """Return what :meth:`columns` have of a finished attack."""
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
        """Return a text that changes with anything that a review adds."""
        rows = self._select("SELECT kind, key, content FROM annotation ORDER BY kind, key")
        return hashlib.sha256(repr(list(rows)).encode()).hexdigest()

    def added_later(self) -> frozenset[int]:
        """Return the numbers of attacks that were added when others had a result already."""
        return self._marked(ADDED_LATER)

    def skipped(self) -> frozenset[int]:
        """Return the numbers of attacks that were not run as their release was settled before."""
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
    """A campaign's file, open: its plan and every result, and none of the data.

    Made by :meth:`create` or :meth:`open`. Every change is a transaction of its own, on the disk
    when the method returns: whoever is killed loses only what was under way. What is finished
    never changes. One store may be used from several threads.
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
        """Make the file of a new campaign, readable by its owner only.

        Parameters
        ----------
        path : Path or str
            Where; nothing may be there.
        settings : CampaignSettings
            All that the results depend on besides the attacks.
        attacks : sequence of PlannedAttack
            With their numbers.
        notes : sequence of str
            What was decided in planning.

        Returns
        -------
        CampaignStore
            Open; close it, or use it in a ``with`` statement.

        Raises
        ------
        InputError
            If something is there already, the file cannot be written, two attacks are the same or
            have the same number, or one is on a release that `settings` lacks.
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
            A file that :meth:`create` made. Where it can only be read, so can the store.
        read_only : bool
            Whether every change is refused; nobody else may write to the file meanwhile.

        Returns
        -------
        CampaignStore
            Open; close it, or use it in a ``with`` statement.

        Raises
        ------
        CampaignFileError
            If the file is missing, not a campaign, damaged or of a newer format.
        """
        return cls(path, read_only=read_only)

    def check_same(self, settings: CampaignSettings) -> tuple[str, ...]:
        """Refuse to go on with other data or settings than those of the campaign.

        Parameters
        ----------
        settings : CampaignSettings
            Of the data and settings at hand.

        Returns
        -------
        tuple of str
            Notes on software of another version; empty where all is the same.

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
            Their numbers do not matter: new ones are numbered on from the last. Scenario, release
            and attack tell whether one is there already. Where there are results already, it is
            noted which attacks came after them: see :meth:`added_later`.

        Returns
        -------
        int
            How many were new.
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
        """Keep finished attacks in one transaction: all of them or, if killed, none.

        Parameters
        ----------
        assessments : mapping of int to Assessment
            Results by number. One that is there already stays as it is; a failure makes way.
        seconds : mapping of int to float
            How long each took.

        Raises
        ------
        CampaignMismatchError
            If a result is of another scenario, attack or seed, or of other tables, than planned.
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
        """Keep why an attack has no result, in place of an earlier reason.

        Parameters
        ----------
        number : int
            Of the planned attack. If it has a result, that stands and nothing is kept.
        reason : str
            In a sentence, without values of people.
        seconds : float
            How long it took.
        """
        self._planned(number)
        with self._writing() as connection:
            insert_failure(connection, number, to_json(reason), float(seconds))

    def skip(self, numbers: Collection[int]) -> None:
        """Note that attacks are not run as their release is settled.

        Parameters
        ----------
        numbers : collection of int
            Of the planned attacks. A result or failure that comes nevertheless goes before.
        """
        with self._writing() as connection:
            for number in numbers:
                insert_annotation(connection, SKIPPED, str(number), to_json(True))

    def annotate(self, kind: str, key: str, content: object) -> None:
        """Keep what a review adds to the results, in place of what had the same kind and key.

        Parameters
        ----------
        kind : str
            Such as "decision".
        key : str
            Such as the number of an attack.
        content : object
            Plain values that JSON holds; never values of people. None removes what is there.
        """
        with self._writing() as connection:
            insert_annotation(connection, kind, key, None if content is None else to_json(content))
