"""What a campaign found, as JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Self

import pandas as pd

from alc_core.candidates.lines import CandidateLine
from alc_core.scoring.parameters import ScoringParameters

Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A number with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRelease:
    """What the attacks on one release say of publishing it."""

    release: str
    verdict: str | None  # Of its worst attack; None without a result
    publishing: str
    reason: str  # What decides
    decisive_alc: Found | None  # Of the worst attack; None without a result
    exposed: Found | None  # People, by the attack that exposes most
    asking: int  # Attacks that ask for a look
    planned: int
    finished: int
    failed: int
    skipped: int

    @classmethod
    def of(cls, line: CandidateLine) -> Self:
        """Return the numbers of a line."""
        worst, most = line.worst, line.most
        return cls(
            release=line.release, verdict=line.standing, publishing=str(line.publishing),
            reason=str(line.reason),
            decisive_alc=Found(value=worst.alc, low=worst.low, high=worst.high) if worst else None,
            exposed=Found(value=most.exposed, low=most.exposed_low, high=most.exposed_high)
            if most else None,
            asking=line.asking, planned=line.planned, finished=line.finished, failed=line.failed,
            skipped=line.skipped,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundJson:
    """What a campaign found: of each release, and of each attack as in the findings table."""

    format: Literal["alc-findings/1"] = "alc-findings/1"
    scoring: ScoringParameters
    releases: Sequence[FoundRelease]
    attacks: Sequence[Mapping[str, Cell]]

    @classmethod
    def of(
        cls, scoring: ScoringParameters, lines: Sequence[CandidateLine], frame: pd.DataFrame
    ) -> Self:
        """Put lines and table together; a cell without a value is None."""
        cells = frame.astype(object).where(frame.notna(), None)
        rows = cells.itertuples(index=False, name=None)
        return cls(
            scoring=scoring,
            releases=[FoundRelease.of(line) for line in lines],
            attacks=[dict(zip(frame.columns, row, strict=True)) for row in rows],
        )
