"""What RAPID found: a sentence, the curve, releases side by side, who is at risk, and why."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.charts import draw_chart
from alc_core.dashboard.parts.widgets import draw_download
from alc_core.dashboard.rapid.beside_alc import draw_same_facts
from alc_core.dashboard.rapid.choices import RapidChoices
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.errors import AlcError
from alc_core.figures.rapid import (
    rapid_curve,
    rapid_curve_alt,
    rapid_drivers,
    rapid_drivers_alt,
    rapid_groups,
    rapid_groups_alt,
    rapid_releases,
    rapid_releases_alt,
)
from alc_core.phrasing import percent
from alc_core.studies.rapid.result import Rapid
from alc_core.studies.rapid.words import (
    beyond_sentence,
    difference_words,
    driver_sentence,
    group_sentence,
    moved_sentence,
    not_released_sentence,
    result_label,
    shares_sentence,
)


def draw_results(state: AppState, choices: RapidChoices, results: Mapping[str, Rapid]) -> None:
    """Draw the chosen result, and all of them side by side."""
    if choices.shown not in results:
        choices.shown = next(iter(results))
    every = list(results.values())
    if len(results) > 1:
        draw_chart(rapid_releases(every), key="rapid_releases", name="rapid-releases",
                   alt=rapid_releases_alt(every))  # fmt: skip
        st.selectbox(
            "Result", list(results), format_func=lambda key: result_label(results[key]),
            **bind(choices, "shown"),
        )  # fmt: skip
    _draw_one(state, choices, results[choices.shown])


def _draw_one(state: AppState, choices: RapidChoices, found: Rapid) -> None:
    _draw_numbers(state, found)
    st.info(
        f"**{literal(beyond_sentence(found))}** {literal(shares_sentence(found))}",
        icon=":material/lightbulb:",
    )
    for note in filter(None, (not_released_sentence(found), *found.notes)):
        st.caption(literal(note))
    _draw_curve(choices, found)
    who, what = st.columns(2, gap="medium")
    with who:
        _draw_groups(state, choices, found)
    with what:
        draw_chart(rapid_drivers(found), key="rapid_drivers", name="rapid-drivers",
                   alt=rapid_drivers_alt(found))  # fmt: skip
        st.caption(literal(driver_sentence(found)))
    if choices.measured:
        draw_download(
            "Each person's risk (CSV)", choices.people_csv, "rapid-people.csv",
            key="rapid_people",
            help="Row numbers of the original with their scores: personal data. It is made "
            "when you click, and kept nowhere.",
        )  # fmt: skip


def _draw_groups(state: AppState, choices: RapidChoices, found: Rapid) -> None:
    """Draw who is at risk, by the column that is chosen."""
    columns = [*found.grouped, *choices.further_columns(state)]
    if not columns:
        return
    if choices.by not in columns:
        choices.by = columns[0]
    st.selectbox(
        "Who is at risk, by", columns, **bind(choices, "by"),
        help="Numbers are cut at their quintiles. Values of fewer than 20 people are taken "
        "together, or left out.",
    )  # fmt: skip
    if choices.by not in found.grouped:
        try:
            found = choices.told_by(state, choices.by)
        except AlcError as error:
            st.warning(literal(str(error)), icon=":material/warning:")
            return
    draw_chart(rapid_groups(found, choices.by), key="rapid_groups", name="rapid-groups",
               alt=rapid_groups_alt(found, choices.by))  # fmt: skip
    st.caption(literal(group_sentence(found, choices.by)))


def _draw_numbers(state: AppState, found: Rapid) -> None:
    with st.container(key="numbers"):
        columns = st.columns(4)
    columns[0].metric("At risk from the release", percent(found.rapid.value))
    columns[1].metric("Without the person", percent(found.reference.value))
    columns[2].metric(
        "Difference", difference_words(found),
        help=beyond_sentence(found),
    )  # fmt: skip
    with columns[3]:
        draw_same_facts(state, found)


def _draw_curve(choices: RapidChoices, found: Rapid) -> None:
    cuts = found.curve.cuts
    if choices.cut is None or not cuts[0] <= choices.cut <= cuts[-1]:
        choices.cut = found.cut
    st.slider(
        "Tolerance" if found.scoring.numeric else "Threshold τ", float(cuts[0]), float(cuts[-1]),
        step=(cuts[-1] - cuts[0]) / 100, help=literal(found.scoring.help), **bind(choices, "cut"),
    )  # fmt: skip
    cut = found.cut if choices.cut is None else choices.cut
    draw_chart(rapid_curve(found, cut), key="rapid_curve", name="rapid-curve",
               alt=rapid_curve_alt(found, cut))  # fmt: skip
    st.caption(literal(moved_sentence(found, cut)))
