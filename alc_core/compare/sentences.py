"""Comparisons in sentences and tables: attack by attack, and releases side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from alc_core.assessment.words import loss_text
from alc_core.campaign.findings.overview import STANDINGS, bounds_text
from alc_core.compare.comparison import Comparison, ReleaseChange, release_losses
from alc_core.phrasing import count, listed, numbered
from alc_core.scoring.verdict import HARMLESS, UNTESTED
from alc_core.studies.utility.result import Utility

CLIPPED = (
    "ALC is the reading that decides, the higher of the two. One of 0 or less means no loss, "
    "however far below 0 it lies, and counts as 0 here: in distributions, differences and when "
    "intervals are compared."
)

APART = (
    "“Clearly” means that the two intervals of ALC do not overlap. This is a strict "
    "criterion: where they overlap there may still be a difference, but these attacks do not prove "
    "it."
)

_HARMLESS = (*HARMLESS, *UNTESTED)


def comparison_title(comparison: Comparison, changes: Sequence[ReleaseChange]) -> str:
    """Say in a few words which release is safer."""
    if not any(len(change) for change in changes):
        return "No attack has an ALC on two releases"
    if len(changes) == 1:
        return _pair_title(changes[0])
    return _several_title(comparison)


def change_sentence(change: ReleaseChange) -> str:
    """Say how a release compares with the reference, and what could not be compared."""
    names = f"“{change.release}” against “{change.reference}”"
    missing = ""
    if change.missing:
        have = "attack has" if change.missing == 1 else "attacks have"
        missing = f" {count(change.missing)} more {have} no ALC on one or both of them."
    if not len(change):
        return f"{names}: no attack has an ALC on both.{missing}"
    return (
        f"{names}: of {numbered(len(change), 'attack')} with an ALC on both, "
        f"{_some(change.safer)} {'is' if change.safer == 1 else 'are'} clearly safer and "
        f"{_some(change.riskier)} clearly riskier; in {_some(change.overlapping)} the intervals "
        f"overlap. "
        f"{_standing_sentence(change)}{missing}"
    )


def remaining_sentence(comparison: Comparison) -> str:
    """Say which releases still have attacks to look at: a safer one may not be safe."""
    bad = [
        f"“{each.release}” ({each.worst_standing}, highest ALC {loss_text(each.worst_alc)})"
        for each in release_losses(comparison)
        if each.worst_alc is not None and each.worst_standing not in (None, *_HARMLESS)
    ]
    if not bad:
        return "On no release is an attack at risk, undecided or not converged."
    safer = "Safer does not mean safe: there" if len(comparison.releases) > 1 else "There"
    return f"{safer} are attacks to look at on {listed(bad)}."


def people_sentence(comparison: Comparison) -> str:
    """Say that releases were attacked on different numbers of people; empty where they were not."""
    attempts = comparison.attempts[comparison.shared]
    if not len(attempts):
        return ""
    least, most = attempts.min(axis=1), attempts.max(axis=1)
    apart = most > 1.1 * least
    if not apart.any():
        return ""
    widest = int(np.argmax(most / np.maximum(least, 1)))
    return (
        f"In {count(int(apart.sum()))} of {count(len(attempts))} scenarios the releases were "
        f"attacked on different numbers of people, such as {count(int(least[widest]))} and "
        f"{count(int(most[widest]))}, as an attack goes on while it is undecided. With more people "
        "a baseline that is sure of only a few can begin to count, so part of a difference may be "
        "due to that alone. To compare strictly, plan all attacks on the same number of people."
    )


def _pair_title(change: ReleaseChange) -> str:
    release, reference = f"“{change.release}”", f"“{change.reference}”"
    attacks, safer, riskier = numbered(len(change), "attack"), change.safer, change.riskier
    attacks += " on both" if change.missing else ""
    if not safer and not riskier:
        return f"No clear difference between {release} and {reference} in {attacks}"
    word, number, other = ("safer", safer, "worse") if safer else ("riskier", riskier, "better")
    end = f"; no attack is clearly {other}"
    if safer and riskier:
        end = f" and riskier in {count(riskier)}"
    return f"{release} is {word} than {reference} in {count(number)} of {attacks}{end}"


def _several_title(comparison: Comparison) -> str:
    rows = np.flatnonzero(comparison.shared)
    if not len(rows):
        return "No attack has an ALC on all releases"
    places = np.arange(len(comparison.releases))
    worst = rows[np.argmax(comparison.alc[rows], axis=0)]
    highest = np.maximum(comparison.alc[worst, places], 0.0)
    low = np.maximum(comparison.low[worst, places], 0.0)
    high = np.maximum(comparison.high[worst, places], 0.0)
    best = int(np.argmin(highest))
    named, open_ = highest <= high[best], low <= high[best]  # the best release's interval holds it
    alike = [name for place, name in enumerate(comparison.releases) if named[place]]
    unsure = [f"“{comparison.releases[place]}”" for place in np.flatnonzero(open_ & ~named)]
    or_else = f"; too uncertain to tell on {listed(unsure)}" if unsure else ""
    releases, one = numbered(len(comparison.releases), "release"), len(alike) == 1
    ends = dict.fromkeys(loss_text(each) for each in (highest[best], highest[named].max()))
    said = " to ".join(ends)
    size = f" ({said if highest[best] <= 0 else f'ALC {said}'})"
    names = listed([f"“{name}”" for name in alike])
    equal = len(alike) == len(comparison.releases)
    if len(rows) < len(comparison):
        others = _others(comparison, alike, float(highest[named].max()))
        among = f"Of {numbered(len(rows), 'attack')} run on all {releases}, the worst"
        if equal:
            return f"{among} on each are about equally bad{size}{others}"
        lowest = "is the lowest" if one else "are the lowest"
        return f"{among} on {names} {lowest}{size}{or_else}{others}"
    if equal:
        return f"The worst attacks on all {releases} are about equally bad{size}"
    verb, whose = ("is", "its worst attack") if one else ("are", "their worst attacks")
    return f"{names} {verb} the safest of {releases} by {whose}{size}{or_else}"


def _others(comparison: Comparison, names: Sequence[str], most: float) -> str:
    """Say on which releases attacks that not all have find more than `most`, if on any."""
    parts = []
    for name in names:
        highest = float(np.nanmax(comparison.loss[:, comparison.place(name)]))
        if highest > most:
            parts.append(f"ALC {loss_text(highest)} on “{name}”")
    return f"; other attacks reach {listed(parts)}" if parts else ""


def own_attacks_sentence(comparison: Comparison) -> str:
    """Say that numbers are of each release's own attacks; empty where all had the same."""
    shared = int(comparison.shared.sum())
    if len(comparison.releases) < 2 or shared == len(comparison):
        return ""
    return (
        f"Highest and median ALC are of each release's own attacks: only {count(shared)} of "
        f"{count(len(comparison))} were run on all."
    )


