"""Calibration: the same attack where it must find everything, and where it can find nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from alc_core.assessment.result import Assessment
from alc_core.assessment.run import Run
from alc_core.attacks.protocol import Attack
from alc_core.runtime.progress import Progress, Reporter
from alc_core.scoring.curves import PrecisionRecallCurve
from alc_core.scoring.formulas import anonymity_loss
from alc_core.scoring.measuring import best_measure
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import ComparedPoints
from alc_core.scoring.rest import Rest


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CalibrationMark:
    """The ALC of an attack on a table whose ALC is known beforehand, in counts."""

    attack: PrecisionRecallCurve  # Counts per threshold
    baseline: PrecisionRecallCurve
    interval: tuple[float, float]  # Of ALC, by bootstrap over targets as the run scores it
    scoring: ScoringParameters  # How the run scores; the interval belongs to it
    # The attack among the people whom the baseline does not know anyway; None in files of earlier
    # versions
    rest: Rest | None = None

    @classmethod
    def of(cls, assessment: Assessment) -> CalibrationMark:
        """Keep of an assessment what a mark needs."""
        return cls(
            attack=assessment.outcomes.attack,
            baseline=assessment.outcomes.baseline,
            interval=assessment.decisive_interval,
            scoring=assessment.scoring,
            rest=Rest.of(assessment.outcomes, assessment.scoring.precision_cap),
        )

    @property
    def targets(self) -> int:
        """People attacked."""
        return self.attack.attempts

    def loss(self, scoring: ScoringParameters) -> float:
        """Return the higher of both readings of ALC under a scoring.

        The first alone where the rest is not known under it.
        """
        if self.rest is not None and self.rest.cap == scoring.precision_cap:
            points = ComparedPoints.of(self.attack, self.baseline, self.rest, scoring)
            return max(points.losses(scoring.loss).values())
        prcs = (best_measure(side, scoring).prc for side in (self.attack, self.baseline))
        return anonymity_loss(*prcs, kind=scoring.loss)

    def bounds(self, scoring: ScoringParameters) -> tuple[float, float] | None:
        """Return the interval; None where it does not belong to the scoring, or to the loss.

        The latter may be the one that an earlier version measured.
        """
        limits = {"at_risk": self.scoring.at_risk, "serious": self.scoring.serious}
        same = ScoringParameters.from_dict({**scoring.to_dict(), **limits}) == self.scoring
        low, high = self.interval
        return self.interval if same and low <= self.loss(scoring) <= high else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationMarks:
    """Both ends of the scale as the attack itself finds them."""

    original: CalibrationMark  # The original released as it is
    shuffled: CalibrationMark  # The same with the unknown column shuffled among the people


def calibrate(run: Run, attack: Attack, *, reporter: Reporter | None = None) -> CalibrationMarks:
    """Run an attack on the original itself, and on it with its unknown column shuffled."""
    reporter = reporter or Reporter()
    marks = [
        CalibrationMark.of(released.attack(attack, reporter=_named(reporter, words)))
        for words, released in (
            ("The original as it is", run),
            (
                "The unknown column shuffled",
                run.shuffled(np.random.default_rng([run.settings.seed, 5])),
            ),
        )
    ]
    return CalibrationMarks(original=marks[0], shuffled=marks[1])


def _named(reporter: Reporter, words: str) -> Reporter:
    """Return a reporter that says of which mark the progress is."""
    tell = reporter.progress
    if tell is None:
        return reporter

    def progress(now: Progress) -> None:
        tell(replace(now, stage=f"{words}: {now.stage.lower()}"))

    return Reporter(progress=progress, cancel=reporter.cancel)


def updated_mark(data: Any) -> Any:
    """Bring the plain values of a mark that a file of format 1 holds into the form of today."""
    if data is None or isinstance(data["attack"], dict):
        return data
    shared = {name: data[name] for name in ("attempts", "recall_scale")}
    names = ("thresholds", "predictions", "true_predictions")
    curves = {
        side: {**dict(zip(names, data[side], strict=True)), **shared}
        for side in ("attack", "baseline")
    }
    return {**data, **curves}
