"""ALC of typed precision and recall, with examples of the paper."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alc_core.phrasing import decimal, texts_beside
from alc_core.scoring.formulas import anonymity_loss, attack_prc_for_loss, prc, precision_for_prc
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Verdict, classify, verdict_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculation:
    """Result of typed precision and recall."""

    attack_prc: float  # Between 0 and 1
    baseline_prc: float
    alc: float  # At most 1
    verdict: Verdict  # By the limits only: there is no interval
    # Attack precision that reaches `at_risk` at its recall; NaN if none
    needed_precision: float
    scoring: ScoringParameters
    sentence: str
    needed_sentence: str  # What would reach the limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Numbers to load into the calculator."""

    name: str
    source: str  # Place in the paper
    attack_precision: float  # Shares between 0 and 1
    attack_recall: float
    baseline_precision: float
    baseline_recall: float
    comment: str  # The paper's reading, in our words


# The paper's examples; recall is coverage
EXAMPLES = tuple(Example(**each) for each in texts_beside(__file__)["example"])


def calculate(
    attack_precision: float,
    attack_recall: float,
    *,
    baseline_precision: float,
    baseline_recall: float,
    scoring: ScoringParameters,
) -> Calculation:
    """Compute PRC and ALC from precision and recall.

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
    # 0.95 against 0.9 is exactly 0.5, despite binary fractions.
    verdict = verdict_of(classify(round(loss, 12), scoring))
    # A perfect baseline gives minus infinity.
    shown = f"ALC {loss:.4f}" if loss > 0 else "ALC not above 0"
    return Calculation(
        attack_prc=attack,
        baseline_prc=baseline,
        alc=loss,
        verdict=verdict,
        needed_precision=needed,
        scoring=scoring,
        sentence=(
            f"Attack: {_given(attack_recall)} of people, {_given(attack_precision)} correct (PRC "
            f"{attack:.4f}). Baseline: {_given(baseline_recall)}, {_given(baseline_precision)} "
            f"correct (PRC {baseline:.4f}): {shown}, {verdict}."
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
    return f"{decimal(round(100 * share, 9))}%"


def _needed_sentence(needed: float, recall: float, scoring: ScoringParameters) -> str:
    who = f"An attack that answers for {_given(recall)} of people"
    if np.isnan(needed):
        return f"{who} cannot reach ALC {scoring.at_risk:g} against this baseline."
    return f"{who} reaches ALC {scoring.at_risk:g} if {needed:.1%} are correct."
