import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from msgspec import structs

import alc_core as alc
from alc_core import LoopParameters, Scenario, Targets, swap_columns
from alc_core.assessment.run import assess
from alc_core.baselines.families import NaiveBayes
from alc_core.phrasing import count, loss_text, percent
from alc_core.report.text import measures_csv, summary_text
from alc_core.review.attack_words import (
    changed_parameters,
    changed_verdict,
    deciding_sentence,
    file_stem,
    interval_text,
    plain_sentence,
    reviewer_questions,
    short_sentence,
    subject,
    targets_sentence,
    verdict_explanation,
    verdict_title,
)
from alc_core.scoring.outcomes import Outcomes
from alc_core.scoring.verdict import Verdict
from tests.toys.judged import assessment_of
from tests.toys.paired import curve_of, paired


def quick(original, release, scenario):
    """An assessment whose baseline is cheap: these tests are about words."""
    loop = LoopParameters(folds=2, resamples=200)
    return assess(original, release, scenario, families=(NaiveBayes(),), loop=loop)


def between(result):
    """A limit that lies in the intervals of both readings."""
    low, high = zip(*map(result.interval_of, ("alc", "alc_rest")), strict=True)
    assert max(low) < min(high)
    return (max(low) + min(high)) / 2


@pytest.fixture(scope="module")
def copied(people):
    """An assessment of a release that is the original: a serious loss."""
    frame = people(400)
    return quick(frame, frame.copy(), Scenario(["hours"], "job"))


def test_the_same_verdict_needs_no_word(copied):
    assert changed_verdict(copied, copied.rescore(alpha=2.9)) == ""


def test_a_verdict_that_depends_on_the_parameters_is_said(copied):
    assert copied.verdict is Verdict.SERIOUS
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


def test_a_loss_that_was_found_by_chains_that_did_not_converge_stays_one(copied):
    found = structs.replace(copied, converged=False)
    assert found.verdict is Verdict.SERIOUS
    assert verdict_explanation(found).startswith("The attack did not converge: ")


def test_a_loss_below_zero_is_no_number():
    assert loss_text(-3.2) == "no loss"
    assert loss_text(0.256) == "0.26"


def test_sentences_name_both_precisions_and_both_recalls(copied):
    sentence = plain_sentence(copied)
    assert sentence.startswith("Knowing hours, an attacker infers 'job' for")
    right, guess = copied.attack.measured_precision, copied.baseline_rest.measured_precision
    assert f"{percent(right)} are correct (best guess" in sentence
    assert sentence.endswith(f"(best guess: {percent(guess)}).")
    assert targets_sentence(copied).startswith("All 400 people were attacked.")


def test_inconclusive_names_both_sides_and_the_interval(copied):
    inconclusive = copied.rescore(at_risk=between(copied), serious=0.999)
    low, high = inconclusive.decisive_interval
    assert "The table has no more people." in verdict_explanation(inconclusive)
    assert inconclusive.verdict is Verdict.INCONCLUSIVE
    assert verdict_title(inconclusive) == "Inconclusive, perhaps at risk"
    told = verdict_explanation(inconclusive)
    assert f"The 95% interval, {low:.2f} to {high:.2f}, includes the limit" in told
    assert "Examine before publishing." in told


def test_at_risk_and_perhaps_worse_is_said(copied):
    perhaps = copied.rescore(serious=between(copied))
    assert perhaps.verdict is Verdict.AT_RISK
    assert verdict_title(perhaps) == "At risk, perhaps serious"
    assert verdict_explanation(perhaps).count("The loss may be serious: the interval reaches") == 1


