from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import CategoricalNB

from alc_core import table_from_frame
from alc_core.campaign.file.store import CampaignStore
from alc_core.errors import (
    CampaignMismatchError,
    CancelledError,
    ColumnError,
    InputError,
    ParameterError,
)
from alc_core.releases.samples.perturbed import noisy_counts
from alc_core.runtime.progress import Reporter
from alc_core.scoring.outcomes import Outcomes
from alc_core.studies.learning import measuring
from alc_core.studies.learning import study as study_module
from alc_core.studies.learning.measuring import learning_data, study_groups, study_learning
from alc_core.studies.learning.methods import METHODS, make_release
from alc_core.studies.learning.result import (
    EPSILONS,
    KEPT_STUDIES,
    PARAMETERS,
    StudySettings,
    everybody,
    read_epsilons,
)
from alc_core.studies.learning.study import KEPT_EXAMPLES, counts_example
from tests.toys.campaigns import run_quickly
from tests.toys.judged import assessment_of


@pytest.fixture(scope="module")
def study(town):
    from alc_core.studies.learning.result import StudySettings

    settings = StudySettings(
        unknown="job", known=("district", "age"), epsilons=(0.01, 1.0, 50.0), repetitions=4,
        levels=(2, 3, 5), rounds=60,
    )  # fmt: skip
    return study_learning(town, settings)


def rng():
    return np.random.default_rng(0)


def test_members_and_holdout_add_up_and_the_commonest_value_is_that_of_the_members(study):
    assert (study.members, study.held_out) == (1280, 320)
    assert study.values == 4
    assert 0.25 <= study.commonest < 0.28


def test_the_noiseless_classifier_is_that_of_scikit_learn(town, quick):
    one = replace(quick, known=("district",), holdout_share=0.0, levels=())
    found = study_learning(town, one).noiseless_members
    codes = town["district"].astype("category").cat.codes.to_numpy()[:, None]
    model = CategoricalNB(alpha=1.0).fit(codes, town["job"])
    assert found.everybody == (model.predict(codes) == town["job"]).mean()
    sure = model.predict_proba(codes).max(axis=1) > one.belief
    assert found.believed_share == sure.mean()
    assert found.believed == (model.predict(codes) == town["job"])[sure].mean()


def test_little_noise_costs_nothing_and_much_noise_nearly_everything(study):
    strong, usual, weak = (everybody(point.members) for point in study.noise_points)
    exact = study.noiseless_members.everybody
    assert weak.mean == pytest.approx(exact, abs=0.005)
    assert weak.mean > usual.mean - 0.01 > strong.mean
    assert strong.lowest <= strong.mean <= strong.highest < exact


def test_what_is_learned_from_counts_holds_for_people_who_are_not_in_them(study):
    inside, outside = study.noiseless_members.everybody, study.noiseless_holdout.everybody
    assert inside == pytest.approx(outside, abs=0.06)
    assert outside > study.commonest + 0.3


def test_groups_give_away_more_the_smaller_they_are_and_merging_helps(study):
    tight, merged = study.group_points(1), study.group_points(2)
    assert [point.level for point in tight] == [2, 3]
    best = [point.spread(point.best).mean for point in tight]
    assert best[0] > best[1]
    assert all(m.spread(m.best).mean < t.spread(t.best).mean
               for m, t in zip(merged, tight, strict=True))  # fmt: skip
    assert [point.groups for point in tight] == [640, 426]
    assert [point.groups for point in merged] == [320, 213]
    exact = study.noiseless_members.everybody
    assert all(point.spread("open").mean <= exact + 0.02 for point in (*tight, *merged))


def test_a_diversity_that_the_data_cannot_have_is_told_and_the_others_are_studied(study):
    assert set(study.groups.impossible) == {5}
    assert "more than 1 in 5" in study.groups.impossible[5]


def test_a_trace_goes_from_the_first_round_to_the_last(study):
    trace = study.group_points(1)[0].trace
    assert (trace.rounds[0], trace.rounds[-1]) == (1, 60)
    assert len(trace.rounds) == len(trace.change) == len(trace.accuracy) == 60
    assert trace.accuracy[-1] > trace.accuracy[0]


