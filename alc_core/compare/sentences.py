"""Comparisons in sentences and tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from alc_core.campaign.findings.overview import STANDINGS, bounds_text
from alc_core.compare.comparison import Comparison, ReleaseChange, release_losses
from alc_core.phrasing import count, listed, loss_text, numbered
from alc_core.scoring.verdict import HARMLESS, UNTESTED

CLIPPED = "ALC of the more severe reading, or 0."
APART = "“Clearly”: the intervals of ALC do not overlap."

_HARMLESS = (*HARMLESS, *UNTESTED)


def comparison_title(comparison: Comparison, changes: Sequence[ReleaseChange]) -> str:
    """Name the safer release in a few words."""
    if not any(len(change) for change in changes):
        return "No attack has an ALC on two releases"
    if len(changes) == 1:
        return _pair_title(changes[0])
    return _several_title(comparison)


def change_sentence(change: ReleaseChange) -> str:
    """Say how a release compares with the reference."""
    names = f"“{change.release}” against “{change.reference}”"
    missing = ""
    if change.missing:
        have = "attack has" if change.missing == 1 else "attacks have"
        missing = f" {count(change.missing)} more {have} no ALC on one or both."
    if not len(change):
        return f"{names}: no attack has an ALC on both.{missing}"
    return (
        f"{names}, {numbered(len(change), 'attack')} on both: {_some(change.safer)} clearly safer, "
        f"{_some(change.riskier)} clearly riskier, {_some(change.overlapping)} "
        f"unclear. {_standing_sentence(change)}{missing}"
    )


def remaining_sentence(comparison: Comparison) -> str:
    """Name the releases whose attacks need attention."""
    bad = [
        f"“{each.release}” ({each.worst_standing}, highest ALC {loss_text(each.worst_alc)})"
        for each in release_losses(comparison)
        if each.worst_alc is not None and each.worst_standing not in (None, *_HARMLESS)
    ]
    if not bad:
        return "No release has an attack that needs attention."
    return f"Attacks on {listed(bad)} need attention."


def people_sentence(comparison: Comparison) -> str:
    """Say if releases were attacked on different numbers of people."""
    attempts = comparison.attempts[comparison.shared]
    if not len(attempts):
        return ""
    least, most = attempts.min(axis=1), attempts.max(axis=1)
    apart = most > 1.1 * least
    if not apart.any():
        return ""
    widest = int(np.argmax(most / np.maximum(least, 1)))
    return (
        f"{count(int(apart.sum()))} of {numbered(len(attempts), 'attack')} covered different "
        f"numbers of people, such as {count(int(least[widest]))} and {count(int(most[widest]))}."
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
    or_else = f"; no clear result on {listed(unsure)}" if unsure else ""
    releases = numbered(len(comparison.releases), "release")
    ends = dict.fromkeys(loss_text(each) for each in (highest[best], highest[named].max()))
    said = " to ".join(ends)
    size = f"({said})"
    names = listed([f"“{name}”" for name in alike])
    partly = len(rows) < len(comparison)
    among, the = "", "The"
    if partly:
        among, the = f"In {numbered(len(rows), 'attack')} run on all {releases}, ", "the"
    others = _others(comparison, alike, float(highest[named].max())) if partly else ""
    if len(alike) == len(comparison.releases):
        on = "each" if partly else f"all {releases}"
        return f"{among}{the} maximum ALC is about the same on {on} {size}{others}"
    has = "has" if len(alike) == 1 else "have"
    return f"{among}{names} {has} the lowest maximum ALC {size}{or_else}{others}"


def _others(comparison: Comparison, names: Sequence[str], most: float) -> str:
    parts = []
    for name in names:
        highest = float(np.nanmax(comparison.loss[:, comparison.place(name)]))
        if highest > most:
            parts.append(f"ALC {loss_text(highest)} on “{name}”")
    return f"; other attacks reach {listed(parts)}" if parts else ""


def own_attacks_sentence(comparison: Comparison) -> str:
    """Say if releases had different attacks."""
    shared = int(comparison.shared.sum())
    if len(comparison.releases) < 2 or shared == len(comparison):
        return ""
    return f"Only {count(shared)} of {count(len(comparison))} attacks were run on all releases."


def difference_text(comparison: Comparison, row: int, place: int) -> str:
    """Return ALC and interval of an attack; empty without a result."""
    loss = comparison.alc[row, place]
    if np.isnan(loss):
        return ""
    bounds = bounds_text(
        comparison.low[row, place], comparison.high[row, place], exact=comparison.interval_exact
    )
    said = loss_text(loss)
    return f"{said} ({bounds})" if bounds not in ("", said) else said


def _standing_sentence(change: ReleaseChange) -> str:
    parts = ((change.improved, "better"), (change.worsened, "worse"))
    found = [f"{count(number)} {word}" for number, word in parts if number]
    return f"Verdicts: {listed(found)}." if found else "No verdict changes."


def _some(number: int) -> str:
    return count(number) if number else "none"


CLEARLY_RISKIER, WORSE_VERDICT = "clearly riskier", "worse verdict only"
CLEARLY_SAFER, BETTER_VERDICT = "clearly safer", "better verdict only"
UNCHANGED = "no clear change"

# Most important first
KINDS_OF_CHANGE = (CLEARLY_RISKIER, WORSE_VERDICT, CLEARLY_SAFER, BETTER_VERDICT, UNCHANGED)


def changes_frame(
    comparison: Comparison, change: ReleaseChange, *, everything: bool = False
) -> pd.DataFrame:
    """List the attacks that differ between two releases."""
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

    def intervals(place: int) -> list[str]:
        bounds = zip(comparison.low[rows, place], comparison.high[rows, place], strict=True)
        return [bounds_text(low, high, exact=comparison.interval_exact) for low, high in bounds]

    return pd.DataFrame(
        {
            "number": comparison.number[rows, after],
            "change": pd.array([KINDS_OF_CHANGE[kind] for kind in kinds], dtype="str"),
            "before": pd.array(standings[comparison.standing[rows, before]], dtype="str"),
            "after": pd.array(standings[comparison.standing[rows, after]], dtype="str"),
            "alc_before": comparison.loss[rows, before],
            "alc_after": comparison.loss[rows, after],
            "difference": change.difference[order],
            "interval_before": intervals(before),
            "interval_after": intervals(after),
            "unknown": pd.array([comparison.unknown[row] for row in rows], dtype="str"),
            "known": pd.array([", ".join(comparison.known[row]) for row in rows], dtype="str"),
            "attack": pd.array([comparison.attack[row] for row in rows], dtype="str"),
        }
    )
