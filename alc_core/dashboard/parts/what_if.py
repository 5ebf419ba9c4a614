"""What if the parameters were others: the sliders, and what they change."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from alc_core.campaign.findings.overview import flips_sentence
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.choices.run_choices import Rescoring
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_table import as_chips, draw_attacks
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.session import bind
from alc_core.errors import InputError
from alc_core.glossary import explain
from alc_core.phrasing import decimal, percent
from alc_core.scoring.parameters import ALPHA, AT_RISK, CONTROL, SERIOUS, ScoringParameters
from alc_core.scoring.verdict import OUTCOMES

_CONTROLS = {
    "none": "None: each attack by itself",
    "family-wise": "Family-wise error",
    "false discovery": "False discovery rate",
}
_CONFIDENCES = (0.8, 0.9, 0.95, 0.99)
_R_MINS = tuple(float(f"{step}e{power}") for power in range(-6, -1) for step in (1, 2, 5))


def chosen_scoring(state: AppState, run: ScoringParameters) -> ScoringParameters | None:
    """Return the sliders' parameters, or say why there are none and return None."""
    if state.rescoring is None:
        return run
    try:
        return ScoringParameters.from_dict({**run.to_dict(), **state.rescoring.changes()})
    except InputError as error:
        st.warning(
            f"{literal(error)} Move the sliders, or go back to the run's parameters.",
            icon=":material/warning:",
        )
        return None


def draw_what_if(
    state: AppState, campaign: CampaignResult, scoring: ScoringParameters | None
) -> None:
    """Draw what other parameters change, and the sliders that choose them."""
    if scoring is not None:
        draw_flips(campaign.view, scoring)
    draw_sliders(state, campaign.view.settings.scoring)


def draw_sliders(
    state: AppState, scoring: ScoringParameters, *, back: str = "Back to the run's parameters"
) -> None:
    """Draw the sliders that rescore at once, and the way back to the run's parameters."""
    if state.rescoring is None:
        state.rescoring = Rescoring.of(scoring)
    rescoring = state.rescoring
    # Each with its value as the default: a popover that is opened after a redraw shows defaults.
    st.slider(
        "alpha", min(0.5, scoring.alpha, rescoring.alpha), max(6.0, scoring.alpha, rescoring.alpha),
        float(rescoring.alpha), step=ALPHA.step, format="%.1f",
        help=explain("alpha"), **bind(rescoring, "alpha"),
    )  # fmt: skip
    st.select_slider(
        "R_min", sorted({*_R_MINS, scoring.r_min, rescoring.r_min}), rescoring.r_min,
        format_func=decimal,
        help=explain("R_min"), **bind(rescoring, "r_min"),
    )  # fmt: skip
    st.slider(
        "At risk from, serious from", float(AT_RISK.low), float(SERIOUS.high),
        [float(limit) for limit in rescoring.limits], step=AT_RISK.step,
        help=explain("at risk", "serious"), **bind(rescoring, "limits"),
    )  # fmt: skip
    st.select_slider(
        "Confidence", sorted({*_CONFIDENCES, scoring.confidence, rescoring.confidence}),
        rescoring.confidence, format_func=percent,
        help=explain("confidence"), **bind(rescoring, "confidence"),
    )  # fmt: skip
    st.selectbox(
        "Control for many attacks", CONTROL.choices, CONTROL.choices.index(rescoring.control),
        format_func=_CONTROLS.__getitem__,
        help=literal(CONTROL.help), **bind(rescoring, "control"),
    )  # fmt: skip
    st.button(
        literal(back),
        on_click=lambda: setattr(state, "rescoring", None),
        disabled=rescoring == Rescoring.of(scoring),
        width="stretch",
    )


def draw_flips(view: CampaignView, scoring: ScoringParameters) -> None:
    """Say how many attacks change their verdict against the run's parameters."""
    changed = view.flips(scoring)
    if not len(changed):
        words = "No verdict changes." if scoring != view.settings.scoring else ""
        st.caption(words or "These are the run's parameters.")
        return
    st.info(literal(flips_sentence(changed)), icon=":material/swap_horiz:")
    st.caption("They are listed below the table of attacks on Findings.")


def draw_flips_table(view: CampaignView, scoring: ScoringParameters) -> None:
    """List the attacks that change their verdict, folded away; nothing where none does."""
    changed = view.flips(scoring)
    if not len(changed):
        return
    with st.expander("Which attacks change"):
        rows = view.overview(scoring).results.set_index("number").loc[changed.numbers]
        table = rows.assign(
            before=as_chips(pd.Series([OUTCOMES[code] for code in changed.before], rows.index)),
            after=as_chips(pd.Series([OUTCOMES[code] for code in changed.after], rows.index)),
            alc=rows["decisive_alc"].clip(lower=0.0),
        )
        draw_attacks(
            table[["before", "after", "alc", "release", "unknown", "known"]],
            alt="Attacks whose verdict changes, before and now.",
        )
