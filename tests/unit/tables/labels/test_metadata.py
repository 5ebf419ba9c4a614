"""Kinds of columns, keys and personal columns from SDV metadata of both versions."""

import json

import pandas as pd
import pytest

import alc_core as alc
from alc_core.errors import AlcError
from tests.unit.cli.conftest import ended

FRAME = pd.DataFrame({
    "person": range(100, 140),
    "plz": [10115, 20095] * 20,
    "age": [31, 45, 31, 60] * 10,
    "town": ["Ulm", "Bonn"] * 20,
    "mail": [f"{n}@example.org" for n in range(40)],
    "code": [3, 4, 5, 6] * 10,
})  # fmt: skip
COLUMNS = {
    "person": {"sdtype": "id"},
    "plz": {"sdtype": "categorical"},
    "age": {"sdtype": "numerical", "computer_representation": "Int64"},
    "town": {"sdtype": "city", "pii": False},
    "mail": {"sdtype": "email"},
    "code": {"sdtype": "numerical"},
    "elsewhere": {"sdtype": "boolean"},
}
SINGLE = {"METADATA_SPEC_VERSION": "SINGLE_TABLE_V1", "primary_key": "code", "columns": COLUMNS}
MULTI = {
    "METADATA_SPEC_VERSION": "V1",
    "relationships": [],
    "tables": {
        "visits": {"columns": {"age": {"sdtype": "id"}}},
        "people": {"columns": COLUMNS, "primary_key": "code"},
    },
}


@pytest.mark.parametrize("told", [SINGLE, MULTI], ids=["single", "multi"])
def test_kinds_keys_and_personal_columns_are_taken(told, tmp_path):
    path = tmp_path / "metadata.json"
    path.write_text(json.dumps(told), encoding="utf-8")
    table = alc.table_from_frame(FRAME, name="people")
    for source in (path, path.read_bytes()):
        kinds = {c: str(k) for c, k in alc.with_metadata(table, source, name="m").kinds.items()}
        assert kinds == {
            "person": "identifier", "plz": "categorical", "age": "continuous",
            "town": str(table.kind("town")), "mail": "identifier", "code": "identifier",
        }  # fmt: skip


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"\xff{", "'m.json' is not SDV metadata"),
        (b"[" * 100_000, "'m.json' is not SDV metadata"),
        (b"[]", "'m.json' is not SDV metadata"),
        (b'{"columns": ["a"]}', "'m.json' is not SDV metadata"),
        (b'{"columns": {"age": {}}}', "'m.json' is not SDV metadata"),
        (b'{"columns": {"age": {"sdtype": ["id"]}}}', "'m.json' is not SDV metadata"),
        (b'{"columns": {"x": {"sdtype": "id"}}}', "'m.json' names no column of 'people'.*person"),
        (b'{"tables": {}}', "'m.json' names no column of 'people'"),
    ],
)
def test_what_is_no_metadata_of_the_table_is_refused_in_one_line(content, match):
    table = alc.table_from_frame(FRAME, name="people")
    with pytest.raises(AlcError, match=match):
        alc.with_metadata(table, content, name="m.json")


def test_on_the_command_line_other_options_go_before(tmp_path, capsys):
    FRAME.to_csv(tmp_path / "people.csv", index=False)
    told = SINGLE | {"primary_key": None, "columns": {"age": {"sdtype": "id"}}}
    (tmp_path / "m.json").write_text(json.dumps(told), encoding="utf-8")
    files = ["--original", tmp_path / "people.csv", "--release", tmp_path / "people.csv"]
    roles = {}
    for more in ([], ["--metadata", tmp_path / "m.json"],
                 ["--metadata", tmp_path / "m.json", "--continuous", "age"]):  # fmt: skip
        assert ended("plan", *files, "--json", "-", *more) == 0
        roles[len(more)] = json.loads(capsys.readouterr().out)["columns"]["age"]["role"]
    assert (roles[2] == "identifier", roles[0] == "identifier", roles[4]) == (True, False, roles[0])
