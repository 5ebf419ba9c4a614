import os
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest

import alc_core as alc
from alc_core.cli.parts.printing import write_out
from alc_core.errors import InputError
from tests.toys.planted import KNOWN, NEAR, in_records, in_rows
from tests.unit.cli.conftest import ended, results


@pytest.fixture(scope="module")
def files(written, people):
    return written(people(400), weak=0.1, strong=0.9)


def tables(files):
    return (
        "--original", files / "original.csv",
        "--release", f"weak={files / 'weak.csv'}", "--release", f"strong={files / 'strong.csv'}",
    )  # fmt: skip


def campaign(files, out, *extra):
    return (
        "campaign", *tables(files), "--out", out, "--unknown", "job", "--known-sets", 0,
        "--known", "age,city", "--no-all-others", "--targets", 200, "--max-interval-width", 0.2,
        "--jobs", 1, *extra,
    )  # fmt: skip


@pytest.fixture(scope="module")
def finished(files):
    out = files / "finished.alc"
    assert ended(*campaign(files, out, "--quiet")) == 0
    return out


def test_a_release_with_an_open_question_is_left_out_in_one_line(files, run, tmp_path):
    asked = pd.read_csv(files / "strong.csv")
    asked.assign(city=asked["city"].radd("x")).to_csv(tmp_path / "asked.csv", index=False)
    args = (*campaign(files, tmp_path / "c.alc"), "--release", f"asked={tmp_path / 'asked.csv'}")
    code, out, err = run(*args)
    assert code == 3
    assert "weak" in out
    (line,) = (each for each in err.splitlines() if each.startswith("'asked' was not attacked: "))
    assert "accept unknown-labels:city" in line
    code, _, err = run(*args, "--fail-on", "serious", "--quiet")
    assert code != 0
    assert "unknown-labels:city" in err
    code, _, err = run(*args, "--accept", "unknown-labels:city", "--quiet")
    assert (code, "not attacked" in err) == (0, False)


def test_plan_says_how_many_attacks_how_long_and_why(files, run):
    code, out, _ = run("plan", *tables(files), "--known", "age,city", "--max-known", 2, "--jobs", 2)
    assert code == 0
    assert "4 unknown columns" in out
    assert "2 releases" in out
    assert "Estimated time: " in out
    assert "Named by you" in out
    assert "job, if an attacker knows" in out


def test_thorough_adds_a_model_and_other_options_go_before(files, run):
    few = ("plan", *tables(files), "--unknown", "job", "--known-sets", 0, "--jobs", 2)
    code, out, _ = run(*few)
    assert (code, out.splitlines()[0][:9]) == (0, "2 attacks")
    code, out, _ = run(*few, "--thorough")
    assert (code, out.splitlines()[0][:9]) == (0, "4 attacks")
    code, out, _ = run(*few, "--thorough", "--attack", "best row match", "--quick")
    assert (code, out.splitlines()[0][:9]) == (0, "2 attacks")


def test_a_list_of_attacks_is_run_in_place_of_a_plan(files, run, tmp_path):
    jobs = tmp_path / "jobs.csv"
    jobs.write_text("job,age,city\njob,hours\ncity,job\n")
    code, out, _ = run("plan", *tables(files), "--job-list", jobs, "--jobs", 1)
    assert (code, out.splitlines()[0][:9]) == (0, "6 attacks")
    out_file = tmp_path / "c.alc"
    code, *_ = run(
        "campaign", *tables(files), "--out", out_file, "--job-list", jobs, "--targets", 100,
        "--jobs", 1,
    )  # fmt: skip
    assert code == 0
    with alc.CampaignStore.open(out_file) as store:
        assert {(a.scenario.unknown, a.scenario.known) for a in store.attacks} == {
            ("job", ("age", "city")), ("job", ("hours",)), ("city", ("job",)),
        }  # fmt: skip
        assert store.counts().finished == 6
    jobs.write_text("job,age\njob,ctiy\n")
    code, _, err = run("plan", *tables(files), "--job-list", jobs)
    assert code == 2
    assert "'jobs.csv', line 2" in err
    jobs.write_text("job,age\n")
    few = ("plan", *tables(files), "--job-list", jobs, "--jobs", 1)
    for idle in (("--known", "age,city"), ("--known-sets", 1), ("--all-others",)):
        code, _, err = run(*few, *idle)
        assert code == 2
        assert f"--job-list names the sets, so {idle[0]} does nothing" in err
    assert run(*few, "--known-sets", 0, "--no-all-others").code == 0
    assert run(*few, "--unknown", "job,city", "--known", "age,hours").code == 0


