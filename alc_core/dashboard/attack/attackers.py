"""Who attacks, and how thoroughly: the choices that everybody makes."""

from __future__ import annotations

from functools import partial

import streamlit as st

from alc_core.attacks.registry import model_attack
from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.plan.estimate import told_duration
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.campaign.plan.settings import Effort, effort_attacks
from alc_core.dashboard.choices.campaign_choices import Attackable, effort_like, effort_of
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.dashboard.work.campaign_planning import plan_preview, seconds_to_run
from alc_core.errors import InputError
from alc_core.phrasing import count, listed, numbered, sentence_case
from alc_core.tables.roles import ColumnRole, suggested_unknown

_MINUTES = {
    None: "As long as it needs",
    5: "About 5 minutes",
    10: "About 10 minutes",
    30: "About 30 minutes",
    60: "About an hour",
    180: "About 3 hours",
}


def draw_attackers(state: AppState, attackable: Attackable, plan: CampaignPlan | None) -> None:
    """Draw the three attackers, each with how many facts it knows, and what they want to learn."""
    choices = state.campaign_choices
    if choices.mode == "one":
        one = choices.one
        st.markdown(
            f"**One attack that you choose**: {literal(one.unknown or 'nothing yet')}, knowing "
            f"{literal(listed(one.known) or 'nothing yet')}. Change it under Advanced."
        )
        return
    if jobs := choices.draft.job_list:
        sets = numbered(sum(map(len, jobs.values())), "set")
        columns = numbered(len(jobs), "unknown column")
        st.markdown(f"**Your list of attacks**: {sets} of known columns for {columns}.")
        st.button("Remove the list", on_click=partial(setattr, choices.draft, "job_list", {}))
        return
    st.markdown("**Who attacks?**")
    neighbour, colleague, anyone = st.columns(3)
    with neighbour.container(border=True, height="stretch", gap="xsmall"):
        st.checkbox(
            "A neighbour",
            help="For each column, the smallest sets of others that may be known and single out "
            "most people: nobody else has the same values.",
            **bind(choices, "neighbour"),
        )
        st.caption("A few facts that others know, just enough to single people out.")
        _draw_facts(plan, KnownSetKind.SINGLES_OUT, chosen=choices.neighbour)
    with colleague.container(border=True, height="stretch", gap="xsmall"):
        st.checkbox(
            "A colleague",
            help="Every column that may be known, by the roles on the Data page.",
            **bind(choices.draft, "knowable"),
        )
        st.caption("All that others can know: no column that is only to be protected.")
        _draw_facts(plan, KnownSetKind.KNOWABLE, chosen=bool(choices.draft.knowable))
    with anyone.container(border=True, height="stretch", gap="xsmall"):
        st.checkbox(
            "Someone who knows all else",
            help="The strongest attacker: everything but the one fact. Survey weights and "
            "identifiers, which are no facts about people, are not among it.",
            **bind(choices.draft, "all_others"),
        )
        st.caption("Every column but the one to be learned: the worst case.")
        if not choices.draft.all_others:
            st.caption("Left out: what only many facts together give away stays unseen.")
        _draw_facts(plan, KnownSetKind.ALL_OTHERS, chosen=choices.draft.all_others)
    _draw_attacked(state, list(attackable))


def _draw_attacked(state: AppState, columns: list[str]) -> None:
    """Draw whether all columns are attacked, or those alone that are to be protected."""
    choices, roles = state.campaign_choices, state.column_roles()
    protected = [column for column in columns if roles.role(column) is ColumnRole.PROTECTED]
    secret = protected or suggested_unknown(state.original_table(), roles, columns)
    words = "to be protected" if protected else "sensitive by name"
    found = {f"All {count(len(columns))} columns": columns}
    if 0 < len(secret) < len(columns):
        found[f"Only the {count(len(secret))} {words}"] = secret
    elif choices.all_unknown:
        return
    if choices.unknown and all({*each} != {*choices.unknown} for each in found.values()):
        found[f"The {count(len(choices.unknown))} chosen under Advanced"] = [*choices.unknown]
    chosen = (words for words, each in found.items() if {*each} == {*choices.unknown})
    st.session_state["attacked"] = next(chosen, None)

    def take() -> None:
        choices.attack(found[st.session_state["attacked"]], columns)

    st.segmented_control(
        "What do they want to learn?", list(found), required=True, key="attacked", on_change=take,
        help=literal(
            f"{sentence_case(words)}: {listed(secret) or 'none'}. Roles are on the Data page, any "
            "other choice is under Advanced."
        ),
    )  # fmt: skip


def _draw_facts(plan: CampaignPlan | None, kind: KnownSetKind, *, chosen: bool) -> None:
    """Say how many facts an attacker knows, and in how many attacks."""
    if plan is None or not chosen:
        return
    own = [attack for attack in plan.attacks if attack.kind is kind]
    if not own:
        st.caption("Knows the same here as another one, and is counted there.")
        return
    sizes = [len(attack.scenario.known) for attack in own]
    low, high = min(sizes), max(sizes)
    facts = count(low) if low == high else f"{count(low)} to {count(high)}"
    st.markdown(f"**{facts}** fact{'' if high == 1 else 's'} · {count(len(own))} attacks")


def draw_effort(state: AppState) -> None:
    """Draw the choice between quick and thorough, with the time that each takes."""
    releases = list(state.attacked_releases().values())
    try:
        settings = state.campaign_inputs().settings
        titles = {effort: _title(state, effort, effort) for effort in Effort}
        chosen = effort_like(settings, releases)
        if chosen and effort_of(settings, releases) is None:
            titles[chosen] = _title(state, chosen, None)
    except InputError:  # the page says why beside the button
        chosen, titles = None, {effort: sentence_case(effort) for effort in Effort}

    def take() -> None:  # holds no tables: Streamlit keeps it after they are removed
        if effort := st.session_state["effort"]:
            attacked = list(state.attacked_releases().values())
            state.campaign_choices.take(effort, state.run_choices, attacked)

    st.session_state["effort"] = chosen
    st.segmented_control(
        "How thorough?",
        list(Effort),
        format_func=lambda effort: literal(titles[effort]),
        key="effort",
        on_change=take,
        help="Quick: the usual attacks, on as many people as the measures need. Thorough: also a "
        "model trained on each release, more small sets of facts, and up to 5 000 people.",
    )
    st.selectbox(
        "How long may it take?",
        list(_MINUTES),
        format_func=_MINUTES.__getitem__,
        help="Runs the attacks that settle most and fit into this time. Run again to add others.",
        width=220,
        **bind(state.campaign_choices, "minutes"),
    )
    quick, thorough = (set(effort_attacks(effort, releases)) for effort in Effort)
    if chosen is Effort.QUICK and thorough - quick:
        choices = state.campaign_choices
        on = choices.attacks.only_on().get(model_attack(), ()) if choices.model else choices.made_up
        st.checkbox(
            f"Also train a model {literal(f'on {listed(list(on))}' if on else '')}",
            help="It learns from a release as software would, and may find more than a look-up "
            "where rows are made up. The time of Quick, above, counts it in.",
            **bind(choices, "model"),
        )


def _title(state: AppState, effort: Effort, of: Effort | None) -> str:
    """Name an effort with the time of its own plan, or of that which is chosen."""
    seconds = seconds_to_run(state, plan_preview(state, of))
    return f"{sentence_case(effort)}, {told_duration(seconds)}"
