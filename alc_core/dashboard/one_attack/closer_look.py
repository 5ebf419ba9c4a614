"""Familiar numbers, marks, and groups of one attack."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass

import streamlit as st

from alc_core.assessment.result import Assessment
from alc_core.campaign.findings.decisions import asking_attacks
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.parts.drivers import draw_attack_drivers
from alc_core.dashboard.parts.panels import draw_task
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind, bind_value
from alc_core.errors import InputError
from alc_core.explain.context import (
    AttackContext,
    attack_context,
    attack_contexts,
    calibrate_campaign,
    context_facts,
    keep_context,
    marks_seconds,
    without_marks,
)
from alc_core.explain.trace import (
    MIN_PEOPLE,
    AttackTrace,
    break_down,
    breakdown_sentence,
    chance_sentence,
    exposed_people,
    exposed_sentence,
    exposed_table,
    group_columns,
    group_targets,
    reading_sentence,
    suppression_sentence,
    trace_attack,
)
from alc_core.figures.explain import breakdown_figure, marks_figure
from alc_core.glossary import explain
from alc_core.phrasing import count
from alc_core.releases.release import Release
from alc_core.runtime.progress import Reporter
from alc_core.tables.table import Table

NUMBERS_TASK, MARKS_TASK, TRACE_TASK = "closer_numbers", "closer_marks", "closer_trace"
_ROWS_AT_ONCE = 200_000  # Tables up to this many rows are counted unasked
_PEOPLE_SHOWN = 20

NEEDS_TABLES = "Upload all tables on the Data page."


@dataclass(slots=True, kw_only=True, eq=False)
class CloserLook:
    """Choices, and results for the open attack."""

    view: CampaignView | None = None  # Campaign, and number in it
    number: int | None = None
    context: AttackContext | None = None
    # For whom it was right; about people, forgotten with the attack
    trace: AttackTrace | None = None
    numbers_open: bool = False  # Which parts are unfolded
    drivers_open: bool = False
    people_open: bool = False
    column: str | None = None  # By which people are grouped
    min_people: int = MIN_PEOPLE  # Smallest group that is shown
    page: int = 1  # Of the list of exposed people


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Attack:
    view: CampaignView  # Campaign, and number in it
    number: int
    run: Assessment  # As run, and under the sliders' parameters
    shown: Assessment
    # Original and release, if those attacked are here
    tables: tuple[Table, Release] | None

    def is_in(self, look: CloserLook) -> bool:
        return look.view is self.view and look.number == self.number


def draw_closer_look(state: AppState, view: CampaignView, number: int, shown: Assessment) -> None:
    """Draw folded details of an attack."""
    held = state.campaign_tables()
    tables = None if held is None else (held[0], held[1][view.attack(number).release])
    attack = _Attack(
        view=view, number=number, run=view.assessment(number), shown=shown, tables=tables
    )
    look = state.screen(CloserLook)
    if not attack.is_in(look):  # what another one left is forgotten
        look.view, look.number, look.page = view, number, 1
        look.context = look.trace = look.column = None
        state.tasks.messages.pop(MARKS_TASK, None)
        state.tasks.forget(NUMBERS_TASK, TRACE_TASK)
    if tables is None:
        look.trace = None
    _draw_numbers_known(state, look, attack)
    with (panel := st.expander(
        "Which facts matter", icon=":material/key:", **bind(look, "drivers_open")
    )):  # fmt: skip
        if panel.open:
            draw_attack_drivers(state, view, number, shown.scoring)
    _draw_people(state, look, attack)


# Familiar numbers and marks -------------------------------------------------------------------


def _draw_numbers_known(state: AppState, look: CloserLook, attack: _Attack) -> None:
    with (panel := st.expander(
        "k-anonymity and reference points", icon=":material/straighten:",
        **bind(look, "numbers_open"),
    )):  # fmt: skip
        if not panel.open:
            return
        context = look.context
        if context is None or not context.has_marks:
            context = attack_contexts(attack.view.store).get(attack.number) or context
        original = None if attack.tables is None else attack.tables[0]
        counted = context is not None or NUMBERS_TASK in state.tasks.messages
        if not counted and original is not None and len(original) <= _ROWS_AT_ONCE:
            _compute(state, look, attack, original, marks=False)
        if draw_task(state, NUMBERS_TASK):
            return
        if context is None:
            st.info("Not computed yet.", icon=":material/info:")
        else:
            _draw_facts(context, attack.shown)
        marked = context is not None and context.has_marks
        _draw_marks_buttons(state, look, attack, marked=marked)
        if attack.tables is None and not marked:
            st.info(NEEDS_TABLES, icon=":material/folder_open:")


def _draw_facts(context: AttackContext, shown: Assessment) -> None:
    facts = context_facts(context, shown.scoring, loss=shown.decisive_alc)
    for column, fact in zip(st.columns(3), facts[:3], strict=True):
        with column.container(border=True, height="stretch"):
            st.markdown(f"**{literal(fact.term)}**")
            st.markdown(literal(fact.value))
            st.caption(literal(fact.meaning))
    if not context.has_marks:
        return
    draw_chart(marks_figure(shown, context), key="marks", name="calibration-marks")
    for column, fact in zip(st.columns(2), facts[3:], strict=True):
        with column.container(border=True, height="stretch"):
            st.markdown(f"**{literal(fact.term)}**: {literal(fact.value)}")
            st.caption(literal(fact.meaning))


def _draw_marks_buttons(
    state: AppState, look: CloserLook, attack: _Attack, *, marked: bool
) -> None:
    """Offer to compute marks, with progress."""
    if draw_task(state, MARKS_TASK) or attack.tables is None:
        return
    original, view, number = attack.tables[0], attack.view, attack.number
    asking = without_marks(view.store, asking_attacks(view.overview(attack.shown.scoring)))
    with st.container(horizontal=True, vertical_alignment="center"):
        if not marked:
            st.button(
                "Compute reference points", icon=":material/straighten:",
                help=explain("reference points"),
                on_click=lambda: _compute(state, look, attack, original, marks=True),
            )  # fmt: skip
            seconds = max(1, round(marks_seconds(view.store, number)))
            st.caption(f"About {count(seconds)} s.")
        if asking and asking != [number]:
            st.button(
                f"Compute for all {count(len(asking))} to examine",
                help="Serious, at risk, inconclusive or not converged.",
                on_click=lambda: _compute_all_marks(state, look, attack, original, asking),
            )


def _compute(
    state: AppState, look: CloserLook, attack: _Attack, original: Table, *, marks: bool
) -> None:
    """Compute and keep the attack's context in the background."""

    def work(reporter: Reporter) -> AttackContext:
        context = attack_context(original, attack.run, marks=marks, reporter=reporter)
        there = attack_contexts(attack.view.store).get(attack.number)
        if not marks and there is not None:  # made with marks meanwhile
            return there
        with contextlib.suppress(InputError):  # Read-only file
            keep_context(attack.view.store, attack.number, context)
        return context

    def take(context: AttackContext) -> None:
        if attack.is_in(look):
            look.context = context

    key, title = (MARKS_TASK, "Reference points") if marks else (NUMBERS_TASK, "Counting")
    state.tasks.start(key, title, work, take=take)


