"""Options that are wrong, missing, completed, or given once in a file."""

import click
import pytest
from click.shell_completion import ShellComplete

from alc_core.cli import cli


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("assess", "--seed", "x"), "Invalid value for '--seed': 'x' is not a whole number."),
        (("plan", "--minutes", "-5"), "Invalid value for '--minutes': must be 1 or more, not -5."),
        (("dashboard", "--port", "0"), "Invalid value for '--port': must be 1 to 65535, not 0."),
        (("assess", "--alpha", "x"), "Invalid value for '--alpha': 'x' is not a number."),
        (("assess", "--orignal", "a.csv"), "No such option '--orignal'. Did you mean '--original'"),
        (("assess",), "Missing options '--original', '--release', '--known' and '--unknown'."),
        (("campaign", "--release", "a"), "Missing options '--original' and '--out'."),
    ],
)
def test_a_wrong_option_is_told_in_plain_words(run, arguments, said):
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"Error: {said}")


def test_quiet_has_a_short_name(run):
    assert "-q, --quiet" in run("assess", "--help-all").out


def completed(*arguments, last):
    return [each.value for each in ShellComplete(cli, {}, "alc", "_").get_completions(
        [*map(str, arguments)], last)]  # fmt: skip


def test_attacks_and_columns_are_completed(people, tmp_path, monkeypatch):
    people(200).to_csv(tmp_path / "people.csv", index=False)
    original = ("--original", tmp_path / "people.csv")
    assert completed("assess", "--attack", last="rec") == ["record linkage"]
    assert completed("assess", *original, "--unknown", last="j") == ["job"]
    assert completed("campaign", *original, "--known", last="age,h") == ["age,hours"]
    assert completed("assess", "--unknown", last="j") == []
    monkeypatch.setenv("_ALC_COMPLETE", "bash_complete")
    assert completed("assess", "--attack", last="rec") == ["'record linkage'"]


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text):
        (tmp_path / "alc.toml").write_text(text)

    return write


def parsed(*arguments):
    context = cli.get_command(click.Context(cli), arguments[0]).make_context(
        arguments[0], [*arguments[1:]], parent=click.Context(cli)
    )
    return context.params


def test_a_file_gives_what_the_command_line_does_not(in_folder, capsys):
    in_folder(
        'seed = 1\nknown = ["age", "sex"]\nmissing = "job=?"\nalpha = 2\n[assess]\nseed = 2\n'
    )
    given = ("assess", "--original", "a.csv", "--release", "b.csv", "--unknown", "job")
    found = parsed(*given)
    assert (found["seed"], found["known"], found["missing"]) == (2, ("age", "sex"), ("job=?",))
    assert found["alpha"] == 2.0
    said = capsys.readouterr().err
    assert said.startswith("From 'alc.toml': ")
    assert "--seed" in said
    found = parsed(*given, "--seed", "3", "--known", "city", "--quiet")
    assert (found["seed"], found["known"]) == (3, ("city",))
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sead = 1", "'alc.toml': no command has the option 'sead'."),
        ("[assess]\nsead = 1", "'alc.toml': 'alc assess' has no option 'sead'."),
        ('seed = "x"', "'x' is not a whole number. It is from 'alc.toml'."),
        ('plugin = "mine.py"', "'alc.toml': give --plugin on the command line instead."),
        ('json = "here.json"', "'alc.toml': give --json on the command line instead."),
        ("seed = ", "'alc.toml' in this directory cannot be read"),
    ],
)
def test_a_wrong_file_is_refused_in_a_line(in_folder, run, text, said):
    in_folder(text)
    done = run("assess", "--original", "a", "--release", "b", "--known", "c", "--unknown", "d")
    assert done.code == 2
    assert said in done.err
    assert len(done.err.splitlines()) == 1


def test_the_order_of_precedence_is_in_the_help(run):
    assert "Precedence: command line," in " ".join(run("--help").out.split())
