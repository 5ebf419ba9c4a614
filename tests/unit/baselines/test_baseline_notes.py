import numpy as np
import pytest

from alc_core.baselines.folds import BaselinePredictions, baseline_notes
from alc_core.note import WEAK_GUESS
from alc_core.scoring.curves import best_measure, precision_recall_curve
from alc_core.scoring.parameters import ScoringParameters


def curve(rng, n, *, better=0.0):
    """Scores from 0.3 to 1, precision equal to the score plus a gain."""
    scores = 0.3 + 0.7 * rng.random(n)
    return precision_recall_curve(scores, rng.random(n) < scores + better, max_thresholds=400)


def notes(rng, *, better, n=2000, **said):
    expected = best_measure(curve(rng, 8000), ScoringParameters())
    measured = curve(rng, n, better=better)
    part = BaselinePredictions(
        values=np.zeros(n, dtype=np.int64),
        scores=np.zeros(n),
        everybody=np.zeros(n, dtype=np.int64),
        model="a model",
        expected=expected,
        **said,
    )
    return baseline_notes([part], measured)


def test_as_good_as_expected_or_better_says_nothing():
    rng = np.random.default_rng(0)
    assert sum(bool(notes(rng, better=0.0)) for _ in range(200)) <= 2
    assert not notes(rng, better=0.1)


def test_clearly_worse_is_said():
    rng = np.random.default_rng(1)
    found = [notes(rng, better=-0.2) for _ in range(20)]
    assert all(found)
    assert found[0][0].code == WEAK_GUESS
    assert found[0][0].text.startswith("The guess falls short: tried out on other people it ")


def test_few_targets_tell_nothing():
    rng = np.random.default_rng(2)
    assert sum(bool(notes(rng, better=-0.05, n=100)) for _ in range(50)) <= 1


def test_another_model_than_the_best_is_said_once():
    (note,) = notes(np.random.default_rng(3), better=0.0, instead_of="a large model")
    assert note == (
        "The baseline that did best in cross-validation (a large model) cannot be fitted on all "
        "rows; the next best that can is used."
    )


def test_rows_that_were_not_learned_from_are_said():
    (note,) = notes(np.random.default_rng(3), better=0.0, learned_rows=1000, rows=2700)
    assert note.startswith("The baseline learned from 1\u202f000 of 2\u202f700 rows, drawn at ")
    assert "--baseline-rows" in note
    assert not notes(np.random.default_rng(3), better=0.0, learned_rows=2700, rows=2700)


def test_nothing_expected_nothing_compared():
    part = BaselinePredictions(
        values=np.zeros(50, dtype=np.int64),
        scores=np.ones(50),
        everybody=np.zeros(50, dtype=np.int64),
        model="most frequent value",
    )
    none = precision_recall_curve(np.ones(50), np.zeros(50, dtype=bool))
    assert baseline_notes([part], none) == ()


@pytest.mark.parametrize("share", [0.02, 0.5, 1.0])
def test_a_constant_in_place_of_a_good_model_is_said(share):
    rng = np.random.default_rng(4)
    n, right = 4000, np.zeros(4000, dtype=bool)
    right[: int(share * n)] = True
    sure = precision_recall_curve(np.where(right, 1.0, 0.1), right | (rng.random(n) < 0.1))
    part = BaselinePredictions(
        values=np.zeros(n, dtype=np.int64), scores=np.ones(n),
        everybody=np.zeros(n, dtype=np.int64), model="most frequent value",
        expected=best_measure(sure, ScoringParameters()),
    )  # fmt: skip
    constant = precision_recall_curve(np.ones(n), rng.random(n) < 0.1)
    assert baseline_notes([part], constant)