def test_long_traces_are_thinned(town, quick):
    found = study_learning(town, replace(quick, epsilons=(), levels=(2,), rounds=500))
    trace = found.group_points(1)[0].trace
    assert len(trace.rounds) <= 120
    assert (trace.rounds[0], trace.rounds[-1]) == (1, 500)


def test_the_same_seed_gives_the_same_study_and_another_one_another(town, quick):
    first, second = study_learning(town, quick), study_learning(town, quick)
    assert first == second
    assert study_learning(town, replace(quick, seed=1)) != first


def test_the_result_does_not_depend_on_the_threads(town, quick, monkeypatch):
    data = learning_data(table_from_frame(town), quick, holdout=None, rng=rng())
    found = []
    for threads in (1, 4):
        monkeypatch.setattr(measuring, "available_threads", lambda threads=threads: threads)
        found.append(
            study_groups(data, replace(quick, chains=2), seed=np.random.SeedSequence(3),
                         reporter=Reporter())
        )  # fmt: skip
    assert found[0] == found[1]
    assert len(found[0].points[0].permutation) == 2


def test_progress_reaches_its_end_and_a_cancelled_study_stops(town, quick):
    told = []
    study_learning(town, quick, progress=told.append)
    assert told[0].stage == "Reading columns"
    assert {each.stage for each in told} >= {"Attacking counts", "Attacking groups"}
    assert told[-1].fraction == 1.0

    calls = []

    def cancel():
        calls.append(1)
        return len(calls) > 12

    with pytest.raises(CancelledError):
        study_learning(town, quick, cancel=cancel)


def test_a_table_of_other_people_is_the_holdout_if_it_is_given(town, quick):
    strangers = town.tail(200).assign(district="unheard of")
    found = study_learning(town.head(1400), quick, holdout=strangers)
    assert (found.members, found.held_out, found.own_holdout) == (1400, 200, True)


def test_values_that_the_members_do_not_have_say_nothing(town, quick):
    strangers = town.tail(100).assign(district="unheard of")
    data = learning_data(
        table_from_frame(town), quick, holdout=table_from_frame(strangers), rng=rng()
    )
    assert (data.holdout.columns[0] == -1).all()
    assert (data.holdout.columns[1] >= 0).all()


def test_nobody_is_held_out_where_that_is_asked_for(town, quick):
    found = study_learning(town, replace(quick, holdout_share=0.0, levels=()))
    assert (found.members, found.held_out, found.noiseless_holdout) == (1600, 0, None)
    assert found.noise_points[0].holdout == ()
    assert found.groups is None


def test_all_records_of_a_person_are_held_out_together(town, quick):
    people = town.assign(person=np.arange(1600) // 4, name=(np.arange(1600) // 4).astype(str))
    table = table_from_frame(people).with_kinds({"name": "categorical"})
    by_name = replace(quick, known=("name",))
    data = learning_data(table, replace(by_name, person="person"), holdout=None, rng=rng())
    assert (len(data.members), len(data.holdout)) == (1280, 320)
    assert data.most_rows == 4
    assert (data.holdout.columns[0] == -1).all()  # no member has the name of anybody held out
    data = learning_data(table, by_name, holdout=None, rng=rng())
    assert (data.holdout.columns[0] >= 0).any()


def test_people_without_a_value_take_no_part_and_are_told(town, quick):
    frame = town.copy()
    frame.loc[:99, "job"] = None
    frame.loc[100:149, "job"] = "?"
    found = study_learning(frame, replace(quick, levels=()))
    assert found.members + found.held_out == 1450
    assert found.values == 4
    assert any("150 rows with a missing 'job'" in note for note in found.notes)
    kept = study_learning(frame, replace(quick, missing=(), levels=()))
    assert kept.values == 5


def test_missing_numbers_say_nothing_and_ranges_are_told(town, quick):
    frame = town.copy()
    frame.loc[::7, "age"] = np.nan
    found = study_learning(frame, quick)
    assert any("'age'" in note and "at most 10" in note for note in found.notes)


def test_an_unknown_column_of_numbers_is_cut_and_that_is_told(town, quick):
    found = study_learning(town, replace(quick, unknown="age", known=("job",), bins=5))
    assert found.values == 5
    assert any("5 equal ranges" in note for note in found.notes)


def test_of_a_large_original_some_rows_are_drawn(town, quick):
    found = study_learning(town, replace(quick, most_rows=500, levels=()))
    assert found.members + found.held_out == 500
    assert "500 of the 1,600 rows were drawn at random." in found.notes


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"known": ("distrikt",)}, ColumnError, "Did you mean 'district'"),
        ({"unknown": "jobs"}, ColumnError, "Column 'jobs' is not in"),
        ({"person": "who"}, ColumnError, "Column 'who' is not in"),
    ],
)
def test_columns_that_are_not_there_are_named(town, quick, change, error, words):
    with pytest.raises(error, match=words):
        study_learning(town, replace(quick, **change))


