from dataclasses import replace

import pytest

from alc_core.campaign.file.store import CampaignStore
from alc_core.errors import CampaignMismatchError
from alc_core.studies.learning.measuring import study_learning
from alc_core.studies.learning.result import KEPT_STUDIES, StudySettings
from alc_core.studies.learning.study import KEPT_EXAMPLES, counts_example
from tests.toys.campaigns import run_quickly


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


def test_an_example_comes_back_as_it_was(file, people, cheap_baselines):
    example = counts_example(people(600), SETTINGS, epsilon=0.5)
    assert 0 <= example.accuracy <= 1
    assert example.commonest == pytest.approx(people(600)["job"].value_counts(normalize=True).max())
    with CampaignStore.open(file) as store:
        KEPT_EXAMPLES.keep(store, example)
    with CampaignStore.open(file) as store:
        assert KEPT_EXAMPLES.read(store) == {"job": example}


def test_a_study_of_another_original_is_refused(file, people):
    study = study_learning(people(500), replace(SETTINGS, levels=()))
    with (
        CampaignStore.open(file) as store,
        pytest.raises(CampaignMismatchError, match="is not the original of the campaign"),
    ):
        KEPT_STUDIES.keep(store, study)


def test_the_file_holds_no_value_of_the_people(file, people):
    study = study_learning(people(600), SETTINGS)
    with CampaignStore.open(file) as store:
        KEPT_STUDIES.keep(store, study)
        kept = str(store.annotations("learning attacks"))
    for value in ("nurse", "teacher", "Ulm", "Köln"):
        assert value not in kept
