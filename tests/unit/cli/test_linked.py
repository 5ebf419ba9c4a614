"""Linked tables on the command line: files by table, keys shown, and no silent green."""

import json
import re
import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest

from tests.unit.cli.conftest import ended

N = 500
LAST = "last disease of visits"


def visits(rng):
    owner = np.repeat(np.arange(N), rng.integers(2, 6, N))
    day = pd.Timestamp("2025-01-01") + pd.to_timedelta(rng.integers(0, 360, len(owner)), "D")
    found = pd.DataFrame({
        "id": owner, "date": day.strftime("%Y-%m-%d"),
        "ward": rng.choice(list("abcdefgh"), len(owner)),
        "disease": rng.choice([f"D{n}" for n in range(8)], len(owner)),
        "cost": rng.lognormal(5, 1, len(owner)).round(2),
    })  # fmt: skip
    return found[~found.duplicated(["id", "date"])]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    rng = np.random.default_rng(2)
    folder = tmp_path_factory.mktemp("linked")
    people = pd.DataFrame({"id": np.arange(N), "age": rng.integers(20, 80, N),
                           "sex": rng.choice(["f", "m"], N)})  # fmt: skip
    own = visits(rng)
    names = rng.permutation(N) + 70_000
    coarse = people.assign(
        age=people["age"].map(lambda age: f"{age // 30 * 30}-{age // 30 * 30 + 29}")
    )
    tables = {"people": people, "visits": own, "rp": coarse, "rv": own, "ov": visits(rng)}
    for name, table in tables.items():
        if name not in ("people", "visits"):
            table = table.assign(pid=names[table["id"]]).drop(columns="id").sample(frac=1)
        table.to_csv(folder / f"{name}.csv", index=False)
    return folder


def given(folder, visits="rv", original=True):
    own = [f"people={folder}/people.csv", f"visits={folder}/visits.csv"]
    released = [f"people={folder}/rp.csv", f"visits={folder}/{visits}.csv"]
    return [*(each for file in own for each in ("--original", file)),
            *(each for file in released for each in ("--release", file))]  # fmt: skip


def events(number):
    return ",".join(f"visits {n}: {c}" for n in range(1, number + 1) for c in ("date", "ward"))


def test_known_rows_are_attacked_and_the_keys_shown(folder, capsys):
    asked = ("--known", events(2), "--unknown", LAST, "--targets", 200)
    assert ended("assess", *given(folder), *asked, "--json", "-") == 0
    out, err = capsys.readouterr()
    assert "Keys of original: visits.id=people.id" in err
    assert "Keys of release: visits.pid=people.pid" in err
    (found,) = json.loads(out)["releases"]
    assert found == {
        "release": "release: known rows of 'visits'", "verdict": "serious", "stopped_by": None
    } | {"stopped_by": found["stopped_by"]}  # fmt: skip


def test_a_campaign_attacks_each_table_alone_joined_and_by_known_rows(folder, tmp_path, capsys):
    file = tmp_path / "c.alc"
    command = ("campaign", *given(folder), "--out", file, "--unknown", LAST, "--targets", 100,
               "--jobs", 1, "--fail-on", "serious")  # fmt: skip
    assert ended(*command) == 1
    out, err = capsys.readouterr()
    assert "Not attacked alone: 'release: people' (no column to infer there)." in err
    for name in ("release: visits", "release: joined by 'pid'", "release: known rows of 'visits'"):
        assert name in out
    assert ended(*command[:-2]) == 0  # continues
    assert ended("report", file, "--html", tmp_path / "r.html") == 0


def test_the_rest_of_a_known_row_is_attacked_and_the_order_of_rows_stops(folder, tmp_path, capsys):
    rows = pd.read_csv(folder / "visits.csv").drop(columns="id")
    rows = rows.assign(pid=np.random.default_rng(1).permutation(len(rows)) + 50_000)
    codes = {}
    for name, table in {"in order": rows, "mixed": rows.sample(frac=1, random_state=1)}.items():
        table.assign(date=table["date"].str[:4]).to_csv(tmp_path / f"{name}.csv", index=False)
        file = tmp_path / f"{name}.alc"
        own = given(folder)[: given(folder).index("--release")]
        command = ("campaign", *own, "--release", f"visits={tmp_path}/{name}.csv", "--key",
                   "visits.pid=visits.pid", "--unknown", "visits 1: disease", "--known",
                   "visits 1: date,visits 1: ward", "--known-sets", 0, "--targets", 100,
                   "--jobs", 1, "--quiet", "--out", file)  # fmt: skip
        assert ended(*command) == 0
        codes[name] = ended("gate", file, "--fail-on", "at-risk")
    assert codes["in order"] == 1
    assert codes["mixed"] in (0, 3)


