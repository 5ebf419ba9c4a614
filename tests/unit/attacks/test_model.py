"""The model attack: what it learns, from which tables, and that nothing else moves it."""

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.attacks.model import ModelAttack
from alc_core.attacks.protocol import check_predictions, notes_of
from alc_core.baselines.families import NaiveBayes
from alc_core.baselines.forest import Forest
from alc_core.errors import InputError, ParameterError
from tests.toys import attacked

KINDS = {"town": "categorical", "age": "continuous", "sex": "categorical", "job": "categorical"}
JOBS = ["clerk", "nurse", "smith"]


def people(n, seed, *, missing=0.0):
    """A job that follows from town and age, except for every fifth person."""
    rng = np.random.default_rng(seed)
    town, age = rng.integers(0, 4, n), rng.integers(18, 78, n)
    job = (town + age // 20) % 3
    job = np.where(rng.random(n) < 0.2, rng.integers(0, 3, n), job)
    frame = pd.DataFrame(
        {
            "town": np.array(["Bonn", "Jena", "Kiel", "Ulm"], dtype=object)[town],
            "age": age.astype(float),
            "sex": rng.choice(["f", "m"], n),
            "job": np.array(JOBS, dtype=object)[job],
        }
    )
    for column in frame:
        frame.loc[rng.random(n) < missing, column] = None
    return frame


def prepared(original, *released, known=("town", "age", "sex"), unknown="job", **options):
    """The scenario's view and the original's known values, with the kinds that are meant."""
    kinds = {name: kind for name, kind in KINDS.items() if name in original}
    made = attacked.prepared(original, released, known, unknown, kinds=kinds, **options)
    return made.view, made.targets


def predictions(view, targets, *, family="naive Bayes", seed=0):
    predict = ModelAttack(family=family).prepare(view, np.random.default_rng(seed))
    found = predict(targets.known)
    check_predictions(found, len(targets.known), view.unknown.size, "model")
    return found


def accuracy(found, targets):
    return float(np.mean(found.values == targets.unknown))


def one_hot(frame):
    return pd.get_dummies(frame[["town", "sex"]]).assign(age=frame["age"]).to_numpy(dtype=float)


def test_it_predicts_strangers_as_well_as_a_plain_model_of_the_released_rows():
    from sklearn.ensemble import RandomForestClassifier

    release, strangers = people(3000, 1), people(3000, 2)
    view, targets = prepared(strangers, release)
    plain = RandomForestClassifier(100, min_samples_leaf=10, random_state=0)
    plain.fit(one_hot(release), release["job"])
    expected = np.mean(plain.predict(one_hot(strangers)) == strangers["job"])
    for family in ("best", "gradient boosting", "random forest"):
        found = predictions(view, targets, family=family)
        assert accuracy(found, targets) == pytest.approx(expected, abs=0.015)
        sure = found.scores >= np.median(found.scores)
        assert found.scores.mean() == pytest.approx(accuracy(found, targets), abs=0.05)
        assert np.mean((found.values == targets.unknown)[sure]) >= accuracy(found, targets)


def test_the_likeliest_value_is_predicted_with_its_probability_as_score():
    view, targets = prepared(people(500, 1), people(500, 2))
    found = predictions(view, targets, family="best")
    assert found.probabilities.shape == (500, len(JOBS) + 1)
    assert found.probabilities.sum(axis=1) == pytest.approx(np.ones(500))
    assert np.array_equal(found.values, found.probabilities.argmax(axis=1))
    assert np.array_equal(found.scores, found.probabilities.max(axis=1))
    assert not found.abstained.any()


def test_very_many_values_are_predicted_without_the_probability_of_each(monkeypatch):
    view, targets = prepared(people(500, 1), people(400, 2))
    with_all = predictions(view, targets)
    monkeypatch.setattr("alc_core.attacks.model.MOST_CODES", 2)
    without = predictions(view, targets)
    assert without.probabilities is None
    assert np.array_equal(without.values, with_all.values)
    assert without.scores == pytest.approx(with_all.scores)


def test_same_seed_same_predictions_in_any_batches():
    view, targets = prepared(people(800, 1, missing=0.1), people(800, 2, missing=0.1))
    whole = predictions(view, targets, family="best", seed=3)
    again = ModelAttack().prepare(view, np.random.default_rng(3))
    parts = [again(targets.known.take(rows)) for rows in np.array_split(np.arange(800), 7)]
    assert np.array_equal(whole.values, np.concatenate([part.values for part in parts]))
    assert np.array_equal(whole.scores, np.concatenate([part.scores for part in parts]))


def test_the_model_is_fitted_once_however_many_batches(monkeypatch):
    fitted = []
    fit = NaiveBayes.fit
    monkeypatch.setattr(NaiveBayes, "fit", lambda *given: fitted.append(1) or fit(*given))
    alc.assess(
        people(900, 1), people(900, 2), alc.Scenario(["town", "age"], "job"),
        attack="model: family=naive Bayes", families=(Forest("forest", 10, 10),),
        loop=alc.LoopParameters(batch=50),
    )  # fmt: skip
    assert len(fitted) == 1


def test_tables_with_the_same_columns_are_learned_from_together():
    release = people(2000, 2)
    view, targets = prepared(people(1000, 1), release)
    parts = (release[:700], release[700:][["job", "sex", "town", "age"]])
    apart, _ = prepared(people(1000, 1), *parts)
    together, split = (predictions(each, targets) for each in (view, apart))
    assert np.array_equal(together.values, split.values)
    assert np.array_equal(together.scores, split.scores)


def test_of_tables_with_different_columns_the_surest_model_predicts():
    release = people(2000, 2)
    tables = (release[["town", "age", "job"]], release[["sex", "job"]], release[["town", "sex"]])
    view, targets = prepared(people(1000, 1), *tables)
    found = predictions(view, targets)
    each = [predictions(prepared(people(1000, 1), t)[0], targets) for t in tables[:2]]
    expected = np.maximum(each[0].scores, each[1].scores)
    assert found.scores == pytest.approx(expected)
    surest = np.where(each[0].scores >= each[1].scores, each[0].values, each[1].values)
    assert np.array_equal(found.values, surest)


def test_a_column_that_a_table_lacks_is_left_out():
    view, targets = prepared(people(1000, 1), people(1000, 2).drop(columns="age"))
    alike, others = prepared(people(1000, 1), people(1000, 2), known=("town", "sex"))
    assert np.array_equal(predictions(view, targets).scores, predictions(alike, others).scores)


def test_missing_values_and_values_that_others_do_not_have():
    original, release = people(600, 1, missing=0.2), people(600, 2, missing=0.2)
    original.loc[:50, "town"] = "Only in the original"
    release.loc[:50, "town"] = "Only in the release"
    release.loc[300:400, "job"] = "Only in the release"
    original["age"] = original["age"] * 10
    for family in ("best", "gradient boosting", "deep random forest", "logistic regression"):
        view, targets = prepared(original, release)
        found = predictions(view, targets, family=family)
        assert np.isfinite(found.scores).all()


def test_more_categories_than_boosting_takes():
    rng = np.random.default_rng(0)
    towns = np.array([f"town {number:03d}" for number in range(400)], dtype=object)
    original, release = people(3000, 1), people(3000, 2)
    for frame in (original, release):
        frame["town"] = rng.choice(towns, len(frame))
    view, targets = prepared(original, release)
    assert np.isfinite(predictions(view, targets, family="gradient boosting").scores).all()


@pytest.mark.parametrize("rows", [1, 2, 3, 12])
def test_a_release_of_few_rows(rows):
    view, targets = prepared(people(300, 1), people(rows, 2))
    found = predictions(view, targets, family="best")
    assert np.isin(found.values, view.tables[0].unknown).all()


def test_a_release_with_one_value():
    view, targets = prepared(people(300, 1), people(300, 2).assign(job="smith"))
    found = predictions(view, targets, family="best")
    assert set(found.values) == {JOBS.index("smith")}
    assert set(found.scores) == {1.0}


def test_a_continuous_unknown_is_predicted_as_a_range():
    view, targets = prepared(
        people(800, 1, missing=0.05), people(800, 2), known=("town", "job"), unknown="age", bins=3
    )
    assert accuracy(predictions(view, targets, family="random forest"), targets) > 0.5


def test_labels_that_stand_for_several_values_are_learned():
    original, release = people(3000, 1, missing=0.05), people(3000, 2)
    labels = ["18-37", "38-57", "58-77"]
    release["age"] = pd.cut(release["age"], [17, 37, 57, 77], labels=labels).astype(object)
    release.loc[::9, "age"] = "*"
    release["town"] = release["town"].where(release["town"].isin(["Ulm", "Bonn"]), "J or K")
    ages = {"18-37": alc.Interval(18, 37), "38-57": alc.Interval(38, 57),
            "58-77": alc.Interval(58, 77), "*": alc.Interval()}  # fmt: skip
    towns = {"J or K": {"Jena", "Kiel"}}
    table = alc.table_from_frame(release, name="release")
    table = table.with_value_sets("age", ages).with_value_sets("town", towns)
    view, targets = prepared(original, table)
    without, _ = prepared(original, release.drop(columns=["age", "town"]))
    found = accuracy(predictions(view, targets), targets)
    assert found > accuracy(predictions(without, targets), targets) + 0.1


def test_a_target_gets_the_commonest_of_equally_near_labels():
    original = people(300, 1)
    release = people(300, 2).assign(age="18-77", job="clerk")
    release.loc[:50, "age"], release.loc[:50, "job"] = "18 to 77", "smith"
    sets = {"18-77": alc.Interval(18, 77), "18 to 77": alc.Interval(18, 77)}
    table = alc.table_from_frame(release, name="release").with_value_sets("age", sets)
    view, targets = prepared(original, table, known=("age",))
    assert set(predictions(view, targets).values) == {JOBS.index("clerk")}


def test_at_most_so_many_rows_are_learned_from(monkeypatch):
    monkeypatch.setattr("alc_core.attacks.model._MAX_ROWS", 300)
    learned = []
    fit = NaiveBayes.fit
    monkeypatch.setattr(
        NaiveBayes, "fit", lambda *given: learned.append(len(given[1])) or fit(*given)
    )
    view, targets = prepared(people(1000, 1), people(1000, 2))
    predictions(view, targets)
    assert learned == [300]


def test_a_family_that_is_not_there_or_does_not_suit_is_refused():
    with pytest.raises(ParameterError, match="family must be 'best' or 'gradient boosting'"):
        alc.make_attack("model: family=oracle")
    many = people(2000, 2).assign(job=[f"job {row % 100:02d}" for row in range(2000)])
    view, _ = prepared(many, many)
    attack = alc.make_attack("model: family=gradient boosting")
    expected = (
        "'model: family=gradient boosting' cannot fit gradient boosting to 'job': 100 values are "
        "too many. Choose 'best'."
    )
    with pytest.raises(InputError, match=expected):
        attack.prepare(view, np.random.default_rng(0))


def test_rows_that_were_learned_by_heart_are_a_loss_and_a_shuffled_column_is_none():
    original = people(1500, 1).assign(age=np.random.default_rng(0).random(1500))
    scenario = alc.Scenario(["age"], "job", targets="all")
    attack = "model: family=deep random forest"
    kept, shuffled = (
        alc.assess(original, release, scenario, attack=attack, families=(NaiveBayes(),))
        for release in (
            original,
            original.assign(job=original["job"].sample(frac=1, random_state=0).to_numpy()),
        )
    )
    assert kept.verdict is alc.Verdict.SERIOUS
    assert shuffled.verdict not in (alc.Verdict.AT_RISK, alc.Verdict.SERIOUS)
    assert shuffled.alc_interval[0] < 0 < kept.alc_interval[0]


def test_exact_matches_come_before_the_model():
    release, strangers = people(600, 1), people(400, 2)
    view, targets = prepared(strangers, release)
    plain = predictions(view, targets)
    predict = ModelAttack(family="naive Bayes", exact_first=True).prepare(
        view, np.random.default_rng(0)
    )
    found = predict(targets.known)
    check_predictions(found, len(targets.known), view.unknown.size, "model")
    facts = ["town", "age", "sex"]
    for row in range(len(strangers)):
        alike = release[(release[facts] == strangers.iloc[row][facts]).all(axis=1)]["job"]
        if alike.empty:
            assert found.values[row] == plain.values[row]
            assert found.scores[row] == plain.scores[row]
        else:
            shares = alike.value_counts(normalize=True)
            assert found.scores[row] == pytest.approx(shares.max())
            assert view.unknown.labels[found.values[row]] in shares[shares == shares.max()].index
    assert 0 < (found.scores != plain.scores).mean() < 1


def test_rows_that_it_did_not_learn_from_are_told(monkeypatch):
    monkeypatch.setattr("alc_core.attacks.model._MAX_ROWS", 300)
    cut = "The model learned from 300 of 500 released rows."
    for released, said in ((people(500, 2), (cut,)), (people(300, 2), ())):
        view, _ = prepared(people(400, 1), released)
        predict = ModelAttack(family="naive Bayes").prepare(view, np.random.default_rng(0))
        assert notes_of(predict) == said
