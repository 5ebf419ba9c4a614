"""A number derived from known columns: ratio, sum or prefix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from alc_core.arrays import FloatArray, IntArray
from alc_core.baselines.features import Features

_SEARCH_ROWS = 3_000  # Most rows for the search
# Rows to each side, the most first; means are shrunk to the previous
_SIDES = (32, 8, 2, 1)
_TRUST = 0.5  # Weight of the previous mean, in rows
_PRESENT = 0.9  # Least share of rows with all numbers
_MOST_CATEGORIES = 20  # Most categories of a column that enters a number
_MOST_INPUTS = 60
_ROUNDS = 15
_RIDGE = 1e-9
_LEAST_PART = (0.02, 0.1)  # Columns that move the number less are dropped
_WHOLE = 3  # Largest whole coefficient


@dataclass(frozen=True, slots=True)
class Formula:
    """Frequencies among nearest rows along a derived number.

    A weighted sum of known numbers or their logarithms, with optional categories; or one number; or
    the order of codes with common prefixes. Sliced inverse regression finds the weights, with
    unknown values as slices; regression on the bounds between slices improves them, and whole
    coefficients are tried.

    References
    ----------
    Li (1991), Sliced inverse regression for dimension reduction.
    """

    name: str = "worked-out number"
    averaged: bool = False
    learns_rare: bool = True

    def suits(self, features: Features, n_classes: int) -> bool:  # noqa: ARG002
        """Return whether there is a number, or a column of many codes."""
        return bool(features.ordered) or not features.categorical.all()

    def fit(self, features: Features, classes: IntArray, n_classes: int, seed: int) -> _AlongNumber:
        """Choose the number along which neighbours share classes most."""
        order = np.random.default_rng(seed).permutation(len(features))
        features, classes = features.take(order), classes[order]
        shares = np.bincount(classes, features.weights, minlength=n_classes) + 0.5
        shares = shares / shares.sum()
        some, asked = features.take(slice(_SEARCH_ROWS)), classes[:_SEARCH_ROWS]
        tried = [(*_likelihood(each.of(some), asked, shares), each) for each in _tries(some, asked)]
        _, levels, number = max(tried, key=lambda each: each[0])
        numbers = number.of(features)
        rows = np.flatnonzero(~np.isnan(numbers))
        rows = rows[np.argsort(numbers[rows], kind="stable")]
        weights = np.ones(len(features)) if features.weights is None else features.weights
        return _AlongNumber(
            number=number, numbers=numbers[rows], classes=classes[rows], weights=weights[rows],
            sides=_SIDES[:levels], shares=shares,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Number:
    columns: tuple[int, ...] = ()
    categories: tuple[tuple[int, int], ...] = ()  # Columns and categories added
    logarithms: bool = False
    weights: FloatArray
    codes: int | None = None  # Column whose order of codes it is

    def of(self, features: Features) -> FloatArray:
        if self.codes is not None:
            return features.ordered[self.codes]
        return np.asarray(self.inputs(features) @ self.weights)

    def inputs(self, features: Features) -> FloatArray:
        taken = features.matrix[:, self.columns]
        if self.logarithms:
            taken = np.log(np.where(taken > 0, taken, np.nan))
        added = [features.matrix[:, column] == category for column, category in self.categories]
        return np.column_stack([taken, *added])


def _tries(features: Features, classes: IntArray) -> Iterator[_Number]:
    matrix, numbers = features.matrix, np.flatnonzero(~features.categorical)
    for column in numbers:
        yield _Number(columns=(int(column),), weights=np.ones(1))
    for codes in features.ordered:
        yield _Number(codes=codes, weights=np.ones(1))
    categories = tuple(
        (int(column), int(category))
        for column in np.flatnonzero(features.categorical)
        if len(values := np.unique(matrix[:, column])) <= _MOST_CATEGORIES
        for category in values[1:]
    )
    for least in (-np.inf, 0.0):
        there = tuple(int(c) for c in numbers if (matrix[:, c] > least).mean() >= _PRESENT)
        for added in dict.fromkeys(((), categories)):
            if there and 2 <= len(there) + len(added) <= _MOST_INPUTS:
                sums = _Number(
                    columns=there, categories=added, logarithms=least == 0, weights=np.ones(0)
                )
                for weights in _weights(sums.inputs(features), classes, len(there)):
                    yield replace(sums, weights=weights)


def _weights(inputs: FloatArray, classes: IntArray, n_numbers: int) -> Iterator[FloatArray]:
    whole = ~np.isnan(inputs).any(axis=1)
    inputs, classes = inputs[whole], np.unique(classes[whole], return_inverse=True)[1]
    spread = inputs.std(axis=0)
    if len(inputs) <= inputs.shape[1] or classes.max(initial=0) < 1 or not spread[:n_numbers].all():
        return
    spread[spread == 0] = 1.0
    scaled = (inputs - inputs.mean(axis=0)) / spread
    counts = np.bincount(classes)
    means = np.column_stack([np.bincount(classes, column) for column in scaled.T]) / counts[:, None]
    covariance = scaled.T @ scaled / len(scaled) + _RIDGE * np.eye(len(spread))
    root = np.linalg.inv(np.linalg.cholesky(covariance)).T
    between = (means * counts[:, None]).T @ means / len(scaled)
    first = root @ np.linalg.eigh(root.T @ between @ root)[1][:, -1]
    solve = np.linalg.solve(covariance, scaled.T / len(scaled))
    yielded: set[tuple[float, ...]] = set()
    for weights in (first, _improved(first, scaled, solve, classes)):
        yield weights / spread
        parts = np.abs(weights[:n_numbers])
        for least in _LEAST_PART:
            taken = parts >= least * parts.max()
            for column in np.flatnonzero(taken):
                scale = np.abs(weights[column] / spread[column])
                rounded = np.rint(
                    np.where(taken, weights[:n_numbers], 0) / spread[:n_numbers] / scale
                )
                if np.abs(rounded).max() <= _WHOLE and (rounded != 0).sum() >= 2:
                    key = tuple(rounded * np.sign(rounded[column]))
                    if key not in yielded:
                        yielded.add(key)
                        yield np.append(rounded, weights[n_numbers:] / spread[n_numbers:] / scale)


def _improved(
    weights: FloatArray, scaled: FloatArray, solve: FloatArray, classes: IntArray
) -> FloatArray:
    """Improve weights: more rows within their class's bounds."""
    for _ in range(_ROUNDS):
        number = scaled @ weights
        counts = np.bincount(classes)
        order = np.argsort(np.bincount(classes, number) / counts)
        rank = np.argsort(order)[classes]
        upto = np.cumsum(counts[order])[:-1]
        bounds = np.concatenate([[-np.inf], np.sort(number)[upto], [np.inf]])
        inside = np.clip(number, bounds[rank], bounds[rank + 1])
        weights = weights + 1.5 * (solve @ (inside - number))
    return weights


