"""Choosing columns and limits, and counting in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from alc_core.dashboard.parts.measuring import draw_measuring
from alc_core.dashboard.risk_numbers.choices import RiskChoices
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.dashboard.work.beside_attacks import row_releases
from alc_core.errors import AlcError
from alc_core.phrasing import count
from alc_core.risk_numbers.measuring import measure_risk_numbers
from alc_core.risk_numbers.population import check_population
from alc_core.risk_numbers.settings import RowsAre
from alc_core.risk_numbers.words import POPULATION_HELP, ROWS_HELP, THRESHOLD_HELP
from alc_core.runtime.progress import Reporter

if TYPE_CHECKING:
    from alc_core.risk_numbers.result import RiskNumbers
    from alc_core.runtime.progress import CancelCallback, ProgressCallback

RISK_TASK = "risk numbers"

_ROWS = {
    RowsAre.UNKNOWN: "Find out",
    RowsAre.PEOPLE: "People",
    RowsAre.CHANGED: "Changed or made up",
}


def draw_asking(state: AppState, choices: RiskChoices) -> None:
    """Draw the choice of columns, and the button that counts."""
    possible = choices.adapt(state)
    with st.container(border=True):
        left, right = st.columns(2)
        left.multiselect(
            "Known to others", possible, wrap=True, **bind(choices, "known"),
            help="Quasi-identifiers, key variables: rows that are alike in them are a class. "
            "Suggested by the roles on the Data page.",
        )  # fmt: skip
        right.multiselect(
            "Protected", possible, wrap=True, **bind(choices, "protected"),
            help="What nobody should learn: for ℓ-diversity and t-closeness.",
        )  # fmt: skip
        _draw_limits(choices)
        draw_measuring(
            state, choices, task=RISK_TASK, label="Count classes", icon=":material/groups:",
            start=_start, problem=_problem(state, choices),
            beside=lambda _: _draw_left_out(state),
        )  # fmt: skip


def _draw_limits(choices: RiskChoices) -> None:
    one, two, three = st.columns(3)
    one.number_input(
        "Threshold of risk", min_value=0.01, max_value=1.0, step=0.01, format="%g",
        help=THRESHOLD_HELP, **bind(choices, "threshold"),
    )  # fmt: skip
    two.number_input(
        "People in the population", min_value=1, step=1, placeholder="not estimated",
        help=POPULATION_HELP, **bind(choices, "population"),
    )  # fmt: skip
    three.selectbox(
        "Rows of the releases are", list(_ROWS), format_func=_ROWS.__getitem__,
        help=ROWS_HELP, **bind(choices, "rows_are"),
    )  # fmt: skip


def _problem(state: AppState, choices: RiskChoices) -> str:
    """Say what is missing; empty where the numbers can be counted."""
    if not row_releases(state):
        return "Risk numbers need a release of rows. Add one."
    try:
        choices.settings(state)
        if choices.population is not None:
            check_population(choices.population, len(state.original_table()))
    except AlcError as error:
        return str(error)
    return ""


def _draw_left_out(state: AppState) -> None:
    left_out = len(state.releases()) - len(row_releases(state))
    if left_out:
        st.caption(f"{count(left_out)} releases are no rows and are left out.", width="stretch")


def _start(state: AppState, choices: RiskChoices) -> None:
    original, releases = state.original_table(), row_releases(state)
    settings = choices.settings(state)

    def work(progress: ProgressCallback, cancel: CancelCallback) -> tuple[RiskNumbers, ...]:
        reporter = Reporter(progress=progress, cancel=cancel)
        found: list[RiskNumbers] = []
        for release in releases.values():
            if not set(settings.known) & {c for t in release.tables for c in t.columns}:
                continue
            found += measure_risk_numbers(original, release, settings, reporter=reporter)
        return tuple(found)

    state.tasks.start(RISK_TASK, "Risk numbers", work, take=choices.take)
