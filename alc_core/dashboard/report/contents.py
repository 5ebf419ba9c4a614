"""What the report is to hold: what people declare, for whom it is, and its sections."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from datetime import date

import streamlit as st

from alc_core.campaign.findings.overview import what_if_text
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import last_decider
from alc_core.dashboard.markdown import literal
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.session import FINDINGS_PAGE, bind, draw_link
from alc_core.errors import InputError
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
from alc_core.scoring.parameters import ScoringParameters

_DEPTH_WORDS = {
    Depth.ONE_PAGE: "In short, for deciders",
    Depth.FULL: "Full, for statisticians",
}
_CHARACTERS = 4000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MadeReport:
    """A document that was made."""

    made_for: Hashable  # What it says, to tell whether that has changed
    options: ReportOptions  # Of the document
    html: str  # The document


@dataclass(slots=True, kw_only=True, eq=False)
class ReportScreen:
    """What the user chose and wrote on the Report page."""

    view: CampaignView | None = None  # Of which campaign
    assessor: str = ""  # Declarations
    purpose: str = ""
    description: str = ""
    assumptions: str = ""
    day: date | None = None  # Of the review
    depth: Depth = Depth.ONE_PAGE  # For whom
    # What each depth shows
    one_page: list[Section] = field(default_factory=lambda: list(SECTIONS[Depth.ONE_PAGE]))
    full: list[Section] = field(default_factory=lambda: list(SECTIONS[Depth.FULL]))
    preview: bool = True  # Whether the document is shown in the page
    asked: bool = False  # Whether it is to be made as soon as the page is opened
    made: MadeReport | None = None  # The last document
    pdf: tuple[MadeReport, bytes] | None = None  # The last PDF, after what it was printed from

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
        screen.assessor = kept.assessor or last_decider(view.store)
        screen.purpose = kept.purpose
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
        draw_link(FINDINGS_PAGE, "Findings: what if?", ":material/arrow_back:")
    else:
        st.caption("The report uses the run's parameters, as the sliders on Findings do.")
