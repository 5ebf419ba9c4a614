"""A session: its tables, choices, jobs and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from threading import Lock
from typing import Any, TypeVar, cast

from pandas.api.types import is_numeric_dtype

from alc_core.attacks.registry import usual_attacks
from alc_core.campaign.model import named_columns
from alc_core.campaign.plan.plan_notes import campaign_columns
from alc_core.campaign.plan.settings import PlanSettings
from alc_core.campaign.run.check import TablesCheck
from alc_core.candidates.lines import asks_for_model
from alc_core.dashboard.choices.plan import Choices
from alc_core.dashboard.state.campaign_state import (
    CampaignData,
    CampaignEnd,
    CampaignInputs,
    CampaignResult,
    CampaignRun,
)
from alc_core.dashboard.state.files import (
    FailedFile,
    Slot,
)
from alc_core.dashboard.state.jobs import Job, Tasks
from alc_core.dashboard.state.said import AnsweredQuestions
from alc_core.dashboard.state.session_tables import SessionTables, table_prints
from alc_core.dashboard.state.team import UploadRefusal, note
from alc_core.errors import InputError
from alc_core.releases.answers import asked_tables
from alc_core.releases.linked import KnownRows
from alc_core.releases.release import Release, released_columns
from alc_core.scenario.no_value import LikelyNoValue, WithoutValue, likely_no_values, without_value
from alc_core.scenario.scenario import Scenario, Targets
from alc_core.tables.checks.facts import FileFacts
from alc_core.tables.checks.finding import Finding
from alc_core.tables.checks.own import planned
from alc_core.tables.names import (
    Names,
    with_names,
)
from alc_core.tables.recode import read_source
from alc_core.tables.roles import Attackable, ColumnRole, Roles, may_have
from alc_core.tables.table import ColumnKind, Table

Screen = TypeVar("Screen")


@dataclass(slots=True, kw_only=True)
class AppState(SessionTables):
    """Everything a session holds: tables, choices, jobs and results."""

    failed: tuple[FailedFile, ...] = ()
    refused_upload: UploadRefusal | None = None  # Not yet shown
    answers: AnsweredQuestions = field(default_factory=AnsweredQuestions)
    # Plan and scoring; the demo's suggested attack
    choices: Choices = field(default_factory=Choices)
    start: Scenario | None = None
    # Running campaign; results of it or the last, and its end
    campaign_run: CampaignRun | None = None
    campaign: CampaignResult | None = None
    campaign_message: str = ""
    campaign_failed: bool = False  # Whether the message is an error
    campaign_questions: tuple[Finding, ...] = ()  # Found only by the run
    # Parameters of the what-if sliders; may conflict
    rescoring: Mapping[str, Any] = field(default_factory=dict)
    # Short jobs, page choices
    tasks: Tasks = field(default_factory=Tasks)
    screens: dict[type, tuple[object, object]] = field(default_factory=dict)
    # Serializes reading during a redraw
    reading: Lock = field(default_factory=Lock)
    # Part of upload keys: a new number empties them
    uploads: dict[Slot, int] = field(
        default_factory=lambda: {"original": 0, "release": 0, "holdout": 0}
    )

    def screen(self, kind: type[Screen], of: object = None) -> Screen:
        """Return a page's choices, or defaults.

        Choices about a campaign are forgotten with it.
        """
        held = self.screens.get(kind)
        if held is None or (of is not None and held[0] is not of):
            held = self.screens[kind] = (of, kind())
        return cast(Screen, held[1])

    @property
    def file_bytes(self) -> int:
        """Bytes of all files held, read or not."""
        read = [*self.files("original"), *self.files("release"), *self.files("holdout")]
        held = [*(file.data for file in read), *(file.data for file in self.failed)]
        return sum(len(data) for data in held if data)

    def give_names(self, names: Names) -> None:
        """Rename columns and values, also in answers."""
        if self.original is None:
            self.names = names
            return
        with_names(self.original.read, names.of(self.original.read))  # refuses invalid names
        before = self.original.table.columns
        sources = {
            name: {text: read_source(text, file.table.columns) for text in same}
            for name, file in self.released_files().items()
            if (same := self.same_columns.get(name))
        }
        self.names = names
        self.name_tables()
        now = dict(zip(before, self.original.table.columns, strict=True))
        self.kinds = {now.get(c, c): kind for c, kind in self.kinds.items()}
        self.date_readings = {now.get(c, c): how for c, how in self.date_readings.items()}
        for table, found in sources.items():
            same = self.same_columns[table]
            self.same_columns[table] = {  # labels have new names: ask again
                source.renamed(now).text: now.get(same[text], same[text])
                for text, source in found.items()
                if source is not None and not source.labels
            }
        for table, sets in self.labels.items():
            self.labels[table] = {now.get(c, c): labels for c, labels in sets.items()}
        self.choices = self.choices.renamed(now)
        self.memo.clear()

    def rename_release(self, name: str, new: str) -> None:
        """Rename a released file, its release and answers."""
        samples = (sample.release.name for sample in self.own_samples())
        if not new or new in {*(file.table.name for file in self.release), *samples}:
            return
        before = self._release_of(self._apart(name))
        self.called.pop(tuple(table.fingerprint for table in before.tables), None)
        for file in self.release:
            if file.table.name == name:
                self.release_names[file.read.name] = new
        name, new = self._apart(name), self._apart(new)
        said: tuple[dict[str, Any], ...] = (self.same_columns, self.labels)
        for each in said:
            if name in each:
                each[new] = each.pop(name)
        self.answers.rename(name, new)
        self.name_tables()
        self.memo.clear()
        after = self._release_of(new)
        if len(after.tables) == len(before.tables):  # Else the name removed the file from a set
            if before.name in self.release_kinds:
                self.release_kinds[after.name] = self.release_kinds.pop(before.name)
            self.choices = self.choices.with_release_renamed(before.name, after.name)

    def asked_tables(self, names: Sequence[str]) -> tuple[Table, tuple[Release, ...]]:
        """Return original and attacked releases with derived columns."""
        original, releases = self.original_table(), self.releases()
        attacked = tuple(self.attacked_releases().values()) or tuple(releases.values())
        key = (self._releases_key, tuple(names), tuple(release.name for release in attacked))
        return self.memo.remember(
            "asked tables", key, lambda: asked_tables(original, attacked, names)
        )

    @property
    def data_problem(self) -> str:
        """Why no attack can be planned, as last found; empty if one can."""
        return self.memo.last("data problem") or ""

    # What the tables say -----------------------------------------------------------------------

    def check(self) -> TablesCheck:
        """Return the check of all tables."""
        original, releases = self.original_table(), self.releases().values()
        return self.memo.remember(
            "check", self._releases_key, lambda: TablesCheck(original, releases)
        )

    def findings(self) -> tuple[Finding, ...]:
        """Return findings that hold for any attack."""
        many, settings = self.choices.mode == "many", self.choices.settings
        person, household = settings.person, settings.household
        found = self.check().tables(person=person, household=household)
        asked = (self.choices if many else self.chosen()).known_together
        key = self._releases_key, person, household, asked
        return self.memo.remember("findings", key, lambda: tuple(planned(found, asked)))

    def file_facts(self) -> tuple[FileFacts, ...]:
        """Return the facts of each released file."""
        check, releases = self.check(), self.releases().items()
        of = [name for name, release in releases if release.kind != KnownRows.kind]
        return tuple(each for name in of for each in check.facts(name))

    def without_values(self) -> dict[str, WithoutValue]:
        """Return people without a value, by possible unknown column."""
        original, missing = self.original_table(), self.choices.settings.targets.missing or {}
        return {
            column: self.memo.remember(
                ("without value", column),
                (self._original_key[::2], original.kind(column), missing.get(column)),
                partial(without_value, original, column, missing),
            )
            for column in original.compared
            if column not in original.derived  # not of known rows
        }

    def likely_no_values(self) -> tuple[LikelyNoValue, ...]:
        """Return other values that may mean "no value"."""
        return self.memo.remember(
            "likely missing values",
            (self._original_key, self.choices.settings.targets.missing),
            lambda: likely_no_values(self.original_table(), self.without_values()),
        )

    def set_kind(self, column: str, kind: ColumnKind) -> None:
        """Set a column's kind, and drop a role it excludes."""
        self.kinds[column] = kind
        if kind is self.original_table().guesses[column].kind:
            del self.kinds[column]
        roles = self.choices.settings.roles
        if column in roles and not self._may_have(column, roles[column]):
            self.choose(roles={c: role for c, role in roles.items() if c != column})

    def set_role(self, column: str, role: ColumnRole) -> None:
        """Set a column's role, with the kind it needs."""
        settings = self.choices.settings
        if not self._may_have(column, role) and column not in (
            settings.person, settings.household,
        ):  # fmt: skip
            numeric = is_numeric_dtype(self.original_table().frame[column].dtype)
            self.kinds.pop(column, None)
            if not self._may_have(column, role):
                self.kinds[column] = ColumnKind.CONTINUOUS if numeric else ColumnKind.CATEGORICAL
        if self._may_have(column, role):
            self.choose(roles={**self.choices.settings.roles, column: role})

    def _may_have(self, column: str, role: ColumnRole) -> bool:
        settings = self.choices.settings
        naming = settings.person, settings.household
        return may_have(self.original_table(), column, role, naming)

    def column_roles(self) -> Roles:
        """Return columns' roles: chosen if allowed, else suggested."""
        original, settings = self.original_table(), self.choices.settings
        naming = settings.person, settings.household

        def roles() -> Roles:
            released = frozenset().union(*map(released_columns, self.releases().values()))
            said = settings.roles.items()
            fitting = {c: role for c, role in said if may_have(original, c, role, naming)}
            return Roles.of(original, released or original.columns, chosen=fitting, naming=naming)

        return self.memo.remember("roles", (self._releases_key, settings.roles, naming), roles)

    # What is chosen ----------------------------------------------------------------------------

    def choose(self, choices: Choices | None = None, **changes: Any) -> None:
        """Change choices by name, as in :meth:`Choices.value`."""
        self.choices = (choices or self.choices).changed(**changes)

    def run_attacks(self, fitted: Choices, *, model_by_user: bool = True) -> None:
        """Set which attacks run on which releases."""
        attacks, only_on = fitted.settings.attacks, fitted.settings.only_on
        self.choose(
            attacks=attacks, only_on=only_on, kinds=fitted.kinds, model_by_user=model_by_user
        )

    def attacked_releases(self) -> dict[str, Release]:
        """Return the releases chosen for attack, by name."""
        releases = self.releases()
        attacked = self.choices.fitted_attacks(releases).settings.attacked
        return releases if attacked is None else {name: releases[name] for name in attacked}

    def attackable(self) -> Attackable:
        """Return possible unknown columns, with known ones."""
        choices, settings = self.choices, self.choices.settings
        original, attacked = self.asked_tables(choices.worked_out)
        return self.memo.remember(
            "attackable",
            (self._releases_key, choices),
            lambda: (
                campaign_columns(
                    original,
                    attacked,
                    PlanSettings(
                        person=settings.person,
                        household=settings.household,
                        targets=Targets(where=choices.conditions),
                    ),
                    data=self.encoded(original),
                    without={} if choices.include_missing else self.without_values(),
                    roles=self.column_roles(),
                ).candidates
            ),
        )

    def knowable(self) -> list[str]:
        """Return columns that can be known."""
        original, choices = self.original_table(), self.choices
        grouping = choices.settings.person, choices.settings.household
        asked = {column for columns in choices.known_together for column in columns}
        return [
            column
            for column in original.columns
            if column not in grouping and (column in asked or original.kind(column).is_compared)
        ]

    def made_up(self) -> list[str]:
        """Return attacked releases for which the check recommends a model."""
        attacked, findings = self.attacked_releases(), self.findings()
        of = {name: {table.name for table in each.tables} for name, each in attacked.items()}
        return [
            name
            for name, each in attacked.items()
            if asks_for_model(
                each.kind, usual_attacks(each), [f for f in findings if f.table in of[name]]
            )
        ]

    def chosen(self) -> Choices:
        """Return choices fitted to the tables, with suggestions."""
        if not self.ready:
            return self.choices
        roles = self.column_roles()
        choices = self.choices.fitted_attacks(self.releases()).changed(roles=roles.by_user)
        try:
            attackable = self.attackable()
        except InputError:  # shown beside the button
            return choices
        original, _ = self.asked_tables(choices.worked_out)
        one = choices.one.fitted(attackable, original, roles, start=self.start)
        said = ColumnRole.PROTECTED in roles.by_user.values()
        secret = roles.having(ColumnRole.PROTECTED) if said else ()
        choices = choices.fitted_columns(attackable, self.knowable(), secret).changed(one=one)
        if choices.model_by_user:
            return choices
        return choices.training((choices.mode == "many" and self.made_up()) or None)

    # The campaign ------------------------------------------------------------------------------

    def campaign_job(self) -> Job[CampaignEnd] | None:
        """Return the running campaign."""
        return None if self.campaign_run is None else self.campaign_run.job

    def campaign_inputs(self) -> CampaignInputs:
        """Return what a campaign would depend on now."""
        return CampaignInputs(
            data=CampaignData.of(self.original_table(), self.releases(), self.told_sets()),
            settings=self.chosen().plan(),
            scoring=self.choices.parameters,
        )

    def campaign_outdated(self) -> tuple[str, ...]:
        """Return changes since the last campaign, in words.

        Choices of an opened file are not compared.
        """
        if self.campaign is None or self.campaign.inputs is None:
            return ()
        try:
            now: CampaignInputs | None = self.campaign_inputs()
        except InputError:
            now = None
        return self.campaign.inputs.differences(now)

    def campaign_tables(self) -> tuple[Table, dict[str, Release]] | None:
        """Return original and releases if the last campaign attacked them."""
        if self.campaign is None or not self.ready:
            return None
        settings = self.campaign.view.settings
        original, releases = self.original_table(), self.releases()
        kinds = {column: str(kind) for column, kind in original.kinds.items()}
        given = {
            name: (release.kind, table_prints(release.tables)) for name, release in releases.items()
        }
        attacked = {
            name: (settings.release_kind(name), table_prints(tables))
            for name, tables in settings.releases.items()
        }
        same = original.fingerprint == settings.original.fingerprint and kinds == settings.kinds
        if not same or any(given.get(name) != tables for name, tables in attacked.items()):
            return None
        told = {name: tables for name, tables in self.told_sets().items() if name in attacked}
        if told != settings.told_sets:
            return None
        named = named_columns(self.campaign.view.attacks)
        key = (self._releases_key, named, tuple(attacked))
        table, asked = self.memo.remember(
            "campaign tables",
            key,
            lambda: asked_tables(original, [releases[name] for name in attacked], named),
        )
        return table, {release.name: release for release in asked}

    def heartbeat(self) -> None:
        """Keep jobs alive, whichever page is shown."""
        jobs = [task.job for task in list(self.tasks.values())]
        for job in (*jobs, self.campaign_job()):
            if job is not None:
                job.heartbeat()

    def close_campaign(self) -> None:
        """Stop and forget the campaign; tables stay."""
        if (run := self.campaign_run) is not None:
            note("campaign ended", run.who, **run.how())
            run.job.forget()
            run.folder.discard()
        if self.campaign is not None:
            self.campaign.close()
        self.campaign_run, self.campaign, self.rescoring = None, None, {}
        self.campaign_message, self.campaign_failed, self.campaign_questions = "", False, ()

    def clear(self) -> None:
        """Stop all jobs and forget everything."""
        self.tasks.forget(*self.tasks)
        self.close_campaign()
        empty = AppState(uploads={slot: number + 1 for slot, number in self.uploads.items()})
        for each in fields(self):
            setattr(self, each.name, getattr(empty, each.name))
