"""Many attacks at once: false flags, and verdicts that allow for them.

An attack is flagged if the lower bound of its ALC reaches `at_risk`. For one harmless attack the
chance is small, for a hundred large. It depends on how they vary together: a bootstrap of the
highest deviation in shared resamples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from alc_core.arrays import FloatArray
from alc_core.scoring.formulas import on_scale
from alc_core.scoring.intervals import normal_quantile
from alc_core.scoring.readings import SHARED_RESAMPLES
from alc_core.scoring.verdict import Verdict, code_of

if TYPE_CHECKING:
    from alc_core.campaign.columns import Columns
    from alc_core.campaign.rescore.rescoring import Rescored

_LEAST_SPREAD = 1e-6  # Of an attack equal in every resample


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignError:
    """How often chance flags at least one harmless attack, without control."""

    attacks: int  # Attacks that measured something
    one_less: int  # Attacks with one fact fewer
    # Probability if attacks not flagged have the estimated loss
    as_estimated: float


def campaign_error(
    run: Rescored, columns: Columns, *, one_less: Sequence[int] = ()
) -> CampaignError:
    """Return how often chance flags at least one harmless attack.

    `one_less` are counted separately.

    References
    ----------
    Westfall and Young (1993), Resampling-based multiple testing, section 2.3.
    """
    deviations = _Deviations.of(run, columns)
    critical = normal_quantile(run.scoring.confidence)
    flagged = run.outcome[deviations.place]
    harmless = ~np.isin(flagged, [code_of(Verdict.AT_RISK), code_of(Verdict.SERIOUS)])
    found = deviations.standard + deviations.distance(run, run.scoring.at_risk)[:, None]
    return CampaignError(
        attacks=len(deviations.place),
        one_less=int(np.isin(run.numbers[deviations.place], one_less).sum()),
        as_estimated=_share_reached(found[harmless], critical),
    )


def controlled(run: Rescored, columns: Columns) -> Rescored:
    """Return verdicts, and people surely exposed, allowing for the number of attacks.

    Notes
    -----
    Family-wise: p-values adjusted by the step-down maximum of shared deviations, or by Holm's
    (1979) procedure if less. False discovery: Benjamini and Hochberg from normal p-values; attacks
    on the same people are positively dependent, which it allows.

    People surely exposed: the estimate less a critical number of standard errors, which the highest
    deviation of any attack's loss or people exposed exceeds in (1 - confidence) / 2 of the
    resamples. An inconclusive attack on all available people that shows neither loss nor exposed
    people has too few people.

    References
    ----------
    Westfall and Young (1993), algorithm 2.8; Benjamini and Hochberg (1995); Benjamini and
    Yekutieli (2001).
    """
    if not len(run):
        return run
    losses = _Deviations.of(run, columns)
    return _settled(_lowered(run, losses), columns, losses)


def _lowered(run: Rescored, losses: _Deviations) -> Rescored:
    """Return verdicts that chance among all attacks does not explain."""
    scoring = run.scoring
    if scoring.control == "none":
        return run
    level = 1.0 - scoring.confidence
    outcome = run.outcome.copy()
    for limit, verdict, lesser in (
        (scoring.serious, Verdict.SERIOUS, Verdict.AT_RISK),
        (scoring.at_risk, Verdict.AT_RISK, Verdict.INCONCLUSIVE),
    ):
        distance = losses.distance(run, limit)
        if scoring.control == "family-wise":
            adjusted = np.minimum(_step_down(distance, losses.standard), _holm(distance))
        else:
            adjusted = _benjamini_hochberg(distance)
        unsure = np.zeros(len(run), dtype=bool)
        unsure[losses.place] = adjusted > level
        named = outcome == code_of(verdict)
        outcome[named & unsure] = code_of(lesser)
    return replace(run, outcome=outcome)


def _settled(run: Rescored, columns: Columns, losses: _Deviations) -> Rescored:
    """Return lower bounds of people exposed; inconclusive without finding: too few."""
    scoring, place = run.scoring, losses.place
    shared = [columns.shared[at] for at in place]
    exposed = _standard([None if each is None else each[-1] for each in shared], scoring.confidence)
    highest = np.concatenate([losses.standard, exposed]).max(axis=0, initial=-np.inf)
    critical = np.quantile(highest, (1 + scoring.confidence) / 2) if len(place) else 0.0
    error = (run.exposed - run.exposed_low) / normal_quantile(scoring.confidence)
    surely = run.exposed - max(critical, normal_quantile(scoring.confidence)) * error
    shown = surely > 0
    shown[place] |= losses.distance(run, 0.0) >= critical
    straddles = (run.outcome == code_of(Verdict.INCONCLUSIVE)) & (
        (run.decisive.low < scoring.at_risk) & (run.decisive.high >= scoring.at_risk)
    )
    nothing = straddles & columns.complete & ~columns.unmatched & ~shown
    outcome = np.where(nothing, code_of(Verdict.TOO_FEW), run.outcome).astype(np.int8)
    return replace(run, outcome=outcome, exposed_surely=surely)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Deviations:
    """How decisive readings vary together."""

    place: NDArray[np.intp]  # Where they are among all
    # Deviations in shared resamples, in standard deviations; independent normal ones if missing
    standard: FloatArray

    @classmethod
    def of(cls, run: Rescored, columns: Columns) -> _Deviations:
        place = np.flatnonzero(run.outcome != code_of(Verdict.NOT_TESTABLE))
        shared = [columns.shared[at] for at in place]
        drawn = [
            None if each is None else on_scale(each[which].astype(float), run.scoring.loss)
            for each, which in zip(shared, run.by_rest[place].astype(np.intp), strict=True)
        ]
        return cls(place=place, standard=_standard(drawn, run.scoring.confidence))

    def distance(self, run: Rescored, limit: float) -> FloatArray:
        """Return distances above a limit in standard errors.

        Errors come from the lower bounds: without control, the flag is at the confidence's
        quantile.
        """
        kind, reading = run.scoring.loss, run.decisive
        loss, low = (on_scale(each[self.place], kind) for each in (reading.alc, reading.low))
        error = (loss - low) / normal_quantile(run.scoring.confidence)
        at = on_scale(np.asarray(limit), kind)
        found: FloatArray = (loss - at) / np.maximum(error, _LEAST_SPREAD)
        return found


def _standard(drawn: Sequence[FloatArray | None], confidence: float) -> FloatArray:
    """Return each attack's deviations in resamples, in standard deviations.

    Independent normal ones if missing. Capped at the highest of as many independent ones: with few
    answers a resample may lie far off.
    """
    size = next((len(each) for each in drawn if each is not None), SHARED_RESAMPLES)
    found = np.empty((len(drawn), size))
    for row, each in enumerate(drawn):
        if each is None:
            found[row] = np.random.default_rng(row).standard_normal(size)
            continue
        some = np.isfinite(each)  # A resample of very few people may be empty
        found[row] = np.where(some, each, each[some].mean() if some.any() else 0.0)
    found -= found.mean(axis=1, keepdims=True)
    found /= np.maximum(found.std(axis=1, keepdims=True), _LEAST_SPREAD)
    return np.minimum(found, normal_quantile(1 - (1 - confidence) / max(2 * len(drawn), 1)))


def _share_reached(found: FloatArray, critical: float) -> float:
    return float((found >= critical).any(axis=0).mean()) if found.size else 0.0


def _step_down(distance: FloatArray, standard: FloatArray) -> FloatArray:
    order = np.argsort(-distance, kind="stable")
    # Highest deviation among an attack and all lower ones, by resample
    highest = np.maximum.accumulate(standard[order][::-1], axis=0)[::-1]
    reached = (highest >= distance[order][:, None]).sum(axis=1)
    raised = np.maximum.accumulate((reached + 1) / (standard.shape[1] + 1))
    adjusted = np.empty(len(distance))
    adjusted[order] = raised
    return adjusted


def _holm(distance: FloatArray) -> FloatArray:
    order = np.argsort(-distance, kind="stable")
    raised = ndtr(-distance[order]) * np.arange(len(distance), 0, -1)
    adjusted = np.empty(len(distance))
    adjusted[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    return adjusted


def _benjamini_hochberg(distance: FloatArray) -> FloatArray:
    from statsmodels.stats.multitest import multipletests

    if not len(distance):
        return distance
    adjusted: FloatArray = multipletests(ndtr(-distance), method="fdr_bh")[1]
    return adjusted
