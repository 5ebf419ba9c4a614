import dataclasses
import inspect

import pandas as pd
import pytest

import alc_core as alc
from alc_core.campaign.file.annotations import keep_plan, kept_settings
from alc_core.campaign.plan.planner import plan_campaign
from alc_core.campaign.plan.settings import (
    EFFORTS,
    Effort,
    PlanSettings,
    effort_attacks,
    plan_model,
    told_settings,
    with_effort,
)
from alc_core.cli.plan import plan
from alc_core.errors import ColumnError, InputError, ParameterError
from alc_core.plain_values import from_plain, to_plain
from alc_core.releases.counts import Counts
from alc_core.releases.registry import as_releases
from alc_core.tables.roles import ColumnRole

SETTINGS = PlanSettings(
    unknown=["job"],
    attacks=["best row match", "model"],
    only_on={"model": ["weak"]},
    named=[["age", "city"], ["hours"]],
    job_list={"job": [["hours", "city"]]},
    known_sets=0,
    all_others=False,
    targets=alc.Targets(count=600, where={"city": ("Ulm",)}, missing={"job": ("?",)}),
    tolerance={},
    roles={"hours": "both"},
    seed=3,
)


def test_lists_and_names_become_what_is_kept():
    assert SETTINGS.named == (("age", "city"), ("hours",))
    assert SETTINGS.roles == {"hours": ColumnRole.BOTH}
    assert PlanSettings(household=["a"]).household == "a"
    assert PlanSettings(attacks=[alc.BestRowMatch()]).attacks == ("best row match",)


def test_they_come_back_from_plain_values():
    assert from_plain(to_plain(SETTINGS), PlanSettings) == SETTINGS
    assert from_plain({}, PlanSettings) == PlanSettings()


def test_the_planner_shows_them_as_keywords():
    parameters = inspect.signature(plan_campaign).parameters
    assert (parameters["known_sets"].default, parameters["roles"].default) == (2, {})
    shown = list(parameters)
    own = ["original", "releases", "settings", "data"]
    assert shown == [*own, *(field.name for field in dataclasses.fields(PlanSettings))]
    with pytest.raises(TypeError, match="unknwon"):
        plan_campaign(None, None, unknwon=["job"])


def test_the_command_has_an_option_for_each():
    options = {parameter.name for parameter in plan.params}
    settings = {field.name for field in dataclasses.fields(PlanSettings)}
    assert settings - options == {"attacked", "roles"}, "the releases given, --weight, --protect"


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"unknown": "job"}, ParameterError, "column to attack is the text 'job'. Pass a list"),
        ({"only_on": {"model": "v1"}}, ParameterError, "release of 'model' is the text 'v1'"),
        ({"named": ["age"]}, ColumnError, "Set 1 .* is the text 'age'"),
        ({"roles": {"age": "secret"}}, InputError, "role of column 'age' cannot be 'secret'"),
    ],
)
def test_what_is_no_setting_is_refused(given, error, message):
    with pytest.raises(error, match=message):
        PlanSettings(**given)


def test_attacks_tell_the_settings_of_which_they_were_planned(campaign):
    planned = campaign.plan
    told = told_settings(planned.attacks, roles=planned.settings.roles, seed=5)
    again = plan_campaign(campaign.original, campaign.releases, told)
    assert again.attacks == planned.attacks


def test_releases_that_are_not_to_be_attacked_stay_out(campaign):
    planned = plan_campaign(
        campaign.original, campaign.releases, campaign.plan.settings, attacked=["weak"]
    )
    assert planned.releases == ("weak",)
    with pytest.raises(InputError, match="Unknown release 'v9'. Choose one"):
        plan_campaign(campaign.original, campaign.releases, attacked=["v9"])


def test_a_file_keeps_them_as_long_as_one_plan_makes_all_of_its_attacks(campaign, tmp_path):
    with campaign.run(tmp_path / "c.alc", plan=campaign.few) as store:
        assert kept_settings(store) == campaign.plan.settings
        store.extend(campaign.plan.attacks[4:6])
        keep_plan(store, campaign.plan)
        assert kept_settings(store) == campaign.plan.settings
        keep_plan(store, None)
        assert kept_settings(store) == campaign.plan.settings
        keep_plan(store, campaign.few)
        assert kept_settings(store) is None


@pytest.mark.parametrize(
    "changes", [{"unknown": ["jobs"]}, {"only_on": {"model": ["v9"]}}, {"known_sets": -1}]
)
def test_those_of_another_campaign_are_refused(campaign, tmp_path, changes):
    plain = to_plain(dataclasses.replace(campaign.plan.settings, **changes))
    with campaign.run(tmp_path / "c.alc", plan=campaign.few) as store:
        store.annotate("plan", "planned", plain)
        with pytest.raises(InputError, match="is damaged: plan 'planned' cannot be read"):
            kept_settings(store)


@pytest.fixture
def releases(people):
    return as_releases({"copy": people(300)})


def test_quick_is_what_is_planned_where_nothing_is_said(people, releases):
    quick = with_effort(PlanSettings(), Effort.QUICK, releases)
    usual = plan_campaign(people(300), releases)
    assert plan_campaign(people(300), releases, quick).attacks == usual.attacks


@pytest.mark.usefixtures("both_attacks")
def test_thorough_has_a_model_more_sets_and_more_people(people, releases):
    assert effort_attacks(Effort.QUICK, releases) == ("best row match", "record linkage")
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
    assert "record linkage" in effort_attacks(Effort.THOROUGH, [counts])
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
