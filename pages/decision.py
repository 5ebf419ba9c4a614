"""Decision: whether a release may be published, why, and under which conditions."""

import streamlit as st

from alc_core.campaign.findings.decisions import asking_attacks
from alc_core.candidates.decision import release_decisions
from alc_core.candidates.lines import candidate_lines
from alc_core.dashboard.decision import (
    DecisionForm,
    Releases,
    draw_attack_decisions,
    draw_form,
    draw_standing,
)
from alc_core.dashboard.findings.verdicts import draw_untried
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.focus import focus_of, follow_opening
from alc_core.dashboard.parts.header import draw_header
from alc_core.dashboard.parts.panels import draw_empty
from alc_core.dashboard.parts.watching import draw_task
from alc_core.dashboard.remedies import draw_what_to_change
from alc_core.dashboard.report import report_screen
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.session import CAMPAIGN_PAGE, REPORT_PAGE, go_to, require_state
from alc_core.dashboard.work.evidence import EVIDENCE_TASK
from alc_core.studies.utility.result import stored_utilities

TITLE = "Decision"


def show_decision(state: AppState, campaign: CampaignResult) -> None:
    """Draw the decision about the release that is looked at; where none is, about the first."""
    focus = focus_of(state, campaign)
    follow_opening(focus)
    whole = campaign.view
    if focus.release:
        focus.candidate = focus.release
    elif focus.candidate not in whole.attacked_releases:
        ranked = candidate_lines(whole, whole.settings.scoring, stored_utilities(whole.store))
        focus.candidate = ranked[0].release
    scoring = draw_header(TITLE, state, campaign, release="one")
    if scoring is None:
        return
    lines = candidate_lines(whole, scoring, stored_utilities(whole.store))
    line = next((each for each in lines if each.release == focus.candidate), lines[0])
    view = whole.only(line.release)
    overview = view.overview(scoring)
    form = state.screen(DecisionForm)
    if state.campaign_run is not None:
        st.info("The campaign still runs: decide when all attacks have a result.")
    if len(lines) > 1:
        Releases(form=form, focus=focus, view=whole, lines=lines, scoring=scoring).draw()
    draw_untried(state, lines)
    if len(lines) > 1:
        st.subheader(literal(line.release))
    made = release_decisions(whole.store).get(line.release)
    if form.of is not whole or form.release != line.release:
        form.fill(whole, line.release, made)
    found, decision = st.columns(2, gap="medium")
    with found:
        draw_standing(line)
        draw_attack_decisions(view, overview, focus)
    with decision:
        draw_form(form, view, line, overview, made)
        if st.button("Make the report", icon=":material/description:"):
            report_screen(state, whole).asked = True
            go_to(REPORT_PAGE)
    with st.container():  # what follows stays in its place when it ends
        draw_task(state, EVIDENCE_TASK)
    if asking_attacks(overview):
        st.subheader("What to change")
        draw_what_to_change(state, whole, line.release)


page_state = require_state()
if page_state.campaign is None or not page_state.campaign.view.judged:
    st.title(TITLE)
    draw_empty("There is nothing to decide on yet.", CAMPAIGN_PAGE, "Plan and run a campaign")
else:
    show_decision(page_state, page_state.campaign)
