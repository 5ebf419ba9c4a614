"""What the Campaign page plans, and how that stands to the last campaign."""

from __future__ import annotations

from collections.abc import Sequence

from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.plan.attackable import campaign_columns
from alc_core.campaign.plan.estimate import estimate_seconds
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.dashboard.state.campaign_state import CampaignResult, PlanPreview
from alc_core.dashboard.state.state import AppState
from alc_core.runtime.threads import available_threads
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.encode import EncodedTable, encode


def attackable_columns(state: AppState) -> list[str]:
    """Return the columns that a campaign can attack, in the table's order.

    Raises
    ------
    InputError
        If there are none; the message says why.
    """
    choices = state.choices
    columns = campaign_columns(
        state.original_table(),
        list(state.releases().values()),
        data=_encoded(state),
        unknown=None,
        person=choices.person,
        household=choices.household,
        selected_by=() if choices.where_column is None else (choices.where_column,),
    )
    return list(columns.candidates)


def plan_preview(state: AppState) -> PlanPreview:
    """Plan the campaign that is chosen; the last plan is kept.

    Raises
    ------
    InputError
        If tables or choices do not make a campaign.
    """
    inputs = state.campaign_inputs()
    key = (inputs.data, inputs.options)
    if state.preview is None or state.preview.key != key:
        original, releases = state.original_table(), list(state.releases().values())
        data = _encoded(state)
        plan = inputs.options.plan(original, releases, data=data)
        seconds = estimate_seconds(
            plan, original, releases, processes=available_threads(), data=data
        )
        state.preview = PlanPreview(key=key, plan=plan, seconds=seconds)
    return state.preview


def campaign_findings(state: AppState, plan: CampaignPlan) -> tuple[Finding, ...]:
    """Check the tables; of single columns only those that the plan uses are told."""
    used = {column for scenario in plan.scenarios for column in scenario.columns}
    found = [f for f in state.findings() if f.column is None or f.column in used]
    return tuple(dict.fromkeys([*state.campaign_questions, *found]))


def doomed_attacks(plan: CampaignPlan, findings: Sequence[Finding]) -> int:
    """Count the attacks that cannot run since a column of theirs must be mended first."""
    broken = {f.column for f in findings if f.severity is Severity.ERROR and f.column is not None}
    return sum(not broken.isdisjoint(attack.scenario.columns) for attack in plan.attacks)


def kept_attacks(state: AppState, plan: CampaignPlan) -> int:
    """Count the finished attacks that a run of a plan would keep: those of the same campaign."""
    if state.campaign is None or not continues(state, plan):
        return 0
    return state.campaign.view.counts.finished


def unfinished_attacks(state: AppState, plan: CampaignPlan) -> tuple[int, bool] | None:
    """Return what a run of a plan would add to the last campaign; None if it would begin anew.

    Returns
    -------
    tuple of int and bool
        How many attacks have neither a result nor failed, and whether some of them are new.
    """
    if state.campaign is None or not continues(state, plan):
        return None
    counts = state.campaign.view.counts
    there = {_identity(attack) for attack in state.campaign.view.attacks}
    asked = len(there | {_identity(attack) for attack in plan.attacks})
    return asked - counts.finished - counts.failed, asked > counts.planned


def continues(state: AppState, plan: CampaignPlan) -> bool:
    """Return whether a plan goes on with the last campaign and asks for nothing less."""
    if state.campaign is None:
        return False
    asked = {_identity(attack) for attack in plan.attacks}
    # No plan asks for attacks that were added to look closer.
    planned = {_identity(attack) for attack in state.campaign.view.judged}
    return _is_as_chosen(state, state.campaign) and asked >= planned


def _is_as_chosen(state: AppState, campaign: CampaignResult) -> bool:
    """Return whether a campaign has the tables, parameters and seed that are chosen now."""
    last, now = campaign.inputs, state.campaign_inputs()
    chosen = (now.scoring, now.options.seed)
    if last is not None:
        return (last.data, last.scoring, last.options.seed) == (now.data, *chosen)
    settings = campaign.view.settings
    same_releases = set(settings.releases) == set(state.releases())
    as_run = (settings.scoring, settings.seed) == chosen
    return as_run and same_releases and state.campaign_tables() is not None


def _identity(attack: PlannedAttack) -> tuple[str, str, str]:
    return repr(attack.scenario.to_dict()), attack.release, attack.attack


def _encoded(state: AppState) -> EncodedTable:
    original = state.original_table()
    key = (original.fingerprint, tuple(original.kinds.items()))
    if state.encoded is None or state.encoded[0] != key:
        state.encoded = None
        state.encoded = (key, encode(original, []).original)
    return state.encoded[1]