def difference_text(comparison: Comparison, row: int, place: int) -> str:
    """Return ALC and interval of an attack for show; empty without a result."""
    loss = comparison.alc[row, place]
    if np.isnan(loss):
        return ""
    bounds = bounds_text(
        comparison.low[row, place], comparison.high[row, place], exact=comparison.interval_exact
    )
    said = loss_text(loss)
    return f"{said} ({bounds})" if bounds not in ("", said) else said


def _standing_sentence(change: ReleaseChange) -> str:
    if not change.improved and not change.worsened:
        return "No verdict changes between them."
    parts = [
        f"{count(number)} {'is' if number == 1 else 'are'} {word}"
        for number, word in ((change.improved, "better"), (change.worsened, "worse"))
        if number
    ]
    return f"Of the verdicts, {listed(parts)}."


def _some(number: int) -> str:
    return count(number) if number else "none"


CLEARLY_RISKIER, WORSE_VERDICT = "clearly riskier", "worse verdict only"
CLEARLY_SAFER, BETTER_VERDICT = "clearly safer", "better verdict only"
UNCHANGED = "no clear change"

# How an attack on a release differs from that on the reference; what asks for a look first
KINDS_OF_CHANGE = (CLEARLY_RISKIER, WORSE_VERDICT, CLEARLY_SAFER, BETTER_VERDICT, UNCHANGED)


