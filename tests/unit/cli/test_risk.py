import pandas as pd
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from tests.unit.cli.conftest import results


@pytest.fixture(scope="module")
def files(written, people):
    frame = people(400)
    low = frame["age"] // 20 * 20
    coarse = frame.assign(age=low.astype(str) + "-" + (low + 19).astype(str))
    return written(frame, coarse=coarse, swapped=0.5)


@pytest.fixture
def risk(run, files):
    def command(*arguments, names=("coarse", "swapped")):
        tables = ["--original", files / "original.csv"]
        for name in names:
            tables += ["--release", f"{name}={files / name}.csv"]
        return run("risk", *tables, "--quiet", *arguments)

    return command


def test_json_has_the_numbers_of_every_release(risk, files):
    code, out, _ = risk(
        "--known", "age,city", "--protected", "job", "--threshold", "0.2",
        "--population", "4000", "--json", "-",
    )  # fmt: skip
    assert code == 0
    coarse, swapped = results(out)
    frame = pd.read_csv(files / "coarse.csv")
    sizes = frame.groupby(["age", "city"])["job"].transform("size")
    assert coarse["released"]["k"] == sizes.min()
    assert coarse["released"]["above_threshold"] == pytest.approx((sizes < 5).mean())
    assert coarse["released"]["mean_risk"] == pytest.approx((1 / sizes).mean())
    jobs = frame.groupby(["age", "city"])["job"].nunique()
    assert coarse["diversity"][0]["distinct"] == jobs.min()
    assert 0 <= coarse["original"]["population"]["unique"] <= coarse["original"]["unique"]
    assert (swapped["rows_are"], swapped["released"]) == ("changed", None)
    assert swapped["original"] == coarse["original"]


def test_what_rows_are_can_be_said(risk, files):
    _, out, _ = risk("--known", "age,city", "--rows", "people", "--json", "-", names=("swapped",))
    assert results(out)[0]["released"]["rows"] == 400


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--known", "agee"), "Did you mean 'age'"),
        (("--known", "age", "--protected", "age"), "both known and protected"),
        (("--known", "age", "--population", "7"), "below the table"),
        (("--known", "age", "--threshold", "2"), "between 0 and 1 (0 excluded)"),
    ],
)
def test_bad_input_is_one_line(risk, files, arguments, words):
    code, _, error = risk(*arguments)
    assert code == 2
    assert words in error
    assert error.count("\n") == 1


def test_people_are_told_as_in_the_campaign(risk, files, tmp_path):
    original, coarse = (alc.read_table(files / name) for name in ("original.csv", "coarse.csv"))
    path, releases = tmp_path / "campaign.alc", {"coarse": coarse}
    plan = alc.plan_campaign(
        original, releases, unknown=["job"], named=[["age"]], known_sets=0, all_others=False,
        person="hours", targets=200,
    )  # fmt: skip
    alc.run_campaign(original, releases, path, plan=plan, jobs=1, families=(NaiveBayes(),)).close()
    for more, person in (((), "hours"), (("--person", "city"), "city")):
        given = ("--known", "age", "--campaign", path, *more, "--json", "-")
        (found,) = results(risk(*given, names=("coarse",)).out)
        assert found["settings"]["person"] == person
