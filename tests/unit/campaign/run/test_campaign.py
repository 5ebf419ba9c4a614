"""An attack whose chains did not converge is never cleared, wherever its result is read."""

import dataclasses
import json
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.campaign.file.annotations import kept_waiting
from alc_core.campaign.findings.decisions import asking_attacks
from alc_core.campaign.findings.view import CampaignView
from alc_core.candidates.gate import gate
from alc_core.candidates.lines import candidate_lines
from alc_core.errors import CampaignMismatchError, InputError, ParameterError, PreflightError
from alc_core.present.blocks import Chip
from alc_core.releases.registry import as_releases
from alc_core.releases.samples.groups import anatomize
from alc_core.report.text import summary_text
from alc_core.review.attack_words import verdict_explanation, verdict_title
from alc_core.review.campaign import verdict_blocks
from alc_core.runtime import machine
from alc_core.scoring.verdict import Outcome, Publishing, Verdict
from tests.toys.failing import Crashing, MostFrequent, Unlucky
from tests.unit.campaign.conftest import same_results


def test_an_attack_of_a_campaign_equals_the_attack_alone(campaign, undisturbed):
    planned = {attack.number: attack for attack in campaign.plan.attacks}
    assert len(undisturbed) == len(planned) == 16
    for number in (0, 5, 15):
        alone = alc.assess(
            campaign.original,
            as_releases({planned[number].release: campaign.releases[planned[number].release]})[0],
            planned[number].scenario,
            families=campaign.families,
            loop=campaign.options["loop"],
            seed=5,
        )
        assert alone.to_dict() == undisturbed[number].to_dict()


def test_releases_of_other_ranges_leave_a_result_as_it_is_alone(people, tmp_path):
    original = people(400)
    wide = original.assign(
        age=original["age"].replace(89, 400), hours=original["hours"].clip(0, 50)
    )
    releases = {"wide": wide, "own": original.sample(frac=1.0, random_state=1)}
    plan = alc.plan_campaign(
        original, releases, unknown=["job"], named=[["age", "hours"]], known_sets=0,
        all_others=False,
    )  # fmt: skip
    settings = {"families": (NaiveBayes(),), "accept": ("identical-release", "copied-rows")}
    with alc.run_campaign(
        original, releases, tmp_path / "c.alc", plan=plan, jobs=1, **settings
    ) as store:
        assert [attack.release for attack in store.attacks] == ["wide", "own"]
        of_campaign = store.assessment(1)
    alone = alc.assess(original, releases["own"], plan.attacks[1].scenario, **settings)
    assert of_campaign.outcomes == alone.outcomes
    assert of_campaign.attack.measured_precision > 0.95, "those who were copied are found"


def test_a_release_does_not_change_the_results_of_another(campaign, undisturbed, tmp_path):
    frame = campaign.releases["weak"].assign(hours=lambda rows: rows["hours"] * 1000, job="new")
    both = {"strong": campaign.releases["strong"], "odd": frame}
    plan = alc.plan_campaign(
        campaign.original, as_releases(both), unknown=["city"], known_sets=0,
        all_others=False, named=[["hours"]], targets=alc.Targets(count=600), seed=5,
    )  # fmt: skip
    with alc.run_campaign(
        campaign.original, both, tmp_path / "d.alc", plan=plan, **campaign.options,
        accept=["unknown-labels", "scale-changed"],
    ) as store:  # fmt: skip
        strong = next(attack for attack in store.attacks if attack.release == "strong")
        expected = next(
            undisturbed[attack.number]
            for attack in campaign.plan.attacks
            if attack.release == "strong" and attack.scenario == strong.scenario
        )
        assert store.assessment(strong.number).outcomes == expected.outcomes


