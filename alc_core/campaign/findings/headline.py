"""The verdict of a campaign as every page and report shows it: title, sentences, counts."""

from __future__ import annotations

from dataclasses import dataclass

from alc_core.assessment import words
from alc_core.assessment.result import Assessment
from alc_core.campaign.findings.overview import (
    CampaignOverview,
    advice,
    chance_sentence,
    headline,
    overview_title,
    untested_columns,
    untested_sentence,
    what_if_text,
)
from alc_core.scoring.verdict import Verdict

_ALWAYS_COUNTED = (
    Verdict.SERIOUS,
    Verdict.AT_RISK,
    Verdict.UNDECIDED,
    Verdict.SAFE,
    Verdict.NO_LOSS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignHeadline:
    """The verdict of a campaign, and that of its run where other parameters are shown."""

    title: str  # The verdict in a few words
    standing: str  # Whose colour and icon it has: harmless only where no attack is still to run
    sentences: tuple[str, ...]  # What was found, and what to do
    chance: str  # How far chance may flag harmless attacks among so many; empty of fewer than two
    what_if: str  # The parameters that differ from the run's; empty where none does
    run_title: str
    run_standing: str
    # Every standing that matters, worst first, with its number of attacks
    counts: tuple[tuple[str, int], ...]


def campaign_headline(overview: CampaignOverview, run: CampaignOverview) -> CampaignHeadline:
    """Return the verdict of a campaign under the scoring of `overview`."""
    untested = untested_sentence(untested_columns(overview.results))
    sentences = (headline(overview.summary), untested, advice(overview))
    return CampaignHeadline(
        title=overview_title(overview),
        standing=title_standing(overview),
        sentences=tuple(filter(None, sentences)),
        chance=chance_sentence(overview),
        what_if=what_if_text(overview.scoring, run.scoring),
        run_title=overview_title(run),
        run_standing=title_standing(run),
        counts=tuple(
            (standing, number)
            for standing, number in overview.counts.items()
            if number or standing in _ALWAYS_COUNTED
        ),
    )


def title_standing(overview: CampaignOverview) -> str:
    """Return the standing whose colour a title has: harmless only when nothing is missing."""
    standing = overview.standing or Verdict.NOTHING_LEFT
    harmless = standing in (Verdict.SAFE, Verdict.NO_LOSS)
    return Verdict.NOTHING_LEFT if harmless and overview.summary.to_run else standing


def exact_interval_sentence(run: Assessment, shown: Assessment) -> str:
    """Say the interval of an attack that is drawn again; empty where the shown one is exact."""
    if shown.interval_exact:
        return ""
    exact = run.rescore(**shown.scoring.to_dict())
    title = words.verdict_title(exact)
    differs = "" if exact.verdict is shown.own_verdict else f", which would be “{title}”"
    return (
        "The intervals of this attack are approximated (≈), as in the table of all attacks. Drawn "
        f"again for this attack alone, it is {words.interval_text(exact)}{differs}."
    )
