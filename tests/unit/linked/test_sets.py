"""Which files are linked tables together, and which release and table each is."""

import pandas as pd
import pytest

from alc_core.errors import InputError, TableReadError
from alc_core.linked.keys import LinkedTables
from alc_core.linked.sets import check_linked, like_originals, released_sets, tables_in
from alc_core.tables.apart.read import read_table
from alc_core.tables.read import table_from_frame

PEOPLE = table_from_frame({"id": [1, 2], "age": [30, 40]}, name="people")
VISITS = table_from_frame({"id": [1, 1, 2], "ward": list("aba")}, name="visits")
ORIGINALS = {"people": PEOPLE, "visits": VISITS}


def named(sets):
    return {release: [*tables] for release, tables in sets.items()}


def test_a_folder_of_tables_is_a_set_unless_one_is_named(tmp_path):
    for name, table in ORIGINALS.items():
        table.frame.to_parquet(tmp_path / f"{name}.parquet")
    found = tables_in(str(tmp_path), read_table)
    assert {name: len(table) for name, table in found.items()} == {"people": 2, "visits": 3}
    assert len(tables_in(f"{tmp_path}::visits.parquet", read_table)) == 3
    assert len(tables_in(str(tmp_path / "people.parquet"), read_table)) == 2


def test_versions_of_one_table_are_no_set():
    with pytest.raises(InputError, match="'people' and 'people' have nearly the same columns"):
        check_linked({"people": PEOPLE, "v1": PEOPLE, "visits": VISITS}, name="book")
    check_linked(ORIGINALS, name="book")


def test_tables_that_no_key_joins_are_named_as_before(tmp_path):
    with pd.ExcelWriter(tmp_path / "b.xlsx") as book:
        PEOPLE.frame.to_excel(book, sheet_name="people", index=False)
        pd.DataFrame({"note": ["x", "y"]}).to_excel(book, sheet_name="notes", index=False)

    def joined(tables):
        LinkedTables.of(tables, name="b")

    with pytest.raises(TableReadError, match="several sheets.*No column joins 'people' and 'no"):
        tables_in(str(tmp_path / "b.xlsx"), read_table, joined)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, {}),
        ({"people": PEOPLE, "visits": VISITS}, {"release": ["people", "visits"]}),
        ({"people_v1.csv": PEOPLE, "Visits-v1.csv": VISITS}, {"release": ["people", "visits"]}),
        ({"v1_people.csv": PEOPLE, "v1_visits.csv": VISITS, "v2_people.csv": PEOPLE},
         {"v1": ["people", "visits"], "v2": ["people"]}),
        ({"a.xlsx::people": PEOPLE, "a.xlsx::visits": VISITS, "b.xlsx::people": PEOPLE},
         {"a": ["people", "visits"], "b": ["people"]}),
        ({"t1.csv": PEOPLE, "t2.csv": VISITS}, {"release": ["people", "visits"]}),  # by columns
    ],
)  # fmt: skip
def test_released_files_are_sets_by_their_names(files, expected):
    assert named(released_sets(files, ORIGINALS)) == expected


def test_a_table_like_none_keeps_its_name():
    codes = table_from_frame({"code": [1], "words": ["x"]}, name="codes")
    assert [*like_originals({"PEOPLE": PEOPLE, "codes": codes}, ORIGINALS)] == ["people", "codes"]
    with pytest.raises(InputError, match="has a table 'codes'"):
        LinkedTables.of(
            {"codes": codes}, name="r", like=LinkedTables.of(ORIGINALS, name="original")
        )
