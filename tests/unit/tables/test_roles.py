import numpy as np
import pandas as pd
import pytest

from alc_core.tables.read import table_from_frame
from alc_core.tables.roles import suggest_roles


def roles(frame, *releases):
    table = table_from_frame(frame)
    others = [table_from_frame(release) for release in releases] or [table]
    return {s.column: (s.role, s.reason) for s in suggest_roles(table, others)}


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("age", "known"), ("Geschlecht", "known"), ("ZIP code", "known"), ("région", "known"),
        ("estado_civil", "known"), ("maritalStatus", "known"), ("Größe", "known"),
        ("education_num", "known"), ("Familienstand", "known"), ("ethnicity", "known"),
        ("diagnosis", "unknown"), ("Einkommen", "unknown"), ("salaire_net", "unknown"),
        ("religion", "unknown"), ("voted_2020", "unknown"), ("drug_use", "unknown"),
        ("HIV", "unknown"), ("affairs", "unknown"), ("arrests", "unknown"), ("debt", "unknown"),
        ("occupation", "unknown"), ("santé", "unknown"), ("household_income", "unknown"),
    ],
)  # fmt: skip
def test_names(name, role):
    found, reason = roles(pd.DataFrame({name: ["a", "b"]}))[name]
    assert found == role
    assert "the name suggests" in reason


def test_identifiers_ignored_and_absent_columns():
    frame = pd.DataFrame(
        {
            "person_id": np.arange(100),
            "empty": [None] * 100,
            "same": [1] * 100,
            "absent": ["a", "b"] * 50,
            "age": np.arange(100) % 30,
        }
    )
    found = roles(frame, frame.drop(columns="absent"))
    assert found["person_id"][0] == "identifier"
    assert found["empty"] == ("ignore", "not usable: all values are missing")
    assert found["same"] == ("ignore", "says nothing: constant: a single number")
    assert found["absent"] == ("ignore", "in no release")
    assert found["age"][0] == "known"


def test_columns_whose_name_says_nothing():
    frame = pd.DataFrame(
        {
            "q1": ["a", "b"] * 150,
            "q2": [f"v{k % 150}" for k in range(300)],
            "q3": np.arange(300) % 60 + 0.5,
            "q4": pd.date_range("2020-01-01", periods=300),
        }
    )
    found = roles(frame)
    assert found["q1"][0] == "unknown"
    assert found["q2"][0] == "known"
    assert "150 distinct values" in found["q2"][1]
    assert found["q3"][0] == "unknown"
    assert found["q4"] == ("known", "dates are often known from elsewhere")


def test_the_users_choice_of_kind_counts():
    table = table_from_frame(pd.DataFrame({"q": ["a", "b"]})).with_kinds({"q": "ignore"})
    (suggestion,) = suggest_roles(table, [table])
    assert (suggestion.role, suggestion.reason) == ("ignore", "not usable: as you set it")
