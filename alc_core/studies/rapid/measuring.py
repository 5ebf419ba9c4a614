"""Measuring RAPID with its reference, and intervals over people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import FloatArray
from alc_core.baselines.features import Features
from alc_core.errors import InputError
from alc_core.measures.measure import Measured
from alc_core.measures.rapid import Score, category_scores, number_scores, shares_at_risk
from alc_core.releases.release import Release
from alc_core.runtime.progress import Reporter
from alc_core.scenario.no_value import settled
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.intervals import wilson_interval
from alc_core.studies.rapid.learners import LEARNERS, Predict, RapidPeople, Truth, rapid_rows
from alc_core.studies.rapid.result import (
    MeasuredRapid,
    Rapid,
    RapidCurve,
    RapidDriver,
    RapidSettings,
    with_groups,
)
from alc_core.tables.table import Table

_FEW = 20


def resampled(
    units: NDArray[np.int64],
    statistic: Callable[[FloatArray], FloatArray],
    *,
    resamples: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Return a statistic of resamples, shape (resamples, n_numbers)."""
    numbers = np.unique(units, return_inverse=True)[1]
    n_units = int(numbers.max()) + 1
    return np.stack(
        [
            statistic(
                np.bincount(rng.integers(n_units, size=n_units), minlength=n_units)[numbers].astype(
                    np.float64
                )
            )
            for _ in range(resamples)
        ]
    )


