import pytest

from alc_core import load_demo
from alc_core.dashboard.choices.campaign_choices import CampaignChoices, OneAttack
from alc_core.dashboard.choices.run_choices import ConditionChoice, Rescoring, RunChoices
from alc_core.dashboard.data.columns import (
    PREVIEW_COLUMNS,
    PREVIEW_ROWS,
    column_rows,
    preview,
)
from alc_core.dashboard.parts.campaign_file import open_campaign
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.files import ReadingOptions
from alc_core.dashboard.state.said import AnsweredQuestions, Labels
from alc_core.dashboard.work.campaign_planning import attackable_columns
from alc_core.dashboard.work.uploads import NO_OPTIONS, read_into, remove_file, use_demo
from alc_core.errors import ColumnError, InputError
from alc_core.releases.release import USUAL_KIND
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.read import table_from_frame
from alc_core.tables.table import ColumnKind
from tests.toys.campaigns import run_quickly


def csv(frame):
    return frame.to_csv(index=False).encode()


@pytest.fixture
def state(people):
    state = AppState()
    read_into(state, "original", "people.csv", csv(people(400)), NO_OPTIONS)
    read_into(state, "release", "release.csv", csv(people(400, seed=1)), NO_OPTIONS)
    return state


class TestReading:
    def test_tables_arrive(self, state):
        assert state.ready
        assert state.original_table().name == "people"
        assert [table.name for table in state.release_tables()] == ["release"]
        assert not state.failed

    def test_a_mistake_keeps_what_was_there(self, state):
        state.run_choices.person = "city"
        assert not read_into(state, "original", "wrong.csv", b"", NO_OPTIONS)
        assert state.original_table().name == "people"
        assert state.run_choices.person == "city"
        (failure,) = state.failed
        assert "'wrong.csv' is empty" in failure.message

    def test_reading_again_mends_a_failure(self, state):
        wide = "a;b\n" + "\n".join(f"{n},5;x" for n in range(50))
        assert not read_into(
            state, "release", "odd.csv", wide.encode(), ReadingOptions(encoding="no-such")
        )
        assert read_into(
            state, "release", "odd.csv", wide.encode(), ReadingOptions(delimiter=";", decimal=",")
        )
        assert not state.failed
        assert [file.table.name for file in state.release] == ["release", "odd"]
        assert state.release[1].table.frame["a"].iloc[0] == 0.5

    def test_same_name_replaces(self, state, people):
        read_into(state, "release", "release.csv", csv(people(300)), NO_OPTIONS)
        (only,) = state.release
        assert len(only.table) == 300

    def test_release_with_the_originals_name_is_told_apart(self, state, people):
        read_into(state, "release", "people.csv", csv(people(300)), NO_OPTIONS)
        assert [table.name for table in state.release_tables()][1] == "people (release)"

    def test_unexpected_errors_are_messages(self, state, monkeypatch):
        def fail(*args, **kwargs):
            raise ZeroDivisionError("Jane")

        monkeypatch.setattr("alc_core.dashboard.work.uploads.read_table", fail)
        assert not read_into(state, "release", "x.csv", b"a\n1\n", NO_OPTIONS)
        assert "Something went wrong" in state.failed[0].message

    def test_own_data_replace_the_demo_whole(self, people):
        state = AppState()
        use_demo(state, "fair", "20% swapped")
        read_into(state, "release", "own.csv", csv(people(300)), NO_OPTIONS)
        assert state.original is None
        assert [file.table.name for file in state.release] == ["own"]

    def test_remove(self, state):
        remove_file(state, "release", "release")
        remove_file(state, "original", "people")
        assert not state.ready
        with pytest.raises(InputError, match="no original table yet"):
            state.original_table()


class TestOneAttack:
    def test_demo_suggests_its_scenario(self):
        state = AppState()
        use_demo(state, "fair", "80% swapped")
        attackable_columns(state)
        scenario = load_demo("fair").scenario
        one = state.campaign_choices.one
        assert (one.unknown, one.known) == (scenario.unknown, list(scenario.known))

    def test_choices_survive_another_strength_of_the_demo(self):
        state = AppState()
        use_demo(state, "fair", "20% swapped")
        state.campaign_choices.one = OneAttack(unknown="religious", known=["age"])
        use_demo(state, "fair", "80% swapped")
        attackable_columns(state)
        one = state.campaign_choices.one
        assert (one.unknown, one.known) == ("religious", ["age"])

    def test_choices_that_make_no_sense_any_more_are_suggested_again(self, state):
        attackable_columns(state)
        state.run_choices.person = "city"
        use_demo(state, "randhie", "20% swapped")
        attackable_columns(state)
        assert state.campaign_choices.one.unknown == load_demo("randhie").scenario.unknown
        assert state.run_choices.person is None

    def test_known_columns_leave_out_other_parts(self, state):
        state.run_choices.person = "city"
        assert attackable_columns(state)["job"] == ("age", "hours")

    def test_what_is_missing_is_said(self):
        with pytest.raises(ColumnError, match="No unknown column is chosen"):
            OneAttack().columns()
        with pytest.raises(ColumnError, match="No known column is chosen"):
            OneAttack(unknown="a").columns()

    def test_who_knew_everything_else_still_does(self):
        can = {"a": ("b", "c"), "b": ("a", "c"), "c": ("a",)}
        one = OneAttack(unknown="b", known=["b", "c"], followed="a")
        one.follow_unknown(can)
        assert one.known == ["a", "c"]
        one.unknown = "a"  # before the page is drawn
        one.follow_unknown(can)
        assert one.known == ["b", "c"]
        one = OneAttack(unknown="c", known=["c"], followed="a")
        one.follow_unknown(can)
        assert one.known == []


