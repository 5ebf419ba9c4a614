"""ALC of precision and recall that somebody types in, with examples of the paper."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alc_core.phrasing import decimal
from alc_core.scoring.formulas import anonymity_loss, attack_prc_for_loss, prc, precision_for_prc
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict, classify, verdict_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculation:
    """What precision and recall of an attack and its baseline amount to."""

    attack_prc: float  # Between 0 and 1
    baseline_prc: float
    alc: float  # At most 1
    verdict: Verdict  # By the limits alone: typed numbers have no interval
    # Precision at which the attack, at its recall, would reach the limit `at_risk`; NaN where none
    # does
    needed_precision: float
    scoring: ScoringParameters  # The parameters
    sentence: str  # The result in words
    needed_sentence: str  # What would bring the attack to the limit


@dataclass(frozen=True, slots=True)
class Example:
    """Numbers to load into the calculator."""

    name: str  # What it shows, in a few words
    source: str  # Where in the paper it is
    attack_precision: float  # Shares between 0 and 1
    attack_recall: float
    baseline_precision: float
    baseline_recall: float
    comment: str  # How the paper reads it, in our words


_TABLE_3 = "Francis and Wagner (2025), appendix A.3, table 3"
_SECTION_4_2 = "Francis and Wagner (2025), section 4.2"


def _example(
    name: str,
    source: str,
    *,
    attack: tuple[float, float],
    baseline: tuple[float, float],
    comment: str,
) -> Example:
    """Return an example from (precision, recall) of the attack and the baseline."""
    return Example(name, source, *attack, *baseline, comment)


EXAMPLES: tuple[Example, ...] = (
    _example(
        "Substantial deniability",
        f"{_TABLE_3}, row 1",
        attack=(0.54, 1.0),
        baseline=(0.05, 1.0),
        comment="The attacker is hardly better than a coin toss, so everyone can deny what was "
        "guessed. The table rounds up: 0.525 gives ALC 0.5 exactly.",
    ),
    _example(
        "Diminishing returns, baseline 90 %",
        f"{_TABLE_3}, row 2",
        attack=(0.95, 1.0),
        baseline=(0.9, 1.0),
        comment="The attack is nearly always right, but so is a guess without the release: it "
        "adds little.",
    ),
    _example(
        "Diminishing returns, baseline 99 %",
        f"{_TABLE_3}, row 3",
        attack=(0.995, 1.0),
        baseline=(0.99, 1.0),
        comment="The same, where the guess is right even more often.",
    ),
    _example(
        "Low attack probability",
        f"{_TABLE_3}, row 4",
        attack=(0.96, 0.001),
        baseline=(0.2, 0.001),
        comment="Nearly always right, but for one person in a thousand only: an attacker would "
        "hardly start, and a given person is hardly ever the one.",
    ),
    _example(
        "One in a thousand, from 10 % to 92 %",
        _SECTION_4_2,
        attack=(0.92, 0.001),
        baseline=(0.1, 0.001),
        comment="Still considered strongly anonymous, because such an attack succeeds so rarely.",
    ),
    _example(
        "The same difference, low baseline",
        f"{_SECTION_4_2}, table of three examples, row 1",
        attack=(0.3, 1.0),
        baseline=(0.1, 1.0),
        comment="Compare with the next one: the difference is 0.2 in both.",
    ),
    _example(
        "The same difference, high baseline",
        f"{_SECTION_4_2}, table of three examples, row 2",
        attack=(0.95, 1.0),
        baseline=(0.75, 1.0),
        comment="Most of the doubt that the baseline left is gone: relative ALC distinguishes "
        "this from the previous example, absolute ALC does not.",
    ),
)
"""The paper's examples; their recall is share of people predicted for."""


def calculate(
    attack_precision: float,
    attack_recall: float,
    *,
    baseline_precision: float,
    baseline_recall: float,
    scoring: ScoringParameters,
) -> Calculation:
    """Work out PRC and ALC of precision and recall.

    References
    ----------
    Francis and Wagner (2025), sections 4.1 and 4.2, equations 6 to 8.

    Examples
    --------
    >>> found = calculate(
    ...     0.92, 0.001, baseline_precision=0.1, baseline_recall=0.001,
    ...     scoring=ScoringParameters(),
    ... )
    >>> round(found.alc, 4), str(found.verdict)
    (0.5032, 'at risk')
    """
    parameters = {"alpha": scoring.alpha, "r_min": scoring.r_min}
    attack = float(prc(attack_precision, attack_recall, **parameters))
    baseline = float(prc(baseline_precision, baseline_recall, **parameters))
    loss = float(anonymity_loss(attack, baseline, kind=scoring.loss))
    needed = float(needed_precision(baseline, attack_recall, scoring))
    # 0.95 against 0.9 is exactly at the limit of 0.5, whatever binary fractions make of it.
    verdict = verdict_of(classify(round(loss, 12), scoring))
    # A perfect baseline leaves minus infinity.
    shown = f"ALC {loss:.4f}" if loss > 0 else "ALC not above 0"
    return Calculation(
        attack_prc=attack,
        baseline_prc=baseline,
        alc=loss,
        verdict=verdict,
        needed_precision=needed,
        scoring=scoring,
        sentence=(
            f"An attack that answers for {_given(attack_recall)} of people and is right in "
            f"{_given(attack_precision)} (PRC {attack:.4f}), against a baseline that answers for "
            f"{_given(baseline_recall)} and is right in {_given(baseline_precision)} "
            f"(PRC {baseline:.4f}): {shown}, {verdict}."
        ),
        needed_sentence=_needed_sentence(needed, attack_recall, scoring),
    )


def needed_precision(
    baseline_prc: ArrayLike, recall: float, scoring: ScoringParameters
) -> float | NDArray[np.float64]:
    """Return the precision at which an attack reaches the limit `at_risk`.

    References
    ----------
    Francis and Wagner (2025), section 4.2, figure 6.
    """
    attack = attack_prc_for_loss(scoring.at_risk, baseline_prc, kind=scoring.loss)
    return precision_for_prc(attack, recall, alpha=scoring.alpha, r_min=scoring.r_min)


def _given(share: float) -> str:
    """Return a share as it was entered, in per cent."""
    return f"{decimal(round(100 * share, 9))} %"


def _needed_sentence(needed: float, recall: float, scoring: ScoringParameters) -> str:
    who = f"An attack that answers for {_given(recall)} of people"
    if np.isnan(needed):
        return (
            f"{who} cannot reach ALC {scoring.at_risk:g} against this baseline, however right it "
            "is."
        )
    return f"{who} reaches ALC {scoring.at_risk:g} when it is right in {needed:.1%}.".replace(
        "%.", " %."
    )
