"""The parts of a report in order; light to import."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import Self


class Depth(enum.StrEnum):
    """For whom the report is."""

    SHORT = "short"
    FULL = "full"


class Section(enum.StrEnum):
    """A part of the report to leave out, with its heading."""

    heading: str

    def __new__(cls, name: str, heading: str = "") -> Self:
        """Make a section that is its name."""
        section = str.__new__(cls, name)
        section._value_, section.heading = name, heading
        return section

    DECISION = "decision", "First page: the decision"
    DETAIL = "each-release", "Each release"
    VERDICT = "verdict", "Verdict"
    DECISIONS = "decisions", "Decisions about attacks"
    DECLARED = "declared", "Declarations"
    SCENARIO = "scenario", "Scenario and parameters"
    DATA = "data", "Data"
    FLAGGED = "flagged", "Attacks to examine"
    ATTACKS = "attacks", "All attacks"
    MEASURES = "measures", "Other measures"
    TRADE_OFFS = "trade-offs", "Trade-offs and parameters"
    RELEASES = "releases", "Releases compared"
    LEARNING = "learning", "Learning attacks"
    RISK_NUMBERS = "risk-numbers", "Risk numbers"
    RAPID = "rapid", "RAPID"
    THREAT = "threat", "Relative threat"
    HOLDOUT = "holdout", "Holdout"
    STUDIES = "studies", "Further studies"
    NOTES = "notes", "Notes and failures"
    METHODS = "methods", "Methods and sources"
    LIMITS = "limits", "Limits of this review"
    STANDARDS = "standards", "Laws and guidelines"
    REPRODUCE = "reproduce", "How to reproduce"
    GLOSSARY = "glossary", "Terms"


# Parts that each depth has
SECTIONS: Mapping[Depth, tuple[Section, ...]] = MappingProxyType(
    {
        Depth.SHORT: (
            Section.DECISION, Section.DETAIL, Section.DECISIONS, Section.DECLARED,
            Section.LIMITS, Section.STANDARDS, Section.REPRODUCE,
        ),
        Depth.FULL: tuple(Section),
    }
)  # fmt: skip
