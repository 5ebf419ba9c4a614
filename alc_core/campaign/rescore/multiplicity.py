"""Many attacks at once: how often chance flags a harmless one, and verdicts that allow for it.

An attack is flagged where the lower bound of its ALC reaches the limit `at_risk`. One harmless
attack has a small chance of that, a hundred have a large one. How large depends on how they vary
together, which the resamples that they share tell: a bootstrap of the highest of all deviations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import FloatArray
from alc_core.scoring.formulas import on_scale
from alc_core.scoring.intervals import normal_quantile
from alc_core.scoring.readings import SHARED_RESAMPLES
from alc_core.scoring.verdict import Verdict, code_of

if TYPE_CHECKING:
    from alc_core.campaign.rescore.rescoring import Rescored

# Both readings of ALC in the shared resamples, by number of the attack
SharedResamples = Mapping[int, NDArray[np.float32]]
_LEAST_SPREAD = 1e-6  # Of an attack that came out the same in every resample


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignError:
    """How often chance alone would flag at least one harmless attack, without any control."""

    attacks: int  # Attacks that measured something
    one_less: int  # Those of them with one fact less
    left_out: int  # Those of them that an earlier version ran: taken as independent of the others
    at_limit: float  # The probability if all of them lay just below the limit: the most it can be
    # The probability if those that are not flagged have the loss that was found
    as_estimated: float


def campaign_error(
    run: Rescored, shared: SharedResamples, *, one_less: Sequence[int] = ()
) -> CampaignError:
    """Return how often chance flags at least one harmless attack of a campaign.

    Attacks with one fact less, of these numbers, are counted apart, too.

    References
    ----------
    Westfall and Young (1993), Resampling-based multiple testing, section 2.3.
    """
    deviations = _Deviations.of(run, shared)
    critical = normal_quantile(run.scoring.confidence)
    flagged = run.outcome[deviations.place]
    harmless = ~np.isin(flagged, [code_of(Verdict.AT_RISK), code_of(Verdict.SERIOUS)])
    found = deviations.standard + deviations.distance(run, run.scoring.at_risk)[:, None]
    return CampaignError(
        attacks=len(deviations.place),
        one_less=int(np.isin(run.numbers[deviations.place], one_less).sum()),
        left_out=deviations.left_out,
        at_limit=_share_reached(deviations.standard, critical),
        as_estimated=_share_reached(found[harmless], critical),
    )


def controlled(run: Rescored, shared: SharedResamples) -> Rescored:
    """Return verdicts that allow for the number of attacks.

    Notes
    -----
    Family-wise: p-values adjusted by the step-down maximum of the shared deviations. False
    discovery: by Benjamini and Hochberg from normal p-values; attacks on the same people vary
    together in one direction, which that procedure allows.

    References
    ----------
    Westfall and Young (1993), algorithm 2.8; Benjamini and Hochberg (1995); Benjamini and
    Yekutieli (2001).
    """
    scoring = run.scoring
    if scoring.control == "none" or not len(run):
        return run
    deviations = _Deviations.of(run, shared)
    level = 1.0 - scoring.confidence
    outcome = run.outcome.copy()
    for limit, verdict, lesser in (
        (scoring.serious, Verdict.SERIOUS, Verdict.AT_RISK),
        (scoring.at_risk, Verdict.AT_RISK, Verdict.UNDECIDED),
    ):
        distance = deviations.distance(run, limit)
        if scoring.control == "family-wise":
            adjusted = _step_down(distance, deviations.standard)
        else:
            adjusted = _benjamini_hochberg(distance)
        unsure = np.zeros(len(run), dtype=bool)
        unsure[deviations.place] = adjusted > level
        named = outcome == code_of(verdict)
        outcome[named & unsure] = code_of(lesser)
    return replace(run, outcome=outcome)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Deviations:
    """How the decisive readings of the attacks that measured something vary together."""

    place: NDArray[np.intp]  # Where they are among all
    standard: FloatArray  # Their deviations in the shared resamples, in standard deviations
    left_out: int  # Those without shared resamples: independent normal deviations stand in

    @classmethod
    def of(cls, run: Rescored, shared: SharedResamples) -> _Deviations:
        place = np.flatnonzero(run.outcome != code_of(Verdict.NOTHING_LEFT))
        size = next((found.shape[1] for found in shared.values()), SHARED_RESAMPLES)
        scaled = np.empty((len(place), size))
        numbers, reading = run.numbers[place], run.by_rest[place].astype(np.intp)
        left_out = 0
        for row, (number, which) in enumerate(zip(numbers.tolist(), reading, strict=True)):
            if number in shared:
                drawn = on_scale(shared[number][which].astype(float), run.scoring.loss)
                some = np.isfinite(drawn)  # A resample of very few people may draw nobody
                scaled[row] = np.where(some, drawn, drawn[some].mean() if some.any() else 0.0)
            else:
                scaled[row] = np.random.default_rng(number).standard_normal(size)
                left_out += 1
        centered = scaled - scaled.mean(axis=1, keepdims=True)
        spread = np.maximum(centered.std(axis=1, keepdims=True), _LEAST_SPREAD)
        return cls(place=place, standard=centered / spread, left_out=left_out)

    def distance(self, run: Rescored, limit: float) -> FloatArray:
        """Return how far the attacks lie above a limit, in standard errors.

        These are taken from the lower bounds, so that an attack is flagged without control where
        the distance is that of its confidence.
        """
        kind, reading = run.scoring.loss, run.decisive
        loss, low = (on_scale(each[self.place], kind) for each in (reading.alc, reading.low))
        error = (loss - low) / normal_quantile(run.scoring.confidence)
        at = on_scale(np.asarray(limit), kind)
        found: FloatArray = (loss - at) / np.maximum(error, _LEAST_SPREAD)
        return found


def _share_reached(found: FloatArray, critical: float) -> float:
    """Return in which share of the resamples at least one attack reaches a value."""
    return float((found >= critical).any(axis=0).mean()) if found.size else 0.0


def _step_down(distance: FloatArray, standard: FloatArray) -> FloatArray:
    """Return p-values adjusted by the step-down maximum."""
    order = np.argsort(-distance, kind="stable")
    # Highest deviation among an attack and all that lie lower, in each resample.
    highest = np.maximum.accumulate(standard[order][::-1], axis=0)[::-1]
    reached = (highest >= distance[order][:, None]).sum(axis=1)
    raised = np.maximum.accumulate((reached + 1) / (standard.shape[1] + 1))
    adjusted = np.empty(len(distance))
    adjusted[order] = raised
    return adjusted


def _benjamini_hochberg(distance: FloatArray) -> FloatArray:
    from scipy.stats import norm
    from statsmodels.stats.multitest import multipletests

    if not len(distance):
        return distance
    adjusted: FloatArray = multipletests(norm.sf(distance), method="fdr_bh")[1]
    return adjusted
