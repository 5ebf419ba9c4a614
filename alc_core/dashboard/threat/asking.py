"""Choosing a grouped release and columns, and running the chains in the background."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.measuring import draw_measuring
from alc_core.dashboard.parts.widgets import draw_columns, draw_parameter
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import bind
from alc_core.dashboard.threat.choices import (
    Measured,
    ThreatChoices,
    grouped_releases,
    measured_of,
)
from alc_core.errors import AlcError
from alc_core.group_posterior.sampler import sample
from alc_core.group_posterior.settings import PARAMETERS, SamplerSettings
from alc_core.releases.release import Release
from alc_core.runtime.progress import Reporter
from alc_core.studies.relative_threat.measuring import PreparedThreat

if TYPE_CHECKING:
    from alc_core.runtime.progress import CancelCallback, ProgressCallback

THREAT_TASK = "threat"
_COLUMNS_NUMBER = 3
"""Tells the widgets of known and unknown columns from those of other pages."""


def draw_asking(state: AppState, choices: ThreatChoices) -> None:
    """Draw the choice of release, columns and chains, and the button that runs them."""
    releases = grouped_releases(state)
    attackable = choices.adapt(state, releases)
    with st.container(border=True):
        left, middle, right = st.columns([1, 1, 2])
        left.selectbox("Release", list(releases), **bind(choices, "release"))
        draw_columns(choices.columns, attackable, middle, right, number=_COLUMNS_NUMBER)
        with st.expander("Settings of the chains"):
            halves = st.columns(2)
            for number, parameter in enumerate(PARAMETERS):
                with halves[number % 2]:
                    draw_parameter(parameter, choices)
        _draw_running(state, choices, releases)


def _draw_running(state: AppState, choices: ThreatChoices, releases: Mapping[str, Release]) -> None:
    problem = "" if releases else "Relative threat needs rows or groups of people. Add a release."
    try:
        choices.scenario()
        choices.settings(state)
    except AlcError as error:
        problem = problem or str(error)
    note = ""
    if state.holdout is not None:
        note = f"Compared with the holdout {literal(state.holdout.table.name)}."
    draw_measuring(
        state, choices, task=THREAT_TASK, label="Run the chains", icon=":material/casino:",
        start=_start, problem=problem, note=note,
        beside=lambda running: _draw_going_on(state, choices, running),
    )  # fmt: skip


def _draw_going_on(state: AppState, choices: ThreatChoices, running: bool) -> None:
    if choices.measured is not None:
        st.button(
            "Let them go on",
            icon=":material/resume:",
            on_click=_go_on,
            args=(state, choices),
            disabled=running,
            help="From where they are; what they drew before no longer counts.",
        )


def _start(state: AppState, choices: ThreatChoices) -> None:
    release = grouped_releases(state)[choices.release]
    original, accept = state.original_table(), state.answers.accepted_codes(state.findings())
    scenario, settings = choices.scenario(), choices.settings(state)
    holdout = None if state.holdout is None else state.holdout.table

    def work(progress: ProgressCallback, cancel: CancelCallback) -> Measured:
        reporter = Reporter(progress=progress, cancel=cancel)
        reporter.report("Reading the release")
        prepared = PreparedThreat.of(original, release, scenario, holdout=holdout, accept=accept)
        posterior = sample(prepared.release.table, settings, reporter=reporter)
        return measured_of(prepared, posterior, original.fingerprint)

    state.tasks.start(THREAT_TASK, "Relative threat", work, take=choices.take)


def _go_on(state: AppState, choices: ThreatChoices) -> None:
    before = choices.measured
    if before is None:
        return
    settings: SamplerSettings = choices.settings(state)
    fingerprint = before.summary.fingerprint

    def work(progress: ProgressCallback, cancel: CancelCallback) -> Measured:
        reporter = Reporter(progress=progress, cancel=cancel)
        table = before.prepared.release.table
        posterior = sample(table, settings, resume=before.posterior, reporter=reporter)
        return measured_of(before.prepared, posterior, fingerprint)

    state.tasks.start(THREAT_TASK, "Relative threat", work, take=choices.take)
