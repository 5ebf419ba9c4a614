"""Findings on releases as blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.line import CandidateLine
from alc_core.present.blocks import Grid, Remark
from alc_core.review.release_words import (
    harm_sentence,
    learned_sentence,
    line_exposed_words,
    reason_sentence,
)
from alc_core.review.rows_words import (
    copied_sentence,
    not_clear_sentence,
    own_values_sentence,
    traced_words,
)
from alc_core.scoring.parameters import ScoringParameters

_HEADER = ("Release", "Verdict", "Publishing", "People exposed", "What decides")


def releases_grid(lines: Sequence[CandidateLine], *, stopped_said: bool = False) -> Grid:
    """Return a table of releases, brief on what stops them if already said."""
    rows = [
        (
            line.release,
            line.title,
            line.words,
            line_exposed_words(line),
            line.reason if stopped_said and line.stopped else reason_sentence(line),
        )
        for line in lines
    ]
    return Grid(header=_HEADER, rows=tuple(rows), alt="What was found of each release.", left=True)


def release_blocks(
    view: CampaignView, line: CandidateLine, scoring: ScoringParameters
) -> Iterator[Remark]:
    """Yield a release's findings, possible harm, and rows."""
    learned, copied = learned_sentence(view, line, scoring), copied_sentence(line)
    yield Remark(learned if copied in learned else f"{learned} {copied}", lead="Found:")
    yield Remark(harm_sentence(line), lead="What could go wrong:")
    if line.traced:
        said = f"{traced_words(line.traced)}. {not_clear_sentence(line)}".rstrip()
        yield Remark(said, lead="Rows traced:")
    if numbers := own_values_sentence(line):
        yield Remark(numbers, lead="Real values:")