def test_a_pattern_in_a_folder_with_an_equals_sign_is_no_name(files, run, tmp_path):
    (tmp_path / "year=2020").mkdir()
    (tmp_path / "year=2020" / "a.csv").write_bytes((files / "weak.csv").read_bytes())
    both = ("--original", files / "original.csv", "--release", tmp_path / "year=2020" / "*.csv")
    code, out, err = run("plan", *both, "--unknown", "job", "--jobs", 1)
    assert code == 0, err
    assert "job, if an attacker knows" in out


def test_an_attack_is_confined_to_a_release(files, run):
    both = ("plan", *tables(files), "--attack", "best row match", "--attack", "model", "--jobs", 2)
    code, out, _ = run(*both, "--only-on", "model=strong")
    assert code == 0
    assert "Run only on 'strong': model." in out
    code, _, err = run(*both, "--only-on", "model")
    assert code == 2
    assert "--only-on takes ATTACK=RELEASE" in err


def test_campaign_prints_findings_and_progress_apart(files, run, tmp_path):
    code, out, err = run(*campaign(files, tmp_path / "c.alc"))
    assert code == 0
    assert out.splitlines()[0] == "Do not publish any of 2 releases."
    assert out.splitlines()[1].startswith("strong: Rows lead to people. Rows of 'strong.csv' ")
    assert " of 2 attacks" in out
    assert "weak" in out
    assert "Attacking: 100%" in err
    assert "2 attacks on 1 unknown column in 2 releases." in err


def test_the_same_command_again_has_nothing_to_do_and_more_extends(files, run, tmp_path):
    out = tmp_path / "c.alc"
    run(*campaign(files, out))
    code, _, err = run("campaign", *tables(files), "--out", out, "--jobs", 1)
    assert code == 0
    assert "Attacking:" not in err or "2/2" in err
    run(*campaign(files, out, "--known", "hours"))
    with alc.CampaignStore.open(out) as store:
        assert store.counts().finished == 4


def test_another_original_is_refused(files, run, tmp_path, finished):
    changed = pd.read_csv(files / "original.csv").assign(age=30)
    changed.to_csv(tmp_path / "original.csv", index=False)
    code, _, err = run(
        "campaign", "--original", tmp_path / "original.csv", *tables(files)[2:],
        "--out", finished,
    )  # fmt: skip
    assert code == 2
    assert err.startswith("Error: ")
    assert "the original" in err


def test_findings_under_other_parameters_tell_what_flips(finished, run, tmp_path):
    code, plain, _ = run("findings", finished)
    assert code == 0
    assert "Changed from the run" not in plain
    code, stricter, _ = run(
        "findings", finished, "--at-risk", 0.001, "--serious", 0.002, "--alpha", 8,
        "--csv", tmp_path / "f.csv", "--parquet", tmp_path / "f.parquet",
    )  # fmt: skip
    assert code == 0
    assert "alpha 8" in stricter
    written = pd.read_csv(tmp_path / "f.csv")
    assert len(written) == len(pd.read_parquet(tmp_path / "f.parquet")) == 2
    assert set(written["release"]) == {"weak", "strong"}


def test_a_file_that_is_no_campaign_is_one_line(files, run):
    code, out, err = run("findings", files / "weak.csv")
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "weak.csv" in err


