"""A campaign at a glance: the standing of every attack, and the worst of each release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from alc_core.arrays import BoolArray
from alc_core.assessment.words import VERDICT_TITLES, loss_text, verdict_text
from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.rescore.multiplicity import CampaignError
from alc_core.campaign.rescore.rescoring import Flips
from alc_core.phrasing import (
    by_chance,
    count,
    facts_there,
    listed,
    numbered,
    percent,
    quoted,
    short_name,
)
from alc_core.scoring.parameters import PARAMETER_TITLES, ScoringParameters, parameter_text
from alc_core.scoring.verdict import (
    ASKING,
    FLAGGED,
    HARMLESS,
    OUTCOMES,
    SEVERITY,
    UNTESTED,
    Perhaps,
    Verdict,
    exposes_many,
    perhaps,
)

STANDINGS: tuple[str, ...] = tuple(reversed(SEVERITY))  # The verdicts, worst first


@dataclass(frozen=True, kw_only=True, eq=False)
class CampaignOverview:
    """Every attack of a campaign, or on one of its releases, under one scoring."""

    scoring: ScoringParameters  # The parameters
    # The finished attacks of :func:`findings_frame`, in its order: the worst first
    results: pd.DataFrame
    every: Mapping[int, PlannedAttack]  # All attacks of the campaign, by number
    planned: int  # Attacks, finished or not
    failed: int
    skipped: int  # Not run as their release was settled before
    # How often chance alone would flag a harmless attack if there were no control
    error: CampaignError
    left_out: int = 0  # Attacks that were planned beside these, and left out to save time
    absent: tuple[str, ...] = ()  # Columns that the release of the worst attack lacks

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
        """Whether intervals are the run's own; otherwise they are approximate."""
        return bool(self.results["interval_exact"].all())

    @cached_property
    def releases(self) -> frozenset[str]:
        """Those with a finished attack."""
        return frozenset(self.results["release"])

    @property
    def worst(self) -> int | None:
        """Number of the attack with the worst standing; None where no attack has finished."""
        return int(self.results["number"].iloc[0]) if self.finished else None

    @property
    def standing(self) -> str | None:
        """The standing of the worst attack; None without a result."""
        return next((standing for standing in STANDINGS if self.counts[standing]), None)

    @cached_property
    def through(self) -> int:
        """Flagged attacks that are so through fewer of their facts alone."""
        flagged = self.results["standing"].isin(FLAGGED)
        return int((flagged & ~self.results["verdict"].isin(FLAGGED)).sum())

    @cached_property
    def exposing(self) -> int:
        """Attacks that are harmless by their standing, but surely expose many people."""
        return int(_exposing(self.results).sum())

    @cached_property
    def concerned(self) -> dict[str, int]:
        """By standing the people whom attacks may expose at most."""
        most = self.results.groupby("standing")["exposed_high"].max()
        return {str(each): max(0, round(high)) for each, high in most.dropna().items()}

    @property
    def asking(self) -> int:
        """Attacks that ask for a look."""
        return sum(self.counts[verdict] for verdict in ASKING) + self.exposing

    @property
    def nothing_left(self) -> int:
        """Finished attacks of which nothing was left to learn."""
        return self.counts[Verdict.NOTHING_LEFT]

    @property
    def tested(self) -> int:
        """Finished attacks that had something to learn."""
        return self.finished - self.nothing_left

    @property
    def to_run(self) -> int:
        """Attacks that are still to come."""
        return self.planned - self.finished - self.failed - self.skipped

    def row(self, number: int) -> dict[str, Any]:
        """Return what the results say of a finished attack; None in place of what is missing."""
        row = self.results[self.results["number"] == number].iloc[0]
        return {str(k): None if pd.isna(value) else value for k, value in row.to_dict().items()}

    def stands(self, number: int) -> tuple[str, float]:
        """Return the standing of a finished attack, and the ALC that it stands on."""
        row = self.row(number)
        return str(row["standing"]), float(row["standing_alc"])


def ask(results: pd.DataFrame) -> pd.Series:
    """Return which attacks ask for a look: by their standing, or as many people are exposed."""
    return results["standing"].isin(ASKING) | _exposing(results)


def expose_many(results: pd.DataFrame) -> BoolArray:
    """Return which attacks surely expose many of all people, allowing for all attacks."""
    people = results["people"].astype(float)
    return exposes_many(results["exposed_surely"], people, results["material"])


def _exposing(results: pd.DataFrame) -> pd.Series:
    return results["standing"].isin(HARMLESS) & expose_many(results)


