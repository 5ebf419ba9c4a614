"""What the user chose and wrote for the report."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from datetime import date

from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import last_decider
from alc_core.dashboard.state.app_state import AppState
from alc_core.report.html.options import Details, ReportOptions, kept_details
from alc_core.report.sections import SECTIONS, Depth, Section


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