def _likelihood(numbers: FloatArray, classes: IntArray, shares: FloatArray) -> tuple[float, int]:
    """Return rows' mean log likelihood given neighbours, and the number of sides."""
    rows = np.flatnonzero(~np.isnan(numbers))
    own = classes[rows[np.argsort(numbers[rows], kind="stable")]]
    alike, found = np.zeros(len(own)), {}
    beside = np.zeros(len(own))
    for step in range(1, min(_SIDES[0], len(own) - 1) + 1):
        same = own[step:] == own[:-step]
        alike[step:] += same
        alike[:-step] += same
        beside[step:] += 1
        beside[:-step] += 1
        if step in _SIDES:
            found[step] = alike.copy(), beside.copy()
    expected = shares[own]
    missing = np.log(shares[np.delete(classes, rows)]).sum()
    best = (-np.inf, 1)
    for levels, side in enumerate(_SIDES, start=1):
        if side in found:
            count, of = found[side]
            expected = (count + _TRUST * expected) / (of + _TRUST)
        best = max(best, (float(np.log(expected).sum() + missing) / len(classes), levels))
    return best


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _AlongNumber:
    number: _Number
    numbers: FloatArray
    classes: IntArray
    weights: FloatArray
    sides: tuple[int, ...]
    shares: FloatArray

    def probabilities(self, features: Features) -> FloatArray:
        found = np.tile(self.shares, (len(features), 1))
        numbers = self.number.of(features)
        rows = np.flatnonzero(~np.isnan(numbers)) if len(self.numbers) else np.zeros(0, np.intp)
        left, right = (
            np.searchsorted(self.numbers, numbers[rows], side=s) for s in ("left", "right")
        )
        middle = (left + right) // 2
        for side in self.sides:
            counts, total = np.zeros((len(rows), len(self.shares))), np.zeros((len(rows), 1))
            each = np.arange(len(rows))
            for place in range(-side, side):
                near = middle + place
                there = (near >= 0) & (near < len(self.numbers))
                near = near[there]
                counts[each[there], self.classes[near]] += self.weights[near]
                total[there, 0] += self.weights[near]
            found[rows] = (counts + _TRUST * found[rows]) / (total + _TRUST)
        return found
