"""The exit code of a job that nobody watches, and what it leaves behind."""

import hashlib
import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.campaign.findings.decisions import asking_attacks
from alc_core.candidates.decision import ReleaseChoice, decide_release
from alc_core.candidates.gate import Gate, GateLine, Ground
from alc_core.candidates.lines import candidate_lines
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import Cause, Outcome, Publishing, Verdict
from tests.unit.cli.conftest import ended


@pytest.fixture(scope="module")
def files(written, people):
    frame = people(1200)
    weak, strong = (alc.swap_columns(frame, share, seed=1) for share in (0.02, 0.9))
    hours = frame["hours"].sample(frac=1, random_state=2).to_numpy()
    some = alc.swap_columns(frame, 0.3, seed=1).assign(hours=hours)
    many = alc.swap_columns(frame, 0.1, seed=1).assign(hours=hours)
    releases = {"weak": weak, "some": some, "strong": strong, "many": many}
    return written(
        frame, **{name: each.sample(frac=1, random_state=1) for name, each in releases.items()}
    )


def campaign(files, out, *extra, original="original.csv", releases=("weak", "strong")):
    tables = [each for name in releases for each in ("--release", f"{name}={files / name}.csv")]
    return (
        "campaign", "--original", files / original, *tables, "--out", out, "--unknown", "job",
        "--known-sets", 0, "--known", "age,city", "--no-all-others", "--targets", 600,
        "--jobs", 1, "--quiet", *extra,
    )  # fmt: skip


@pytest.fixture(scope="module")
def finished(files):
    assert ended(*campaign(files, files / "both.alc")) == 0
    for name in ("some", "strong", "many"):
        assert ended(*campaign(files, files / f"{name}.alc", releases=[name])) == 0
    return files


def gated(run, file, *options):
    done = run("gate", file, "--json", "-", *options)
    return done.code, json.loads(done.out)


def causes(found):
    return {line["release"]: {each["cause"] for each in line["grounds"]} for line in found}


def test_each_release_has_its_outcome_and_the_worst_gives_the_exit_code(finished, run):
    code, found = gated(run, finished / "both.alc")
    assert (code, found["exit"], found["format"]) == (1, 1, "alc-gate/1")
    outcomes = {line["release"]: line["outcome"] for line in found["releases"]}
    assert outcomes == {"weak": "stopped", "strong": "passed"}
    view = alc.CampaignView(alc.CampaignStore.open(finished / "both.alc"))
    frame = view.frame(view.settings.scoring)
    rows, ground = next(line["grounds"] for line in found["releases"] if line["release"] == "weak")
    assert [each["cause"] for each in (rows, ground)] == [Cause.ROWS, Cause.FOUND]
    assert ground["alc"] == frame["standing_alc"].max()
    assert gated(run, finished / "strong.alc")[0] == 0


def test_the_limit_may_be_written_as_files_write_it(finished, run):
    both = (gated(run, finished / "both.alc", "--fail-on", at) for at in ("at risk", "at-risk"))
    assert next(both) == next(both)


def test_rows_of_the_original_pass_nowhere_though_no_attack_could_be_run(files, run, capsys):
    frame = pd.read_csv(files / "original.csv").sample(frac=1, random_state=2)
    frame.drop(columns="job").to_csv(files / "jobless.csv", index=False)
    file = files / "jobless.alc"
    assert ended(*campaign(files, file, releases=("jobless", "strong"))) == 0
    capsys.readouterr()
    for options in ((), ("--allow-inconclusive",), ("--fail-on", "serious")):
        code, found = gated(run, file, *options)
        assert code == 1
        assert causes(found["releases"])["jobless"] == {Cause.ROWS, Cause.UNTESTED}
    with alc.CampaignView(file) as view:
        (line,) = (e for e in candidate_lines(view, view.settings.scoring, {}) if not e.planned)
    assert (line.title, line.standing) == ("Holds original rows", None)
    assert line.publishing is Publishing.EXAMINE


def limits(file):
    """Limits with the attack's interval on both sides of the lower, or of the higher one."""
    with alc.CampaignStore.open(file) as store:
        frame = alc.CampaignView(store).frame(store.settings.scoring)
    low, high = float(frame["standing_low"].iloc[0]), float(frame["standing_high"].iloc[0])
    assert high > 0.02
    between = (max(low, 0.0) + high) / 2
    return ("--at-risk", between), ("--at-risk", max(low, 0.001) / 2, "--serious", between)


