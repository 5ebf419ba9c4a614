from __future__ import annotations

import pytest

from alc_core import load_demo
from alc_core.dashboard.data.column_editor import (
    PREVIEW_COLUMNS,
    PREVIEW_ROWS,
    column_table,
    preview,
    store_kinds,
)
from alc_core.dashboard.state.choices import AttackChoices, Rescoring, known_columns
from alc_core.dashboard.state.files import ReadingOptions
from alc_core.dashboard.state.state import AppState, question_key
from alc_core.dashboard.state.uploads import NO_OPTIONS, read_into, remove_file, use_demo
from alc_core.errors import ColumnError, InputError
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.checks.finding import Finding, Severity
from alc_core.tables.read import table_from_frame
from alc_core.tables.table import ColumnKind


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
        assert state.original_table().name == "people.csv"
        assert [table.name for table in state.release_tables()] == ["release.csv"]
        assert not state.failed

    def test_a_mistake_keeps_what_was_there(self, state):
        state.choices.known = ["city"]
        assert not read_into(state, "original", "wrong.csv", b"", NO_OPTIONS)
        assert state.original_table().name == "people.csv"
        assert state.choices.known == ["city"]
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
        assert [file.table.name for file in state.release] == ["release.csv", "odd.csv"]
        assert state.release[1].table.frame["a"].iloc[0] == 0.5

    def test_same_name_replaces(self, state, people):
        read_into(state, "release", "release.csv", csv(people(300)), NO_OPTIONS)
        (only,) = state.release
        assert len(only.table) == 300

    def test_release_with_the_originals_name_is_told_apart(self, state, people):
        read_into(state, "release", "people.csv", csv(people(300)), NO_OPTIONS)
        assert [table.name for table in state.release_tables()][1] == "people.csv (release)"

    def test_unexpected_errors_are_messages(self, state, monkeypatch):
        def fail(*args, **kwargs):
            raise ZeroDivisionError("Jane")

        monkeypatch.setattr("alc_core.dashboard.state.uploads.read_table", fail)
        assert not read_into(state, "release", "x.csv", b"a\n1\n", NO_OPTIONS)
        assert "Something went wrong" in state.failed[0].message

    def test_own_data_replace_the_demo_whole(self, people):
        state = AppState()
        use_demo(state, "fair", "20% swapped")
        read_into(state, "release", "own.csv", csv(people(300)), NO_OPTIONS)
        assert state.original is None
        assert [file.table.name for file in state.release] == ["own.csv"]

    def test_remove(self, state):
        remove_file(state, "release", "release.csv")
        remove_file(state, "original", "people.csv")
        assert not state.ready
        with pytest.raises(InputError, match="no original table yet"):
            state.original_table()


class TestChoices:
    def test_demo_suggests_its_scenario(self):
        state = AppState()
        use_demo(state, "fair", "80% swapped")
        scenario = load_demo("fair").scenario
        assert state.choices.unknown == scenario.unknown
        assert state.choices.known == list(scenario.known)

    def test_choices_survive_another_strength_of_the_demo(self):
        state = AppState()
        use_demo(state, "fair", "20% swapped")
        state.choices.unknown, state.choices.known = "religious", ["age"]
        use_demo(state, "fair", "80% swapped")
        assert (state.choices.unknown, state.choices.known) == ("religious", ["age"])

    def test_choices_that_make_no_sense_any_more_are_suggested_anew(self, state):
        state.choices.person = "city"
        use_demo(state, "randhie", "20% swapped")
        assert state.choices.unknown == load_demo("randhie").scenario.unknown
        assert state.choices.person is None

    def test_known_columns_leave_out_other_parts(self, state):
        state.choices.unknown, state.choices.person = "job", "city"
        assert known_columns(state.original_table(), state.choices) == ["age", "hours"]

    def test_scenario_says_what_is_missing(self):
        with pytest.raises(ColumnError, match="No unknown column is chosen"):
            AttackChoices().scenario()
        with pytest.raises(ColumnError, match="No known column is chosen"):
            AttackChoices(unknown="a").scenario()
        with pytest.raises(ColumnError, match="selected by 'b', but no value is chosen"):
            AttackChoices(unknown="a", known=["b"], where_column="b").scenario()

    @pytest.mark.parametrize(
        ("mode", "count"), [("automatic", None), ("number", 99), ("all", "all")]
    )
    def test_number_of_targets(self, mode, count):
        choices = AttackChoices(unknown="a", known=["b"], target_mode=mode, target_number=99)
        assert choices.scenario().selection.count == count

    def test_selection_reaches_the_scenario(self):
        choices = AttackChoices(
            unknown="a", known=["b"], where_column="b", where_values=["x"], recall="group"
        )
        selection = choices.scenario().selection
        assert (dict(selection.where), selection.recall) == ({"b": ("x",)}, "group")

    def test_rescoring_round_trip(self):
        scoring = ScoringParameters(alpha=2.0, at_risk=0.4)
        assert ScoringParameters(**Rescoring.of(scoring).changes()) == scoring


class TestKinds:
    def test_chosen_kinds_reach_the_table_and_the_choices(self, state):
        state.editor_kinds = state.original_table().kinds
        state.choices.known = ["city", "age"]
        store_kinds(state, {1: {"Kind": "ignore"}})
        assert state.original_table().kind("city") is ColumnKind.IGNORE
        assert state.choices.known == ["age"]

    def test_going_back_to_the_inferred_kind_leaves_no_override(self, state):
        state.editor_kinds = state.original_table().kinds
        store_kinds(state, {0: {"Kind": "categorical"}})
        store_kinds(state, {})
        assert state.kinds == {}

    def test_kinds_survive_a_new_upload(self, state, people):
        state.kinds = {"age": ColumnKind.CATEGORICAL}
        read_into(state, "original", "people2.csv", csv(people(500)), NO_OPTIONS)
        assert state.original_table().kind("age") is ColumnKind.CATEGORICAL

    def test_column_table_has_kind_and_reasons(self, state):
        rows = column_table(state.original_table(), state.release_tables(), {})
        assert list(rows["Column"]) == ["age", "city", "hours", "job"]
        assert list(rows["Kind"])[:2] == ["continuous", "categorical"]
        assert rows.notna().all(axis=None)

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
        assert state.inputs().differences(state.inputs()) == ()

    def test_changes_are_named(self, state):
        before = state.inputs()
        state.choices.alpha, state.choices.seed = 2.0, 5
        state.choices.known = ["age"]
        assert before.differences(state.inputs()) == (
            "the columns or people attacked",
            "the parameters",
            "the seed",
        )
        assert before.differences(None) == ("the columns",)

    def test_a_changed_kind_is_named(self, state):
        before = state.inputs()
        state.kinds = {
            before.scenario.unknown: ColumnKind.CATEGORICAL,
            "age": ColumnKind.CATEGORICAL,
        }
        assert "the kinds of columns" in before.differences(state.inputs())

    def test_findings_are_kept_and_follow_the_kinds(self, state):
        first = state.findings()
        assert state.findings() is first
        state.kinds = {"city": ColumnKind.IGNORE}
        assert state.findings() is not first

    def test_a_code_is_accepted_once_all_its_questions_are(self):
        state = AppState()
        findings = [
            Finding(
                severity=Severity.QUESTION, code="unknown-labels", table="r", column=column,
                message="m", action="a",
            )
            for column in ("a", "b")
        ]  # fmt: skip
        state.accepted = {question_key(findings[0])}
        assert state.accepted_codes(findings) == ()
        state.accepted.add(question_key(findings[1]))
        assert state.accepted_codes(findings) == ("unknown-labels",)
