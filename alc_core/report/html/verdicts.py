"""The headline of a report: verdict, counts and releases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from alc_core.assessment.words import loss_text
from alc_core.campaign.findings.overview import (
    CampaignOverview,
    advice,
    cautions_sentence,
    flips_sentence,
    overview_title,
    what_if_text,
)
from alc_core.campaign.findings.summary import headline
from alc_core.campaign.findings.view import CampaignView
from alc_core.campaign.rescore.outcome_codes import TOO_FEW_TARGETS
from alc_core.phrasing import percent
from alc_core.report.html.options import ReportOptions
from alc_core.report.html.standings import Standing, standing_shown
from alc_core.scoring.verdict import Verdict
from alc_core.utility.in_campaign_file import stored_utilities
from alc_core.utility.utility import Utility


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseLine:
    """Where one release stands.

    Attributes
    ----------
    name : str
        Of the release.
    standing : Standing
        Of its worst attack.
    worst : str
        The highest ALC; empty where there is none.
    counts : tuple of tuple
        Each standing that occurs, with how many attacks stand there.
    utility : str
        How alike its two-column marginals are and how right models are that it trained; empty
        where it was not measured.
    """

    name: str
    standing: Standing
    worst: str
    counts: tuple[tuple[Standing, int], ...]
    utility: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictPart:
    """The headline.

    Attributes
    ----------
    title : str
        The verdict in a few words.
    standing : Standing
        Whose colour and icon it has.
    sentences : tuple of str
        What was found, what to look at twice, what to do.
    what_if : str
        The parameters that differ from the run's; empty where none does.
    run_title, run_standing
        The verdict under the run's own parameters.
    flips : str
        Which verdicts other parameters change; empty where none does.
    counts : tuple of tuple
        Every standing that matters, with how many attacks stand there.
    failed, to_run : int
        Attacks without a result.
    releases : tuple of ReleaseLine
        Worst first.
    """

    title: str
    standing: Standing
    sentences: tuple[str, ...]
    what_if: str
    run_title: str
    run_standing: Standing
    flips: str
    counts: tuple[tuple[Standing, int], ...]
    failed: int
    to_run: int
    releases: tuple[ReleaseLine, ...]


def verdict_part(view: CampaignView, options: ReportOptions) -> VerdictPart:
    """Return the headline of a campaign."""
    overview = view.overview(options.scoring)
    run = view.overview(view.settings.scoring)
    changed = what_if_text(options.scoring, view.settings.scoring)
    sentences = (headline(overview.summary), cautions_sentence(overview.counts), advice(overview))
    always = (Verdict.SERIOUS, Verdict.AT_RISK, Verdict.UNDECIDED, Verdict.SAFE, Verdict.NO_LOSS)
    return VerdictPart(
        title=overview_title(overview),
        standing=title_standing(overview),
        sentences=tuple(filter(None, sentences)),
        what_if=changed,
        run_title=overview_title(run),
        run_standing=title_standing(run),
        flips=flips_sentence(view.flips(options.scoring)) if changed else "",
        counts=tuple(
            (standing_shown(standing), number)
            for standing, number in overview.counts.items()
            if number or standing in always
        ),
        failed=overview.summary.failed,
        to_run=overview.summary.to_run,
        releases=_release_lines(overview, stored_utilities(view.store)),
    )


def title_standing(overview: CampaignOverview) -> Standing:
    """Return the standing whose colour a title has: harmless only when nothing is missing."""
    standing = overview.standing or TOO_FEW_TARGETS
    harmless = standing in (Verdict.SAFE, Verdict.NO_LOSS)
    return standing_shown(TOO_FEW_TARGETS if harmless and overview.summary.to_run else standing)


def _release_lines(
    overview: CampaignOverview, utilities: Mapping[str, Utility]
) -> tuple[ReleaseLine, ...]:
    return tuple(
        ReleaseLine(
            name=each.release,
            standing=standing_shown(each.standing),
            worst="" if each.worst_alc is None else loss_text(each.worst_alc),
            counts=tuple(
                (standing_shown(standing), number)
                for standing, number in each.counts.items()
                if number
            ),
            utility=_utility_words(utilities[each.release]) if each.release in utilities else "",
        )
        for each in overview.releases
    )


def _utility_words(utility: Utility) -> str:
    words = []
    if utility.pair_distance is not None:
        words.append(f"{percent(1 - utility.pair_distance)} alike")
    if utility.accuracy is not None and utility.original_accuracy is not None:
        own = percent(utility.original_accuracy)
        words.append(f"models {percent(utility.accuracy)} right (original's {own})")
    return ", ".join(words)
