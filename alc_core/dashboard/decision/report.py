"""The Report page: what people declare, what the report holds, the document and its files."""

from __future__ import annotations

from collections.abc import Hashable

import streamlit as st

from alc_core.campaign.findings.decisions import decisions
from alc_core.campaign.findings.overview import what_if_text
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import release_decisions
from alc_core.dashboard.decision.report_screen import MadeReport, ReportScreen, report_screen
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.focus import focus_of
from alc_core.dashboard.parts.header import draw_outdated
from alc_core.dashboard.parts.watching import draw_task
from alc_core.dashboard.parts.what_if import chosen_scoring
from alc_core.dashboard.parts.widgets import draw_download
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.browser import offer
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.files import campaign_file_stem
from alc_core.dashboard.state.session import Page, bind, draw_link
from alc_core.errors import InputError
from alc_core.report.html.document import report_html
from alc_core.report.html.options import ReportOptions, keep_details
from alc_core.report.pdf import HOW_TO_PRINT, find_chromium, pdf_of
from alc_core.report.sections import SECTIONS, Depth
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.scoring.parameters import ScoringParameters

_DEPTH_WORDS = {
    Depth.ONE_PAGE: "In short, for deciders",
    Depth.FULL: "Full, for statisticians",
}
_CHARACTERS = 4000


def draw_report(state: AppState) -> None:
    """Draw the page on the report of a campaign."""
    if state.campaign is not None:
        st.header("Report")
        _draw_report_of(state, state.campaign)


def _draw_report_of(state: AppState, campaign: CampaignResult) -> None:
    """Draw declarations and contents, then the document and its files."""
    view = campaign.view
    view.refresh()
    draw_outdated(state)
    screen = report_screen(state, view)
    declared, contents = st.columns([3, 2], gap="medium")
    with declared:
        _draw_details(screen, view)
    with contents:
        _draw_contents(screen)
        scoring = chosen_scoring(state, view.settings.scoring)
        if scoring is not None:
            _draw_scoring(scoring, view.settings.scoring)
            release = focus_of(state, campaign).release
            options = report_options(screen, campaign, scoring, release)
            if options is not None:
                _draw_making(state, screen, options)
    _draw_files(state, screen)
    _draw_preview(screen)


def _draw_details(screen: ReportScreen, view: CampaignView) -> None:
    """Draw the fields for what people declare; it is kept in the campaign's file at once."""

    def keep() -> None:
        try:
            keep_details(view.store, screen.details)
        except InputError as error:
            st.toast(literal(error), icon=":material/error:")

    with st.container(border=True):
        st.markdown("**What you declare**")
        st.caption("Kept in the campaign, and kept apart in the report from what was measured.")
        who, when = st.columns([2, 1])
        who.text_input("Assessor", max_chars=200, **bind(screen, "assessor", keep))
        when.date_input("Date", format="YYYY-MM-DD", **bind(screen, "day", keep))
        st.text_input(
            "Purpose of the release", max_chars=400, **bind(screen, "purpose", keep),
            placeholder="Such as: open data, research under contract, a test environment",
        )  # fmt: skip
        st.text_area(
            "How the release was made, and who will get it", max_chars=_CHARACTERS, height=90,
            **bind(screen, "description", keep),
        )  # fmt: skip
        st.text_area(
            "What attackers are assumed to know and to be able to do", max_chars=_CHARACTERS,
            height=90, **bind(screen, "assumptions", keep),
        )  # fmt: skip


def _draw_contents(screen: ReportScreen) -> None:
    with st.container(border=True):
        st.markdown("**What the report holds**")
        st.radio(
            "Depth", list(Depth), format_func=_DEPTH_WORDS.__getitem__,
            label_visibility="collapsed", **bind(screen, "depth"),
        )  # fmt: skip
        name = "one_page" if screen.depth is Depth.ONE_PAGE else "full"
        st.pills(
            "Sections", SECTIONS[screen.depth], selection_mode="multi",
            format_func=lambda section: literal(section.heading), **bind(screen, name),
        )  # fmt: skip


def _draw_scoring(scoring: ScoringParameters, run: ScoringParameters) -> None:
    """Say which parameters the report uses, and where they are changed."""
    if changed := what_if_text(scoring, run):
        st.warning(
            literal(
                f"The report will use your what-if parameters ({changed}), not those of the run, "
                "and say so. Go back to the run's on the Findings page if that is not what you "
                "want."
            ),
            icon=":material/tune:",
        )
        draw_link(Page.FINDINGS, "Findings: what if?", ":material/arrow_back:")
    else:
        st.caption("The report uses the run's parameters, as the sliders on Findings do.")


HTML_TASK, PDF_TASK = "report_html", "report_pdf"
_PREVIEW_HEIGHT = 900