def test_what_is_open_ends_with_3_unless_it_is_allowed(finished, run):
    file = finished / "some.alc"
    lower, higher = limits(file)
    code, found = gated(run, file, *lower)
    assert (code, causes(found["releases"])) == (3, {"some": {Cause.INCONCLUSIVE}})
    junit = file.with_suffix(".xml")
    assert gated(run, file, *lower, "--allow-inconclusive", "--junit", junit)[0] == 0
    assert ET.parse(junit).findtext(".//system-out").endswith("; allowed: inconclusive")
    assert gated(run, file, *lower, "--fail-on", "inconclusive")[0] == 1
    assert gated(run, file, *higher, "--fail-on", "serious")[0] == 3
    code, _, err = run("gate", file, "--fail-on", "inconclusive", "--allow-inconclusive")
    assert (code, "contradicts" in err) == (2, True)


def test_many_exposed_leave_it_open_whatever_the_loss(finished, run):
    file, lax = finished / "many.alc", ("--at-risk", "0.98", "--serious", "0.99")
    with alc.CampaignStore.open(file) as store:
        row = alc.CampaignView(store).frame(store.settings.scoring).iloc[0]
    share = row["exposed_surely"] / row["people"]
    assert gated(run, file, *lax, "--material", f"{share + 1e-9:.12f}")[0] == 0
    many = (*lax, "--material", f"{share - 1e-9:.12f}")
    code, found = gated(run, file, *many)
    assert (code, causes(found["releases"])) == (3, {"many": {Cause.EXPOSED}})
    said = run("findings", file, *many).out
    assert "1 of 1 attack needs attention: 1 exposing many people." in said
    with alc.CampaignView(file) as view:
        limits = {"at_risk": 0.98, "serious": 0.99, "material": share - 1e-9}
        scoring = replace(view.settings.scoring, **limits)
        assert asking_attacks(view.overview(scoring)) == [0]
    said = "what is shown is not inconclusive"
    assert gated(run, file, *many, "--allow-inconclusive")[0] == 3, said
    assert gated(run, file, *many, "--fail-on", "serious")[0] == 0


def test_an_inconclusive_attack_that_exposes_many_is_not_allowed_either(finished, run):
    file = finished / "many.alc"
    lower, _ = limits(file)
    assert gated(run, file, *lower, "--material", "0.9", "--allow-inconclusive")[0] == 0
    assert gated(run, file, *lower, "--allow-inconclusive")[0] == 3


def test_a_file_of_which_an_attack_is_left_out_passes_nothing(finished, run, tmp_path):
    whole, damaged = finished / "strong.alc", tmp_path / "damaged.alc"
    shutil.copy(whole, damaged)
    with closing(sqlite3.connect(damaged)) as connection:
        connection.execute("UPDATE attack SET plan = plan || ' ' WHERE number = 0")
        connection.commit()
    done = run("gate", damaged)
    assert (done.code, "the plan of attack 0 cannot be read" in done.err) == (2, True), done.err
    for pair in ((damaged, whole), (whole, damaged)):
        done = run("compare", *pair)
        assert (done.code, "the plan of attack 0 cannot be read" in done.err) == (2, True)
    report = run("report", damaged, "--html", tmp_path / "r.html", "--quiet")
    assert report.code == 0, report.err


def test_an_attack_that_failed_is_no_pass(files, run, monkeypatch):
    def fails(*_):
        raise MemoryError

    monkeypatch.setattr("alc_core.attacks.best_row_match.BestRowMatch.prepare", fails)
    out = files / "failed.alc"
    plan = ("--attack", "best row match", "--attack", "model")
    assert run(*campaign(files, out, *plan, releases=["strong"])).code == 0
    code, found = gated(run, out)
    assert (code, causes(found["releases"])) == (3, {"strong": {Cause.FAILED}})
    assert found["releases"][0]["grounds"][0]["attacks"] == 1


