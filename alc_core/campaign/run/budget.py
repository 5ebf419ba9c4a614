"""A time budget: the attacks of a plan that settle most and fit."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from alc_core.campaign.file.records import identity_of
from alc_core.campaign.model import KnownSetKind, PlannedAttack
from alc_core.campaign.plan.estimate import attack_costs, total_seconds
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.campaign.run.schedule import settling_first
from alc_core.errors import ParameterError
from alc_core.phrasing import count, numbered
from alc_core.releases.registry import ReleasesLike, as_releases
from alc_core.scenario.scenario import Scenario
from alc_core.tables.apart.read import TableLike, as_table


@dataclass(frozen=True, slots=True, kw_only=True)
class _Together:
    scenario: Scenario
    kind: KnownSetKind
    attacks: tuple[PlannedAttack, ...]


def within_budget(
    plan: CampaignPlan,
    original: TableLike,
    releases: ReleasesLike,
    minutes: int,
    *,
    processes: int,
    speed: float,
    begun: Collection[bytes] = (),
    finished: Collection[bytes] = (),
) -> CampaignPlan:
    """Return the part of a plan that fits a time budget, what settles most first.

    Attacks with the same unknown and known columns stay together.

    Parameters
    ----------
    plan : CampaignPlan
        From :func:`plan_campaign`.
    original, releases
        As for :func:`plan_campaign`.
    minutes : int
        At least 1. What settles most is kept even if it takes longer.
    processes : int
        Attacks that run at once.
    speed : float
        Of each process, relative to the machine of the measured costs.
    begun, finished : collection of bytes
        Identities of a campaign's attacks, which stay; finished ones take no time.

    Returns
    -------
    CampaignPlan
        Renumbered; `left_out` and `budget` describe the rest.

    Raises
    ------
    ParameterError
        If `minutes` is below 1.
    """
    if minutes < 1:
        raise ParameterError(f"{minutes} minutes run nothing. Allow at least 1.")
    table = as_table(original, name="original")
    to_run = [attack for attack in plan.attacks if identity_of(attack) not in finished]
    costs = attack_costs(to_run, table, as_releases(releases, table)) if to_run else {}
    scenarios: dict[str, list[PlannedAttack]] = {}
    for attack in plan.attacks:
        scenarios.setdefault(attack.scenario.key, []).append(attack)
    groups = settling_first(
        [
            _Together(scenario=own[0].scenario, kind=own[0].kind, attacks=tuple(own))
            for own in scenarios.values()
        ],
        table,
        plan.roles,
    )
    has_begun = {attack.number for attack in plan.attacks if identity_of(attack) in begun}
    groups.sort(key=lambda group: has_begun.isdisjoint(each.number for each in group.attacks))
    taken, seconds = set[int](), list[float]()
    for group in groups:
        numbers = {attack.number for attack in group.attacks}
        more = [*seconds, sum(costs.get(number, 0.0) for number in numbers)]
        fits = total_seconds(more, processes=processes, speed=speed) <= 60 * minutes
        if numbers & has_begun or fits or not any(seconds):
            taken |= numbers
            seconds = more
    if len(taken) == len(plan):
        return plan
    attacks = tuple(attack for attack in plan.attacks if attack.number in taken)
    fits = total_seconds(seconds, processes=processes, speed=speed) <= 60 * minutes
    runs = f"{count(len(taken & costs.keys()))} of {numbered(len(to_run), 'attack')}"
    said = (
        f"{runs} {'fit into' if fits else 'take longer than'} {numbered(minutes, 'minute')}: the "
        "most decisive. Run again for others."
    )
    return replace(
        plan,
        attacks=tuple(replace(each, number=number) for number, each in enumerate(attacks)),
        budget=said,
        left_out=tuple(attack for attack in plan.attacks if attack.number not in taken),
        minutes=minutes,
    )
