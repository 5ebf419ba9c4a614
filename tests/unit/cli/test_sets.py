"""What labels stand for, on the command line."""

import json

import pandas as pd
import pytest


@pytest.fixture
def recoded(people, tmp_path):
    frame = people(600)
    frame.to_csv(tmp_path / "original.csv", index=False)
    hours = pd.cut(frame["hours"], [-1, 30, 45, 200], labels=["under 31", "31-45", "46+"])
    frame.assign(hours=hours.astype(str)).to_csv(tmp_path / "recoded.csv", index=False)
    return tmp_path / "recoded.csv"


def check(recoded, *more):
    original = recoded.with_name("original.csv")
    return ["check", "--original", original, "--release", recoded, *more]


def test_check_lists_and_saves_what_labels_cover(run, recoded, tmp_path):
    saved = tmp_path / "sets.json"
    code, out, _ = run(*check(recoded, "--save-sets", str(saved)))
    assert code == 0
    assert "values that stand for several: 'recoded.csv', column 'hours':" in out
    assert "31-45 -> 31 to 45 (" in out
    assert "of the rows; notation" in out
    assert json.loads(saved.read_text())["hours"]["31-45"] == "31..45"
    saved.write_text('{"hours": {"31-45": "32..46"}}')
    code, out, _ = run(*check(recoded, "--sets", str(saved), "--json", "-"))
    labels = json.loads(out)["sets"]["recoded.csv"]["hours"]["labels"]
    found = {label["label"]: (label["covers"], label["found"]) for label in labels}
    assert found["31-45"][0].startswith("32 to ")
    assert found["31-45"][1] == "given"
    assert found["46+"][1] == "notation"


def test_a_hierarchy_is_taken(run, recoded, tmp_path):
    file = tmp_path / "hours.csv"
    file.write_text("".join(f"{n};{'31-45' if n < 40 else '46+'}\n" for n in range(100)))
    arguments = check(recoded, "--hierarchy", f"hours={file}")
    code, out, _ = run(*arguments)
    assert code == 0
    assert " to 39 (" in out


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--hierarchy", "hours", "--hierarchy takes COLUMN=FILE, not 'hours'."),
        ("--hierarchy", "hour=x.csv", "has column 'hour', of which --hierarchy or --sets says"),
        ("--sets", "nowhere.json", "'nowhere.json' cannot be read: No such file"),
    ],
)
def test_what_cannot_be_used_is_refused(run, recoded, option, value, message):
    code, _, err = run(*check(recoded, option, value))
    assert code == 2
    assert message in " ".join(err.split())
