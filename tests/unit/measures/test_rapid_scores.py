import numpy as np
import pytest

from alc_core.errors import ParameterError
from alc_core.measures.rapid import SCORES, category_scores, number_scores, shares_at_risk
from alc_core.studies.rapid.measuring import with_few
from alc_core.studies.rapid.result import RapidSettings
from alc_core.tables.table import ColumnKind

TRUTH = np.array([0, 0, 0, 1], dtype=np.int32)
PREVALENCE = np.array([0.75, 0.25])


def test_gain_is_the_part_of_the_way_from_prevalence_to_certainty():
    probability = np.array([0.75, 1.0, 0.5, 0.625])
    found = category_scores("gain", probability, TRUTH, PREVALENCE)
    assert found == pytest.approx([0.0, 1.0, -1.0, 0.5])
    assert SCORES["gain"].at_risk(found, 0.3).tolist() == [False, True, False, True]


def test_conditional_ratio_compares_with_people_of_the_same_value():
    probability = np.array([0.2, 0.4, 0.6, 0.5])
    found = category_scores("conditional", probability, TRUTH, PREVALENCE)
    assert found == pytest.approx([0.5, 1.0, 1.5, 1.0])
    assert SCORES["conditional"].at_risk(found, 1.0).sum() == 1


def test_normalized_cross_entropy_is_0_for_an_even_guess_and_1_for_certainty():
    found = category_scores("cross-entropy", np.array([0.5, 1.0, 0.25, 0.0]), TRUTH, PREVALENCE)
    assert found[:3] == pytest.approx([0.0, 1.0, -1.0])
    assert np.isfinite(found[3])
    assert found[3] < -100


@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.9])
def test_a_model_that_always_gives_the_shares_puts_nobody_at_risk(threshold):
    found = category_scores("gain", PREVALENCE[TRUTH], TRUTH, PREVALENCE)
    assert shares_at_risk(SCORES["gain"], found, np.array([threshold])) == [0.0]


@pytest.mark.parametrize("name", ["gain", "cross-entropy"])
def test_a_perfect_model_puts_everybody_at_risk(name):
    found = category_scores(name, np.ones(4), TRUTH, PREVALENCE)
    assert shares_at_risk(SCORES[name], found, np.array([0.3, 0.99])).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("name", ["gain", "cross-entropy"])
def test_a_value_that_all_have_says_nothing(name):
    everybody = np.zeros(3, dtype=np.int32)
    found = category_scores(name, np.ones(3), everybody, np.array([1.0, 0.0]))
    assert found.tolist() == [0.0, 0.0, 0.0]


def test_errors_of_numbers_by_hand():
    truth, predicted = np.array([100.0, 40.0]), np.array([90.0, 41.0])
    assert number_scores("absolute", truth, predicted) == pytest.approx([10.0, 1.0])
    assert number_scores("relative", truth, predicted) == pytest.approx([10 / 100.01, 1 / 40.01])
    symmetric = number_scores("symmetric", truth, predicted)
    assert symmetric == pytest.approx([20 / 190.02, 2 / 81.02])
    assert SCORES["symmetric"].at_risk(symmetric, 0.1).tolist() == [False, True]


def test_errors_at_zero_and_of_negative_numbers_are_defined():
    truth, predicted = np.array([0.0, 0.0, -5.0, -5.0]), np.array([0.0, 0.02, -5.0, 5.0])
    assert number_scores("symmetric", truth, predicted) == pytest.approx(
        [0.0, 1.0, 0.0, 20 / 10.02]
    )
    assert number_scores("relative", truth, predicted) == pytest.approx([0.0, 2.0, 0.0, 10 / 5.01])


def test_shares_count_strictly_above_a_threshold_and_below_a_tolerance():
    scores = np.array([0.1, 0.2, 0.2, 0.3])
    cuts = np.array([0.1, 0.2, 0.25])
    assert shares_at_risk(SCORES["gain"], scores, cuts).tolist() == [0.75, 0.25, 0.25]
    assert shares_at_risk(SCORES["symmetric"], scores, cuts).tolist() == [0.0, 0.25, 0.75]


def test_shares_of_resamples_weigh_people():
    scores = np.array([0.1, 0.5])
    found = shares_at_risk(SCORES["gain"], scores, np.array([0.3]), np.array([1.0, 3.0]))
    assert found.tolist() == [0.75]


@pytest.mark.parametrize(
    ("name", "cut"), [("gain", 1.0), ("gain", np.nan), ("symmetric", 0.0), ("absolute", np.inf)]
)
def test_a_cut_that_nobody_can_pass_is_refused(name, cut):
    with pytest.raises(ParameterError, match=r"tolerance|threshold"):
        SCORES[name].check(cut)


def test_settings_name_what_there_is():
    with pytest.raises(ParameterError, match="random forest"):
        RapidSettings(learner="oracle")
    with pytest.raises(ParameterError, match="symmetric"):
        RapidSettings(score="luck")
    with pytest.raises(ParameterError, match="'age' holds numbers, so score 'gain' does not fit"):
        RapidSettings(score="gain").score_of("age", ColumnKind.CONTINUOUS)
    with pytest.raises(ParameterError, match="'born' holds dates, so score 'relative'"):
        RapidSettings(score="relative").score_of("born", ColumnKind.DATETIME)
    assert RapidSettings().score_of("born", ColumnKind.DATETIME).name == "absolute"
    assert RapidSettings().score_of("job", ColumnKind.CATEGORICAL).name == "gain"


def test_an_interval_of_none_at_risk_is_not_a_point():
    shares, nothing = np.array([0.0, 0.02, 0.5]), np.zeros(3)
    low, high = with_few(shares, shares - 0.001, shares + 0.001, 100)
    assert low[0] <= 0.0
    assert 0.02 < high[0] < 0.05
    assert low[1] < 0.01 < 0.05 < high[1]
    assert (low[2], high[2]) == (0.499, 0.501)
    assert (with_few(shares, nothing, nothing + 1, 100)[0] == nothing).all()
