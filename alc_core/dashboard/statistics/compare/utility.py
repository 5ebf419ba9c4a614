"""The utility of releases: measuring it, the map, and its details."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from alc_core.campaign.findings.view import CampaignView
from alc_core.compare.comparison import Comparison
from alc_core.compare.sentences import releases_frame
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_table import table_height
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.parts.study_runs import StudyChoices, known_results, start_study
from alc_core.dashboard.parts.watching import draw_task
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import Page, bind
from alc_core.dashboard.statistics.compare.choices import CompareChoices
from alc_core.figures.looks import LOOKS
from alc_core.figures.risk_utility import risk_utility_map
from alc_core.glossary import explain
from alc_core.phrasing import listed, numbered
from alc_core.studies.registry import studies
from alc_core.studies.study import usual_values
from alc_core.studies.utility.result import (
    Utility,
    campaign_release,
    differing_sentence,
    reading_lines,
    stored_utilities,
)

_UTILITY = studies()["utility"]
_UTILITY_WORDS = {
    "pairs": "Two-column marginals",
    "columns": "One-column marginals",
    "accuracy": "Accuracy of models",
}
_RISK_WORDS = {"worst": "Worst attack", "flagged": "Share at risk or serious"}


def known_utilities(state: AppState, view: CampaignView) -> dict[str, Utility]:
    """Return the utilities in the campaign's file and those measured in this session."""
    one, settings = state.screen(StudyChoices).of(_UTILITY), view.store.settings
    known_results(state, _UTILITY, one)  # keeps those of this session in the file
    own = {n: each for n, each in one.found.items() if campaign_release(settings, each) == n}
    found = {**stored_utilities(view.store), **own}
    return {name: found[name] for name in settings.releases if name in found}


def draw_releases(comparison: Comparison, utilities: Mapping[str, Utility]) -> None:
    """Draw risk and utility of each release in a table."""
    table = releases_frame(comparison, utilities)
    table["standing"] = [
        LOOKS[each].label if isinstance(each, str) else "No result" for each in table["standing"]
    ]
    shares = ["accuracy", "original_accuracy", "majority_accuracy"]
    table[shares] = table[shares].astype("float64") * 100
    config = st.column_config
    distance = explain("total variation distance")
    learned = explain("train on release, test on original")
    order = ["release", "standing", "worst_alc", "worst_interval", "median_alc", "flagged",
             "measured"]  # fmt: skip
    if utilities:
        order += ["column_distance", "pair_distance", "accuracy", "original_accuracy"]
    if any(each.lacking for each in utilities.values()):
        order.append("lacking")
    st.dataframe(
        table,
        hide_index=True,
        lazy=False,
        height=table_height(len(table)),
        column_order=order,
        column_config={
            "release": config.TextColumn("Release", help=explain("release")),
            "standing": config.TextColumn("Worst verdict"),
            "worst_alc": config.NumberColumn("Highest ALC", format="%.2f", help=explain("ALC")),
            "worst_interval": config.TextColumn("Its interval", help=explain("interval")),
            "median_alc": config.NumberColumn("Median ALC", format="%.2f"),
            "flagged": config.NumberColumn("At risk or serious"),
            "measured": config.NumberColumn("Of attacks", help="Attacks with a result."),
            "column_distance": config.NumberColumn("1-col. TVD", format="%.3f", help=distance),
            "pair_distance": config.NumberColumn("2-col. TVD", format="%.3f", help=distance),
            "accuracy": config.NumberColumn("Accuracy", format="%.1f %%", help=learned),
            "original_accuracy": config.NumberColumn(
                "Original's own", format="%.1f %%", help=learned
            ),
            "lacking": config.NumberColumn("Missing columns"),
        },
        alt="Risk and utility of each release.",
    )


