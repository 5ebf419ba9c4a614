"""``alc holdout``: text, JSON, and what it refuses."""

import json

import pytest

import alc_core as alc
from alc_core.cli import main


@pytest.fixture(scope="module")
def files(tmp_path_factory, people):
    folder = tmp_path_factory.mktemp("files")
    frame = people(600)
    frame.to_csv(folder / "original.csv", index=False)
    people(400, 1).to_csv(folder / "others.csv", index=False)
    alc.swap_columns(frame, 0.05, seed=1).to_csv(folder / "weak.csv", index=False)
    alc.swap_columns(frame, 0.8, seed=1).to_csv(folder / "strong.csv", index=False)
    return folder


def run(capsys, folder, *arguments, releases=("weak",)):
    tables = ["--original", folder / "original.csv", "--holdout", folder / "others.csv"]
    for name in releases:
        tables += ["--release", f"{name}={folder / name}.csv"]
    with pytest.raises(SystemExit) as ended:
        main(["holdout", *map(str, tables), *arguments])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


def test_json_of_one_release_and_of_several(capsys, files):
    columns = ("--known", "age,city,hours,job", "--unknown", "job,city", "--json", "-")
    code, out, _ = run(capsys, files, *columns)
    assert code == 0
    found = json.loads(out)
    assert [attack["unknown"] for attack in found["attacks"]] == ["job", "city"]
    assert found["attacks"][0]["residual_risk"]["low"] > 0.3
    assert found["closest"]["share"]["value"] > 0.6
    code, out, _ = run(capsys, files, *columns, releases=("weak", "strong"))
    weak, strong = json.loads(out)
    assert strong["attacks"][0]["residual_risk"]["value"] < 0.2
    assert strong["closest"]["share"]["value"] < weak["closest"]["share"]["value"]


def test_without_columns_it_measures_distances(capsys, files):
    code, out, err = run(capsys, files)
    assert code == 0
    assert "nearer to a member" in out
    assert "Residual risk" not in out
    assert "distances" in err


def test_what_does_not_fit_is_refused(capsys, files):
    code, _, err = run(capsys, files, "--known", "age")
    assert code == 2
    assert "Known and unknown columns belong together" in err
    code, _, err = run(capsys, files, "--known", "age", "--unknown", "jobs")
    assert code == 2
    assert "'jobs' is not in" in err