def test_a_harmless_linked_release_is_not_stopped(folder, tmp_path):
    command = ("campaign", *given(folder, "ov"), "--out", tmp_path / "c.alc", "--unknown", LAST,
               "--targets", 200, "--jobs", 1, "--quiet", "--fail-on", "serious")  # fmt: skip
    assert ended(*command) in (0, 3)  # 200 people settle little


def test_risk_numbers_count_people(folder, capsys):
    assert ended("risk", *given(folder), "--known", "age,sex", "--quiet") == 0
    counted = {int(each) for each in re.findall(r"\d+", capsys.readouterr().out)}
    assert N in counted
    assert max(counted) == N  # and no count of visits


def test_a_database_and_a_folder_are_sets_of_linked_tables(folder, tmp_path, capsys):
    with closing(sqlite3.connect(tmp_path / "own.sqlite")) as base:
        for name in ("people", "visits"):
            pd.read_csv(folder / f"{name}.csv").to_sql(name, base, index=False)
    released = tmp_path / "published"
    released.mkdir()
    for name, file in (("people", "rp"), ("visits", "rv")):
        (released / f"{name}.csv").write_bytes((folder / f"{file}.csv").read_bytes())
    asked = ("--release", released, "--known", events(2), "--unknown", LAST)
    assert ended("check", "--original", tmp_path / "own.sqlite", *asked) == 0
    err = capsys.readouterr().err
    assert "Keys of original: visits.id=people.id" in err
    assert "Keys of published: visits.pid=people.pid" in err


def test_what_rows_come_to_can_be_asked(folder, capsys):
    asked = ("--known", "age,sex", "--unknown", "ever disease = D3 of visits", "--targets", 100)
    assert ended("assess", *given(folder), *asked, "--quiet") == 0
    assert "ever disease = D3 of visits" in capsys.readouterr().out


def test_linked_tables_given_as_separate_releases_are_asked_about(folder, capsys):
    tables = ("--original", folder / "people.csv", "--release", folder / "rp.csv",
              "--release", folder / "rv.csv")  # fmt: skip
    assert ended("check", *tables) == 2
    assert "share 'pid', which joins a person's rows" in capsys.readouterr().err
    assert ended("check", *tables, "--accept", "joined-tables") != 2


def metadata(folder, **changes):
    columns = {
        "people": {"age": "numerical", "sex": "categorical"},
        "visits": {"date": "datetime", "ward": "categorical", "disease": "categorical"},
    }
    tables = {
        name: {"columns": {c: {"sdtype": kind} for c, kind in own.items()}}
        for name, own in columns.items()
    }
    link = {"parent_table_name": "people", "parent_primary_key": "id",
            "child_table_name": "visits", "child_foreign_key": "id"}  # fmt: skip
    file = folder / "metadata.json"
    file.write_text(json.dumps({"tables": tables, "relationships": [link]} | changes))
    return file


def test_metadata_with_relationships_is_used(folder, capsys):
    asked = ("--metadata", metadata(folder), "--known", "age,sex", "--unknown", LAST)
    assert ended("check", *given(folder, "ov"), *asked) == 0
    out, err = capsys.readouterr()
    assert "Keys of original: visits.id=people.id" in err
    assert "'pid'" in out  # joined by it
    assert "extra-column" not in out  # and it is not missing in the original


def test_metadata_that_links_other_tables_is_refused_for_one(folder, capsys):
    tables = ("--original", folder / "people.csv", "--release", folder / "rp.csv")
    assert ended("check", *tables, "--metadata", metadata(folder)) == 2
    assert "links 2 tables by keys (visits.id=people.id)" in capsys.readouterr().err
    assert ended("check", *tables, "--metadata", metadata(folder, relationships=[])) != 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (["--original", "people.csv", "--original", "visits.csv"], "are linked tables"),
        (["--original", "people=people.csv", "--original", "visits.csv"], "Give each table"),
        (["--original", "a=people.csv", "--original", "a=visits.csv"], "are called 'a'"),
        (["--original", "people=people.csv", "--original", "visits=visits.csv",
          "--release", "rp.csv"], "names none of the tables 'people' and 'visits'"),
        (["--original", "people=people.csv", "--original", "visits=visits.csv",
          "--release", "visits=rv.csv", "--person", "id"], "Remove --person"),
        (["--original", "people=people.csv", "--original", "visits=visits.csv",
          "--release", "visits=rv.csv", "--key", "visits"], "is not a key"),
        (["--original", "people.csv", "--release", "rp.csv", "--key", "a.b=c.d"],
         "need linked tables"),
        (["--original", "people.csv", "--release", "rp.csv", "--known-rows", "visits"],
         "takes TABLE=COLUMNS"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_with_what_to_do(folder, monkeypatch, capsys, change, said):
    monkeypatch.chdir(folder)
    if "--release" not in change:
        change = [*change, "--release", "rp.csv"]
    assert ended("check", *change) == 2
    assert said in capsys.readouterr().err
