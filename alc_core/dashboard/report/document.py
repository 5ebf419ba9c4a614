"""Parts of the Report page: declarations, contents, the document and its files."""

from __future__ import annotations

import html
from collections.abc import Hashable
from dataclasses import dataclass, field
from datetime import date

import streamlit as st

from alc_core.campaign.findings.decisions import decisions
from alc_core.campaign.findings.overview import what_if_text
from alc_core.campaign.findings.view import CampaignView
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.watching import draw_task
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.background_tasks import start_task
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.files import campaign_file_stem
from alc_core.dashboard.state.session import FINDINGS_PAGE, address_parameters, bind
from alc_core.errors import InputError
from alc_core.report.html.document import report_html
from alc_core.report.html.options import (
    SECTION_TITLES,
    SECTIONS,
    Depth,
    Details,
    ReportOptions,
    Section,
    keep_details,
    kept_details,
)
from alc_core.report.pdf import HOW_TO_PRINT, find_chromium, pdf_of
from alc_core.runtime.progress import CancelCallback, ProgressCallback, Reporter
from alc_core.scoring.parameters import ScoringParameters

HTML_TASK, PDF_TASK = "report_html", "report_pdf"

_DEPTH_WORDS = {
    Depth.ONE_PAGE: "One page, for deciders",
    Depth.FULL: "Full, for statisticians",
}
_CHARACTERS = 4000
_PREVIEW_HEIGHT = 900


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MadeReport:
    """A document that was made.

    Attributes
    ----------
    made_for : hashable
        What it says, to tell whether that has changed.
    options : ReportOptions
        Of the document.
    html : str
        The document.
    """

    made_for: Hashable
    options: ReportOptions
    html: str


@dataclass(slots=True, kw_only=True, eq=False)
class ReportScreen:
    """What the user chose and wrote on the Report page.

    Attributes
    ----------
    view : CampaignView or None
        Of which campaign.
    assessor, purpose, description, assumptions : str
        Declarations.
    day : date or None
        Of the review.
    depth : Depth
        For whom.
    one_page, full : list of Section
        What each depth shows.
    preview : bool
        Whether the document is shown in the page.
    made : MadeReport or None
        The last document.
    pdf : tuple of MadeReport and bytes, or None
        The last PDF, after what it was printed from.
    """

    view: CampaignView | None = None
    assessor: str = ""
    purpose: str = ""
    description: str = ""
    assumptions: str = ""
    day: date | None = None
    depth: Depth = Depth.ONE_PAGE
    one_page: list[Section] = field(default_factory=lambda: list(SECTIONS[Depth.ONE_PAGE]))
    full: list[Section] = field(default_factory=lambda: list(SECTIONS[Depth.FULL]))
    preview: bool = True
    made: MadeReport | None = None
    pdf: tuple[MadeReport, bytes] | None = None

    @property
    def details(self) -> Details:
        """The declarations as they stand."""
        return Details(
            assessor=self.assessor.strip(),
            purpose=self.purpose.strip(),
            date="" if self.day is None else self.day.isoformat(),
            description=self.description.strip(),
            assumptions=self.assumptions.strip(),
        )

    @property
    def sections(self) -> tuple[Section, ...] | None:
        """The sections chosen for the depth; None where it is all of them."""
        chosen = self.one_page if self.depth is Depth.ONE_PAGE else self.full
        return None if set(chosen) == set(SECTIONS[self.depth]) else tuple(chosen)


def report_screen(state: AppState, view: CampaignView) -> ReportScreen:
    """Return the page's choices, with what the campaign's file keeps of them."""
    screen = state.screen(ReportScreen)
    if screen.view is not view:
        kept = kept_details(view.store)
        screen.view, screen.made, screen.pdf = view, None, None
        screen.assessor, screen.purpose = kept.assessor, kept.purpose
        screen.description, screen.assumptions = kept.description, kept.assumptions
        screen.day = date.fromisoformat(kept.date) if kept.date else date.today()
    return screen


def draw_details(screen: ReportScreen, view: CampaignView) -> None:
    """Draw the fields for what people declare; it is kept in the campaign's file at once."""

    def keep() -> None:
        try:
            keep_details(view.store, screen.details)
        except InputError as error:
            st.toast(literal(error), icon=":material/error:")

    with st.container(border=True):
        st.markdown("**What you declare**")
        st.caption("Kept in the campaign, and told apart in the report from what was measured.")
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


