"""What commands end with and say, and that a hyphen is stdout wherever something is written."""

import csv
import io
import json
import os
import re
import subprocess
import sys
import zipfile

import click
import numpy as np
import pandas as pd
import pytest

import alc_core as alc
from alc_core.campaign.plan.job_list import read_job_list
from alc_core.cli import COMMANDS, SHORT, cli, main
from alc_core.cli.parts import tables as reading
from alc_core.cli.parts.printing import ProgressPrinter, ReadingPrinter, echo, write_out
from alc_core.cli.study import study
from alc_core.errors import InputError
from alc_core.phrasing import alc_number
from alc_core.runtime.progress import Progress
from alc_core.tables.apart.read import as_table, read_metadata, read_plain_sets
from tests.unit.cli.conftest import ended


@pytest.fixture(scope="module")
def files(written, people):
    folder = written(people(1200), weak=0.05)
    tables = ("--original", folder / "original.csv", "--release", folder / "weak.csv")
    assert ended(
        "campaign", *tables, "--out", folder / "c.alc", "--unknown", "job", "--known", "age,city",
        "--known-sets", 0, "--no-all-others", "--targets", 400, "--jobs", 1, "--quiet",
        "--attack", "best row match", "--attack", "record linkage",
    ) == 0  # fmt: skip
    return folder


