"""A report's depth, parts, scoring and declarations."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from alc_core.campaign.file.annotations import Annotations
from alc_core.campaign.file.store import CampaignReader, CampaignStore
from alc_core.errors import InputError
from alc_core.parameter import check_name
from alc_core.plain_values import check_day, check_lengths
from alc_core.report.sections import SECTIONS, Depth, Section
from alc_core.scoring.parameters import ScoringParameters


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportDetails:
    """What people declare; nothing of it was measured."""

    assessor: str = ""  # Who made the review
    purpose: str = ""  # What the release is for
    date: str = ""  # ISO date of the review; empty if undeclared
    description: str = ""  # How the release was made, and its recipients
    assumptions: str = ""  # What attackers are assumed to know and do

    def __post_init__(self) -> None:
        check_day(self.date)
        check_lengths(*(getattr(self, each.name) for each in fields(self)))

    def differing(self, other: ReportDetails) -> dict[str, str]:
        """Return texts that differ from other details."""
        return {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if getattr(self, each.name) != getattr(other, each.name)
        }


_DETAILS, _KEY = Annotations("report", str, ReportDetails), "details"


def kept_details(store: CampaignReader) -> ReportDetails:
    """Return a campaign's declarations, by default empty."""
    return _DETAILS.read(store).get(_KEY, ReportDetails())


def keep_details(store: CampaignStore, details: ReportDetails) -> None:
    """Keep declarations, replacing earlier ones."""
    _DETAILS.keep(store, _KEY, details)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """What a report holds.

    Examples
    --------
    >>> ReportOptions(depth="short").shown[0]
    <Section.DECISION: 'decision'>
    """

    scoring: ScoringParameters = field(default_factory=ScoringParameters)
    depth: Depth = Depth.FULL
    sections: tuple[Section, ...] | None = None  # None means all of the depth
    details: ReportDetails = field(default_factory=ReportDetails)
    # File names for the command that repeats the report; empty if none
    campaign_file: str = "campaign.alc"
    html: str = "report.html"
    pdf: str = ""

    def __post_init__(self) -> None:
        check_name("depth", self.depth, list(Depth))
        object.__setattr__(self, "depth", Depth(self.depth))
        if not self.shown:
            raise InputError(
                f"No chosen section is in a '{self.depth}' report. Choose from: "
                f"{', '.join(SECTIONS[self.depth])}."
            )

    @property
    def shown(self) -> tuple[Section, ...]:
        """The parts that are shown, in order."""
        return tuple(
            section
            for section in SECTIONS[self.depth]
            if self.sections is None or section in self.sections
        )