def test_a_poisoned_attack_is_reported_without_its_text_and_the_others_finish(campaign, tmp_path):
    attack = MostFrequent(poisoned_by="hours")
    plan = alc.plan_campaign(
        campaign.original, as_releases(campaign.releases), unknown=["job"], known_sets=0,
        named=[["age"], ["hours"]], all_others=False, attacks=["most frequent", "best row match"],
        targets=alc.Targets(count=600),
    )  # fmt: skip
    with campaign.run(tmp_path / "c.alc", plan=plan, seed=0, attacks=[attack]) as store:
        failures = store.failures()
        assert store.counts().finished == 6
        assert len(failures) == 2
        reason = next(iter(failures.values()))
        assert "RuntimeError at failing.py:" in reason
        assert "Anna" not in reason
        assert b"Anna" not in (tmp_path / "c.alc").read_bytes()
        assert store.missing() == ()
    fixed = MostFrequent()
    with campaign.run(
        tmp_path / "c.alc", plan=None, seed=0, attacks=[fixed], retry_failed=True
    ) as store:
        assert store.counts().finished == 8
        assert store.failures() == {}


@pytest.mark.slow
def test_an_attack_that_kills_its_process_is_reported_and_the_others_finish(campaign, tmp_path):
    weak = {"weak": campaign.releases["weak"]}  # of each release it would end four processes
    plan = alc.plan_campaign(
        campaign.original, as_releases(weak), unknown=["job"], known_sets=0,
        named=[["age"], ["hours"], ["city"]], all_others=False, attacks=["crashing"],
        targets=alc.Targets(count=600),
    )  # fmt: skip
    attack = Crashing("crashing", poisoned_by="hours")
    with campaign.run(tmp_path / "c.alc", plan=plan, seed=0, attacks=[attack], jobs=2) as store:
        assert store.counts().finished == 2
        assert len(store.failures()) == 1
        assert "ended four times, " in next(iter(store.failures().values()))


@pytest.mark.slow
def test_a_process_that_is_killed_again_and_again_costs_no_result(campaign, tmp_path):
    weak = {"weak": campaign.releases["weak"]}
    plan = alc.plan_campaign(
        campaign.original, as_releases(weak), unknown=["job"], known_sets=0,
        named=[["age"], ["hours"]], all_others=False, attacks=["unlucky"],
        targets=alc.Targets(count=600),
    )  # fmt: skip
    attack = Unlucky("unlucky", poisoned_by="hours")
    attack.folder = str(tmp_path)
    with campaign.run(tmp_path / "c.alc", plan=plan, seed=0, attacks=[attack], jobs=2) as store:
        assert sorted(each.name for each in tmp_path.iterdir() if each.is_dir()) == ["0", "1", "2"]
        assert (store.counts().finished, store.failures()) == (2, {})


