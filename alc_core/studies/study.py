"""What a study is: a measurement of releases as a whole, which plugs in.

A study says what it needs, which parameters it has, measures, and shows what it found as blocks.
Its page, its command, its place in a campaign's file and in the report follow from that.
"""

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

# Values of parameters by name: tuples of columns or texts, None where nothing is said
Given = Mapping[str, Any]


class Need(enum.StrEnum):
    """What a study cannot do without."""

    ORIGINAL = "an original"
    RELEASE = "a release"
    HOLDOUT = "a holdout of other people"
    CAMPAIGN = "a campaign"


class Takes(enum.StrEnum):
    """What a study makes use of besides its parameters, where it is there."""

    HOLDOUT = "holdout"  # People who are in neither table
    SETS = "sets"  # What labels stand for, as the user says
    MISSING = "missing"  # Which values mean that there is none
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
    """A parameter of a study.

    Attributes
    ----------
    kind : Kind
        What its values are; the type of `default` tells it of single ones.
    required : bool
        Whether the command has to name it, as nothing can be suggested.
    optional : bool
        Whether nothing may be said, which is None; `usual` says what that means.
    usual : str
        What holds where nothing is said, in words.
    titles : mapping of str to str
        What each choice is called on pages.
    where : str
        "both", or "page" or "command" for what only one of them asks for.
    apart : bool
        Whether the page shows it among the settings that few change.
    metavar : str
        On the command line.
    """

    default: Value = ""
    kind: Kind = Kind.VALUE
    required: bool = False
    optional: bool = False
    usual: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)
    where: str = "both"
    apart: bool = False
    metavar: str = ""

    @property
    def start(self) -> Any:
        """The value where nothing is said."""
        if self.kind in (Kind.COLUMNS, Kind.TEXTS):
            return ()
        return None if self.optional or self.kind is Kind.COLUMN else self.default


def asked_as(parameter: Parameter, **changes: Any) -> Asked:
    """Return a parameter that is described elsewhere as one of a study."""
    own = {each.name: getattr(parameter, each.name) for each in fields(parameter)}
    return Asked(**own, **changes)


