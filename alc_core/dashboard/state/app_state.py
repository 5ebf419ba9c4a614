"""The state of one session: tables, choices, running jobs and the last results."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, TypeVar, cast

from alc_core.campaign.run.check import TablesCheck
from alc_core.dashboard.choices.campaign_choices import CampaignChoices
from alc_core.dashboard.choices.run_choices import Rescoring, RunChoices
from alc_core.dashboard.choices.same_columns import SameColumnsSaid
from alc_core.dashboard.state.campaign_state import (
    CampaignData,
    CampaignInputs,
    CampaignResult,
    CampaignRun,
    PlanPreview,
)
from alc_core.dashboard.state.files import FailedFile, LoadedFile, SampleRelease, Slot
from alc_core.dashboard.state.labels import LabelledTable, Labels
from alc_core.dashboard.state.no_values import NoValues
from alc_core.dashboard.state.preflight import Preflight
from alc_core.dashboard.state.releases import ReleaseMode, ReleasesInForce
from alc_core.dashboard.state.roles import RolesInForce
from alc_core.errors import InputError
from alc_core.releases.release import Release, released_columns
from alc_core.scenario.no_value import WithoutValue
from alc_core.scenario.scenario import Scenario
from alc_core.tables.checks.finding import Finding
from alc_core.tables.codes.encode import EncodedTable
from alc_core.tables.labels.language import PlainSets
from alc_core.tables.roles import ColumnRole, Roles
from alc_core.tables.table import ColumnKind, Table

if TYPE_CHECKING:
    from alc_core.dashboard.state.background_tasks import Task

Screen = TypeVar("Screen")


@dataclass(slots=True, kw_only=True)
class AppState:
    """Everything that one session holds."""

    original: LoadedFile | None = None  # Files as read, and files that could not be read
    release: tuple[LoadedFile, ...] = ()
    holdout: LoadedFile | None = None
    failed: tuple[FailedFile, ...] = ()
    # What several released files are; None while the user leaves it as assumed
    release_mode: ReleaseMode | None = None
    # By release of what type the user says that it is; else it is recognised
    release_kinds: dict[str, str] = field(default_factory=dict)
    # The releases that the files make, as long as nothing changed
    releases_in_force: ReleasesInForce = field(default_factory=ReleasesInForce)
    samples: tuple[SampleRelease, ...] = ()  # Test releases that were made of the original
    start: Scenario | None = None  # What demo data suggest to attack
    # Kinds that the user chose instead of the inferred ones
    kinds: dict[str, ColumnKind] = field(default_factory=dict)
    # Roles that the user chose instead of the suggested ones
    roles: dict[str, ColumnRole] = field(default_factory=dict)
    # Roles of all columns, suggested once for each choice
    roles_in_force: RolesInForce = field(default_factory=RolesInForce)
    # What the user said that columns of released tables are
    same_columns: SameColumnsSaid = field(default_factory=SameColumnsSaid)
    # What the user said that labels of released tables stand for
    labels: Labels = field(default_factory=Labels)
    # The original with the kinds that the user chose, after what it was made of
    original_in_force: tuple[Table, dict[str, ColumnKind], Table] | None = None
    # Kinds in force when the table of columns was first shown on this visit of the page
    editor_kinds: dict[str, ColumnKind] = field(default_factory=dict)
    editor_number: int = 0  # Part of the key of the table of columns: a new number shows it afresh
    # Who is attacked, the seed and the parameters
    run_choices: RunChoices = field(default_factory=RunChoices)
    campaign_choices: CampaignChoices = field(default_factory=CampaignChoices)  # What is attacked
    # What the check of the tables found, and which questions were answered
    preflight: Preflight = field(default_factory=Preflight)
    no_values: NoValues = field(default_factory=NoValues)  # Who has no value in which column
    preview: PlanPreview | None = None  # The last plan that was made
    # The original encoded for planning, after what it was encoded for
    encoded: tuple[object, EncodedTable] | None = None
    campaign_run: CampaignRun | None = None  # The running campaign
    # What is finished of the running campaign, or of the last one
    campaign: CampaignResult | None = None
    campaign_message: str = ""  # How the last campaign ended, where that needs to be said
    campaign_failed: bool = False  # Whether it is an error that ended it
    campaign_questions: tuple[Finding, ...] = ()  # Questions that only the run itself found
    # What the sliders of the Findings page say, once they were shown
    rescoring: Rescoring | None = None
    # Per slot part of the key of its upload widget: a new number empties it
    uploads: dict[Slot, int] = field(
        default_factory=lambda: {"original": 0, "release": 0, "holdout": 0}
    )
    # Short work under way, and how what ended badly ended; see :mod:`background_tasks`
    tasks: dict[str, Task] = field(default_factory=dict)
    task_messages: dict[str, str] = field(default_factory=dict)
    # What the user chose on single pages, by its type; see :meth:`screen`
    screens: dict[type, object] = field(default_factory=dict)

    def screen(self, kind: type[Screen]) -> Screen:
        """Return what the user chose on a page, or its defaults."""
        return cast(Screen, self.screens.setdefault(kind, kind()))

    @property
    def ready(self) -> bool:
        """Whether there are an original and a release."""
        return self.original is not None and bool(self.release or self.own_samples())

    def original_table(self) -> Table:
        """Return the original with the kinds in force."""
        if self.original is None:
            raise InputError("There is no original table yet. Upload one on the Data page.")
        table = self.original.table
        chosen = {column: kind for column, kind in self.kinds.items() if column in table.columns}
        if not chosen:
            return table
        last = self.original_in_force
        if last is None or last[0] is not table or last[1] != chosen:
            self.original_in_force = last = (table, chosen, table.with_kinds(chosen))
        return last[2]

    def release_tables(self) -> tuple[Table, ...]:
        """Return the tables of all releases, named apart from the original.

        Their columns are the original's, and their labels stand, as the user said, as soon as
        there is an original.
        """
        if self.original is None:
            return tuple(file.table for file in self.release)
        return tuple(each.table for each in self.labelled_tables().values())

    def released_files(self) -> dict[str, Table]:
        """Return the released tables as they were read, by a name apart from the original's."""
        original = self.original_table()
        return {
            f"{file.table.name} (release)"
            if file.table.name == original.name
            else file.table.name: file.table
            for file in self.release
        }

    def labelled_tables(self) -> dict[str, LabelledTable]:
        """Return the released tables with what their columns are and their labels stand for."""
        original = self.original_table()
        named = {
            name: self.same_columns.of(original, table, name)
            for name, table in self.released_files().items()
        }
        self.labels.kept = {n: kept for n, kept in self.labels.kept.items() if n in named}
        return {name: self.labels.of(original, table, name) for name, table in named.items()}

    def told_sets(self) -> dict[str, tuple[PlainSets, ...]]:
        """Return what the user said of the labels of each release, as a campaign keeps it."""
        if self.original is None:
            return {}
        tables = self.labelled_tables()
        told = {
            name: tuple(tables[table.name].told for table in release.tables)
            for name, release in self.made_releases().releases.items()
        }
        return {name: sets for name, sets in told.items() if any(sets)}

    def made_releases(self) -> ReleasesInForce:
        """Return the releases, what each is made of, and what was recognised."""
        original = None if self.original is None else self.original_table()
        found = self.releases_in_force
        found.make(original, self.release_tables(), self.release_mode, self.release_kinds)
        return found

    def releases(self) -> dict[str, Release]:
        """Return the releases by name, the test releases last."""
        samples = {sample.release.name: sample.release for sample in self.own_samples()}
        return {**self.made_releases().releases, **samples}

    def own_samples(self) -> tuple[SampleRelease, ...]:
        """Return the test releases that were made of the original that is there."""
        original = None if self.original is None else self.original.table.fingerprint
        return tuple(sample for sample in self.samples if sample.original == original)

    def add_sample(self, sample: SampleRelease) -> None:
        """Take in a test release, in place of one of the same name, and let go of strange ones."""
        self.remove_sample(sample.release.name)
        self.samples = (*self.own_samples(), sample)

    def remove_sample(self, name: str) -> None:
        """Let go of a test release."""
        self.samples = tuple(each for each in self.samples if each.release.name != name)

    def attacked_releases(self) -> dict[str, Release]:
        """Return the releases that are chosen to be attacked, by name."""
        choices, releases = self.campaign_choices, self.releases()
        choices.adapt_releases(list(releases))
        attacked = {name: releases[name] for name in choices.releases}
        choices.attacks.adapt(list(attacked.values()))
        return attacked

    def check(self) -> TablesCheck:
        """Return the check of all tables."""
        readings = [file.options for file in (self.original, *self.release) if file is not None]
        said = (self.same_columns.key, self.labels.key)
        return self.preflight.of(self.original_table(), self.releases(), [*readings, *said])

    def findings(self) -> tuple[Finding, ...]:
        """Return what is found in the tables whatever is attacked."""
        run = self.run_choices
        return self.check().tables(person=run.person, household=run.household)

    def without_values(self) -> dict[str, WithoutValue]:
        """Return who has no value in each column that can be attacked."""
        original = self.original_table()
        columns = original.compared
        return self.no_values.of(original, self.run_choices.missing, columns)

    def column_roles(self) -> Roles:
        """Return the roles of the original's columns: as the user says, else suggested."""
        released = frozenset().union(*map(released_columns, self.releases().values()))
        original, run = self.original_table(), self.run_choices
        return self.roles_in_force.of(
            original, released or original.columns, self.roles, (run.person, run.household)
        )

    def campaign_inputs(self) -> CampaignInputs:
        """Return what a campaign now would depend on."""
        self.attacked_releases()  # the choices follow the releases
        return CampaignInputs(
            data=CampaignData.of(self.original_table(), self.releases(), self.told_sets()),
            options=self.campaign_choices.options(self.run_choices, self.column_roles().by_user),
            scoring=self.run_choices.scoring(),
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
        """Return original and releases if they are those that the last campaign attacked."""
        if self.campaign is None or not self.ready:
            return None
        settings = self.campaign.view.settings
        original, releases = self.original_table(), self.releases()
        kinds = {column: str(kind) for column, kind in original.kinds.items()}
        given = {
            name: (release.kind, [(t.fingerprint, t.same_columns) for t in release.tables])
            for name, release in releases.items()
        }
        attacked = {
            name: (settings.release_kind(name), [(t.fingerprint, t.same_columns) for t in tables])
            for name, tables in settings.releases.items()
        }
        same = original.fingerprint == settings.original.fingerprint and kinds == settings.kinds
        if not same or any(given.get(name) != tables for name, tables in attacked.items()):
            return None
        told = {name: tables for name, tables in self.told_sets().items() if name in attacked}
        if told != settings.told_sets:
            return None
        return original, {name: releases[name] for name in attacked}

    def close_campaign(self) -> None:
        """Stop the campaign that runs and let go of it and of the last one; tables stay."""
        if self.campaign_run is not None:
            self.campaign_run.job.forget()
            self.campaign_run.folder.discard()
        if self.campaign is not None:
            self.campaign.close()
            self.campaign.folder.discard()
        self.campaign_run = self.campaign = self.rescoring = None
        self.campaign_message, self.campaign_failed, self.campaign_questions = "", False, ()

    def clear(self) -> None:
        """Stop what runs and let go of everything, whoever still holds this state."""
        for task in self.tasks.values():
            task.job.forget()
        self.close_campaign()
        empty = AppState(uploads={slot: number + 1 for slot, number in self.uploads.items()})
        for each in fields(self):
            setattr(self, each.name, getattr(empty, each.name))
