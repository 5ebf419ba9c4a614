import pytest

import alc_core as alc
from tests.unit.cli.conftest import results

FEW = ("--targets", "200", "--max-interval-width", "0.2", "--quiet")


@pytest.fixture(scope="module")
def files(written, people):
    frame = people(600)
    frame["age"] = frame["age"].astype(object)
    frame.loc[:59, "job"] = "n/a"
    frame.loc[60:89, "job"] = None
    frame.loc[100:129, "age"] = 999
    return written(frame, release=0.2)


def tables(folder):
    return "--original", folder / "original.csv", "--release", folder / "release.csv"


def attack(files, run, *extra):
    code, out, err = run(
        "assess", *tables(files), "--known", "age,city", "--unknown", "job", *FEW,
        "--no-down-sample", "--json", "-", *extra,
    )  # fmt: skip
    return code, results(out)[0] if code == 0 else err


def test_check_shows_what_is_recognised(files, run):
    done = run("check", *tables(files))
    out = done.out
    assert not done.asks
    assert (
        "no value: 'original.csv', column 'job': 'n/a' (60) and empty cells (30), 15% of the rows"
    ) in out
    assert "column 'age': '999' (30, a number apart from the others), 5% of the rows" in out
    assert "column 'city'" not in out
    _, out, _ = run("check", *tables(files), "--missing", "age=", "--missing", "city=Ulm")
    assert "column 'age'" not in out
    assert "column 'city': 'Ulm' (" in out
    _, out, _ = run("check", *tables(files), "--include-missing")
    assert "no value:" not in out


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("at school, no job", 'job="at school, no job"'),
        ('"at school", no job', 'job="""at school"", no job"'),
    ],
)
def test_check_asks_about_what_another_column_decides(tmp_path, people, run, text, named):
    frame = people(600)
    frame["job"] = frame["job"].mask(frame["age"] < 30, text)
    for name in ("original", "release"):
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    done = run("check", *tables(tmp_path))
    assert not done.asks
    rows = int((frame["job"] == text).sum())
    assert (
        f"no value? 'original.csv', column 'job': '{text}' ({rows}): all people with age below "
        f"30, and nobody else. If they are missing values: --missing '{named}'"
    ) in done.out
    for told in (["--missing", named], ["--include-missing"]):
        assert "no value?" not in run("check", *tables(tmp_path), *told)[1]


def test_assess_leaves_out_what_is_recognised_or_named(files, run):
    _, found = attack(files, run)
    assert (found["without_value"], found["candidates"]) == (90, 510)
    assert found["scenario"]["targets"]["missing"] == {"job": ["n/a"]}
    _, found = attack(files, run, "--missing", "job=")
    assert found["without_value"] == 30
    _, found = attack(files, run, "--missing", "job=n/a", "--missing", "job=clerk,nurse")
    assert found["scenario"]["targets"]["missing"] == {"job": ["clerk", "n/a", "nurse"]}
    _, found = attack(files, run, "--include-missing")
    assert found["without_value"] == 0
    assert found["scenario"]["targets"]["missing"] is None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--missing", "job"), "--missing takes COLUMN=VALUES, not 'job'."),
        (("--missing", "job=nurze"), "Column 'job' of 'original.csv' has no 'nurze' to treat"),
        (("--missing", "jop=?"), "Column 'jop' is not in 'original.csv'"),
        (("--missing", "job=", "--include-missing"), "Choose one."),
    ],
)
def test_what_cannot_be_meant_is_refused(files, run, arguments, says):
    code, err = attack(files, run, *arguments)
    assert code != 0
    assert says in err


def test_a_campaign_repeats_what_it_left_out(files, run, tmp_path):
    plan = ("--unknown", "job", "--known", "age,city", "--known-sets", "0", "--no-all-others")
    first, again = tmp_path / "first.alc", tmp_path / "again.alc"
    options = (*plan, *FEW, "--jobs", "1", "--missing", "job=n/a,clerk", "--out", first)
    assert run("campaign", *tables(files), *options)[0] == 0
    same = ("--like", first, "--out", again, "--quiet", "--jobs", "1")
    assert run("campaign", *tables(files), *same)[0] == 0
    with alc.CampaignStore.open(first) as one, alc.CampaignStore.open(again) as two:
        assert one.assessment(0).scenario.markers == ("clerk", "n/a")
        assert one.assessment(0).to_dict() == two.assessment(0).to_dict()
    refused = run("campaign", *tables(files), *same, "--include-missing")
    assert refused[0] != 0
    assert "--like takes plan" in refused[2]
    code, out, _ = run("plan", *tables(files), *plan, "--missing", "job=n/a")
    assert code == 0
    assert out.startswith("1 attack")
