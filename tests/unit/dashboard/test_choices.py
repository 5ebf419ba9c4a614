import stat

import pytest

from alc_core.attacks.registry import attack_types
from alc_core.campaign.plan.planner import plan_campaign
from alc_core.campaign.plan.settings import PlanSettings, told_settings
from alc_core.dashboard.choices.asked import AskedChoice, ConditionChoice
from alc_core.dashboard.choices.plan import Choices, OneAttack
from alc_core.dashboard.state.campaign_state import CampaignFolder
from alc_core.errors import InputError
from alc_core.releases.registry import as_releases
from alc_core.scenario.scenario import Tolerance
from alc_core.tables.codes.encode import encode
from alc_core.tables.read import table_from_frame

AB = {"a": ("b",), "b": ("a",)}


def planned(**settings):
    return Choices.of(PlanSettings(attacks=["best row match"], **settings))


def fitted(choices, attackable=AB, secret=()):
    return choices.fitted_columns(attackable, list(attackable), secret)


class TestChoices:
    def test_all_that_can_be_attacked_is_at_first(self):
        assert fitted(Choices()).plan().unknown is None

    def test_a_selection_is_kept_as_far_as_possible(self):
        assert fitted(Choices().changed(unknown=["a", "c"])).plan().unknown == ("a",)

    def test_a_selection_that_other_tables_emptied_is_all_again(self):
        choices = Choices().changed(unknown=["c"])
        assert fitted(choices).plan().unknown is None
        assert fitted(choices, {"c": ("a",)}).plan().unknown == ("c",), "they come back"

    def test_a_selection_that_the_user_emptied_stays_empty(self):
        assert fitted(Choices().changed(unknown=[])).plan().unknown == ()

    def test_what_is_to_be_protected_is_attacked_unless_the_user_says_otherwise(self):
        assert fitted(Choices(), secret=["b"]).plan().unknown == ("b",)
        assert fitted(Choices().attacking(["a"], AB), secret=["b"]).plan().unknown == ("a",)
        assert fitted(Choices().attacking(["b", "a"], AB), secret=["b"]).plan().unknown is None

    def test_all_is_named_where_more_is_asked(self):
        choices = Choices().asking("a & b", OneAttack(unknown="a", known=("b",)))
        assert fitted(choices, {**AB, "a & b": ()}).plan().unknown == ("a", "b", "a & b")
        assert choices.one == OneAttack(unknown="a & b", known=("b",))

    def test_releases_that_are_gone_are_left_aside(self, people):
        tables = {name: table_from_frame(people(50), name=name) for name in "ab"}
        releases = {each.name: each for each in as_releases(tables)}
        choices = Choices().changed(attacked=["b", "c"])
        assert choices.fitted_attacks(releases).settings.attacked == ("b",)
        assert choices.fitted_attacks({"a": releases["a"]}).settings.attacked is None
        with pytest.raises(InputError, match="Choose a release"):
            Choices().changed(attacked=()).fitted_attacks(releases).plan()

    def test_sets_of_known_columns(self):
        choices = Choices().with_set().with_set().without_set(1).with_set()
        assert list(choices.sets) == [2, 3]
        choices = choices.changed(sets={**choices.sets, 3: ("a", "gone")})
        assert fitted(choices).plan().named == (("a",),), "an empty set is left out"

    def test_equal_sets_count_once(self):
        assert Choices(sets={1: ("a",), 2: ("a",)}).plan().named == (("a",),)

    def test_what_is_chosen_follows_a_column_that_is_renamed(self):
        choices = Choices(asked="age & job\ncount per id", sets={1: ("age", "city")}).changed(
            job_list={"job": (("age", "city"),), "age": (("job",),)}, household=("age", "city")
        )
        choices = choices.renamed({"age": "years", "job": "job", "city": "city", "id": "id"})
        assert choices.asked == "count per id", "what joins the column is let go of"
        assert choices.sets == {1: ("years", "city")}
        assert choices.settings.job_list == {"job": (("years", "city"),), "years": (("job",),)}
        assert choices.settings.household == ("years", "city")

    def test_a_parameter_of_an_attack_is_part_of_its_text(self):
        choices = Choices().changed(attacks=["best row match", "model"])
        (parameter, *_) = attack_types()["model"].parameters
        other = next(c for c in parameter.choices if c != parameter.default)
        changed = choices.with_parameter("model", parameter.name, other)
        assert changed.settings.attacks == ("best row match", f"model: {parameter.name}={other}")
        assert changed.with_parameter("model", parameter.name, parameter.default) == choices

    def test_who_is_attacked_is_shared(self):
        people = {"seed": 4, "person": "id", "count": "all"}
        options = planned(max_known=3).changed(**people).plan()
        assert (options.seed, options.person, options.targets.count) == (4, "id", "all")
        assert options == planned(max_known=3).changed(**people).plan()
        assert options != planned(max_known=2).changed(**people).plan()

    def test_how_near_is_right_is_read_line_by_line(self):
        options = Choices(tolerance="age=2\n\n hours = 10%\n").plan()
        assert dict(options.tolerance) == {"age": Tolerance(2), "hours": Tolerance(0.1, True)}
        assert options.on_whom != Choices().plan().on_whom
        with pytest.raises(InputError, match="A tolerance is COLUMN=DISTANCE"):
            Choices(tolerance="age").plan()

    @pytest.mark.parametrize("unfinished", ["city", "b"])
    def test_an_unfinished_selection_of_people_is_told(self, unfinished):
        with pytest.raises(InputError, match=f"'{unfinished}' is not a condition"):
            Choices(where=unfinished).plan()

    def test_conditions_follow_the_columns(self):
        choices = Choices(where="b = x\nage >= quantile 0.9").selecting("c in x|y")
        choices = choices.of_columns(["age", "c"])
        assert choices.where == "age >= quantile 0.9\nc in x|y"
        choices = choices.changed(tolerance="age = 2\nc=10%").selecting("age = 7")
        choices = choices.renamed({"age": "Age", "c": "c"})
        assert choices.where == "age >= quantile 0.9\nc in x|y\nAge = 7", "told where it is used"
        assert choices.tolerance == "Age=2\nc=10%"

    def test_what_says_whose_rows_belong_together_goes_with_its_columns(self):
        choices = Choices().changed(
            person="id", household=("a", "b"), missing={"a": ("?",), "c": ("?",)}
        )
        settings = choices.of_columns(["a", "id"]).settings
        assert (settings.person, settings.household) == ("id", None)
        assert settings.targets.missing == {"a": ("?",)}

    def test_a_selection_may_hold_any_sign(self):
        values = ["Clerks, sales", 'the "best"', "a|b"]
        for chosen in (values[:1], values):
            condition = ConditionChoice(column="job", values=chosen)
            assert dict(Choices(where=condition.selection).targets.where) == {"job": tuple(chosen)}
        condition = ConditionChoice(column="age", how="between", low="20", high="25")
        assert condition.selection == condition.text == "age in 20..25"

    def test_a_selection_reaches_the_targets(self):
        targets = Choices(where="b = x").changed(recall="group").targets
        assert (dict(targets.where), targets.recall) == ({"b": ("x",)}, "group")


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
        choices = choices.changed(count=100, seed=5, scoring={"alpha": 2.0, "material": 0.1})
        plan = self.plan(choices, original, releases)
        told = told_settings(plan.attacks, roles={}, seed=5)
        again = Choices.of(told, choices.parameters)
        assert self.plan(again, original, releases).attacks == plan.attacks
        assert again.parameters == choices.parameters

    def test_one_attack_is_one_at_the_level_of_the_release_too(self, people):
        original = table_from_frame(people(400), name="people")
        ranges = people(400)
        ranges["hours"] = ranges["hours"].map(
            lambda h: f"{h // 20 * 20:.0f}-{h // 20 * 20 + 19:.0f}"
        )
        release = table_from_frame(ranges, name="ranges")
        releases = {each.name: each for each in as_releases([release])}
        choices = Choices(mode="one", one=OneAttack(unknown="hours", known=("city",)))
        plan = self.plan(choices.fitted_attacks(releases), original, releases)
        assert [each.scenario.level for each in plan.attacks] == ["exact", "release"]
        again = Choices.of(told_settings(plan.attacks, roles={}, seed=0))
        assert (again.mode, again.one.columns()) == ("one", ("hours", ("city",)))

    def test_an_attack_stays_confined_to_its_releases(self, people):
        original = table_from_frame(people(400), name="people")
        releases = {each.name: each for each in as_releases({"a": original, "b": original})}
        choices = planned(unknown=["job"], known_sets=0).training(["b"])
        plan = self.plan(choices, original, releases)
        assert {(each.release, each.attack) for each in plan.attacks} == {
            ("a", "best row match"), ("b", "best row match"), ("b", "model"),
        }  # fmt: skip
        again = Choices.of(told_settings(plan.attacks, roles={}, seed=0))
        assert again.settings.only_on == {"model": ("b",)}
        assert self.plan(again, original, releases).attacks == plan.attacks
        alone = again.fitted_attacks({"a": releases["a"]})
        assert alone.settings.only_on == {}, "what it was confined to is gone"

    @staticmethod
    def plan(choices, original, releases):
        data = encode(original, []).original
        return plan_campaign(original, releases, choices.plan(), data=data)


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
