import stat

import pytest

from alc_core.attacks.registry import DEFAULT_ATTACK
from alc_core.campaign.plan.planner import plan_campaign
from alc_core.campaign.plan.settings import PlanSettings, told_settings
from alc_core.dashboard.choices.campaign_choices import CampaignChoices, NamedSet, OneAttack
from alc_core.dashboard.choices.run_choices import AskedChoice, ConditionChoice, RunChoices
from alc_core.dashboard.state.campaign_state import CampaignFolder
from alc_core.errors import InputError
from alc_core.releases.registry import as_releases
from alc_core.scenario.scenario import Tolerance
from alc_core.tables.codes.encode import encode
from alc_core.tables.read import table_from_frame


def planned(**settings):
    return CampaignChoices.of(PlanSettings(attacks=["best row match"], **settings))


class TestChoices:
    def test_all_that_can_be_attacked_is_at_first(self):
        choices = CampaignChoices()
        choices.adapt({"a": ("b",), "b": ("a",)}, ["a", "b"], ["r"])
        assert choices.unknown == ["a", "b"]
        assert choices.settings(RunChoices()).unknown is None

    def test_all_follows_the_tables(self):
        choices = CampaignChoices(unknown=["a"])
        choices.adapt({"a": ("b",), "b": ("a",)}, ["a", "b"], ["r"])
        assert choices.unknown == ["a", "b"]

    def test_a_selection_is_kept_as_far_as_possible(self):
        choices = CampaignChoices(unknown=["a", "c"], all_unknown=False)
        choices.adapt({"a": ("b",), "b": ("a",)}, ["a", "b"], ["r"])
        assert choices.settings(RunChoices()).unknown == ("a",)

    def test_a_selection_that_other_tables_emptied_is_all_again(self):
        choices = CampaignChoices(unknown=["c"], all_unknown=False)
        choices.adapt({"a": ("b",), "b": ("a",)}, ["a", "b"], ["r"])
        assert choices.all_unknown

    def test_a_selection_that_the_user_emptied_stays_empty(self):
        choices = CampaignChoices(unknown=[], all_unknown=False)
        choices.adapt({"a": ("b",), "b": ("a",)}, ["a", "b"], ["r"])
        assert choices.settings(RunChoices()).unknown == ()

    def test_named_sets(self):
        choices = CampaignChoices()
        choices.add_named()
        choices.add_named()
        choices.remove_named(1)
        choices.add_named()
        assert [named.number for named in choices.named] == [2, 3]
        choices.named[1].columns = ["a", "gone"]
        choices.adapt({"a": ()}, ["a"], ["r"])
        assert choices.settings(RunChoices()).named == (("a",),), "an empty set is left out"

    def test_equal_named_sets_count_once(self):
        named = [NamedSet(number=1, columns=["a"]), NamedSet(number=2, columns=["a"])]
        assert CampaignChoices(named=named).settings(RunChoices()).named == (("a",),)

    def test_what_is_chosen_follows_a_column_that_is_renamed(self):
        choices = CampaignChoices(asked="age & job\ncount per id")
        choices.named = [NamedSet(number=1, columns=["age", "city"])]
        choices.draft.job_list = {"job": (("age", "city"),), "age": (("job",),)}
        choices.rename({"age": "years", "job": "job", "city": "city", "id": "id"})
        assert choices.asked == "count per id", "what joins the column is let go of"
        assert choices.named[0].columns == ["years", "city"]
        assert choices.draft.job_list == {"job": (("years", "city"),), "years": (("job",),)}

    def test_who_is_attacked_is_shared(self):
        people = RunChoices(seed=4, person="id", target_mode="all")
        options = planned(max_known=3).settings(people)
        assert (options.seed, options.person, options.targets.count) == (4, "id", "all")
        assert options == planned(max_known=3).settings(people)
        assert options != planned(max_known=2).settings(people)

    def test_how_near_is_right_is_read_line_by_line(self):
        shared = RunChoices(tolerance="age=2\n\n hours = 10 %\n")
        options = CampaignChoices().settings(shared)
        assert dict(options.tolerance) == {"age": Tolerance(2), "hours": Tolerance(0.1, True)}
        assert options.on_whom != CampaignChoices().settings(RunChoices()).on_whom
        with pytest.raises(InputError, match="A tolerance is COLUMN=DISTANCE"):
            CampaignChoices().settings(RunChoices(tolerance="age"))

    def test_an_unfinished_selection_of_people_is_told(self):
        with pytest.raises(InputError, match="'city' is no condition on people"):
            CampaignChoices().settings(RunChoices(where="city"))


