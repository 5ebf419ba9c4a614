"""A campaign at a glance: standings, and each release's worst."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from alc_core.arrays import BoolArray
from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.rescore.multiplicity import CampaignError
from alc_core.phrasing import loss_text
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import ASKING, FLAGGED, HARMLESS, SEVERITY, Verdict, exposes_many

STANDINGS: tuple[str, ...] = tuple(reversed(SEVERITY))  # The verdicts, worst first


@dataclass(frozen=True, kw_only=True, eq=False)
class CampaignOverview:
    """Attacks of a campaign, or of a release, under one scoring."""

    scoring: ScoringParameters  # The parameters
    # Finished attacks of :func:`findings_frame`, worst first
    results: pd.DataFrame
    every: Mapping[int, PlannedAttack]  # All attacks of the campaign, by number
    planned: int  # Attacks, finished or not
    failed: int
    skipped: int  # Not run, as their release was settled
    # How often chance would flag a harmless attack without control
    error: CampaignError
    left_out: int = 0  # Planned besides, left out to save time
    absent: tuple[str, ...] = ()  # Columns that the worst attack's release lacks

    @cached_property
    def counts(self) -> dict[str, int]:
        """Finished attacks by standing, worst first."""
        return count_standings(self.results)

    @property
    def finished(self) -> int:
        """Attacks with a result."""
        return len(self.results)

    @cached_property
    def interval_exact(self) -> bool:
        """The run's own; otherwise approximate."""
        return bool(self.results["interval_exact"].all())

    @cached_property
    def releases(self) -> frozenset[str]:
        """Those with a finished attack."""
        return frozenset(self.results["release"])

    @property
    def worst(self) -> int | None:
        """Worst attack's number; None without a result."""
        return int(self.results["number"].iloc[0]) if self.finished else None

    @property
    def standing(self) -> str | None:
        """Worst attack's standing; None without a result."""
        return next((standing for standing in STANDINGS if self.counts[standing]), None)

    @cached_property
    def through(self) -> int:
        """Attacks flagged only through a subset attack."""
        flagged = self.results["standing"].isin(FLAGGED)
        return int((flagged & ~self.results["verdict"].isin(FLAGGED)).sum())

    @cached_property
    def exposing(self) -> int:
        """Harmless attacks that surely expose many people."""
        return int(below_limit_exposing(self.results).sum())

    @cached_property
    def concerned(self) -> dict[str, int]:
        """By standing, most people whom attacks may expose."""
        most = self.results.groupby("standing")["exposed_high"].max()
        return {str(each): max(0, round(high)) for each, high in most.dropna().items()}

    @property
    def asking(self) -> int:
        """Attacks that ask for a look."""
        return sum(self.counts[verdict] for verdict in ASKING) + self.exposing

    @property
    def nothing_left(self) -> int:
        """Finished attacks with nothing left to learn."""
        return self.counts[Verdict.NOT_TESTABLE]

    @property
    def tested(self) -> int:
        """Finished attacks that had something to learn."""
        return self.finished - self.nothing_left

    @property
    def to_run(self) -> int:
        """Attacks that are still to come."""
        return self.planned - self.finished - self.failed - self.skipped

    def row(self, number: int) -> dict[str, Any]:
        """Return a finished attack's row; None for missing cells."""
        row = self.results[self.results["number"] == number].iloc[0]
        return {str(k): None if pd.isna(value) else value for k, value in row.to_dict().items()}

    def stands(self, number: int) -> tuple[str, float]:
        """Return a finished attack's standing and deciding ALC."""
        row = self.row(number)
        return str(row["standing"]), float(row["standing_alc"])


def ask(results: pd.DataFrame) -> pd.Series:
    """Return attacks that need attention, by standing or people exposed."""
    return results["standing"].isin(ASKING) | below_limit_exposing(results)


def expose_many(results: pd.DataFrame) -> BoolArray:
    """Return attacks that surely expose many, allowing for all attacks."""
    people = results["people"].astype(float)
    return exposes_many(results["exposed_surely"], people, results["material"])


def below_limit_exposing(results: pd.DataFrame) -> pd.Series:
    """Return attacks below the limit that surely expose many."""
    return results["standing"].isin(HARMLESS) & expose_many(results)


def told_losses(results: pd.DataFrame) -> pd.Series:
    """Return each attack's ALC; NaN if nothing was left to learn."""
    told: pd.Series = results["decisive_alc"].where(results["standing"] != Verdict.NOT_TESTABLE)
    return told


def untested_columns(results: pd.DataFrame) -> tuple[str, ...]:
    """Return unknown columns whose attacks had nothing left to learn."""
    tested = set(results["unknown"][results["standing"] != Verdict.NOT_TESTABLE])
    return tuple(dict.fromkeys(c for c in results["unknown"].tolist() if c not in tested))


def count_standings(results: pd.DataFrame) -> dict[str, int]:
    """Count the attacks by standing, worst first."""
    found = results["standing"].value_counts().to_dict()
    return {standing: int(found.get(standing, 0)) for standing in STANDINGS}


def bounds_text(low: float, high: float, *, exact: bool) -> str:
    """Return an interval of ALC, marked if approximate.

    Examples
    --------
    >>> bounds_text(0.151, 0.309, exact=True), bounds_text(-0.2, 0.3, exact=False)
    ('0.15 to 0.31', '≈ no loss to 0.30')
    >>> bounds_text(-0.9, -0.1, exact=True), bounds_text(float("nan"), 0.1, exact=True)
    ('no loss', '')
    """
    if np.isnan(low) or np.isnan(high):
        return ""
    text = "no loss" if high <= 0 else f"{loss_text(low)} to {loss_text(high)}"
    return text if exact else f"≈ {text}"
