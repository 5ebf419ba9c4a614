"""``alc holdout``: text, JSON, and what it refuses."""

import pytest

from tests.unit.cli.conftest import results


@pytest.fixture(scope="module")
def files(written, people):
    return written(people(600), others=people(400, 1), weak=0.05, strong=0.8)


@pytest.fixture
def holdout(run, files):
    def command(*arguments, releases=("weak",)):
        tables = ["--original", files / "original.csv", "--holdout", files / "others.csv"]
        for name in releases:
            tables += ["--release", f"{name}={files / name}.csv"]
        return run("holdout", *tables, *arguments)

    return command


def test_json_of_one_release_and_of_several(holdout):
    columns = ("--known", "age,city,hours,job", "--unknown", "job,city", "--json", "-")
    code, out, _ = holdout(*columns)
    assert code == 0
    (found,) = results(out)
    assert [attack["unknown"] for attack in found["attacks"]] == ["job", "city"]
    assert found["attacks"][0]["residual_risk"]["low"] > 0.3
    assert found["closest"]["share"]["value"] > 0.6
    code, out, _ = holdout(*columns, releases=("weak", "strong"))
    weak, strong = results(out)
    assert strong["attacks"][0]["residual_risk"]["value"] < 0.2
    assert strong["closest"]["share"]["value"] < weak["closest"]["share"]["value"]


def test_without_columns_it_measures_distances(holdout):
    code, out, err = holdout()
    assert code == 0
    assert "nearer to a member" in out
    assert "Residual risk" not in out
    assert "distances" in err


def test_what_does_not_fit_is_refused(holdout):
    code, _, err = holdout("--known", "age")
    assert code == 2
    assert "Name known and unknown columns" in err
    code, _, err = holdout("--known", "age", "--unknown", "jobs")
    assert code == 2
    assert "'jobs' is not in" in err
