"""What was counted: all releases side by side, then one with its classes, and ALC beside."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.parts.focus import focus_of, follow_opening
from alc_core.dashboard.parts.what_if import chosen_scoring
from alc_core.dashboard.risk_numbers.choices import RiskChoices
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import CAMPAIGN_PAGE, bind, draw_link
from alc_core.figures.risk_numbers import class_size_histogram, class_size_histogram_alt
from alc_core.phrasing import count, listed
from alc_core.risk_numbers.beside_alc import alc_sentence, disagreement, worst_attack
from alc_core.risk_numbers.result import RiskNumbers
from alc_core.risk_numbers.tables import NONE, PROTECTED_WORDS, numbers_frame, protected_frame
from alc_core.risk_numbers.words import notes, risk_sentence


def draw_results(state: AppState, choices: RiskChoices, results: Mapping[str, RiskNumbers]) -> None:
    """Draw the chosen result, then all of them side by side."""
    if choices.shown not in results:
        choices.shown = next(iter(results))
    if len(results) > 1:
        st.segmented_control(
            "Release", list(results), format_func=lambda key: literal(results[key].label),
            required=True, **bind(choices, "shown"),
        )  # fmt: skip
    found = results[choices.shown]
    st.info(f"**{literal(risk_sentence(found))}**", icon=":material/lightbulb:")
    _draw_alc(state, found)
    if found.treated and len(found.treated) < len(found.known) and state.ready:
        st.button(
            f"Take the {count(len(found.treated))} coarser or suppressed columns only",
            type="tertiary", icon=":material/filter_list:",
            on_click=choices.take_known, args=(found.treated,),
        )  # fmt: skip
    _draw_numbers(list(results.values()))
    left, right = st.columns(2, gap="medium") if found.diversity else (st.container(), None)
    with left:
        draw_chart(class_size_histogram(found), key="class_sizes", name="class-sizes",
                   alt=class_size_histogram_alt(found))  # fmt: skip
    if right is not None:
        with right:
            st.markdown("**What classes tell of protected columns**", help=PROTECTED_WORDS)
            st.dataframe(protected_frame(found), hide_index=True, width="stretch", lazy=False)
    st.caption("\n".join(f"- {literal(note)}" for note in notes(found)))


def _draw_numbers(results: list[RiskNumbers]) -> None:
    st.markdown("**Risk numbers**")
    frame = numbers_frame(results)
    st.dataframe(frame, hide_index=True, width="stretch", height="content", lazy=False)
    columns = listed(list(results[0].settings.known))
    empty = f" {NONE}: it means nothing there." if (frame == NONE).any(axis=None) else ""
    basis = f"Classes of rows with the same {columns}. Original: as if it were published."
    st.caption(literal(f"{basis}{empty}"))


def _draw_alc(state: AppState, found: RiskNumbers) -> None:
    """Draw the verdict of the worst attack, and why it is another one than that of k."""
    beside = None
    if state.campaign is not None:
        view = state.campaign.view
        scoring = chosen_scoring(state, view.settings.scoring)
        beside = None if scoring is None else worst_attack(view, scoring, found)
    if beside is None or state.campaign is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(
                "What the release tells about people is for attacks to say.", width="content"
            )
            draw_link(CAMPAIGN_PAGE, "Plan attacks on it", ":material/checklist:")
        return
    st.markdown(literal(f"{alc_sentence(beside)} {disagreement(found, beside)}".strip()))
    if st.button("Open the attack", key="risk_open", type="tertiary",
                 icon=":material/open_in_new:"):  # fmt: skip
        focus = focus_of(state, state.campaign)
        focus.open(beside.number)
        follow_opening(focus)