def tables(folder, release="weak"):
    return "--original", folder / "original.csv", "--release", folder / f"{release}.csv"


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_a_hyphen_is_stdout(files, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assess = ("assess", *tables(files), "--known", "age,city", "--unknown", "job", "--targets", 300)
    assert {row["side"] for row in rows(run(*assess, "--quiet", "--csv", "-").out)} == {
        "attack",
        "baseline",
    }
    done = run("findings", files / "c.alc", "--csv", "-")
    assert len(rows(done.out)) == 2
    assert done.err == ""
    assert run("report", files / "c.alc", "--html", "-", "--quiet").out.startswith("<!")
    assert not list(tmp_path.iterdir())


def test_a_pipe_is_refused_wherever_a_file_is_read(run, tmp_path):
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    for command in (
        ("check", "--original", pipe, "--release", pipe),
        ("attacks", "--plugin", pipe),
        ("findings", pipe),
        ("audit", pipe),
        ("dashboard", "--settings", pipe),
    ):
        done = run(*command)
        assert (done.code, done.out) == (2, "")
        assert "is not a file but a pipe." in done.err
    table = as_table({"age": [1]}, name="original")
    for read in (read_plain_sets, read_metadata, lambda path: read_job_list(path, table)):
        with pytest.raises(InputError, match="is not a file but a pipe"):
            read(pipe)


def test_standard_input_has_a_limit(run, monkeypatch):
    monkeypatch.setattr(reading, "MOST_OF_STDIN", 10)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a,b\n" + b"1,2\n" * 10)))
    done = run("check", "--original", "-", "--release", "none.csv")
    assert "Standard input exceeds 512 MiB." in done.err


def test_whatever_attacks_or_scores_again_is_quiet_where_asked(files, run):
    again = ("findings", files / "c.alc", "--alpha", 2)
    assert "Resampling" in run(*again).err
    plan = ("plan", *tables(files), "--known", "age,city", "--unknown", "job")
    for command in (again, plan):
        done = run(*command, "--quiet")
        assert (done.code, done.err) == (0, "")
        assert done.out


def test_the_command_that_adds_a_model_is_said_and_does(files, run, tmp_path):
    rng, frame = np.random.default_rng(1), pd.read_csv(files / "original.csv")
    made = frame.apply(lambda column: rng.permutation(column.to_numpy(copy=True)))
    made.to_csv(tmp_path / "made.csv", index=False)
    command = (
        "campaign", "--original", files / "original.csv", "--release", tmp_path / "made.csv",
        "--out", tmp_path / "c.alc", "--unknown", "job", "--known", "age,city", "--known-sets", 0,
        "--no-all-others", "--targets", 300, "--jobs", 1, "--quiet", "--attack",
    )  # fmt: skip
    first = " ".join(run(*command, "best row match").out.split())
    assert "Run it if the data are synthetic. Use --attack model." in first
    then = " ".join(run(*command, "model").out.split())
    assert "Not yet run" not in then
    assert "all 2 attacks" in then or "of 2 attacks" in then


def test_parquet_goes_to_stdout_as_bytes(files, capfdbinary):
    assert ended("findings", files / "c.alc", "--parquet", "-") == 0
    assert capfdbinary.readouterr().out.startswith(b"PAR1")


def test_a_question_that_is_answered_does_not_stop_a_check(files, run, people, written):
    folder = written(people(1200), other=people(1200, seed=1).assign(job=lambda t: "x" + t["job"]))
    check = ("check", *tables(folder, "other"))
    done = run(*check, "--json", "-")
    asked = [each for each in json.loads(done.out)["findings"] if each["severity"] == "question"]
    assert done.code == 1
    answers = ",".join(f"{each['code']}:{each['column']}" for each in asked)
    done = run(*check, "--json", "-", "--accept", answers, "--quiet")
    assert done.code == 0
    assert done.err == ""


def test_a_fault_of_a_plug_in_has_an_exit_code_of_its_own(files, run, monkeypatch):
    def fails(*_):
        raise KeyError("x")

    monkeypatch.setattr("alc_core.attacks.best_row_match.BestRowMatch.prepare", fails)
    done = run("assess", *tables(files), "--known", "age", "--unknown", "job", "--quiet")
    assert done.code == 4
    said, empty, head, *_ = done.err.splitlines()
    assert said.startswith("Error: KeyError: 'x'. This is a bug. Report")
    assert (empty, head) == ("", "Traceback (most recent call last):")


@pytest.mark.parametrize("group", [(), ("study",)])
def test_alone_it_shows_its_help_in_lines(run, group):
    done = run(*group)
    assert done.code == 2
    lines = done.err.splitlines()
    assert lines[0].startswith("Usage: alc")
    assert len(lines) > len(COMMANDS) if not group else len(lines) > 5


def test_findings_as_json_have_a_row_for_each_attack(files, run):
    found = json.loads(run("findings", files / "c.alc", "--json", "-", "--serious", 0.9).out)
    with alc.CampaignStore.open(files / "c.alc") as store:
        frame = alc.CampaignView(store).frame(store.settings.scoring)
    assert [each["number"] for each in found["attacks"]] == frame["number"].tolist()
    assert found["attacks"][0]["decisive_alc"] == frame["decisive_alc"][0]
    assert found["scoring"]["serious"] == 0.9
    assert [each["release"] for each in found["releases"]] == ["weak"]


def test_commands_read_files_in_a_process_of_their_own(files, run, read_apart):
    assert not run("check", *tables(files), "--quiet").asks
    assert run("findings", files / "c.alc").code == 0
    assert read_apart == ["read_table", "read_table", "examine"]


def test_a_file_that_reads_long_says_when_it_is_given_up(capsys):
    ReadingPrinter("big.csv")(4.0, 1041.0)
    assert "of at most" not in (said := capsys.readouterr().err)
    assert "1,041 s" in said


def test_a_stage_that_goes_on_is_printed_once(capsys, monkeypatch):
    clock = iter(range(10, 100, 10))
    monkeypatch.setattr("alc_core.cli.parts.printing.time.monotonic", lambda: next(clock))
    told = ProgressPrinter()
    for _ in range(3):
        told(Progress(stage="Printing the PDF"))
    assert capsys.readouterr().err == "Printing the PDF\n"


@pytest.mark.parametrize(
    ("command", "groups"),
    [
        ("assess", {"--release": 0, "--names": 1, "--alpha": 2, "--targets": 3}),
        ("campaign", {"--out": 0, "--job-list": 1, "--protect": 1, "--sheet": 2, "--tolerance": 3}),
        ("risk", {"--release": 0, "--person": 1}),
    ],
)
def test_all_help_has_options_in_groups(run, command, groups):
    (_, *sections) = re.split(r"^\S[^\n]*:\n", run(command, "--help-all").out, flags=re.MULTILINE)
    for option, place in groups.items():
        found = [n for n, text in enumerate(sections) if re.search(rf"^  .*{option}\b", text, re.M)]
        assert found == [place], option


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in (*SHORT, "study")])
def test_help_shows_ten_options_at_most_a_line_each(run, command):
    shown = run(command, "--help").out.partition("Options:\n")[2].splitlines()
    assert shown[-1].split() == ["--help-all", *["Show", "all", "options."]]
    assert len(shown) <= 11
    assert all(re.match(r"  (-q, )?--\w", line) for line in shown)


