import json
import re

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from tests.toys.household_survey import DWELLING, survey
from tests.unit.cli.conftest import results

FEW_TARGETS = ("--targets", "200", "--max-interval-width", "0.2")


@pytest.fixture(scope="module")
def files(written, people):
    frame = people(600)
    folder = written(frame, release=0.2, renamed=frame.assign(job="X" + frame["job"]))
    (folder / "empty.csv").write_bytes(b"")
    return folder


def attack(files, *extra, release="release.csv"):
    return (
        "assess", "--original", files / "original.csv", "--release", files / release,
        "--known", "age,city", "--known", "hours", "--unknown", "job", *FEW_TARGETS, *extra,
    )  # fmt: skip


def test_what_is_worked_out_is_attacked_among_selected_people(people, run, written):
    folder = written(people(900), release=0.1)
    done = run(
        "assess", "--original", folder / "original.csv", "--release", folder / "release.csv",
        "--known", "hours", "--unknown", "job & city", "--pretarget", "age >= quantile 0.4",
        "--recall", "group", "--attack", "chained", "--json", "-", "--quiet",
    )  # fmt: skip
    assert done.code == 0, done.err
    (found,) = results(done.out)
    assert found["scenario"]["unknown"] == "job & city"
    assert found["scenario"]["targets"]["where"] == {"age >= quantile 0.4": ["yes"]}
    recalls = found["both_recalls"]["attack"]
    assert recalls["group"] == pytest.approx(found["attack"]["recall"])
    assert recalls["population"] == pytest.approx(recalls["group"] * found["people"] / 900)
    assert found["unknown_bins"] is None


def test_the_effect_of_households_is_told(tmp_path, run):
    people = survey(households=300)
    homes = people.groupby(list(DWELLING)).ngroup()
    faith = np.random.default_rng(1).integers(0, 6, homes.max() + 1)[homes]
    people.assign(faith=faith).to_csv(tmp_path / "people.csv", index=False)
    arguments = (
        "assess", "--original", tmp_path / "people.csv", "--release", tmp_path / "people.csv",
        "--known", "region,rooms,income,age", "--unknown", "faith", "--household-effect", "--quiet",
        *FEW_TARGETS,
    )  # fmt: skip
    code, _, err = run(*arguments)
    assert (code, "--household-effect requires --household" in err) == (2, True)
    code, out, _ = run(*arguments, "--household", ",".join(DWELLING))
    (told,) = (line for line in out.splitlines() if line.startswith("Household effect"))
    assert code == 0
    assert told.startswith("Household effect (best row match): ALC 0.")
    right = [int(share) for share in re.findall(r"(\d+)%", told)]
    assert right[1] > right[0] + 15
    out = run(*arguments, "--household", ",".join(DWELLING), "--json", "-").out
    (together,), (apart,) = results(out), json.loads(out)["without_household"]
    assert together["scenario"]["household"] == list(DWELLING)
    assert apart["scenario"]["household"] is None


def test_assess_prints_a_summary_and_progress_apart(files, run):
    code, out, err = run(*attack(files))
    assert code == 0
    assert out.startswith("Rows lead to people. Rows of 'release.csv' are in ")
    assert "\nHolds original rows. 282 rows (47%) of 'release.csv' are also in the original" in out
    assert "\nVerdict: " in out
    assert "An attacker who knows age, city and hours may infer 'job': 8" in out
    assert len(out.splitlines()) <= 20, "with what the check found"
    assert out.endswith("--verbose shows all numbers and 2 notes.\n")
    whole = run(*attack(files), "--verbose")[1]
    assert re.search(r"About \d+ of 600 people are exposed \(95% interval \d", whole)
    assert "Attacking" in err
    assert "Attacking" not in out


def test_json_alone_on_stdout_equals_the_python_result(files, run):
    code, out, err = run(*attack(files, "--json", "-", "--quiet", "--seed", "5"))
    assert code == 0
    assert err == ""
    result = alc.Assessment.from_json(out)
    again = alc.assess(
        alc.read_table(files / "original.csv"),
        alc.read_table(files / "release.csv"),
        alc.Scenario(["age", "city", "hours"], "job", targets=alc.Targets(count=200)),
        scoring=alc.ScoringParameters(max_interval_width=0.2),
        seed=5,
    )
    assert result == again