SCRIPT = """
import pathlib
import sys
import time
import pandas as pd
import alc_core as alc
from alc_core.baselines.families import NaiveBayes
from alc_core.releases.registry import as_releases
from alc_core.runtime import machine

machine._IN_MEMORY = pathlib.Path(sys.argv[1], "memory")

def wait_to_be_killed(now):
    if now.of == "attacks" and now.done >= 4:
        pathlib.Path(sys.argv[1], "reached").touch()
        time.sleep(600)


if __name__ == "__main__":
    folder = sys.argv[1]
    releases = {name: pd.read_pickle(f"{folder}/{name}.pkl") for name in ("weak", "strong")}
    original = alc.table_from_frame(pd.read_pickle(f"{folder}/people.pkl"), name="people.csv")
    plan = alc.plan_campaign(
        original, as_releases(releases), unknown=["job", "city"], known_sets=1,
        named=[["age"], ["hours"]], targets=alc.Targets(count=600), seed=5,
        attacks=["best row match"],
    )
    alc.run_campaign(
        original, releases, f"{folder}/c.alc", plan=plan, families=(NaiveBayes(),), seed=5, jobs=2,
        loop=alc.LoopParameters(folds=2, resamples=200), progress=wait_to_be_killed,
    ).close()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_killed_in_the_middle_and_resumed_it_ends_like_an_undisturbed_run(
    campaign, undisturbed, tmp_path, monkeypatch
):
    memory = tmp_path / "memory"
    memory.mkdir()
    monkeypatch.setattr(machine, "_IN_MEMORY", memory)
    campaign.original.frame.to_pickle(tmp_path / "people.pkl")
    for name, frame in campaign.releases.items():
        frame.to_pickle(tmp_path / f"{name}.pkl")
    (tmp_path / "run.py").write_text(textwrap.dedent(SCRIPT))
    command = [sys.executable, str(tmp_path / "run.py"), str(tmp_path)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        deadline = time.monotonic() + 600
        while not (tmp_path / "reached").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # its workers, too: nobody tidies up
        process.wait()
    assert list(memory.iterdir())
    machine.OwnFolder(in_memory=True).remove()  # as the next campaign does
    assert not list(memory.iterdir())
    assert not list(Path("/dev/shm").glob(f"joblib*_{process.pid}_*"))
    with alc.CampaignStore.open(tmp_path / "c.alc") as store:
        assert 4 <= store.counts().finished < 16
    with sqlite3.connect(tmp_path / "c.alc") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    with campaign.run(tmp_path / "c.alc", plan=None, seed=None) as store:
        assert store.counts().finished == 16
        assert same_results(store, undisturbed)


@pytest.mark.slow
def test_cancelling_keeps_what_is_finished_and_any_number_of_processes_ends_the_same(
    campaign, undisturbed, tmp_path
):
    stop, noticed = threading.Event(), threading.Event()

    def progress(now):
        if now.of == "attacks" and now.done >= 4:
            stop.set()
            noticed.wait(300)

    def cancel():
        if stop.is_set():
            noticed.set()
        return stop.is_set()

    with campaign.run(tmp_path / "c.alc", jobs=2, progress=progress, cancel=cancel) as store:
        kept = store.counts().finished
        assert 4 <= kept < 16
        assert store.failures() == {}
    with campaign.run(tmp_path / "c.alc", jobs=2) as store:
        assert same_results(store, undisturbed)


def test_progress_counts_attacks_and_says_time_left_and_findings(campaign, tmp_path):
    seen = []
    campaign.run(tmp_path / "c.alc", plan=campaign.few, progress=seen.append).close()
    attacking = [now for now in seen if now.of == "attacks"]
    assert [now.done for now in attacking] == [0, 2, 4]
    assert {now.total for now in attacking} == {4}
    assert attacking[0].seconds_left > 0, "estimated from the plan before the first result"
    assert attacking[-1].seconds_left == 0
    assert attacking[1].remark
    assert not attacking[-1].remark, "all are judged together then"
    assert all(now.ends[0] <= now.ends[1] for now in attacking)
    stages = list(dict.fromkeys(now.stage for now in seen))
    assert stages == ["Checking the tables", "Preparing the attacks", "Attacking"]


def test_other_data_are_refused(campaign, tmp_path):
    campaign.run(tmp_path / "c.alc", plan=one_attack(campaign)).close()
    other = {**campaign.releases, "weak": alc.swap_columns(campaign.releases["weak"], 0.5)}
    with pytest.raises(CampaignMismatchError, match="weak"):
        alc.run_campaign(campaign.original, other, tmp_path / "c.alc")


def test_a_campaign_can_be_extended(campaign, tmp_path):
    campaign.run(tmp_path / "c.alc", plan=one_attack(campaign)).close()
    with campaign.run(tmp_path / "c.alc", plan=campaign.few) as store:
        assert store.counts().finished == len(store.attacks) == 4


def one_attack(campaign):
    return dataclasses.replace(campaign.plan, attacks=campaign.plan.attacks[:1])


def test_open_questions_stop_the_campaign_before_anything_runs(campaign, tmp_path):
    renamed = campaign.original.frame.assign(
        job=lambda rows: np.where(rows["job"] == rows["job"].iloc[0], "other", rows["job"])
    )
    plan = alc.plan_campaign(
        campaign.original, as_releases(renamed), unknown=["job", "city"], known_sets=0,
        targets=alc.Targets(count=600),
    )  # fmt: skip
    options = {**campaign.options, "plan": plan}
    with pytest.raises(PreflightError, match="unknown-labels"):
        alc.run_campaign(campaign.original, renamed, tmp_path / "c.alc", **options)
    assert not (tmp_path / "c.alc").exists()
    found = []
    with alc.run_campaign(
        campaign.original, renamed, tmp_path / "c.alc", accept=["unknown-labels"],
        tell=found.extend, **options,
    ) as store:  # fmt: skip
        assert store.counts().finished == 2
        assert any(finding.code == "unknown-labels" for finding in found)
        notes = [store.assessment(a.number).notes for a in store.attacks]
        assert any("Accepted" in note.text for note in notes[0])


def test_what_is_refused_leaves_an_older_file_as_it_was(campaign, tmp_path):
    frame, path = campaign.original.frame, tmp_path / "c.alc"
    renamed = frame.assign(job=np.where(frame["job"] == frame["job"].iloc[0], "new", frame["job"]))

    def run(unknown):
        plan = alc.plan_campaign(
            campaign.original, as_releases(renamed), unknown=[unknown], named=[["age"]],
            known_sets=0, all_others=False, targets=alc.Targets(count=600),
        )  # fmt: skip
        return alc.run_campaign(
            campaign.original, renamed, path, **{**campaign.options, "plan": plan}
        )

    with run("city") as store:
        before = store.attacks
    with pytest.raises(PreflightError, match="unknown-labels"):
        run("job")
    with alc.CampaignStore.open(path) as store:
        assert store.attacks == before
        assert store.counts().missing == 0


def test_all_open_questions_of_all_releases_are_listed_together(campaign, tmp_path):
    frame = campaign.original.frame
    job = frame["job"].astype(str).radd("x")
    releases = as_releases({
        "one": frame.assign(job=job), "two": frame.assign(job=job),
        "three": frame.assign(hours=frame["hours"].sample(frac=0.5, random_state=1) + 100_000),
    })  # fmt: skip
    plan = alc.plan_campaign(
        campaign.original, releases, unknown=["city"], known_sets=0,
        targets=alc.Targets(count=600),
    )  # fmt: skip
    with pytest.raises(PreflightError) as stopped:
        alc.run_campaign(
            campaign.original, releases, tmp_path / "c.alc", **{**campaign.options, "plan": plan}
        )
    head, *listing = str(stopped.value).split("\n")
    assert head == "Answer 2 questions before the run."
    assert [line[:3] for line in listing] == ["1. ", "2. "]
    assert listing[0].endswith("accept unknown-labels:job.")
    assert listing[1].endswith("accept scale-changed:hours.")
    assert {finding.column for finding in stopped.value.findings} == {"job", "hours"}


def test_a_question_about_one_release_leaves_only_that_one_out(campaign, tmp_path):
    frame, path = campaign.original.frame, tmp_path / "c.alc"
    asked = frame.assign(job=frame["job"].astype(str).radd("x"))
    releases = {"asked": asked, "other": frame}
    plan = alc.plan_campaign(
        campaign.original, as_releases(releases), unknown=["city"], known_sets=0,
        targets=alc.Targets(count=600),
    )  # fmt: skip
    options = {**campaign.options, "plan": plan}
    with alc.run_campaign(campaign.original, releases, path, **options) as store:
        assert {each.release for each in store.missing()} == {"asked"}
        assert store.counts().failed == 0
        assert {
            name: "unknown-labels:job" in text for name, text in kept_waiting(store).items()
        } == {"asked": True}
        outcomes = {line.release: line.outcome for line in gate(store).releases}
        assert outcomes["asked"] is Outcome.INCONCLUSIVE
        finished = store.counts().finished
    with pytest.raises(PreflightError, match="unknown-labels:job"):
        alc.run_campaign(campaign.original, releases, path, **options)
    with alc.run_campaign(
        campaign.original, releases, path, accept=["unknown-labels:job"], **options
    ) as store:
        assert (store.counts().missing, kept_waiting(store)) == (0, {})
        assert store.counts().finished > finished


def test_an_attack_that_cannot_be_sent_to_a_process_is_refused(campaign, tmp_path):
    attack = MostFrequent()
    attack.lock = threading.Lock()
    with pytest.raises(InputError, match="cannot be sent to another process"):
        campaign.run(tmp_path / "c.alc", attacks=[attack])
    assert not (tmp_path / "c.alc").exists()


def test_an_unknown_attack_is_refused(campaign, tmp_path):
    plan = alc.plan_campaign(
        campaign.original, as_releases(campaign.releases), unknown=["job"], attacks=["nobody's"]
    )
    with pytest.raises(InputError, match="Unknown attack 'nobody's'"):
        campaign.run(tmp_path / "c.alc", plan=plan, seed=0)


def test_jobs_must_be_positive(campaign, tmp_path):
    with pytest.raises(ParameterError, match="jobs must be a whole number of at least 1, not 0"):
        campaign.run(tmp_path / "c.alc", jobs=0)


def test_one_family_is_enough_for_a_baseline(undisturbed):
    assert {name for result in undisturbed.values() for name in result.models} <= {
        NaiveBayes().name,
        "most frequent value",
    }


SHORT = "bayesian: iterations=100, chains=2, kept=50"
KNOWN = ("age", "city")
QUICK = {"families": (NaiveBayes(),), "seed": 0}


@pytest.fixture(scope="module")
def original(people):
    return alc.table_from_frame(people(600), name="people")


@pytest.fixture(scope="module")
def release(original):
    return anatomize(original, unknown="job", known=KNOWN, level=2, merged=8, seed=1)


@pytest.fixture(scope="module")
def result(original, release):
    return alc.assess(original, release, alc.Scenario(KNOWN, "job"), attack=SHORT, **QUICK)


def test_the_verdict_is_not_converged_and_that_comes_first(result):
    assert not result.converged
    assert result.decisive_alc < 0.5
    assert result.verdict is Verdict.NOT_CONVERGED
    assert result.inconclusive_between is None
    assert verdict_title(result) == "Did not converge"
    assert "did not converge" in verdict_explanation(result)
    assert summary_text(result).startswith("Verdict: Did not converge")
    assert result.notes[0].text.startswith("Do not rely on these numbers. The chains have not")


def test_it_stays_so_in_a_file_and_under_other_parameters(result):
    assert alc.Assessment.from_json(result.to_json()).verdict is Verdict.NOT_CONVERGED
    assert result.rescore(alpha=2.0).verdict is Verdict.NOT_CONVERGED
    older = json.loads(result.to_json())
    del older["converged"]
    assert alc.Assessment.from_dict(older).verdict is not Verdict.NOT_CONVERGED


def test_a_campaign_does_not_clear_it_either(original, release, tmp_path):
    plan = alc.plan_campaign(
        original, {"anatomy": release}, unknown=["job"], known_sets=0, attacks=[SHORT]
    )
    with alc.run_campaign(
        original, {"anatomy": release}, tmp_path / "c.alc", plan=plan, jobs=1, **QUICK
    ) as store:
        (number,) = [attack.number for attack in store.attacks]
        assert not store.assessment(number).converged
        assert store.columns().unconverged.all()
        view = CampaignView(store)
        for scoring in (store.settings.scoring, alc.ScoringParameters(alpha=2.0)):
            assert view.frame(scoring)["verdict"].tolist() == ["did not converge"]
        overview = view.overview(store.settings.scoring)
        chip, said, *_ = verdict_blocks(overview, overview)
        assert chip == Chip(Verdict.NOT_CONVERGED, "Did not converge in the only attack")
        assert "1 did not converge" in said.text
        assert asking_attacks(overview) == [number]
        (line,) = candidate_lines(view, store.settings.scoring, {})
        assert line.publishing is Publishing.EXAMINE
