"""What was found of releases, as blocks."""

from __future__ import annotations

from collections.abc import Sequence

from alc_core.candidates.line import CandidateLine
from alc_core.present.blocks import Grid
from alc_core.review.release_words import line_exposed_words, reason_sentence

_HEADER = ("Release", "Verdict", "Publishing", "People exposed", "What decides")


def releases_grid(lines: Sequence[CandidateLine], *, stopped_said: bool = False) -> Grid:
    """Return a table of releases, briefly of what stops them where that is said before it."""
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
