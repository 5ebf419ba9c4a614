import json

import pandas as pd
import pytest

import alc_core as alc
from alc_core.cli import main


@pytest.fixture(scope="module")
def files(tmp_path_factory, people):
    folder = tmp_path_factory.mktemp("files")
    frame = people(400)
    frame.to_csv(folder / "original.csv", index=False)
    alc.swap_columns(frame, 0.2, seed=1).to_csv(folder / "weak.csv", index=False)
    return folder, frame


def run(capsys, folder, *arguments):
    tables = ("--original", folder / "original.csv", "--release", f"weak={folder / 'weak.csv'}")
    with pytest.raises(SystemExit) as ended:
        main(["rapid", *map(str, tables), "--learner", "decision tree", *arguments])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


def test_json_has_the_keys_that_are_promised(capsys, files):
    folder, _frame = files
    code, out, _ = run(capsys, folder, "--known", "age,city", "--unknown", "job", "--json", "-")
    assert code == 0
    found = json.loads(out)
    assert {"rapid", "interval", "threshold", "reference", "curve"} <= set(found)
    assert found["threshold"] == 0.3
    assert found["interval"][0] <= found["rapid"] <= found["interval"][1]


def test_the_share_at_risk_is_told_by_any_column(capsys, files):
    folder, frame = files
    code, out, _ = run(
        capsys, folder, "--known", "age", "--unknown", "job", "--by", "city,hours", "--json", "-"
    )
    assert code == 0
    groups = json.loads(out)["groups"]
    assert {group["column"] for group in groups} == {"job", "age", "city", "hours"}
    cities = [group for group in groups if group["column"] == "city"]
    assert sum(group["people"] for group in cities) == len(frame)
    for group in cities:
        assert group["interval"][0] <= group["rapid"] <= group["interval"][1]


def test_several_unknown_columns_stand_side_by_side(capsys, files):
    folder, _frame = files
    code, out, err = run(capsys, folder, "--known", "age", "--unknown", "job,hours")
    assert code == 0
    assert out.count("learned from other people's original data") == 2
    assert "weak, job: training on the release" in err


def test_people_are_written_on_request_only(capsys, files, tmp_path):
    folder, frame = files
    out = tmp_path / "people.csv"
    run(capsys, folder, "--known", "city", "--unknown", "job", "--people", str(out))
    assert pd.read_csv(out)["row"].tolist() == list(range(1, len(frame) + 1))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--tolerance", "0.1"), "holds categories: give --threshold"),
        (("--threshold", "1.5"), "must be below 1"),
        (("--by", "citty"), "Did you mean 'city'"),
        (("--learner", "oracle"), "'oracle' is not one of 'random forest'"),
    ],
)
def test_what_cannot_be_is_refused(capsys, files, given, said):
    folder, _frame = files
    code, _, err = run(capsys, folder, "--known", "city", "--unknown", "job", *given)
    assert code == 2
    assert said in err


def test_who_has_no_value_can_be_said(capsys, files):
    folder, frame = files
    asked = ("--known", "age,city", "--unknown", "job", "--json", "-")
    job = frame["job"].mode()[0]
    sizes = {}
    for given in ((), ("--missing", f"job={job}"), ("--include-missing",)):
        code, out, _ = run(capsys, folder, *asked, *given)
        assert code == 0
        sizes[given[:1]] = json.loads(out)["people"]
    assert sizes[()] == sizes["--include-missing",] == len(frame)
    assert sizes["--missing",] == int((frame["job"] != job).sum())
    code, _, err = run(capsys, folder, *asked, "--missing", "job=astronaut")
    assert code == 2
    assert "has no value 'astronaut'" in err
