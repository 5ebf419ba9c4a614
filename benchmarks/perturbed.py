"""The ways in which benchmarks perturb a table of people, and a synthesis of it.

What swaps cells is ``alc.swap_columns``; rows of strangers are those of ``verdicts.two_halves``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

Move = Callable[[pd.Series, float, np.random.Generator], pd.Series]
FEW_VALUES, MOST_CLASSES = 10, 100


def numbers(frame: pd.DataFrame) -> list[str]:
    """Return the columns of numbers that have more than a few values."""
    return [c for c in frame.select_dtypes("number") if frame[c].nunique() > FEW_VALUES]


def ranks_swapped(values: pd.Series, share: float, rng: np.random.Generator) -> pd.Series:
    """Return numbers of which each is swapped with one whose rank is near."""
    n, own = len(values), values.to_numpy()
    order = np.argsort(own + rng.normal(0, 1e-6, n))
    moved = own.copy()
    moved[order] = own[order][np.argsort(np.arange(n) + rng.uniform(-share, share, n) * n)]
    return pd.Series(moved, index=values.index)


def with_noise(values: pd.Series, share: float, rng: np.random.Generator) -> pd.Series:
    """Return numbers plus noise of a share of their standard deviation."""
    return values + rng.normal(0, share * values.std(), len(values))


def averaged(values: pd.Series, size: float, rng: np.random.Generator) -> pd.Series:
    """Return the mean of so many neighbours in order for each number."""
    order = np.argsort(values.to_numpy() + rng.normal(0, 1e-6, len(values)))
    group = np.empty(len(values), int)
    group[order] = np.arange(len(values)) // int(size)
    return values.groupby(group).transform("mean")


def redrawn(values: pd.Series, share: float, rng: np.random.Generator) -> pd.Series:
    """Return values of which a share is drawn anew from the column."""
    rows = rng.random(len(values)) < share
    found = values.copy()
    found[rows] = rng.choice(values.to_numpy(), rows.sum())
    return found


def disturbed(
    frame: pd.DataFrame, move: Move, much: float, share: float, rng: np.random.Generator
) -> pd.DataFrame:
    """Return rows whose numbers are moved, and a share of all else is drawn anew."""
    moved = {c: move(frame[c], much, rng) for c in numbers(frame)}
    others = {c: redrawn(frame[c], share, rng) for c in frame.columns.difference(list(moved))}
    return frame.assign(**moved, **others)


def kept_together(
    frame: pd.DataFrame, columns: Sequence[str], rng: np.random.Generator
) -> pd.DataFrame:
    """Return rows in which only some columns are people's own together."""
    others = frame.columns.difference(list(columns))
    return frame.assign(**{c: rng.permutation(frame[c].to_numpy()) for c in others})


class TreeModel:
    """A table's columns, each by a tree from those before it, as synthpop makes them.

    ``leaf`` is the least number of rows in a leaf; with ``careful``, the largest of it, 2, 4 or 8
    times it, or no split at all, whose cross-validated loss is within a standard error of the least
    (Breiman et al. 1984, section 3.4.3), so that no tree learns the noise of its own rows.
    """

    def __init__(self, frame: pd.DataFrame, *, leaf: int, careful: bool = False) -> None:
        self.frame = frame
        self.codes = np.column_stack(
            [pd.factorize(frame[c].to_numpy(), sort=True)[0] for c in frame]
        )
        leaves = [leaf, 2 * leaf, 4 * leaf, 8 * leaf, len(frame)] if careful else [leaf]
        self.trees = [self._tree(place, leaves) for place in range(1, self.codes.shape[1])]

    def _tree(
        self, place: int, leaves: list[int]
    ) -> DecisionTreeClassifier | DecisionTreeRegressor:
        known, values = self.codes[:, :place], self.codes[:, place]
        few = len(np.unique(values)) <= MOST_CLASSES
        kind = DecisionTreeClassifier if few else DecisionTreeRegressor
        trees = [kind(min_samples_leaf=leaf, random_state=0) for leaf in leaves]
        if len(trees) > 1:
            scoring = "accuracy" if few else "neg_mean_squared_error"
            parts = KFold(10, shuffle=True, random_state=0)
            found = [cross_val_score(t, known, values, cv=parts, scoring=scoring) for t in trees]
            best = max(found, key=np.mean)
            enough = best.mean() - best.std(ddof=1) / np.sqrt(len(best))
            trees = [tree for tree, each in zip(trees, found, strict=True) if each.mean() >= enough]
        return trees[-1].fit(known, values)

    def synthesis(self, rng: np.random.Generator) -> pd.DataFrame:
        """Return as many rows, drawn from the leaves."""
        rows = rng.integers(0, len(self.codes), len(self.codes))
        made, found = self.codes[rows, :1], [rows]
        for place, tree in enumerate(self.trees, start=1):
            donors, asked = tree.apply(self.codes[:, :place]), tree.apply(made)
            order = np.argsort(donors, kind="stable")
            first = np.searchsorted(donors[order], asked)
            sizes = np.searchsorted(donors[order], asked, side="right") - first
            found.append(order[first + (rng.random(len(asked)) * sizes).astype(int)])
            made = np.column_stack([made, self.codes[found[-1], place]])
        return pd.DataFrame(
            {c: self.frame[c].to_numpy()[of] for c, of in zip(self.frame, found, strict=True)}
        )