def headline(overview: CampaignOverview) -> str:
    """Say in plain words what a campaign found, and what is still missing."""
    decided = overview.tested
    if overview.worst is None:
        sentences = ["No attack has a result yet."]
    elif not decided:
        sentences = []
    elif not overview.asking and decided == 1:
        sentences = ["The one attack with a result asks for no look."]
    elif not overview.asking:
        sentences = [f"None of {numbered(decided, 'attack')} asks for a look."]
    else:
        kinds = [f"{count(overview.counts[v])} {v}" for v in ASKING if overview.counts[v]]
        kinds += [f"{count(overview.exposing)} exposing many people"] if overview.exposing else []
        asks, them = "asks" if overview.asking == 1 else "ask", ""
        if overview.asking > 1:
            them = f"{count(overview.through)} of them "
        through = f"; {them}through fewer facts alone" if overview.through else ""
        sentences = [
            f"{count(overview.asking)} of {numbered(decided, 'attack')} {asks} for a look: "
            f"{listed(kinds)}{through}."
        ]
    parts = (_worst_sentence(overview), _nothing_left_sentence(overview), _rest_sentence(overview))
    sentences += filter(None, parts)
    return " ".join(sentences)


def _worst_sentence(overview: CampaignOverview) -> str:
    if overview.worst is None or not overview.tested:
        return ""
    standing, loss = overview.stands(overview.worst)
    if loss <= 0 and standing == Verdict.NO_LOSS:
        return "No attack is clearly better than a guess without the person's record."
    worst = overview.every[overview.worst]
    through = overview.row(overview.worst)["through"]  # the facts that it takes may be fewer
    known = (worst if through is None else overview.every[through]).scenario.known
    size = f"ALC {loss_text(loss)}" if loss > 0 else "ALC not above 0"
    return (
        f"The worst: someone who knows {facts_there(known, overview.absent)} learns "
        f"{short_name(worst.scenario.wanted)} from "
        f"{worst.release} ({size}, {standing})."
    )


def _nothing_left_sentence(overview: CampaignOverview) -> str:
    """Say of how many attacks nothing was left to learn; empty where of none."""
    if not overview.nothing_left:
        return ""
    which = (
        f"In {numbered(overview.nothing_left, 'attack')}"
        if overview.nothing_left < overview.finished
        else "In all attacks"
        if overview.finished > 1
        else "In the one attack with a result"
    )
    return (
        f"{which} nothing was left to learn: a guess without the person's record already knows "
        "nearly everybody, so they say nothing either way."
    )


def _rest_sentence(overview: CampaignOverview) -> str:
    counted = [
        (overview.failed, "failed"),
        (overview.skipped, "skipped, as their release was settled"),
        (overview.to_run, "has not run yet" if overview.to_run == 1 else "have not run yet"),
    ]
    parts = [f"{count(number)} {what}" for number, what in counted if number]
    return f"Not counted: {listed(parts)}." if parts else ""


def overview_title(overview: CampaignOverview) -> str:
    """Return in a few words how the campaign stands, by its worst attacks."""
    standing, decided = overview.standing, overview.tested
    if standing is None:
        return "No attack has a result yet"
    if not decided:
        return "Nothing was left to learn"
    of_planned = f"{count(overview.finished)} of {count(overview.planned)}"
    if standing in HARMLESS and overview.exposing:
        of_tested = f"{count(overview.exposing)} of {numbered(decided, 'attack')}"
        more = overview.to_run or overview.left_out
        return f"Many people exposed in {of_tested}{' so far' if more else ''}"
    if standing in HARMLESS and overview.to_run:
        return f"No risk found so far ({of_planned})"
    if standing in HARMLESS and overview.failed:
        return f"No risk found in {of_planned} attacks"
    found = overview.counts[standing]
    of_all = f"{count(found)} of {count(decided)} attacks"
    every = "all attacks" if decided > 1 else "the one attack"
    if decided == 1:
        of_all = every
    if overview.nothing_left:
        every = f"{every} that had something to learn"
    title = {
        Verdict.SAFE: f"Safe in {every}",
        Verdict.NO_LOSS: f"No loss of anonymity in {every}",
    }.get(Verdict(standing)) or f"{VERDICT_TITLES[Verdict(standing)]} in {of_all}"
    return f"{title} so far" if overview.to_run or overview.left_out else title


def advice(overview: CampaignOverview) -> str:
    """Say what the campaign's verdict asks for; empty without a result."""
    if overview.standing is None:
        return ""
    unused = Perhaps.UNMATCHED in undecided_kinds(overview)
    return verdict_text(
        overview.standing,
        "campaign",
        at_risk=f"{overview.scoring.at_risk:g}",
        unused=f" {verdict_text('undecided, a column unmatched', 'campaign')}" if unused else "",
    )