def test_an_inconclusive_verdict_says_how_many_people_would_decide(copied):
    # Halfway from the loss to the nearer end of both intervals.
    lows, loss = max(copied.alc_interval[0], copied.alc_rest_interval[0]), copied.alc
    limit = lows + 0.5 * (min(loss, copied.alc_rest) - lows)
    inconclusive = copied.rescore(at_risk=limit, serious=0.999)
    (low, high), loss = inconclusive.decisive_interval, inconclusive.decisive_alc
    reach = loss - low if loss > limit else high - loss
    needed = (reach / (loss - limit)) ** 2 * 400
    assert 400 < needed < 40_000
    told = verdict_explanation(inconclusive)
    said = re.search(r"Settling it would take about ([0-9,]+)\.", told)[1]
    assert needed <= int(said.replace(",", "")) <= 1.1 * needed
    close = copied.rescore(at_risk=loss - 1e-4 * (loss - low), serious=0.999)
    assert close.decisive_alc == loss
    assert "The loss is too close to the limit" in verdict_explanation(close)


def test_an_interval_without_loss_says_so_once(shuffled, copied):
    assert shuffled.decisive_alc < 0
    high = shuffled.decisive_interval[1]
    expected = "95% interval: no loss throughout" if high <= 0 else f"no loss to {high:.2f}"
    assert interval_text(shuffled).endswith(expected)
    assert interval_text(copied.rescore(confidence=0.9)).startswith("90% interval 0.")


def test_every_verdict_is_explained(copied, shuffled):
    above = (max(copied.alc_interval[1], copied.alc_rest_interval[1]) + 1) / 2
    for result, verdict, says in (
        (shuffled, Verdict.NO_LOSS, "does no better than guessing. Other attacks"),
        (copied.rescore(at_risk=above, serious=1), Verdict.BELOW_LIMIT, "below 0."),
        (copied.rescore(serious=above), Verdict.AT_RISK, "How sensitive is the column?"),
        (copied, Verdict.SERIOUS, "Do not publish unchanged."),
        (
            copied.rescore(at_risk=between(copied), serious=0.999), Verdict.INCONCLUSIVE,
            "includes the limit of",
        ),
    ):  # fmt: skip
        assert result.verdict is verdict
        assert says in verdict_explanation(result)
        assert f"Verdict: {verdict_title(result)}" in summary_text(result).splitlines()


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
    assert result.attack.recall > 0.5
    assert result.baseline.recall < 0.2
    assert result.alc < result.alc_rest
    assert result.decisive == "alc_rest"
    assert result.verdict is Verdict.SERIOUS
    told = deciding_sentence(result)
    decides = f"ALC, hard to guess: {result.alc_rest:.2f} (95% interval "
    assert told.startswith(f"Decided by {decides}")
    assert "At risk: 0.5; serious: 0.75" in told
    assert f"The other is ALC, everyone: {loss_text(result.alc)} (" in told
    assert told in " ".join(summary_text(result).split())


def test_where_the_papers_reading_decides_it_says_so(copied):
    told = deciding_sentence(copied)
    titles = {"alc": "ALC, everyone: ", "alc_rest": "ALC, hard to guess: "}
    assert told.startswith(f"Decided by {titles[copied.decisive]}")
    assert told.count("%") >= 2


@pytest.fixture(scope="module")
def nothing_left(people):
    """An assessment of a column that follows from a known one."""
    frame = people(900)
    frame["region"] = frame["city"].map({"Ulm": "south", "Jena": "east"}).fillna("west")
    return quick(frame, frame.copy(), Scenario(["city"], "region"))


def test_nothing_left_is_told_as_neither_good_nor_bad(nothing_left):
    assert nothing_left.verdict is Verdict.NOT_TESTABLE
    assert verdict_title(nothing_left) == "Not testable"
    told = verdict_explanation(nothing_left)
    assert "are easy to guess" in told
    assert "Test a column that is harder to guess." in told
    assert deciding_sentence(nothing_left) == "So no loss counts here."
    assert nothing_left.inconclusive_between is None
    assert "Verdict: Not testable" in summary_text(nothing_left).splitlines()


