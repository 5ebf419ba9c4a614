"""What a session holds of a closer look at one attack, and to which attack it belongs."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.assessment.result import Assessment
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.state.attack_state import Result
from alc_core.dashboard.state.state import AppState
from alc_core.explain.breakdown import MIN_PEOPLE
from alc_core.explain.context import AttackContext, attack_contexts
from alc_core.explain.trace import AttackTrace
from alc_core.releases.release import Release
from alc_core.tables.table import Table

MARKS_TASK, TRACE_TASK = "closer_marks", "closer_trace"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OpenedAttack:
    """An attack that is looked at.

    Attributes
    ----------
    holder : CampaignView or Result
        Where it is from.
    number : int or None
        Of the attack in the campaign; None for a single attack.
    run, shown : Assessment
        As it ran, and under the sliders' parameters.
    tables : tuple of Table and Release, or None
        Original and release, if the session has those that were attacked.
    store : CampaignStore or None
        The campaign's file; None for a single attack.
    """

    holder: CampaignView | Result
    number: int | None
    run: Assessment
    shown: Assessment
    tables: tuple[Table, Release] | None
    store: CampaignStore | None


@dataclass(slots=True, kw_only=True, eq=False)
class CloserLook:
    """Choices, and what was computed for the attack that is open.

    Attributes
    ----------
    holder, number
        Of which attack; see :class:`OpenedAttack`.
    context : AttackContext or None
        Of that attack.
    trace : AttackTrace or None
        For whom that attack was right. It belongs to people and is forgotten with the attack.
    single : tuple or None
        The last single attack that was looked at, and its context.
    numbers_open, drivers_open, people_open, campaign_drivers_open : bool
        Which parts are unfolded.
    column : str or None
        By which people are grouped.
    min_people : int
        Smallest group that is shown.
    page : int
        Of the list of exposed people, from 1.
    """

    holder: object = None
    number: int | None = None
    context: AttackContext | None = None
    trace: AttackTrace | None = None
    single: tuple[Result, AttackContext] | None = None
    numbers_open: bool = False
    drivers_open: bool = False
    people_open: bool = False
    campaign_drivers_open: bool = False
    column: str | None = None
    min_people: int = MIN_PEOPLE
    page: int = 1


def attack_of_campaign(
    state: AppState, view: CampaignView, number: int, shown: Assessment
) -> OpenedAttack:
    """Return an attack of the campaign, with its tables if they are in the session."""
    held = state.campaign_tables()
    tables = None if held is None else (held[0], held[1][view.attack(number).release])
    return OpenedAttack(
        holder=view,
        number=number,
        run=view.assessment(number),
        shown=shown,
        tables=tables,
        store=view.store,
    )


def attack_alone(state: AppState, result: Result, shown: Assessment) -> OpenedAttack:
    """Return the single attack, with its tables if they are in the session."""
    return OpenedAttack(
        holder=result,
        number=None,
        run=result.assessment,
        shown=shown,
        tables=_tables_of(state, result),
        store=None,
    )


def look_at(state: AppState, attack: OpenedAttack) -> CloserLook:
    """Return the closer look at an attack; what another one left in it is forgotten."""
    look = state.screen(CloserLook)
    if look.holder is not attack.holder or look.number != attack.number:
        look.holder, look.number = attack.holder, attack.number
        look.context = look.trace = look.column = None
        look.page = 1
        for key in (MARKS_TASK, TRACE_TASK):
            state.task_messages.pop(key, None)
        if TRACE_TASK in state.tasks:
            state.tasks.pop(TRACE_TASK).job.cancel()
    if attack.tables is None:
        look.trace = None
    return look


def read_context(look: CloserLook, attack: OpenedAttack) -> None:
    """Read the context that was kept of an attack, unless it is there already."""
    if look.context is None:
        look.context = _kept_context(look, attack)


def _kept_context(look: CloserLook, attack: OpenedAttack) -> AttackContext | None:
    if attack.store is not None and attack.number is not None:
        return attack_contexts(attack.store).get(attack.number)
    if look.single is not None and look.single[0] is attack.holder:
        return look.single[1]
    return None


def _tables_of(state: AppState, result: Result) -> tuple[Table, Release] | None:
    """Return original and release of a single attack if they are still those in the session."""
    run = result.assessment
    if not state.ready:
        return None
    original = state.original_table()
    kinds = all(original.kinds.get(column) == kind for column, kind in result.inputs.kinds)
    if original.fingerprint != run.original.fingerprint or not kinds:
        return None
    attacked = [table.fingerprint for table in run.release]
    for release in state.releases().values():
        if [table.fingerprint for table in release.tables] == attacked:
            return original, release
    return None
