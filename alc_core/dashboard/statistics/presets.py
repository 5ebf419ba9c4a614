"""Presets: sets of parameters with their reason, applied to the what-if sliders."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from alc_core.campaign.file.annotations import BUILT_IN, PRESETS, Preset, make_preset
from alc_core.campaign.file.store import CampaignStore
from alc_core.dashboard.choices.run_choices import Rescoring
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.widgets import draw_outcome, outcome_of
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.errors import AlcError
from alc_core.phrasing import decimal
from alc_core.scoring.parameters import PARAMETER_TITLES, ScoringParameters


@dataclass(slots=True, kw_only=True)
class PresetChoices:
    """What the user did with presets."""

    name: str = BUILT_IN[0].name  # Of the preset that is looked at
    new_name: str = ""  # Typed in for a new one
    new_rationale: str = ""
    # Presets of this session by name; without a campaign they are nowhere else
    own: dict[str, Preset] = field(default_factory=dict)
    outcome: tuple[str, bool] = ("", True)  # How the last saving or deleting went, and if well


def draw_presets(state: AppState, scoring: ScoringParameters | None) -> None:
    """Draw the presets with their reasons, and a way to keep the chosen parameters as one."""
    choices = state.screen(PresetChoices)
    store = None if state.campaign is None else state.campaign.view.store
    presets = _presets(choices, store)
    if choices.name not in presets:
        choices.name = BUILT_IN[0].name
    preset = presets[choices.name]
    st.selectbox(
        "Preset", list(presets), **bind(choices, "name"),
        help=f"{literal(_values(preset.scoring))}. {literal(preset.rationale)}",
    )  # fmt: skip
    with st.container(horizontal=True):
        st.button(
            "Use these parameters",
            key="use_preset",
            type="primary",
            on_click=lambda: _use(state, preset),
            disabled=state.rescoring == Rescoring.of(preset.scoring),
        )
        if preset not in BUILT_IN:
            st.button(
                "Delete",
                key="delete_preset",
                icon=":material/delete:",
                on_click=lambda: _delete(choices, store, preset),
            )
    if scoring is not None:
        _draw_saving(choices, store, scoring)
    draw_outcome(*choices.outcome)


def _draw_saving(
    choices: PresetChoices, store: CampaignStore | None, scoring: ScoringParameters
) -> None:
    with st.popover("Save the sliders as a preset", icon=":material/bookmark_add:"):
        st.caption(literal(_values(scoring)))
        st.text_input("Name", max_chars=60, **bind(choices, "new_name"))
        st.text_area(
            "Rationale: why do you score so?", max_chars=1000, **bind(choices, "new_rationale")
        )
        st.caption(
            "Kept for this session only, as there is no campaign."
            if store is None
            else "Kept in the campaign's file, too: whoever opens that file can use it."
        )
        st.button("Save preset", key="save_preset", on_click=lambda: _save(choices, store, scoring))
        draw_outcome(*choices.outcome)  # what stands below is covered while this is open


def _presets(choices: PresetChoices, store: CampaignStore | None) -> dict[str, Preset]:
    """Return all presets by name: built-in ones, those of the session, those of the campaign."""
    found = {preset.name: preset for preset in BUILT_IN} | choices.own
    if store is not None:
        try:
            found |= PRESETS.read(store)
        except AlcError as error:
            choices.outcome = str(error), False
    return found


def _values(scoring: ScoringParameters) -> str:
    names = ("alpha", "r_min", "at_risk", "serious", "confidence")
    values = scoring.to_dict()
    return ", ".join(f"{PARAMETER_TITLES[name]} {decimal(values[name])}" for name in names)


def _use(state: AppState, preset: Preset) -> None:
    state.screen(PresetChoices).outcome = "", True
    state.rescoring = Rescoring.of(preset.scoring)


def _save(choices: PresetChoices, store: CampaignStore | None, scoring: ScoringParameters) -> None:
    def save() -> str:
        preset = make_preset(choices.new_name, choices.new_rationale, scoring)
        if store is not None:
            PRESETS.keep(store, preset.name, preset)
        choices.own[preset.name] = preset
        choices.name, choices.new_name, choices.new_rationale = preset.name, "", ""
        return f"The preset '{preset.name}' is kept."

    choices.outcome = outcome_of(save)


def _delete(choices: PresetChoices, store: CampaignStore | None, preset: Preset) -> None:
    def delete() -> str:
        if store is not None:
            PRESETS.remove(store, preset.name)
        choices.own.pop(preset.name, None)
        return f"The preset '{preset.name}' is deleted."

    choices.outcome = outcome_of(delete)
