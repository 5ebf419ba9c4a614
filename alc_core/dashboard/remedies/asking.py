"""What to change in a release: the button that tries it in the background, and what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.parts.watching import draw_task
from alc_core.dashboard.parts.what_if import chosen_scoring
from alc_core.dashboard.remedies.choices import RemedyChoices, known_study
from alc_core.dashboard.remedies.results import draw_study
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import DATA_PAGE
from alc_core.phrasing import count
from alc_core.scoring.parameters import ScoringParameters
from alc_core.studies.remedies.result import RemedyStudy
from alc_core.studies.remedies.searching import (
    column_contributions,
    flagged_attacks,
    flagged_numbers,
    try_changes,
    untried,
)

if TYPE_CHECKING:
    from alc_core.runtime.progress import CancelCallback, ProgressCallback

REMEDY_TASK = "remedies"


def draw_what_to_change(state: AppState, view: CampaignView, release_name: str) -> None:
    """Offer to try changes of a release, and draw what they would bring."""
    choices = state.screen(RemedyChoices)
    flagged = flagged_numbers(view, release_name, scoring=_scoring(state, view))
    asking, waiting = st.container(), st.container()
    with waiting:
        running = draw_task(state, REMEDY_TASK)
    if choices.done:
        choices.done = False
        st.rerun()
    study = known_study(state, choices, view, release_name)
    with asking:
        _draw_asking(state, release_name, len(flagged), known=study is not None, running=running)
    if choices.message:
        st.warning(literal(choices.message), icon=":material/warning:")
    if study is not None:
        draw_study(study)


def _scoring(state: AppState, view: CampaignView) -> ScoringParameters:
    """Return the parameters in force; the campaign's own where the sliders do not fit."""
    run = view.settings.scoring
    return chosen_scoring(state, run) or run


def _draw_asking(
    state: AppState, release_name: str, n_flagged: int, *, known: bool, running: bool
) -> None:
    if not n_flagged:
        st.caption(literal(f"No attack on {release_name} is flagged: nothing is to be changed."))
        return
    tables = state.campaign_tables()
    if tables is None:
        draw_empty(
            "Trying changes needs the original and all releases of this campaign, as they were "
            "attacked.",
            DATA_PAGE,
            "Upload them on the Data page",
        )
        return
    if reason := untried(tables[1][release_name]):
        st.caption(literal(reason))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Try changes again" if known else "Try changes",
            type="secondary" if known else "primary",
            icon=":material/build:",
            on_click=_start,
            args=(state, release_name),
            disabled=running or state.campaign_run is not None,
        )
        st.caption(_explanation(n_flagged, waits=state.campaign_run is not None), width="stretch")


def _explanation(n_flagged: int, *, waits: bool) -> str:
    if waits:
        return "Changes can be tried once the campaign has ended."
    asking = (
        "attack that asks for a closer look is"
        if n_flagged == 1
        else f"{count(n_flagged)} attacks that ask for a closer look are"
    )
    return (
        f"Columns are dropped, coarsened or swapped in memory; the {asking} run again on each "
        "changed release."
    )


def _start(state: AppState, release_name: str) -> None:
    tables = state.campaign_tables()
    if tables is None or state.campaign is None:
        return
    view, choices = state.campaign.view, state.screen(RemedyChoices)
    scoring = _scoring(state, view)
    original, release = tables[0], tables[1][release_name].renamed(release_name)
    attacks = flagged_attacks(view, release_name, scoring=scoring)
    added = column_contributions(view, attacks)

    def work(progress: ProgressCallback, cancel: CancelCallback) -> RemedyStudy:
        return try_changes(
            original, release, attacks,
            scoring=scoring, added=added, progress=progress, cancel=cancel,
        )  # fmt: skip

    state.tasks.start(REMEDY_TASK, f"Changes of {release_name}", work, take=choices.take)