def test_a_release_that_is_renamed_stays_chosen_and_answered(state, people):
    for seed, name in enumerate("ab", start=2):
        read_into(state, "release", f"{name}.csv", csv(people(400, seed=seed)), NO_OPTIONS)
    state.release_mode = "several"
    choices = state.campaign_choices
    choices.releases, choices.all_releases = ["release", "a"], False
    choices.attacks.releases_of("best row match").names = ["a"]
    state.answers.accepted = {("unknown-labels", "a", "job"), ("unknown-labels", "b", "job")}
    state.rename_release("a", "Candidate")
    assert list(state.attacked_releases()) == ["release", "Candidate"]
    assert choices.attacks.only_on() == {"best row match": ("Candidate",)}
    assert {table for _, table, _ in state.answers.accepted} == {"Candidate", "b"}


def test_what_was_said_of_a_release_of_the_originals_name_follows(state, people):
    read_into(state, "release", "people.csv", csv(people(400, seed=2)), NO_OPTIONS)
    state.release_mode = "several"
    told = "people (release)"
    state.same_columns, state.labels = {told: {"years": "age"}}, Labels({told: {"job": {}}})
    state.release_kinds = {told: USUAL_KIND}
    state.answers.accepted = {("unknown-labels", told, "job")}
    choices = state.campaign_choices
    choices.releases, choices.all_releases = [told], False
    for before, new, told in (
        ("people", "Candidate", "Candidate"), ("Candidate", "people", "people (release)"),
    ):  # fmt: skip
        state.rename_release(before, new)
        assert list(state.same_columns) == list(state.labels) == [told]
        assert list(state.release_kinds) == list(state.attacked_releases()) == [told]
        assert state.answers.accepted == {("unknown-labels", told, "job")}


def test_what_was_said_of_a_release_of_several_files_follows_the_name_of_one(state, people):
    for seed, name in enumerate("ab", start=2):
        read_into(state, "release", f"{name}.csv", csv(people(400, seed=seed)), NO_OPTIONS)
    remove_file(state, "release", "release")
    state.release_mode, state.release_kinds = "one", {"a + b": USUAL_KIND}
    state.labels.update({"a": {"job": {}}})
    choices = state.campaign_choices
    choices.releases, choices.all_releases = ["a + b"], False
    choices.attacks.releases_of("best row match").names = ["a + b"]
    state.rename_release("a", "first")
    assert list(state.releases()) == ["first + b"]
    assert list(state.release_kinds) == choices.releases == ["first + b"]
    assert choices.attacks.confined["best row match"].names == ["first + b"]
    assert list(state.labels) == ["first"]


def test_a_file_keeps_apart_from_one_that_is_called_as_it_is_named(state, people):
    state.rename_release("release", "a")
    read_into(state, "release", "a.csv", csv(people(400, seed=2)), NO_OPTIONS)
    assert list(state.released_files()) == ["a", "a.csv"]
    remove_file(state, "release", "a")
    assert list(state.released_files()) == ["a"]
    read_into(state, "release", "release.csv", csv(people(400, seed=3)), NO_OPTIONS)
    assert list(state.released_files()) == ["a", "release"]


class TestRunChoices:
    def test_a_selection_needs_a_condition(self):
        with pytest.raises(InputError, match="'b' is no condition on people"):
            RunChoices(where="b").targets()

    def test_conditions_follow_the_columns(self):
        choices = RunChoices(where="b = x\nage >= quantile 0.9")
        choices.select("c in x|y")
        choices.adapt(["age", "c"])
        assert choices.where == "age >= quantile 0.9\nc in x|y"
        choices.tolerance = "age = 2\nc=10%"
        choices.select("age = 7")
        choices.rename({"age": "Age", "c": "c"})
        assert choices.where == "age >= quantile 0.9\nc in x|y\nAge = 7", "told where it is used"
        assert choices.tolerance == "Age=2\nc=10 %"

    def test_a_selection_may_hold_any_sign(self):
        values = ["Clerks, sales", 'the "best"', "a|b"]
        for chosen in (values[:1], values):
            condition = ConditionChoice(column="job", values=chosen)
            choices = RunChoices(where=condition.selection)
            assert dict(choices.targets().where) == {"job": tuple(chosen)}
        condition = ConditionChoice(column="age", how="between", low="20", high="25")
        assert condition.selection == condition.text == "age in 20..25"

    @pytest.mark.parametrize(
        ("mode", "count"), [("automatic", None), ("number", 99), ("all", "all")]
    )
    def test_number_of_targets(self, mode, count):
        assert RunChoices(target_mode=mode, target_number=99).targets().count == count

    def test_a_selection_reaches_the_targets(self):
        targets = RunChoices(where="b = x", recall="group").targets()
        assert (dict(targets.where), targets.recall) == ({"b": ("x",)}, "group")

    def test_rescoring_round_trip(self):
        scoring = ScoringParameters(alpha=2.0, at_risk=0.4)
        assert ScoringParameters(**Rescoring.of(scoring).changes()) == scoring