def draw_measuring(state: AppState, choices: CompareChoices, view: CampaignView) -> None:
    """Draw the button that measures utility in the background, or what it needs."""
    one = state.screen(StudyChoices).of(_UTILITY)
    if draw_task(state, _UTILITY.name):
        return
    if one.done:  # What stands above was drawn without it
        one.done = False
        st.rerun()
    if one.message:
        st.warning(literal(one.message), icon=":material/warning:")
    tables, utilities = state.campaign_tables(), known_utilities(state, view)
    if tables is None:
        what = "Measuring it again" if utilities else "Measuring utility"
        draw_empty(
            f"{what} needs the original and all releases of this campaign, as they were attacked.",
            Page.DATA,
            "Upload them on the Data page",
        )
        return
    reasons = [reason for each in tables[1].values() if (reason := _UTILITY.refusal(each))]
    if reasons:
        st.caption(literal(" ".join(reasons)))
    if len(reasons) == len(tables[1]):
        return
    with st.expander("Options"):
        st.multiselect(
            "Columns that models predict",
            [name for name, kind in tables[0].kinds.items() if kind == "categorical"],
            placeholder="Up to 10 categorical columns that the campaign attacks",
            help=explain("train on release, test on original"),
            **bind(choices, "targets"),
        )
    st.button(
        "Measure utility again" if utilities else "Measure utility",
        type="secondary" if utilities else "primary",
        icon=":material/straighten:",
        on_click=start_study,
        args=(state, _UTILITY),
        kwargs={
            "releases": tuple(tables[1]),
            "given": {**usual_values(_UTILITY), "target": tuple(choices.targets)},
        },
    )
    if not utilities:
        st.caption(
            f"{explain('utility')} It takes from seconds to a minute for each release of usual "
            "size and runs in the background; the result is kept in the campaign's file."
        )


def draw_map(
    choices: CompareChoices,
    comparison: Comparison,
    utilities: Mapping[str, Utility],
    standings: Mapping[str, str],
) -> None:
    """Draw the risk-utility map with a choice of its axes."""
    with st.container(horizontal=True):
        st.segmented_control(
            "Utility", list(_UTILITY_WORDS), format_func=_UTILITY_WORDS.__getitem__,
            required=True, help=explain("utility"), **bind(choices, "utility_axis"),
        )  # fmt: skip
        st.segmented_control(
            "Risk", list(_RISK_WORDS), format_func=_RISK_WORDS.__getitem__,
            required=True, help=explain("ALC"), **bind(choices, "risk_axis"),
        )  # fmt: skip
    axes: dict[str, Any] = {"utility": choices.utility_axis, "risk": choices.risk_axis}
    draw_chart(
        risk_utility_map(comparison, utilities, standings=standings, **axes),
        key="compare_map", name="risk-utility-map",
    )  # fmt: skip
    lacking = [name for name in comparison.releases if name not in utilities]
    missing = f" Not measured: {listed(lacking)}." if lacking else ""
    mark = (
        "The short line at the bottom is what naming the most frequent value would reach. More "
        "than 100 % is a sign of copied records, not of more use."
        if choices.utility_axis == "accuracy"
        else "The short line at the bottom is what the same number of rows drawn again from the "
        "original would reach: a release beyond it usually holds the original's own rows or values."
    )
    st.caption(
        literal(f"Further right is more useful, further down is safer.{missing}"),
        help=literal(mark),
    )


def draw_utility_details(utilities: Mapping[str, Utility]) -> None:
    """Draw how to read the numbers, and notes on each release."""
    found = list(utilities.values())
    if differing := differing_sentence(found):
        st.warning(literal(differing), icon=":material/warning:")
    notes = [(each.release, note) for each in found for note in each.notes]
    remarks = f", with {numbered(len(notes), 'remark')}" if notes else ""
    with st.expander(f"How to read utility{remarks}"):
        lines = [f"- **{literal(of)}**: {literal(note)}" for of, note in notes]
        lines += [f"- {literal(line)}" for line in reading_lines(found)]
        st.markdown("\n".join(lines))
