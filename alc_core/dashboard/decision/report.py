"""The report beside the decisions, always current."""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass, field
from datetime import date
from functools import partial

import streamlit as st

from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import last_decider, release_decisions, sign_decisions
from alc_core.candidates.lines import release_order
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.parts.campaign_file import draw_save
from alc_core.dashboard.parts.panels import watch
from alc_core.dashboard.parts.widgets import draw_download
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.browser import offer
from alc_core.dashboard.state.campaign_state import CampaignResult
from alc_core.dashboard.state.files import campaign_file_stem
from alc_core.dashboard.state.jobs import Job
from alc_core.dashboard.state.session import bind, refusal_told
from alc_core.dashboard.state.team import person, record
from alc_core.errors import InputError
from alc_core.phrasing import error_line
from alc_core.plain_values import MOST_CHARACTERS
from alc_core.report.dpia import dpia_json, dpia_text
from alc_core.report.html.document import release_page, report_html
from alc_core.report.options import ReportDetails, ReportOptions, keep_details, kept_details
from alc_core.report.pdf import HOW_TO_PRINT, NEEDS_BROWSER, find_chromium, pdf_of
from alc_core.report.sections import SECTIONS, Depth, Section
from alc_core.review.campaign_words import what_if_text
from alc_core.review.decision_words import opening_sentence
from alc_core.runtime.progress import Reporter
from alc_core.scoring.parameters import ScoringParameters


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeReport:
    """A document, and its PDF."""

    html: str
    pdf: bytes = b""  # Empty where there is none
    problem: str = ""  # Why there is none


@dataclass(slots=True, kw_only=True, eq=False)
class ReportScreen:
    """The report's declarations, contents, and last document."""

    view: CampaignView | None = None  # Of which campaign
    assessor: str = ""  # Who decides, and when
    day: date | None = None
    purpose: str = ""  # Declarations
    description: str = ""
    assumptions: str = ""
    depth: Depth = Depth.SHORT
    # What each depth shows
    short: list[Section] = field(default_factory=lambda: list(SECTIONS[Depth.SHORT]))
    full: list[Section] = field(default_factory=lambda: list(SECTIONS[Depth.FULL]))
    preview: bool = True  # Whether the page shows the document
    made: MadeReport | None = None
    made_for: Hashable = None  # All the document depends on
    asked_for: Hashable = None  # The same, of the last request

    def _signer(self) -> str:
        """Return who is logged in and may sign: not mere readers."""
        reads = self.view is not None and self.view.store.read_only
        return "" if reads else person()

    @property
    def details(self) -> ReportDetails:
        """The declarations as they stand."""
        return ReportDetails(
            assessor=self._signer() or self.assessor.strip(),
            purpose=self.purpose.strip(),
            date="" if self.day is None else self.day.isoformat(),
            description=self.description.strip(),
            assumptions=self.assumptions.strip(),
        )

    @property
    def sections(self) -> tuple[Section, ...] | None:
        """The sections chosen for the depth; None for all."""
        chosen = self.short if self.depth is Depth.SHORT else self.full
        return None if set(chosen) == set(SECTIONS[self.depth]) else tuple(chosen)


def report_screen(state: AppState, view: CampaignView) -> ReportScreen:
    """Return the page's choices, with the campaign's."""
    screen = state.screen(ReportScreen)
    fresh = screen.view is not view
    if fresh:
        screen.view = view
        screen.made = screen.made_for = screen.asked_for = None
    if fresh or view.store.read_only:  # whoever only reads declares nothing
        kept = kept_details(view.store)
        decided = kept.assessor or last_decider(view.store)
        screen.assessor = screen._signer() or decided
        screen.purpose = kept.purpose
        screen.description, screen.assumptions = kept.description, kept.assumptions
        screen.day = date.fromisoformat(kept.date) if kept.date else date.today()
    return screen