@pytest.mark.parametrize("command", SHORT)
def test_help_of_a_study_shows_ten_options_at_most(run, command):
    shown = run(command, "--help").out.partition("Options:\n")[2]
    assert len(re.findall(r"^  --", shown, re.M)) <= 11


def test_help_names_every_command_once_in_a_group(run):
    shown = run("--help").out
    assert [len(re.findall(rf"^  {name}  +\S", shown, re.M)) for name in COMMANDS] == [1] * 20
    assert max(map(len, shown.splitlines())) <= 78


@pytest.mark.parametrize(
    ("command", "usual"),
    [("assess", "3.0"), ("findings", "as in FILE"), ("gate", "as in FILE"),
     ("report", "as in FILE"), ("compare", "as in NEW")],
)  # fmt: skip
def test_the_usual_scoring_is_that_of_the_file_where_there_is_one(run, command, usual):
    (alpha,) = re.findall(r"--alpha .*?\[default:(.*?)\]", run(command, "--help-all").out, re.S)
    assert " ".join(alpha.split()) == usual


def test_an_alc_below_a_limit_is_not_shown_as_the_limit():
    for loss, shown in ((0.7496, "0.74"), (0.4999999, "0.49"), (0.744, "0.74"), (0.75, "0.75")):
        assert alc_number(loss) == shown


def test_rows_have_one_way_of_writing_thousands(files, run):
    assert "1,200 rows" in run("check", *tables(files)).out


def test_a_misspelt_command_is_answered_by_its_likeliest(run):
    done = run("campain")
    assert done.code == 2
    assert "'campaign'" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGPIPE")
def test_where_nobody_reads_on_no_gate_has_found_anything():
    command = [sys.executable, "-m", "alc_core", "attacks"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.wait() == 141
        assert process.stderr.read() == b""


def test_a_table_may_come_from_stdin(files, run, monkeypatch):
    text = io.TextIOWrapper(io.BytesIO((files / "weak.csv").read_bytes()))
    monkeypatch.setattr("sys.stdin", text)
    done = run("check", "--original", files / "original.csv", "--release", "-")
    assert "stdin: 1,200 rows" in done.out
    for release in ("-", "a=-"):
        done = run("plan", "--original", "-", "--release", release)
        assert done.code == 2
        assert "Two tables are '-' (stdin)." in done.err


def test_lines_and_tabs_stay_and_escapes_are_shown(capsys):
    echo("a\tb\r\nc\x1b[2Jd \udcff é \u202f1", nl=False)
    assert capsys.readouterr().out == "a\tb\r\nc\\x1b[2Jd \\udcff é \u202f1"


def test_stdout_holds_a_file_s_bytes_but_on_a_terminal(tmp_path, capfdbinary, monkeypatch):
    text = '{"column": "a\x7fb\x92\u2028"}\n'
    for out in (str(tmp_path / "file"), "-"):
        write_out(out, text)
    assert capfdbinary.readouterr().out == (tmp_path / "file").read_bytes() == text.encode()
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    write_out("-", text)
    assert capfdbinary.readouterr().out == b'{"column": "a\\x7fb\\x92\\u2028"}\n'


@pytest.fixture
def escaping(tmp_path):
    path = tmp_path / "people.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("\x1b[31mpeople.csv", "age,\x1b]0;job\x07\n" + "1,x\n2,y\n" * 2000)
    return str(path)


def test_a_terminal_escape_in_the_name_of_a_member_or_column(escaping, capsys):
    with pytest.raises(SystemExit):
        main(["check", "--original", escaping, "--release", escaping])
    shown = "".join(capsys.readouterr())
    assert "Unpacked '\\x1b[31mpeople.csv' from the zip file." in shown
    assert not {"\x1b", "\x07"} & set(shown)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are text there")
@pytest.mark.parametrize("content", ["", "age,job\n1,x\n2,y\n"])
def test_a_file_name_that_is_not_utf_8(tmp_path, content):
    path = tmp_path / "k\udcf6ln.csv"
    path.write_text(content, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "alc_core", "check", "--original", path, "--release", path],
        capture_output=True, check=False,
    )  # fmt: skip
    assert b"Traceback" not in run.stderr
    assert rb"k\udcf6ln.csv" in run.stdout + run.stderr
    assert run.returncode == (0 if content else 2) or b"identical" in run.stdout