def percentile_interval(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return 95% percentile intervals along the first axis."""
    outside = (1 - 0.95) / 2
    low, high = np.quantile(values, [outside, 1 - outside], axis=0)
    return low, high


def with_few(
    shares: FloatArray, low: FloatArray, high: FloatArray, n_units: int
) -> tuple[FloatArray, FloatArray]:
    """Return intervals of shares, at least Wilson's if few are at risk, or few not."""
    counts = shares * n_units
    few = np.minimum(counts, n_units - counts) < _FEW
    lower, upper = wilson_interval(counts, np.full_like(counts, n_units))
    return np.where(few, np.minimum(low, lower), low), np.where(few, np.maximum(high, upper), high)


_CUTS = 60
_SHUFFLES = 5
_FOLDS = 5  # Parts of the original held out in turn for the reference


def measure_rapid(
    original: Table,
    release: Release,
    scenario: Scenario,
    settings: RapidSettings | None = None,
    *,
    by: Sequence[str] = (),
    like: MeasuredRapid | None = None,
    reporter: Reporter | None = None,
) -> MeasuredRapid:
    """Measure RAPID of a release."""
    scenario.require_exact("RAPID")
    settings, reporter = settings or RapidSettings(), reporter or Reporter()
    for column in by:
        original.kind(column)  # refuses what is not there
    reporter.report("Encoding the tables")
    scenario = settled(scenario, original)
    rng = np.random.default_rng([settings.seed, 20])
    people, rows = rapid_rows(original, release, scenario)
    score = settings.score_of(scenario.unknown, original.kind(scenario.unknown))
    cut = score.usual if settings.cut is None else settings.cut
    score.check(cut)
    LEARNERS[settings.learner].check(
        scenario.unknown,
        n_rows=max(len(rows.truth), len(people)),
        n_people=len(people),
        n_values=1 if people.codes is None else people.codes.size,
    )
    work = _Work(people=people, unknown=scenario.unknown, score=score, settings=settings)
    reporter.report("Training on the release", 0, _FOLDS + 2)
    predict = work.learned(rows.features, rows.truth)
    features = rows.of_people(people.known)
    scores = work.scores(predict(features))
    asked = (original.fingerprint, tuple(scenario.known), scenario.unknown, settings)
    if like and asked == attrgetter("fingerprint", "known", "unknown", "settings")(like.result):
        reference = like.reference
    else:
        reference = work.reference_scores(reporter)
    reporter.report("Resampling", _FOLDS + 1, _FOLDS + 2)
    curve = work.curve(scores, reference, cut)
    not_released: tuple[str, ...] = ()
    if people.codes is not None:
        lacking = np.setdiff1d(people.truth, rows.truth).tolist()
        not_released = tuple(people.codes.labels[code] for code in lacking)
    result = Rapid(
        release=release.name,
        fingerprint=original.fingerprint,
        known=tuple(scenario.known),
        unknown=scenario.unknown,
        settings=settings,
        score=score.name,
        cut=cut,
        **work.shares(scores, reference, cut),
        curve=curve,
        parts=(),
        drivers=work.drivers(scores, predict, features, rows.coding.columns, cut, rng),
        n_people=len(people),
        left_out=people.left_out,
        not_released=not_released,
        notes=(*_same_for_all(people, scenario.unknown), *people.notes, *rows.notes),
    )
    found = MeasuredRapid(
        result=result,
        rows=people.places,
        scores=scores,
        reference=reference,
        at_risk=score.at_risk(scores, cut),
        units=people.units,
    )
    usual = (scenario.unknown, *scenario.known)
    found = with_groups(found, original, usual, demand=False)
    return with_groups(found, original, by)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Work:
    people: RapidPeople
    unknown: str
    score: Score
    settings: RapidSettings

    def learned(self, features: Features, truth: Truth) -> Predict:
        n_codes = None if self.people.codes is None else self.people.codes.size
        learner = LEARNERS[self.settings.learner]
        return learner.learn(features, truth, n_codes=n_codes, seed=self.settings.seed)

    def scores(self, predicted: FloatArray) -> FloatArray:
        truth = self.people.truth
        if self.people.codes is None:
            return number_scores(self.score.name, np.asarray(truth, np.float64), predicted)
        codes = np.asarray(truth, np.int32)
        of_truth = predicted[np.arange(len(codes)), codes]
        counts = np.bincount(codes, minlength=self.people.codes.size)
        return category_scores(self.score.name, of_truth, codes, counts / counts.sum())

    def reference_scores(self, reporter: Reporter) -> FloatArray:
        """Score people by models of the original that learned from others."""
        rng = np.random.default_rng([self.settings.seed, 21])
        units = np.unique(self.people.units, return_inverse=True)[1]
        folds = min(_FOLDS, int(units.max()) + 1)
        if folds < 2:
            raise InputError(f"Only one person has '{self.unknown}'. Choose another column.")
        part = rng.permutation(np.arange(units.max() + 1) % folds)[units]
        features = Features.of(self.people.known)
        codes = self.people.codes
        shape = (len(self.people),) if codes is None else (len(self.people), codes.size)
        predicted = np.zeros(shape)
        for fold in range(folds):
            reporter.report("Training without the person", fold + 1, folds + 2)
            others, own = np.flatnonzero(part != fold), np.flatnonzero(part == fold)
            predict = self.learned(features.take(others), self.people.truth[others])
            predicted[own] = predict(features.take(own))
        return self.scores(predicted)

    def curve(self, scores: FloatArray, reference: FloatArray, cut: float) -> RapidCurve:
        high = self.score.high
        if np.isinf(high):
            high = max(cut * 2, float(np.quantile(scores, 0.9)))
        cuts = np.unique(np.append(np.linspace(self.score.low, high, _CUTS), cut))
        found = self._resampled(lambda w: shares_at_risk(self.score, scores, cuts, w))
        shares, expected = (shares_at_risk(self.score, s, cuts) for s in (scores, reference))
        lower, upper = self._bounds(shares, found)
        return RapidCurve(
            cuts=tuple(cuts.tolist()),
            shares=tuple(shares.tolist()),
            low=tuple(lower.tolist()),
            high=tuple(upper.tolist()),
            reference=tuple(expected.tolist()),
        )

    def shares(self, scores: FloatArray, reference: FloatArray, cut: float) -> dict[str, Measured]:
        """Return the share at risk, its reference, and the difference."""
        risk = np.column_stack(
            [self.score.at_risk(each, cut).astype(np.float64) for each in (scores, reference)]
        )
        risk = np.column_stack([risk, risk[:, 0] - risk[:, 1]])
        found = self._resampled(lambda weights: weights @ risk / weights.sum())
        values = risk.mean(axis=0)
        lower, upper = self._bounds(values[:2], found[:, :2])
        ends = percentile_interval(found[:, 2])
        return {
            "rapid": Measured(float(values[0]), float(lower[0]), float(upper[0])),
            "reference": Measured(float(values[1]), float(lower[1]), float(upper[1])),
            "beyond": Measured(float(values[2]), float(ends[0]), float(ends[1])),
        }

    def _bounds(self, shares: FloatArray, found: FloatArray) -> tuple[FloatArray, FloatArray]:
        return with_few(shares, *percentile_interval(found), len(np.unique(self.people.units)))

    def _resampled(self, statistic: Callable[[FloatArray], FloatArray]) -> FloatArray:
        rng = np.random.default_rng([self.settings.seed, 22])
        return resampled(self.people.units, statistic, resamples=self.settings.resamples, rng=rng)

    def drivers(
        self,
        scores: FloatArray,
        predict: Predict,
        features: Features,
        columns: tuple[str, ...],
        cut: float,
        rng: np.random.Generator,
    ) -> tuple[RapidDriver, ...]:
        """Return how much the share falls when a known attribute is permuted."""
        share = float(self.score.at_risk(scores, cut).mean())
        found = []
        for column in dict.fromkeys(columns):
            together = np.array([each == column for each in columns])
            drops = []
            for _ in range(_SHUFFLES):
                matrix = features.matrix.copy()
                matrix[:, together] = rng.permutation(matrix[:, together])
                moved = Features(matrix=matrix, categorical=features.categorical)
                risk = self.score.at_risk(self.scores(predict(moved)), cut)
                drops.append(share - float(risk.mean()))
            drop = Measured(float(np.mean(drops)), min(drops), max(drops))
            found.append(RapidDriver(column=column, drop=drop))
        return tuple(sorted(found, key=lambda driver: -driver.drop.value))


def _same_for_all(people: RapidPeople, unknown: str) -> tuple[str, ...]:
    if len(np.unique(people.truth)) > 1:
        return ()
    if people.codes is None:
        return (f"All people have the same '{unknown}', so RAPID says nothing.",)
    return (f"All people have the same '{unknown}', so RAPID says nothing.",)
