"""A campaign's findings as blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from alc_core.campaign.findings.findings_table import FAILED
from alc_core.campaign.findings.overview import CampaignOverview, bounds_text, untested_columns
from alc_core.campaign.findings.subsets import through_text
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.rescore.rescoring import Flips
from alc_core.candidates.line import CandidateLine
from alc_core.candidates.lines import candidate_lines
from alc_core.figures.looks import LOOKS
from alc_core.phrasing import MOST_FACTS, count, loss_text, numbered
from alc_core.present.blocks import (
    Block,
    Chip,
    Grid,
    Heading,
    Items,
    Metric,
    Metrics,
    Remark,
    Text,
    Tone,
)
from alc_core.review.attack_words import exposed_text
from alc_core.review.campaign_words import (
    advice,
    candidates_title,
    chance_sentence,
    flips_sentence,
    headline,
    inconclusive_kinds,
    overview_title,
    release_sentences,
    stopped_sentences,
    strangers_sentence,
    title_standing,
    untried_sentence,
    what_if_text,
)
from alc_core.review.release import releases_grid
from alc_core.review.release_words import untested_sentence
from alc_core.scoring.parameters import ScoringParameters, parameters_text
from alc_core.scoring.verdict import UNTESTED, Verdict

_CARRIED = "\u2248: approximate interval; settle() draws it exactly."
_HEADER = (
    "Verdict", "ALC", "Interval", "Exposed", "Precision", "Recall", "Release", "Unknown", "Attack",
    "Known",
)  # fmt: skip


def stopped_blocks(lines: Sequence[CandidateLine]) -> Iterator[Block]:
    """Yield the check's findings that stop releases."""
    for said in stopped_sentences(lines):
        yield Remark(said, Tone.WARNING)


def verdict_blocks(
    overview: CampaignOverview, run: CampaignOverview, flips: Flips | None = None
) -> Iterator[Block]:
    """Yield the verdict of a campaign's attacks, and the run's if scored differently."""
    yield Chip(title_standing(overview), overview_title(overview))
    untested = untested_sentence(untested_columns(overview.results))
    yield from map(Text, filter(None, (headline(overview), untested, advice(overview))))
    kinds = inconclusive_kinds(overview)
    some = (kind if len(kinds) == 1 else f"{count(n)} {kind}" for kind, n in kinds.items())
    told: dict[str, str] = {Verdict.INCONCLUSIVE: ", ".join(some)}
    numbers = [
        Metric(LOOKS[standing].label, count(number), told.get(standing) or LOOKS[standing].meaning)
        for standing, number in overview.counts.items()
        if number or standing not in (Verdict.NOT_CONVERGED, *UNTESTED)
    ]
    missing = (
        ("Failed", overview.failed, "reasons below"),
        ("Skipped", overview.skipped, "release was settled"),
        ("Not yet run", overview.to_run, "not counted"),
    )
    numbers += [Metric(word, count(number), said) for word, number, said in missing if number]
    yield Metrics(tuple(numbers))
    if chance := chance_sentence(overview):
        yield Text(chance, quiet=True)
    if what_if := what_if_text(overview.scoring, run.scoring):
        changed = flips_sentence(flips) if flips is not None else ""
        yield Text(
            f"Scored with other parameters: {what_if}. The run: "
            f"{overview_title(run)}. {changed or 'No verdict changes.'}"
        )


def campaign_blocks(
    view: CampaignView,
    scoring: ScoringParameters,
    *,
    shown: int | None = None,
    verbose: bool = False,
) -> Iterator[Block]:
    """Yield a campaign's findings: releases, and attacks as requested."""
    overview, lines = view.overview(scoring), candidate_lines(view, scoring, {})
    changed, untried = flips_sentence(view.flips(scoring)), untried_sentence(lines)
    yield Remark(f"{candidates_title(lines)}.")
    yield from stopped_blocks(lines)
    yield Heading(f"{overview_title(overview)}.")
    said = [
        headline(overview),
        advice(overview),
        f"{untried} Use --attack model." if untried else "",
        strangers_sentence(lines),
        chance_sentence(overview),
        f"Parameters: {parameters_text(overview.scoring)}.",
        f"Changed from the run: {changed}" if changed else "",
        "" if overview.interval_exact else _CARRIED,
    ]
    yield from map(Text, filter(None, said))
    yield releases_grid(lines, stopped_said=True)
    yield from map(Text, release_sentences(view, lines, scoring))
    rows = overview.results.head(shown or overview.finished).to_dict("records")
    yield Grid(
        header=_HEADER, rows=tuple(_cells(row, verbose=verbose) for row in rows),
        alt="Attacks, worst first.", left=True,
    )  # fmt: skip
    if overview.finished > len(rows):
        yield Text(f"... and {count(overview.finished - len(rows))} more")
    frame = view.frame(scoring)
    failed = frame[frame["status"] == FAILED].to_dict("records")
    yield Items(
        tuple(
            f"failed: {row['unknown']} from {row['release']}, known {row['known']}: {row['reason']}"
            for row in failed
        )
    )


def _cells(row: Mapping[Any, Any], *, verbose: bool) -> tuple[str, ...]:
    through, named = through_text(row), verbose or row["n_known"] <= MOST_FACTS
    known = str(row["known"]) if named else numbered(row["n_known"], "fact")
    known += f" ({through})" if through else ""
    return (
        str(row["standing"]),
        loss_text(row["standing_alc"]),
        bounds_text(row["standing_low"], row["standing_high"], exact=row["interval_exact"]),
        exposed_text(row["exposed"], row["exposed_low"], row["exposed_high"]),
        f"{row['deciding_measured_precision']:.3f}",
        f"{row['deciding_recall']:.4f}",
        str(row["release"]),
        str(row["unknown"]),
        str(row["attack"]),
        known,
    )
