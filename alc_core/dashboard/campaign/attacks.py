"""Which attacks are run: those that fit the releases, why the others do not, and their settings."""

from __future__ import annotations

import streamlit as st

from alc_core.attacks.model import ModelAttack
from alc_core.attacks.registry import attack_types
from alc_core.candidates.untried import asks_for_model, model_advice
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
    _draw_advice(state)
    for place, name in enumerate(types):
        if name in choices.names and types[name].parameters:
            with st.expander(f"Settings of {literal(name)}"):
                for parameter in types[name].parameters:
                    draw_parameter(parameter, choices.of_attack(name), place)


def _draw_advice(state: AppState) -> None:
    """Draw that a model may find more in rows that were made up, where none is chosen."""
    choices, releases = state.campaign_choices.attacks, state.attacked_releases()
    findings = state.findings()
    asking = []
    for name, release in releases.items():
        tables = {table.name for table in release.tables}
        said = [finding.message for finding in findings if finding.table in tables]
        if asks_for_model(release.kind, choices.names, said):
            asking.append(name)
    if asking:
        names = asking if len(asking) < len(releases) else ()
        st.caption(f":material/lightbulb: {literal(model_advice(names, ran=False))}")
        st.button(
            "Add the model attack",
            icon=":material/add:",
            on_click=choices.add,
            args=(ModelAttack.name,),
        )