def test_no_scheduler_is_one_line(files, run, tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("alc_core.campaign.run.workers._WAIT_FOR_SCHEDULER", 1)
    code, _, err = run(
        *campaign(files, tmp_path / "c.alc", "--quiet", "--scheduler", "tcp://127.0.0.1:9")
    )
    assert code == 2
    assert "No Dask scheduler" in err
    assert not (tmp_path / "c.alc").exists()


def test_what_is_no_address_of_a_scheduler_is_told_at_once(files, run, tmp_path):
    pytest.importorskip("distributed")
    code, _, err = run(*campaign(files, tmp_path / "c.alc", "--scheduler", "foo"))
    assert code == 2
    assert "'foo' is not a Dask address" in err


@pytest.mark.parametrize(
    "option",
    [("--no-down-sample",), ("--recall", "group"), ("--person", "hours"), ("--household", "city")],
)
def test_what_a_file_was_planned_without_is_refused(files, finished, run, option):
    again = ("campaign", *tables(files), "--jobs", 1, "--quiet", "--out")
    assert run(*again, finished).code == 0
    done = run(*again, finished, *option)
    assert done.code == 2
    assert f"planned without this {option[0]}." in done.err
    done = run(*again, files / "like.alc", "--like", finished, *option)
    assert done.code == 2
    assert "--like takes plan" in done.err


def test_a_campaign_is_not_written_to_stdout(files, run):
    done = run(*campaign(files, "-"))
    assert done.code == 2
    assert "a campaign needs a file. Name one." in done.err


def test_a_release_without_a_name_before_the_equals_sign_is_refused(files, run, tmp_path):
    code, _, err = run(
        "plan", "--original", files / "original.csv", "--release", f"={files / 'weak.csv'}"
    )
    assert code == 2
    assert "--release takes FILE or NAME=FILE" in err


def test_a_file_that_cannot_be_written_is_one_line(tmp_path):
    with pytest.raises(InputError, match="cannot be written: Is a directory"):
        write_out(str(tmp_path), "text")


def test_two_releases_of_one_name_are_refused(files, run):
    original, weak = files / "original.csv", files / "weak.csv"
    code, _, err = run(
        "plan", "--original", original, "--release", f"weak={original}", "--release", weak
    )
    assert code == 2
    assert "Two releases are called 'weak'" in err
    assert "one after its file" in err


def test_baselines_learn_from_as_many_rows_as_one_says_also_like_another_campaign(files, run):
    first, second = files / "rows.alc", files / "rows again.alc"
    assert run(*campaign(files, first, "--quiet", "--baseline-rows", 200))[0] == 0
    like = ("campaign", *tables(files), "--out", second, "--like", first, "--jobs", 1, "--quiet")
    assert run(*like)[0] == 0
    for out in (first, second):
        with alc.CampaignStore.open(out) as store:
            assert store.settings.loop.max_training_rows == 200


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends programs in other ways")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_ends_it_politely_leaves_one_file_that_goes_on(files, tmp_path, number):
    out = tmp_path / "review.alc"
    command = [
        sys.executable, "-m", "alc_core", "campaign", "--original", str(files / "original.csv"),
        "--release", str(files / "weak.csv"), "--out", str(out), "--jobs", "1",
    ]  # fmt: skip
    home = tmp_path / "temporary"
    home.mkdir()
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(home)},
        # What a shell starts in the background would ignore Ctrl-C, and what that starts, too.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while not out.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(number)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 128 + number
    assert "attacks are saved in" in said
    assert said.rstrip().endswith("Stopped.")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["review.alc"]
    assert not list(home.iterdir())


@pytest.mark.parametrize("make", [in_rows, in_records])
def test_what_is_asked_is_found_where_it_is_planted_and_not_in_the_twin(make, run, written):
    planted = make()
    folder = written(planted.original, leak=planted.leak, twin=planted.twin)
    releases = {name: folder / f"{name}.csv" for name in ("leak", "twin")}
    given = [part for name, path in releases.items() for part in ("--release", f"{name}={path}")]
    asked = [part for unknown in planted.guessed for part in ("--unknown", unknown)]
    if planted.person:
        own, near = ("--person", planted.person), ()
    else:
        own, near = ("--attack", "chained"), ("--attack", "best row match")
        near += ("--tolerance", f"income={NEAR}")
    options = ("--original", folder / "original.csv", "--known", ",".join(KNOWN), "--quiet")
    options += ("--targets", "all", *own)
    out = folder / "asked.alc"
    done = run(
        "campaign", *given, *asked, *near, *options, "--known-sets", 0, "--no-all-others",
        "--jobs", 1, "--out", out,
    )  # fmt: skip
    assert done.code == 0, done.err
    with alc.CampaignStore.open(out) as store:
        seen = {(each.scenario.unknown, each.release, each.attack) for each in store.attacks}
        assert len(seen) == 2 * (len(planted.guessed) + (planted.person is None))
        for each in store.attacks:
            found = store.assessment(each.number)
            assert planted.holds_of(each.scenario.unknown, each.release, found), each
    unknown = next(iter(planted.guessed))
    for name, path in releases.items():
        done = run("assess", "--release", path, "--unknown", unknown, *options, "--json", "-")
        for each in results(done.out):
            assert planted.holds_of(unknown, name, alc.Assessment.from_dict(each)), name
