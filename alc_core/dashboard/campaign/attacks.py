"""Which attacks are run: those that fit the releases, why the others do not, and their settings."""

from __future__ import annotations

import streamlit as st

from alc_core.attacks.registry import attack_types
from alc_core.dashboard.choices.attack_choices import fitting_attacks
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.widgets import draw_parameter
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind


def draw_attacks(state: AppState) -> None:
    """Draw the choice of attacks; nothing where there is only one to choose.

    Parameters
    ----------
    state : AppState
        Its choices are shown and changed.
    """
    types, choices = attack_types(), state.campaign_choices.attacks
    releases = list(state.attacked_releases().values())
    if not releases:
        return
    fitting, reasons = fitting_attacks(releases)
    if len(types) > 1:
        st.multiselect(
            "Which attacks are run?",
            fitting,
            help="\n\n".join(f"**{literal(n)}**: {literal(types[n].method)}" for n in fitting),
            placeholder="Choose at least one attack",
            wrap=True,
            **bind(choices, "names"),
        )
    if reasons:
        told = "; ".join(f"{literal(name)} {literal(why)}" for name, why in reasons.items())
        st.caption(f"Not for these releases: {told}.")
    for place, name in enumerate(types):
        if name in choices.names and types[name].parameters:
            with st.expander(f"Settings of {literal(name)}"):
                for parameter in types[name].parameters:
                    draw_parameter(parameter, choices.of_attack(name), place)
