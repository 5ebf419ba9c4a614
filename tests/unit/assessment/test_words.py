from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from alc_core import LoopParameters, Scenario, Targets, swap_columns
from alc_core.assessment.assess import assess
from alc_core.assessment.target_words import targets_sentence
from alc_core.assessment.words import (
    caution,
    changed_parameters,
    changed_verdict,
    file_stem,
    interval_text,
    loss_text,
    plain_sentence,
    subject,
    verdict_explanation,
    verdict_title,
)
from alc_core.baselines.families import NaiveBayes
from alc_core.phrasing import percent
from alc_core.report.text import measures_csv, summary_text
from alc_core.scoring.verdict import Verdict


def quick(original, release, scenario):
    """An assessment whose baseline is cheap: these tests are about words."""
    loop = LoopParameters(folds=2, resamples=200)
    return assess(original, release, scenario, families=(NaiveBayes(),), loop=loop)


@pytest.fixture(scope="module")
def copied(people):
    """An assessment of a release that is the original: a serious loss."""
    frame = people(400)
    return quick(frame, frame.copy(), Scenario(["hours"], "job"))


def test_the_same_verdict_needs_no_word(copied):
    assert changed_verdict(copied, copied.rescore(alpha=2.9)) == ""


def test_a_verdict_that_depends_on_the_parameters_is_said(copied):
    assert copied.alc > 0.9
    lenient = copied.rescore(at_risk=0.995, serious=1.0)
    assert changed_verdict(copied, lenient).startswith(
        "Serious loss of anonymity under the run's parameters, "
    )
    assert changed_verdict(copied, lenient).endswith(" now.")


@pytest.fixture(scope="module")
def shuffled(people):
    """An assessment of independent columns: no loss."""
    release = swap_columns(people(900), 1)
    return quick(people(900), release, Scenario(["hours", "age"], "job"))


def test_a_loss_below_zero_is_no_number():
    assert loss_text(-3.2) == "no loss"
    assert loss_text(0.256) == "0.26"


def test_sentences_name_both_precisions_and_both_recalls(copied):
    sentence = plain_sentence(copied)
    assert sentence.startswith("Someone who knows hours of a person, and has the release")
    assert "right in 100 % of these cases" in sentence
    assert "Without the person's own record, the best guess made for" in sentence
    assert targets_sentence(copied).startswith("All 400 people were attacked.")


def test_undecided_names_both_sides_and_the_interval(copied):
    low, high = copied.alc_interval
    undecided = copied.rescore(at_risk=(low + high) / 2, serious=0.999)
    assert undecided.verdict is Verdict.UNDECIDED
    assert verdict_title(undecided) == "Undecided between “safe” and “at risk”"
    assert f"({low:.2f} to {high:.2f})" in verdict_explanation(undecided)


def test_an_interval_without_loss_says_so_once(shuffled, copied):
    assert shuffled.alc < 0
    high = shuffled.alc_interval[1]
    expected = "95 % interval: no loss throughout" if high <= 0 else f"no loss to {high:.2f}"
    assert interval_text(shuffled).endswith(expected)
    assert interval_text(copied.rescore(confidence=0.9)).startswith("90 % interval 0.9")


def test_every_verdict_is_explained(copied, shuffled):
    low, high = copied.alc_interval
    above = (high + 1) / 2
    for result, verdict, says in (
        (shuffled, Verdict.NO_LOSS, "gains nothing over the baseline. This is about this attack"),
        (copied.rescore(at_risk=above, serious=1), Verdict.SAFE, "but less than the limit of 0.9"),
        (copied.rescore(serious=above), Verdict.AT_RISK, "how sensitive is the attribute?"),
        (copied, Verdict.SERIOUS, "Do not release this as it is without examining this attack."),
        (
            copied.rescore(at_risk=(low + high) / 2, serious=0.999), Verdict.UNDECIDED,
            "lies on both sides of a limit. The table has no more people to attack",
        ),
    ):  # fmt: skip
        assert result.verdict is verdict
        assert says in verdict_explanation(result)
        assert summary_text(result).startswith(f"Verdict: {verdict_title(result)}")


