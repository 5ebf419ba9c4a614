"""Quick or thorough: what each means for a plan, the same for page and command."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from alc_core.attacks.record_linkage import RecordLinkage
from alc_core.attacks.registry import attack_types, model_attack, refusal, usual_attacks
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.campaign.plan.settings import PlanSettings
from alc_core.releases.release import Release


class Effort(enum.StrEnum):
    """How much a campaign tries."""

    QUICK = "quick"
    THOROUGH = "thorough"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tries:
    """What a campaign of an effort tries."""

    # Whether a model is trained on rows of people and they are linked, besides the usual attacks
    model: bool
    known_sets: int  # Smallest sets of facts that single people out, for each unknown column
    people: int | None  # How many are attacked; None for as many as the measures need


EFFORTS: Mapping[Effort, Tries] = {
    Effort.QUICK: Tries(model=False, known_sets=PlanSettings().known_sets, people=None),
    Effort.THOROUGH: Tries(model=True, known_sets=4, people=5000),
}


def effort_attacks(effort: Effort, releases: Iterable[Release]) -> tuple[str, ...]:
    """Return the attacks that an effort runs on releases: all usual ones, and two more or none."""
    published = list(releases)
    run = {name for release in published for name in usual_attacks(release)}
    models = [name for name, found in attack_types().items() if found.fits_model][:1]
    more = {*models, RecordLinkage.name} & {*attack_types()}
    for name in more if EFFORTS[effort].model else ():
        if not all(refusal(attack_types()[name].accepts, release) for release in published):
            run.add(name)
    return tuple(name for name in attack_types() if name in run)


def plan_model(
    attacks: Sequence[PlannedAttack], releases: Collection[str]
) -> tuple[PlannedAttack, ...]:
    """Plan a model in every scenario in which some releases were attacked without one."""
    first = max((attack.number for attack in attacks), default=-1) + 1
    counted = (each for each in attacks if each.kind is not KnownSetKind.ONE_LESS)
    asked = {(a.release, a.scenario.key): a for a in counted if a.release in releases}
    return tuple(
        replace(attack, number=number, attack=model_attack())
        for number, attack in enumerate(asked.values(), first)
    )


def with_effort(
    settings: PlanSettings, effort: Effort, releases: Iterable[Release]
) -> PlanSettings:
    """Return settings with the attacks, smallest sets and number of people of an effort.

    Who asked for no smallest sets still gets none.
    """
    tries = EFFORTS[effort]
    return replace(
        settings,
        attacks=effort_attacks(effort, releases),
        only_on={},
        known_sets=settings.known_sets and tries.known_sets,
        targets=replace(settings.targets, count=tries.people),
    )
