import numpy as np
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.errors import AlcError, InputError

LOOP = alc.LoopParameters(resamples=100, min_targets=600, folds=3)
CHEAP = {"loop": LOOP, "families": (NaiveBayes(),)}
SCENARIO = alc.Scenario(["age", "city"], "job")


def by_mode(loop):
    """A row-at-a-time attack: the most frequent job of released people of the same age and city."""
    table = loop.released[0]
    for target in loop:
        same = table[(table["age"] == target["age"]) & (table["city"] == target["city"])]
        if same.empty:
            loop.abstain()
        else:
            jobs = same["job"].value_counts().sort_index()
            loop.predict(jobs.idxmax(), score=jobs.max() / jobs.sum())
    return loop.assessment


def test_row_loop_equals_the_same_attack_in_batches(people):
    class Batched:
        name = "own attack"
        accepts = (alc.Release,)

        def prepare(self, view, rng):
            table = view.tables[0]

            def predict(targets):
                values, scores, abstained = [], [], []
                for age, city in zip(targets.columns["age"], targets.columns["city"], strict=True):
                    same = (table.known.columns["age"] == age) & (
                        table.known.columns["city"] == city
                    )
                    counts = np.bincount(table.unknown[same], minlength=view.unknown.size)
                    values.append(counts.argmax())
                    scores.append(counts.max() / max(counts.sum(), 1))
                    abstained.append(counts.sum() == 0)
                return alc.Predictions.of(values, scores, abstained)

            return predict

    release = alc.swap_columns(people(), 0.3).query("age < 70")
    one = by_mode(alc.RowLoop(people(), release, SCENARIO, seed=2, **CHEAP))
    two = alc.assess(people(), release, SCENARIO, attack=Batched(), seed=2, **CHEAP)
    assert one.to_json() == two.to_json()
    assert one.abstentions > 0


def test_answers_are_checked(people):
    loop = alc.RowLoop(people(), people(), SCENARIO, **CHEAP)
    with pytest.raises(AlcError, match="has not ended"):
        _ = loop.assessment
    next(iter(loop))
    with pytest.raises(InputError, match="is unknown"):
        loop.predict("astronaut", score=1)
    rows = iter(alc.RowLoop(people(), people(), SCENARIO, **CHEAP))
    next(rows)
    with pytest.raises(AlcError, match="0 answers for 1 targets"):
        next(rows)
