"""Plug-ins by file and by entry point: in commands, worker processes and files."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager

import pytest

import alc_core as alc
from alc_core.attacks import registry as attacks
from alc_core.measures import registry as measures
from alc_core.runtime import plugins
from alc_core.runtime.plugins import load_plugins
from alc_core.studies import registry as studies
from tests.unit.cli.conftest import ended

PLUGIN = """
import numpy as np
import alc_core as alc

class Constant:
    name = "constant guess"
    accepts = (alc.Microdata,)

    def prepare(self, view, rng):
        return lambda targets: alc.Predictions.of(
            np.zeros(len(targets), dtype=np.int64), np.ones(len(targets)))

alc.register_attack(alc.AttackType(
    name="constant guess", method="Always names the first value.", reference="Nobody (2026)",
    accepts=Constant.accepts, make=Constant))

class Rights:
    name, title, method, reference = "rights", "Rights", "Counts what is right.", "Nobody (2026)"
    numbers = (alc.MeasureNumber(name="share", title="Share", help="Of all.", has_interval=False),)
    applies = staticmethod(lambda predicted: True)
    measure = staticmethod(
        lambda predicted: {"share": alc.Measured(float(predicted.attack_right.mean()))})
    sentence = staticmethod(lambda measured, scenario: "The plug-in's own words.")

alc.register_measure(Rights())
"""


@pytest.fixture(scope="module")
def files(written, people):
    folder = written(people(400), weak=0.05)
    (folder / "mine.py").write_text(PLUGIN)
    return folder


@contextmanager
def knowing_no_plug_in(folder):
    """Be in a folder, and let go of the plug-ins that are loaded there."""
    kept = (
        (attacks, "_TYPES"), (measures, "_MEASURES"), (studies, "_STUDIES"), (plugins, "_loaded"),
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for module, name in kept:
            patch.setattr(module, name, dict(getattr(module, name)))
        yield


@pytest.fixture
def alc_of(run):
    """Runs a command that knows no plug-in yet."""

    def command(folder, *arguments, code=0):
        with knowing_no_plug_in(folder):
            done = run(*arguments)
        assert done.code == code, done.err
        return done

    return command


@pytest.fixture(scope="module")
def campaign(files):
    with knowing_no_plug_in(files):
        assert ended(
            "campaign", "--original", "original.csv", "--release", "weak.csv", "--out", "c.alc",
            "--unknown", "job", "--known", "age,city", "--known-sets", 0, "--no-all-others",
            "--targets", 300, "--jobs", 2, "--quiet", "--plugin", "mine.py",
            "--attack", "constant guess", "--attack", "best row match",
        ) == 0  # fmt: skip
    return files / "c.alc"


def test_what_a_file_defines_runs_in_worker_processes(campaign, files, alc_of):
    done = alc_of(files, "findings", campaign, "--json", "-", "--plugin", "mine.py")
    found = json.loads(done.out)["attacks"]
    assert {each["attack"] for each in found} == {"constant guess", "best row match"}
    assert {each["status"] for each in found} == {"finished"}
    assert all(0 < each["rights_share"] <= 1 for each in found)
    assert not done.err


def test_a_plug_in_that_fails_names_its_own_line(files, tmp_path):
    broken = tmp_path / "broken.py"
    for text, where in (("x = 1\ny = 1 / 0\n", "(line 2)"), ("import not_there\n", "(line 1)")):
        broken.write_text(text)
        with pytest.raises(alc.errors.InputError) as refused:
            load_plugins([str(broken)])
        assert where in str(refused.value)
    with pytest.raises(alc.errors.InputError) as refused:
        load_plugins([str(tmp_path / "absent.py")])
    assert "(line" not in str(refused.value)


STUDY = """
from alc_core.studies.registry import register_study
from alc_core.studies.study import Study

class Mine(Study):
    name, title, sentence = "mine", "Mine", "How many rows are mine?"

    def blocks(self, found, look):
        return ()

