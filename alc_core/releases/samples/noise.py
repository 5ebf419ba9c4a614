"""Noise for counts, as differential privacy asks for it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from alc_core.errors import ParameterError
from alc_core.tables.encode import FloatArray


def with_noise(
    counts: Sequence[FloatArray], epsilon: float, rng: np.random.Generator, *, rows: int = 1
) -> list[FloatArray]:
    """Add two-sided geometric noise to the counts of m known attributes with an unknown one.

    *Sensitivity.* Neighbouring tables differ by one person, added or removed. A row is counted in
    one cell of each of the m tables, so that a person with up to r rows changes the counts by m·r
    in all (L1 distance). Noise Z with Pr[Z = z] proportional to a^abs(z), a = exp(-epsilon/(m·r)),
    drawn anew for every cell, makes any outcome at most exp(epsilon) times as likely with the
    person as without, which is epsilon-differential privacy of all tables together. Noise goes to
    every cell of the domain, those with a count of 0, too: which cells are empty would tell of
    people.

    The noise is SciPy's ``dlaplace``, drawn from the generator that is passed, so that a seed gives
    the same counts again. Libraries for real publication, such as OpenDP, refuse seeds for good
    reason: whoever knows the seed can subtract the noise. So this is for tests and studies only.

    References
    ----------
    Ghosh, Roughgarden and Sundararajan (2009), Universally utility-maximizing privacy mechanisms;
    Cormode (2011), section 2.2.

    Examples
    --------
    >>> import numpy as np
    >>> with_noise([np.array([[90.0, 3.0], [0.0, 7.0]])], 1.0, np.random.default_rng(0))
    [array([[90.,  1.],
           [ 0.,  6.]])]
    """
    check_epsilon(epsilon)
    from scipy.stats import dlaplace

    noise = dlaplace(epsilon / (len(counts) * rows))
    return [table + noise.rvs(size=table.shape, random_state=rng) for table in counts]


def check_epsilon(epsilon: float) -> None:
    """Refuse an epsilon that is no number above 0."""
    if not (epsilon > 0 and math.isfinite(epsilon)):
        raise ParameterError(
            f"epsilon must be a number greater than 0, but is {epsilon}. The smaller it is,"
            " the more noise is added."
        )
