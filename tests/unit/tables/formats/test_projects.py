"""Files of anonymization tools: both tables, roles and hierarchies come from one."""

import json

import pandas as pd
import pytest
from click.testing import CliRunner

from alc_core.cli import cli
from alc_core.errors import TableReadError
from alc_core.tables.apart.read import read_table
from alc_core.tables.labels.find import column_sets
from alc_core.tables.roles import Roles, suggest_roles
from alc_core.tables.table import ColumnKind
from tests.toys.arx import JOB, arx
from tests.toys.files import DATA, has_note

R = DATA / "r"


def roles(table):
    return {each.column: each.role for each in suggest_roles(table, table.columns)}


@pytest.mark.parametrize("purpose", ["original", "release"])
@pytest.mark.parametrize("tool", ["sdcmicro", "simpop"])
def test_an_object_with_both_tables_gives_each_for_its_purpose(tool, purpose):
    table = read_table(R / f"{tool}.rds", purpose=purpose)
    csv = read_table(R / f"{tool}_{purpose}.csv")
    pd.testing.assert_frame_equal(table.frame, csv.frame)
    assert table.guesses == csv.guesses
    assert table.name == f"{tool}.rds::{purpose}"
    named = read_table(f"{R}/{tool}.rds::{purpose}")
    pd.testing.assert_frame_equal(named.frame, table.frame)
    assert named.fingerprint == table.fingerprint


def test_an_object_in_a_list_is_read_as_if_it_were_alone():
    inner = read_table(R / "inner.rds", purpose="release")
    assert inner.frame.equals(read_table(R / "sdcmicro_deleted.rds", purpose="release").frame)


def test_without_a_purpose_the_tables_are_a_choice():
    with pytest.raises(TableReadError, match="has the tables 'original' and 'release'") as found:
        read_table(R / "sdcmicro.rds")
    assert not found.value.together
    with pytest.raises(TableReadError) as found:
        read_table(R / "sdcmicro.RData", purpose="original")
    assert found.value.tables == ("t", "s.original", "s.release")


def test_roles_come_from_sdcmicro():
    table = read_table(R / "sdcmicro.rds", purpose="original")
    found = Roles.of(table, table.columns).of_columns
    assert {c: str(found[c].role) for c in ("age", "sex", "city", "pay", "job", "weight")} == {
        **dict.fromkeys(("age", "sex", "city", "pay"), "may be known"),
        "job": "to be protected",
        "weight": "survey weight",
    }
    assert found["job"].reason == "its role in sdcMicro"
    assert has_note(table, "Format: R data; roles from sdcMicro, household 'home'.")
    assert table.project.household == "home"


def test_roles_come_from_sdcmicro_after_it_deleted_columns():
    project = read_table(R / "sdcmicro_deleted.rds", purpose="original").project
    assert project.roles == {
        **dict.fromkeys(("age", "sex", "pay", "city"), "may be known"),
        "job": "to be protected",
        "weight": "survey weight",
    }
    assert project.household == "home"


@pytest.mark.parametrize("name", ["between", "kept"])
def test_places_of_sdcmicro_are_those_before_it_deleted_a_column_between_them(name):
    table = read_table(f"{R}/sdcmicro_moved.RData::{name}.original")
    assert {c: r for c, r in table.project.roles.items() if r != "may be known"} == {
        "job": "to be protected",
        "weight": "survey weight",
    }
    assert table.project.household == "home"
    assert not table.project.unclear


def test_a_role_of_sdcmicro_is_told_where_deleted_columns_leave_it_open():
    table = read_table(f"{R}/sdcmicro_moved.RData::unclear.original")
    assert table.project.roles == {
        **dict.fromkeys(("age", "sex"), "may be known"),
        "weight": "survey weight",  # the only number it can be
    }
    assert table.project.household == "home"
    assert has_note(table, "; its sensibleVar may be 'job' or 'pay', as it deleted columns.")
    reasons = {each.column: each.reason for each in suggest_roles(table, table.columns)}
    doubted = [name for name, why in reasons.items() if "; perhaps sensibleVar in sdcMicro" in why]
    assert doubted == ["job", "pay"]


