"""Parts of the Campaign page: which columns, which known facts, the plan and its check."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.plan.estimate import told_duration
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_parts import draw_preflight
from alc_core.dashboard.parts.panels import draw_findings
from alc_core.dashboard.state.campaign_choices import NamedSet
from alc_core.dashboard.state.campaign_state import PlanPreview
from alc_core.dashboard.state.choices import suggested_unknown_columns, usable_columns
from alc_core.dashboard.state.session import bind
from alc_core.dashboard.state.state import AppState
from alc_core.dashboard.work.campaign_planning import (
    campaign_findings,
    doomed_attacks,
    kept_attacks,
    unfinished_attacks,
)
from alc_core.dashboard.work.campaign_runs import start_campaign
from alc_core.glossary import explain
from alc_core.phrasing import count
from alc_core.runtime.threads import available_threads

_SET_TITLES = {
    KnownSetKind.ALL_OTHERS: "everything else",
    KnownSetKind.SINGLES_OUT: "few, single out",
    KnownSetKind.BUDGET: "most for the budget",
    KnownSetKind.NAMED: "your own",
    KnownSetKind.ONE_LESS: "without one fact",
}

_MOST_SETS, _MOST_FACTS = 20, 200
_TABLE_ROWS = 20
_ROW_HEIGHT = 66
"""Pixels: with more than 64, long text is wrapped."""


def draw_unknown(state: AppState, attackable: list[str]) -> None:
    """Draw which columns are attacked.

    Parameters
    ----------
    state : AppState
        Its choices are shown and changed.
    attackable : list of str
        All that can be.
    """
    choices = state.campaign_choices
    choices.adapt(attackable, _comparable(state))

    def set_unknown(columns: list[str]) -> None:
        choices.unknown = columns
        choices.all_unknown = set(columns) == set(attackable)

    st.multiselect(
        "Which columns are attacked? (unknown attributes)",
        attackable,
        help=explain("unknown attribute"),
        placeholder="Choose at least one column",
        wrap=True,
        **bind(choices, "unknown", lambda: set_unknown(choices.unknown)),
    )
    with st.container(horizontal=True):
        st.button(
            f"All {count(len(attackable))}",
            on_click=set_unknown,
            args=(attackable,),
            disabled=choices.all_unknown,
        )
        suggested = suggested_unknown_columns(state.original_table(), state.release_tables())
        suggested = [column for column in suggested if column in attackable]
        st.button(
            "Only sensitive ones",
            on_click=set_unknown,
            args=(suggested,),
            disabled=not suggested or suggested == choices.unknown,
            help="Columns whose name speaks of something sensitive: "
            f"{literal(', '.join(suggested)) or 'there are none'}.",
        )


def draw_known(state: AppState) -> None:
    """Draw what the attackers know."""
    choices = state.campaign_choices
    st.markdown("**What do the attackers know?**", help=explain("known attributes"))
    st.checkbox(
        "All other columns",
        help="The strongest attacker: someone who knows everything but the one column.",
        **bind(choices, "all_others"),
    )
    left, right = st.columns(2)
    left.number_input(
        "Smallest sets that single people out",
        min_value=0,
        max_value=_MOST_SETS,
        step=1,
        help="For each column, so many of the smallest sets of other columns whose combination of "
        "values only one person has, for most people. Few facts, yet they tell who somebody is.",
        **bind(choices, "known_sets"),
    )
    right.number_input(
        "At most so many facts",
        min_value=1,
        max_value=_MOST_FACTS,
        step=1,
        placeholder="no limit",
        help="How many columns an attacker may know (the budget). No larger set is made, and the "
        "set of this size that singles out the most people is tried, too. Your own sets are "
        "never cut.",
        **bind(choices, "max_known"),
    )
    for named in choices.named:
        _draw_named(state, named)
    st.button("Add a set of your own", icon=":material/add:", on_click=choices.add_named)


def draw_plan(state: AppState, preview: PlanPreview) -> str:
    """Draw the plan's size and its check; return why it cannot run, or nothing.

    Parameters
    ----------
    state : AppState
        Remembers which questions were answered.
    preview : PlanPreview
        What is planned.

    Returns
    -------
    str
        Empty if a run may start.
    """
    plan = preview.plan
    st.markdown(f"**{literal(plan.summary)}**")
    processors = available_threads()
    st.caption(
        f"Takes {told_duration(preview.seconds)} on this machine "
        f"({processors} processor{'' if processors == 1 else 's'}), likely within a factor of two."
    )
    findings = campaign_findings(state, plan)
    doomed = doomed_attacks(plan, findings)
    blocking = [finding for finding in findings if finding.blocking]
    obstacle = ""
    if blocking:
        obstacle = draw_preflight(state, blocking, columns_stop=doomed == len(plan))
    if 0 < doomed < len(plan):
        st.warning(
            f"{count(doomed)} of {count(len(plan))} attacks use a column that must be mended "
            "first. They will be listed as failed, with the reason; the others run.",
            icon=":material/warning:",
        )
    if rest := [finding for finding in findings if not finding.blocking]:
        with st.expander(f"Notes of the check ({count(len(rest))})"):
            draw_findings(rest)
    return obstacle


def draw_start(state: AppState, plan: CampaignPlan | None, obstacle: str) -> None:
    """Draw the button that starts the campaign, and what becomes of the last one.

    Parameters
    ----------
    state : AppState
        Of the session.
    plan : CampaignPlan or None
        What would run.
    obstacle : str
        Why it cannot, or nothing.
    """
    if obstacle:
        st.warning(obstacle, icon=":material/block:")
    label, told, nothing_new = "Run the campaign", "", False
    if plan is not None and state.campaign is not None:
        counts = state.campaign.view.counts
        left = unfinished_attacks(state, plan)
        has_results = bool(counts.finished or counts.failed)
        if left is not None and left[0] and not left[1] and has_results:
            st.caption("This is the last campaign: go on with it above.")
            return
        if left is not None and not left[0]:
            nothing_new = True
            label = "Nothing new to run"
            told = "All of these attacks have run. Change the choices to run more."
        elif kept := kept_attacks(state, plan):
            label = "Run what is new or missing"
            told = f"It goes on in the last campaign's file; its {count(kept)} results are kept."
        elif counts.finished:
            told = "The findings of the last campaign are replaced. Save its file to keep them."
    st.button(
        label,
        type="primary",
        icon=":material/play_arrow:",
        disabled=bool(obstacle) or plan is None or nothing_new,
        on_click=_start,
        args=(state,),
        width="stretch",
    )
    if told:
        st.caption(told)


def draw_plan_table(plan: CampaignPlan) -> None:
    """Draw every scenario of a plan with the reason for it, and what was decided."""
    for note in plan.notes:
        st.markdown(f"- {literal(note)}")
    table = plan_table(plan)
    st.dataframe(
        table,
        hide_index=True,
        lazy=False,
        height=40 + _ROW_HEIGHT * min(len(table), _TABLE_ROWS),
        row_height=_ROW_HEIGHT,
        column_config={
            "Attacked": st.column_config.TextColumn(pinned=True, width=110),
            "Knows": st.column_config.TextColumn(width=115),
            "Why": st.column_config.TextColumn(width=340),
            "Known columns": st.column_config.TextColumn(width=340),
            "Facts": st.column_config.NumberColumn(width=58),
            "Singles out": st.column_config.NumberColumn(format="%.1f %%", width=85),
        },
        alt="One row per scenario: the column attacked, what is known, and why.",
    )
    releases = "" if len(plan.releases) == 1 else ", each on every release that has its columns"
    st.caption(
        f"{count(len(table))} scenarios{releases}. Singles out: share of people whose combination "
        "of known values nobody else has."
    )


def plan_table(plan: CampaignPlan) -> pd.DataFrame:
    """Return one row per scenario of a plan.

    Parameters
    ----------
    plan : CampaignPlan
        From :func:`plan_campaign`.

    Returns
    -------
    pandas.DataFrame
        What is attacked, what is known and why.
    """
    rows = [(unknown, known) for unknown, sets in plan.known_sets.items() for known in sets]
    return pd.DataFrame(
        {
            "Attacked": [unknown for unknown, _ in rows],
            "Knows": [_SET_TITLES[known.kind] for _, known in rows],
            "Why": [known.reason for _, known in rows],
            "Known columns": [", ".join(known.columns) for _, known in rows],
            "Facts": [len(known.columns) for _, known in rows],
            "Singles out": [_per_cent(known.singled_out) for _, known in rows],
        }
    )


def _per_cent(share: float) -> float:
    """Return a share in per cent that no rounding to one decimal makes a false 100."""
    return 100.0 if share == 1 else min(100 * share, 99.9)


def free_from_single_attack(state: AppState) -> None:
    """Take columns that say whose record is whose out of the parts they have in a single attack."""
    choices = state.choices
    grouping = (choices.person, choices.household)
    choices.known = [column for column in choices.known if column not in grouping]
    if choices.unknown in grouping:
        choices.unknown = None
    state.adapt_choices()


def _start(state: AppState) -> None:
    start_campaign(state)


def _comparable(state: AppState) -> list[str]:
    taken = (state.choices.person, state.choices.household)
    return [column for column in usable_columns(state.original_table()) if column not in taken]


def _draw_named(state: AppState, named: NamedSet) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.multiselect(
            f"Your set {named.number}",
            _comparable(state),
            placeholder="Columns that somebody may know together",
            help="Used with every column that is attacked, without that column.",
            wrap=True,
            **bind(named, "columns", number=named.number),
        )
        st.button(
            "Remove",
            key=f"remove_named_{named.number}",
            on_click=state.campaign_choices.remove_named,
            args=(named.number,),
        )
