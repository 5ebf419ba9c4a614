"""The state of one session: tables, choices, the running job and the last result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from alc_core.assessment import Assessment
from alc_core.dashboard.choices import AttackChoices, Rescoring
from alc_core.dashboard.jobs import Job
from alc_core.errors import InputError
from alc_core.parameters import ScoringParameters
from alc_core.scenario import Scenario
from alc_core.tables import ColumnKind, Finding, Table, check_tables

Slot = Literal["original", "release"]

_CHECKS_KEPT = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """How a file is to be read where the reader's own guess is wrong; None leaves it the guess."""

    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    sheet: str | int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoadedFile:
    """A table, and the bytes it came from so that it can be read again (none for demo data)."""

    table: Table
    data: bytes | None = None
    options: ReadingOptions = ReadingOptions()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FailedFile:
    """A file that could not be read, and why."""

    slot: Slot
    name: str
    data: bytes
    options: ReadingOptions
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInputs:
    """All that a result depends on, to tell whether it is still of these inputs."""

    original: str
    release: tuple[str, ...]
    kinds: tuple[tuple[str, ColumnKind], ...]
    scenario: Scenario
    scoring: ScoringParameters
    seed: int

    def differences(self, other: RunInputs | None) -> tuple[str, ...]:
        """Return what differs, in words; with None, that the choices are not complete."""
        if other is None:
            return ("the columns",)
        kinds = dict(other.kinds)
        parts = {
            "the original": self.original != other.original,
            "the release": self.release != other.release,
            "the kinds of columns": any(kinds.get(c, kind) != kind for c, kind in self.kinds),
            "the columns or people attacked": self.scenario != other.scenario,
            "the parameters": self.scoring != other.scoring,
            "the seed": self.seed != other.seed,
        }
        return tuple(part for part, differs in parts.items() if differs)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Result:
    """An assessment with the inputs it belongs to."""

    assessment: Assessment
    inputs: RunInputs


@dataclass(slots=True, kw_only=True)
class AppState:
    """Everything that one session holds.

    Attributes
    ----------
    original, release, failed
        Files as read, and files that could not be read.
    start : Scenario or None
        What demo data suggest to attack.
    kinds : dict of str to ColumnKind
        Kinds that the user chose instead of the inferred ones.
    editor_kinds : dict of str to ColumnKind
        Kinds in force when the table of columns was first shown on this visit of the page.
    choices : AttackChoices
        Of the Attack page.
    accepted : set of tuple
        Code, table and column of each pre-flight question that was answered.
    job, job_inputs
        The running job and its inputs.
    result : Result or None
        Of the last run that ended well.
    message : str
        Why the last run did not end well.
    was_cancelled : bool
        Whether it was the user who stopped it.
    rescoring : Rescoring or None
        What the sliders of the Findings page say, once they were shown.
    uploads : dict of str to int
        Per slot part of the key of its upload widget: a new number empties it.
    checks : dict
        The last pre-flight findings by what they were found for.
    """

    original: LoadedFile | None = None
    release: tuple[LoadedFile, ...] = ()
    failed: tuple[FailedFile, ...] = ()
    start: Scenario | None = None
    kinds: dict[str, ColumnKind] = field(default_factory=dict)
    editor_kinds: dict[str, ColumnKind] = field(default_factory=dict)
    choices: AttackChoices = field(default_factory=AttackChoices)
    accepted: set[tuple[str, str, str | None]] = field(default_factory=set)
    job: Job[Assessment] | None = None
    job_inputs: RunInputs | None = None
    result: Result | None = None
    message: str = ""
    was_cancelled: bool = False
    rescoring: Rescoring | None = None
    uploads: dict[Slot, int] = field(default_factory=lambda: {"original": 0, "release": 0})
    checks: dict[object, tuple[Finding, ...]] = field(default_factory=dict)

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
        """Return the released tables, named apart from the original."""
        taken = None if self.original is None else self.original.table.name
        return tuple(
            replace(file.table, name=f"{taken} (release)")
            if file.table.name == taken
            else file.table
            for file in self.release
        )

    def adapt_choices(self) -> None:
        """Make the choices fit the tables, keeping what still makes sense."""
        if self.ready:
            self.choices.adapt(self.original_table(), self.release_tables(), start=self.start)

    def findings(self, scenario: Scenario | None = None) -> tuple[Finding, ...]:
        """Check the tables, or one scenario on them; the last answers are kept."""
        original, releases = self.original_table(), self.release_tables()
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
        """Return what a run now would depend on.

        Raises
        ------
        InputError
            If tables or choices are not complete.
        """
        original, releases = self.original_table(), self.release_tables()
        scenario = self.choices.scenario()
        return RunInputs(
            original=original.fingerprint,
            release=tuple(table.fingerprint for table in releases),
            kinds=tuple((column, original.kind(column)) for column in scenario.columns),
            scenario=scenario,
            scoring=self.choices.scoring(),
            seed=self.choices.seed,
        )

    def outdated(self) -> tuple[str, ...]:
        """Return what changed since the last result, in words; empty where nothing did."""
        if self.result is None:
            return ()
        try:
            now: RunInputs | None = self.inputs()
        except InputError:
            now = None
        return self.result.inputs.differences(now)

    def _tables_key(self, original: Table, releases: Sequence[Table]) -> tuple[object, ...]:
        names = tuple((table.name, table.fingerprint) for table in (original, *releases))
        files = (*((self.original,) if self.original else ()), *self.release)
        readings = tuple(file.options for file in files)
        return names, readings, tuple(sorted(self.kinds.items()))


def question_key(finding: Finding) -> tuple[str, str, str | None]:
    """Return by what an answered question is known again."""
    return finding.code, finding.table, finding.column
