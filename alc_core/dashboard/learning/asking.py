"""Choosing what a study tries out, and running it in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from alc_core.dashboard.learning.choices import LearningChoices
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.watching import draw_task
from alc_core.dashboard.parts.widgets import draw_columns, draw_parameter
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.dashboard.work.beside_attacks import adapt_columns
from alc_core.errors import AlcError
from alc_core.phrasing import count
from alc_core.studies.learning.measuring import study_learning
from alc_core.studies.learning.result import FULL_ROUNDS, PARAMETERS, LearningStudy, StudySettings

if TYPE_CHECKING:
    from alc_core.runtime.progress import CancelCallback, ProgressCallback

STUDY_TASK = "learning_study"

_COLUMNS_NUMBER = 1
"""Tells the widgets of known and unknown columns from those of other pages."""

_MOST_LEVEL = 12
"""Highest ℓ on the slider."""


def draw_asking(state: AppState, choices: LearningChoices) -> None:
    """Draw the choice of columns and settings, and the button that runs a study."""
    attackable = adapt_columns(state, choices.columns)
    with st.container(border=True):
        left, right = st.columns([1, 2])
        draw_columns(choices.columns, attackable, left, right, number=_COLUMNS_NUMBER)
        with st.expander("Settings"):
            _draw_settings(choices)
        _draw_running(state, choices)


def _draw_settings(choices: LearningChoices) -> None:
    counts, groups, both = st.columns(3, gap="medium")
    with counts:
        st.markdown("**Published counts**")
        st.text_input(
            "Values of ε", help=literal(PARAMETERS["epsilon"].help), **bind(choices, "epsilons")
        )
        _draw_parameters(choices, "repetitions", "belief")
    with groups:
        st.markdown("**Groups**")
        level = PARAMETERS["level"]
        st.slider(
            "Diversity ℓ, from and to", int(level.low), _MOST_LEVEL, help=literal(level.help),
            **bind(choices, "levels"),
        )  # fmt: skip
        st.radio(
            "Larger groups", [2, 3], horizontal=True, help=literal(PARAMETERS["merged"].help),
            format_func={2: "two merged", 3: "three merged"}.__getitem__,
            **bind(choices, "merged"),
        )  # fmt: skip
        _draw_parameters(choices, "rounds", "chains")
    with both:
        st.markdown("**People and columns**")
        _draw_parameters(choices, "holdout_share", "ranges", "bins")


def _draw_parameters(choices: LearningChoices, *names: str) -> None:
    for name in names:
        draw_parameter(PARAMETERS[name], choices)


def _draw_running(state: AppState, choices: LearningChoices) -> None:
    """Draw the button that runs a study, or how far it is."""
    settings: StudySettings | None = None
    try:
        settings = choices.settings(state)
    except AlcError as error:
        st.warning(literal(error), icon=":material/warning:")
    asking, waiting = st.container(), st.container()
    with waiting:
        running = draw_task(state, STUDY_TASK)
    if choices.study_done:
        choices.study_done = False
        st.rerun()
    done = choices.columns.unknown in choices.studies
    with asking.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Run the study again" if done else "Run the study",
            type="secondary" if done else "primary",
            icon=":material/school:",
            on_click=lambda: _start(state, choices, settings),
            disabled=running or settings is None,
        )
        st.caption(
            "It makes test releases of your original in memory, attacks them and keeps only shares "
            f"and counts. {count(FULL_ROUNDS)} rounds, as in the paper, take several times as long "
            "as the default.",
            width="stretch",
        )
    if choices.message:
        st.warning(literal(choices.message), icon=":material/warning:")


def _start(state: AppState, choices: LearningChoices, settings: StudySettings | None) -> None:
    if settings is None:
        return
    original = state.original_table()

    def work(progress: ProgressCallback, cancel: CancelCallback) -> LearningStudy:
        return study_learning(original, settings, progress=progress, cancel=cancel)

    def take(study: LearningStudy) -> None:
        choices.studies[study.settings.unknown] = study
        choices.shown, choices.message, choices.study_done = study.settings.unknown, "", True

    state.tasks.start(STUDY_TASK, "Study", work, take=take)
