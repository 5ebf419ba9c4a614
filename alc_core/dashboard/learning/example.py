"""The worked example: accuracy, baseline and ALC of one attack side by side."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import streamlit as st

from alc_core.assessment.words import loss_text
from alc_core.dashboard.learning.choices import LearningChoices, known_examples
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.panels import draw_chip
from alc_core.dashboard.parts.watching import draw_task
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.errors import AlcError
from alc_core.glossary import explain
from alc_core.phrasing import percent, sentence_case
from alc_core.studies.learning.example import CountsExample, counts_example, example_sentence
from alc_core.studies.learning.result import PARAMETERS, StudySettings
from alc_core.studies.learning.words import EXAMPLE_EXPLANATION

if TYPE_CHECKING:
    from alc_core.runtime.progress import CancelCallback, ProgressCallback

EXAMPLE_TASK = "learning_example"


def draw_example(state: AppState, choices: LearningChoices) -> None:
    """Draw the worked example, and the button that runs it."""
    st.subheader("Often right, and still no loss: an example")
    st.markdown(EXAMPLE_EXPLANATION)
    example = known_examples(state, choices).get(choices.columns.unknown or choices.shown)
    if example is not None:
        _draw_result(example)
    if state.original is not None:
        _draw_running(state, choices, again=example is not None)


def _draw_result(example: CountsExample) -> None:
    with st.container(border=True, key="numbers"):
        columns = st.columns(4)
        columns[0].metric(
            "Attack is right for",
            percent(example.accuracy),
            help=explain("attack"),
        )
        columns[1].metric(
            "Most frequent value", percent(example.commonest), help=explain("majority guess")
        )
        columns[2].metric(
            "Baseline is right for", percent(example.baseline_accuracy), help=explain("baseline")
        )
        columns[3].metric(
            "Anonymity loss (ALC)",
            literal(sentence_case(loss_text(example.alc))),
            help=explain("ALC"),
        )
        draw_chip(example.verdict, sentence_case(example.verdict), size=1.0)
        st.markdown(literal(example_sentence(example)))


def _draw_running(state: AppState, choices: LearningChoices, *, again: bool) -> None:
    settings: StudySettings | None = None
    with suppress(AlcError):  # the choice of columns above says what is wrong
        settings = choices.settings(state)
    asking, waiting = st.container(), st.container()
    with waiting:
        running = draw_task(state, EXAMPLE_TASK)
    if choices.example_done:
        choices.example_done = False
        st.rerun()
    with asking.container(horizontal=True, vertical_alignment="bottom"):
        epsilon = PARAMETERS["epsilon"]
        st.number_input(
            literal(epsilon.title), 0.001, epsilon.high, format="%g", width=180,
            help=literal(epsilon.help), **bind(choices, "epsilon"),
        )  # fmt: skip
        st.button(
            "Run the example again" if again else "Run the example",
            icon=":material/science:",
            on_click=lambda: _start(state, choices, settings),
            disabled=running or settings is None,
        )


def _start(state: AppState, choices: LearningChoices, settings: StudySettings | None) -> None:
    if settings is None:
        return
    original, epsilon = state.original_table(), choices.epsilon

    def work(progress: ProgressCallback, cancel: CancelCallback) -> CountsExample:
        return counts_example(original, settings, epsilon=epsilon, progress=progress, cancel=cancel)

    def take(example: CountsExample) -> None:
        choices.examples[example.unknown] = example
        choices.example_done = True

    state.tasks.start(EXAMPLE_TASK, "Example", work, take=take)
