"""The paper's halting criteria."""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alc_core.scoring.curves import PrecisionRecallCurve, measure_at, measure_curve
from alc_core.scoring.formulas import anonymity_loss
from alc_core.scoring.outcomes import Outcomes, Rest
from alc_core.scoring.parameters import LoopParameters, ScoringParameters


class HaltingReason(enum.StrEnum):
    """Why the loop stopped."""

    SETTLED = "settled"
    FEW_SCORES = "few scores"
    CLEARLY_BELOW = "clearly below the limit"
    CLEARLY_LOST = "clearly lost"
    MANY_PEOPLE = "many people"
    REQUESTED = "requested"
    EXHAUSTED = "exhausted"

    @property
    def explanation(self) -> str:
        """The reason in a sentence."""
        return _EXPLANATIONS[self]


_EXPLANATIONS = {
    HaltingReason.SETTLED: "Attack and baseline are measured precisely enough.",
    HaltingReason.FEW_SCORES: "One or two rank scores are measured precisely.",
    HaltingReason.CLEARLY_BELOW: "More people would hardly reach the limit.",
    HaltingReason.CLEARLY_LOST: "More people would hardly make it less than serious.",
    HaltingReason.MANY_PEOPLE: "More people are attacked only on request.",
    HaltingReason.REQUESTED: "The requested number was attacked.",
    HaltingReason.EXHAUSTED: "Everyone selected was attacked.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HaltingState:
    """Number of measures examined per curve, and the reason to halt, if any."""

    attack: int  # At first :attr:`LoopParameters.start_thresholds`
    baseline: int
    reason: HaltingReason | None = None


def check_halting(
    state: HaltingState,
    outcomes: Outcomes,
    rest: Rest,
    *,
    scoring: ScoringParameters,
    loop: LoopParameters,
) -> HaltingState:
    """Apply the halting criteria to the predictions so far.

    Notes
    -----
    Early halting uses both readings of the loss. Measures are at recalls 1, 1/2, 1/4 and so on,
    moved to the nearest end of tied scores. Unlike in the paper, the baseline's must also have
    settled: one good at low recall would be found too late, and the loss look too large.

    References
    ----------
    Francis and Wagner (2025), section 5.1.
    """
    attack, baseline = outcomes.attack, outcomes.baseline
    attack_settled, attack_measures = _explore(attack, state.attack, scoring, loop)
    baseline_settled, baseline_measures = _explore(baseline, state.baseline, scoring, loop)
    reason: HaltingReason | None
    if attack_settled and baseline_settled:
        reason = HaltingReason.FEW_SCORES if len(attack) <= 2 else HaltingReason.SETTLED
    else:
        measures = attack_measures, baseline_measures
        reason = _early_reason(outcomes, rest, measures, scoring=scoring, loop=loop)
    return HaltingState(attack=attack_measures, baseline=baseline_measures, reason=reason)


def _explore(
    curve: PrecisionRecallCurve, measures: int, scoring: ScoringParameters, loop: LoopParameters
) -> tuple[bool, int]:
    """Return whether a curve has settled, and the next number of measures."""
    measured = measure_curve(curve, scoring)
    while True:
        chosen = halving_thresholds(curve, measures)
        if not measured.narrow[chosen].all():
            return False, measures
        lowest = measured.prc[chosen[:4]]
        improves = np.all(lowest[:-1] > lowest[1:] * (1 + loop.improvement))
        if len(curve) <= 2 or not improves or chosen[0] == 0:
            return True, measures
        measures += 1


def halving_thresholds(curve: PrecisionRecallCurve, measures: int) -> NDArray[np.intp]:
    """Return thresholds at recalls near 2**-(measures-1), ..., 1/2, 1, lowest first."""
    wanted = curve.predictions[-1] * 0.5 ** np.arange(measures)
    distance = np.abs(np.log(curve.predictions)[None, :] - np.log(wanted)[:, None])
    return np.unique(np.argmin(distance, axis=1))


def _early_reason(
    outcomes: Outcomes,
    rest: Rest,
    measures: tuple[int, int],
    *,
    scoring: ScoringParameters,
    loop: LoopParameters,
) -> HaltingReason | None:
    if not rest.size:
        return None
    looked_at = []
    for curve, number in zip((outcomes.attack, outcomes.baseline, rest.attack),
                             (*measures, measures[0]), strict=True):  # fmt: skip
        found = measure_curve(curve, scoring)
        chosen = halving_thresholds(curve, number)
        known = (found.precision_high - found.precision_low)[chosen] < loop.early_interval_width
        looked_at.append((found, chosen[known]))
    if any(len(chosen) == 0 for _, chosen in looked_at):
        return None
    attack, baseline, among = (
        (float(found.prc_low[chosen].max()), float(found.prc_high[chosen].max()))
        for found, chosen in looked_at
    )
    kind = scoring.loss
    pessimistic = [anonymity_loss(attack[1], baseline[0], kind=kind)]
    optimistic = [anonymity_loss(attack[0], baseline[1], kind=kind)]
    found, chosen = looked_at[2]
    for place in chosen:
        low, high = found.prc_low[place], found.prc_high[place]
        alike = measure_at(
            outcomes.baseline,
            int(rest.attack.predictions[place]),
            scoring,
            beyond=(rest.known, rest.known_right),
        ).prc_interval
        pessimistic.append(anonymity_loss(high, alike[0], kind=kind))
        if low == among[0]:
            optimistic.append(anonymity_loss(low, alike[1], kind=kind))
    if max(pessimistic) < min(loop.safe_below, scoring.at_risk):
        return HaltingReason.CLEARLY_BELOW
    lost = max(loop.lost_above, scoring.serious)
    return HaltingReason.CLEARLY_LOST if max(optimistic) > lost else None