def declare(screen: ReportScreen, view: CampaignView, *, signs: bool = False) -> None:
    """Keep declarations in the campaign's file, and a typed signature."""
    with refusal_told():
        view.store.check_writable()
        parts = screen.details.differing(kept_details(view.store))
        record("declaration", parts=list(parts))
        keep_details(view.store, screen.details)
        if signs and not person():  # Logged-in people signed what they decided
            sign_decisions(view.store, screen.details.assessor, screen.details.date)


REPORT_TASK = "report"
PATIENCE = 1.0  # Seconds without change before making the report
_DEPTH_WORDS = {
    Depth.SHORT: "First page and short annexes",
    Depth.FULL: "Everything, for statisticians",
}
_PREVIEW_HEIGHT, _PREVIEW_SCALE = 720, 0.5


def draw_report(
    state: AppState, campaign: CampaignResult, screen: ReportScreen, scoring: ScoringParameters
) -> None:
    """Draw the report: files, contents, document."""
    view = campaign.view
    made = release_decisions(view.store)
    with st.container(border=True, key="report"):
        st.header("Report")
        st.markdown(f"**{literal(opening_sentence(release_order(view, scoring), made))}**")
        if state.campaign_run is not None or not view.counts.finished:
            st.caption("No results yet.")
            return
        options = report_options(screen, campaign, scoring)
        if options is not None:
            _draw_files(state, screen, view, options)
            with st.container(horizontal=True, vertical_alignment="center"):
                draw_save(campaign, key="save_review")
                _draw_release_pages(view, options)
                _draw_annex(screen, view, scoring)
        _draw_contents(screen, view, scoring)
        _draw_preview(screen)


def _draw_release_pages(view: CampaignView, options: ReportOptions) -> None:
    def page_of(release: str) -> str | bytes:
        html = release_page(view, release, options)
        return pdf_of(html) if options.pdf else html

    with st.popover("One page per release", icon=":material/description:"):
        for place, release in enumerate(release_order(view, options.scoring)):
            draw_download(
                literal(release),
                partial(page_of, release),
                f"{campaign_file_stem(release, 'review')}.{'pdf' if options.pdf else 'html'}",
                key=f"release_page_{place}", width="stretch",
            )  # fmt: skip


def _draw_annex(screen: ReportScreen, view: CampaignView, scoring: ScoringParameters) -> None:
    """Draw the annex of an impact assessment, as text and for a tool."""
    stem = campaign_file_stem(view.settings.original.name, "dpia")
    with st.popover("Annex for a DPIA", icon=":material/assignment:"):
        st.caption("You rate severity and likelihood.")
        draw_download(
            "Text to paste",
            lambda: dpia_text(view, scoring, screen.details),
            f"{stem}.txt",
            key="dpia_text", width="stretch",
        )  # fmt: skip
        draw_download(
            "File for CNIL's PIA tool",
            lambda: dpia_json(view, scoring, screen.details),
            f"{stem}.json",
            key="dpia_file", width="stretch",
        )  # fmt: skip


def report_options(
    screen: ReportScreen, campaign: CampaignResult, scoring: ScoringParameters
) -> ReportOptions | None:
    """Return the report's options, or say what is missing and return None."""
    original = campaign.view.settings.original.name
    stem = campaign_file_stem(original, f"report {screen.depth} {screen.details.date}")
    opened = "" if campaign.shelf_id else campaign.name  # Unnamed in the team folder
    try:
        return ReportOptions(
            scoring=scoring,
            depth=screen.depth,
            sections=screen.sections,
            details=screen.details,
            campaign_file=opened or f"{campaign_file_stem(original, 'review')}.alc",
            html=f"{stem}.html",
            pdf=f"{stem}.pdf" if find_chromium() else "",
        )
    except InputError:
        st.warning("Choose a section.", icon=":material/checklist:")
        return None


