"""The base class of studies, behind page, command, file and report."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Generic, TypeVar

from alc_core.campaign.file.annotations import KeptResults
from alc_core.campaign.findings.findings_table import MeasureColumn
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.view import CampaignView
from alc_core.errors import ColumnError, InputError
from alc_core.figures.attacks import measure_scatter
from alc_core.parameter import Parameter, Value
from alc_core.phrasing import count
from alc_core.plain_values import to_plain
from alc_core.present.blocks import Block, Figure, Heading, Place, Text, Way
from alc_core.releases.release import Release, released_columns
from alc_core.runtime.progress import Reporter
from alc_core.scenario.no_value import check_missing
from alc_core.scenario.preflight import FindingsCallback
from alc_core.scenario.scenario import Scenario, Targets
from alc_core.tables.households import Household
from alc_core.tables.roles import Roles, attackable_columns, suggested_attack
from alc_core.tables.table import Table

# Parameter values by name; None if not given
Given = Mapping[str, Any]


class Need(enum.StrEnum):
    """What a study cannot do without."""

    ORIGINAL = "an original"
    RELEASE = "a release"
    HOLDOUT = "a holdout of other people"
    CAMPAIGN = "a finished run"


class Takes(enum.StrEnum):
    """What a study uses besides parameters."""

    HOLDOUT = "holdout"
    SETS = "sets"  # Meanings of labels
    MISSING = "missing"  # Values that mean "missing"
    SEED = "seed"
    ACCEPT = "accept"  # Answers to questions of the check


class Kind(enum.StrEnum):
    """What the values of a parameter are."""

    VALUE = "value"
    COLUMN = "column"
    COLUMNS = "columns"
    TEXTS = "texts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Parameter):
    """A parameter of a study."""

    default: Value = ""
    kind: Kind = Kind.VALUE  # Of its values; `default` has a single one's type
    required: bool = False  # Whether the command must name it
    optional: bool = False  # Whether None is allowed; see `usual`
    usual: str = ""  # Applies if not given
    titles: Mapping[str, str] = field(default_factory=dict)  # Of its choices, on pages
    where: str = "both"  # Or "page", or "command"
    apart: bool = False  # Whether the page shows it among the settings
    metavar: str = ""

    @property
    def start(self) -> Any:
        """The value if none is given."""
        if self.kind in (Kind.COLUMNS, Kind.TEXTS):
            return ()
        return None if self.optional or self.kind is Kind.COLUMN else self.default


def asked_as(parameter: Parameter, **changes: Any) -> Asked:
    """Return a parameter described elsewhere as a study's."""
    own = {each.name: getattr(parameter, each.name) for each in fields(parameter)}
    return Asked(**own, **changes)


