"""Linked tables on the Data page: from files to attacks, keys shown and changed."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from alc_core.dashboard.attack.plan import plan_table
from alc_core.dashboard.work.campaign_planning import plan_preview
from alc_core.dashboard.work.uploads import NO_OPTIONS, read_into
from tests.app.conftest import csv

N = 200
LAST = "last disease of visits"


@pytest.fixture
def tables():
    rng = np.random.default_rng(3)
    owner = np.repeat(np.arange(N), rng.integers(1, 4, N))
    people = pd.DataFrame({"id": np.arange(N), "age": rng.integers(20, 80, N),
                           "sex": rng.choice(["f", "m"], N)})  # fmt: skip
    visits = pd.DataFrame({"id": owner, "disease": rng.choice(list("abcd"), len(owner)),
                           "month": rng.integers(1, 13, len(owner))})  # fmt: skip
    return {"people": people, "visits": visits}


def released(tables):
    return {
        name: t.assign(pid=t["id"] + 900).drop(columns="id").sample(frac=1, random_state=1)
        for name, t in tables.items()
    }


def book(tables):
    file = io.BytesIO()
    with pd.ExcelWriter(file) as writer:
        for name, table in tables.items():
            table.to_excel(writer, sheet_name=name, index=False)
    return file.getvalue()


def test_files_that_a_key_joins_are_one_original_and_one_release(app, tables):
    app.go_to("data")
    app.upload("original", *((f"{name}.csv", csv(t)) for name, t in tables.items()))
    given = released(tables)
    app.upload("release", *((f"{name}_published.csv", csv(t)) for name, t in given.items()))
    assert [*app.state.releases()] == [
        "release: people", "release: visits", "release: joined by 'pid'",
        "release: known rows of 'visits'",
    ]  # fmt: skip
    assert len(app.state.original_table()) == N
    assert "Continue" in app.buttons
    assert "visits 1: month" not in app.state.without_values()
    assert "visits" not in {each.table for each in app.state.file_facts()}
    drawn = next(each for each in app.html.split("\n") if "alc-tables" in each)
    assert "<b>people</b> 200 rows, one for each person" in drawn
    assert "by pid" in app.html
    assert "most frequent disease of visits" in app.state.attackable()

    app.click(next(label for label in app.buttons if "Remove" in label and "visits" in label))
    assert app.state.linked is None


def test_a_workbook_of_two_sheets_is_read_whole(app, tables):
    app.load(("own.xlsx", book(tables)), ("public.xlsx", book(released(tables))))
    assert [*app.state.linked.sides] == ["original", "public"]
    assert not app.state.failed


def test_the_plan_is_drawn_with_known_rows(app, tables):
    app.load(("own.xlsx", book(tables)), ("public.xlsx", book(released(tables))))
    drawn = plan_table(plan_preview(app.state).plan)
    assert "known rows" in set(drawn["Knows"])
    assert "visits 1: disease" in set(drawn["Attacked"])


def test_a_key_can_be_changed(app, tables):
    tables["visits"]["by"] = tables["visits"]["id"].to_numpy()[::-1]  # who made the visit's entry
    app.load(("own.xlsx", book(tables)), ("public.xlsx", book(released(tables))))
    app.go_to("data")
    assert app.state.linked.joined("original").described() == "visits.id=people.id"
    app.choose("selectbox", "key_of_original_visits_visits.id=people.id", "visits.by=people.id")
    assert app.state.linked.joined("original").described() == "visits.by=people.id"
    assert app.state.ready


def test_tables_that_no_key_joins_say_what_to_do(app, tables):
    app.go_to("data")
    notes = pd.DataFrame({"note": ["x", "y"], "n": [0.5, 0.7]})
    app.upload("original", ("people.csv", csv(tables["people"])), ("notes.csv", csv(notes)))
    assert not app.state.ready
    assert "No column joins 'people' and 'notes'" in app.texts


def test_another_original_replaces_the_first_unless_a_key_joins_them(app, tables):
    for name, data, expected in (
        ("people.csv", csv(tables["people"]), ["people"]),
        ("people2.csv", csv(tables["people"].head(150)), ["people2"]),
        ("visits.csv", csv(tables["visits"]), ["people2", "visits"]),
        ("other.csv", csv(pd.DataFrame({"x": [0.5, 0.7]})), ["other"]),
    ):
        app.load((name, data))
        assert [file.table.name for file in app.state.files("original")] == expected


@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)])
def test_sdv_metadata_tells_keys_and_kinds_of_linked_tables(app, tables, order):
    given = tables["visits"].rename(columns={"id": "of"})
    metadata = {
        "tables": {
            "people": {"columns": {"id": {"sdtype": "id"}}, "primary_key": "id"},
            "visits": {"columns": {"of": {"sdtype": "id"}, "month": {"sdtype": "numerical"}}},
        },
        "relationships": [{
            "parent_table_name": "people", "parent_primary_key": "id",
            "child_table_name": "visits", "child_foreign_key": "of",
        }],
    }  # fmt: skip
    files = [("people.csv", csv(tables["people"])), ("visits.csv", csv(given)),
             ("m.json", json.dumps(metadata).encode())]  # fmt: skip
    app.go_to("data")
    app.upload("original", *files[order])
    assert app.state.failed == ()
    assert app.state.linked.review.sides[0].joined_by == "'of'"
    own = app.state.linked.sides["original"]
    assert own["visits"].kind("month") == "continuous"
    app.click(next(label for label in app.buttons if "Remove" in label and "m.json" in label))
    assert app.state.linked.sides["original"]["visits"].kind("month") == "categorical"


@pytest.mark.parametrize("columns", [["age", "shift"], ["year", "shift"]])
def test_an_original_that_has_no_key_of_the_others_replaces_them(app, tables, columns):
    rng = np.random.default_rng(4)
    age, shift = rng.integers(20, 80, 90), rng.integers(0, 2, 90)
    app.load(("people.csv", csv(tables["people"])))
    app.load(("town.csv", csv(pd.DataFrame(dict(zip(columns, (age, shift), strict=True))))))
    assert app.state.linked is None
    assert app.state.original.table.name == "town"


def test_a_holdout_of_several_tables_is_asked_for_one(app, tables):
    assert not read_into(app.state, "holdout", "others.xlsx", book(tables), NO_OPTIONS)
    assert app.state.holdout is None
    assert [*app.state.failed[0].tables] == ["people", "visits"]