class TestOfACampaign:
    @pytest.mark.parametrize(
        "choices",
        [
            planned(unknown=["job", "city"], known_sets=1),
            planned(unknown=["age", "job"], known_sets=0, max_known=2),
            planned(
                unknown=["job", "city"], all_others=False, known_sets=0,
                named=[["age", "city"], ["hours"]],
            ),
        ],
    )  # fmt: skip
    def test_the_same_attacks_are_planned_again(self, people, choices):
        original = table_from_frame(people(400), name="people")
        releases = {each.name: each for each in as_releases([original])}
        shared = RunChoices(target_mode="number", target_number=100, seed=5, alpha=2.0)
        plan = self.plan(choices, shared, original, releases)
        again = RunChoices()
        told = told_settings(plan.attacks, roles={}, seed=5)
        again.follow(told, shared.scoring())
        alike = self.plan(CampaignChoices.of(told), again, original, releases)
        assert alike.attacks == plan.attacks
        assert again.scoring() == shared.scoring()

    def test_one_attack_is_one_at_the_level_of_the_release_too(self, people):
        original = table_from_frame(people(400), name="people")
        ranges = people(400)
        ranges["hours"] = ranges["hours"].map(
            lambda h: f"{h // 20 * 20:.0f}-{h // 20 * 20 + 19:.0f}"
        )
        release = table_from_frame(ranges, name="ranges")
        releases = {each.name: each for each in as_releases([release])}
        choices = CampaignChoices(mode="one", one=OneAttack(unknown="hours", known=["city"]))
        plan = self.plan(choices, RunChoices(), original, releases)
        assert [each.scenario.level for each in plan.attacks] == ["exact", "release"]
        again = CampaignChoices.of(told_settings(plan.attacks, roles={}, seed=0))
        assert (again.mode, again.one.columns()) == ("one", ("hours", ("city",)))

    def test_an_attack_stays_confined_to_its_releases(self, people):
        original = table_from_frame(people(400), name="people")
        releases = {each.name: each for each in as_releases({"a": original, "b": original})}
        choices = planned(unknown=["job"], known_sets=0)
        choices.made_up, choices.model = ["b"], True
        plan = self.plan(choices, RunChoices(), original, releases)
        assert {(each.release, each.attack) for each in plan.attacks} == {
            ("a", "best row match"), ("b", "best row match"), ("b", "model"),
        }  # fmt: skip
        again = CampaignChoices.of(told_settings(plan.attacks, roles={}, seed=0))
        assert again.attacks.only_on() == {"model": ("b",)}
        assert self.plan(again, RunChoices(), original, releases).attacks == plan.attacks
        again.attacks.adapt([releases["a"]])
        assert again.attacks.only_on() == {}, "what it was confined to is gone"

    def test_a_model_is_trained_where_rows_are_made_up_unless_the_user_says_so(self):
        choices = CampaignChoices()
        choices.adapt_model(["b"])
        assert choices.attacks.only_on() == {"model": ("b",)}
        choices.attacks.names.append("naive bayes")  # which counts ask for: it stays
        choices.mode = "one"
        choices.adapt_model(["b"])
        assert choices.attacks.names == [DEFAULT_ATTACK, "naive bayes"], "chosen singly: no model"
        choices.mode = "many"
        choices.adapt_model([])
        assert not choices.model
        choices.model = True
        choices.adapt_model(["b"])
        assert choices.attacks.only_on() == {}, "the user asked for it when nothing was made up"
        choices.model = False
        choices.adapt_model(["b"])
        assert not choices.model

    @staticmethod
    def plan(choices, shared, original, releases):
        data = encode(original, []).original
        return plan_campaign(original, releases, choices.settings(shared), data=data)


class TestFolder:
    def test_only_its_owner_can_enter(self):
        folder = CampaignFolder()
        assert stat.S_IMODE(folder.path.parent.stat().st_mode) == 0o700
        folder.discard()
        assert not folder.path.parent.exists()

    def test_it_stays_while_it_is_used(self):
        folder = CampaignFolder()
        with folder.in_use() as path:
            path.write_bytes(b"x")
            folder.discard()
            assert path.exists()
        assert not path.parent.exists()

    def test_it_goes_with_the_last_reference(self):
        folder = CampaignFolder()
        place = folder.path.parent
        del folder
        assert not place.exists()


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        ({}, ""),
        ({"column": "a"}, ""),
        ({"column": "a", "values": ["x"]}, "a = x"),
        ({"column": "a", "values": ["x", "y"]}, "a in x|y"),
        ({"column": "a", "how": "at least"}, ""),
        ({"column": "a", "how": "at least", "low": " 3 "}, "a >= 3"),
        ({"column": "a", "how": "at most", "high": "3"}, "a <= 3"),
        ({"column": "a", "how": "between", "low": "3"}, ""),
        ({"column": "a", "how": "between", "low": "3", "high": "4"}, "a in 3..4"),
        ({"column": "a", "how": "top", "share": 1.0}, "a >= quantile 0.99"),
    ],
)
def test_a_condition_is_put_together(choice, text):
    assert ConditionChoice(**choice).text == text


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        ({"columns": ["a"]}, ""),
        ({"columns": ["a", "b"]}, "a & b"),
        ({"kind": "person"}, "count per p"),
        ({"kind": "person", "of_person": "mean"}, ""),
        ({"kind": "person", "of_person": "mean", "column": "a"}, "mean a per p"),
        ({"kind": "person", "of_person": "last", "column": "a", "by": "b"}, "last a by b per p"),
        ({"kind": "person", "of_person": "ever"}, ""),
        (
            {
                "kind": "person", "of_person": "ever",
                "condition": ConditionChoice(column="a", values=["x"]),
            },
            "ever a = x per p",
        ),
    ],
)  # fmt: skip
def test_a_question_is_put_together(choice, text):
    assert AskedChoice(**choice).text("p") == text


def test_records_of_a_person_need_the_person_column():
    assert AskedChoice(kind="person").text(None) == ""
