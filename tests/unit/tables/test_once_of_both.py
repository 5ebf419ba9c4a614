"""What is found of two tables is looked for once, and does not keep them."""

import gc
import weakref

import pandas as pd
import pytest

from alc_core.tables.checks import own
from alc_core.tables.checks.checker import check_tables
from alc_core.tables.checks.facts import file_facts
from alc_core.tables.checks.pseudonyms import check
from alc_core.tables.read import table_from_frame
from alc_core.tables.table import once_of_both
from tests.conftest import make_people


def table(name):
    return table_from_frame(pd.DataFrame({"age": range(9)}), name=name)


def test_each_pair_is_looked_at_once_and_let_go():
    seen = []
    look = once_of_both(lambda *pair: seen.append([each.name for each in pair]) or len(seen))
    first, second = table("a"), table("b")
    assert [look(first, second), look(first, second), look(second, first)] == [1, 1, 2]
    assert seen == [["a", "b"], ["b", "a"]]
    gone = [weakref.ref(each) for each in (first, second)]
    del first, second
    gc.collect()
    assert [each() for each in gone] == [None, None]


@pytest.mark.parametrize(("room", "name"), [(own, "own_together"), (check, "_pseudonyms")])
def test_the_check_and_the_facts_of_a_file_share_what_was_found(room, name, monkeypatch):
    looked, times = getattr(room, name), []
    monkeypatch.setattr(room, name, lambda *of: times.append(1) or looked(*of))
    original, release = (
        table_from_frame(make_people(300, seed), name=f"{seed}") for seed in (1, 2)
    )
    check_tables(original, [release])
    file_facts(original, release)
    check_tables(original, [release])
    assert times == [1]
