"""What a review adds to a campaign's file, typed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from alc_core.campaign.file.file_errors import content_errors
from alc_core.campaign.file.records import identity_of
from alc_core.campaign.file.store import ADDED_LATER, SKIPPED, CampaignReader, CampaignStore
from alc_core.campaign.model import KnownSetKind, LeftOut
from alc_core.campaign.plan.settings import PlanSettings
from alc_core.errors import CampaignMismatchError
from alc_core.linked.events import events_of
from alc_core.measures.measure import Measured
from alc_core.measures.registry import measures
from alc_core.plain_values import from_plain, to_plain
from alc_core.scenario.derived import base_columns
from alc_core.scenario.relations import Relation
from alc_core.tables.checks.facts import FactKind, FileFacts, Weight
from alc_core.tables.names import Names
from alc_core.tables.roles import Roles

if TYPE_CHECKING:
    from alc_core.campaign.plan.planner import CampaignPlan


Key = TypeVar("Key", int, str)
Content = TypeVar("Content")


_KINDS: list[Annotations[Any, Any]] = []


def read_all(store: CampaignReader) -> None:
    """Read all kinds of annotations."""
    for kind in _KINDS:
        kind.read(store)


@dataclass(frozen=True, slots=True)
class Annotations(Generic[Key, Content]):
    """One kind of annotation, such as decisions by attack."""

    kind: str  # Its name in the file and in messages
    key: type[Key]  # Type of the keys
    content: type[Content]  # What is kept under a key, such as a dataclass
    # Whether a campaign can hold this, such as an attack's number
    belongs: Callable[[CampaignReader, Key, Content], bool] | None = None

    def __post_init__(self) -> None:
        _KINDS.append(self)

    def read(self, store: CampaignReader) -> dict[Key, Content]:
        """Return all of the kind, in key order."""
        found = {}
        for key, plain in store.annotations(self.kind).items():
            with content_errors(store.path, f"{self.kind} '{key}'"):
                of, content = self.key(key), from_plain(plain, self.content)
                if self.belongs and not self.belongs(store, of, content):
                    raise ValueError
                found[of] = content
        return dict(sorted(found.items()))

    def keep(self, store: CampaignStore, key: Key, content: Content) -> None:
        """Keep content, replacing the key's earlier one."""
        store.annotate(self.kind, str(key), to_plain(content))

    def keep_all(self, store: CampaignStore, found: Mapping[Key, Content]) -> None:
        """Keep several things, each by its key."""
        for key, content in found.items():
            self.keep(store, key, content)

    def remove(self, store: CampaignStore, key: Key) -> None:
        """Remove a key, if present."""
        store.annotate(self.kind, str(key), None)


Result = TypeVar("Result")


class KeptResults(Generic[Result]):
    """Results measured beside the attacks, in the campaign's file.

    They have their original's `fingerprint`. A later one replaces that of the same key, by default
    the release's name.
    """

    def __init__(
        self, kind: str, of: type[Result], *, key: Callable[[Any], str] = attrgetter("release")
    ) -> None:
        self.key = key
        self._annotations: Annotations[str, Result] = Annotations(kind, str, of)

    def keep(self, store: CampaignStore, found: Result) -> None:
        """Keep a result; refuse one of other tables."""
        if not self.is_of(store, found):
            raise CampaignMismatchError(f"This result is not of '{store.path}'. Measure again.")
        self._put(store, found)

    def read(self, store: CampaignReader) -> dict[str, Result]:
        """Return the results in the file, by :attr:`key`."""
        return self._annotations.read(store)

    def is_of(self, store: CampaignReader, found: Any) -> bool:
        """Return whether a result is of the campaign's tables."""
        return bool(found.fingerprint == store.settings.original.fingerprint)

    def _put(self, store: CampaignStore, found: Result) -> None:
        self._annotations.keep(store, self.key(found), found)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredLater:
    """A measure's numbers, taken by a review of a finished attack."""

    number: int  # Of the attack
    measure: str
    numbers: dict[str, Measured]


def _can_be_measured(store: CampaignReader, _: str, found: MeasuredLater) -> bool:
    known = measures().get(found.measure)
    if known is None or not store.has_attack(found.number):
        return False
    bounds = {each.name: each.bounds for each in known.numbers}
    return found.numbers.keys() == bounds.keys() and all(
        low <= each.value <= high for (low, high), each in
        ((bounds[name], numbers) for name, numbers in found.numbers.items())
    )  # fmt: skip


_LATER: Annotations[str, MeasuredLater] = Annotations(
    "measured", str, MeasuredLater, belongs=_can_be_measured
)


def keep_measured(store: CampaignStore, found: MeasuredLater) -> None:
    """Keep numbers, replacing those of the same measure and attack."""
    _LATER.keep(store, f"{found.measure} {found.number}", found)


def measured_later(store: CampaignReader) -> tuple[MeasuredLater, ...]:
    """Return the numbers that a review took of finished attacks."""
    return tuple(_LATER.read(store).values())


# Columns that determine others in the original, by the latter
_RELATIONS: Annotations[str, tuple[Relation, ...]] = Annotations(
    "relations",
    str,
    tuple[Relation, ...],
    belongs=lambda store, unknown, found: all(
        base_columns((unknown, *each.columns), store.settings.kinds) <= store.settings.kinds.keys()
        and 0 <= each.share <= 1
        for each in found
    ),
)
keep_relations, kept_relations = _RELATIONS.keep_all, _RELATIONS.read


