"""Who attacks, and how thoroughly: the choices that everybody makes."""

from __future__ import annotations

from functools import partial

import streamlit as st

from alc_core.attacks.registry import model_attack
from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.plan.estimate import told_duration
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.campaign.plan.settings import Effort, effort_attacks
from alc_core.dashboard.choices.campaign_choices import Attackable, NamedSet, effort_like, effort_of
from alc_core.dashboard.markdown import literal, told_apart
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.dashboard.work.campaign_planning import (
    knowable_columns,
    plan_preview,
    seconds_to_run,
)
from alc_core.errors import InputError
from alc_core.phrasing import (
    MOST_FACTS,
    count,
    facts_words,
    listed,
    numbered,
    sentence_case,
    short_names,
)
from alc_core.tables.roles import ColumnRole, known_by_others, suggested_unknown

_KNOWABLE = "knowable_columns"  # Key of the widget

_MINUTES = {
    0: "As long as it needs",
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
            f"{literal(facts_words(one.known) or 'nothing yet')}. Change it under Advanced.",
            help=literal(listed(one.known)) or None,
        )
        return
    if jobs := choices.draft.job_list:
        sets = numbered(sum(map(len, jobs.values())), "set")
        columns = numbered(len(jobs), "unknown column")
        st.markdown(f"**Your list of attacks**: {sets} of known columns for {columns}.")
        st.button("Remove the list", on_click=partial(setattr, choices.draft, "job_list", {}))
        return
    st.markdown("**Who attacks?**")
    _draw_knowable(state, list(attackable))
    neighbour, colleague, anyone = st.columns(3)
    with neighbour.container(border=True, height="stretch", gap="xsmall"):
        st.checkbox(
            "A neighbour",
            help="For each column, the smallest sets of the facts above that single out most "
            "people: nobody else has the same values.",
            **bind(choices, "neighbour"),
        )
        st.caption("A few of the facts above, just enough to single people out.")
        _draw_facts(plan, KnownSetKind.SINGLES_OUT, chosen=choices.neighbour)
    with colleague.container(border=True, height="stretch", gap="xsmall"):
        st.checkbox(
            "A colleague",
            **bind(choices.draft, "knowable"),
        )
        st.caption("All of the facts above.")
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
    if plan is not None:
        _draw_survey(state, plan)
        _draw_others(plan)
    for named in choices.named:
        _draw_named(state, named)
    st.button("Add an attacker", icon=":material/add:", on_click=choices.add_named)
    _draw_attacked(state, list(attackable))


def _draw_knowable(state: AppState, columns: list[str]) -> None:
    """Draw what others can know, which the roles of the columns say."""
    facts = [c for c in columns if state.column_roles().role(c).takes_part]
    known = [c for c in facts if state.column_roles().role(c).may_be_known]
    if st.session_state.get(_KNOWABLE) != known:
        st.session_state[_KNOWABLE] = known

    def take() -> None:
        choices = state.campaign_choices
        choices.attack(choices.unknown, columns)  # what they want to learn stays as it is
        chosen = known_by_others(state.column_roles(), st.session_state[_KNOWABLE])
        for column, role in chosen.items():
            state.set_role(column, role)

    st.multiselect(
        "What can a neighbour or a colleague know?",
        facts,
        format_func=short_names(facts).__getitem__,
        key=_KNOWABLE,
        on_change=take,
        placeholder="Nothing: only someone who knows all else attacks",
        help="These are the columns that may be known by their roles, which change with them on "
        "the Data page. Studies take the same facts as known.",
        wrap=True,
    )


def _draw_survey(state: AppState, plan: CampaignPlan) -> None:
    """Say what only another file of the same survey tells, where a plan has such an attacker."""
    own = [a for a in plan.attacks if a.kind is KnownSetKind.SAME_SURVEY]
    roles = state.column_roles()
    told = dict.fromkeys(c for a in own for c in a.scenario.known if not roles.role(c).takes_part)
    if told:
        st.markdown(
            f"**Someone with another file of the survey** also knows "
            f"{literal(listed(list(told)))}: {numbered(len(own), 'attack')}."
        )


def _draw_others(plan: CampaignPlan) -> None:
    """Say which other attackers a plan has, each with the facts that they know."""
    for kind, who in _OTHERS.items():
        if own := [attack for attack in plan.attacks if attack.kind is kind]:
            facts = dict.fromkeys(c for attack in own for c in attack.scenario.known)
            st.markdown(
                f"**{literal(who)}**, of {literal(listed(list(facts), most=MOST_FACTS))}: "
                f"{numbered(len(own), 'attack')}."
            )


_OTHERS = {
    KnownSetKind.FEW_FACTS: "Someone with one or two facts that lead to a row",
    KnownSetKind.BUDGET: "Someone with the facts that single out most people",
}


def _draw_named(state: AppState, named: NamedSet) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.multiselect(
            f"Your attacker {count(named.number)} knows",
            knowable_columns(state),
            placeholder="Columns that somebody may know together",
            help="Used with every column that is attacked, without that column.",
            wrap=True,
            **bind(named, "columns", number=named.number),
        )
        st.button(
            told_apart("Remove", f"your attacker {named.number}"),
            key=f"remove_named_{named.number}",
            on_click=state.campaign_choices.remove_named,
            args=(named.number,),
        )


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
        planned = any(each.kind is kind for sets in plan.known_sets.values() for each in sets)
        if planned and plan.budget:
            st.caption("None of these attacks fits into the time.")
        else:
            st.caption("Knows the same here as another one, and is counted there.")
        return
    sizes = [len(attack.scenario.known) for attack in own]
    low, high = min(sizes), max(sizes)
    facts = count(low) if low == high else f"{count(low)} to {count(high)}"
    st.markdown(f"**{facts}** fact{'' if high == 1 else 's'} · {numbered(len(own), 'attack')}")


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