class TestKinds:
    def test_chosen_kinds_reach_the_table_and_the_choices(self, state):
        state.campaign_choices.one = OneAttack(unknown="job", known=["city", "age"])
        state.set_kind("city", ColumnKind.IGNORE)
        assert state.original_table().kind("city") is ColumnKind.IGNORE
        attackable_columns(state)
        assert state.campaign_choices.one.known == ["age"]

    def test_going_back_to_the_inferred_kind_leaves_no_override(self, state):
        state.set_kind("age", ColumnKind.CATEGORICAL)
        state.set_kind("age", ColumnKind.CONTINUOUS)
        assert state.kinds == {}

    def test_kinds_survive_a_new_upload(self, state, people):
        state.kinds = {"age": ColumnKind.CATEGORICAL}
        read_into(state, "original", "people2.csv", csv(people(500)), NO_OPTIONS)
        assert state.original_table().kind("age") is ColumnKind.CATEGORICAL

    def test_column_table_has_kind_and_reasons(self, state):
        rows = column_rows(state)
        assert [row["column"] for row in rows] == ["age", "city", "hours", "job"]
        assert [row["kind"] for row in rows][:2] == ["continuous", "categorical"]
        assert all(value for row in rows for value in row.values())

    def test_preview_shows_values_as_text(self, people):
        frame = people(50)
        frame.loc[0, "city"] = None
        shown = preview(table_from_frame(frame))
        assert len(shown) == PREVIEW_ROWS
        assert shown["city"].iloc[0] == ""
        assert shown["age"].iloc[0] == str(frame["age"].iloc[0])

    def test_preview_of_a_wide_table_is_cut(self, people):
        import pandas as pd

        wide = pd.DataFrame({f"c{n}": range(40) for n in range(PREVIEW_COLUMNS + 5)})
        assert preview(table_from_frame(wide)).shape[1] == PREVIEW_COLUMNS


class TestInputs:
    def test_nothing_changed(self, state):
        assert state.campaign_inputs().differences(state.campaign_inputs()) == ()

    def test_changes_are_named(self, state):
        before = state.campaign_inputs()
        state.run_choices.alpha = 2.0
        state.campaign_choices.draft.max_known = 2  # which attacks are run next changes no result
        state.run_choices.down_sample = False
        state.kinds = {"age": ColumnKind.CATEGORICAL}
        assert before.differences(state.campaign_inputs()) == (
            "the kinds of columns",
            "the people attacked, or the roles of columns",
            "the parameters",
        )
        assert before.differences(None) == ("the choices of the campaign",)

    def test_findings_are_kept_and_follow_the_kinds(self, state):
        first = state.findings()
        assert state.findings() is first
        state.kinds = {"city": ColumnKind.IGNORE}
        assert state.findings() is not first

    def test_each_question_is_accepted_by_itself(self):
        answers = AnsweredQuestions()
        findings = [
            Finding.of(Severity.QUESTION, "unknown-labels", "r", column) for column in ("a", "b")
        ]
        answers.toggle(findings[0])
        assert answers.accepted_codes(findings) == ("unknown-labels:r:a",)
        answers.toggle(findings[1])
        assert answers.accepted_codes(findings) == ("unknown-labels:r:a", "unknown-labels:r:b")
        answers.toggle(findings[0])
        assert not answers.is_accepted(findings[0])


def test_a_file_that_cannot_be_taken_over_leaves_the_campaign_that_is_open(
    people, tmp_path, monkeypatch
):
    path = tmp_path / "one.alc"
    run_quickly(people(), {"r": people()}, path).close()
    state = AppState()
    open_campaign(state, path.name, path.read_bytes())
    before = state.campaign

    def refuse(*_):
        raise InputError("No such column.")

    monkeypatch.setattr(CampaignChoices, "of", refuse)
    with pytest.raises(InputError, match="No such column"):
        open_campaign(state, "other.alc", path.read_bytes())
    assert state.campaign is before
    assert state.campaign.view.store.counts().finished
    state.clear()