def test_an_encoding_that_is_none_is_an_error_of_one_line(tmp_path, capsys):
    path = tmp_path / "people.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["check", "--original", str(path), "--release", str(path), "--encoding", "zip"])
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("Error: 'people.csv' cannot be read in the unknown encoding 'zip'.")


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [("-", "-", "'-', stdout."), ("x", "../k/x", "'../k/x'.")],
)
def test_a_file_and_stdout_take_one_output(files, run, tmp_path, monkeypatch, first, second, said):
    (tmp_path / "k").mkdir()
    monkeypatch.chdir(tmp_path / "k")
    done = run("gate", files / "c.alc", "--json", first, "--junit", second)
    assert done.code == 2
    assert f"Two outputs are {said}" in done.err
    assert not list((tmp_path / "k").iterdir())


_ASKED = ("--known", "age,city", "--unknown", "job")


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (("findings", "c.alc", "--csv"), "c.alc"),
        (("gate", "c.alc", "--junit"), "./c.alc"),
        (("compare", "c.alc", "c.alc", "--json"), "c.alc"),
        (("report", "c.alc", "--quiet", "--html"), "c.alc"),
        (("assess", "--original", "original.csv", "--release", "weak.csv", *_ASKED, "--csv"),
         "original.csv"),
        (("assess", "--original", ".", "--release", "[v-w]eak.csv", *_ASKED, "--csv"), "weak.csv"),
        (("plan", "--original", "original.csv", "--release", "a=weak.csv", "--json"), "weak.csv"),
        (("risk", "--original", "original.csv", "--release", "weak.csv", "--known", "age",
          "--campaign", "c.alc", "--json"), "c.alc"),
        (("check", "--original", "original.csv", "--release", "weak.csv", "--hierarchy",
          "job=job.csv", "--json"), "job.csv"),
    ],
)  # fmt: skip
def test_what_is_read_is_not_written_over(files, run, monkeypatch, arguments, out):
    monkeypatch.chdir(files)
    (files / "job.csv").write_text("a;b\n")
    before = (files / out).read_bytes()
    done = run(*arguments, out)
    assert (done.code, done.err) == (
        2,
        (f"Error: '{out}' is an input. Name another file.\n"),
    )
    assert (files / out).read_bytes() == before


def test_all_files_that_commands_read_are_known_as_such():
    commands = [cli.get_command(None, name) for name in COMMANDS]
    commands += [study.get_command(None, name) for name in study.list_commands(None)]
    files = [
        (param.opts[0], isinstance(param.type, click.Path))
        for each in commands for param in each.params if "FILE" in (param.metavar or "")
    ]  # fmt: skip
    assert {option for option, is_read in files if not is_read} == {"--out", "--plugin"}