def draw_contents(screen: ReportScreen) -> None:
    """Draw the choice of depth and sections."""
    with st.container(border=True):
        st.markdown("**What the report holds**")
        st.radio(
            "Depth", list(Depth), format_func=_DEPTH_WORDS.__getitem__,
            label_visibility="collapsed", **bind(screen, "depth"),
        )  # fmt: skip
        name = "one_page" if screen.depth is Depth.ONE_PAGE else "full"
        st.pills(
            "Sections", SECTIONS[screen.depth], selection_mode="multi",
            format_func=SECTION_TITLES.__getitem__, **bind(screen, name),
        )  # fmt: skip


def draw_scoring(scoring: ScoringParameters, run: ScoringParameters) -> None:
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
        st.page_link(
            FINDINGS_PAGE, label="Findings: what if?", icon=":material/arrow_back:",
            query_params=address_parameters(),
        )  # fmt: skip
    else:
        st.caption("The report uses the run's parameters, as the sliders on Findings do.")


def report_options(
    screen: ReportScreen, campaign: CampaignResult, scoring: ScoringParameters
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
            campaign_file=campaign.name or f"{campaign_file_stem(original, 'campaign')}.alc",
            html=f"{stem}.html",
            pdf=f"{stem}.pdf" if find_chromium() else "",
        )
    except InputError:
        st.warning("Choose at least one section.", icon=":material/checklist:")
        return None


def draw_making(state: AppState, screen: ReportScreen, options: ReportOptions) -> None:
    """Draw the button that makes the document, and how far it is."""
    view = screen.view
    if view is None or not view.counts.finished:
        st.info("No attack has a result yet, so there is nothing to report.")
        return
    made_for = _what_it_says(view, options)

    def work(progress: ProgressCallback, cancel: CancelCallback) -> str:
        return report_html(view, options, reporter=Reporter(progress=progress, cancel=cancel))

    def take(document: str) -> None:
        screen.made = MadeReport(made_for=made_for, options=options, html=document)

    # First: a document that is just done changes what the button says.
    asking, waiting = st.container(), st.container()
    with waiting:
        running = draw_task(state, HTML_TASK)
    current = screen.made is not None and screen.made.made_for == made_for
    asking.button(
        "Make the report" if screen.made is None else "Make it again",
        type="secondary" if current else "primary",
        icon=":material/description:",
        on_click=lambda: start_task(state, HTML_TASK, "Making the report", work, take=take),
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


def draw_files(state: AppState, screen: ReportScreen) -> None:
    """Draw the downloads of the document as HTML and PDF."""
    made = screen.made
    if made is None:
        return
    files, waiting = st.container(horizontal=True, vertical_alignment="center"), st.container()
    with waiting:
        running = draw_task(state, PDF_TASK)
    with files:
        st.download_button(
            "Download HTML",
            data=made.html,
            file_name=made.options.html,
            mime="text/html",
            icon=":material/download:",
            on_click="ignore",
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
        st.download_button(
            "Download PDF", data=screen.pdf[1], mime="application/pdf",
            file_name=made.options.html.removesuffix(".html") + ".pdf",
            icon=":material/download:", on_click="ignore", key="report_pdf_file",
        )  # fmt: skip
        return

    def work(progress: ProgressCallback, cancel: CancelCallback) -> bytes:
        return pdf_of(made.html, reporter=Reporter(progress=progress, cancel=cancel))

    def take(pdf: bytes) -> None:
        screen.pdf = (made, pdf)

    st.button(
        "Make PDF",
        icon=":material/picture_as_pdf:",
        on_click=lambda: start_task(state, PDF_TASK, "Making the PDF", work, take=take),
        disabled=running,
        help="Printed by the browser of this machine, without any network.",
    )


def draw_preview(screen: ReportScreen) -> None:
    """Draw the document in the page, in a frame that can reach neither page nor network."""
    if screen.made is None:
        return
    st.toggle("Preview", **bind(screen, "preview"))
    if screen.preview:
        inner = html.escape(screen.made.html, quote=True)
        st.iframe(
            '<!doctype html><style>html,body,iframe{margin:0;border:0;width:100%;height:100%}'
            f'</style><iframe title="Report" sandbox="allow-scripts" srcdoc="{inner}"></iframe>',
            height=_PREVIEW_HEIGHT,
            alt="Preview of the report",
        )  # fmt: skip


def _what_it_says(view: CampaignView, options: ReportOptions) -> Hashable:
    """Return by what a document is known to be up to date."""
    made = tuple(repr(each) for each in decisions(view.store).items())
    return repr(options), made, view.counts