register_study(Mine())
"""


@pytest.mark.parametrize("named", [("--plugin", "study.py"), ("--plugin=study.py",)])
def test_the_study_of_a_file_may_stand_before_it(tmp_path, alc_of, named):
    (tmp_path / "study.py").write_text(STUDY)
    alc_of(tmp_path, "study", "mine", "--help", code=2)
    for arguments in (("mine", *named), (*named, "mine")):
        assert "How many rows are mine?" in alc_of(tmp_path, "study", *arguments, "--help").out


@pytest.mark.slow
def test_what_a_file_defines_runs_on_a_cluster_that_does_not_have_it(files, tmp_path, alc_of):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0",
        silence_logs="CRITICAL", local_directory=str(tmp_path),
    ) as cluster:  # fmt: skip
        done = alc_of(
            files, "campaign", "--original", "original.csv", "--release", "weak.csv", "--out",
            tmp_path / "c.alc", "--unknown", "job", "--known", "age,city", "--known-sets", 0,
            "--no-all-others", "--targets", 300, "--quiet", "--plugin", "mine.py",
            "--attack", "constant guess", "--scheduler", cluster.scheduler_address,
        )  # fmt: skip
    assert "constant guess" in done.out
    found = alc_of(files, "findings", tmp_path / "c.alc", "--json", "-", "--plugin", "mine.py")
    (attack,) = json.loads(found.out)["attacks"]
    assert (attack["status"], attack["attack"]) == ("finished", "constant guess")
    assert 0 < attack["rights_share"] <= 1


def test_without_the_plug_in_its_names_are_said(campaign, run, tmp_path):
    done = run("findings", campaign)
    assert "'constant guess'" in done.err
    assert "'rights'" in done.err
    assert run("report", campaign, "--html", tmp_path / "r.html", "--quiet").code == 0
    text = (tmp_path / "r.html").read_text()
    assert "type of release" not in done.err
    assert "measure 'rights'" in text or "measure &#39;rights&#39;" in text


def test_the_commands_that_a_report_prints_load_the_plug_ins(campaign, files, tmp_path, alc_of):
    report = tmp_path / "r.html"
    alc_of(files, "report", campaign, "--html", report, "--quiet", "--plugin", "mine.py")
    text = report.read_text()
    assert text.count("--plugin mine.py") == 2
    assert str(files / "mine.py") not in text


def test_an_installed_package_is_found_by_its_entry_point(tmp_path):
    (tmp_path / "theirs.py").write_text(PLUGIN)
    info = tmp_path / "theirs-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[alc_core.plugins]\nmine = theirs\n")
    listed = subprocess.run(
        [sys.executable, "-m", "alc_core", "attacks", "--json", "-"], capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), *sys.path))}, check=True,
    )  # fmt: skip
    found = json.loads(listed.stdout)
    assert found["attacks"][-1]["name"] == "constant guess"
    assert found["attacks"][0]["parameters"][0]["name"] == "by_rarity"


@pytest.mark.parametrize(
    ("text", "said"),
    [("1 / 0\n", "ZeroDivisionError"), ("def", "SyntaxError"), (None, "No such")],
)
def test_a_plug_in_that_cannot_be_loaded_is_bad_input(tmp_path, run, text, said):
    path = tmp_path / "broken.py"
    if text is not None:
        path.write_text(text)
    done = run("attacks", "--plugin", path)
    assert done.code == 2
    assert "broken.py" in done.err
    assert said in done.err


def test_a_plug_in_that_fails_in_a_run_is_named_before_the_traceback(files, tmp_path, alc_of):
    broken = PLUGIN.replace("return lambda targets: ", "view.nothing; return lambda targets: ")
    (tmp_path / "broken.py").write_text(broken)
    done = alc_of(
        files, "assess", "--original", "original.csv", "--release", "weak.csv", "--known", "age",
        "--unknown", "job", "--quiet", "--plugin", tmp_path / "broken.py", "--attack",
        "constant guess", code=4,
    )  # fmt: skip
    line = broken[: broken.index("view.nothing")].count("\n") + 1
    said, empty, head, *_ = done.err.splitlines()
    assert said.startswith(f"Error: 'broken.py', line {line}, raised AttributeError: ")
    assert (empty, head) == ("", "Traceback (most recent call last):")


def test_attacks_are_listed_and_their_prose_leaves_the_help(run):
    listed = run("attacks").out
    for name, found in alc.attack_types().items():
        assert name in listed
        assert all(parameter.name in listed for parameter in found.parameters)
    assert len(run("assess", "--help-all").out) < 12_000


def test_a_module_that_is_not_there(tmp_path):
    with pytest.raises(alc.errors.InputError, match="no_such_module"):
        load_plugins(["no_such_module"])
    assert ended("attacks", "--plugin", "no_such_module") == 2
