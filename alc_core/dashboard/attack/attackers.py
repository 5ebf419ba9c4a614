"""Attackers and effort: the main choices."""

from __future__ import annotations

from functools import partial

import streamlit as st

from alc_core.attacks.registry import model_attack
from alc_core.campaign.model import KnownSetKind
from alc_core.campaign.plan.estimate import told_duration
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.campaign.plan.settings import EFFORTS, Effort, effort_attacks
from alc_core.dashboard.choices.plan import effort_like, effort_of
from alc_core.dashboard.markdown import literal, told_apart
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind_choice, bind_value
from alc_core.dashboard.work.campaign_planning import effort_seconds
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
from alc_core.tables.roles import Attackable, ColumnRole, known_by_others, suggested_unknown

_KNOWABLE = "knowable_columns"  # Of the widget

_MINUTES = {
    0: "As long as it needs",
    5: "About 5 minutes",
    10: "About 10 minutes",
    30: "About 30 minutes",
    60: "About an hour",
    180: "About 3 hours",
}


def draw_attackers(state: AppState, attackable: Attackable, plan: CampaignPlan | None) -> None:
    """Draw three attackers, their facts, and what they infer."""
    choices = state.chosen()
    if choices.mode == "one":
        one = choices.one
        st.markdown(
            f"**One attack of your choice**: {literal(one.unknown or 'nothing yet')}, knowing "
            f"{literal(facts_words(one.known) or 'nothing yet')}. Change it under Advanced.",
            help=literal(listed(one.known)) or None,
        )
        return
    if jobs := choices.settings.job_list:
        sets = numbered(sum(map(len, jobs.values())), "set")
        columns = numbered(len(jobs), "unknown column")
        st.markdown(f"**Your list**: {sets} of known columns for {columns}.")
        st.button("Remove the list", on_click=partial(state.choose, job_list={}))
        return
    st.markdown("**Who is the attacker?**")
    _draw_knowable(state, list(attackable))
    neighbours = bool(choices.settings.known_sets)
    usual = EFFORTS[Effort.THOROUGH if choices.model else Effort.QUICK].known_sets
    neighbour, colleague, anyone = st.columns(3)
    with neighbour.container(border=True, height="stretch", gap="xsmall"):
        st.checkbox(
            "A neighbour",
            help="Small sets that single out most people.",
            **bind_value(
                "plan_neighbour", neighbours, lambda on: state.choose(known_sets=usual if on else 0)
            ),
        )
        if not neighbours:
            st.caption("Skipped: losses by few facts are missed.")
        _draw_facts(plan, KnownSetKind.SINGLES_OUT, chosen=neighbours)
    with colleague.container(border=True, height="stretch", gap="xsmall"):
        st.checkbox(
            "A colleague",
            help="Knows all these facts.",
            **bind_choice(state, "knowable"),
        )
        _draw_facts(plan, KnownSetKind.KNOWABLE, chosen=bool(choices.settings.knowable))
    with anyone.container(border=True, height="stretch", gap="xsmall"):
        st.checkbox(
            "Someone who knows everything else",
            help="Every column except survey weights and identifiers.",
            **bind_choice(state, "all_others"),
        )
        if not choices.settings.all_others:
            st.caption("Skipped: losses by many facts are missed.")
        _draw_facts(plan, KnownSetKind.ALL_OTHERS, chosen=choices.settings.all_others)
    if plan is not None:
        _draw_survey(state, plan)
        _draw_others(plan)
    for number, known in choices.sets.items():
        _draw_set(state, number, known)
    st.button(
        "Add an attacker", icon=":material/add:",
        on_click=lambda: state.choose(state.choices.with_set()),
    )  # fmt: skip
    _draw_attacked(state, list(attackable))


def _draw_knowable(state: AppState, columns: list[str]) -> None:
    roles = state.column_roles()
    facts = [column for column, found in roles.of_columns.items() if found.role.takes_part]
    known = [column for column in facts if roles.role(column).may_be_known]
    if st.session_state.get(_KNOWABLE) != known:
        st.session_state[_KNOWABLE] = known

    def take() -> None:
        changed = known_by_others(state.column_roles(), st.session_state[_KNOWABLE])
        if columns:  # Columns to infer stay unchanged
            attackable = {*columns, *changed}
            state.choose(state.choices.attacking(_unknown(state, columns), attackable))
        for column, role in changed.items():
            state.set_role(column, role)

    st.multiselect(
        "What can others know?",
        facts,
        format_func=short_names(facts).__getitem__,
        key=_KNOWABLE,
        on_change=take,
        placeholder="Nothing",
        help="Changes the roles of these columns.",
        wrap=True,
    )


def _draw_survey(state: AppState, plan: CampaignPlan) -> None:
    """Say which facts only another file of the survey reveals."""
    own = [a for a in plan.attacks if a.kind is KnownSetKind.SAME_SURVEY]
    roles = state.column_roles()
    told = dict.fromkeys(c for a in own for c in a.scenario.known if not roles.role(c).takes_part)
    if told:
        st.markdown(
            f"**Someone with another survey file** also knows "
            f"{literal(listed(list(told)))}: {numbered(len(own), 'attack')}."
        )