def test_a_release_that_nothing_could_be_run_on_is_no_pass(files, run, monkeypatch):
    pd.DataFrame({"x": range(60), "y": range(60)}).to_csv(files / "other.csv", index=False)
    out = files / "other.alc"
    assert run(*campaign(files, out, releases=["strong", "other"])).code == 0
    code, found = gated(run, out)
    assert (code, causes(found["releases"])) == (3, {"strong": set(), "other": {Cause.UNTESTED}})
    assert gated(run, out, "--allow-inconclusive")[0] == 0
    with alc.CampaignView(out) as view:
        assert alc.gate(view.only("strong")).exit_code == 0
        assert alc.gate(view.only("other")).exit_code == 3
        chosen = alc.PlanSettings(attacked=("strong",))
        monkeypatch.setattr("alc_core.candidates.lines.kept_settings", lambda _: chosen)
        assert alc.gate(view).exit_code == 0, "left out on purpose"


def test_python_has_the_same_gate(finished, run):
    found = alc.gate(finished / "both.alc", fail_on="serious", allow_inconclusive=True)
    options = ("--fail-on", "serious", "--allow-inconclusive")
    _, told = gated(run, finished / "both.alc", *options)
    assert told == {"format": "alc-gate/1", **json.loads(json.dumps(found.to_dict()))}
    assert {line.release: bool(line.why) for line in found.releases} == {
        "weak": True,
        "strong": False,
    }
    cells = [each.text for each in ET.fromstring(found._repr_html_()).iter("td")]
    assert cells[:3] == ["weak", "stopped", found.releases[0].why]
    with pytest.raises(alc.errors.InputError, match="fail_on"):
        alc.gate(finished / "both.alc", fail_on="below limit")


def test_allowed_columns_and_decisions_pass_by_name(finished, run, tmp_path):
    code, found = gated(run, finished / "strong.alc", "--allow", "job")
    assert (code, causes(found["releases"])) == (3, {"strong": {Cause.ALLOWED}})
    assert run("gate", finished / "both.alc", "--allow", "city").code == 2
    file = tmp_path / "decided.alc"
    shutil.copy(finished / "both.alc", file)
    with alc.CampaignStore.open(file) as store:
        scoring = store.settings.scoring
        for limits, code in ((replace(scoring, at_risk=0.98, serious=0.99), 1), (scoring, 0)):
            for line in candidate_lines(alc.CampaignView(store), limits, {}):
                decide_release(store, line, ReleaseChoice.CONDITIONS, scoring=limits)
            assert run("gate", file, "--allow-decided").code == code
    assert run("gate", file).code == 1
    code, found = gated(run, file, "--allow-decided")
    assert (code, {line["allowed"] for line in found["releases"]}) == (0, {"", "decision"})
    with alc.CampaignStore.open(file) as store:
        for line in candidate_lines(alc.CampaignView(store), scoring, {}):
            none = dict.fromkeys(("exposed", "exposed_low", "exposed_surely"), 0.0)
            nobody = replace(line, most=replace(line.most, **none) if line.most else None)
            decide_release(store, nobody, ReleaseChoice.CONDITIONS, scoring=scoring)
    assert run("gate", file, "--allow-decided").code == 1, "it exposes many people since"


@pytest.mark.parametrize("choice", [ReleaseChoice.CHANGE, ReleaseChoice.NOT])
def test_a_release_that_is_not_to_be_published_yet_does_not_pass_and_says_so(
    finished, run, tmp_path, choice
):
    file = tmp_path / "decided.alc"
    shutil.copy(finished / "both.alc", file)
    with alc.CampaignStore.open(file) as store:
        for line in candidate_lines(alc.CampaignView(store), store.settings.scoring, {}):
            decide_release(store, line, choice, scoring=store.settings.scoring)
    code, found = gated(run, file, "--allow-decided")
    assert code == 1
    decided = {line["release"]: line["decided"] for line in found["releases"]}
    stopped = [line["release"] for line in found["releases"] if line["outcome"] != "passed"]
    assert stopped == [name for name, said in decided.items() if said == choice]
    assert f"; decided: {choice}" in run("gate", file, "--allow-decided").out
    assert "decided" not in run("gate", file).out
    table = run("findings", file, "--csv", "-").out
    assert table.splitlines()[0].endswith(",release_decision")
    assert table.splitlines()[1].endswith(f",{choice}")


def test_rows_in_the_original_s_order_say_so_whatever_the_attacks_found(files, run):
    (files / "ordered.csv").write_text(
        alc.swap_columns(pd.read_csv(files / "original.csv"), 0.5, seed=1).to_csv(index=False)
    )
    out = files / "ordered.alc"
    assert run(*campaign(files, out, releases=["ordered"])).code == 0
    code, found = gated(run, out)
    assert code == 1
    assert Cause.LINKED in causes(found["releases"])["ordered"]
    (release,) = json.loads(run("findings", out, "--json", "-").out)["releases"]
    assert release["title"] == "Rows lead to people"
    assert release["people_exposed"] == max(round(release["exposed"]["value"]), 0)


