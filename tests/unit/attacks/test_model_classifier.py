"""The model attack with any scikit-learn classifier: what it finds, its name, seed and file."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import ExtraTreesClassifier, VotingClassifier
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import alc_core as alc
from alc_core.attacks.model import ModelAttack
from alc_core.attacks.protocol import check_predictions
from alc_core.baselines.families import NaiveBayes
from alc_core.errors import InputError
from alc_core.explain.trace import attack_of
from tests.unit.attacks.test_model import prepared

TWO_NEAREST = make_pipeline(StandardScaler(), KNeighborsClassifier(2))


def people(seed=0, n=900):
    """A job that follows from town and age for half of the people."""
    rng = np.random.default_rng(seed)
    town, age = rng.integers(0, 3, n), rng.integers(20, 80, n)
    job = np.where(rng.random(n) < 0.5, (town + age // 30) % 3, rng.integers(0, 3, n))
    return pd.DataFrame(
        {
            "town": np.array(["Bonn", "Jena", "Ulm"])[town],
            "age": age + rng.random(n).round(3),
            "job": np.array(["clerk", "cook", "smith"])[job],
        }
    )


def run(attack, release, *, seed=0):
    scenario = alc.Scenario(["town", "age"], "job", targets="all")
    return alc.assess(
        people(), release, scenario, attack=attack, families=(NaiveBayes(),), seed=seed
    )


def test_a_pipeline_of_neighbours_finds_people_in_a_verbatim_release_and_no_strangers():
    attack = ModelAttack(classifier=make_pipeline(StandardScaler(), KNeighborsClassifier(1)))
    leak, strangers = run(attack, people()), run(attack, people(7))
    assert leak.attack_name == "model of pipeline to KNeighborsClassifier(n_neighbors=1)"
    assert leak.attack.measured_precision > 0.99
    assert leak.verdict is alc.Verdict.SERIOUS
    assert strangers.alc < 0.3


def test_it_is_the_classifier_itself_on_columns_of_0_and_1_and_scaled_numbers():
    release, strangers = people(1), people()
    x = {
        name: np.column_stack(
            [
                *(frame["town"].to_numpy() == town for town in ("Bonn", "Jena", "Ulm")),
                (frame["age"] - release["age"].mean()) / release["age"].std(ddof=0),
            ]
        ).astype(float)
        for name, frame in (("release", release), ("strangers", strangers))
    }
    plain = KNeighborsClassifier(5).fit(x["release"], release["job"])
    view, targets = prepared(strangers, release, known=("town", "age"))
    predict = ModelAttack(classifier=KNeighborsClassifier(5)).prepare(
        view, np.random.default_rng(0)
    )
    found = predict(targets.known)
    check_predictions(found, len(strangers), view.unknown.size, "model")
    expected = plain.predict_proba(x["strangers"])
    assert found.probabilities[:, : len(plain.classes_)] == pytest.approx(expected)
    assert [view.unknown.labels[code] for code in range(3)] == list(plain.classes_)


def test_the_seed_decides_where_the_classifier_has_none():
    def alc_of(classifier, seed):
        return run(ModelAttack(classifier=classifier), people(1), seed=seed).attack.prc

    forest = make_pipeline(ExtraTreesClassifier(5))
    assert alc_of(forest, 1) == alc_of(forest, 1)
    assert forest.get_params()["extratreesclassifier__random_state"] is None
    assert not hasattr(forest[-1], "estimators_")


@pytest.mark.parametrize(
    ("classifier", "said"),
    [
        (LinearSVC(), r"LinearSVC\(\) has no predict_proba.*Calibrated"),
        (make_pipeline(StandardScaler(), LinearSVC()), "has no"),
        (VotingClassifier([("a", GaussianNB())]), "has no"),
        (LinearRegression(), "LinearRegression is not a scikit-learn classifier"),
        (KNeighborsClassifier, r"is a class. .* KNeighborsClassifier\(\)"),
        ("knn", "str is not a scikit-learn classifier"),
    ],
)
def test_what_gives_no_probabilities_is_refused(classifier, said):
    with pytest.raises(InputError, match=said):
        ModelAttack(classifier=classifier)


def test_what_the_classifier_refuses_is_said():
    attack = ModelAttack(classifier=KNeighborsClassifier(2, metric="no such metric"))
    with pytest.raises(InputError, match="could not learn from 900 rows, 3 values: .*metric"):
        run(attack, people(1))
    assert run(ModelAttack(classifier=CalibratedClassifierCV(LinearSVC())), people(1)).alc < 0.5


def test_its_name_says_what_it_is():
    classifier = GaussianNB()
    assert ModelAttack(classifier=classifier, exact_first=True).name == (
        "model of GaussianNB(), exact matches first"
    )
    assert ModelAttack(classifier=classifier, name="mine").name == "mine"
    assert ModelAttack().name == "model"
    long = VotingClassifier([(str(n), GaussianNB()) for n in range(9)], voting="soft")
    assert ModelAttack(classifier=long).name == "model of VotingClassifier"
    for name in ("model", "model: mine"):
        with pytest.raises(InputError, match="cannot be called"):
            ModelAttack(classifier=classifier, name=name)
    with pytest.raises(InputError, match="your own classifier takes a name"):
        ModelAttack(name="mine")


@pytest.mark.parametrize("family", ["decision tree", "nearest neighbours"])
def test_further_families_are_chosen_by_name(family):
    found = run(f"model: family={family}", people())
    assert found.attack_name == f"model: family={family}"
    assert found.attack.precision > 0.5


def test_a_campaign_keeps_the_name_and_asks_for_the_classifier_again(tmp_path):
    path, attack = tmp_path / "campaign.alc", ModelAttack(classifier=TWO_NEAREST)
    original, release = (
        alc.table_from_frame(people(seed), name=name)
        for seed, name in ((0, "original"), (1, "release"))
    )
    plan = alc.plan_campaign(
        original, release, attacks=[attack], unknown=["job"], named=[["town", "age"], ["town"]],
        known_sets=0, all_others=False, targets=alc.Targets(count=300),
    )  # fmt: skip
    assert {planned.attack for planned in plan.attacks} == {attack.name}
    with pytest.raises(InputError, match="Unknown attack"):
        alc.run_campaign(original, release, tmp_path / "without.alc", plan=plan, jobs=1)
    options = {"families": (NaiveBayes(),), "jobs": 1}
    alc.run_campaign(original, release, path, plan=plan, attacks=[attack], **options).close()

    with alc.CampaignStore.open(path) as store:
        view = alc.CampaignView(store)
        stricter = replace(view.settings.scoring, at_risk=0.05, serious=0.1)
        assert len(view.overview(stricter).results) == len(plan.attacks)
        run_alone = view.assessment(plan.attacks[0].number)
    with pytest.raises(InputError, match="is not registered"):
        attack_of(run_alone)


def test_a_classifier_that_tells_nothing_is_no_loss():
    assert run(ModelAttack(classifier=DummyClassifier()), people()).alc <= 0
