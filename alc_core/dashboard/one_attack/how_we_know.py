"""How a verdict is known: both readings of ALC, the curves, and the attack among all others."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from alc_core.assessment.result import Assessment
from alc_core.assessment.words import (
    counts_sentence,
    deciding_sentence,
    interval_text,
    loss_text,
    plain_sentence,
)
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_marks import draw_marks, figures_of
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.parts.focus import Focus
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.figures.one_attack import precision_recall_figure
from alc_core.glossary import explain
from alc_core.phrasing import count, percent
from alc_core.scoring.readings import READING_TITLES, READINGS


@dataclass(slots=True, kw_only=True)
class HowWeKnow:
    """Whether the part is unfolded."""

    open: bool = False


def draw_how_we_know(
    state: AppState,
    overview: CampaignOverview,
    number: int,
    assessment: Assessment,
    focus: Focus,
) -> None:
    """Draw the numbers and curves behind a verdict, folded away."""
    with (panel := st.expander(
        "How we know: both readings, curves, all attacks", icon=":material/ssid_chart:",
        **bind(state.screen(HowWeKnow), "open"),
    )):  # fmt: skip
        if not panel.open:
            return
        st.markdown(literal(f"{plain_sentence(assessment)} {deciding_sentence(assessment)}"))
        _draw_numbers(assessment)
        _draw_curves(assessment)
        if overview.results["decisive_alc"].notna().any():
            for figure in figures_of(overview.results).values():
                draw_marks(figure, overview.results, overview, focus, key="attack", selected=number)


def _draw_numbers(assessment: Assessment) -> None:
    """Draw both readings of ALC with their intervals, and precision and recall of both sides."""
    sides = [("Attack at its best", assessment.attack), ("Guess at its best", assessment.baseline)]
    if assessment.points.known:
        sides.append(("Attack among the rest", assessment.attack_rest))
        sides.append(("Guess there, its surest", assessment.baseline_rest))
    else:
        sides.append(("Guess for as many, its surest", assessment.baseline_rest))
    rows = "\n".join(
        f"| {literal(title)} | {percent(side.measured_precision)} | {percent(side.recall)} | "
        f"{count(side.true_predictions)} of {count(side.predictions)} |"
        for title, side in sides
    )
    head = f"| | Precision | Recall | Right, of {count(assessment.attempts)} attacked |"
    with st.container(key="numbers"):
        for name, shown in zip(READINGS, st.columns(2), strict=True):
            title = READING_TITLES[name]
            with shown.container(border=True):
                st.metric(literal(title), loss_text(assessment.loss_of(name)), help=explain(title))
                st.caption(interval_text(assessment, name), help=explain("interval"))
        st.markdown(
            f"{head}\n|---|---|---|---|\n{rows}",
            help=literal("\n\n".join(f"{title}: {counts_sentence(side)}" for title, side in sides)),
        )


def _draw_curves(assessment: Assessment) -> None:
    draw_chart(precision_recall_figure(assessment), key="precision_recall", name="precision-recall")
    rest = (
        " The lines show all people, the open marks those whom a guess does not already know."
        if assessment.points.known
        else ""
    )
    st.caption(
        f"Where the attack lies above the baseline, the release gave something away.{rest}",
        help="Left is an attacker who answers for few people only, right one who answers for "
        "everyone; higher is right more often. The large marks are the points that count. Faint "
        "parts rest on few predictions; the bands are their intervals.",
    )
