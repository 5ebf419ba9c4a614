"""What the user chose and wrote for the report, and the document as it was made last."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from datetime import date

from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.decision import last_decider
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.team import person
from alc_core.report.options import Details, kept_details
from alc_core.report.sections import SECTIONS, Depth, Section


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeReport:
    """A document that was made, and the same as PDF."""

    html: str
    pdf: bytes = b""  # Empty where there is none
    problem: str = ""  # Why there is none, for the user


@dataclass(slots=True, kw_only=True, eq=False)
class ReportScreen:
    """What is declared, what the report holds, and the last one made."""

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
    preview: bool = True  # Whether the document is shown in the page
    made: MadeReport | None = None
    made_for: Hashable = None  # All that this one says, to tell whether that has changed
    asked_for: Hashable = None  # The same of the one that was asked for last

    @property
    def details(self) -> Details:
        """The declarations as they stand."""
        return Details(
            assessor=person() or self.assessor.strip(),
            purpose=self.purpose.strip(),
            date="" if self.day is None else self.day.isoformat(),
            description=self.description.strip(),
            assumptions=self.assumptions.strip(),
        )

    @property
    def sections(self) -> tuple[Section, ...] | None:
        """The sections chosen for the depth; None where it is all of them."""
        chosen = self.short if self.depth is Depth.SHORT else self.full
        return None if set(chosen) == set(SECTIONS[self.depth]) else tuple(chosen)


def report_screen(state: AppState, view: CampaignView) -> ReportScreen:
    """Return the page's choices, with what the campaign's file keeps of them."""
    screen = state.screen(ReportScreen)
    if screen.view is not view:
        kept = kept_details(view.store)
        screen.view = view
        screen.made = screen.made_for = screen.asked_for = None
        screen.assessor = person() or kept.assessor or last_decider(view.store)
        screen.purpose = kept.purpose
        screen.description, screen.assumptions = kept.description, kept.assumptions
        screen.day = date.fromisoformat(kept.date) if kept.date else date.today()
    return screen