def changes_frame(
    comparison: Comparison, change: ReleaseChange, *, everything: bool = False
) -> pd.DataFrame:
    """List the attacks that differ between a release and the reference."""
    before, after = comparison.place(change.reference), comparison.place(change.release)
    rows = change.rows
    kinds = np.select(
        [change.apart > 0, change.apart < 0, change.moved > 0, change.moved < 0], [0, 2, 1, 3], 4
    )
    order = np.lexsort((-np.abs(change.difference), kinds))
    if not everything:
        order = order[kinds[order] < KINDS_OF_CHANGE.index(UNCHANGED)]
    rows, kinds = rows[order], kinds[order]
    standings = np.array(STANDINGS, dtype=object)
    return pd.DataFrame(
        {
            "number": comparison.number[rows, after],
            "change": pd.array([KINDS_OF_CHANGE[kind] for kind in kinds], dtype="str"),
            "before": pd.array(standings[comparison.standing[rows, before]], dtype="str"),
            "after": pd.array(standings[comparison.standing[rows, after]], dtype="str"),
            "alc_before": comparison.loss[rows, before],
            "alc_after": comparison.loss[rows, after],
            "difference": change.difference[order],
            "interval_before": _intervals(comparison, rows, before),
            "interval_after": _intervals(comparison, rows, after),
            "unknown": pd.array([comparison.unknown[row] for row in rows], dtype="str"),
            "known": pd.array([", ".join(comparison.known[row]) for row in rows], dtype="str"),
            "attack": pd.array([comparison.attack[row] for row in rows], dtype="str"),
        }
    )


def releases_frame(comparison: Comparison, utilities: Mapping[str, Utility]) -> pd.DataFrame:
    """Lay out risk and, where measured, utility of each release."""
    rows = []
    for losses in release_losses(comparison):
        utility = utilities.get(losses.release)
        low, high = losses.worst_interval or (np.nan, np.nan)
        rows.append(
            {
                "release": losses.release,
                "standing": losses.worst_standing,
                "worst_alc": None if losses.worst_alc is None else max(losses.worst_alc, 0.0),
                "worst_interval": bounds_text(low, high, exact=comparison.interval_exact),
                "median_alc": None if losses.quartiles is None else losses.quartiles[1],
                "flagged": losses.flagged,
                "measured": losses.measured,
                "planned": losses.planned,
                **{
                    name: None if utility is None else getattr(utility, name)
                    for name in (
                        "column_distance", "pair_distance", "accuracy", "original_accuracy",
                        "majority_accuracy",
                    )
                },
                "lacking": None if utility is None else len(utility.lacking),
                **{
                    f"{title}, highest": _highest(values[:, comparison.place(losses.release)])
                    for title, values in comparison.measures.items()
                },
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def _highest(values: np.ndarray) -> float | None:
    return None if np.isnan(values).all() else float(np.nanmax(values))


def targets_frame(utilities: Mapping[str, Utility]) -> pd.DataFrame:
    """List what models predict after training on each release, the greatest loss first."""
    rows = [
        {
            "release": name,
            "target": each.target,
            "loss": each.loss,
            "release_accuracy": each.release_accuracy,
            "low": each.interval[0],
            "high": each.interval[1],
            "original_accuracy": each.original_accuracy,
            "majority_accuracy": each.majority_accuracy,
            "train_rows": each.train_rows,
            "test_rows": each.test_rows,
        }
        for name, utility in utilities.items()
        for each in utility.worst_targets
    ]
    return pd.DataFrame(rows)


def _intervals(comparison: Comparison, rows: np.ndarray, place: int) -> list[str]:
    bounds = zip(comparison.low[rows, place], comparison.high[rows, place], strict=True)
    return [bounds_text(low, high, exact=comparison.interval_exact) for low, high in bounds]