def _compute_all_marks(
    state: AppState, look: CloserLook, attack: _Attack, original: Table, numbers: list[int]
) -> None:
    def work(reporter: Reporter) -> dict[int, str]:
        return calibrate_campaign(original, attack.view.store, numbers, reporter=reporter)

    def take(failed: dict[int, str]) -> None:
        look.context = None  # read again from the file
        if failed:
            number, reason = next(iter(failed.items()))
            state.tasks.messages[MARKS_TASK] = (
                f"{count(len(failed))} of {count(len(numbers))} attacks have no reference points. "
                f"Attack {number}: {reason}"
            )

    state.tasks.start(MARKS_TASK, "Reference points", work, take=take)


# Who is affected ------------------------------------------------------------------------------


def _draw_people(state: AppState, look: CloserLook, attack: _Attack) -> None:
    with (panel := st.expander(
        "Who is affected", icon=":material/groups:", **bind(look, "people_open")
    )):  # fmt: skip
        if not panel.open:
            return
        if attack.tables is None:
            st.info(NEEDS_TABLES, icon=":material/folder_open:")
            return
        if look.trace is None:
            _draw_start(state, look, attack, *attack.tables)
        else:
            _draw_breakdown(look, attack, look.trace, attack.tables[0])
            _draw_exposed(look, attack, look.trace, attack.tables[0])