def test_too_few_people_or_a_single_value_are_refused(town, quick):
    with pytest.raises(InputError, match="Only 8 rows can be counted"):
        study_learning(town.head(10), quick)
    with pytest.raises(InputError, match="same unknown value"):
        study_learning(town.assign(job="nurse"), quick)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"epsilons": (0.0,)}, "epsilon must be between 0 and 1000"),
        ({"levels": (1, 2)}, "level must be between 2 and 50, not 1"),
        ({"merged": (0,)}, "merged must be between 1 and 5, not 0"),
        ({"merged": ()}, "Name at least one"),
        ({"repetitions": 0}, "repetitions must be between 1 and 100, not 0"),
        ({"belief": 1.0}, "belief must be between 0 and 1"),
        ({"holdout_share": 0.9}, "holdout_share must be between 0 and 0.5, not 0.9"),
        ({"rounds": 5}, "rounds must be"),
        ({"ranges": 1}, "ranges must be"),
        ({"epsilons": (), "levels": ()}, "Name at least one"),
    ],
)
def test_what_is_out_of_bounds_is_refused(quick, change, words):
    with pytest.raises(ParameterError, match=words):
        replace(quick, **change)


def test_known_and_unknown_columns_must_fit():
    with pytest.raises(ColumnError, match="both known and unknown"):
        StudySettings(unknown="job", known=("job",))
    with pytest.raises(ColumnError, match="Choose a known column"):
        StudySettings(unknown="job", known=())


def test_values_are_put_in_order_once_each(quick):
    found = replace(quick, epsilons=(1.0, 0.1, 1.0), levels=(4, 2), merged=(2, 1, 1))
    assert (found.epsilons, found.levels, found.merged) == ((0.1, 1.0), (2, 4), (1, 2))


def test_epsilons_are_read_as_they_are_written():
    assert read_epsilons("0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10") == EPSILONS
    assert read_epsilons(" 1; 0.5,0.1 ") == (0.1, 0.5, 1.0)
    assert read_epsilons("") == ()
    with pytest.raises(ParameterError, match="epsilon must be a number, not 'x'"):
        read_epsilons("0.1, x")


def test_the_usual_settings_are_those_of_the_parameters(quick):
    usual = StudySettings(unknown="job", known=("age",))
    for name in ("repetitions", "belief", "holdout_share", "rounds", "chains", "ranges", "bins"):
        assert getattr(usual, name) == PARAMETERS[name].default


@pytest.fixture(scope="module")
def file(people, tmp_path_factory):
    frame = people(600)
    path = tmp_path_factory.mktemp("learning") / "campaign.alc"
    run_quickly(frame, frame, path, named=[["age"]], targets=300).close()
    return path


SETTINGS = StudySettings(
    unknown="job", known=("age", "city"), epsilons=(1.0,), repetitions=2, levels=(2, 9), rounds=10
)


def test_a_study_comes_back_as_it_was_in_place_of_an_earlier_one(file, people):
    study = study_learning(people(600), SETTINGS)
    with CampaignStore.open(file) as store:
        KEPT_STUDIES.keep(store, replace(study, members=1))
        KEPT_STUDIES.keep(store, study)
    with CampaignStore.open(file) as store:
        assert KEPT_STUDIES.read(store) == {"job": study}


def thinned_out(*_, **__):
    """Of two people attacked one, right by the attack alone, stands for nine."""
    outcomes = Outcomes.from_predictions(
        np.ones(2), np.array([1, 0]), np.ones(2), np.array([0, 1]), weights=np.array([9.0, 1.0])
    )
    return assessment_of(outcomes, people=10)