def _draw_others(plan: CampaignPlan) -> None:
    for kind in (KnownSetKind.FEW_FACTS, KnownSetKind.BUDGET):
        if own := [attack for attack in plan.attacks if attack.kind is kind]:
            facts = dict.fromkeys(c for attack in own for c in attack.scenario.known)
            who = literal(sentence_case(kind.attacker))
            st.markdown(
                f"**{who}**, of {literal(listed(list(facts), most=MOST_FACTS))}: "
                f"{numbered(len(own), 'attack')}."
            )


def _unknown(state: AppState, columns: list[str]) -> list[str]:
    unknown = state.chosen().settings.unknown
    return columns if unknown is None else list(unknown)


def _draw_set(state: AppState, number: int, columns: tuple[str, ...]) -> None:
    def take(known: list[str]) -> None:
        state.choose(sets={**state.choices.sets, number: tuple(known)})

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.multiselect(
            f"Your attacker {count(number)} knows",
            state.knowable(),
            placeholder="Columns known together",
            wrap=True,
            **bind_value(f"plan_set_{number}", list(columns), take),
        )
        st.button(
            told_apart("Remove", f"your attacker {number}"),
            key=f"remove_set_{number}",
            on_click=lambda: state.choose(state.choices.without_set(number)),
        )


def _draw_attacked(state: AppState, columns: list[str]) -> None:
    unknown, roles = _unknown(state, columns), state.column_roles()
    protected = [column for column in columns if roles.role(column) is ColumnRole.PROTECTED]
    secret = protected or suggested_unknown(state.original_table(), roles, columns)
    words = "to be protected" if protected else "sensitive by name"
    found = {f"All {count(len(columns))}": columns}
    if 0 < len(secret) < len(columns):
        found[f"The {count(len(secret))} {words}"] = secret
    elif {*unknown} == {*columns}:
        return
    if unknown and all({*each} != {*unknown} for each in found.values()):
        found[f"The {count(len(unknown))} chosen"] = unknown
    chosen = (words for words, each in found.items() if {*each} == {*unknown})
    st.session_state["attacked"] = next(chosen, None)

    def take() -> None:
        state.choose(state.choices.attacking(found[st.session_state["attacked"]], columns))

    st.segmented_control(
        "Columns to infer", list(found), required=True, key="attacked",
        on_change=take,
        help=literal(
            f"{sentence_case(words)}: {listed(secret) or 'none'}. Roles are set on the Data page."
        ),
    )  # fmt: skip


def _draw_facts(plan: CampaignPlan | None, kind: KnownSetKind, *, chosen: bool) -> None:
    """Say how many facts an attacker knows, in how many attacks."""
    if plan is None or not chosen:
        return
    own = [attack for attack in plan.attacks if attack.kind is kind]
    if not own:
        planned = any(each.kind is kind for sets in plan.known_sets.values() for each in sets)
        if planned and plan.budget:
            st.caption("No attack fits into the time.")
        else:
            st.caption("Same facts as another attacker.")
        return
    sizes = [len(attack.scenario.known) for attack in own]
    low, high = min(sizes), max(sizes)
    facts = count(low) if low == high else f"{count(low)} to {count(high)}"
    st.markdown(f"**{facts}** fact{'' if high == 1 else 's'} · {numbered(len(own), 'attack')}")


def draw_effort(state: AppState) -> None:
    """Draw the choice of effort, with times."""
    releases = list(state.attacked_releases().values())
    try:
        settings = state.campaign_inputs().settings
        chosen = effort_like(settings, releases)
        more = None if effort_of(settings, releases) else chosen
        titles = {
            effort: f"{sentence_case(effort)}, {told_duration(seconds)}"
            for effort, seconds in effort_seconds(state, more).items()
        }
    except InputError:  # The page says why beside the button
        chosen, titles = None, {effort: sentence_case(effort) for effort in Effort}

    def take() -> None:  # without tables: Streamlit keeps it
        if effort := st.session_state["effort"]:
            attacked = list(state.attacked_releases().values())
            state.choose(state.choices.trying(effort, attacked))

    st.session_state["effort"] = chosen
    st.segmented_control(
        "How thorough?",
        list(Effort),
        format_func=lambda effort: literal(titles[effort]),
        key="effort",
        on_change=take,
        help="Also trains a model, with more facts and people.",
    )
    st.selectbox(
        "Time",
        list(_MINUTES),
        format_func=_MINUTES.__getitem__,
        help="Most informative attacks first. Run again for others.",
        width=220,
        **bind_choice(state, "minutes"),
    )
    quick, thorough = (set(effort_attacks(effort, releases)) for effort in Effort)
    if chosen is Effort.QUICK and thorough - quick:
        choices = state.chosen()
        only_on = choices.settings.only_on.get(model_attack(), ())
        on = only_on if choices.model else state.made_up()

        def take_model(trained: bool) -> None:
            state.run_attacks(state.chosen().training(state.made_up() if trained else None))

        st.checkbox(
            "Also train a model",
            help=f"On {literal(listed(list(on)) or 'each release')}. Finds more in synthetic data.",
            **bind_value("plan_model", choices.model, take_model),
        )
