"""Parts of the Findings page: verdict, key numbers, sliders, details, downloads."""

from __future__ import annotations

import html
from collections.abc import Sequence

import streamlit as st

from alc_core.assessment.result import Assessment
from alc_core.assessment.words import (
    VERDICT_ICONS,
    caution,
    changed_parameters,
    changed_verdict,
    file_stem,
    headline,
    interval_text,
    loss_text,
    plain_sentence,
    subject,
    verdict_explanation,
)
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.state.choices import Rescoring
from alc_core.dashboard.state.session import bind
from alc_core.dashboard.state.state import AppState
from alc_core.errors import InputError
from alc_core.figures.loss_scale import loss_scale_alt, loss_scale_figure
from alc_core.figures.palette import VERDICT_COLOURS
from alc_core.figures.precision_recall import precision_recall_alt, precision_recall_figure
from alc_core.glossary import explain
from alc_core.phrasing import count, decimal, listed, percent
from alc_core.report.text import measures_csv
from alc_core.scoring.curves import Measure
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict

CAMPAIGN, SINGLE_ATTACK = "Campaign", "Single attack"
"""What the page can show."""

_CONFIDENCES = (0.8, 0.9, 0.95, 0.99)
_R_MINS = tuple(
    float(f"{step}e{power}") for power in range(-6, -1) for step in (1, 2, 5)
)  # fmt: skip


def draw_choice(state: AppState) -> str:
    """Let the user choose between campaign and single attack where there are both."""
    if state.result is None:
        return CAMPAIGN
    chosen = st.segmented_control(
        "Show",
        [CAMPAIGN, SINGLE_ATTACK],
        default=CAMPAIGN,
        required=True,
        label_visibility="collapsed",
        key="findings_of",
        persist_state="session",
        on_change=forget_rescoring,
        args=(state,),
    )
    return chosen or CAMPAIGN


def draw_outdated(changed: Sequence[str], what: str) -> None:
    """Say what changed since a run or campaign, or nothing where nothing did."""
    if not changed:
        return
    st.info(
        literal(
            f"Out of date: since this {what} you changed {listed(list(changed))}. The results "
            f"below are those of the {what} as it was. Run it again to bring them up to date."
        ),
        icon=":material/history:",
    )


def draw_verdict(assessment: Assessment) -> None:
    """Draw the verdict as a chip of colour, icon and words, and what it means in sentences."""
    with st.container(border=True):
        _draw_chip(assessment, size=1.25)
        st.caption(literal(subject(assessment)))
        st.markdown(literal(plain_sentence(assessment)))
        st.markdown(literal(verdict_explanation(assessment)))
        if warning := caution(assessment):
            st.warning(literal(warning), icon=":material/search:")
        st.plotly_chart(
            loss_scale_figure(assessment),
            key="loss_scale",
            config={"displayModeBar": False},
            alt=loss_scale_alt(assessment),
        )


def draw_notes(assessment: Assessment) -> None:
    """Draw what a reader must know besides: warnings of the check, questions accepted, notes."""
    if not assessment.notes:
        return
    with st.container(border=True):
        st.markdown("**Read this with**")
        st.markdown("\n".join(f"- {literal(note)}" for note in assessment.notes))


def draw_numbers(assessment: Assessment) -> None:
    """Draw the ALC with its interval, and precision and recall of both sides."""
    loss, attack, baseline = st.columns(3)
    with loss.container(border=True, height="stretch"):
        st.markdown("**Anonymity loss**")
        st.metric("ALC", loss_text(assessment.alc), help=explain("ALC"))
        st.caption(
            f"{interval_text(assessment)}. Higher is riskier; 1 is full loss.",
            help=explain("interval"),
        )
    with attack.container(border=True, height="stretch"):
        st.markdown("**Attack**, with the release", help=explain("attack"))
        _draw_measure(assessment.attack)
    with baseline.container(border=True, height="stretch"):
        st.markdown("**Baseline**, without it", help=explain("baseline"))
        _draw_measure(assessment.baseline)


def draw_curves(assessment: Assessment) -> None:
    """Draw the precision-recall figure and how to read it."""
    draw_chart(
        precision_recall_figure(assessment),
        key="precision_recall",
        name="precision-recall",
        alt=precision_recall_alt(assessment),
    )
    st.caption(
        "Left is an attacker who answers for few people only, right one who answers for everyone; "
        "higher is right more often. Where the attack lies above the baseline, the release gave "
        "something away. The large marks are the points that count. Faint parts rest on too few "
        "predictions to count; the bands are their intervals."
    )


def draw_readout(assessment: Assessment) -> None:
    """Draw verdict and ALC in short, to be seen while sliders move."""
    _draw_chip(assessment, size=0.95)
    st.markdown(f"ALC **{loss_text(assessment.alc)}** ({interval_text(assessment)})")


