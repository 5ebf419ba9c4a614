"""People without a value of the unknown attribute are no targets, from tables to words."""

from pathlib import Path

import numpy as np
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.explain.trace import trace_attack
from alc_core.releases.registry import as_release
from alc_core.report.text import summary_text
from alc_core.review.attack_words import targets_sentence

LOOP = alc.LoopParameters(resamples=100, min_targets=600, folds=3)
KNOWN = ["age", "city", "hours"]
DATA = Path(__file__).parents[2] / "data"


def assess(original, release, scenario):
    return alc.assess(original, release, scenario, families=(NaiveBayes(),), loop=LOOP, seed=3)


@pytest.fixture(scope="module")
def frame(people):
    frame = people()
    frame.loc[:199, "job"] = "?"
    frame.loc[200:299, "job"] = None
    return frame


@pytest.fixture(scope="module")
def left_out(frame):
    return assess(frame, frame.copy(), alc.Scenario(KNOWN, "job", targets="all"))


def test_the_result_says_who_was_left_out(left_out):
    assert left_out.scenario.selection.missing == {"job": ("?",)}
    assert (left_out.attempts, left_out.candidates) == (1200, 1200)
    assert (left_out.without_value, left_out.without_value_share) == (300, 0.2)
    plain = left_out.to_dict()
    assert (plain["without_value"], plain["without_value_share"]) == (300, 0.2)
    assert plain["scenario"]["targets"]["missing"] == {"job": ("?",)}
    note = "300 of 1,500 people (20%) are not attacked, without 'job' (an empty cell or '?')."
    assert note in map(str, left_out.notes)
    told = targets_sentence(left_out)
    assert "Only 1,200 could be targets: 300 (20% of all) have no 'job'." in told
    assert "have no 'job'" in " ".join(summary_text(left_out).split())


def test_it_goes_through_json_and_comes_out_again(left_out, frame):
    back = alc.Assessment.from_json(left_out.to_json())
    assert back == left_out
    assert assess(frame, frame.copy(), back.scenario).to_json() == left_out.to_json()
    release = as_release(alc.table_from_frame(frame, name="release"))
    trace = trace_attack(
        alc.table_from_frame(frame, name="original"), release, back, families=(NaiveBayes(),)
    )
    assert trace.same
    assert trace.rows.min() >= 300


def test_they_are_attacked_if_asked_for(frame):
    everybody = alc.Targets(count="all", missing=None)
    result = assess(frame, frame.copy(), alc.Scenario(KNOWN, "job", targets=everybody))
    assert (result.attempts, result.without_value) == (1500, 0)
    assert "All 1,500 people were attacked." in targets_sentence(result)
    assert "(1.3%) may be too few to find" in targets_sentence(result)
    assert not any("no value" in note.text for note in result.notes)


def test_only_empty_cells_or_other_values_can_be_named(frame):
    for values, count in (((), 1400), (("?", "clerk"), None)):
        targets = alc.Targets(count="all", missing={"job": values})
        result = assess(
            frame, frame.copy(), alc.Scenario(KNOWN, "job", targets=targets, down_sample=False)
        )
        expected = int((~frame["job"].isin([*values, None])).sum())
        assert result.attempts == expected == (count or expected)


def test_without_them_the_baseline_is_not_sure_of_anybody(people):
    """The one group that the baseline knows for sure is that of people without an answer."""
    frame = people(2000)
    rng = np.random.default_rng(99)
    frame["job"] = rng.choice(list("abcdefgh"), 2000)
    frame.loc[:200, "job"] = "unknown"
    frame.loc[:200, "hours"] = np.nan
    release = alc.swap_columns(frame, 0.05, seed=1)
    scenario = alc.Scenario(["age", "hours"], "job", targets="all")
    everybody = alc.Scenario(
        ["age", "hours"], "job", targets=alc.Targets(count="all", missing=None)
    )
    before = assess(frame, release, everybody)
    assert before.baseline.measured_interval[0] > 0.95
    assert before.baseline.recall == pytest.approx(0.1, abs=0.01)
    assert before.alc < 0.5
    result = assess(frame, release, scenario)
    curve = result.outcomes.baseline
    share = curve.true_predictions / curve.predictions
    assert share[curve.predictions >= 50].max() < 0.3
    assert result.baseline.measured_interval[0] < 0.2  # by the few whom it is surest of
    assert result.baseline_rest.measured_precision < 0.2
    assert min(result.alc, result.alc_rest) > 0.5


def test_markers_of_a_number_have_a_range_of_their_own(people):
    frame = people(1500)
    frame.loc[:99, "hours"] = 999.0
    release = frame.copy()
    result = assess(frame, release, alc.Scenario(["age", "city", "job"], "hours", targets="all"))
    assert result.without_value == 100
    stretched = alc.Targets(count="all", missing=None)
    everybody = alc.Scenario(["age", "city", "job"], "hours", targets=stretched, down_sample=False)
    before = assess(frame, release, everybody)
    for one in (before, result):  # not all real hours in one range, even where 999 is a target
        assert one.outcomes.baseline.true_predictions.max() / one.attempts < 0.5
    assert result.down_sampled_share is None


def test_too_few_with_a_value_says_so(people):
    frame = people(1500)
    frame.loc[40:, "job"] = "n/a"
    result = assess(frame, frame.copy(), alc.Scenario(KNOWN, "job"))
    assert result.candidates <= 40
    told = " ".join(map(str, result.notes))
    assert "1,460 of 1,500 people (97%) are not attacked" in told
