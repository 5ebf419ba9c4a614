"""Findings: which release may be published, what each attack found, and where to look closer."""

import streamlit as st

from alc_core.candidates.decision import release_decisions
from alc_core.candidates.lines import candidate_lines, not_attacked_sentence
from alc_core.dashboard.findings.attacks import draw_all_attacks
from alc_core.dashboard.findings.downloads import draw_campaign_downloads
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.attack_table import draw_failures
from alc_core.dashboard.parts.drivers import draw_campaign_drivers
from alc_core.dashboard.parts.focus import added_attack, focus_of, focused_view, follow_opening
from alc_core.dashboard.parts.header import draw_header
from alc_core.dashboard.parts.panels import draw_empty, draw_glossary
from alc_core.dashboard.parts.verdicts import (
    draw_campaign_verdict,
    draw_candidates,
    draw_untried,
)
from alc_core.dashboard.parts.watching import draw_task
from alc_core.dashboard.parts.what_if import draw_flips_table
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.session import Page, draw_link, require_state
from alc_core.dashboard.work.evidence import EVIDENCE_TASK, gather_evidence
from alc_core.studies.utility.result import stored_utilities


def show_campaign(state: AppState, campaign: CampaignResult) -> None:
    """Draw what a campaign found on all releases, or on the one that is looked at."""
    focus = focus_of(state, campaign)
    follow_opening(focus)
    scoring = draw_header("Findings", state, campaign)
    if scoring is None:
        return
    view = focused_view(state, campaign)
    overview, run = view.overview(scoring), view.overview(view.settings.scoring)
    everything, keeping = st.container(), st.container()
    # Downloads first: whoever sees the new numbers must not get the file of the old ones.
    with keeping:
        draw_failures(view)
        draw_flips_table(view, scoring)
        draw_campaign_drivers(state, view, scoring)
        draw_campaign_downloads(campaign, scoring)
    with everything:
        every = candidate_lines(campaign.view, scoring, stored_utilities(view.store))
        lines = [line for line in every if focus.release in ("", line.release)]
        if len(overview.releases) > 1:
            draw_candidates(lines, overview, run, release_decisions(view.store), focus)
        else:
            draw_campaign_verdict(overview, run)
            for missing in filter(None, map(not_attacked_sentence, lines)):
                st.caption(literal(missing))
        if any(line.untried for line in lines):
            draw_untried(state, every)
        gather_evidence(state)
        with st.container():  # what follows stays in its place when it ends
            draw_task(state, EVIDENCE_TASK)
        with st.container(horizontal=True, vertical_alignment="center"):
            if overview.worst is not None:
                words = "Open the worst attack" if len(overview.results) > 1 else "Open the attack"
                st.button(
                    words, icon=":material/search:", on_click=focus.open, args=(overview.worst,)
                )
            added = added_attack(state, campaign)
            if added is not None and added in overview.results["number"].tolist():
                st.button("Open the attack that you chose", on_click=focus.open, args=(added,))
            draw_link(Page.DECISION, "Decide on publishing", ":material/gavel:")
        draw_all_attacks(state, view, scoring, focus)


page_state = require_state()
if page_state.campaign is None:
    st.title("Findings")
    draw_empty("There is no result yet.", Page.ATTACK, "Plan and run a campaign")
else:
    show_campaign(page_state, page_state.campaign)
    with st.expander("Terms explained"):
        draw_glossary()