def chance_sentence(overview: CampaignOverview) -> str:
    """Say how far chance may flag harmless attacks among so many; empty of fewer than two.

    Attacks with one fact less are among them: they may flag those that know all of their facts.
    """
    error, scoring = overview.error, overview.scoring
    if error.attacks < 2:
        return ""
    many, level = count(error.attacks), percent(1.0 - scoring.confidence)
    attacks = f"{many} attacks"
    if error.one_less:
        attacks += f", {count(error.one_less)} of them with one fact less"
    if scoring.control == "family-wise":
        return (
            f"The verdicts allow for {attacks} (family-wise): in at most {level} of such campaigns "
            "chance flags any harmless attack."
        )
    if scoring.control == "false discovery":
        return (
            f"The verdicts allow for {attacks} (false discovery rate): of the flagged ones, at "
            f"most {level} are expected to be so by chance."
        )
    comma = "," if error.one_less else ""
    return (
        f"Each of {attacks}{comma} is judged by itself: of those not flagged, chance would flag "
        f"at least one with a probability of {by_chance(error.as_estimated)}."
    )


def undecided_kinds(overview: CampaignOverview) -> dict[Perhaps, int]:
    """Count undecided attacks by what their intervals leave open, worst first."""
    rows = overview.results[overview.results["standing"] == Verdict.UNDECIDED]
    found = rows[["standing_alc", "standing_low", "standing_high"]].to_numpy(dtype=float)
    kinds = [
        perhaps(Verdict.UNDECIDED, alc, low, high, overview.scoring) for alc, low, high in found
    ]
    return {kind: kinds.count(kind) for kind in Perhaps if kind in kinds}


def what_if_text(now: ScoringParameters, run: ScoringParameters) -> str:
    """List the parameters that differ from the run's; empty where none does.

    Examples
    --------
    >>> what_if_text(ScoringParameters(alpha=0.5, r_min=0.01), ScoringParameters())
    'alpha 0.5, R_min 0.01'
    """
    before, after = run.to_dict(), now.to_dict()
    return ", ".join(
        f"{PARAMETER_TITLES[name]} {parameter_text(value)}"
        for name, value in after.items()
        if value != before[name]
    )


def told_losses(results: pd.DataFrame) -> pd.Series:
    """Return each attack's ALC; none where nothing was left to learn, where it says nothing."""
    told: pd.Series = results["decisive_alc"].where(results["standing"] != Verdict.NOTHING_LEFT)
    return told


def untested_columns(results: pd.DataFrame) -> tuple[str, ...]:
    """Return the unknown columns of which no attack had anything left to learn."""
    tested = set(results["unknown"][results["standing"] != Verdict.NOTHING_LEFT])
    return tuple(dict.fromkeys(c for c in results["unknown"].tolist() if c not in tested))


def untested_sentence(columns: Sequence[str]) -> str:
    """Say which columns no attack tested; empty where every one was."""
    if not columns:
        return ""
    them = "it" if len(columns) == 1 else "them"
    return (
        f"Not tested: {quoted(columns)}. In every attack on {them} nothing was left to learn "
        "beyond the guess."
    )


def count_standings(results: pd.DataFrame) -> dict[str, int]:
    """Count the attacks by standing, worst first."""
    found = results["standing"].value_counts().to_dict()
    return {standing: int(found.get(standing, 0)) for standing in STANDINGS}


def bounds_text(low: float, high: float, *, exact: bool) -> str:
    """Return an interval of ALC for show, marked where it is approximate.

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


def flips_sentence(flips: Flips) -> str:
    """Say how many attacks change their verdict, and from what to what; empty where none does."""
    if not len(flips):
        return ""
    changed = flips.counts.copy()
    np.fill_diagonal(changed, 0)
    order = np.argsort(-changed, axis=None, kind="stable")
    parts = [
        f"{count(int(changed[before, after]))} from {OUTCOMES[before]} to {OUTCOMES[after]}"
        for before, after in zip(*np.unravel_index(order, changed.shape), strict=True)
        if changed[before, after]
    ]
    verb = "attack changes" if len(flips) == 1 else "attacks change"
    return f"{count(len(flips))} {verb}: {listed(parts)}."


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
    sentences = (headline(overview), untested, advice(overview))
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
            if number or standing not in (Verdict.NOT_CONVERGED, *UNTESTED)
        ),
    )


def title_standing(overview: CampaignOverview) -> str:
    """Return the standing whose colour a title has: harmless only when nothing is missing."""
    standing = overview.standing or Verdict.NOTHING_LEFT
    if standing not in HARMLESS:
        return standing
    if overview.exposing:
        return Verdict.UNDECIDED
    return Verdict.NOTHING_LEFT if overview.to_run or overview.failed else standing
