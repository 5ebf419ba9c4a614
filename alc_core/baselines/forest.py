"""Random forests: scikit-learn's trees, without its checks and copies of each tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray
from alc_core.baselines.features import Features
from alc_core.runtime.machine import available_threads

MAX_CELLS = 1e8  # Most numbers of 8 bytes in a model
_TREE_ROWS = 100_000  # Most rows per tree; each tree draws its own


@dataclass(frozen=True, slots=True)
class Forest:
    """Random forest with a minimum leaf size.

    The trees of scikit-learn's RandomForestClassifier, which spends half its time on checks and
    copies with a few thousand rows.
    """

    name: str
    min_samples_leaf: int
    n_trees: int = 50
    averaged: bool = True
    learns_rare: bool = False

    def suits(self, features: Features, n_classes: int) -> bool:
        """Return whether the leaves' class counts fit in memory."""
        leaves = min(len(features), _TREE_ROWS) / self.min_samples_leaf
        return self.n_trees * leaves * n_classes <= MAX_CELLS

    def fit(self, features: Features, classes: IntArray, n_classes: int, seed: int) -> _Trees:
        """Fit trees on all processors; the result is independent of these."""
        from joblib import Parallel, delayed
        from sklearn.tree._criterion import Gini
        from sklearn.tree._splitter import BestSplitter
        from sklearn.tree._tree import DepthFirstTreeBuilder, Tree

        matrix, truth = _as_trees_read(features), classes.astype(np.float64)[:, None]
        n_rows, n_columns = matrix.shape
        sizes, leaf = np.array([n_classes], dtype=np.intp), self.min_samples_leaf
        missing = np.isnan(matrix).any(axis=0).astype(np.uint8)
        chances = None if features.weights is None else features.weights / features.weights.sum()

        def grown(tree_seed: int) -> Any:
            drawn = _random(tree_seed).choice(n_rows, min(n_rows, _TREE_ROWS), p=chances)
            counts = np.bincount(drawn, minlength=n_rows).astype(np.float64)
            splitter = BestSplitter(
                Gini(1, sizes), max(1, int(np.sqrt(n_columns))), leaf, 0.0, _random(tree_seed), None
            )
            tree = Tree(n_columns, sizes, 1)
            builder = DepthFirstTreeBuilder(splitter, 2 * leaf, leaf, 0.0, 2**31 - 1, 0.0)
            builder.build(tree, matrix, truth, counts, missing if missing.any() else None)
            return tree

        seeds = _random(seed).randint(2**31 - 1, size=self.n_trees)
        # Always threads: a tree is too small to send
        workers = Parallel(n_jobs=available_threads(), backend="threading")
        return _Trees(workers(delayed(grown)(each) for each in seeds))


@dataclass(frozen=True, slots=True)
class _Trees:
    trees: Sequence[Any]

    def probabilities(self, features: Features) -> FloatArray:
        matrix = _as_trees_read(features)
        return np.asarray(sum(tree.predict(matrix) for tree in self.trees) / len(self.trees))


def _as_trees_read(features: Features) -> NDArray[np.float32]:
    return np.ascontiguousarray(features.capped, dtype=np.float32)


def _random(seed: int) -> np.random.RandomState:
    return np.random.RandomState(seed)
