"""Choosing what RAPID is measured of, and measuring it in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.measuring import draw_measuring
from alc_core.dashboard.parts.widgets import draw_columns
from alc_core.dashboard.rapid.choices import RapidChoices
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.dashboard.work.beside_attacks import adapt_columns, chosen_scenario, row_releases
from alc_core.errors import AlcError
from alc_core.measures.rapid_scores import SCORES, fitting_scores
from alc_core.phrasing import count
from alc_core.releases.release import Release
from alc_core.runtime.progress import Reporter
from alc_core.studies.rapid.learners import LEARNERS
from alc_core.studies.rapid.measuring import measure_rapid
from alc_core.studies.rapid.result import MeasuredRapid
from alc_core.tables.table import ColumnKind

if TYPE_CHECKING:
    from alc_core.runtime.progress import CancelCallback, ProgressCallback

RAPID_TASK = "rapid"
_COLUMNS_NUMBER = 2
"""Tells the widgets of known and unknown columns from those of other pages."""


def draw_asking(state: AppState, choices: RapidChoices) -> None:
    """Draw the choice of columns, learner and score, and the button that measures."""
    attackable = adapt_columns(state, choices.columns)
    with st.container(border=True):
        left, right = st.columns([1, 2])
        draw_columns(choices.columns, attackable, left, right, number=_COLUMNS_NUMBER)
        _draw_how(state, choices)
        _draw_running(state, choices, row_releases(state))


def _draw_how(state: AppState, choices: RapidChoices) -> None:
    """Draw the choice of learner and score."""
    unknown = choices.columns.unknown
    kind = state.original_table().kind(unknown) if unknown else ColumnKind.CATEGORICAL
    fitting = fitting_scores(kind)
    if choices.score not in fitting:
        choices.score = fitting[0]
    left, right = st.columns(2)
    left.selectbox(
        "Learner", list(LEARNERS), format_func=str.capitalize, **bind(choices, "learner"),
        help="What the attacker trains. Regression is logistic for categories, linear for numbers.",
    )  # fmt: skip
    right.selectbox(
        "Score", fitting, format_func=lambda name: SCORES[name].title, **bind(choices, "score"),
        help=" ".join(
            f"**{literal(SCORES[name].title)}**: {literal(SCORES[name].help)}" for name in fitting
        ),
    )  # fmt: skip


def _draw_running(state: AppState, choices: RapidChoices, releases: dict[str, Release]) -> None:
    problem = "" if releases else "RAPID needs a release of rows of people. Add one."
    try:
        chosen_scenario(state, choices.columns)
    except AlcError as error:
        problem = str(error)
    draw_measuring(
        state, choices, task=RAPID_TASK, label="Measure RAPID", icon=":material/speed:",
        start=_start, problem=problem, beside=lambda _: _draw_words(state, len(releases)),
    )  # fmt: skip


def _draw_words(state: AppState, n_releases: int) -> None:
    left_out = len(state.releases()) - n_releases
    words = "For each release a model is trained, and five on the original for the reference."
    if left_out:
        words += f" {count(left_out)} releases are no rows of people and are left out."
    st.caption(words, width="stretch")


def _start(state: AppState, choices: RapidChoices) -> None:
    original, releases = state.original_table(), row_releases(state)
    scenario, settings = chosen_scenario(state, choices.columns), choices.settings(state)

    def work(progress: ProgressCallback, cancel: CancelCallback) -> tuple[MeasuredRapid, ...]:
        reporter = Reporter(progress=progress, cancel=cancel)
        found: list[MeasuredRapid] = []
        for release in releases.values():
            like = found[0] if found else None
            found.append(
                measure_rapid(original, release, scenario, settings, like=like, reporter=reporter)
            )
        return tuple(found)

    state.tasks.start(RAPID_TASK, "RAPID", work, take=choices.take)
