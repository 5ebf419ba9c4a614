"""What a release is still good for: distances of its marginals, and models trained on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Literal

import numpy as np
import pandas as pd

from alc_core.campaign.file.annotations import Annotations
from alc_core.campaign.file.store import CampaignReader, CampaignStore
from alc_core.campaign.model import CampaignSettings
from alc_core.errors import CampaignMismatchError
from alc_core.studies.utility.coding import Binning
from alc_core.studies.utility.learning import LearnedTarget

OWN_RECORDS = (
    "Models are tested on people of the original whom the original's own model has not seen. A "
    "release that changes records one by one, as swapping, rounding and noise do, holds changed "
    "records of these very people. Its model can then do better than the original's own: not "
    "because the release is more useful, but because it holds information about these people."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Utility:
    """How useful one release is, in numbers and column names."""

    release: str  # Its name
    original_fingerprint: str
    release_fingerprints: tuple[str, ...]  # Of the release's tables
    # Total variation distance, from 0 (same shares) to 1, of each column that the release has
    columns: Mapping[str, float]
    # The same of each two columns that one table of the release has together
    pairs: tuple[tuple[str, str, float], ...]
    column_chance: float  # Mean distances of as many rows drawn at random from the original
    pair_chance: float
    lacking: tuple[str, ...]  # Columns of the original that are not in the release
    unpaired: int  # Pairs of columns that no table of the release has together
    targets: tuple[LearnedTarget, ...]  # What models predict
    bins: int  # Bins that numbers and dates are cut into
    binning: Binning  # How
    seed: int  # Of all that is random
    notes: tuple[str, ...]  # What a reader must know: limits, samples, what was left out

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

    @property
    def worst_targets(self) -> tuple[LearnedTarget, ...]:
        """What models predict, that which loses most accuracy first."""
        return tuple(sorted(self.targets, key=lambda target: -target.loss))

    @property
    def worst_pairs(self) -> tuple[tuple[str, str, float], ...]:
        """Each two columns with their distance, the largest first."""
        return tuple(sorted(self.pairs, key=lambda pair: -pair[2]))

    @property
    def apart(self) -> int:
        """Pairs of columns that the release has, but not together in one of its tables."""
        return len(self.columns) * (len(self.columns) - 1) // 2 - len(self.pairs)

    def column_frame(
        self, by: Literal["pair_distance", "distance"] = "pair_distance"
    ) -> pd.DataFrame:
        """Return which columns suffered, worst first."""
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
        other = "distance" if by == "pair_distance" else "pair_distance"
        order = np.lexsort((-keys[other], -keys[by]))
        return frame.iloc[order].reset_index(drop=True)

    def _mean(self, name: str) -> float | None:
        values = [getattr(target, name) for target in self.targets]
        return float(np.mean(values)) if values else None


def _ratio(part: float | None, whole: float | None) -> float | None:
    return part / whole if part is not None and whole else None


_UTILITIES = Annotations("utility", str, Utility)


def keep_utility(store: CampaignStore, utility: Utility) -> str:
    """Keep the utility of a release in the campaign's file, in place of an earlier one."""
    name = campaign_release(store.settings, utility)
    if name is None:
        raise CampaignMismatchError(
            f"The utility of '{utility.release}' is of other tables than those of the campaign in "
            f"'{store.path}'. Measure it on the campaign's original and releases."
        )
    _UTILITIES.keep(store, name, replace(utility, release=name))
    return name


def stored_utilities(store: CampaignReader) -> dict[str, Utility]:
    """Return the utilities in a campaign's file, by the name of the release."""
    found = _UTILITIES.read(store)
    return {name: found[name] for name in store.settings.releases if name in found}


def campaign_release(settings: CampaignSettings, utility: Utility) -> str | None:
    """Return which release of a campaign a utility is of, by the tables; None if of none."""
    if utility.original_fingerprint != settings.original.fingerprint:
        return None
    fitting = [
        name
        for name, tables in settings.releases.items()
        if tuple(table.fingerprint for table in tables) == utility.release_fingerprints
    ]
    return utility.release if utility.release in fitting else next(iter(fitting), None)


@dataclass(frozen=True, slots=True)
class KeptUtilities:
    """Where a campaign's file keeps utilities: by its own names of the releases."""

    @property
    def key(self) -> Callable[[Utility], str]:
        """The name of the release."""
        return attrgetter("release")

    def keep(self, store: CampaignStore, found: Utility) -> str:
        """Keep a utility; see :func:`keep_utility`."""
        return keep_utility(store, found)

    def read(self, store: CampaignReader) -> dict[str, Utility]:
        """Return those in the file."""
        return stored_utilities(store)

    def is_of(self, store: CampaignReader, found: Utility) -> bool:
        """Return whether a utility is of the campaign's tables."""
        return campaign_release(store.settings, found) is not None


KEPT_UTILITIES = KeptUtilities()
