"""Choosing what is compared with the holdout, and measuring it in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from alc_core.dashboard.holdout.choices import (
    CAMPAIGN,
    COLUMNS,
    HoldoutChoices,
    has_campaign,
    holdout_table,
)
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.measuring import draw_measuring
from alc_core.dashboard.parts.widgets import draw_columns
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.dashboard.work.beside_attacks import adapt_columns
from alc_core.errors import AlcError
from alc_core.studies.holdout.data import Checked
from alc_core.studies.holdout.measuring import measure_holdout
from alc_core.studies.holdout.result import HoldoutResult

if TYPE_CHECKING:
    from alc_core.runtime.progress import CancelCallback, ProgressCallback

HOLDOUT_TASK = "holdout"
_COLUMNS_NUMBER = 4
"""Tells the widgets of known and unknown columns from those of other pages."""

_SOURCES = {CAMPAIGN: "Those of the campaign, worst first", COLUMNS: "One, on columns I choose"}


def draw_asking(state: AppState, choices: HoldoutChoices) -> None:
    """Draw the choice of attacks, and the button that measures."""
    attackable = adapt_columns(state, choices.columns)
    with st.container(border=True):
        campaign = has_campaign(state)
        left, right = st.columns([1, 2])
        if campaign:
            left.radio(
                "Attacks", list(_SOURCES), format_func=_SOURCES.__getitem__,
                **bind(choices, "source"),
            )  # fmt: skip
        if campaign and choices.source == CAMPAIGN:
            right.number_input(
                "Attacks for each release, at most", 1, 1000, step=10, **bind(choices, "most")
            )
        else:
            draw_columns(choices.columns, attackable, *_places(left, right, campaign),
                         number=_COLUMNS_NUMBER)  # fmt: skip
        _draw_running(state, choices)


def _places(
    left: st.delta_generator.DeltaGenerator, right: st.delta_generator.DeltaGenerator, beside: bool
) -> tuple[st.delta_generator.DeltaGenerator, st.delta_generator.DeltaGenerator]:
    """Return where the unknown and the known columns are chosen."""
    return (right, right) if beside else (left, right)


def _draw_running(state: AppState, choices: HoldoutChoices) -> None:
    problem = ""
    try:
        choices.asked(state)
    except AlcError as error:
        problem = str(error)
    draw_measuring(
        state, choices, task=HOLDOUT_TASK, label="Compare members and others",
        icon=":material/group_off:", start=_start, problem=problem,
        beside=lambda _: st.caption(
            f"With the holdout {literal(holdout_table(state).name)}, for each release.",
            width="stretch",
        ),
    )  # fmt: skip


def _start(state: AppState, choices: HoldoutChoices) -> None:
    original, releases, others = state.original_table(), state.releases(), holdout_table(state)
    asked, seed = choices.asked(state), state.run_choices.seed

    def work(progress: ProgressCallback, cancel: CancelCallback) -> tuple[HoldoutResult, ...]:
        checked: Checked = {}
        return tuple(
            measure_holdout(
                original,
                release,
                others,
                asked[name],
                seed=seed,
                checked=checked,
                progress=progress,
                cancel=cancel,
            )
            for name, release in releases.items()
        )

    state.tasks.start(HOLDOUT_TASK, "Holdout", work, take=choices.take)