def test_a_coarsened_column_is_attacked_in_its_classes_besides(files, run, people, tmp_path):
    frame = people(600)
    low = (frame["hours"] // 20 * 20).astype(int)
    frame.assign(hours=low.astype(str) + "-" + (low + 19).astype(str)).to_csv(
        tmp_path / "ranges.csv", index=False
    )
    code, out, _ = run(
        "assess", "--original", files / "original.csv", "--release", tmp_path / "ranges.csv",
        "--known", "age,city,job", "--unknown", "hours", "--tolerance", "hours=2", "--verbose",
        "--csv", tmp_path / "curves.csv", *FEW_TARGETS,
    )  # fmt: skip
    assert code == 0
    curves = pd.read_csv(tmp_path / "curves.csv")
    assert set(curves["unknown"]) == {"hours", "hours class"}
    words = " ".join(out.split())
    assert words.count("Verdict: ") == 2
    assert "“correct” means within 2 of the true value." in words
    assert "“correct” means the release's class of 'hours' (" in words


def test_a_tolerance_is_for_the_unknown_column(files, run):
    code, _, err = run(*attack(files, "--tolerance", "age=3"))
    assert code == 2
    assert "--tolerance is for 'age', but 'job' is unknown." in " ".join(err.split())
    code, _, err = run(*attack(files, "--tolerance", "job=3"))
    assert code == 2
    assert "Column 'job' holds categories" in " ".join(err.split())


def test_parameters_reach_the_result(files, run, tmp_path):
    out_file, csv_file = tmp_path / "out.json", tmp_path / "out.csv"
    code, _, _ = run(*attack(
            files, "--alpha", "2", "--r-min", "0.001", "--at-risk", "0.3", "--serious", "0.6",
            "--confidence", "0.9", "--loss", "absolute", "--targets", "150", "--no-down-sample",
            "--categorical", "age", "--pretarget", "city=Ulm,Bonn", "--recall", "group",
            "--json", out_file, "--csv", csv_file,
        ),
    )  # fmt: skip
    assert code == 0
    (data,) = results(out_file.read_text("utf-8"))
    parameters = data["scoring"]
    assert (parameters["alpha"], parameters["r_min"], parameters["at_risk"]) == (2, 0.001, 0.3)
    assert (parameters["confidence"], parameters["loss"]) == (0.9, "absolute")
    assert data["scenario"]["targets"] == {
        "count": 150,
        "where": {"city": ["Ulm", "Bonn"]},
        "recall": "group",
        "missing": None,
    }
    assert data["attack"]["attempts"] == 150
    assert csv_file.read_text("utf-8").startswith("side,name,unknown,threshold,predictions")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("--unknown", "age"), "Column 'age' is both known and unknown"),
        (("--unknown", "jub"), "'jub'.*(Did you mean 'job'|job)"),
        (("--original", "nowhere.csv"), "nowhere.csv"),
        (("--original", "EMPTY"), "empty.csv"),
        (("--alpha", "-1"), "alpha must be greater than 0, not -1"),
        (("--alpha", "x"), "'x' is not a number"),
        (("--targets", "many"), "--targets takes a whole number or 'all'"),
        (("--targets", "3"), "at least 35"),
        (("--pretarget", "Ulm"), "'Ulm' is not a condition"),
        (("--pretarget", "city=Rom"), "Nobody in 'original.csv' is selected"),
        (("--continuous", "town"), "Column 'town' is not in 'original.csv'"),
        (("--household", "town"), "'town'"),
        (("--json", "/nowhere/at/all.json"), "directory of '/nowhere/at/all.json' does not exist"),
        (("--json", "/"), "'/' is a directory"),
        (("--release", "RENAMED"), "'renamed.csv', column 'job'.*accept unknown-labels:job"),
        (("--nonsense",), "No such option"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(files, run, change, message):
    names = {"EMPTY": files / "empty.csv", "RENAMED": files / "renamed.csv"}
    arguments = [str(names.get(word, word)) for word in change]
    command = [str(argument) for argument in attack(files, "--quiet")]
    if arguments[0] in command and arguments[0] != "--known":
        position = command.index(arguments[0])
        command[position + 1] = arguments[1]
    else:
        command += arguments
    code, out, err = run(*command)
    assert code == 2
    assert out == ""
    _, *use = err.strip().splitlines()
    assert all(line.startswith("Use: --same ") for line in use), err
    assert re.search(message, err), err


def test_missing_option_is_one_line(run):
    code, _, err = run("assess", "--original", "a.csv")
    assert code == 2
    assert len(err.strip().splitlines()) == 1
    assert "Missing option" in err


def test_accepted_question_runs_and_is_told(files, run, people, tmp_path):
    frame = people(600)
    frame["city"] = frame["city"].map(lambda city: f"X{city}")
    frame.to_csv(tmp_path / "cities.csv", index=False)
    arguments = attack(files, "--quiet", release=tmp_path / "cities.csv")
    assert run(*arguments)[0] == 2
    code, out, _ = run(*arguments, "--verbose", "--accept", "unknown-labels")
    assert code == 0
    text = " ".join(out.split())
    assert "Accepted: 'cities.csv', column 'city'" in text
    assert "Some values of 'city' were not matched. Say" in text
    assert run(*arguments, "--verbose", "--accept", "unknown-labels:city")[1] == out


def test_a_code_alone_never_answers_for_several_columns(files, run, people, tmp_path):
    frame = people(600)
    renamed = frame.assign(city="X" + frame["city"], job="X" + frame["job"].astype(str))
    renamed.loc[::3, "job"] = frame.loc[::3, "job"]
    renamed.to_csv(tmp_path / "both.csv", index=False)
    arguments = attack(files, "--quiet", release=tmp_path / "both.csv")
    code, _, err = run(*arguments, "--accept", "unknown-labels")
    assert code == 2
    assert "2 columns have the question 'unknown-labels'" in err
    assert "unknown-labels:city, unknown-labels:job." in err or "labels:job, unknown" in err
    one = run(*arguments, "--accept", "unknown-labels:city")
    assert "accept unknown-labels:job" in one[2]
    both = "unknown-labels:city,unknown-labels:both.csv:job"
    code, out, _ = run(*arguments, "--accept", both)
    assert code == 0
    assert "Some values of 'city' and 'job' were not matched" in " ".join(out.split())
    assert "Verdict: No loss" not in out


def test_a_column_cannot_be_ignored_and_known(files, run):
    code, _, err = run(*attack(files, "--quiet", "--ignore", "city"))
    assert code == 2
    assert "'city' is ignored, but also known." in err


def test_a_secret_whose_values_were_all_renamed_is_never_safe(files, run):
    code, out, err = run(
        *attack(files, "--quiet", "--accept", "unknown-labels", release="renamed.csv")
    )
    assert code == 2
    assert out == ""
    assert "No released value of 'job' is in the original" in err


def test_check_lists_findings_and_tells_by_its_exit_code(files, run):
    code, out, _ = run(
        "check", "--original", files / "original.csv", "--release", files / "renamed.csv"
    )
    assert code == 1
    assert "question [unknown-labels] 'renamed.csv', column 'job': " in out
    done = run("check", "--original", files / "original.csv", "--release", files / "release.csv")
    assert not done.asks


def test_demo_writes_files_and_keeps_those_that_are_there(run, tmp_path):
    folder = tmp_path / "demo"
    code, out, _ = run("demo", folder)
    assert code == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "fair.csv", "fair_swapped_20.csv", "fair_swapped_5.csv", "fair_swapped_80.csv",
        "randhie.csv", "randhie_swapped_20.csv", "randhie_swapped_5.csv",
        "randhie_swapped_80.csv",
    ]  # fmt: skip
    assert "alc assess --original" in out
    code, _, err = run("demo", folder)
    assert code == 2
    assert "already exists" in err
    assert run("demo", folder, "--force")[0] == 0