def draw_sliders(
    state: AppState, scoring: ScoringParameters, *, back: str = "Back to the run's parameters"
) -> None:
    """Draw the sliders that rescore at once, and the way back to the run's parameters."""
    if state.rescoring is None:
        state.rescoring = Rescoring.of(scoring)
    rescoring = state.rescoring
    st.slider(
        "alpha", min(0.5, scoring.alpha, rescoring.alpha), max(6.0, scoring.alpha, rescoring.alpha),
        step=0.1, format="%.1f",
        help=explain("alpha"), **bind(rescoring, "alpha"),
    )  # fmt: skip
    st.select_slider(
        "R_min", sorted({*_R_MINS, scoring.r_min, rescoring.r_min}), format_func=decimal,
        help=explain("R_min"), **bind(rescoring, "r_min"),
    )  # fmt: skip
    st.slider(
        "At risk from, serious from", min(0.05, scoring.at_risk, rescoring.limits[0]), 1.0,
        step=0.01,
        help=explain("at risk", "serious"), **bind(rescoring, "limits"),
    )  # fmt: skip
    st.select_slider(
        "Confidence", sorted({*_CONFIDENCES, scoring.confidence, rescoring.confidence}),
        format_func=percent, help=explain("confidence"), **bind(rescoring, "confidence"),
    )  # fmt: skip
    st.button(
        back,
        on_click=forget_rescoring,
        args=(state,),
        disabled=rescoring == Rescoring.of(scoring),
        width="stretch",
    )


def chosen_scoring(state: AppState, run: ScoringParameters) -> ScoringParameters | None:
    """Return the sliders' parameters, or say why there are none and return None."""
    if state.rescoring is None:
        return run
    try:
        return ScoringParameters.from_dict({**run.to_dict(), **state.rescoring.changes()})
    except InputError as error:
        _warn(error)
        return None


def rescored(state: AppState, run: Assessment) -> Assessment | None:
    """Return the run under the sliders' parameters, or say why there is none and return None."""
    if state.rescoring is None:
        return run
    try:
        assessment = run.rescore(**state.rescoring.changes())
        _ = assessment.verdict
    except InputError as error:
        _warn(error)
        return None
    return assessment


def draw_changes(run: Assessment, shown: Assessment) -> None:
    """Say what the sliders changed, or nothing where they changed nothing."""
    changes = [changed_verdict(run, shown), changed_parameters(shown)]
    if any(changes):
        st.info(literal(" ".join(filter(None, changes))), icon=":material/swap_horiz:")


def draw_downloads(assessment: Assessment) -> None:
    """Draw the downloads of the assessment as it is shown."""
    stem = file_stem(assessment) + ("-what-if" if assessment.run_scoring is not None else "")
    with st.container(horizontal=True):
        st.download_button(
            "Download JSON",
            data=assessment.to_json(indent=1),
            file_name=f"{stem}.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
            help="Everything about this result, to keep or to load in Python. No rows: counts, "
            "scores, column names, and the values by which you selected people, if you did.",
        )
        st.download_button(
            "Download CSV",
            data=measures_csv(assessment),
            file_name=f"{stem}.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            help="Precision, recall and counts at every threshold, for a spreadsheet.",
        )


def _draw_chip(assessment: Assessment, *, size: float) -> None:
    # A harmless verdict with a caution must not look harmless.
    shown = Verdict.UNDECIDED if caution(assessment) else assessment.verdict
    colour = VERDICT_COLOURS[shown]
    title = f"{VERDICT_ICONS[shown]}\u2002{headline(assessment)}"
    st.html(
        f'<span role="status" style="display:inline-block;background:{colour};color:#fff;'
        f"font-size:{size}rem;font-weight:650;padding:.3em .8em;border-radius:1em;"
        f'line-height:1.35">{html.escape(title)}</span>'
    )


def _draw_measure(measure: Measure) -> None:
    with st.container(horizontal=True, gap="medium"):
        st.metric(
            "Precision",
            percent(measure.measured_precision),
            help=explain("precision"),
            width="content",
        )
        st.metric("Recall", percent(measure.recall), help=explain("recall"), width="content")
    low, high = measure.precision_interval
    st.caption(
        f"Right in {count(measure.true_predictions)} of {count(measure.predictions)} predictions "
        f"(precision {percent(low)} to {percent(high)}; PRC uses the middle)."
    )


def forget_rescoring(state: AppState) -> None:
    """Go back to the run's parameters."""
    state.rescoring = None


def _warn(error: InputError) -> None:
    st.warning(
        f"{literal(error)} Move the sliders, or go back to the run's parameters.",
        icon=":material/warning:",
    )