def test_people_whom_a_guess_knows_are_told_apart():
    known, told = (np.arange(1000) < size for size in (600, 800))
    result = assessment_of(
        Outcomes.from_predictions(
            told * 1.0, told, known * 1.0, known & (np.arange(1000) % 100 > 1)
        )
    )
    plain = plain_sentence(result)
    assert plain == (
        "'job' can be guessed from age and city for 60% of people "
        "(98% correct). For the other 40%, the attack answers for 20% of everyone; 100% are "
        "correct (best guess: 0%)."
    )
    told = deciding_sentence(result)
    assert told.startswith("Decided by ALC, hard to guess: 0.94 (95% interval ")
    assert "Precision is capped at 95%." in told
    assert "The other is ALC, everyone: " in told


@pytest.mark.parametrize(
    ("attack", "guess", "said"),
    [
        (([1000], [999]), ([1000], [980]), "easy to guess"),
        (([970, 1000], [970, 985]), ([970, 1000], [923, 945]), "The other 30 of "),
    ],
)
def test_why_nothing_is_left_is_told(attack, guess, said):
    result = assessment_of(paired(curve_of(*attack), curve_of(*guess)))
    assert result.verdict is Verdict.NOT_TESTABLE
    told = verdict_explanation(result)
    assert said in told
    assert count(1000) in told


def mostly_without_hours(frame):
    """An assessment where four of five people work no hours."""
    rng = np.random.default_rng(0)
    frame["hours"] = np.where(rng.random(len(frame)) < 0.8, 0.0, frame["hours"])
    return quick(frame, frame.copy(), Scenario(["age", "city", "job"], "hours"))


def test_a_secret_in_ranges_is_said_to_be_one(people):
    result = mostly_without_hours(people(1500))
    assert result.candidates > 400
    note = "'hours' is cut into 20 ranges of about as many people each: "
    assert any(told.text.startswith(note) for told in result.notes)
    share = percent(result.down_sampled_share)
    plain = plain_sentence(result)
    assert "Here, “correct” means in the same one of 20 ranges." in plain
    of = "(best guess, of as many: "
    assert f" are correct within one of 20 ranges {of}" in short_sentence(result)
    exact = structs.replace(result, unknown_bins=None)
    assert f" are correct {of}" in short_sentence(exact)
    for settings, within in (({"level": "release"}, "one of 5 classes"), ({"tolerance": 5}, "5")):
        scenario = Scenario(["age", "city", "job"], "hours", **settings)
        other = structs.replace(result, scenario=scenario, unknown_bins=5)
        assert f" are correct within {within} {of}" in short_sentence(other)
    assert f"range makes up about half, not {share}." in plain
    told = targets_sentence(result)
    assert f"One range of 'hours' (of 20) makes up {share} of all people" in told
    assert f"limited to about half of {count(result.candidates)} people selected." in told
    assert "Everyone selected was attacked." in told


def test_of_few_people_more_than_half_may_have_the_most_frequent_value(people):
    result = mostly_without_hours(people(900))
    assert result.candidates == 400  # 196 have other hours
    share = percent(result.down_sampled_share)
    assert f"the most frequent range makes up half to two thirds, not {share}." in plain_sentence(
        result
    )
    note = "The most frequent value of 'hours' makes up 51% of these people"
    assert any(told.text.startswith(note) for told in result.notes)
    told = targets_sentence(result)
    assert "limited to half to two thirds of 400 people selected." in told


def test_a_balanced_label_is_a_value(people):
    frame = people(1500)
    frame.loc[np.random.default_rng(0).random(1500) < 0.7, "job"] = "clerk"
    result = quick(frame, frame.copy(), Scenario(["age"], "job"))
    assert "One value of 'job' makes up" in targets_sentence(result)
    assert "equal ranges" not in targets_sentence(result) + plain_sentence(result)
    assert "the most frequent value makes up about half" in plain_sentence(result)


def test_a_selection_says_how_many_could_be_targets(people):
    targets = Targets(where={"city": ("Ulm",)})
    scenario = Scenario(["age", "hours"], "job", targets=targets)
    result = quick(people(2000), people(2000), scenario)
    assert f"Only {result.candidates} could be targets." in targets_sentence(result)


