"""ALC beside RAPID: of the same facts, and over all attacks of the campaign."""

from __future__ import annotations

import streamlit as st

from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.rapid_and_alc import disagreements, rapid_column
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.parts.focus import focus_of, follow_opening
from alc_core.dashboard.parts.what_if import chosen_scoring
from alc_core.dashboard.rapid.choices import RapidChoices
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import (
    CAMPAIGN_PAGE,
    draw_link,
    selection,
)
from alc_core.figures.attacks import measure_scatter
from alc_core.phrasing import alc_number, count
from alc_core.studies.rapid.beside_alc import same_facts, same_facts_sentence
from alc_core.studies.rapid.result import Rapid

_CHART = "rapid_and_alc"


def judged(state: AppState) -> tuple[CampaignView, CampaignOverview] | None:
    """Return the campaign and where its attacks stand, with the parameters chosen on Findings."""
    if state.campaign is None:
        return None
    view = state.campaign.view
    scoring = chosen_scoring(state, view.settings.scoring)
    return None if scoring is None else (view, view.overview(scoring))


def draw_same_facts(state: AppState, found: Rapid) -> None:
    """Draw the ALC of the worst attack with the facts of a result, and the way to it."""
    there = judged(state)
    numbers: tuple[int, ...] = ()
    if there is not None:
        view, overview = there
        numbers = same_facts(view.attacks, overview, found)
    if not numbers:
        st.metric("ALC of the same facts", "none", help="The campaign has no attack on this release"
                  " with the same known and unknown columns.")  # fmt: skip
        draw_link(CAMPAIGN_PAGE, "Plan it", ":material/checklist:")
        return
    row = overview.row(numbers[0])
    st.metric(
        "ALC of the same facts",
        alc_number(float(row["decisive_alc"])),
        help=literal(same_facts_sentence(view.attacks, overview, found)),
    )
    _draw_open(state, numbers[0], "same_facts")


def draw_scatter(state: AppState, choices: RapidChoices) -> None:
    """Draw RAPID against ALC of all attacks that have both, and say where they disagree."""
    there = judged(state)
    if there is None:
        return
    st.subheader("All attacks of the campaign")
    _, overview = there
    column = rapid_column(overview)
    if column is None:
        st.caption(
            "No attack of the campaign gives probabilities, which RAPID needs. Run it with the "
            "attack “model” to compare the two over all scenarios."
        )
        return
    picked = choices.picked if choices.picked in overview.results["number"].tolist() else None
    shown = (overview.results, overview.scoring)
    draw_chart(
        measure_scatter(*shown, column=column, selected=picked),
        key=_CHART,
        name="rapid-and-alc",
        on_select=lambda: _pick(choices),
    )
    if picked is None:
        st.caption("Each mark is an attack of the campaign. Click one to open it.")
    else:
        _draw_open(state, picked, "picked")
    for sentence in disagreements(overview):
        st.markdown(f"- {literal(sentence)}")


def _draw_open(state: AppState, number: int, key: str) -> None:
    if state.campaign is None:
        return
    focus = focus_of(state, state.campaign)
    if st.button(f"Open attack {count(number)}", key=f"rapid_open_{key}", type="tertiary",
                 icon=":material/open_in_new:"):  # fmt: skip
        focus.open(number)
        follow_opening(focus)


def _pick(choices: RapidChoices) -> None:
    points = selection(_CHART, "points")
    choices.picked = int(points[-1]["customdata"]) if points else None
