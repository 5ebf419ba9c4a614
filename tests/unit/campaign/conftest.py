import dataclasses

import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.releases.registry import as_releases


class Campaign:
    """A small campaign that takes seconds: two releases, cheap baselines, few targets."""

    def __init__(self, people):
        frame = people(900)
        self.original = alc.table_from_frame(frame, name="people.csv")
        self.releases = {
            "weak": alc.swap_columns(frame, 0.1, seed=1),
            "strong": alc.swap_columns(frame, 0.9, seed=1),
        }
        self.families = (NaiveBayes(),)
        self.plan = alc.plan_campaign(
            self.original,
            as_releases(self.releases),
            unknown=["job", "city"],
            known_sets=1,
            named=[["age"], ["hours"]],
            targets=alc.Targets(count=600),
            seed=5,
        )
        self.few = dataclasses.replace(self.plan, attacks=self.plan.attacks[:4])
        self.options = {
            "families": self.families,
            "loop": alc.LoopParameters(folds=2, resamples=200),
            "seed": 5,
            "jobs": 1,
        }

    def run(self, path, **options):
        return alc.run_campaign(
            self.original, self.releases, path, **{**self.options, "plan": self.plan, **options}
        )


@pytest.fixture(scope="session")
def campaign(people):
    return Campaign(people)


@pytest.fixture(scope="session")
def undisturbed(campaign, tmp_path_factory):
    """The results of a run that nothing disturbed, by number."""
    with campaign.run(tmp_path_factory.mktemp("undisturbed") / "campaign.alc") as store:
        assert not store.failures()
        return {attack.number: store.assessment(attack.number) for attack in store.attacks}


def same_results(store, expected):
    found = {a.number: store.assessment(a.number).to_dict() for a in store.attacks}
    wanted = {number: result.to_dict() for number, result in expected.items()}
    differing = {n for n in wanted if found[n] != wanted[n]}
    return found.keys() == wanted.keys() and not differing
