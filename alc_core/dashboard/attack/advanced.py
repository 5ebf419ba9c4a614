"""Folded choices beyond attackers and effort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from alc_core.attacks.registry import attack_parameters, attack_types
from alc_core.campaign.plan.job_list import read_job_list
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.dashboard.attack.people import draw_asked, draw_parameters, draw_people
from alc_core.dashboard.attack.plan import draw_plan_table
from alc_core.dashboard.choices.plan import (
    Mode,
    fitting_attacks,
    readable_releases,
)
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.widgets import draw_parameter, draw_small_upload, draw_taken
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind_choice, bind_value
from alc_core.glossary import explain
from alc_core.parameter import Value
from alc_core.phrasing import listed
from alc_core.releases.release import Release
from alc_core.tables.roles import Attackable, suggested_known

_MODES: dict[Mode, str] = {
    "many": "Many attacks, planned for you",
    "one": "One attack of your choice",
}
_TABS = ("Releases and columns", "What attackers know", "Attacks", "People", "Verdict", "The plan")
_LISTED = "Set by your list of attacks."
_MOST_SETS, _MOST_FACTS = 20, 200


def draw_advanced(state: AppState, attackable: Attackable, plan: CampaignPlan | None) -> None:
    """Draw all other choices, and the plan's content."""
    choices = state.chosen()
    with st.expander("Advanced", icon=":material/tune:"):
        st.segmented_control(
            "How many attacks?",
            list(_MODES),
            format_func=_MODES.__getitem__,
            required=True,
            label_visibility="collapsed",
            **bind_choice(state, "mode"),
        )
        asked, known, attacks, people, verdict, planned = st.tabs(_TABS)
        with asked:
            _draw_releases(state)
            if choices.mode == "one":
                _draw_one(state, attackable)
            elif choices.settings.job_list:
                st.caption(_LISTED)
            else:
                columns, unknown = list(attackable), choices.settings.unknown
                st.multiselect(
                    "What do attackers want to infer?",
                    columns,
                    help=explain("unknown column"),
                    placeholder="Choose at least one column",
                    wrap=True,
                    **bind_value(
                        "plan_unknown", columns if unknown is None else list(unknown),
                        lambda chosen: state.choose(state.choices.attacking(chosen, columns)),
                    ),
                )  # fmt: skip
            draw_asked(state)
        with known:
            if choices.mode == "one":
                st.caption("Set under “Releases and columns”.")
            elif choices.settings.job_list:
                st.caption(_LISTED)
                _draw_job_list(state)
            else:
                _draw_known(state)
        with attacks:
            draw_attacks(state)
        with people:
            draw_people(state)
        with verdict:
            draw_parameters(state)
        with planned:
            if plan is None:
                st.caption("A choice above is missing.")
            else:
                draw_plan_table(plan)


def _draw_releases(state: AppState) -> None:
    names = list(state.releases())
    if len(names) < 2:
        return

    def take(chosen: list[str]) -> None:
        state.choose(attacked=None if {*chosen} == {*names} else tuple(chosen))

    st.multiselect(
        "Which releases are attacked?",
        names,
        help=explain("release"),
        placeholder="Choose at least one release",
        wrap=True,
        **bind_value("plan_attacked", list(state.attacked_releases()), take),
    )


def _draw_one(state: AppState, attackable: Attackable) -> None:
    one = state.chosen().one

    def others() -> list[str]:
        return list(attackable.get(state.chosen().one.unknown or "", ()))

    def take_unknown(unknown: str | None) -> None:
        state.choose(one=state.chosen().one.learning(unknown, attackable))

    def know(columns: Sequence[str]) -> None:
        state.choose(one=replace(state.chosen().one, known=tuple(columns)))

    st.selectbox(
        "What does the attacker want to infer?",
        list(attackable),
        help=explain("unknown column"),
        **bind_value("plan_one_unknown", one.unknown, take_unknown),
    )
    st.multiselect(
        "What does the attacker know?",
        others(),
        help=explain("known columns"),
        placeholder="Choose at least one column",
        wrap=True,
        **bind_value("plan_one_known", list(one.known), know),
    )
    # At the click: the unknown column may have just changed
    with st.container(horizontal=True):
        st.button("Everything else", on_click=lambda: know(others()))
        st.button(
            "Suggested",
            on_click=lambda: know(suggested_known(state.column_roles(), others())),
        )


