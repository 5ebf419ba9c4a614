"""The same attacks in two campaigns: what changed beyond both intervals."""

from __future__ import annotations

import enum
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from alc_core.campaign.findings.subsets import standings, subset_pairs
from alc_core.campaign.findings.view import CampaignLike, CampaignView, viewed
from alc_core.campaign.model import PlannedAttack
from alc_core.errors import InputError
from alc_core.measures.measure import Measured
from alc_core.phrasing import alc_number, count, numbered
from alc_core.present.blocks import Block, Grid, Text
from alc_core.present.notebook import InNotebook
from alc_core.present.renderers import terminal_text
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import EXIT_CODES, OUTCOMES, Outcome, Perhaps, Verdict, perhaps


class Change(enum.StrEnum):
    """What became of an attack."""

    WORSE = "worse"  # Its new interval lies above the old one
    BETTER = "better"
    ALIKE = "alike"  # The intervals overlap
    UNKNOWN = "no result"  # A campaign has no usable result


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedAttack:
    """An attack of two campaigns, with the ALC that decides in each."""

    change: Change
    release: str  # As in the new campaign
    attack: str
    unknown: str
    known: tuple[str, ...]
    old: Measured | None
    new: Measured | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignChanges(InNotebook):
    """Differences between two campaigns, the worst change first.

    Examples
    --------
    >>> import alc_core as alc
    >>> print(alc.compare_campaigns("review.alc", "review.alc").exit_code)
    0
    """

    format: Literal["alc-compare/1"] = "alc-compare/1"
    scoring: ScoringParameters  # Of both
    attacks: tuple[ChangedAttack, ...]
    only_old: int  # Attacks only the old campaign has
    only_new: int
    same_original: bool = True  # Whether both have the same people

    def number_of(self, change: Change) -> int:
        """How many attacks changed so."""
        return sum(each.change is change for each in self.attacks)

    @property
    def outcome(self) -> Outcome:
        """Whether anything got worse, or is not known."""
        if self.number_of(Change.WORSE):
            return Outcome.FOUND
        known = len(self.attacks) - self.number_of(Change.UNKNOWN)
        return Outcome.PASSED if known == len(self.attacks) > 0 else Outcome.INCONCLUSIVE

    @property
    def exit_code(self) -> int:
        """0 if nothing got worse, 1 if something did, 3 if unknown."""
        return EXIT_CODES[self.outcome]

    @property
    def why(self) -> str:
        """What decides its outcome, in a few words."""
        if not self.attacks:
            return "no attack is in both reviews"
        if worse := self.number_of(Change.WORSE):
            return f"{numbered(worse, 'attack')} got worse"
        number = self.number_of(Change.UNKNOWN)
        have = "has" if number == 1 else "have"
        return f"{numbered(number, 'attack')} {have} no result in one review"

    def text(self) -> str:
        """Return what changed, as lines to read."""
        return terminal_text(self.blocks())

    def blocks(self) -> Iterator[Block]:
        """Yield what to show."""
        numbers = ", ".join(f"{count(self.number_of(each))} {each}" for each in Change)
        yield Text(f"{numbered(len(self.attacks), 'attack')} in both: {numbers}.")
        if not self.same_original:
            yield Text("The originals differ, which may explain changes.")
        if self.only_old or self.only_new:
            yield Text(
                f"Not compared: {numbered(self.only_old, 'attack')} only in the old, "
                f"{count(self.only_new)} only in the new review."
            )
        shown = [each for each in self.attacks if each.change is not Change.ALIKE]
        if shown:
            yield Grid(
                header=("Change", "Old ALC", "New ALC", "Release", "Unknown", "Attack", "Known"),
                rows=tuple(
                    (each.change.value, _shown(each.old), _shown(each.new), each.release,
                     each.unknown, each.attack, ", ".join(each.known))
                    for each in shown
                ),
                alt="Attacks that changed.",
            )  # fmt: skip


def _shown(found: Measured | None) -> str:
    if found is None:
        return "none"
    value, low, high = map(alc_number, (found.value, *found.interval))
    return f"{value} ({low} to {high})"


