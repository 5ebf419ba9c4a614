import re
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from alc_core.errors import CancelledError, InputError
from alc_core.report.html.document import release_page
from alc_core.report.options import ReportDetails, ReportOptions
from alc_core.report.pdf import find_chromium, pdf_of
from alc_core.runtime.progress import Reporter


@pytest.fixture
def browser(tmp_path):
    """Makes a program that does what it is told instead of printing."""

    def make(body):
        path = tmp_path / "browser"
        path.write_text(
            f"#!{sys.executable}\nimport sys, time, pathlib\n"
            "out = [a for a in sys.argv if a.startswith('--print-to-pdf=')][0].split('=', 1)[1]\n"
            f"args = sys.argv[1:]\n{body}\n"
        )
        path.chmod(path.stat().st_mode | stat.S_IEXEC)
        return path

    return make


def test_the_named_browser_is_taken_and_none_is_none(monkeypatch, tmp_path):
    monkeypatch.setenv("ALC_CHROMIUM", str(tmp_path / "named"))
    assert find_chromium() == tmp_path / "named"
    monkeypatch.delenv("ALC_CHROMIUM")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("alc_core.report.pdf._MAC", ())
    assert find_chromium() is None
    with pytest.raises(InputError, match=r"A PDF needs Chromium.*print the HTML file in a"):
        pdf_of("<p>x</p>")
    (tmp_path / "Google/Chrome/Application").mkdir(parents=True)
    chrome = tmp_path / "Google/Chrome/Application/chrome.exe"
    chrome.touch()
    monkeypatch.setenv("PROGRAMFILES", str(tmp_path))
    assert find_chromium() == chrome


def test_the_page_is_private_offline_and_gone_afterwards(browser):
    told = pdf_of(
        "<p>secret</p>",
        chromium=browser(
            "page = args[-1].removeprefix('file://').removesuffix('#print')\n"
            "folder = pathlib.Path(page).parent\n"
            "mode = oct(folder.stat().st_mode & 0o777)\n"
            "text = '\\n'.join([mode, *args, pathlib.Path(page).read_text()])\n"
            "pathlib.Path(out).write_text(text)"
        ),
    ).decode()
    assert told.startswith("0o700\n")
    assert told.endswith("<p>secret</p>")
    assert "--host-resolver-rules=MAP * ~NOTFOUND" in told
    assert "--no-pdf-header-footer" in told
    (page,) = [line for line in told.splitlines() if line.startswith("file://")]
    assert page.endswith("#print")
    assert not Path(page.removeprefix("file://").removesuffix("/report.html#print")).exists()


def test_it_keeps_to_its_folder_and_is_told_nothing(browser, monkeypatch, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("ALC_TEST_SECRET", "secret")
    told = pdf_of(
        "<p>x</p>",
        chromium=browser(
            "import os, socket\n"
            "pathlib.Path(pathlib.Path.home(), 'cache').touch()\n"
            "names = ','.join(name for _, name in socket.if_nameindex())\n"
            "secret = os.environ.get('ALC_TEST_SECRET')\n"
            "pathlib.Path(out).write_text(f'{names} {secret}')"
        ),
    ).decode()
    assert not list(home.iterdir())
    names, secret = told.split()
    assert secret == "None"
    alone = ["unshare", "--user", "--net", "true"]
    if shutil.which(alone[0]) and not subprocess.run(alone, check=False).returncode:
        assert names == "lo"


@pytest.mark.parametrize(
    ("body", "timeout", "message"),
    [
        ("time.sleep(60)", 0.3, "did not end within 0 seconds"),
        ("sys.exit(1)", 30, "made no PDF"),
    ],
)
def test_what_goes_wrong_is_told_with_another_way(browser, body, timeout, message):
    with pytest.raises(InputError, match=f"{message}.*Or print the HTML file in a browser"):
        pdf_of("<p>x</p>", chromium=browser(body), timeout=timeout)


def test_a_browser_that_cannot_be_started_is_told(tmp_path):
    with pytest.raises(InputError, match=r"cannot be started \(No such file or directory\)"):
        pdf_of("<p>x</p>", chromium=tmp_path / "nothing")


def test_printing_can_be_cancelled(browser):
    with pytest.raises(CancelledError):
        pdf_of(
            "<p>x</p>", chromium=browser("time.sleep(60)"), reporter=Reporter(cancel=lambda: True)
        )


@pytest.mark.browser
@pytest.mark.parametrize("prefix", ["col", "a_rather_long_name_of_a_column_"])
def test_what_is_said_of_one_release_fits_on_one_page(made_up, prefix):
    view = made_up([0.95, 0.8, 0.5, 0.2, 0.1], releases=("a_release.csv", "b.csv"), prefix=prefix)
    options = ReportOptions(scoring=view.settings.scoring, details=ReportDetails(date="2026-01-31"))
    pdf = pdf_of(release_page(view, "a_release.csv", options))
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="Linux ends a process with its parent")
def test_a_browser_ends_with_a_server_that_is_killed():
    code = (
        "import subprocess, sys\n"
        "from alc_core.report.pdf import _OFFLINE\n"
        "command = [sys.executable, '-c', _OFFLINE, '/bin/sleep', '60']\n"
        "print(subprocess.Popen(command).pid, flush=True)\n"
        "input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        browser = psutil.Process(int(server.stdout.readline()))
        while browser.name() != "sleep":
            time.sleep(0.01)
        server.kill()
        assert browser.wait(20) is None  # not a child of ours
