import pandas as pd
import pytest

from tests.unit.cli.conftest import results


@pytest.fixture(scope="module")
def files(written, people):
    frame = people(400)
    return written(frame, weak=0.2), frame


@pytest.fixture
def rapid(run, files):
    folder, _ = files
    tables = ("--original", folder / "original.csv", "--release", f"weak={folder / 'weak.csv'}")
    return lambda *given: run("rapid", *tables, "--learner", "decision tree", *given)


def test_the_share_at_risk_is_told_by_any_column(rapid, files):
    _, frame = files
    code, out, _ = rapid("--known", "age", "--unknown", "job", "--by", "city,hours", "--json", "-")
    assert code == 0
    groups = results(out)[0]["groups"]
    assert {group["column"] for group in groups} == {"job", "age", "city", "hours"}
    cities = [group for group in groups if group["column"] == "city"]
    assert sum(group["people"] for group in cities) == len(frame)
    for group in cities:
        assert group["interval"][0] <= group["rapid"] <= group["interval"][1]


def test_several_unknown_columns_stand_side_by_side(rapid):
    code, out, err = rapid("--known", "age", "--unknown", "job,hours")
    assert code == 0
    assert out.count("(on others: ") == 2
    assert "weak: 'job': training on the release" in err


def test_beside_a_campaign_it_asks_as_the_campaign_did(run, rapid, files, tmp_path):
    folder, frame = files
    out, asked = tmp_path / "campaign.alc", ("--known", "age", "--unknown", "job")
    code, _, err = run(
        "campaign", "--original", folder / "original.csv",
        "--release", f"weak={folder / 'weak.csv'}", "--out", out, *asked, "--known-sets", 0,
        "--no-all-others", "--missing", "job=nurse", "--seed", 7, "--targets", 200,
        "--max-interval-width", 0.2, "--jobs", 1, "--quiet",
    )  # fmt: skip
    assert code == 0, err
    nurses = int((frame["job"] == "nurse").sum())
    for more, seed, left_out in (
        (("--campaign", out), 7, nurses),
        (("--campaign", out, "--seed", 3), 3, nurses),
        (("--campaign", out, "--include-missing"), 7, 0),
        ((), 0, 0),
    ):
        (found,) = results(rapid(*asked, *more, "--json", "-").out)
        assert (found["seed"], found["left_out"]) == (seed, left_out)


def test_people_are_written_on_request_only(rapid, files, tmp_path):
    _, frame = files
    out = tmp_path / "people.csv"
    rapid("--known", "city", "--unknown", "job", "--people", str(out))
    assert pd.read_csv(out)["row"].tolist() == list(range(1, len(frame) + 1))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--tolerance", "0.1"), "holds categories: use --threshold"),
        (("--threshold", "1.5"), "must be below 1"),
        (("--by", "citty"), "Did you mean 'city'"),
        (("--learner", "oracle"), "'oracle' is not one of 'random forest'"),
    ],
)
def test_what_cannot_be_is_refused(rapid, given, said):
    code, _, err = rapid("--known", "city", "--unknown", "job", *given)
    assert code == 2
    assert said in err
