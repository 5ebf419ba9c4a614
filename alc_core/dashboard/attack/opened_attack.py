"""What a session holds of a closer look at one attack, and to which attack it belongs."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.assessment.result import Assessment
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.state.app_state import AppState
from alc_core.explain.breakdown import MIN_PEOPLE
from alc_core.explain.context import AttackContext, attack_contexts
from alc_core.explain.trace import AttackTrace
from alc_core.releases.release import Release
from alc_core.tables.table import Table

MARKS_TASK, TRACE_TASK = "closer_marks", "closer_trace"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OpenedAttack:
    """An attack that is looked at."""

    view: CampaignView  # Its campaign
    number: int  # Of the attack in the campaign
    run: Assessment  # As it ran, and under the sliders' parameters
    shown: Assessment
    # Original and release, if the session has those that were attacked
    tables: tuple[Table, Release] | None


@dataclass(slots=True, kw_only=True, eq=False)
class CloserLook:
    """Choices, and what was computed for the attack that is open."""

    view: CampaignView | None = None  # Of which attack; see :class:`OpenedAttack`
    number: int | None = None
    context: AttackContext | None = None  # Of that attack
    # For whom that attack was right. It belongs to people and is forgotten with the attack.
    trace: AttackTrace | None = None
    numbers_open: bool = False  # Which parts are unfolded
    drivers_open: bool = False
    people_open: bool = False
    campaign_drivers_open: bool = False
    column: str | None = None  # By which people are grouped
    min_people: int = MIN_PEOPLE  # Smallest group that is shown
    page: int = 1  # Of the list of exposed people, from 1

    def is_at(self, attack: OpenedAttack) -> bool:
        """Return whether it is a look at this attack."""
        return self.view is attack.view and self.number == attack.number


def opened_attack(
    state: AppState, view: CampaignView, number: int, shown: Assessment
) -> OpenedAttack:
    """Return an attack of the campaign, with its tables if they are in the session."""
    held = state.campaign_tables()
    tables = None if held is None else (held[0], held[1][view.attack(number).release])
    return OpenedAttack(
        view=view,
        number=number,
        run=view.assessment(number),
        shown=shown,
        tables=tables,
    )


def look_at(state: AppState, attack: OpenedAttack) -> CloserLook:
    """Return the closer look at an attack; what another one left in it is forgotten."""
    look = state.screen(CloserLook)
    if not look.is_at(attack):
        look.view, look.number = attack.view, attack.number
        look.context = look.trace = look.column = None
        look.page = 1
        state.tasks.messages.pop(MARKS_TASK, None)
        state.tasks.forget(TRACE_TASK)
    if attack.tables is None:
        look.trace = None
    return look


def read_context(look: CloserLook, attack: OpenedAttack) -> None:
    """Read the context that was kept of an attack, unless it is there already."""
    if look.context is None:
        look.context = attack_contexts(attack.view.store).get(attack.number)
