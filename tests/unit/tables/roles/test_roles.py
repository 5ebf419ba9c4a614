import numpy as np
import pandas as pd
import pytest

from alc_core.errors import ColumnError, InputError
from alc_core.tables.read import table_from_frame
from alc_core.tables.roles import ColumnRole, Roles, may_have, protecting


@pytest.fixture(scope="module")
def table():
    n = 200
    frame = pd.DataFrame(
        {
            "id": np.arange(n),
            "age": np.arange(n) % 60,
            "income": np.arange(n) % 7,
            "PWGTP": np.arange(n) % 90 + 1,
            "home": np.arange(n) // 2,
        }
    )
    return table_from_frame(frame, name="people")


def roles(table, **options):
    return Roles.of(table, table.columns, **options)


def test_suggestions_stand_where_the_user_says_nothing(table):
    found = roles(table, chosen={"age": "may be known", "income": "to be protected"})
    assert found.columns_by_role == {
        ColumnRole.KNOWN: ("age",),
        ColumnRole.PROTECTED: ("income",),
        ColumnRole.BOTH: ("home",),
        ColumnRole.WEIGHT: ("PWGTP",),
        ColumnRole.IDENTIFIER: ("id",),
    }
    assert found.by_user == {"age": ColumnRole.KNOWN}, "income is protected anyway"
    assert found.of_columns["age"].reason == "as you set it"
    assert found.role("no such column") is ColumnRole.BOTH


def test_columns_that_say_whose_record_it_is_are_identifiers(table):
    found = roles(table, naming=["home", None])
    assert found.role("home") is ColumnRole.IDENTIFIER
    with pytest.raises(
        ColumnError, match="'home' of 'people' cannot be of the role 'both': it say"
    ):
        roles(table, naming=["home"], chosen={"home": "both"})


def test_what_cannot_be_is_refused_by_name(table):
    with pytest.raises(ColumnError, match="'ages' is not in 'people'.*Did you mean 'age'"):
        roles(table, chosen={"ages": "both"})
    with pytest.raises(InputError, match="role of column 'age' cannot be 'secret'. Choose one of"):
        roles(table, chosen={"age": "secret"})
    message = "'id' of 'people' cannot be of the role 'both'.*kind 'identifier'.*Change its kind"
    with pytest.raises(ColumnError, match=message):
        roles(table, chosen={"id": ColumnRole.BOTH})
    assert not may_have(table, "id", ColumnRole.KNOWN)
    assert may_have(table, "id", ColumnRole.LEFT_OUT)
    assert may_have(table.with_kinds({"id": "continuous"}), "id", ColumnRole.KNOWN)


def test_to_protect_some_columns_lets_the_others_be_known(table):
    chosen = protecting(roles(table), ["age"])
    found = roles(table, chosen=chosen)
    assert found.having(ColumnRole.PROTECTED) == ("age",)
    assert found.having(ColumnRole.KNOWN) == ("income", "home")
    assert found.role("PWGTP") is ColumnRole.WEIGHT
