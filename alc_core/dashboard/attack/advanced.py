"""All that can be chosen besides the three attackers and the effort, folded away."""

from __future__ import annotations

from functools import partial

import streamlit as st

from alc_core.attacks.registry import attack_types
from alc_core.campaign.plan.job_list import read_job_list
from alc_core.campaign.plan.planner import CampaignPlan
from alc_core.dashboard.attack.people import draw_asked, draw_parameters, draw_people
from alc_core.dashboard.attack.plan import draw_plan_table
from alc_core.dashboard.choices.campaign_choices import (
    Attackable,
    Mode,
    fitting_attacks,
    readable_releases,
)
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.widgets import draw_parameter, draw_small_upload, draw_taken
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.glossary import explain
from alc_core.phrasing import listed
from alc_core.tables.roles import suggested_known

_MODES: dict[Mode, str] = {
    "many": "Many attacks, planned for you",
    "one": "One attack that you choose",
}
_TABS = ("Releases and columns", "What attackers know", "Attacks", "People", "Verdict", "The plan")
_LISTED = "Your list of attacks, above, says which."
_MOST_SETS, _MOST_FACTS = 20, 200


def draw_advanced(state: AppState, attackable: Attackable, plan: CampaignPlan | None) -> None:
    """Draw all other choices, and what the plan holds."""
    choices = state.campaign_choices
    with st.expander("Advanced", icon=":material/tune:"):
        st.segmented_control(
            "How many attacks?",
            list(_MODES),
            format_func=_MODES.__getitem__,
            required=True,
            label_visibility="collapsed",
            **bind(choices, "mode"),
        )
        asked, known, attacks, people, verdict, planned = st.tabs(_TABS)
        with asked:
            _draw_releases(state)
            if choices.mode == "one":
                _draw_one(state, attackable)
            elif choices.draft.job_list:
                st.caption(_LISTED)
            else:
                columns = list(attackable)
                st.multiselect(
                    "Which columns are attacked? (unknown attributes)",
                    columns,
                    help=explain("unknown attribute"),
                    placeholder="Choose at least one column",
                    wrap=True,
                    **bind(choices, "unknown", lambda: choices.attack(choices.unknown, columns)),
                )
            draw_asked(state)
        with known:
            if choices.mode == "one":
                st.caption("Chosen under “Releases and columns”, of one attack.")
            elif choices.draft.job_list:
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
                st.caption("There is no plan yet: something above is still open.")
            else:
                draw_plan_table(plan)


def _draw_releases(state: AppState) -> None:
    names, choices = list(state.releases()), state.campaign_choices
    choices.adapt_releases(names)
    if len(names) < 2:
        return

    def follow() -> None:
        choices.all_releases = set(choices.releases) == set(names)

    st.multiselect(
        "Which releases are attacked?",
        names,
        help=explain("release"),
        placeholder="Choose at least one release",
        wrap=True,
        **bind(choices, "releases", follow),
    )


def _draw_one(state: AppState, attackable: Attackable) -> None:
    roles, one = state.column_roles(), state.campaign_choices.one
    one.followed = one.unknown

    # What to choose is found out at the click: the unknown column may have changed just before.
    def others() -> list[str]:
        return list(attackable.get(one.unknown or "", ()))

    def choose_others() -> None:
        one.known = others()

    def choose_suggested() -> None:
        one.known = suggested_known(roles, others())

    st.selectbox(
        "What does the attacker want to learn? (unknown attribute)",
        list(attackable),
        help=explain("unknown attribute"),
        **bind(one, "unknown", lambda: one.follow_unknown(attackable)),
    )
    st.multiselect(
        "What does the attacker already know? (known attributes)",
        others(),
        help=explain("known attributes"),
        placeholder="Choose at least one column",
        wrap=True,
        **bind(one, "known"),
    )
    with st.container(horizontal=True):
        st.button("All others", on_click=choose_others)
        st.button(
            "Suggested",
            on_click=choose_suggested,
            help="All columns that may be known, by their roles.",
        )


def _draw_known(state: AppState) -> None:
    choices = state.campaign_choices
    left, right = st.columns(2)
    left.number_input(
        "Smallest sets that single people out",
        min_value=0,
        max_value=_MOST_SETS,
        step=1,
        help="For each column, this many of the smallest sets of other columns that may be known "
        "and single out most people: nobody else has the same values. Few facts, yet they say who "
        "somebody is.",
        **bind(choices.draft, "known_sets"),
    )
    right.number_input(
        "Most facts an attacker may know",
        min_value=1,
        max_value=_MOST_FACTS,
        step=1,
        placeholder="no limit",
        help="The attacker's budget, in columns. No larger set is made, and the set of this size "
        "that singles out the most people is tried, too. Your own attackers are not limited.",
        **bind(choices.draft, "max_known"),
    )
    _draw_job_list(state)


def _draw_job_list(state: AppState) -> None:
    """Draw the upload of a list of attacks."""
    draft = state.campaign_choices.draft

    def take(name: str, content: bytes) -> str:
        draft.job_list = read_job_list(name, state.original_table(), content=content)
        return ""

    draw_small_upload(
        state,
        "job_list",
        "Another list" if draft.job_list else "A list of attacks, in place of these sets",
        take,
        type=["csv", "txt", "toml"],
        max_upload_size=1,
        help="CSV: in each line an unknown column, then the columns that are known with it. "
        'TOML: income = [["age", "sex"], ["job"]].',
    )
    draw_taken(state, "job_list")


def draw_attacks(state: AppState) -> None:
    """Draw the choice of attacks; nothing where there is only one to choose."""
    types, choices = attack_types(), state.campaign_choices.attacks
    by_user = partial(setattr, state.campaign_choices, "model_by_user", True)
    releases = list(state.attacked_releases().values())
    if not releases:
        return
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
            **bind(choices, "names", by_user),
        )
    st.checkbox(
        "Stop a release once it is settled",
        help="When an attack shows a serious loss beyond doubt, the other attacks on that release "
        "are skipped. The findings say so.",
        **bind(state.campaign_choices.draft, "stop_settled"),
    )
    for name, on in choices.only_on().items():
        st.caption(f"{literal(name)}: on {literal(listed(list(on)))} alone.")
    for place, name in enumerate(types):
        found = types[name]
        readable, own = readable_releases(name, releases), choices.releases_of(name)
        several = len(readable) > 1 and (len(choices.names) > 1 or bool(own.names))
        if name in choices.names and (found.parameters or several):
            with st.container(border=True):
                st.markdown(f"**Settings of {literal(name)}**")
                if several:
                    st.multiselect(
                        "On which releases?",
                        readable,
                        placeholder="All that it can read",
                        wrap=True,
                        **bind(own, "names", by_user, number=place),
                    )
                for parameter in found.parameters:
                    draw_parameter(parameter, choices.of_attack(name), place)