def test_changed_parameters_are_listed(copied):
    assert changed_parameters(copied) == ""
    changed = copied.rescore(alpha=2.0, at_risk=0.4)
    assert changed_parameters(changed) == (
        "Changed after the run: alpha 3 → 2 and at-risk limit 0.5 → 0.4."
    )


def test_files_are_named_after_release_and_secret(copied):
    assert file_stem(copied) == "alc-release-1-job"
    assert subject(copied) == "release 1, against original"


def test_questions_use_the_attacks_own_names_and_numbers(people):
    frame = people(900)
    result = alc.assess(
        frame, frame.copy(), alc.Scenario(["age", "hours"], "job"), families=(NaiveBayes(),),
        loop=alc.LoopParameters(folds=2, resamples=100),
    )  # fmt: skip
    questions = dict(reviewer_questions(result))
    assert list(questions) == [
        "Sensitivity", "Known facts", "Reach", "Certainty", "Harm and gain", "Cost",
    ]  # fmt: skip
    assert "How sensitive is 'job'?" in questions["Sensitivity"]
    assert "Who could know age and hours about a person? Neighbours" in questions["Known facts"]
    expected = round(result.attack_rest.recall * 900)
    assert f"about {expected} of 900" in questions["Reach"]
    wrong = percent(1 - result.attack_rest.measured_precision)  # of the answers that are told above
    assert f"{wrong} of these are wrong" in questions["Certainty"]
    right = percent(result.attack_rest.measured_precision)
    assert f"{right} of all 900 answers are correct (best guess: " in short_sentence(result)
    assert "a contract, controlled access or a penalty" in questions["Cost"]


def test_the_short_sentence_tells_the_surest_answers_and_everyone(people):
    frame = people(900)
    result = alc.assess(
        frame, alc.swap_columns(frame, 0.4, seed=1), alc.Scenario(["age", "hours"], "job"),
        families=(NaiveBayes(),), loop=alc.LoopParameters(folds=2, resamples=100),
    )  # fmt: skip
    made = result.attack_rest.predictions
    assert made < 900
    surest, guess = (
        percent(each.measured_precision) for each in (result.attack_rest, result.baseline_rest)
    )
    everyone, guessed = (percent(right) for right in result.outcomes.joint[:, [1, 3]].mean(axis=0))
    said = short_sentence(result)
    assert said.count(str(made)) == 1, said
    whom = " about people hard to guess" if result.rest_share < 1 else ""
    assert f"{surest} of the {made} most certain answers{whom} and {everyone} of all 900" in said
    assert f"{guess} and {guessed}" in said
    joint = result.outcomes.joint  # where people who are all right stand for ten each, of everybody
    weights = np.where(joint[:, 1] & joint[:, 3], 10.0, 1.0)
    outcomes = replace(result.outcomes, weights=weights)
    balanced = short_sentence(structs.replace(result, down_sampled_share=0.8, outcomes=outcomes))
    all_right, all_guessed = (
        percent(float(np.average(right, weights=weights))) for right in joint[:, [1, 3]].T
    )
    of_some = f"are correct (best guess, of as many: {guess})"
    assert f"{of_some}. About all people: {all_right} (" in balanced
    assert balanced.endswith(f"(best guess: {all_guessed}).")
    assert all_right != everyone


@pytest.mark.parametrize("recall", ["group", "population"])
def test_reach_is_told_of_all_people_also_where_some_were_selected(people, recall):
    frame = people(900)
    few = frame["city"].value_counts().index[-1]
    targets = alc.Targets(where={"city": few}, recall=recall)
    result = alc.assess(
        frame, frame.copy(), alc.Scenario(["age", "hours"], "job", targets=targets),
        families=(NaiveBayes(),), loop=alc.LoopParameters(folds=2, resamples=100),
    )  # fmt: skip
    reach = dict(reviewer_questions(result))["Reach"]
    answers = result.attack_rest.predictions
    if result.down_sampled_share is None:
        assert f"about {answers} of 900" in reach
        assert answers <= (frame["city"] == few).sum()