def _draw_start(
    state: AppState, look: CloserLook, attack: _Attack, original: Table, release: Release
) -> None:
    """Offer to rerun the attack; results stay in this session."""
    st.markdown("The attack runs again. People's values are kept until you leave this page.")

    def work(reporter: Reporter) -> AttackTrace:
        return trace_attack(original, release, attack.run, reporter=reporter)

    def take(trace: AttackTrace) -> None:
        if attack.is_in(look):
            look.trace = trace

    if not draw_task(state, TRACE_TASK):
        st.button(
            "Run it again", icon=":material/groups:", on_click=state.tasks.start,
            args=(TRACE_TASK, "Running the attack again", work), kwargs={"take": take},
        )  # fmt: skip


def _draw_breakdown(look: CloserLook, attack: _Attack, trace: AttackTrace, original: Table) -> None:
    columns = group_columns(original, attack.run.scenario.unknown)
    column = look.column if look.column in columns else columns[0]
    if not trace.same:
        st.warning(
            "Approximate: software or models have changed.",
            icon=":material/warning:",
        )
    st.markdown("**Risk by group**")
    chosen, least = st.columns([3, 2])
    with chosen:
        kept = bind_value("group_by", column, lambda chosen: setattr(look, "column", chosen))
        st.selectbox("Group people by", columns, **kept)
    with least:
        st.number_input(
            "Smallest group shown", 5, 1000,
            help="Smaller groups are pooled or excluded.",
            **bind(look, "min_people"),
        )  # fmt: skip
    breakdown = break_down(
        trace,
        group_targets(trace, original, column),
        threshold=attack.shown.attack.threshold,
        confidence=attack.shown.scoring.confidence,
        min_people=look.min_people,
    )
    if not breakdown.groups:
        st.info(literal(suppression_sentence(breakdown)), icon=":material/visibility_off:")
        return
    st.markdown(literal(breakdown_sentence(breakdown)))
    draw_chart(breakdown_figure(breakdown), key="breakdown", name="risk-by-group")
    notes = [
        reading_sentence(breakdown, attack.run.scenario.unknown),
        suppression_sentence(breakdown),
        chance_sentence(breakdown),
    ]
    st.caption(literal(" ".join(filter(None, notes))))


def _draw_exposed(look: CloserLook, attack: _Attack, trace: AttackTrace, original: Table) -> None:
    exposed = exposed_people(trace, attack.shown)
    st.markdown("**Most exposed people**", help=explain("people exposed"))
    st.markdown(literal(exposed_sentence(exposed)))
    if not len(exposed):
        return
    reveal = st.toggle(
        "Show the records (real people's data)",
        key=f"reveal_{id(attack.view)}_{attack.number}",
        help="Mind who can see this screen.",
    )
    if reveal:
        st.warning(
            "Records of real people: in no file, report or download.",
            icon=":material/visibility:",
        )
    pages = math.ceil(len(exposed) / _PEOPLE_SHOWN)
    page = min(look.page, pages)
    if pages > 1:
        kept = bind_value("exposed_page", page, lambda chosen: setattr(look, "page", chosen))
        st.number_input(f"Page (of {count(pages)})", 1, pages, width=160, **kept)
    table = exposed_table(
        exposed,
        original,
        attack.run.scenario.columns,
        start=(page - 1) * _PEOPLE_SHOWN,
        rows=_PEOPLE_SHOWN,
        reveal=reveal,
    )
    # A static table has no toolbar, so no download
    st.table(table.map(literal).rename(columns=literal), hide_index=True)
