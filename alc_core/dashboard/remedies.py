"""Changes of the release under decision, tried in the background."""

from __future__ import annotations

import streamlit as st

from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.blocks import draw_blocks
from alc_core.dashboard.parts.header import chosen_scoring
from alc_core.dashboard.parts.panels import draw_tables_needed, draw_task
from alc_core.dashboard.parts.study_runs import looked_at, start_study
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work.study_results import OneStudy, StudyChoices, known_results
from alc_core.studies.registry import studies
from alc_core.studies.remedies.searching import (
    KEPT_REMEDIES,
    RemedyStudy,
    flagged_numbers,
    nothing_to_change,
    untried,
)

REMEDIES = studies()["remedies"]


def draw_what_to_change(state: AppState, view: CampaignView, release: str) -> None:
    """Offer to try changes of a release, and draw their effects."""
    one = state.screen(StudyChoices).of(REMEDIES)
    if one.asked_of != release and REMEDIES.name in state.tasks:
        st.caption(literal(f"Changes of {one.asked_of} are being tried."))
    found = _known(state, one, view, release)
    _draw_asking(state, view, release, known=found is not None)
    if one.asked_of == release:
        draw_task(state, REMEDIES.name)
        if one.message:
            st.warning(literal(one.message), icon=":material/warning:")
    if found is not None:
        look, controls = looked_at(state, REMEDIES, one, None, scope=release)
        draw_blocks(REMEDIES.blocks(found, look), controls)


def _known(state: AppState, one: OneStudy, view: CampaignView, release: str) -> RemedyStudy | None:
    """Return what was tried on a release as attacked, if anything."""
    found: RemedyStudy | None = known_results(state, REMEDIES, one).get(release)
    prints = tuple(table.fingerprint for table in view.settings.releases.get(release, ()))
    if found is None or not KEPT_REMEDIES.is_of(view.store, found):
        return None
    return found if found.release_fingerprints == prints else None


def _draw_asking(state: AppState, view: CampaignView, release: str, *, known: bool) -> None:
    run = view.settings.scoring
    flagged = flagged_numbers(view, release, scoring=chosen_scoring(state, run) or run)
    if not flagged:
        st.caption(literal(nothing_to_change([release])))
        return
    tables = state.campaign_tables()
    if tables is None:
        draw_tables_needed("Trying changes")
        return
    if reason := untried(tables[1][release]):
        st.caption(literal(reason))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Try changes again" if known else "Try changes",
            key=f"try_{release}",
            type="secondary" if known else "primary",
            icon=REMEDIES.icon,
            on_click=start_study,
            args=(state, REMEDIES),
            kwargs={"releases": (release,)},
            disabled=REMEDIES.name in state.tasks or state.campaign_run is not None,
        )
        if state.campaign_run is not None:
            st.caption("You can try changes after the run.", width="stretch")
            return
        st.caption(
            "Drops, coarsens or swaps columns in memory, then attacks again.",
            width="stretch",
        )
