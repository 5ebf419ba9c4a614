from dataclasses import replace

from alc_core.scoring.verdict import Verdict
from alc_core.studies.learning.result import GroupStudy, NoiseStudy
from alc_core.studies.learning.study import CountsExample, example_sentence
from alc_core.studies.learning.words import (
    belief_sentence,
    convergence_sentence,
    groups_sentence,
    noise_sentence,
    run_sentence,
)
from tests.toys.learning import accuracy, group_point, made_study, noise_point

EXAMPLE = CountsExample(
    original="people.csv", fingerprint="f", unknown="job", known=("age",), epsilon=1.0, people=900,
    accuracy=0.34, baseline_accuracy=0.36, commonest=0.13, alc=-0.4, interval=(-0.6, -0.1),
    verdict=Verdict.NO_LOSS,
)  # fmt: skip


def noise(*points):
    return NoiseStudy(points=points, tables=2, cells=60)


def test_the_run_is_told_with_its_columns_sizes_and_seed():
    assert run_sentence(made_study()) == (
        "Unknown: 'job' (6 values). Known: 'age' and 'sex'. Counts and groups: 8,000 rows of "
        "'people.csv', 2,000 drawn at random are held out. Counts: 2 values of ε, 10 draws of "
        "noise. Groups: 1 chain of 40 rounds. Seed 0."
    )
    own = run_sentence(made_study(own_holdout=True))
    assert "2,000 of another table are held out" in own
    assert "held out" not in run_sentence(made_study(held_out=0))


def test_equal_accuracy_on_strangers_is_knowledge_of_the_population():
    text = noise_sentence(made_study())
    assert "With ε" not in text
    assert "51% (50% to 52%) of their people" in text
    assert "most frequent value: 20%" in text
    assert "as often (50%): it learns about the population" in text
    assert "ε = 1 or more keeps 90%" in text


def test_lower_accuracy_on_strangers_is_knowledge_of_the_people():
    study = made_study(noise=noise(noise_point(1.0, (0.6,), (0.3,))))
    assert "only 30%: the counts expose their people" in noise_sentence(study)


def test_a_classifier_no_better_than_the_commonest_value_tells_next_to_nothing():
    study = made_study(noiseless_members=accuracy(0.203))
    assert "the known columns reveal little" in noise_sentence(study)


def test_without_a_holdout_or_enough_noise_levels_that_is_said():
    study = made_study(noise=noise(noise_point(0.1, (0.25,), ())))
    text = noise_sentence(study)
    assert "Nobody was held out" in text
    assert "every ε tried removes much of this" in text
    assert noise_sentence(made_study(noise=None)) == "No counts were studied."


def test_the_sure_ones_are_told_with_their_share():
    text = belief_sentence(made_study())
    assert "over 80% certain about 10% of people in the counts; 90% are correct" in text
    assert "About others: 10%, 90% correct" in text


def test_of_too_few_or_no_sure_ones_no_accuracy_is_told():
    few = made_study(noise=noise(noise_point(1.0, (0.5,), share=0.001)))
    assert "about 8 of 8,000 people in the counts: too few" in belief_sentence(few)
    none = made_study(noise=noise(noise_point(1.0, (0.5,), believed=None, share=0.0)))
    assert "certain about nobody" in belief_sentence(none)


def test_belief_that_comes_from_noise_is_called_so():
    points = noise_point(0.01, (0.2,), believed=0.2, share=0.7), noise_point(1.0, (0.5,))
    text = belief_sentence(made_study(noise=noise(*points)))
    assert "At ε = 0.01, of 70% only 20% are correct" in text


def test_groups_are_compared_with_the_promise_and_with_the_population():
    tight = groups_sentence(made_study(), 1)
    assert "Tight groups with ℓ = 4 promise 25%" in tight
    assert "the deFinetti attack reaches 50% (permutation)" in tight
    assert "For ℓ = 2, it beats exact counts" in tight
    assert "Two groups merged into one" in groups_sentence(made_study(), 2)


def test_groups_that_give_nobody_away_are_said_to():
    study = made_study(
        groups=GroupStudy(points=(group_point(4, permutation=0.5, group=0.5),), impossible={})
    )
    assert "It never beats exact counts" in groups_sentence(study, 1)


def test_impossible_diversities_are_told_even_without_any_group():
    none = made_study(groups=GroupStudy(points=(), impossible={5: "Because.", 6: "Also."}))
    assert groups_sentence(none, 1) == (
        "No groups were made. Not possible here: ℓ = 5 and 6. Because."
    )
    assert convergence_sentence(none, 1) == "No groups were made."


def test_chains_that_still_move_are_called_so():
    assert "After 40 rounds, the attack has settled" in convergence_sentence(made_study(), 1)
    moving = group_point(3, settles=False)
    study = made_study(groups=GroupStudy(points=(group_point(2), moving), impossible={}))
    text = convergence_sentence(study, 1)
    assert "still changes for ℓ = 3" in text
    assert "Run more rounds" in text


def test_the_example_tells_success_from_loss():
    text = example_sentence(EXAMPLE)
    assert "34% of people. Best guess: 36%; most frequent value: 13%" in text
    assert text.endswith("reveals no more about these people: no loss.")


def test_the_example_claims_nothing_that_its_verdict_does_not():
    safe = replace(EXAMPLE, alc=0.1, verdict=Verdict.BELOW_LIMIT)
    assert "hardly more about these people" in example_sentence(safe)
    open_ = replace(EXAMPLE, alc=0.6, interval=(0.2, 0.9), verdict=Verdict.INCONCLUSIVE)
    assert "Perhaps no loss: ALC 0.60, interval 0.20 to 0.90" in example_sentence(open_)
    lost = replace(EXAMPLE, alc=0.8, verdict=Verdict.SERIOUS)
    assert "ALC 0.80: part of it" in example_sentence(lost)
