"""The buttons that compute calibration marks, for one attack or for all that are flagged."""

from __future__ import annotations

import streamlit as st

from alc_core.campaign.findings.decisions import asking_attacks
from alc_core.dashboard.attack.opened_attack import (
    MARKS_TASK,
    CloserLook,
    OpenedAttack,
    read_context,
)
from alc_core.dashboard.markdown import Markdown
from alc_core.dashboard.parts.watching import draw_task
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.background_tasks import start_task
from alc_core.explain.context import (
    AttackContext,
    attack_context,
    calibrate_campaign,
    keep_context,
    marks_seconds,
    without_marks,
)
from alc_core.glossary import explain
from alc_core.phrasing import count
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter


def draw_marks_buttons(state: AppState, look: CloserLook, attack: OpenedAttack) -> None:
    """Offer to compute the marks, and draw how far that is."""
    if draw_task(state, MARKS_TASK):
        return
    read_context(look, attack)  # marks may just have come
    if attack.tables is None:
        return
    without_marks = _examined_without_marks(attack)
    with st.container(horizontal=True, vertical_alignment="center"):
        if look.context is None or not look.context.has_marks:
            st.button(
                "Compute the marks",
                icon=":material/straighten:",
                help=explain("calibration marks"),
                on_click=lambda: _start_one(state, look, attack),
            )
            st.caption(_duration(attack))
        if len(without_marks) > 1 or (without_marks and without_marks != [attack.number]):
            st.button(
                f"Compute the marks of all attacks to examine ({count(len(without_marks))} to do)",
                help="Those that are serious, at risk, not converged or undecided.",
                on_click=lambda: _start_all(state, look, attack, without_marks),
            )


def _duration(attack: OpenedAttack) -> Markdown:
    seconds = max(1, round(marks_seconds(attack.view.store, attack.number)))
    return f"About {count(seconds)} s for this attack. You can keep working meanwhile."


def _examined_without_marks(attack: OpenedAttack) -> list[int]:
    asking = asking_attacks(attack.view.overview(attack.shown.scoring))
    return without_marks(attack.view.store, asking)


def _start_one(state: AppState, look: CloserLook, attack: OpenedAttack) -> None:
    if attack.tables is None:
        return
    original = attack.tables[0]

    def work(progress: ProgressCallback, cancel: CancelCallback) -> AttackContext:
        reporter = Reporter(progress=progress, cancel=cancel)
        context = attack_context(original, attack.run, reporter=reporter)
        keep_context(attack.view.store, attack.number, context)
        return context

    def take(context: AttackContext) -> None:
        if look.is_at(attack):
            look.context = context

    start_task(state, MARKS_TASK, "Computing the marks", work, take=take)


def _start_all(state: AppState, look: CloserLook, attack: OpenedAttack, numbers: list[int]) -> None:
    if attack.tables is None:
        return
    store, original = attack.view.store, attack.tables[0]

    def work(progress: ProgressCallback, cancel: CancelCallback) -> dict[int, str]:
        reporter = Reporter(progress=progress, cancel=cancel)
        return calibrate_campaign(original, store, numbers, reporter=reporter)

    def take(failed: dict[int, str]) -> None:
        look.context = None  # read again from the file
        if failed:
            number, reason = next(iter(failed.items()))
            state.task_messages[MARKS_TASK] = (
                f"{count(len(failed))} of {count(len(numbers))} attacks have no marks. "
                f"Attack {number}: {reason}"
            )

    start_task(state, MARKS_TASK, "Computing the marks", work, take=take)
