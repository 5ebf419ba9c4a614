"""What a release is still good for: distances of its marginals, and models trained on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from alc_core.utility.coding import Binning
from alc_core.utility.learning import LearnedTarget

OWN_RECORDS = (
    "Models are tested on people of the original whom the original's own model has not seen. A "
    "release that changes records one by one, as swapping, rounding and noise do, holds changed "
    "records of these very people. Its model can then do better than the original's own: not "
    "because the release is more useful, but because it holds information about these people."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Utility:
    """How useful one release is, in numbers and column names.

    Attributes
    ----------
    release : str
        Its name.
    original_fingerprint : str
        Of the original.
    release_fingerprints : tuple of str
        Of the release's tables.
    columns : mapping of str to float
        Total variation distance, from 0 (same shares) to 1, of each column that the release has.
    pairs : tuple of (str, str, float)
        The same of each two columns that one table of the release has together.
    column_chance, pair_chance : float
        Mean distances of as many rows drawn at random from the original.
    lacking : tuple of str
        Columns of the original that are not in the release.
    unpaired : int
        Pairs of columns that no table of the release has together.
    targets : tuple of LearnedTarget
        What models predict.
    bins : int
        Bins that numbers and dates are cut into.
    binning : {"quantile", "equal width"}
        How.
    seed : int
        Of all that is random.
    notes : tuple of str
        What a reader must know: limits, samples, what was left out.
    """

    release: str
    original_fingerprint: str
    release_fingerprints: tuple[str, ...]
    columns: Mapping[str, float]
    pairs: tuple[tuple[str, str, float], ...]
    column_chance: float
    pair_chance: float
    lacking: tuple[str, ...]
    unpaired: int
    targets: tuple[LearnedTarget, ...]
    bins: int
    binning: Binning
    seed: int
    notes: tuple[str, ...]

    @property
    def column_distance(self) -> float:
        """Mean total variation distance of one-column marginals."""
        return float(np.mean(list(self.columns.values())))

    @property
    def pair_distance(self) -> float | None:
        """Mean total variation distance of two-column marginals; None without any pair."""
        return float(np.mean([each for *_, each in self.pairs])) if self.pairs else None

    @property
    def accuracy(self) -> float | None:
        """Mean accuracy after training on the release; None where nothing is predicted."""
        return self._mean("release_accuracy")

    @property
    def original_accuracy(self) -> float | None:
        """Mean accuracy after training on the original."""
        return self._mean("original_accuracy")

    @property
    def majority_accuracy(self) -> float | None:
        """Mean accuracy of naming the most frequent value."""
        return self._mean("majority_accuracy")

    @property
    def accuracy_ratio(self) -> float | None:
        """Mean accuracy after training on the release divided by the original's own."""
        return _ratio(self.accuracy, self.original_accuracy)

    @property
    def majority_ratio(self) -> float | None:
        """Mean accuracy of the most frequent value divided by the original's own."""
        return _ratio(self.majority_accuracy, self.original_accuracy)

    def column_frame(self) -> pd.DataFrame:
        """Return which columns suffered, worst first.

        Returns
        -------
        DataFrame of shape (n_columns, 3)
            `column`, `distance` of its own marginal, and `pair_distance`, the mean over the pairs
            that it is part of; NaN without any.
        """
        of_pairs: dict[str, list[float]] = {column: [] for column in self.columns}
        for one, other, distance in self.pairs:
            of_pairs[one].append(distance)
            of_pairs[other].append(distance)
        frame = pd.DataFrame(
            {
                "column": pd.array(list(self.columns), dtype="str"),
                "distance": np.array(list(self.columns.values()), dtype=np.float64),
                "pair_distance": [
                    float(np.mean(each)) if each else np.nan for each in of_pairs.values()
                ],
            }
        )
        keys = frame[["pair_distance", "distance"]].fillna(-1.0)
        order = np.lexsort((-keys["distance"], -keys["pair_distance"]))
        return frame.iloc[order].reset_index(drop=True)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; with :meth:`from_dict` lossless."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Build from :meth:`to_dict`'s result."""
        return cls(
            **{
                **data,
                "release_fingerprints": tuple(data["release_fingerprints"]),
                "pairs": tuple((one, other, distance) for one, other, distance in data["pairs"]),
                "lacking": tuple(data["lacking"]),
                "targets": tuple(LearnedTarget(**each) for each in data["targets"]),
                "notes": tuple(data["notes"]),
            }
        )

    def _mean(self, name: str) -> float | None:
        values = [getattr(target, name) for target in self.targets]
        return float(np.mean(values)) if values else None


def _ratio(part: float | None, whole: float | None) -> float | None:
    return part / whole if part is not None and whole else None
