"""What a campaign found, as readable text: apart, as one assessment needs no campaign."""

from __future__ import annotations

import textwrap
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pandas as pd

from alc_core.assessment.people import exposed_text
from alc_core.assessment.words import loss_text
from alc_core.campaign.findings.findings_table import FAILED
from alc_core.campaign.findings.overview import CampaignOverview, bounds_text
from alc_core.campaign.findings.subsets import through_text
from alc_core.campaign.rescore.rescoring import Flips
from alc_core.candidates.line import CandidateLine
from alc_core.phrasing import MOST_FACTS, count, numbered
from alc_core.present.renderers import columns
from alc_core.review.campaign_words import (
    advice,
    candidates_title,
    chance_sentence,
    flips_sentence,
    headline,
    overview_title,
    stopped_sentences,
    strangers_sentence,
    untried_sentence,
)
from alc_core.review.release_words import line_exposed_words, reason_sentence
from alc_core.scoring.parameters import parameters_text

_CARRIED = "Intervals marked \u2248 are approximate. The view's settle() draws them exactly."
OF_A_RELEASE = ("release", "verdict", "publishing", "people exposed", "what decides")
_HEAD = (
    "verdict", "ALC", "among the rest", "interval", "exposed", "precision", "recall", "release",
    "unknown", "attack", "known",
)  # fmt: skip


def campaign_text(
    overview: CampaignOverview,
    frame: pd.DataFrame,
    *,
    flips: Flips,
    releases: Sequence[CandidateLine] = (),
    told: Sequence[str] = (),
    shown: int | None = None,
    width: int = 88,
    verbose: bool = False,
) -> str:
    """Return what a campaign found, as lines for a terminal; `told` is said of the releases.

    A verbose text names all facts.
    """
    changed, untried = flips_sentence(flips), untried_sentence(releases)
    paragraphs = [
        f"{overview_title(overview)}.",
        headline(overview),
        advice(overview),
        f"{untried} Give the same command with --attack model." if untried else "",
        strangers_sentence(releases),
        chance_sentence(overview),
        f"Parameters: {parameters_text(overview.scoring)}.",
        f"Other than in the run: {changed}" if changed else "",
        "" if overview.interval_exact else _CARRIED,
    ]
    head = [f"{candidates_title(releases)}.", *stopped_sentences(releases)] if releases else []
    lines = [line for sentence in head for line in textwrap.wrap(sentence, width)]
    lines += [""] if head else []
    for paragraph in filter(None, paragraphs):
        lines += [*textwrap.wrap(paragraph, width), ""]
    if releases:
        lines += [*columns([OF_A_RELEASE, *map(release_cells, releases)], numbers=False), ""]
    for sentence in told:
        lines += [*textwrap.wrap(sentence, width), ""]
    results, failed = overview.results, frame[frame["status"] == FAILED]
    rows = results.head(len(results) if shown is None else shown).to_dict("records")
    lines += columns([_HEAD, *(_cells(row, verbose=verbose) for row in rows)], numbers=False)
    if shown is not None and len(results) > shown:
        lines.append(f"... and {count(len(results) - shown)} more")
    lines += [
        f"failed: {row['unknown']} from {row['release']}, known {row['known']}: {row['reason']}"
        for row in failed.to_dict("records")
    ]
    return "\n".join(lines)


def release_cells(line: CandidateLine) -> tuple[str, ...]:
    """Return what is told of a release, as :data:`OF_A_RELEASE` says."""
    exposed = line_exposed_words(line)
    return line.release, line.title, line.words, exposed, reason_sentence(line)


def _cells(row: Mapping[Hashable, Any], *, verbose: bool) -> tuple[str, ...]:
    through, named = through_text(row), verbose or row["n_known"] <= MOST_FACTS
    known = str(row["known"]) if named else numbered(row["n_known"], "fact")
    known += f" ({through})" if through else ""
    return (
        str(row["standing"]),
        loss_text(row["alc"]),
        loss_text(row["alc_rest"]),
        bounds_text(row["decisive_low"], row["decisive_high"], exact=row["interval_exact"]),
        exposed_text(row["exposed"], row["exposed_low"], row["exposed_high"]),
        f"{row['deciding_measured_precision']:.3f}",
        f"{row['deciding_recall']:.4f}",
        str(row["release"]),
        str(row["unknown"]),
        str(row["attack"]),
        known,
    )
