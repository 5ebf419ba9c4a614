"""The store of a campaign: one SQLite file with its plan and every result, and none of the data."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from alc_core.assessment.result import Assessment
from alc_core.campaign.file.mismatch import (
    differences,
    refuse_differences,
    result_differences,
    version_notes,
)
from alc_core.campaign.file.opening import create_file
from alc_core.campaign.file.reader import ADDED_LATER, CampaignReader
from alc_core.campaign.file.records import attack_rows, refuse_twice, row_of, to_json
from alc_core.campaign.file.schema import insert_annotation, insert_failure, insert_result
from alc_core.campaign.file.seals import seal, seal_all
from alc_core.campaign.model import CampaignSettings, PlannedAttack
from alc_core.plain_values import to_plain


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
    def open(cls, path: Path | str) -> Self:
        """Open the file of a campaign.

        Parameters
        ----------
        path : Path or str
            A file that :meth:`create` made. Where it can only be read, so can the store.

        Returns
        -------
        CampaignStore
            Open; close it, or use it in a ``with`` statement.

        Raises
        ------
        CampaignFileError
            If the file is missing, not a campaign, damaged or of a newer format.
        """
        return cls(Path(path))

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
        with self._database.writing() as connection:
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

    def add_result(self, number: int, assessment: Assessment, *, seconds: float) -> None:
        """Keep a finished attack; see :meth:`add_results`.

        Parameters
        ----------
        number : int
            Of the planned attack.
        assessment : Assessment
            Its result.
        seconds : float
            How long it took.
        """
        self.add_results({number: assessment}, seconds={number: seconds})

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
            rows[number] = row_of(assessment)
        with self._database.writing() as connection:
            for number, row in rows.items():
                insert_result(connection, number, row, float(seconds[number]))

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
        with self._database.writing() as connection:
            insert_failure(connection, number, to_json(reason), float(seconds))

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
        with self._database.writing() as connection:
            insert_annotation(connection, kind, key, None if content is None else to_json(content))
