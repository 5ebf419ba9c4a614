"""What is derived is made once for each of its inputs, and goes with them."""

import gc
import weakref
from dataclasses import replace

import pytest

from alc_core.dashboard.state.app_state import AppState
from alc_core.dashboard.state.memo import Memo
from alc_core.dashboard.work.campaign_planning import plan_preview
from alc_core.dashboard.work.uploads import NO_OPTIONS, read_into, remove_file
from alc_core.tables.table import ColumnKind

FILES = {"original": "people", "release": "release"}


class Made:
    """Stands for what is derived."""


def test_an_equal_key_gives_the_same_value_and_another_a_new_one():
    memo = Memo()
    first = memo.remember("a", ("x", {"b": [1]}), Made)
    assert memo.remember("a", ("x", {"b": [1]}), Made) is first
    assert memo.remember("a", ("x", {"b": [2]}), Made) is not first
    assert memo.remember("a", ("x", {"b": [1]}), Made) is not first, "the last one alone is kept"


def test_each_name_has_its_own():
    memo = Memo()
    first = memo.remember("a", 1, Made)
    assert memo.remember(("a", "b"), 1, Made) is not first
    assert memo.remember("a", 1, Made) is first


def test_the_old_value_goes_before_the_new_one_is_made_and_a_failure_keeps_none():
    memo = Memo()
    held = weakref.ref(memo.remember("a", 1, Made))

    def fail():
        gc.collect()
        assert held() is None
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        memo.remember("a", 2, fail)
    assert isinstance(memo.remember("a", 2, Made), Made)


def test_clear_frees():
    memo = Memo()
    held = weakref.ref(memo.remember("a", 1, Made))
    memo.clear()
    gc.collect()
    assert held() is None


@pytest.fixture
def state(people):
    state = AppState()
    for seed, (slot, name) in enumerate(FILES.items()):
        frame = people(100, seed=seed).assign(group=["1-2", "3+"] * 50)
        read_into(state, slot, name, frame.to_csv(index=False).encode(), NO_OPTIONS)
    return state


DERIVED = {
    "original": lambda state: state.original_table(),
    "encoded": lambda state: state.encoded(),
    "labelled": lambda state: state.labelled_tables()["release"],
    "releases": lambda state: state.made_releases(),
    "findings": lambda state: state.findings(),
    "roles": lambda state: state.column_roles(),
    "no value": lambda state: state.without_values()["city"],
    "plan": lambda state: plan_preview(state),
}
EVERYTHING = set(DERIVED)
CHANGES = {
    "kind": (
        lambda state: state.kinds.update(city=ColumnKind.IGNORE, age=ColumnKind.CATEGORICAL),
        EVERYTHING - {"no value"},
    ),
    "role": (lambda state: state.choose(roles={"age": "may be known"}), {"roles", "plan"}),
    "type": (
        lambda state: state.release_kinds.update({"release": "groups"}),
        {"releases", "findings", "roles"},
    ),
    "labels": (
        lambda state: state.labels.say("release", "group", {"3+": ["1-2", "3+"]}),
        {"labelled", "releases", "findings", "roles", "plan"},
    ),
    "no value": (
        lambda state: state.choose(missing={"city": ("Ulm",)}),
        {"no value", "plan"},
    ),
    "person": (
        lambda state: state.choose(person="hours"),
        {"findings", "roles", "plan"},
    ),
    "number of attacks": (
        lambda state: state.choose(known_sets=0),
        {"plan"},
    ),
    "parameters of the verdict": (lambda state: state.choose(scoring={"alpha": 2.0}), set()),
}


@pytest.mark.parametrize(("change", "anew"), CHANGES.values(), ids=CHANGES)
def test_what_a_change_concerns_is_made_anew_and_nothing_else(state, change, anew):
    def all_of_it():
        # A column that is ignored has no people without a value.
        names = EVERYTHING - ({"no value"} if "city" not in state.without_values() else set())
        return {name: DERIVED[name](state) for name in names}

    before = all_of_it()
    assert all(now is before[name] for name, now in all_of_it().items())
    change(state)
    after = all_of_it()
    assert {name for name, now in after.items() if now is not before[name]} == anew


def test_the_same_file_read_otherwise_is_another(state):
    before = state.findings(), state.labelled_tables()["release"]
    file = state.release[0]
    read_into(state, "release", "release.csv", file.data, replace(file.options, decimal=","))
    assert state.labelled_tables()["release"] is not before[1]
    assert state.findings() is not before[0]


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize("slot", FILES)
def test_what_came_of_a_file_that_is_removed_is_freed(state, slot):
    state.kinds = {"age": ColumnKind.CATEGORICAL}
    made = state.labelled_tables()["release"], state.original_table(), state.findings()
    held = [weakref.ref(each) for each in made[:2]]
    del made
    remove_file(state, slot, FILES[slot])
    gc.collect()
    assert [each() for each in held] == [None, None]


def test_removing_all_data_frees_everything(state):
    state.attackable()
    held = weakref.ref(state.labelled_tables()["release"])
    plan_preview(state)
    state.clear()
    gc.collect()
    assert held() is None
