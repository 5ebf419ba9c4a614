"""Naive Bayes from counts against scikit-learn's, and what noise does to it."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.naive_bayes import CategoricalNB

from alc_core.attacks.naive_bayes import NaiveBayesModel
from alc_core.errors import ParameterError
from alc_core.releases.cells import contingency
from alc_core.studies.learning.measuring import CodedPeople, accuracy_of

SIZES = (2, 5, 3)


def people(n=400, seed=0):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, size, n).astype(np.int32) for size in SIZES]
    values = ((columns[0] + columns[1] + rng.integers(0, 2, n)) % 4).astype(np.int32)
    return columns, values


def test_equals_categorical_nb_where_priors_agree():
    columns, values = people()
    model = NaiveBayesModel.of_counts(contingency(columns, values, SIZES, 4))
    peer = CategoricalNB(
        alpha=1, min_categories=SIZES, fit_prior=True, class_prior=np.exp(model.log_prior)
    ).fit(np.stack(columns, axis=1), values)
    assert np.allclose(
        model.posterior(columns), peer.predict_proba(np.stack(columns, axis=1)), atol=1e-12
    )
    for mine, theirs in zip(model.log_likelihoods, peer.feature_log_prob_, strict=True):
        assert np.allclose(mine.T, theirs)


def test_prior_is_that_of_the_paper():
    columns, values = people()
    model = NaiveBayesModel.of_counts(contingency(columns, values, SIZES, 4))
    share = len(SIZES) * np.bincount(values) + sum(SIZES)
    assert np.allclose(np.exp(model.log_prior), share / share.sum())


def test_negative_counts_are_0_and_a_code_of_minus_1_says_nothing():
    counts = [np.array([[8.0, -5.0], [-0.5, 3.0]]), np.array([[1.0, 1.0]])]
    clipped = [np.maximum(table, 0) for table in counts]
    codes = [np.array([0, 1, -1]), np.array([0, -1, -1])]
    found = NaiveBayesModel.of_counts(counts).posterior(codes)
    assert np.array_equal(found, NaiveBayesModel.of_counts(clipped).posterior(codes))
    assert np.allclose(found[2], np.exp(NaiveBayesModel.of_counts(counts).log_prior))


def test_many_columns_do_not_underflow():
    columns, values = people()
    counts = contingency(columns * 300, values, SIZES * 300, 4)
    found = NaiveBayesModel.of_counts(counts).posterior(columns * 300)
    assert np.allclose(found.sum(axis=1), 1)


def test_missing_codes_are_not_counted():
    codes = np.array([0, 1, -1, 1], dtype=np.int32)
    values = np.array([0, 1, 1, -1], dtype=np.int32)
    assert contingency([codes], values, [2], 2)[0].tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_needs_a_table():
    with pytest.raises(ParameterError, match="at least one known column"):
        NaiveBayesModel.of_counts([])


def test_people_above_a_belief():
    posterior = np.array([[0.81, 0.19], [0.8, 0.2], [0.05, 0.95], [0.1, 0.9]])
    model = SimpleNamespace(posterior=lambda columns: posterior)
    people = CodedPeople(columns=(), unknown=np.array([0, 0, 0, 1], dtype=np.int32))
    found = accuracy_of(model, people, belief=0.8)
    assert (found.everybody, found.believed_share) == (0.75, 0.75)
    assert found.believed == pytest.approx(2 / 3)
    nobody = accuracy_of(model, people, belief=0.99)
    assert (nobody.believed, nobody.believed_share) == (None, 0.0)