def _draw_known(state: AppState) -> None:
    left, right = st.columns(2)
    left.number_input(
        "Number of minimal sets",
        min_value=0,
        max_value=_MOST_SETS,
        step=1,
        help="The smallest sets that single out most people.",
        **bind_choice(state, "known_sets"),
    )
    right.number_input(
        "Maximum known facts",
        min_value=1,
        max_value=_MOST_FACTS,
        step=1,
        placeholder="no limit",
        help="Your own attackers may know more.",
        **bind_choice(state, "max_known"),
    )
    _draw_job_list(state)


def _draw_job_list(state: AppState) -> None:
    def take(name: str, content: bytes) -> str:
        state.choose(job_list=read_job_list(name, state.original_table(), content=content))
        return ""

    draw_small_upload(
        state,
        "job_list",
        "Another list" if state.choices.settings.job_list else "List of attacks",
        take,
        type=["csv", "txt", "toml"],
        max_upload_size=1,
        help='CSV lines: unknown, then known columns. TOML: income = [["age", "sex"], ["job"]].',
    )
    draw_taken(state, "job_list")


def draw_attacks(state: AppState) -> None:
    """Draw the choice of attacks, if there are several."""
    types, choices = attack_types(), state.chosen()
    releases = list(state.attacked_releases().values())
    if not releases:
        return

    def take(names: list[str]) -> None:
        chosen = state.chosen()
        texts = tuple(chosen.attacks.get(name, name) for name in names)
        state.run_attacks(chosen.changed(attacks=texts))

    fitting, reasons = fitting_attacks(releases)
    if len(types) > 1:
        methods = [f"**{literal(name)}**: {literal(types[name].method)}" for name in fitting]
        if reasons:
            told = "; ".join(f"{literal(name)} {literal(why)}" for name, why in reasons.items())
            methods.append(f"Not for these releases: {told}.")
        st.multiselect(
            "Which attacks are run?",
            fitting,
            help="\n\n".join(methods),
            placeholder="Choose at least one attack",
            wrap=True,
            **bind_value("plan_attacks", list(choices.attacks), take),
        )
    st.checkbox(
        "After a serious loss, skip a release's other attacks",
        **bind_choice(state, "stop_settled"),
    )
    for name, on in choices.settings.only_on.items():
        st.caption(f"{literal(name)}: on {literal(listed(list(on)))} alone.")
    for place, name in enumerate(types):
        if name in choices.attacks:
            _draw_settings(state, name, releases, place)


def _draw_settings(state: AppState, name: str, releases: Sequence[Release], place: int) -> None:
    choices, found = state.chosen(), attack_types()[name]
    readable = readable_releases(name, releases)
    own = choices.settings.only_on.get(name, ())
    several = len(readable) > 1 and (len(choices.attacks) > 1 or bool(own))
    if not found.parameters and not several:
        return

    def confine(names: list[str]) -> None:
        chosen = state.chosen()
        state.run_attacks(chosen.changed(only_on={**chosen.settings.only_on, name: tuple(names)}))

    def give(parameter: str, value: Value) -> None:
        state.run_attacks(
            state.chosen().with_parameter(name, parameter, value),
            model_by_user=state.choices.model_by_user,
        )

    with st.container(border=True):
        st.markdown(f"**Settings for {literal(name)}**")
        if several:
            st.multiselect(
                "On which releases?",
                readable,
                placeholder="All that it can read",
                wrap=True,
                **bind_value(f"plan_on_{place}", list(own), confine),
            )
        usual = {each.name: each.default for each in found.parameters}
        given = {**usual, **attack_parameters(choices.attacks[name])}
        for parameter in found.parameters:
            key = f"plan_{parameter.name}_{place}"
            draw_parameter(
                parameter, bind_value(key, given[parameter.name], partial(give, parameter.name))
            )