def report_options(
    screen: ReportScreen, campaign: CampaignResult, scoring: ScoringParameters, release: str
) -> ReportOptions | None:
    """Return what the report is to hold, or say what is missing and return None."""
    original = campaign.view.settings.original.name
    day = screen.details.date
    stem = campaign_file_stem(original, f"report {screen.depth} {day}")
    try:
        return ReportOptions(
            scoring=scoring,
            depth=screen.depth,
            sections=screen.sections,
            details=screen.details,
            release=release,
            campaign_file=campaign.name or f"{campaign_file_stem(original, 'campaign')}.alc",
            html=f"{stem}.html",
            pdf=f"{stem}.pdf" if find_chromium() else "",
        )
    except InputError:
        st.warning("Choose at least one section.", icon=":material/checklist:")
        return None


def _draw_making(state: AppState, screen: ReportScreen, options: ReportOptions) -> None:
    """Draw the button that makes the document, and how far it is."""
    view = screen.view
    if view is None or not view.counts.finished:
        st.info("No attack has a result yet, so there is nothing to report.")
        return
    made_for = _what_it_says(view, options)

    def work(progress: ProgressCallback, cancel: CancelCallback) -> str:
        return report_html(view, options, reporter=Reporter(progress=progress, cancel=cancel))

    def take(document: str) -> None:
        screen.made = made = MadeReport(made_for=made_for, options=options, html=document)
        if find_chromium() is not None:
            _start_pdf(state, screen, made)

    def make() -> None:
        state.tasks.start(HTML_TASK, "Making the report", work, take=take)

    # First: a document that is just done changes what the button says.
    asking, waiting = st.container(), st.container()
    with waiting:
        running = draw_task(state, HTML_TASK)
    current = screen.made is not None and screen.made.made_for == made_for
    asking.button(
        "Make the report" if screen.made is None else "Make it again",
        type="secondary" if current else "primary",
        icon=":material/description:",
        on_click=make,
        disabled=running,
    )
    if running:
        return
    if screen.made is not None and screen.made.made_for != made_for:
        st.info(
            "Out of date: since this report was made, declarations, contents, parameters, "
            "decisions or results changed. Make it again to bring it up to date.",
            icon=":material/history:",
        )


def _draw_files(state: AppState, screen: ReportScreen) -> None:
    made = screen.made
    if made is None:
        return
    files, waiting = st.container(horizontal=True, vertical_alignment="center"), st.container()
    with waiting:
        running = draw_task(state, PDF_TASK)
    with files:
        draw_download(
            "Download HTML",
            made.html,
            made.options.html,
            key="report_html_file",
            help="One file that opens in any browser, offline. It holds names of columns and "
            "files, counts, scores and what you wrote; no row of a table.",
        )
        if find_chromium() is not None:
            _draw_pdf(state, screen, made, running=running)
    if find_chromium() is None:
        st.caption(
            f"There is no Chromium, Chrome or Edge on this machine to make the PDF. {HOW_TO_PRINT}"
        )


def _draw_pdf(state: AppState, screen: ReportScreen, made: MadeReport, *, running: bool) -> None:
    if screen.pdf is not None and screen.pdf[0] is made:
        name = made.options.html.removesuffix(".html") + ".pdf"
        draw_download("Download PDF", screen.pdf[1], name, key="report_pdf_file")
    elif not running:  # it was cancelled or failed
        st.button(
            "Make PDF",
            icon=":material/picture_as_pdf:",
            on_click=_start_pdf,
            args=(state, screen, made),
            help="Printed by the browser of this machine, without any network.",
        )


def _start_pdf(state: AppState, screen: ReportScreen, made: MadeReport) -> None:

    def work(progress: ProgressCallback, cancel: CancelCallback) -> bytes:
        return pdf_of(made.html, reporter=Reporter(progress=progress, cancel=cancel))

    def take(pdf: bytes) -> None:
        screen.pdf = (made, pdf)

    # The one before may still be printed.
    state.tasks.start(PDF_TASK, "Making the PDF", work, take=take, instead=True)


def _draw_preview(screen: ReportScreen) -> None:
    """Draw the document in the page, in a frame that can reach neither page nor network."""
    if screen.made is None:
        return
    st.toggle("Preview", **bind(screen, "preview"))
    if screen.preview:
        address = offer(screen.made.html.encode(), "text/html", key="preview")
        st.iframe(address, height=_PREVIEW_HEIGHT, alt="Preview of the report")


def _what_it_says(view: CampaignView, options: ReportOptions) -> Hashable:
    found = (*decisions(view.store).items(), *release_decisions(view.store).items())
    made = tuple(map(repr, found))
    return repr(options), made, view.counts