def compare_campaigns(
    old: CampaignLike, new: CampaignLike, scoring: ScoringParameters | None = None
) -> CampaignChanges:
    """Compare the attacks two campaigns share, under one scoring.

    An attack is the same if columns, people, name and release are. The release's name does not
    matter if each campaign has only one.

    Parameters
    ----------
    old, new : CampaignView, CampaignStore, path or str
    scoring : ScoringParameters, optional
        By default that of the new one.

    Returns
    -------
    CampaignChanges
        `attacks` has each one's change ("worse", "better", "alike", "no result"), the worst first.

    Raises
    ------
    InputError
        If they share no attack, or a file cannot be read.

    Examples
    --------
    >>> compare_campaigns("review.alc", "review.alc").exit_code
    0
    """
    with viewed(old) as then, viewed(new) as now:
        then.store.check_whole()
        now.store.check_whole()
        return _changes(then, now, scoring or now.settings.scoring)


def _changes(old: CampaignView, new: CampaignView, scoring: ScoringParameters) -> CampaignChanges:
    by_name = len(old.attacked_releases) > 1 or len(new.attacked_releases) > 1
    before, after = (_by_key(each, by_name=by_name) for each in (old, new))
    done = [{attack.number for attack in view.tested} for view in (old, new)]
    both = {
        key
        for key in before.keys() & after.keys()
        if before[key].number in done[0] and after[key].number in done[1]
    }
    then, now = (
        _standings(view, [keyed[key] for key in keyed if key in both], scoring)
        for view, keyed in ((old, before), (new, after))
    )
    attacks = []
    for key, attack in after.items():
        if key not in before:
            continue
        was, stands = then.get(before[key].number), now.get(attack.number)
        attacks.append(
            ChangedAttack(
                change=_change(was, stands),
                release=attack.release,
                attack=attack.attack,
                unknown=attack.scenario.wanted,
                known=tuple(attack.scenario.known),
                old=was.found if was else None,
                new=stands.found if stands else None,
            )
        )
    if not attacks:
        raise InputError("The reviews share no attack. Run it with --like OLD.alc.")
    order = (Change.WORSE, Change.UNKNOWN, Change.BETTER, Change.ALIKE)
    attacks.sort(key=lambda each: (order.index(each.change), -_rise(each)))
    return CampaignChanges(
        scoring=scoring,
        attacks=tuple(attacks),
        only_old=len(before.keys() - after.keys()),
        only_new=len(after.keys() - before.keys()),
        same_original=(old.settings.original.fingerprint == new.settings.original.fingerprint),
    )


def _by_key(view: CampaignView, *, by_name: bool) -> Mapping[Hashable, PlannedAttack]:
    found: dict[Hashable, PlannedAttack] = {}
    for attack in view.judged:
        plain = attack.scenario.to_dict()
        people = {name: value for name, value in plain["targets"].items() if name != "missing"}
        asked = {**plain, "known": sorted(attack.scenario.known), "targets": people}
        found[repr(asked), attack.attack, attack.release if by_name else ""] = attack
    return found


@dataclass(frozen=True, slots=True)
class _Standing:
    found: Measured | None  # None if nothing is left to learn
    understated: bool  # It did not converge, or did not use a column


def _standings(
    view: CampaignView, shared: Sequence[PlannedAttack], scoring: ScoringParameters
) -> Mapping[int, _Standing]:
    """Return attacks' standings; subset attacks count only with a result in both campaigns."""
    stands = standings(view.rescored(scoring), subset_pairs(shared))
    columns = (stands.numbers, stands.outcome, stands.alc, stands.low, stands.high)
    found = {}
    for number, code, alc, low, high in zip(*(each.tolist() for each in columns), strict=True):
        standing = OUTCOMES[code]
        left_open = perhaps(standing, alc, low, high, scoring)
        found[number] = _Standing(
            None if standing == Verdict.NOT_TESTABLE else Measured(value=alc, low=low, high=high),
            standing == Verdict.NOT_CONVERGED or left_open is Perhaps.UNMATCHED,
        )
    return found


def _change(old: _Standing | None, new: _Standing | None) -> Change:
    if old is None or new is None:
        return Change.UNKNOWN
    if old.found is None or new.found is None:
        return Change.ALIKE if old.found is new.found else Change.UNKNOWN
    # 0 or less means no loss
    (old_low, old_high), (new_low, new_high) = old.found.interval, new.found.interval
    if new_low > max(old_high, 0.0):
        return Change.UNKNOWN if old.understated else Change.WORSE
    if new.understated:
        return Change.UNKNOWN
    return Change.BETTER if old_low > max(new_high, 0.0) else Change.ALIKE


def _rise(attack: ChangedAttack) -> float:
    return 0.0 if attack.old is None or attack.new is None else attack.new.value - attack.old.value