@dataclass(frozen=True, slots=True)
class Single(Generic[Content]):
    """The only one of its kind in a file."""

    of: Annotations[str, Content]  # Its kind
    key: str  # Under which it is kept
    # The default; keeping None removes it
    absent: Content

    def read(self, store: CampaignReader) -> Content:
        """Return it."""
        return self.of.read(store).get(self.key, self.absent)

    def keep(self, store: CampaignStore, content: Content) -> None:
        """Keep it, unless the file holds or defaults to it."""
        if content != self.read(store):
            self.of.keep(store, self.key, content)


# Codes of the check's questions accepted before any run
_ACCEPTED = Single(Annotations("run", str, tuple[str, ...]), "accepted", ())
accepted_codes = _ACCEPTED.read


def keep_accepted(store: CampaignStore, codes: Collection[str]) -> None:
    """Keep accepted question codes besides earlier ones."""
    _ACCEPTED.keep(store, tuple(sorted({*accepted_codes(store), *codes})))


# Open questions about releases the last run left out, by release
_WAITING: Annotations[str, str] = Annotations(
    "waiting", str, str, belongs=lambda store, name, _: name in store.settings.releases
)
kept_waiting = _WAITING.read


def keep_waiting(store: CampaignStore, waiting: Mapping[str, str]) -> None:
    """Keep open questions, replacing earlier ones."""
    for name in kept_waiting(store).keys() - waiting.keys():
        _WAITING.remove(store, name)
    _WAITING.keep_all(store, waiting)


# The facts of each release's files, by the release's name
_FACTS: Annotations[str, tuple[FileFacts, ...]] = Annotations(
    "facts",
    str,
    tuple[FileFacts, ...],
    belongs=lambda store, release, _: release in store.settings.releases,
)
keep_facts, kept_facts = _FACTS.keep_all, _FACTS.read


def keep_right_original(store: CampaignStore, answers: Mapping[str, bool]) -> None:
    """Keep whether released files are of the right original."""
    for release, files in kept_facts(store).items():
        answered = tuple(
            replace(
                file,
                facts=tuple(
                    replace(fact, weight=Weight.CALM if answers[file.table] else Weight.ASK)
                    if fact.kind is FactKind.ORIGINAL and not file.shows_original
                    else fact
                    for fact in file.facts
                ),
            )
            if file.table in answers
            else file
            for file in files
        )
        if answered != files:
            _FACTS.keep(store, release, answered)


# What the file itself keeps of attacks
for _kind in (ADDED_LATER, SKIPPED):
    Annotations(_kind, int, bool, belongs=lambda store, number, _: store.has_attack(number))


# Names of columns and values by their codes
_NAMES = Single(Annotations("names", str, Names), "given", Names())
kept_names = _NAMES.read


def keep_names(store: CampaignStore, names: Names) -> None:
    """Keep names of columns and values by their codes."""
    if names:
        _NAMES.keep(store, names)


# The roles of columns with which a campaign was planned
_ROLES = Single(Annotations("roles", str, Roles), "planned", Roles())
kept_roles = _ROLES.read


def _is_of_campaign(store: CampaignReader, _: str, settings: PlanSettings) -> bool:
    settings.check()
    kinds = store.settings.kinds
    columns = base_columns((*settings.named_columns, *settings.roles), kinds)
    columns -= {*events_of(columns)}
    releases = {*(settings.attacked or ()), *itertools.chain(*settings.only_on.values())}
    return columns <= kinds.keys() and releases <= store.settings.releases.keys()


# The plan's settings; None if no single plan made the campaign
_PLANS: Annotations[str, Any] = Annotations("plan", str, PlanSettings, belongs=_is_of_campaign)
_PLANNED: Single[PlanSettings | None] = Single(_PLANS, "planned", None)
kept_settings = _PLANNED.read


# What was planned and left out to save time, by the release's name
_LEFT_OUT: Annotations[str, LeftOut] = Annotations(
    "left out", str, LeftOut, belongs=lambda store, name, _: name in store.settings.releases
)
kept_left_out = _LEFT_OUT.read


def keep_plan(store: CampaignStore, plan: CampaignPlan | None) -> None:
    """Keep the last plan's settings, if it makes all of it, and what is left out."""
    if plan is None:
        return
    if plan.roles.of_columns:
        _ROLES.keep(store, plan.roles)
    asked = {identity_of(attack) for attack in plan.attacks}
    own = (each for each in store.attacks if each.kind is not KnownSetKind.ONE_LESS)
    whole = all(identity_of(each) in asked for each in own)
    planned = plan.settings if whole else None
    _PLANNED.keep(store, planned)
    _keep_left_out(store, plan, anew=planned is not None and plan.left_out is not None)


def _keep_left_out(store: CampaignStore, plan: CampaignPlan, *, anew: bool) -> None:
    """Keep what a plan leaves out; earlier ones too, unless planned anew."""
    before = kept_left_out(store)
    found = {} if anew else {name: dict(each.attacks) for name, each in before.items()}
    minutes = {name: each.minutes for name, each in before.items()}
    for attack in plan.left_out or ():
        found.setdefault(attack.release, {})[identity_of(attack).hex()] = attack.kind
        minutes[attack.release] = plan.minutes
    there = {identity_of(attack).hex() for attack in store.attacks}
    left = {
        name: LeftOut(
            minutes=minutes[name],
            attacks={key: kind for key, kind in of.items() if key not in there},
        )
        for name, of in found.items()
        if not of.keys() <= there
    }
    for name in before.keys() - left.keys():
        _LEFT_OUT.remove(store, name)
    _LEFT_OUT.keep_all(store, left)
