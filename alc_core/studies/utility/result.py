"""A release's usefulness in numbers and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from alc_core.campaign.file.annotations import KeptResults
from alc_core.campaign.file.store import CampaignReader, CampaignStore
from alc_core.campaign.model import CampaignSettings
from alc_core.phrasing import percent, quoted
from alc_core.releases.release import Release
from alc_core.scoring.intervals import wilson_interval
from alc_core.studies.utility.coding import Binning, Coded
from alc_core.studies.utility.distributions import ColumnDistribution
from alc_core.tables.checks.facts import FileFacts, Matching
from alc_core.tables.table import Table

TREES, LEAST_IN_LEAF = 100, 5  # Size of the forests; fuller leaves remember less of single people
# What is trained
MODEL = f"random forest of {TREES} trees, leaves of at least {LEAST_IN_LEAF} rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedTarget:
    """Model accuracies for one column of held-out people."""

    target: str  # The column
    release_accuracy: float  # Of a model trained on the release
    original_accuracy: float  # After training on as many other rows of the original
    majority_accuracy: float  # Of the most frequent value of these rows
    train_rows: int  # Rows trained on, of each, and rows held out
    test_rows: int
    columns: int  # Columns the models predict from
    original_columns: int

    @property
    def loss(self) -> float:
        """Original's accuracy minus the release's."""
        return self.original_accuracy - self.release_accuracy

    @property
    def interval(self) -> tuple[float, float]:
        """95% Wilson interval of the release's accuracy."""
        right = self.release_accuracy * self.test_rows
        low, high = wilson_interval(right, self.test_rows)
        return float(low), float(high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Utility:
    """Usefulness of one release, in numbers and column names."""

    release: str  # Its name
    original_fingerprint: str
    release_fingerprints: tuple[str, ...]  # Of the release's tables
    columns: Mapping[str, float]  # Total variation distance by column, 0 to 1
    pairs: tuple[tuple[str, str, float], ...]  # By pair of columns in one released table
    column_chance: float  # Mean distances of as many random rows of the original
    pair_chance: float
    relations_kept: float | None  # Share of relations between columns that is kept; if any
    lacking: tuple[str, ...]  # Columns of the original missing in the release
    unpaired: int  # Pairs of columns in no released table
    targets: tuple[LearnedTarget, ...]  # What models predict
    bins: int  # Of numbers and dates
    binning: Binning  # How
    seed: int  # Of all that is random
    notes: tuple[str, ...]  # Limits, samples and exclusions

    @property
    def column_distance(self) -> float:
        """Mean total variation distance of one-column marginals."""
        return float(np.mean(list(self.columns.values())))

    @property
    def pair_distance(self) -> float | None:
        """Mean total variation of two-column marginals, if any."""
        return float(np.mean([each for *_, each in self.pairs])) if self.pairs else None

    @property
    def accuracy(self) -> float | None:
        """Mean accuracy after training on the release, if any."""
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
        """Mean accuracy of the release divided by the original's."""
        return _ratio(self.accuracy, self.original_accuracy)

    @property
    def majority_ratio(self) -> float | None:
        """Mean accuracy of the most frequent value divided by the original's."""
        return _ratio(self.majority_accuracy, self.original_accuracy)

    @property
    def worst_targets(self) -> tuple[LearnedTarget, ...]:
        """Predicted columns, the largest loss first."""
        return tuple(sorted(self.targets, key=lambda target: -target.loss))

    @property
    def worst_pairs(self) -> tuple[tuple[str, str, float], ...]:
        """Pairs of columns, the largest distance first."""
        return tuple(sorted(self.pairs, key=lambda pair: -pair[2]))

    @property
    def apart(self) -> int:
        """Released pairs of columns not in one table."""
        return len(self.columns) * (len(self.columns) - 1) // 2 - len(self.pairs)

    def is_of(self, original: Table, release: Release) -> bool:
        """Return whether it was measured of these tables."""
        released = tuple(table.fingerprint for table in release.tables)
        given = original.fingerprint, released
        return given == (self.original_fingerprint, self.release_fingerprints)

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


def campaign_release(settings: CampaignSettings, utility: Utility) -> str | None:
    """Return a utility's release in a campaign, by the tables, if any."""
    if utility.original_fingerprint != settings.original.fingerprint:
        return None
    fitting = [
        name
        for name, tables in settings.releases.items()
        if tuple(table.fingerprint for table in tables) == utility.release_fingerprints
    ]
    return utility.release if utility.release in fitting else next(iter(fitting), None)


class KeptUtilities(KeptResults[Utility]):
    """Utilities in a campaign's file, with its names and order."""

    def is_of(self, store: CampaignReader, found: Any) -> bool:  # noqa: D102
        return campaign_release(store.settings, found) is not None

    def read(self, store: CampaignReader) -> dict[str, Utility]:  # noqa: D102
        found = super().read(store)
        return {name: found[name] for name in store.settings.releases if name in found}

    def _put(self, store: CampaignStore, found: Utility) -> None:
        own = campaign_release(store.settings, found)
        super()._put(store, found if own is None else replace(found, release=own))


KEPT_UTILITIES = KeptUtilities("utility", Utility)
stored_utilities = KEPT_UTILITIES.read


_WORST = 3


def reading_lines(utilities: Sequence[Utility]) -> list[str]:
    """Say how to read the numbers."""
    first = utilities[0]
    lines = [
        f"Numbers and dates have {first.bins} bins ({first.binning}). 2-column TVD of "
        f"resampling: {max(each.pair_chance for each in utilities):.3f}."
    ]
    if any(each.targets for each in utilities):
        lines += [
            f"Accuracy: mean over {quoted([target.target for target in first.targets])}. Models: "
            f"{MODEL}.",
            "If rows are altered originals, the release's model has seen the test people.",
        ]
    return lines


def differing_sentence(utilities: Sequence[Utility]) -> str:
    """Say if utilities were measured differently."""
    ways = {
        (each.bins, each.binning, each.seed, tuple(t.target for t in each.targets))
        for each in utilities
    }
    if len(ways) < 2:
        return ""
    return "Releases differ in bins, seeds or columns. Measure all again."


def distribution_notes(shown: ColumnDistribution) -> list[str]:
    """Say how to read a column's distribution."""
    what = "Ranges" if shown.numeric else "Values"
    lines = [f"{what} in fewer than {shown.fewest} original rows are not named."]
    if shown.spread:
        lines.append(f"{percent(shown.spread)} of rows have generalized labels, spread evenly.")
    if shown.several_tables:
        lines.append(f"From table '{shown.several_tables}' of the release.")
    return lines


def pairs_sentence(utility: Utility) -> str:
    """Name the pair of columns that changed most."""
    if not utility.pairs:
        return "No released table has two columns of the original."
    pairs = [
        f"'{one}' and '{other}' ({each:.2f})" for one, other, each in utility.worst_pairs[:_WORST]
    ]
    return (
        f"Largest distances: {'; '.join(pairs)}. Mean {utility.pair_distance:.3f}, "
        f"resampling {utility.pair_chance:.3f}."
    )


def losses_sentence(utility: Utility) -> str:
    """Name the column with the largest loss of accuracy."""
    if not utility.targets:
        return "No column was predicted."
    clear = [each for each in utility.worst_targets if each.interval[1] < each.original_accuracy]
    if not clear:
        return "No column is clearly harder to predict."
    worst = clear[0]
    return (
        f"Models lose most for '{worst.target}': {percent(worst.release_accuracy)} correct, "
        f"{percent(worst.original_accuracy)} from the original, "
        f"{percent(worst.majority_accuracy)} by the most frequent value."
    )


def majority_sentence(utility: Utility) -> str:
    """Name columns with models worse than the most frequent value.

    Only if the original's own model is better.
    """
    below = [
        each for each in utility.worst_targets if each.release_accuracy < each.majority_accuracy
    ]
    lost = [each.target for each in below if each.original_accuracy > each.majority_accuracy]
    never = [each.target for each in below if each.target not in lost]
    said = [f"Worse than the most frequent value: {quoted(lost)}."] if lost else []
    if never:
        said.append(f"Not predictable from the original either: {quoted(never)}.")
    return " ".join(said)


_STRANGE = 0.5
_NAMED = 5


def column_notes(coded: Coded, drawn: Sequence[str]) -> list[str]:
    """Name missing columns, those with labels drawn, and those with values new to the original."""
    held = [column for column in coded.columns if coded.holder(column) is not None]
    missing = [column for column in coded.columns if column not in held]
    notes = []
    if missing:
        notes.append(f"Ignored (not in the release): {quoted(missing, most=_NAMED)}.")
    if len(coded.released) > 1:
        notes.append("Columns and pairs are from the widest table.")
    if drawn:
        notes.append(
            f"Generalized labels count as a random value they cover: {quoted(drawn, most=_NAMED)}."
        )
    notes += [
        f"{percent(share)} of the values of '{column}' are new. If renamed, usefulness is higher."
        for column, share in coded.strange.items()
        if share >= _STRANGE
    ]
    return notes


def own_record_notes(learned: Sequence[LearnedTarget], facts: Sequence[FileFacts]) -> list[str]:
    """Name columns where a model of copied rows beats the original's."""
    better = [each.target for each in learned if each.interval[0] > each.original_accuracy]
    own = any(each.matching in (Matching.VERBATIM, Matching.NEARLY) for each in facts)
    if not better or not own:
        return []
    return [
        f"For {quoted(better, most=_NAMED)}, the release's models beat the original's. The "
        "release may contain the test people."
    ]
