"""What the trade-off figures say about the attacks of a campaign, in a sentence each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from alc_core.assessment.words import loss_text
from alc_core.phrasing import count, numbered, percent
from alc_core.scoring.calculator import calculate
from alc_core.scoring.formulas import f_beta
from alc_core.scoring.parameters import ScoringParameters

_FEW = 0.01
"""Recall below which alpha and R_min matter, under the usual parameters (paper, section 4.2)."""


def prc_sentence(results: pd.DataFrame, level: float = 0.5) -> str:
    """Say how strong the attacks are by their PRC."""
    shown = results[results["decisive_alc"].notna()]
    if not len(shown):
        return ""
    strong = int((shown["deciding_prc"] >= level).sum())
    first = shown.iloc[int(np.argmax(shown["deciding_prc"]))]
    return (
        f"{count(strong)} of {numbered(len(shown), 'attack')} reach PRC {level:g}. The strongest, "
        f"on {first['unknown']} from {first['release']}, has PRC {first['deciding_prc']:.2f}: "
        f"right in {percent(first['deciding_measured_precision'])}, for "
        f"{percent(first['deciding_recall'])} of people. A strong attack is no loss by "
        "itself: the baseline may be as strong."
    )


def few_people_sentence(results: pd.DataFrame) -> str:
    """Say for how many attacks alpha and R_min matter: they or their baselines answer for few."""
    shown = results[results["decisive_alc"].notna()]
    if not len(shown):
        return ""
    lowest = shown[["deciding_recall", "compared_recall"]].min(axis=1)
    few, recall = int((lowest < _FEW).sum()), percent(float(lowest.min()))
    if not few:
        return (
            f"None of {numbered(len(shown), 'attack')} and of their baselines does best on less "
            f"than {percent(_FEW)} of people; the lowest recall is {recall}."
        )
    return (
        f"In {count(few)} of {numbered(len(shown), 'attack')} attack or baseline does best on "
        f"less than {percent(_FEW)} of people, down to {recall}: these are the ones that the "
        "parameters move most."
    )


def limit_sentence(results: pd.DataFrame, scoring: ScoringParameters) -> str:
    """Say how many attacks lie above the lines of the limits, and which is next to the first."""
    losses = results["decisive_alc"].dropna().to_numpy()
    if not len(losses):
        return ""
    above, serious = int((losses >= scoring.at_risk).sum()), int((losses >= scoring.serious).sum())
    lie = "lies" if above == 1 else "lie"
    nearest = float(losses[np.argmin(np.abs(losses - scoring.at_risk))])
    return (
        f"{count(above)} of {numbered(len(losses), 'attack')} {lie} on or above the line of ALC "
        f"{scoring.at_risk:g}, {count(serious)} of them on or above that of {scoring.serious:g}. "
        f"Nearest to the lower line is an attack with ALC {loss_text(nearest)}."
    )


def needed_sentence(results: pd.DataFrame, number: int | None, scoring: ScoringParameters) -> str:
    """Say how right one attack is, and how right it would have to be to reach the limit."""
    row = _row(results, number)
    if row is None:
        return ""
    found = calculate(
        row["deciding_precision"],
        row["deciding_recall"],
        baseline_precision=row["compared_precision"],
        baseline_recall=row["compared_recall"],
        scoring=scoring,
    )
    who = (
        f"The ringed attack answers for {percent(row['deciding_recall'])} of people and is right "
        f"in {percent(row['deciding_precision'])} (middle of its interval); "
    )
    if np.isnan(found.needed_precision):
        return f"{who}with its baseline no precision reaches ALC {scoring.at_risk:g}."
    return (
        f"{who}against its baseline, {percent(found.needed_precision)} would reach ALC "
        f"{scoring.at_risk:g}."
    )


def f_beta_sentence(results: pd.DataFrame, number: int | None) -> str:
    """Say what F1 makes of one attack beside its PRC."""
    row = _row(results, number)
    if row is None:
        return ""
    score = float(f_beta(row["deciding_precision"], row["deciding_recall"]))
    return (
        f"The ringed attack has PRC {row['deciding_prc']:.2f}; F1 (beta 1) would call it "
        f"{score:.2f}."
    )


def _row(results: pd.DataFrame, number: int | None) -> dict[str, Any] | None:
    found = results[(results["number"] == number) & results["decisive_alc"].notna()]
    return None if not len(found) else {str(k): v for k, v in found.iloc[0].to_dict().items()}
