"""Intervals of ALC approximated for another scoring than the run's, without a new bootstrap.

The interval of an assessment is a bootstrap over its targets. Here a standard error of ALC by the
delta method is computed at both scorings, and the interval of the run, measured in that error, is
laid around the new ALC.

How good that is was measured against the bootstrap on 80 assessments of the demos and of the Adult
census data (releases of which 0 to 100 % are verbatim originals, best row match and the model
attack), from the default scoring to 16 others: alpha 1 to 8, R_min 1e-2 to 1e-5, confidence 0.8 to
0.99, widest interval 0.05 and 0.2, absolute loss. Errors of a bound are in widths of the exact
interval.

============================== ====== =============== ==============
changed                        median 95th percentile same verdict
============================== ====== =============== ==============
alpha and R_min                  0.10            2.02         95.3 %
confidence                       0.10            0.99         95.8 %
widest interval                  0.26            1.68         89.4 %
absolute loss                    0.06            0.42        100.0 %
============================== ====== =============== ==============

All these releases lie near a limit or leave little to learn, so that verdicts depend on the
interval. No harmless verdict became one that is flagged, or the other way round: all that differs
is what is undecided, and whether an attack at risk may be serious. The remaining error comes mostly
from the choice of the threshold, which moves under another scoring, and from the correlation of
attack and baseline, which are right about the same people at high recall.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from alc_core.scoring.formulas import off_scale, on_scale
from alc_core.scoring.intervals import normal_quantile
from alc_core.scoring.parameters import ScoringParameters

FloatArray = NDArray[np.float64]

_NEARLY_SURE = 1e-9
"""Standard errors below it come from counts that cannot vary, and are no unit to measure in."""


class Estimate(NamedTuple):
    """ALC of many attacks with its standard error, see :func:`loss_standard_error`."""

    alc: FloatArray
    standard_error: FloatArray
    scoring: ScoringParameters


def approximate_interval(
    run: Estimate, now: Estimate, *, low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Approximate the intervals at one scoring from those at another."""
    lengths = run.standard_error * normal_quantile(run.scoring.confidence)
    new_lengths = now.standard_error * normal_quantile(now.scoring.confidence)
    center = on_scale(run.alc, run.scoring.loss)
    new_center = on_scale(now.alc, now.scoring.loss)
    bounds = []
    for bound in (low, high):
        toward = -1.0 if bound is low else 1.0
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            relative = (on_scale(bound, run.scoring.loss) - center) / lengths
            plain = (run.standard_error < _NEARLY_SURE) | ~np.isfinite(relative)
            moved = new_center + np.where(plain, toward, relative) * new_lengths
        found = off_scale(moved, now.scoring.loss)
        if now.scoring.loss == "absolute":
            found = np.clip(found, -1.0, 1.0)
        bounds.append(np.where(np.isnan(found), now.alc, found))
    return bounds[0], bounds[1]