def test_roles_come_from_simpop():
    project = read_table(R / "simpop.rds", purpose="original").project
    assert project.roles == {
        **dict.fromkeys(("city", "size", "age", "sex"), "may be known"),
        "pid": "identifier",
        "weight": "survey weight",
    }
    assert project.household == "home"


def test_syntheses_are_one_release():
    with pytest.raises(TableReadError, match="'syn1' and 'syn2'") as found:
        read_table(R / "synthpop.rds", purpose="release")
    assert found.value.together
    csv = read_table(R / "table.csv")
    for name in ("synthpop.rds::syn2", "synthpop_one.rds"):
        pd.testing.assert_frame_equal(read_table(f"{R}/{name}").frame, csv.frame)
    with pytest.raises(TableReadError, match="holds no original table"):
        read_table(R / "synthpop.rds", purpose="original")


def test_the_command_line_takes_each_table_where_it_is_asked_for(tmp_path):
    out = tmp_path / "found.json"
    files = ["--original", str(R / "sdcmicro.rds"), "--release", str(R / "sdcmicro.rds")]
    told = CliRunner().invoke(cli, ["check", *files, "--quiet", "--json", str(out)]).output
    assert "sdcmicro.rds::original: 60 rows, 8 columns" in told
    assert "sdcmicro.rds::release: 60 rows, 7 columns" in told
    files = ["--original", str(R / "table.csv"), "--release", str(R / "synthpop.rds")]
    told = CliRunner().invoke(cli, ["check", *files, "--quiet", "--json", str(out)]).output
    assert "synthpop.rds::syn1: 60 rows" in told
    assert "synthpop.rds::syn2: 60 rows" in told
    assert json.loads(out.read_text())


def test_an_arx_project():
    table = read_table(arx(), name="x.deid", purpose="original")
    assert table.frame[JOB].head(3).tolist() == ["a;b", "c", "d"]
    assert table.kind("id") is ColumnKind.IDENTIFIER
    assert table.kind("age") is ColumnKind.CONTINUOUS
    assert table.guesses["age"].reason == "as ARX has it"
    assert roles(table) == {
        "id": "identifier", "age": "may be known", JOB: "to be protected"
    }  # fmt: skip
    assert has_note(table, "Format: ARX project, with roles, and hierarchies of 2 columns.")
    assert not has_note(table, "as given")
    with pytest.raises(
        TableReadError, match=r"whose output is not read\. Use it as the original\. "
    ):
        read_table(arx(), name="x.deid", purpose="release")


def test_without_a_sensitive_column_key_columns_are_protected_as_well():
    types = ("INSENSITIVE", "QUASI_IDENTIFYING", "QUASI_IDENTIFYING")
    table = read_table(arx(types=types), name="x.deid")
    assert roles(table)["age"] == roles(table)[JOB] == "both"
    assert "id" not in table.project.roles


@pytest.mark.parametrize("how", [{"quote": "'", "escape": "'"}, {"separator": ",", "escape": "\\"}])
def test_separator_and_quote_are_the_projects(how):
    found, usual = (read_table(arx(**each), name="x.deid") for each in (how, {}))
    pd.testing.assert_frame_equal(found.frame, usual.frame)
    assert found.project.hierarchies == usual.project.hierarchies


def test_labels_of_a_release_are_read_by_the_hierarchies():
    original = read_table(arx(), name="x.deid")
    frame = pd.DataFrame({"age": ["low", "high", "*"] * 20, JOB: ["x", "a;b", "x"] * 20})
    release = read_table(frame.to_csv(index=False).encode())
    found = column_sets(original, release)
    told = {label.label: label.words for label in found["age"].labels}
    assert told == {"low": "20 to 21", "high": "22 to 23", "*": "any value"}
    assert {label.found for label in found["age"].labels} == {"hierarchy"}
    assert [(label.label, label.words) for label in found[JOB].labels] == [("x", "c, d")]
    other = read_table(
        pd.DataFrame({"age": ["low", "20-21", "*"] * 20}).to_csv(index=False).encode()
    )
    read = {label.label for label in column_sets(original, other)["age"].labels}
    assert "20-21" in read  # not of the hierarchy alone: all labels are read as usual


def test_a_damaged_project():
    data = arx().replace(b"input/definition.xml", b"input/definition.txt")
    with pytest.raises(TableReadError, match="is a damaged ARX project"):
        read_table(data, name="x.deid")