UNKNOWN = Asked(
    name="unknown", title="Unknown column", kind=Kind.COLUMN, required=True,
    help="The column that the attacker wants to learn.",
)  # fmt: skip
KNOWN = Asked(
    name="known", title="Known columns", kind=Kind.COLUMNS, required=True,
    help='Columns that the attacker knows, such as age,sex. Quote a name with a comma: "a, b".',
)  # fmt: skip
# How many attacks of the campaign a study runs again
MOST = Asked(
    name="most", title="Attacks for each release, at most", default=20, low=1, high=1000, step=10,
    help="The worst by ALC.",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CampaignStanding:
    """A campaign, and where its attacks stand under the parameters in force."""

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
        """Return the numbers of finished attacks on a release, of all or of certain facts."""
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
    """What a study is given besides its parameters."""

    table: Table | None = None  # The original; see :attr:`original`
    releases: Mapping[str, Release] = field(default_factory=dict)  # Those it accepts, by name
    holdout: Table | None = None
    roles: Roles = field(default_factory=Roles)
    start: Scenario | None = None  # What demo data suggest to attack
    missing: Mapping[str, Sequence[str]] | None = field(default_factory=dict)
    person: str | None = None
    household: Household = None
    seed: int = 0
    accept: Collection[str] = ()
    tell: FindingsCallback | None = None  # Is told what the check found
    standing: CampaignStanding | None = None  # The campaign of these tables
    page: bool = False  # Whether a page asks, where whatever is suggested can be seen
    before: Sequence[Any] = ()  # What was found earlier, where a study goes on from there

    @property
    def original(self) -> Table:
        """The original, which must be there."""
        if self.table is None:
            raise InputError("There is no original table yet. Add one.")
        return self.table

    @property
    def others(self) -> Table:
        """The holdout, which must be there."""
        if self.holdout is None:
            raise InputError("There is no holdout yet. Add one.")
        return self.holdout

    @property
    def campaign(self) -> CampaignStanding:
        """The campaign of these tables, which must be there."""
        if self.standing is None:
            raise InputError("There is no campaign yet. Run one.")
        return self.standing

    @property
    def released(self) -> frozenset[str]:
        """All columns that a release has."""
        return frozenset().union(*map(released_columns, self.releases.values()))

    @property
    def possible(self) -> list[str]:
        """The columns that can be known or learned."""
        return [] if self.table is None else list(self.table.compared)

    def suggested(self) -> tuple[str | None, tuple[str, ...]]:
        """Return the unknown column that is suggested, and the known ones."""
        start = None if self.start is None else (self.start.unknown, self.start.known)
        attackable = attackable_columns(self.original)
        return suggested_attack(self.original, self.roles, attackable, start)

    def scenario(
        self, known: Sequence[str], unknown: str | None, *, person: bool = True
    ) -> Scenario:
        """Return a scenario of columns, with what is said of missing values and of people."""
        if not unknown:
            raise ColumnError("No unknown column is chosen. Choose the one to protect.")
        known = [column for column in known if column != unknown]
        said = self.missing
        missing = None if said is None else {name: tuple(values) for name, values in said.items()}
        used, targets = (unknown, *known), Targets(missing=missing)
        who = self.person if person and self.person not in used else None
        home = self.household if person and self.household not in used else None
        return Scenario(known, unknown, targets=targets, person=who, household=home)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Viewpoint:
    """From where a result is looked at: what was chosen, what lies beside it."""

    chosen: Mapping[str, str | float] = field(default_factory=dict)  # By the names of controls
    data: StudyData | None = None  # The tables, where they are there
    standing: CampaignStanding | None = None
    short: bool = False  # Whether long tables are cut, as in the report
    page: bool = False  # Whether controls can be drawn

    def text(self, name: str, options: Iterable[str], default: str | None = None) -> str:
        """Return which of some options is chosen: the first, or `default`, where none is."""
        among = list(options)
        said = str(self.chosen.get(name, ""))
        return said if said in among else (default if default in among else among[0])

    def number(self, name: str, default: float) -> float:
        """Return the number that is chosen."""
        return float(self.chosen.get(name, default))


def beside_alc(
    name: str, column: MeasureColumn, look: Viewpoint, standing: CampaignStanding
) -> Iterator[Block]:
    """Show a measure of a campaign's attacks against their ALC, and the way to the one clicked."""
    overview = standing.overview
    there = {str(number): number for number in overview.results["number"].tolist()}
    picked = there.get(str(look.chosen.get("picked", "")))
    shown = overview.results, overview.scoring
    yield Figure(
        name, lambda: measure_scatter(*shown, column=column, selected=picked), picks="picked"
    )
    if picked is None:
        yield Text("Each mark is an attack of the campaign. Click one to open it.", quiet=True)
    else:
        yield Way(Place.ATTACK, f"Open attack {count(picked)}", picked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """A further file that a command can write of what was found, and a page can save."""

    option: str
    file: str
    help: str
    make: Callable[[Sequence[Any]], str]  # Of all that was found
    title: str = ""  # On the page; empty for the command alone
    page_help: str = ""


Found = TypeVar("Found")

# Measures a release, and yields what it finds; the reporter says of which release it is
Measuring = Callable[[Release, Reporter], Iterable[Found]]


class Study(ABC, Generic[Found]):
    """A measurement of releases as a whole.

    What it finds may hold more than a file may keep, such as each person's risk; :meth:`keepable`
    is what goes into a campaign's file. Both are shown by the same blocks.

    Attributes
    ----------
    name : str
        On the command line, in addresses.
    title, sentence : str
        What it is called, and what it answers, in a sentence.
    explanation : tuple of str
        Paragraphs of Markdown: what it measures and how to read it.
    icon, button : str
        Of the page.
    needs : tuple of Need
        What it cannot do without.
    takes : tuple of Takes
        What it makes use of where it is there.
    parameters : tuple of Asked
        In the order of page and command.
    kept : KeptResults or None
        Where a campaign's file keeps results; None if it does not.
    section : str
        The report's section that shows them.
    unmeasured : str
        What the report says where nothing was measured.
    extras : tuple of Extra
        Further files of what was found.
    gathers : bool
        Whether a page keeps what was found before another run.
    costs : str
        What a run takes, in a sentence of the page.
    goes_on : str
        Label of a button that runs it on from what was found; empty if it cannot.
    parts : tuple of Study
        Smaller studies that belong to it: examples.
    example : str
        Of its command.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    explanation: ClassVar[tuple[str, ...]] = ()
    icon: ClassVar[str] = ":material/analytics:"
    button: ClassVar[str] = "Measure"
    needs: ClassVar[tuple[Need, ...]] = (Need.ORIGINAL, Need.RELEASE)
    takes: ClassVar[tuple[Takes, ...]] = ()
    parameters: ClassVar[tuple[Asked, ...]] = ()
    kept: ClassVar[KeptResults[Any] | None] = None
    section: ClassVar[str] = "studies"
    unmeasured: ClassVar[str] = ""
    extras: ClassVar[tuple[Extra, ...]] = ()
    gathers: ClassVar[bool] = True
    costs: ClassVar[str] = ""
    goes_on: ClassVar[str] = ""
    parts: ClassVar[tuple[Study[Any], ...]] = ()
    example: ClassVar[str] = ""

    def measuring(self, data: StudyData, given: Given) -> Measuring[Found]:
        """Prepare what all releases share, and return what measures one of them."""
        raise NotImplementedError

    def run(self, data: StudyData, given: Given, reporter: Reporter) -> Sequence[Found]:
        """Measure all releases; the base measures them one by one, by :meth:`measuring`.

        Raises
        ------
        AlcError
            If tables and parameters do not allow it; see also :meth:`check`.
        CancelledError
            If the reporter says so.
        """
        measure, found = self.measuring(data, given), list[Found]()
        for name, release in data.releases.items():
            found += measure(release.renamed(name), reporter.of(name))
        return found

    @abstractmethod
    def blocks(self, found: Found, look: Viewpoint) -> Iterable[Block]:
        """Show a result, of this session or of a file."""

    def label(self, found: Found) -> str:
        """Say which result it is."""
        return str(getattr(found, "release", self.title))

    def side_by_side(self, found: Sequence[Found]) -> Iterable[Block]:  # noqa: ARG002
        """Show results beside each other, above each of them; also a single one."""
        return ()

    def further(self, look: Viewpoint) -> Iterable[Block]:  # noqa: ARG002
        """Show on the page what stands below all results, even where there is none yet."""
        return ()

    def refusal(self, release: Release) -> str:  # noqa: ARG002
        """Say why a release cannot be measured; empty where it can."""
        return ""

    def nothing(self, data: StudyData) -> str:  # noqa: ARG002
        """Say why nothing was found, where nothing was."""
        return "Nothing was found."

    def suggest(self, data: StudyData, given: Given) -> Given:
        """Return given values with columns suggested where none is said.

        The base takes "unknown" and "known" as what an attacker learns and knows.
        """
        names = {parameter.name for parameter in self.parameters}
        if not {"unknown", "known"} <= names or given.get("unknown"):
            return given
        unknown, known = data.suggested()
        several = next(p for p in self.parameters if p.name == "unknown").kind is Kind.COLUMNS
        chosen: Any = (unknown,) if several and unknown else unknown
        kept = tuple(c for c in given.get("known", ()) if c != unknown)
        return {**given, "unknown": chosen, "known": kept or known}

    def choices(self, asked: Asked, data: StudyData, given: Given) -> Sequence[str]:  # noqa: ARG002
        """Return the values that a parameter can have as things are; empty where it is free."""
        return asked.choices

    def check(self, data: StudyData, given: Given) -> None:
        """Refuse before it runs what does not fit together."""

    def keepable(self, found: Found) -> Any:
        """Return what of a result a file may keep."""
        return found

    def plain(self, found: Found) -> Any:
        """Return a result as plain values for JSON."""
        return to_plain(self.keepable(found))


def usual_values(study: Study[Any]) -> dict[str, Any]:
    """Return the values of a study's parameters where nothing is said."""
    return {each.name: each.start for each in study.parameters}


def checked(study: Study[Any], data: StudyData, given: Given) -> None:
    """Refuse values out of bounds, columns that are not there, and what does not fit together."""
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
    """Yield all results one below the other, as a terminal and the report show them."""
    yield from study.side_by_side(found)
    for each in found:
        yield Heading(study.label(each))
        yield from study.blocks(each, look)