UNKNOWN = Asked(
    name="unknown", title="Unknown column", kind=Kind.COLUMN, required=True,
    help="Column the attacker wants to infer.",
)  # fmt: skip
KNOWN = Asked(
    name="known", title="Known columns", kind=Kind.COLUMNS, required=True,
    help="Columns the attacker knows.",
)  # fmt: skip
MOST = Asked(
    name="most", title="Maximum attacks", default=20, low=1, high=1000, step=10,
    help="Attacks for each release, highest ALC first.",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CampaignStanding:
    """A campaign and its verdicts under the current scoring."""

    view: CampaignView
    overview: CampaignOverview

    def worst_first(
        self,
        release: str,
        *,
        unknown: str | None = None,
        known: Iterable[str] | None = None,
        attack: str | None = None,
    ) -> list[int]:
        """Return finished attacks on a release, worst first."""
        facts = None if known is None else {*known}
        wanted = {
            each.number
            for each in self.view.attacks
            if each.release == release
            and unknown in (None, each.scenario.unknown)
            and facts in (None, {*each.scenario.known})
            and attack in (None, each.attack)
        }
        return [number for number in self.overview.results["number"].tolist() if number in wanted]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StudyData:
    """Input of a study besides its parameters."""

    table: Table | None = None  # The original; see :attr:`original`
    releases: Mapping[str, Release] = field(default_factory=dict)  # Accepted ones by name
    holdout: Table | None = None
    roles: Roles = field(default_factory=Roles)
    start: Scenario | None = None  # Suggested by demo data
    missing: Mapping[str, Sequence[str]] | None = field(default_factory=dict)
    person: str | None = None
    household: Household = None
    seed: int = 0
    accept: Collection[str] = ()
    tell: FindingsCallback | None = None
    standing: CampaignStanding | None = None  # The campaign of these tables
    page: bool = False  # Whether a page asks, which shows suggestions
    before: Sequence[Any] = ()  # Earlier results to go on from

    @property
    def original(self) -> Table:
        """The original; refused if missing."""
        if self.table is None:
            raise InputError("This needs an original. Add one.")
        return self.table

    @property
    def others(self) -> Table:
        """The holdout; refused if missing."""
        if self.holdout is None:
            raise InputError("This needs a holdout. Add one.")
        return self.holdout

    @property
    def campaign(self) -> CampaignStanding:
        """The campaign of these tables; refused if missing."""
        if self.standing is None:
            raise InputError("No results yet. Run attacks first.")
        return self.standing

    @property
    def released(self) -> frozenset[str]:
        """All columns of the releases."""
        return frozenset().union(*map(released_columns, self.releases.values()))

    @property
    def possible(self) -> list[str]:
        """Columns that can be known or inferred."""
        return [] if self.table is None else list(self.table.compared)

    def suggested(self) -> tuple[str | None, tuple[str, ...]]:
        """Return a suggested unknown column and known ones."""
        start = None if self.start is None else (self.start.unknown, self.start.known)
        attackable = attackable_columns(self.original)
        return suggested_attack(self.original, self.roles, attackable, start)

    def scenario(
        self, known: Sequence[str], unknown: str | None, *, person: bool = True
    ) -> Scenario:
        """Return a scenario, with missing values, persons and households."""
        if not unknown:
            raise ColumnError("Choose an unknown column.")
        known = [column for column in known if column != unknown]
        said = self.missing
        missing = None if said is None else {name: tuple(values) for name, values in said.items()}
        used, targets = (unknown, *known), Targets(missing=missing)
        who = self.person if person and self.person not in used else None
        home = self.household if person and self.household not in used else None
        return Scenario(known, unknown, targets=targets, person=who, household=home)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Viewpoint:
    """How a result is viewed."""

    chosen: Mapping[str, str | float] = field(default_factory=dict)  # By control
    data: StudyData | None = None  # The tables, if loaded
    standing: CampaignStanding | None = None
    short: bool = False  # Whether long tables are cut, as in the report
    page: bool = False  # Whether controls can be drawn

    def text(self, name: str, options: Iterable[str], default: str | None = None) -> str:
        """Return the chosen option, else `default`, else the first."""
        among = list(options)
        said = str(self.chosen.get(name, ""))
        return said if said in among else (default if default in among else among[0])

    def number(self, name: str, default: float) -> float:
        """Return the chosen number."""
        return float(self.chosen.get(name, default))


def beside_alc(
    name: str, column: MeasureColumn, look: Viewpoint, standing: CampaignStanding
) -> Iterator[Block]:
    """Yield a measure against ALC, and a link to the clicked attack."""
    overview = standing.overview
    there = {str(number): number for number in overview.results["number"].tolist()}
    picked = there.get(str(look.chosen.get("picked", "")))
    shown = overview.results, overview.scoring
    yield Figure(
        name, lambda: measure_scatter(*shown, column=column, selected=picked), picks="picked"
    )
    if picked is None:
        yield Text("Click an attack to open it.", quiet=True)
    else:
        yield Way(Place.ATTACK, f"Open attack {count(picked)}", picked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """A further file to write or save."""

    option: str
    file: str
    help: str
    make: Callable[[Sequence[Any]], str]
    title: str = ""  # On the page; empty for commands only
    page_help: str = ""


Found = TypeVar("Found")

# Yields the results for one release
Measuring = Callable[[Release, Reporter], Iterable[Found]]


class Study(ABC, Generic[Found]):
    """A measurement of releases as a whole.

    A campaign's file keeps only :meth:`keepable`, without each person's risk; the same blocks show
    both.
    """

    name: ClassVar[str]  # On the command line and in addresses
    title: ClassVar[str]
    sentence: ClassVar[str]  # The question it answers
    explanation: ClassVar[str] = ""  # How to read the answer, in two sentences
    methods: ClassVar[str] = ""  # Its section of docs/methods.md
    icon: ClassVar[str] = ":material/analytics:"
    button: ClassVar[str] = "Measure"
    needs: ClassVar[tuple[Need, ...]] = (Need.ORIGINAL, Need.RELEASE)
    takes: ClassVar[tuple[Takes, ...]] = ()
    parameters: ClassVar[tuple[Asked, ...]] = ()
    kept: ClassVar[KeptResults[Any] | None] = None  # None if no file keeps results
    section: ClassVar[str] = "studies"  # Of the report
    unmeasured: ClassVar[str] = ""  # The report's text without a result
    extras: ClassVar[tuple[Extra, ...]] = ()
    gathers: ClassVar[bool] = True  # Whether a page keeps earlier results
    costs: ClassVar[str] = ""  # How long a run takes, for the page
    goes_on: ClassVar[str] = ""  # Label of the button to continue; empty if impossible
    parts: ClassVar[tuple[Study[Any], ...]] = ()  # Smaller studies that belong to it
    example: ClassVar[str] = ""  # Of its command

    def measuring(self, data: StudyData, given: Given) -> Measuring[Found]:
        """Prepare what releases share; return what measures one."""
        raise NotImplementedError

    def run(self, data: StudyData, given: Given, reporter: Reporter) -> Sequence[Found]:
        """Measure all releases, one by one unless overridden.

        Raises
        ------
        AlcError
            If tables or parameters do not allow it.
        CancelledError
            If cancelled.
        """
        measure, found = self.measuring(data, given), list[Found]()
        for name, release in data.releases.items():
            found += measure(release.renamed(name), reporter.of(name))
        return found

    @abstractmethod
    def blocks(self, found: Found, look: Viewpoint) -> Iterable[Block]:
        """Show a result."""

    def label(self, found: Found) -> str:
        """Name a result."""
        return str(getattr(found, "release", self.title))

    def side_by_side(self, found: Sequence[Found]) -> Iterable[Block]:  # noqa: ARG002
        """Show all results together, above each of them."""
        return ()

    def further(self, look: Viewpoint) -> Iterable[Block]:  # noqa: ARG002
        """Show what follows all results on the page."""
        return ()

    def refusal(self, release: Release) -> str:  # noqa: ARG002
        """Say why a release cannot be measured; empty if it can."""
        return ""

    def nothing(self, data: StudyData) -> str:  # noqa: ARG002
        """Say why there is no result."""
        return "Nothing was found."

    def suggest(self, data: StudyData, given: Given) -> Given:
        """Return given values, else suggest "unknown" and "known" columns."""
        names = {parameter.name for parameter in self.parameters}
        if not {"unknown", "known"} <= names or given.get("unknown"):
            return given
        unknown, known = data.suggested()
        several = next(p for p in self.parameters if p.name == "unknown").kind is Kind.COLUMNS
        chosen: Any = (unknown,) if several and unknown else unknown
        kept = tuple(c for c in given.get("known", ()) if c != unknown)
        return {**given, "unknown": chosen, "known": kept or known}

    def choices(self, asked: Asked, data: StudyData, given: Given) -> Sequence[str]:  # noqa: ARG002
        """Return a parameter's possible values; empty if free."""
        return asked.choices

    def check(self, data: StudyData, given: Given) -> None:
        """Refuse what does not fit together."""

    def keepable(self, found: Found) -> Any:
        """Return the part of a result a file may keep."""
        return found

    def plain(self, found: Found) -> Any:
        """Return a result as plain values for JSON."""
        return to_plain(self.keepable(found))


def usual_values(study: Study[Any]) -> dict[str, Any]:
    """Return a study's default values."""
    return {each.name: each.start for each in study.parameters}


def checked(study: Study[Any], data: StudyData, given: Given) -> None:
    """Refuse values out of bounds, missing columns and misfits."""
    for parameter in study.parameters:
        value = given[parameter.name]
        if parameter.kind is Kind.VALUE and value is not None:
            parameter.check(value)
        if value and parameter.kind in (Kind.COLUMN, Kind.COLUMNS):
            data.original.require(*(value if parameter.kind is Kind.COLUMNS else [value]))
    if Need.RELEASE in study.needs and not data.releases:
        raise InputError(f"{study.title} needs another kind of release. Add one.")
    if data.missing and Takes.MISSING in study.takes:
        check_missing(data.original, dict(data.missing))
    study.check(data, given)


def result_blocks(study: Study[Any], found: Sequence[Any], look: Viewpoint) -> Iterator[Block]:
    """Yield all results in turn, for terminal and report."""
    yield from study.side_by_side(found)
    for each in found:
        yield Heading(study.label(each))
        yield from study.blocks(each, look)
