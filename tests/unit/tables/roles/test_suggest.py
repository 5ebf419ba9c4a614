import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.tables.read import table_from_frame
from alc_core.tables.roles import ColumnRole, suggest_roles


def suggestions(frame, *released):
    table = table_from_frame(frame)
    return {s.column: s for s in suggest_roles(table, released or table.columns)}


@pytest.mark.parametrize(
    ("name", "rather"),
    [
        ("age", "known"), ("Geschlecht", "known"), ("ZIP code", "known"), ("région", "known"),
        ("estado_civil", "known"), ("maritalStatus", "known"), ("Größe", "known"),
        ("education_num", "known"), ("Familienstand", "known"), ("ethnicity", "known"),
        ("diagnosis", "unknown"), ("Einkommen", "unknown"), ("salaire_net", "unknown"),
        ("religion", "unknown"), ("voted_2020", "unknown"), ("drug_use", "unknown"),
        ("HIV", "unknown"), ("affairs", "unknown"), ("arrests", "unknown"), ("debt", "unknown"),
        ("santé", "unknown"), ("household_income", "unknown"), ("weight", "unknown"),
    ],
)  # fmt: skip
def test_names(name, rather):
    found = suggestions(pd.DataFrame({name: ["a", "b"]}))[name]
    assert found.rather == rather
    assert found.role is (ColumnRole.BOTH if rather == "known" else ColumnRole.PROTECTED)
    assert "the name suggests" in found.reason
    assert found.by_name


def test_an_occupation_is_sensitive_and_known_all_the_same():
    found = suggestions(pd.DataFrame({"Beruf": ["a", "b"]}))["Beruf"]
    assert (found.role, found.rather) == (ColumnRole.BOTH, "unknown")


def test_identifiers_ignored_and_absent_columns():
    frame = pd.DataFrame(
        {
            "person_id": np.arange(100),
            "empty": [None] * 100,
            "same": [1] * 100,
            "flag": ["yes", None] * 50,
            "absent": ["a", "b"] * 50,
            "age": np.arange(100) % 30,
        }
    )
    found = {
        column: (suggestion.role, suggestion.reason)
        for column, suggestion in suggestions(
            frame, "person_id", "empty", "same", "age", "flag"
        ).items()
    }
    assert found["person_id"][0] is ColumnRole.IDENTIFIER
    assert found["empty"] == (ColumnRole.LEFT_OUT, "not usable: all values are missing")
    assert found["same"] == (ColumnRole.LEFT_OUT, "says nothing: constant: a single number")
    assert found["flag"][0] is ColumnRole.BOTH, "whether there is a value may be the secret"
    assert found["absent"] == (ColumnRole.LEFT_OUT, "in no release")
    assert found["age"][0] is ColumnRole.BOTH


@pytest.mark.parametrize(
    "name",
    ["SERIALNO", "hhid", "Haushalts-Nr", "household_number", "idhog", "caseid", "persnr", "idno"],
)
def test_numbers_of_households_and_records(name):
    households = [f"2018HU{number // 3:05d}" for number in range(600)]
    frame = pd.DataFrame({name: households, "sex": ["m", "f"] * 300})
    assert suggestions(frame)[name].role is ColumnRole.IDENTIFIER
    few = pd.DataFrame({name: np.arange(600) % 12})
    assert suggestions(few)[name].role is ColumnRole.BOTH, "twelve values are no numbers of records"


def test_columns_whose_name_says_nothing():
    frame = pd.DataFrame(
        {
            "q1": ["a", "b"] * 150,
            "q2": [f"v{k % 150}" for k in range(300)],
            "q3": np.arange(300) % 60 + 0.5,
            "q4": pd.date_range("2020-01-01", periods=300),
            "q5": np.random.default_rng(0).normal(3000, 500, 300),
        }
    )
    found = suggestions(frame)
    assert {c: found[c].rather for c in ("q1", "q2", "q3", "q4")} == {
        "q1": "unknown", "q2": "known", "q3": "unknown", "q4": "known",
    }  # fmt: skip
    assert {found[c].role for c in ("q1", "q2", "q3", "q4")} == {ColumnRole.BOTH}
    assert "150 distinct values" in found["q2"].reason
    assert found["q4"].reason == "dates are often known from elsewhere"
    assert found["q5"].role is ColumnRole.PROTECTED
    assert found["q5"].reason == "100 % of the numbers are there only once: too exact to be known"


def test_the_users_choice_of_kind_counts():
    table = table_from_frame(pd.DataFrame({"q": ["a", "b"]})).with_kinds({"q": "ignore"})
    (suggestion,) = suggest_roles(table, table.columns)
    assert (suggestion.role, suggestion.reason) == (
        ColumnRole.LEFT_OUT,
        "not usable: as you set it",
    )


@pytest.mark.parametrize("name", ["fair", "randhie"])
def test_every_column_of_the_demos_is_attacked(name):
    original = alc.load_demo(name).original
    found = {s.column: s.role for s in suggest_roles(original, original.columns)}
    assert all(role.is_protected for role in found.values())
    protected = {column for column, role in found.items() if not role.may_be_known}
    assert protected == {"fair": {"religious", "affairs"}, "randhie": {"self_rated_health"}}[name]
