"""Swapping, the paper's test anonymization, and noisy counts."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from alc_core.arrays import CodeArray, FloatArray
from alc_core.errors import ParameterError
from alc_core.parameter import check_whole
from alc_core.releases.cells import contingency, quantile_edges, range_labels, to_ranges
from alc_core.releases.counts import Counts
from alc_core.scenario.scenario import Scenario
from alc_core.scenario.targets import People
from alc_core.tables.apart.read import TableLike, as_table
from alc_core.tables.codes.encode import CategoricalCodes, EncodedData, encode
from alc_core.tables.read import FrameLike, table_from_frame


def swap_columns(frame: FrameLike, share: float, *, seed: int = 0) -> pd.DataFrame:
    """Permute a share of the values of each column separately.

    Parameters
    ----------
    frame : data frame of shape (n_rows, n_columns)
    share : float
        In [0, 1]. The paper takes 0.2 for weak and 0.8 for strong anonymization; 1 makes columns
        independent.
    seed : int, default 0
        Same input and seed, same release.

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
        With a new index.

    Raises
    ------
    ParameterError
        If the share is out of bounds.

    References
    ----------
    Francis and Wagner (2025), section 6.1.

    Examples
    --------
    >>> import pandas as pd
    >>> swap_columns(pd.DataFrame({"age": [31, 45, 60]}), 0.0)["age"].tolist()
    [31, 45, 60]
    """
    if not 0 <= share <= 1:
        raise ParameterError(f"share must be in [0, 1], not {share}.")
    check_whole("seed", seed)
    frame = frame if isinstance(frame, pd.DataFrame) else table_from_frame(frame).frame
    rng = np.random.default_rng(seed)
    swapped = frame.reset_index(drop=True).copy()
    count = round(share * len(frame))
    for position in range(frame.shape[1]):
        rows = rng.choice(len(frame), size=count, replace=False)
        order = np.arange(len(frame))
        order[rows] = rng.permutation(rows)
        column = frame.columns[position]
        swapped[column] = frame[column].take(order).set_axis(swapped.index)
    return swapped


COUNT = "count"


def with_noise(
    counts: Sequence[FloatArray], epsilon: float, rng: np.random.Generator, *, rows: int = 1
) -> list[FloatArray]:
    """Add two-sided geometric noise to counts of m known columns.

    *Sensitivity.* A row is counted in one cell of each of the m tables, so a person with up to r
    rows changes the counts by m·r (L1 distance). Noise Z with Pr[Z = z] proportional to a^abs(z), a
    = exp(-epsilon/(m·r)), in each cell makes all tables together epsilon-differentially private.
    Empty cells also get noise, as they would reveal people.

    For tests and studies only: anyone who knows the seed can subtract the noise (SciPy's
    ``dlaplace``).

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
    """Refuse an epsilon that is not a number above 0."""
    if not (epsilon > 0 and math.isfinite(epsilon)):
        raise ParameterError(f"epsilon must be greater than 0, not {epsilon}.")


def noisy_counts(
    original: TableLike,
    *,
    unknown: str,
    known: Sequence[str],
    epsilon: float,
    ranges: int = 10,
    bins: int = 20,
    person: str | None = None,
    seed: int = 0,
) -> Counts:
    """Publish noisy counts of each known column with the unknown one.

    For the noise see :func:`with_noise`. For experiments only: the noise comes from a seed, and
    values, ranges, bins and the most rows of a person are taken from the data.

    Parameters
    ----------
    original : Table, data frame or path
    unknown, known : str, sequence of str
    epsilon : float
        Privacy budget of all tables, above 0.
    ranges : int, default 10
        Equal-count ranges of continuous known columns.
    bins : int, default 20
        Equal-width bins of a continuous unknown column.
    person : str, optional
        Person column: the noise hides all rows of a person, and grows with the most.
    seed : int, default 0
        Same input and seed, same release.

    Returns
    -------
    Counts
        A table for each known column, a row for each combination, also empty ones.

    Raises
    ------
    ColumnError
        If a column is missing.
    ParameterError
        If epsilon is not a number above 0.

    Examples
    --------
    >>> import alc_core as alc
    >>> demo = alc.load_demo("fair")
    >>> release = noisy_counts(demo.original, unknown="religious", known=["educ"], epsilon=0.1)
    >>> release.tables[0].columns, len(release.tables[0])
    (('educ', 'religious', 'count'), 24)
    """
    check_epsilon(epsilon)
    check_whole("seed", seed)
    original = as_table(original, name="original")
    data = encode(original, (), columns=[*known, unknown])
    values = data.as_unknown(data.original, unknown, bins)
    value_labels = _with_missing(data.unknown_codes(unknown, bins).labels, values)
    columns = {column: _coded(data, column, ranges) for column in known}
    exact = contingency(
        [codes for codes, _ in columns.values()],
        values,
        [len(labels) for _, labels in columns.values()],
        len(value_labels),
    )
    people = People.of(original, Scenario(known, unknown, person=person))
    rng = np.random.default_rng(seed)
    noisy = with_noise(exact, epsilon, rng, rows=people.most_rows)
    name = f"{original.name} counts, epsilon {epsilon:g}"
    count = COUNT
    while count in original.columns:
        count += "_of_people"
    tables = []
    for (column, (_, labels)), counts in zip(columns.items(), noisy, strict=True):
        of_known = np.repeat(np.array(labels, object), len(value_labels))
        of_unknown = np.tile(np.array(value_labels, object), len(labels))
        texts = pd.DataFrame({column: of_known, unknown: of_unknown}, dtype="str")
        frame = texts.assign(**{count: counts.reshape(-1).astype(np.int64)})
        tables.append(table_from_frame(frame, name=f"{name}, {column}"))
    return Counts.of_tables(tables, name=name, original=original)


def _coded(data: EncodedData, column: str, ranges: int) -> tuple[CodeArray, list[str | None]]:
    """Return a known column's codes and labels; None for missing."""
    spec, values = data.specs[column], data.original.columns[column]
    if isinstance(spec, CategoricalCodes):
        codes = np.asarray(values, dtype=np.int32)
        return codes, _with_missing(spec.labels, codes)
    numbers = np.asarray(values, dtype=np.float64)
    numbers = np.floor(numbers) if spec.of_dates else numbers
    edges = quantile_edges(numbers, ranges)
    labels = range_labels(edges, of_dates=spec.of_dates)
    codes = to_ranges(numbers, edges)
    codes = np.where(codes < 0, np.int32(len(labels)), codes)
    return codes, _with_missing(labels, codes)


def _with_missing(labels: Sequence[str], codes: CodeArray) -> list[str | None]:
    """Return labels, with missing last if any."""
    return [*labels, None] if (codes == len(labels)).any() else list(labels)
