"""What reaches the terminal: no control characters, and names that cannot be encoded."""

import subprocess
import sys
import zipfile

import pytest

from alc_core.cli import main
from alc_core.cli.parts.printing import echo


def test_lines_and_tabs_stay_and_escapes_are_shown(capsys):
    echo("a\tb\r\nc\x1b[2Jd \udcff é \u202f1", nl=False)
    assert capsys.readouterr().out == "a\tb\r\nc\\x1b[2Jd \\udcff é \u202f1"


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
    assert line.startswith("Error: 'people.csv' cannot be read with the unknown encoding 'zip'.")