def test_an_example_comes_back_as_it_was(file, people):
    example = counts_example(people(600), SETTINGS, epsilon=0.5)
    assert 0 <= example.accuracy <= 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study_module, "assess", thinned_out)
        told = counts_example(people(600), SETTINGS, epsilon=0.5)
    assert (told.accuracy, told.baseline_accuracy) == (pytest.approx(0.9), pytest.approx(0.1))
    assert example.commonest == pytest.approx(people(600)["job"].value_counts(normalize=True).max())
    with CampaignStore.open(file) as store:
        KEPT_EXAMPLES.keep(store, example)
    with CampaignStore.open(file) as store:
        assert KEPT_EXAMPLES.read(store) == {"job": example}


def test_a_study_of_another_original_is_refused(file, people):
    study = study_learning(people(500), replace(SETTINGS, levels=()))
    with (
        CampaignStore.open(file) as store,
        pytest.raises(CampaignMismatchError, match="is not of"),
    ):
        KEPT_STUDIES.keep(store, study)


def test_the_file_holds_no_value_of_the_people(file, people):
    study = study_learning(people(600), SETTINGS)
    with CampaignStore.open(file) as store:
        KEPT_STUDIES.keep(store, study)
        kept = str(store.annotations("learning attacks"))
    for value in ("nurse", "teacher", "Ulm", "Köln"):
        assert value not in kept


KNOWN = ("district", "age")


@pytest.fixture
def table(town):
    return table_from_frame(town.assign(private="not released"), name="town")


@pytest.mark.parametrize(
    ("method", "values", "name", "kind"),
    [
        ("anatomy", {}, "Anatomy ℓ = 4", "groups"),
        ("anatomy", {"level": 2, "merged": 3}, "Anatomy ℓ = 2, 3 merged", "groups"),
        ("mondrian", {"k": 10}, "k-anonymity k = 10", "rows"),
        ("mondrian", {"level": 2}, "k-anonymity k = 5, ℓ = 2", "rows"),
        ("counts", {"epsilon": 0.5}, "Counts ε = 0.5", "counts"),
        ("swapping", {"share": 0.3}, "Swapped 30%", "rows"),
    ],
)
def test_each_method_makes_a_release_of_the_columns_asked_for(table, method, values, name, kind):
    release = make_release(table, method, unknown="job", known=KNOWN, values=values)
    assert (release.name, release.kind) == (name, kind)
    told = {column for each in release.tables for column in each.columns}
    assert {*KNOWN, "job"} <= told
    assert "private" not in told


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_makes_the_same_release(table, method):
    def made(seed):
        release = make_release(table, method, unknown="job", known=KNOWN, values={}, seed=seed)
        return [each.fingerprint for each in release.tables]

    assert made(1) == made(1) != made(2)


def test_noise_of_counts_hides_all_records_of_a_person(town):
    records = pd.concat([town.assign(who=range(len(town)))] * 3, ignore_index=True)
    table = table_from_frame(records, name="records")
    for epsilon, person, same in ((1.0, "who", True), (1.0, None, False)):
        made = make_release(
            table, "counts", unknown="job", known=KNOWN, values={"epsilon": epsilon}, person=person
        )
        third = noisy_counts(table, unknown="job", known=KNOWN, epsilon=epsilon / 3)
        found = [each.frame["count"].tolist() for each in made.tables]
        assert (found == [each.frame["count"].tolist() for each in third.tables]) is same


def test_swapping_keeps_every_column_s_values(table, town):
    release = make_release(table, "swapping", unknown="job", known=KNOWN, values={"share": 1.0})
    frame = release.tables[0].frame
    for column in ("district", "job"):
        assert frame[column].value_counts().to_dict() == town[column].value_counts().to_dict()


def test_what_cannot_be_made_is_refused(table, town):
    with pytest.raises(ParameterError, match="Unknown method 'noise'. Choose one of anatomy"):
        make_release(table, "noise", unknown="job", known=KNOWN, values={})
    with pytest.raises(ParameterError, match="epsilon must be between 0 and 1000"):
        make_release(table, "counts", unknown="job", known=KNOWN, values={"epsilon": 0.0})
    with pytest.raises(InputError, match="5-diverse"):
        make_release(table, "anatomy", unknown="job", known=KNOWN, values={"level": 5})


def test_every_parameter_says_what_it_may_be():
    for method in METHODS.values():
        for parameter in method.parameters:
            parameter.check(parameter.default)
            assert parameter.help.endswith(".")
