"""Who a campaign's attacks leave out because they have no value: named exactly, and never mixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.phrasing import listed
from alc_core.scenario.no_value import settled
from alc_core.scenario.scenario import Scenario, Targets
from alc_core.tables.table import Table

Named = tuple[str, ...] | None
"""Values that mean "no value"; None where nobody is left out."""


def settled_plan(plan: CampaignPlan, original: Table) -> CampaignPlan:
    """Return a plan whose scenarios name exactly the values that leave people out."""
    done: dict[str, Targets] = {}

    def targets_of(scenario: Scenario) -> Targets:
        key = repr((scenario.unknown, scenario.to_dict()["targets"]))
        if key not in done:
            done[key] = settled(scenario, original).selection
        return done[key]

    attacks = (
        replace(each, scenario=replace(each.scenario, targets=targets_of(each.scenario)))
        for each in plan.attacks
    )
    return replace(plan, attacks=tuple(attacks))


def people_differences(
    given: Sequence[PlannedAttack], recorded: Sequence[PlannedAttack]
) -> tuple[str, ...]:
    """Say where attacks leave out other people than those a campaign has of the same column."""
    before: dict[str, set[Named]] = {}
    for attack in recorded:
        before.setdefault(attack.scenario.unknown, set()).add(_named(attack.scenario))
    clauses = {}
    for attack in given:
        unknown, now = attack.scenario.unknown, _named(attack.scenario)
        if unknown in before and now not in before[unknown]:
            then = sorted(before[unknown], key=str)[0]
            clauses[unknown] = f"of '{unknown}', {_words(now)} instead of {_words(then)}"
    return tuple(clauses.values())


def _named(scenario: Scenario) -> Named:
    return None if scenario.selection.missing is None else scenario.markers


def _words(named: Named) -> str:
    if named is None:
        return "nobody is left out of the targets for want of a value"
    values = listed(["empty cells", *(f"'{value}'" for value in named)])
    return f"people with {values} are left out of the targets"