def test_curves_as_csv_mark_the_chosen_points(copied):
    table = pd.read_csv(io.StringIO(measures_csv(copied)))
    assert set(table["side"]) == {"attack", "baseline"}
    chosen = table[table["chosen"]].set_index("side")
    assert chosen.loc["attack", "prc"] == copied.attack.prc
    assert chosen.loc["baseline", "predictions"] == copied.baseline.predictions
    assert len(chosen) == 2


@pytest.fixture(scope="module")
def sure_of_few():
    """An assessment of a good attack, where the baseline is sure of people without a value."""
    rng = np.random.default_rng(0)
    n = 3000
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "hours": rng.normal(38, 8, n).round(2),
            "job": rng.choice(list("abcdefgh"), n),
        }
    )
    frame.loc[:200, ["hours", "job"]] = [np.nan, "unknown"]
    release = swap_columns(frame, 0.05, seed=1)
    return quick(frame, release, Scenario(["age", "hours"], "job", targets=Targets(missing=None)))


def test_a_baseline_that_is_sure_of_few_does_not_hide_a_good_attack(sure_of_few):
    result = sure_of_few
    assert result.verdict is Verdict.NO_LOSS
    assert result.attack.recall > 0.5
    assert caution(result).startswith("Mixed evidence: for ")
    assert "serious loss of anonymity" in caution(result)
    assert "nearly sure" in caution(result)
    assert "though, the attack is clearly better" in verdict_explanation(result)
    assert "Mixed evidence" in summary_text(result)


def test_a_caution_says_how_right_the_baseline_is_where_it_is_not_sure(sure_of_few):
    unsure = sure_of_few.rescore()
    unsure.__dict__["baseline"] = replace(
        sure_of_few.baseline, recall=0.331, measured_precision=0.734
    )
    right = "the baseline answers for only 33 % of people and is right in 73 % of these cases."
    assert right in caution(unsure)
    assert "nearly sure" not in caution(unsure)


def test_a_secret_in_ranges_is_said_to_be_one(people):
    frame = people(900)
    frame["hours"] = np.where(np.random.default_rng(0).random(900) < 0.8, 0.0, frame["hours"])
    result = quick(frame, frame.copy(), Scenario(["age", "city", "job"], "hours"))
    note = "'hours' is a number or date, cut into 20 equal ranges: a prediction is right if it "
    assert any(told.startswith(note) for told in result.notes)
    share = percent(result.down_sampled_share)
    plain = plain_sentence(result)
    assert "Here, “right” means in the same one of 20 equal ranges." in plain
    assert (
        f"range is about half. Of all people it is {share}: naming it for everybody would be"
        in plain
    )
    told = targets_sentence(result)
    assert (
        "One range of hours (of the 20 equal ranges that its values are cut into) makes up "
        f"{share} of all people."
    ) in told
    assert f"as many as people without it. Together, {result.candidates} could be targets." in told
    assert "Every person who could be a target has been one." in told


def test_a_balanced_label_is_a_value(people):
    frame = people(1500)
    frame.loc[np.random.default_rng(0).random(1500) < 0.7, "job"] = "clerk"
    result = quick(frame, frame.copy(), Scenario(["age"], "job"))
    assert "One value of job makes up" in targets_sentence(result)
    assert "equal ranges" not in targets_sentence(result) + plain_sentence(result)
    assert "the most frequent value is about half" in plain_sentence(result)


def test_a_selection_says_how_many_could_be_targets(people):
    targets = Targets(where={"city": ("Ulm",)})
    scenario = Scenario(["age", "hours"], "job", targets=targets)
    result = quick(people(2000), people(2000), scenario)
    assert f"Only {result.candidates} could be targets." in targets_sentence(result)


def test_no_caution_where_the_verdict_is_plain(copied, shuffled):
    assert caution(copied) == ""
    assert caution(shuffled) == ""


def test_changed_parameters_are_listed(copied):
    assert changed_parameters(copied) == ""
    changed = copied.rescore(alpha=2.0, at_risk=0.4)
    assert changed_parameters(changed) == (
        "Changed after the run: alpha 3 → 2 and at risk from 0.5 → 0.4."
    )


def test_files_are_named_after_release_and_secret(copied):
    assert file_stem(copied) == "alc-release-1-job"
    assert subject(copied) == "release 1, against original"
