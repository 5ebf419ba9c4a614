"""The state of one session: tables, choices, running jobs and the last results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, TypeVar, cast

from alc_core.assessment.result import Assessment
from alc_core.dashboard.state.attack_state import Result, RunInputs
from alc_core.dashboard.state.campaign_choices import CampaignChoices
from alc_core.dashboard.state.campaign_state import (
    CampaignData,
    CampaignInputs,
    CampaignResult,
    CampaignRun,
    PlanPreview,
)
from alc_core.dashboard.state.choices import AttackChoices, Rescoring
from alc_core.dashboard.state.files import FailedFile, LoadedFile, Slot
from alc_core.dashboard.state.jobs import Job
from alc_core.dashboard.state.releases import ReleaseMode, assumed_mode, make_releases
from alc_core.errors import InputError
from alc_core.releases.release import Release
from alc_core.scenario.scenario import Scenario
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.finding import Finding
from alc_core.tables.encode import EncodedTable
from alc_core.tables.table import ColumnKind, Table

if TYPE_CHECKING:
    from alc_core.dashboard.state.background_tasks import Task

Screen = TypeVar("Screen")

_CHECKS_KEPT = 8


@dataclass(slots=True, kw_only=True)
class AppState:
    """Everything that one session holds.

    Attributes
    ----------
    original, release, failed
        Files as read, and files that could not be read.
    release_mode : {"one", "several"} or None
        What several released files are; None while the user leaves it as assumed.
    start : Scenario or None
        What demo data suggest to attack.
    kinds : dict of str to ColumnKind
        Kinds that the user chose instead of the inferred ones.
    editor_kinds : dict of str to ColumnKind
        Kinds in force when the table of columns was first shown on this visit of the page.
    choices : AttackChoices
        Of a single attack; who is attacked and the parameters are a campaign's, too.
    campaign_choices : CampaignChoices
        Of the Campaign page.
    accepted : set of tuple
        Code, table and column of each pre-flight question that was answered.
    job, job_inputs
        The running single attack and its inputs.
    result : Result or None
        Of the last single attack that ended well.
    message : str
        Why the last single attack did not end well.
    was_cancelled : bool
        Whether it was the user who stopped it.
    preview : PlanPreview or None
        The last plan that was made.
    encoded : tuple or None
        The original encoded for planning, after what it was encoded for.
    campaign_run : CampaignRun or None
        The running campaign.
    campaign : CampaignResult or None
        What is finished of the running campaign, or of the last one.
    campaign_message : str
        How the last campaign ended, where that needs to be said.
    campaign_failed : bool
        Whether it is an error that ended it.
    campaign_questions : tuple of Finding
        Questions that only the run itself found.
    rescoring : Rescoring or None
        What the sliders of the Findings page say, once they were shown.
    uploads : dict of str to int
        Per slot part of the key of its upload widget: a new number empties it.
    checks : dict
        The last pre-flight findings by what they were found for.
    tasks, task_messages : dict
        Short work under way, and how what ended badly ended; see :mod:`background_tasks`.
    screens : dict
        What the user chose on single pages, by its type; see :meth:`screen`.
    """

    original: LoadedFile | None = None
    release: tuple[LoadedFile, ...] = ()
    failed: tuple[FailedFile, ...] = ()
    release_mode: ReleaseMode | None = None
    start: Scenario | None = None
    kinds: dict[str, ColumnKind] = field(default_factory=dict)
    editor_kinds: dict[str, ColumnKind] = field(default_factory=dict)
    choices: AttackChoices = field(default_factory=AttackChoices)
    campaign_choices: CampaignChoices = field(default_factory=CampaignChoices)
    accepted: set[tuple[str, str, str | None]] = field(default_factory=set)
    job: Job[Assessment] | None = None
    job_inputs: RunInputs | None = None
    result: Result | None = None
    message: str = ""
    was_cancelled: bool = False
    preview: PlanPreview | None = None
    encoded: tuple[object, EncodedTable] | None = None
    campaign_run: CampaignRun | None = None
    campaign: CampaignResult | None = None
    campaign_message: str = ""
    campaign_failed: bool = False
    campaign_questions: tuple[Finding, ...] = ()
    rescoring: Rescoring | None = None
    uploads: dict[Slot, int] = field(default_factory=lambda: {"original": 0, "release": 0})
    checks: dict[object, tuple[Finding, ...]] = field(default_factory=dict)
    tasks: dict[str, Task] = field(default_factory=dict)
    task_messages: dict[str, str] = field(default_factory=dict)
    screens: dict[type, object] = field(default_factory=dict)

    def screen(self, kind: type[Screen]) -> Screen:
        """Return what the user chose on a page, or its defaults.

        Parameters
        ----------
        kind : type
            A class of choices that can be made without arguments.
        """
        return cast(Screen, self.screens.setdefault(kind, kind()))

    @property
    def ready(self) -> bool:
        """Whether there are an original and a release."""
        return self.original is not None and bool(self.release)

    def original_table(self) -> Table:
        """Return the original with the kinds in force.

        Raises
        ------
        InputError
            If there is none yet.
        """
        if self.original is None:
            raise InputError("There is no original table yet. Give one on the Data page.")
        table = self.original.table
        chosen = {column: kind for column, kind in self.kinds.items() if column in table.columns}
        return table.with_kinds(chosen) if chosen else table

    def release_tables(self) -> tuple[Table, ...]:
        """Return the tables of all releases, named apart from the original."""
        taken = None if self.original is None else self.original.table.name
        return tuple(
            replace(file.table, name=f"{taken} (release)")
            if file.table.name == taken
            else file.table
            for file in self.release
        )

    def releases(self) -> dict[str, Release]:
        """Return the releases by name."""
        tables = self.release_tables()
        return make_releases(tables, self.release_mode or assumed_mode(tables)[0])

    def attacked_release(self) -> Release:
        """Return the release that a single attack is on.

        Raises
        ------
        InputError
            If there is none yet.
        """
        releases = self.releases()
        if not releases:
            raise InputError("There is no release yet. Give one on the Data page.")
        first = next(iter(releases.values()))
        return releases.get(self.choices.release or "", first)

    def adapt_choices(self) -> None:
        """Make the choices fit the tables, keeping what still makes sense."""
        if self.ready:
            attacked = self.attacked_release()
            self.choices.release = attacked.name
            self.choices.adapt(self.original_table(), attacked.tables, start=self.start)

    def findings(self, scenario: Scenario | None = None) -> tuple[Finding, ...]:
        """Check all tables, or one scenario on the attacked release; the last answers are kept."""
        original = self.original_table()
        releases = self.release_tables() if scenario is None else self.attacked_release().tables
        asked = (
            {}
            if scenario is None
            else {
                "known": scenario.known,
                "unknown": scenario.unknown,
                "person": scenario.person,
                "household": scenario.household,
            }
        )
        key = (self._tables_key(original, releases), tuple(asked.items()))
        if key not in self.checks:
            found = check_tables(original, releases, **asked)  # type: ignore[arg-type]
            self.checks = dict([*self.checks.items(), (key, found)][-_CHECKS_KEPT:])
        return self.checks[key]

    def accepted_codes(self, findings: Sequence[Finding]) -> tuple[str, ...]:
        """Return the codes of questions all of which are answered."""
        open_codes = {
            f.code for f in findings if f.blocking and question_key(f) not in self.accepted
        }
        codes = {f.code for f in findings if f.blocking}
        return tuple(sorted(codes - open_codes))

    def inputs(self) -> RunInputs:
        """Return what a single attack now would depend on.

        Raises
        ------
        InputError
            If tables or choices are not complete.
        """
        original, tables = self.original_table(), self.attacked_release().tables
        scenario = self.choices.scenario()
        return RunInputs(
            original=original.fingerprint,
            release=tuple(table.fingerprint for table in tables),
            kinds=tuple((column, original.kind(column)) for column in scenario.columns),
            scenario=scenario,
            scoring=self.choices.scoring(),
            seed=self.choices.seed,
        )

    def outdated(self) -> tuple[str, ...]:
        """Return what changed since the last single attack, in words; empty where nothing did."""
        if self.result is None:
            return ()
        try:
            now: RunInputs | None = self.inputs()
        except InputError:
            now = None
        return self.result.inputs.differences(now)

    def campaign_data(self) -> CampaignData:
        """Return by what the tables are known again.

        Raises
        ------
        InputError
            If there is no original yet.
        """
        return CampaignData.of(self.original_table(), self.releases())

    def campaign_inputs(self) -> CampaignInputs:
        """Return what a campaign now would depend on.

        Raises
        ------
        InputError
            If tables or choices are not complete.
        """
        return CampaignInputs(
            data=self.campaign_data(),
            options=self.campaign_choices.options(self.choices),
            scoring=self.choices.scoring(),
        )

    def campaign_outdated(self) -> tuple[str, ...]:
        """Return what changed since the last campaign, in words; empty where nothing did.

        An opened file does not hold the choices it was made with: of those nothing is told.
        """
        if self.campaign is None or self.campaign.inputs is None:
            return ()
        try:
            now: CampaignInputs | None = self.campaign_inputs()
        except InputError:
            now = None
        return self.campaign.inputs.differences(now)

    def campaign_tables(self) -> tuple[Table, dict[str, Release]] | None:
        """Return original and releases if they are those that the last campaign attacked.

        Returns
        -------
        tuple of Table and dict, or None
            The releases by name; None where there is no campaign, or other tables.
        """
        if self.campaign is None or not self.ready:
            return None
        settings = self.campaign.view.settings
        original, releases = self.original_table(), self.releases()
        kinds = {column: str(kind) for column, kind in original.kinds.items()}
        given = {
            name: [table.fingerprint for table in release.tables]
            for name, release in releases.items()
        }
        attacked = {
            name: [table.fingerprint for table in tables]
            for name, tables in settings.releases.items()
        }
        same = original.fingerprint == settings.original.fingerprint and kinds == settings.kinds
        if not same or any(given.get(name) != tables for name, tables in attacked.items()):
            return None
        return original, {name: releases[name] for name in attacked}

    def clear(self) -> None:
        """Stop what runs and let go of everything, whoever still holds this state."""
        for task in self.tasks.values():
            task.job.cancel()
        if self.job is not None:
            self.job.cancel()
        if self.campaign_run is not None:
            self.campaign_run.job.cancel()
            self.campaign_run.folder.discard()
        if self.campaign is not None:
            self.campaign.close()
            self.campaign.folder.discard()
        empty = AppState(uploads={slot: number + 1 for slot, number in self.uploads.items()})
        for each in fields(self):
            setattr(self, each.name, getattr(empty, each.name))

    def _tables_key(self, original: Table, releases: Sequence[Table]) -> tuple[object, ...]:
        names = tuple((table.name, table.fingerprint) for table in (original, *releases))
        files = (*((self.original,) if self.original else ()), *self.release)
        readings = tuple(file.options for file in files)
        return names, readings, tuple(sorted(self.kinds.items()))


def question_key(finding: Finding) -> tuple[str, str, str | None]:
    """Return by what an answered question is known again."""
    return finding.code, finding.table, finding.column