def test_pseudonyms_that_can_be_undone_end_it(files, run):
    original = pd.read_csv(files / "original.csv")
    rng = np.random.default_rng(5)
    number = pd.Series(rng.choice(10**7, len(original), replace=False)).astype(str)
    salts = {"hashed": "", "salted": "s4lt"}
    original.assign(phone="0660" + number).to_csv(files / "numbered.csv", index=False)
    for name, salt in salts.items():
        made = [hashlib.sha256(f"{salt}0660{each}".encode()).hexdigest() for each in number]
        noise = original.apply(lambda column: rng.permutation(column.to_numpy(copy=True)))
        noise.assign(phone=made).to_csv(files / f"{name}.csv", index=False)
    out = files / "pseudonyms.alc"
    assert run(*campaign(files, out, original="numbered.csv", releases=[*salts])).code == 0
    code, found = gated(run, out)
    assert code == 1
    told = causes(found["releases"])
    assert Cause.LINKED in told["hashed"]
    assert Cause.LINKED not in told["salted"]


def test_a_campaign_of_other_data_is_refused_and_leaves_nothing_of_yesterday(
    finished, run, tmp_path
):
    file, junit = finished / "both.alc", tmp_path / "gate.xml"
    data = ("--data", finished / "original.csv", "--data", finished / "weak.csv")
    assert run("gate", file, *data, "--junit", junit).code == 1
    assert junit.exists()
    done = run("gate", finished / "strong.alc", *data, "--junit", junit)
    assert done.code == 2
    assert "weak.csv" in done.err
    assert not junit.exists()
    done = run("gate", file, "--junit", file)
    assert done.code == 2
    assert file.exists()


def test_a_build_gets_its_files(finished, run, tmp_path, monkeypatch):
    page = tmp_path / "summary.md"
    page.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    assert run("gate", finished / "both.alc", "--junit", tmp_path / "gate.xml").code == 1
    suite = ET.parse(tmp_path / "gate.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    failed = [case.get("name") for case in suite if case.find("failure") is not None]
    assert failed == ["weak"]
    lines = page.read_text().splitlines()
    assert lines[0] == "before"
    assert sum(line.startswith("| ") for line in lines) == 4


def test_names_are_no_markup_in_markdown_and_junit_and_no_loss_is_no_number():
    ground = Ground(
        cause=Cause.INCONCLUSIVE, attacks=1, unknown=("a\nb|<img src=x>\x07",), number=3, alc=0.2,
        low=-412.3, high=0.496,
    )  # fmt: skip
    line = GateLine(release="r\x1b_1", outcome=Outcome.INCONCLUSIVE, grounds=(ground,))
    found = Gate(fail_on=Verdict.AT_RISK, scoring=ScoringParameters(), releases=(line,))
    assert found.markdown().splitlines()[4] == (
        "| r\\x1b\\_1 | inconclusive | 1 attack inconclusive: 'a b\\|\\<img src=x\\>\\x07'; worst "
        "ALC 0.20 (no loss to 0.49), attack 3 |"
    )
    (case,) = ET.fromstring(found.junit())
    assert case.get("name") == "r\\x1b_1"
    assert "'a\\nb|<img src=x>\\x07'" in case.find("error").get("message")


def test_campaign_and_assess_end_with_the_gate_s_code(finished, run):
    assert run(*campaign(finished, finished / "both.alc", "--fail-on", "at-risk")).code == 1
    assess = (
        "assess", "--original", finished / "original.csv", "--known", "age,city", "--unknown",
        "job", "--targets", 600, "--quiet",
    )  # fmt: skip
    original = pd.read_csv(finished / "original.csv")
    # Nothing of a person is to be learned from it: jobs of others stand in the original's order.
    in_order = original.assign(job=original["job"].sample(frac=1, random_state=1).to_numpy())
    in_order.to_csv(finished / "in-order.csv", index=False)
    for name, code in (("weak", 1), ("strong", 0), ("in-order", 1)):
        one = (*assess, "--release", finished / f"{name}.csv")
        assert run(*one, "--fail-on", "at-risk").code == code
        assert run(*one).code == 0
