"""Which attacks are run: those that fit the releases, why the others do not, and their settings."""

from __future__ import annotations

import streamlit as st

from alc_core.attacks.registry import attack_types
from alc_core.dashboard.choices.attack_choices import fitting_attacks, readable_releases
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.widgets import draw_parameter
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.phrasing import listed


def draw_attacks(state: AppState) -> None:
    """Draw the choice of attacks; nothing where there is only one to choose."""
    types, choices = attack_types(), state.campaign_choices.attacks
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
            **bind(choices, "names"),
        )
    for name, on in choices.only_on():
        st.caption(f"{literal(name)}: on {literal(listed(list(on)))} alone.")
    for place, name in enumerate(types):
        found = types[name]
        readable, own = readable_releases(name, releases), choices.releases_of(name)
        several = len(readable) > 1 and (len(choices.names) > 1 or bool(own.names))
        if name in choices.names and (found.parameters or several):
            with st.expander(f"Settings of {literal(name)}"):
                if several:
                    st.multiselect(
                        "On which releases?",
                        readable,
                        placeholder="All that it can read",
                        wrap=True,
                        **bind(own, "names", number=place),
                    )
                for parameter in found.parameters:
                    draw_parameter(parameter, choices.of_attack(name), place)
