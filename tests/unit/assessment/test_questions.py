import alc_core as alc
from alc_core.assessment.questions import reviewer_questions
from alc_core.baselines.families import NaiveBayes


def test_questions_use_the_attacks_own_names_and_numbers(people):
    frame = people(900)
    result = alc.assess(
        frame, frame.copy(), alc.Scenario(["age", "hours"], "job"), families=(NaiveBayes(),),
        loop=alc.LoopParameters(folds=2, resamples=100),
    )  # fmt: skip
    questions = {question.topic: question.text for question in reviewer_questions(result)}
    assert list(questions) == [
        "Sensitivity", "Known facts", "Reach", "Certainty", "Harm and gain", "Cost",
    ]  # fmt: skip
    assert "their job?" in questions["Sensitivity"]
    assert "get to know age and hours of a person? These are few facts" in questions["Known facts"]
    expected = round(result.attack.recall * 900)
    assert f"about {expected} of 900" in questions["Reach"]
    assert "were coarser" in questions["Cost"]
