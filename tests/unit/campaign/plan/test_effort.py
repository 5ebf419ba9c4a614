import pandas as pd
import pytest

import alc_core as alc
from alc_core.campaign.plan.planner import plan_campaign
from alc_core.campaign.plan.settings import (
    EFFORTS,
    Effort,
    PlanSettings,
    effort_attacks,
    plan_model,
    with_effort,
)
from alc_core.releases.counts import Counts
from alc_core.releases.registry import as_releases


@pytest.fixture
def releases(people):
    return as_releases({"copy": people(300)})


def test_quick_is_what_is_planned_where_nothing_is_said(people, releases):
    quick = with_effort(PlanSettings(), Effort.QUICK, releases)
    usual = plan_campaign(people(300), releases)
    assert plan_campaign(people(300), releases, quick).attacks == usual.attacks


def test_thorough_has_two_more_attacks_more_sets_and_more_people(people, releases):
    assert effort_attacks(Effort.QUICK, releases) == ("best row match",)
    assert effort_attacks(Effort.THOROUGH, releases) == (
        "best row match", "model", "record linkage",
    )  # fmt: skip
    thorough = with_effort(PlanSettings(), Effort.THOROUGH, releases)
    assert thorough.known_sets == 4
    assert thorough.targets.count == EFFORTS[Effort.THOROUGH].people
    assert len(plan_campaign(people(300), releases, thorough)) > len(
        plan_campaign(people(300), releases)
    )


def test_what_else_was_chosen_stays(releases):
    own = PlanSettings(
        known_sets=0, targets=alc.Targets(where={"city": ("Ulm",)}), unknown=["job"], seed=4
    )
    thorough = with_effort(own, Effort.THOROUGH, releases)
    assert (thorough.known_sets, thorough.unknown, thorough.seed) == (0, ("job",), 4)
    assert thorough.targets.where == {"city": ("Ulm",)}


def test_a_model_is_not_run_where_no_release_holds_rows(people):
    table = alc.table_from_frame(
        pd.DataFrame({"city": ["Ulm", "Bonn"], "job": ["nurse", "smith"], "count": [2, 1]}),
        name="counts.csv",
    )
    original = alc.table_from_frame(people(300), name="people")
    counts = Counts.of_tables([table], name="counts", original=original)
    assert "model" not in effort_attacks(Effort.THOROUGH, [counts])
    assert "record linkage" not in effort_attacks(Effort.THOROUGH, [counts])
    assert "model" in effort_attacks(Effort.THOROUGH, [counts, *as_releases({"r": original})])


def test_a_model_joins_each_scenario_of_the_releases_that_ask_for_it(people):
    original = people(200)
    plan = alc.plan_campaign(original, {"a": original, "b": original}, known_sets=0)
    added = plan_model(plan.attacks, ["b"])
    own = [each for each in plan.attacks if each.release == "b"]
    assert [each.scenario for each in added] == [each.scenario for each in own]
    assert {(each.release, each.attack) for each in added} == {("b", "model")}
    assert [each.number for each in added] == [*range(len(plan), len(plan) + len(own))]
    assert plan_model(plan.attacks, []) == ()
