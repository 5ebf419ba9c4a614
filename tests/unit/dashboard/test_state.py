import pytest

from alc_core import load_demo
from alc_core.attacks.registry import DEFAULT_ATTACK
from alc_core.dashboard.choices.plan import Choices, OneAttack
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
from alc_core.dashboard.work.uploads import NO_OPTIONS, read_into, remove_file, use_demo
from alc_core.errors import ColumnError, InputError
from alc_core.releases.release import USUAL_KIND
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
        state.choose(person="city")
        assert not read_into(state, "original", "wrong.csv", b"", NO_OPTIONS)
        assert state.original_table().name == "people"
        assert state.choices.settings.person == "city"
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
        with pytest.raises(InputError, match="Upload an original"):
            state.original_table()


class TestOneAttack:
    def test_demo_suggests_its_scenario(self):
        state = AppState()
        use_demo(state, "fair", "80% swapped")
        scenario = load_demo("fair").scenario
        one = state.chosen().one
        assert one == OneAttack(unknown=scenario.unknown, known=tuple(scenario.known))

    def test_choices_survive_another_strength_of_the_demo(self):
        state = AppState()
        use_demo(state, "fair", "20% swapped")
        state.choose(one=OneAttack(unknown="religious", known=("age",)))
        use_demo(state, "fair", "80% swapped")
        assert state.chosen().one == OneAttack(unknown="religious", known=("age",))

    def test_choices_that_make_no_sense_any_more_are_suggested_again(self, state):
        state.choose(person="city", one=OneAttack(unknown="job", known=("age",)))
        use_demo(state, "randhie", "20% swapped")
        assert state.chosen().one.unknown == load_demo("randhie").scenario.unknown
        assert state.choices.settings.person is None

    def test_known_columns_leave_out_other_parts(self, state):
        state.choose(person="city")
        assert state.attackable()["job"] == ("age", "hours")

    def test_what_is_missing_is_said(self):
        with pytest.raises(ColumnError, match="Choose an unknown column"):
            OneAttack().columns()
        with pytest.raises(ColumnError, match="Choose a known column"):
            OneAttack(unknown="a").columns()

    def test_who_knew_everything_else_still_does(self):
        can = {"a": ("b", "c"), "b": ("a", "c"), "c": ("a",)}
        one = OneAttack(unknown="a", known=("b", "c")).learning("b", can)
        assert one == OneAttack(unknown="b", known=("a", "c"))
        assert one.learning("a", can).known == ("b", "c")
        assert OneAttack(unknown="a", known=("c",)).learning("c", can).known == ()


def test_a_release_that_is_renamed_stays_chosen_and_answered(state, people):
    for seed, name in enumerate("ab", start=2):
        read_into(state, "release", f"{name}.csv", csv(people(400, seed=seed)), NO_OPTIONS)
    state.release_mode = "several"
    state.choose(attacked=["release", "a"], only_on={"best row match": ["a"]})
    state.answers.accepted = {("unknown-labels", "a", "job"), ("unknown-labels", "b", "job")}
    state.rename_release("a", "Candidate")
    assert list(state.attacked_releases()) == ["release", "Candidate"]
    assert state.choices.settings.only_on == {"best row match": ("Candidate",)}
    assert {table for _, table, _ in state.answers.accepted} == {"Candidate", "b"}


def test_what_was_said_of_a_release_of_the_originals_name_follows(state, people):
    read_into(state, "release", "people.csv", csv(people(400, seed=2)), NO_OPTIONS)
    state.release_mode = "several"
    told = "people (release)"
    state.same_columns, state.labels = {told: {"years": "age"}}, Labels({told: {"job": {}}})
    state.release_kinds = {told: USUAL_KIND}
    state.answers.accepted = {("unknown-labels", told, "job")}
    state.choose(attacked=[told])
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
    state.choose(attacked=["a + b"], only_on={"best row match": ["a + b"]})
    state.rename_release("a", "first")
    assert list(state.releases()) == ["first + b"]
    assert list(state.release_kinds) == ["first + b"]
    assert state.choices.settings.attacked == ("first + b",)
    assert state.choices.settings.only_on == {"best row match": ("first + b",)}
    assert list(state.labels) == ["first"]


def test_a_file_keeps_apart_from_one_that_is_called_as_it_is_named(state, people):
    state.rename_release("release", "a")
    read_into(state, "release", "a.csv", csv(people(400, seed=2)), NO_OPTIONS)
    assert list(state.released_files()) == ["a", "a.csv"]
    remove_file(state, "release", "a")
    assert list(state.released_files()) == ["a"]
    read_into(state, "release", "release.csv", csv(people(400, seed=3)), NO_OPTIONS)
    assert list(state.released_files()) == ["a", "release"]


def test_a_model_is_trained_where_rows_are_made_up_unless_the_user_says_so(state, monkeypatch):
    monkeypatch.setattr(AppState, "made_up", lambda _: made_up)
    made_up = ["release"]
    state.choose(attacks=[DEFAULT_ATTACK, "naive bayes"])
    assert state.chosen().settings.only_on == {"model": ("release",)}
    state.choose(mode="one")
    texts = [DEFAULT_ATTACK, "naive bayes"]
    assert list(state.chosen().attacks) == texts, "chosen singly: no model"
    state.choose(mode="many")
    made_up = []
    assert not state.chosen().model
    state.run_attacks(state.chosen().training([]))
    made_up = ["release"]
    assert state.chosen().model
    assert state.chosen().settings.only_on == {}, "the user asked when nothing was made up"
    state.run_attacks(state.chosen().training(None))
    assert not state.chosen().model


class TestKinds:
    def test_chosen_kinds_reach_the_table_and_the_choices(self, state):
        state.choose(one=OneAttack(unknown="job", known=("city", "age")))
        state.set_kind("city", ColumnKind.IGNORE)
        assert state.original_table().kind("city") is ColumnKind.IGNORE
        assert state.chosen().one.known == ("age",)

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
        # Which attacks are run next changes no result
        state.choose(scoring={"alpha": 2.0}, max_known=2, down_sample=False)
        state.kinds = {"age": ColumnKind.CATEGORICAL}
        assert before.differences(state.campaign_inputs()) == (
            "the kinds of columns",
            "the people attacked, or the roles of columns",
            "the parameters",
        )
        assert before.differences(None) == ("the choices",)

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

    monkeypatch.setattr(Choices, "of", refuse)
    with pytest.raises(InputError, match="No such column"):
        open_campaign(state, "other.alc", path.read_bytes())
    assert state.campaign is before
    assert state.campaign.view.store.counts().finished
    state.clear()
