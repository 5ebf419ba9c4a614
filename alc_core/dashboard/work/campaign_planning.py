"""Planning on the Attack page, and continuation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from alc_core.campaign.file.mismatch import people_differences
from alc_core.campaign.file.records import identity_of
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.plan.estimate import scenario_costs, seconds_now, speed_now, total_seconds
from alc_core.campaign.plan.planner import CampaignPlan, plan_campaign
from alc_core.campaign.plan.settings import Effort, with_effort
from alc_core.campaign.run.budget import within_budget
from alc_core.campaign.run.check import all_findings
from alc_core.dashboard.choices.plan import effort_of
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import PlanPreview
from alc_core.runtime.machine import available_threads
from alc_core.tables.checks.finding import Finding


def plan_preview(state: AppState, effort: Effort | None = None) -> PlanPreview:
    """Plan the chosen campaign, or with another effort."""
    inputs, releases = state.campaign_inputs(), list(state.attacked_releases().values())
    settings = inputs.settings
    if effort is not None:
        settings = with_effort(settings, effort, releases)
    choices, begun, finished = state.choices, frozenset[bytes](), frozenset[bytes]()
    minutes = choices.minutes if choices.mode == "many" else 0
    if minutes and state.campaign is not None and _is_as_chosen(state):
        view = state.campaign.view
        begun, finished = frozenset(map(identity_of, view.judged)), frozenset(_finished(view))
    key = (inputs.data, settings, minutes, begun, finished)
    speed = state.memo.remember(  # One for all efforts' cuts and times
        "speed", (inputs.data, minutes, begun, finished),
        lambda: speed_now(available_threads()) if minutes else None,
    )  # fmt: skip

    def plan() -> PlanPreview:
        original, processes = state.original_table(), available_threads()
        made = plan_campaign(original, releases, settings, data=state.encoded())
        if speed is not None:
            made = within_budget(
                made, original, releases, minutes, processes=processes, speed=speed,
                begun=begun, finished=finished,
            )  # fmt: skip
        return PlanPreview(key=key, plan=made, speed=speed)

    if effort is None:
        effort = effort_of(settings, releases)
    return state.memo.remember(("plan", effort), key, plan)


def seconds_to_run(state: AppState, preview: PlanPreview) -> float:
    """Estimate a run's time, without finished attacks."""
    goes_on, attacks = continuation(state, asked_plan(state, preview.plan)), preview.plan.attacks
    if state.campaign is not None and goes_on is not None and goes_on.kept:
        done = _finished(state.campaign.view)
        attacks = tuple(each for each in attacks if identity_of(each) not in done)
    releases = list(state.attacked_releases().values())
    costs = scenario_costs(attacks, state.original_table(), releases)
    processes = available_threads()
    if preview.speed is None:
        return seconds_now(costs, processes)
    return total_seconds(costs, processes=processes, speed=preview.speed)


def effort_seconds(state: AppState, chosen: Effort | None = None) -> dict[Effort, float]:
    """Estimate time by effort, never decreasing.

    The chosen effort's includes custom choices.
    """
    found = {
        effort: seconds_to_run(state, plan_preview(state, None if effort is chosen else effort))
        for effort in Effort
    }
    return {**found, Effort.THOROUGH: max(found.values())}


def campaign_findings(state: AppState, plan: CampaignPlan) -> tuple[Finding, ...]:
    """Return the check's findings on a plan, and the last run's questions."""
    found = all_findings(state.check().attacks(plan.attacks))
    return tuple(dict.fromkeys([*state.campaign_questions, *found]))


def asked_plan(state: AppState, plan: CampaignPlan) -> CampaignPlan:
    """Return the plan to run, joined to the last campaign.

    If tables, parameters, seed, people without a value and, for planned attacks, the number of
    people are equal.
    """
    campaign = state.campaign
    if campaign is None or not _is_as_chosen(state):
        return plan
    whole, many = campaign.whole_plan(), state.choices.mode == "many"
    there = {identity_of(attack) for attack in whole.attacks}
    added = [attack for attack in plan.attacks if identity_of(attack) not in there]
    if people_differences(added, whole.attacks):
        return plan
    if many and (_covers(plan, campaign.view) or not _people(added) <= _people(whole.attacks)):
        return plan
    return replace(whole, attacks=(*whole.attacks, *added), settings=None)


def _covers(plan: CampaignPlan, view: CampaignView) -> bool:
    """Return whether a plan has a campaign's attacks, except closer looks."""
    asked = {identity_of(attack) for attack in plan.attacks}
    return asked >= {identity_of(attack) for attack in view.judged}


def _people(attacks: Sequence[PlannedAttack]) -> set[str]:
    scenarios = (attack.scenario for attack in attacks)
    return {
        repr((replace(s.selection, missing=None), s.down_sample, s.person, s.household))
        for s in scenarios
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Continuation:
    """Continuation of the last campaign by a plan."""

    kept: int  # Finished attacks that stay
    to_run: int
    extends: bool  # Whether some are new to the campaign


def continuation(state: AppState, plan: CampaignPlan) -> Continuation | None:
    """Return how a plan would continue the last campaign."""
    campaign = state.campaign
    if campaign is None or not _is_as_chosen(state) or not _covers(plan, campaign.view):
        return None
    asked = {identity_of(attack) for attack in plan.attacks}
    counts = campaign.view.counts
    stays = plan.settings is None or plan.settings.stop_settled
    skipped = counts.skipped if stays else 0
    together = len(asked | {identity_of(attack) for attack in campaign.view.attacks})
    return Continuation(
        kept=counts.finished,
        to_run=together - counts.finished - counts.failed - skipped,
        extends=together > counts.planned,
    )


def is_one_scenario(state: AppState, plan: CampaignPlan, *, goes_on: bool) -> bool:
    """Return whether unfinished attacks share one scenario."""
    done = _finished(state.campaign.view) if state.campaign is not None and goes_on else set()
    left = {repr(a.scenario.to_dict()) for a in plan.attacks if identity_of(a) not in done}
    return len(left) == 1


def _is_as_chosen(state: AppState) -> bool:
    """Return whether the last campaign has the chosen tables, parameters and seed."""
    tables = state.campaign_tables()
    if state.campaign is None or tables is None:
        return False
    settings, now = state.campaign.view.settings, state.choices
    attacked = set(state.attacked_releases())
    return attacked <= set(tables[1]) and (settings.scoring, settings.seed) == (
        now.parameters,
        now.settings.seed,
    )


def _finished(view: CampaignView) -> set[bytes]:
    numbers = set(view.columns.numbers.tolist())
    return {identity_of(each) for each in view.attacks if each.number in numbers}
