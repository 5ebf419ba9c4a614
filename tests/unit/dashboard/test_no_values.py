import pytest

from alc_core.campaign.run.check import all_findings
from alc_core.dashboard.data.columns import keep_answer, store_no_values
from alc_core.dashboard.parts.offers import take_offer
from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.work.campaign_planning import plan_preview
from alc_core.dashboard.work.uploads import NO_OPTIONS, read_into
from alc_core.tables.table import ColumnKind


def csv(frame):
    return frame.to_csv(index=False).encode()


@pytest.fixture
def state(people):
    frame = people(400)
    frame.loc[:39, "job"] = "N/A"
    frame.loc[40:59, "city"] = None
    frame["flag"] = ["yes", "unknown"] * 200
    state = AppState()
    read_into(state, "original", "people.csv", csv(frame), NO_OPTIONS)
    read_into(state, "release", "release.csv", csv(frame), NO_OPTIONS)
    return state


def left_out(state):
    return {
        scenario.unknown: scenario.selection.missing
        for scenario in plan_preview(state).plan.scenarios
    }


def test_what_is_recognised_is_used_and_kept(state):
    found = state.without_values()
    assert {c: each.markers for c, each in found.items() if each.rows} == {
        "job": ("N/A",),
        "city": (),
        "flag": ("unknown",),
    }
    assert state.without_values()["job"] is found["job"]
    assert left_out(state)["job"] == {"job": ("N/A",)}
    assert left_out(state)["city"] == {"city": ()}
    assert left_out(state)["age"] is None


def test_what_the_user_says_instead_is_used(state):
    store_no_values(state, "job", [" clerk", "N/A", "clerk"])
    assert state.choices.settings.targets.missing == {"job": ("clerk", "N/A")}
    assert left_out(state)["job"] == {"job": ("N/A", "clerk")}
    store_no_values(state, "job", [])
    assert left_out(state)["job"] is None
    store_no_values(state, "job", ["N/A"])  # as it is recognised
    assert state.choices.settings.targets.missing == {}


def test_a_column_with_one_value_besides_can_be_attacked_only_with_everybody(state):
    assert "flag" not in state.attackable()
    state.choose(include_missing=True)
    assert "flag" in state.attackable()
    assert set(left_out(state).values()) == {None}
    state.choose(include_missing=False)
    store_no_values(state, "flag", [])
    assert "flag" in state.attackable()


def test_another_kind_is_looked_at_again(state):
    found = state.without_values()
    assert "hours" in found
    state.kinds["hours"] = ColumnKind.IGNORE
    assert "hours" not in state.without_values()
    state.kinds["age"] = ColumnKind.CATEGORICAL
    assert state.without_values()["age"] is not found["age"]
    assert state.without_values()["job"] is found["job"]


def test_columns_that_are_gone_are_forgotten(state, people):
    store_no_values(state, "flag", ["yes"])
    store_no_values(state, "job", ["smith"])
    read_into(state, "original", "people.csv", csv(people(400)), NO_OPTIONS)
    assert state.choices.settings.targets.missing == {"job": ("smith",)}


def test_a_change_makes_the_last_campaign_outdated(state):
    before = state.campaign_inputs()
    store_no_values(state, "job", ["N/A", "smith"])
    assert before.differences(state.campaign_inputs()) == (
        "the people attacked, or the roles of columns",
    )


def questions(state):
    found = all_findings(state.check().attacks(plan_preview(state).plan.attacks))
    return [f for f in found if f.code == "no-value" and not state.answers.is_accepted(f)]


@pytest.mark.parametrize("answer", ["offer", "value"])
def test_both_answers_to_a_text_among_numbers_settle_it(people, answer):
    frame = people(800)
    frame["grade"] = [str(n % 12 + 1) if n % 13 else "K" for n in range(800)]
    state = AppState()
    read_into(state, "original", "people.csv", csv(frame), NO_OPTIONS)
    read_into(state, "release", "release.csv", csv(frame), NO_OPTIONS)
    (question,) = questions(state)
    if answer == "offer":
        take_offer(state, question, question.offers[0])
    else:
        keep_answer(state, "grade", ())
    assert questions(state) == []
    assert state.likely_no_values() == ()
    assert left_out(state)["grade"] == ({"grade": ("K",)} if answer == "offer" else None)