def _draw_files(
    state: AppState, screen: ReportScreen, view: CampaignView, options: ReportOptions
) -> None:
    wanted = repr(options), view.store.annotations_digest(), view.counts  # All that it says
    if wanted not in (screen.made_for, screen.asked_for):
        ask(state, screen, view, options, wanted)
    if (task := state.tasks.get(REPORT_TASK)) is not None:
        watch(lambda: task.job, _draw_waiting)
    elif screen.made is None or screen.made_for != wanted:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(literal(state.tasks.messages.get(REPORT_TASK, "")), width="stretch")
            st.button("Make it now", on_click=setattr, args=(screen, "asked_for", None))
    else:
        _draw_downloads(screen.made, options)


def ask(
    state: AppState,
    screen: ReportScreen,
    view: CampaignView,
    options: ReportOptions,
    wanted: Hashable,
) -> None:
    """Make the report in the background once nothing changes."""

    def work(reporter: Reporter) -> MadeReport:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            reporter.report("Waiting for changes")
            time.sleep(0.1)
        html = report_html(view, options, reporter=reporter)
        if find_chromium() is None:
            return MadeReport(html=html)
        try:
            return MadeReport(html=html, pdf=pdf_of(html, reporter=reporter))
        except InputError as error:
            return MadeReport(html=html, problem=error_line(error))

    def take(made: MadeReport) -> None:
        if screen.view is view:  # It may be another campaign by now
            screen.made, screen.made_for = made, wanted

    screen.asked_for = wanted
    state.tasks.start(REPORT_TASK, "Making the report", work, take=take, instead=True)


def _draw_waiting(job: Job[MadeReport]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        for name in ("PDF", "HTML"):
            st.button(name, icon=":material/download:", key=f"wait_{name}", disabled=True)
        st.caption(f"Updating ({job.elapsed:.0f} s)")


def _draw_downloads(made: MadeReport, options: ReportOptions) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if made.pdf:
            draw_download("PDF", made.pdf, options.pdf, key="report_pdf_file", type="primary")
        draw_download(
            "HTML", made.html, options.html, key="report_html_file",
            help="One file for any browser. It contains no rows.",
        )  # fmt: skip
    if made.problem:
        st.warning(literal(made.problem), icon=":material/error:")
    elif not made.pdf:
        st.caption(f"{NEEDS_BROWSER} {HOW_TO_PRINT}")


def _draw_contents(screen: ReportScreen, view: CampaignView, scoring: ScoringParameters) -> None:
    keep, reads = partial(declare, screen, view), view.store.read_only
    if changed := what_if_text(scoring, view.settings.scoring):
        st.caption(f":material/tune: {literal(f'Scored by your “What if?” ({changed}).')}")
    with st.expander("Content of the report"):
        st.text_area(
            "How the release was made, and who receives it", max_chars=MOST_CHARACTERS, height=90,
            disabled=reads, **bind(screen, "description", keep),
        )  # fmt: skip
        st.text_area(
            "What attackers can know and do", max_chars=MOST_CHARACTERS,
            height=90, disabled=reads, **bind(screen, "assumptions", keep),
        )  # fmt: skip
        st.radio(
            "Depth", list(Depth), format_func=_DEPTH_WORDS.__getitem__,
            label_visibility="collapsed", **bind(screen, "depth"),
        )  # fmt: skip
        name = "short" if screen.depth is Depth.SHORT else "full"
        st.pills(
            "Sections", SECTIONS[screen.depth], selection_mode="multi",
            format_func=lambda section: literal(section.heading), **bind(screen, name),
        )  # fmt: skip


def _draw_preview(screen: ReportScreen) -> None:
    """Draw the document in a frame without access to page or network."""
    if screen.made is None:
        return
    st.toggle("Preview", **bind(screen, "preview"))
    if screen.preview:
        small = screen.made.html.replace("<html ", f'<html style="zoom:{_PREVIEW_SCALE}" ', 1)
        address = offer(small.encode(), "text/html", key="preview")
        st.iframe(address, height=_PREVIEW_HEIGHT, alt="Preview of the report")
