"""The report's PDF, printed by a local Chromium without network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from alc_core.errors import InputError
from alc_core.runtime.progress import Reporter

# Names a browser in an unusual place
ENVIRONMENT_VARIABLE = "ALC_CHROMIUM"
TIMEOUT = 300.0  # Seconds that printing may take
# Advice without Chromium
NEEDS_BROWSER = "A PDF needs Chromium, Chrome or Edge."
HOW_TO_PRINT = "Or print the HTML file in a browser to “Save as PDF”."
_NAMES = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
    "microsoft-edge", "microsoft-edge-stable", "msedge",
)  # fmt: skip
_MAC = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_WINDOWS = (
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)
_WINDOWS_FOLDERS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
_FLAGS = (
    "--headless", "--disable-gpu", "--disable-extensions", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-quic", "--no-first-run",
    "--no-default-browser-check", "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=127.0.0.1:9", "--no-pdf-header-footer",
)  # fmt: skip


# Variables for a browser to start and write
_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "SYSTEMROOT", "PROGRAMFILES")
_HOMES = (
    "HOME", "TMPDIR", "TEMP", "TMP", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR", "USERPROFILE", "LOCALAPPDATA", "APPDATA",
)  # fmt: skip


# Starts a program without network, if Linux allows it
_OFFLINE = """
import ctypes, os, sys
from contextlib import suppress
user, group, library = os.getuid(), os.getgid(), ctypes.CDLL(None)
unshare = library.unshare
library.prctl(1, 9)  # PR_SET_PDEATHSIG: ends with the server
if unshare(0x40000000) and not unshare(0x50000000):
    with suppress(OSError):
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"),
                           ("gid_map", f"{group} {group} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
os.execv(sys.argv[1], sys.argv[1:])
"""


def find_chromium() -> Path | None:
    """Return a browser that can print, or None."""
    if named := os.environ.get(ENVIRONMENT_VARIABLE):
        return Path(shutil.which(named) or named)
    return next(iter(_candidates()), None)


def pdf_of(
    html: str,
    *,
    chromium: Path | None = None,
    timeout: float = TIMEOUT,
    reporter: Reporter | None = None,
) -> bytes:
    """Print a report."""
    browser = chromium or find_chromium()
    if browser is None:
        raise InputError(f"{NEEDS_BROWSER} Set {ENVIRONMENT_VARIABLE} to a browser. {HOW_TO_PRINT}")
    reporter = reporter or Reporter()
    # Private, and removed afterwards: page, profile and PDF
    with tempfile.TemporaryDirectory(prefix="alc-report-", ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        page, out = place / "report.html", place / "report.pdf"
        page.write_text(html, encoding="utf-8")
        _print(browser, page, out, timeout=timeout, reporter=reporter)
        if not out.is_file() or not out.stat().st_size:
            raise InputError(f"The browser '{browser}' made no PDF. {HOW_TO_PRINT}")
        return out.read_bytes()


def _print(browser: Path, page: Path, out: Path, *, timeout: float, reporter: Reporter) -> None:
    command = [
        str(browser), *_FLAGS, f"--user-data-dir={page.parent / 'profile'}",
        f"--print-to-pdf={out}", f"{page.as_uri()}#print",
    ]  # fmt: skip
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.insert(1, "--no-sandbox")  # Chromium does not start otherwise
    if sys.platform == "linux":
        command = [sys.executable, "-c", _OFFLINE, *command]
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    try:
        os.close(os.open(browser, os.O_RDONLY))
        process = subprocess.Popen(  # noqa: S603 - a browser of this machine, without a shell
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=kept | dict.fromkeys(_HOMES, str(page.parent)),
        )
    except OSError as error:
        raise InputError(
            f"The browser '{browser}' cannot be started ({error.strerror}). Set "
            f"{ENVIRONMENT_VARIABLE} to another one. {HOW_TO_PRINT}"
        ) from None
    began = time.monotonic()
    try:
        while process.poll() is None:
            reporter.report("Printing the PDF")
            if time.monotonic() - began > timeout:
                raise InputError(
                    f"The browser '{browser}' did not end within {timeout:.0f} seconds. "
                    f"{HOW_TO_PRINT}"
                )
            time.sleep(0.1)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _candidates() -> Iterator[Path]:
    for name in _NAMES:
        if found := shutil.which(name):
            yield Path(found)
    folders = [os.environ[each] for each in _WINDOWS_FOLDERS if os.environ.get(each)]
    places = [*_MAC, *(f"{folder}/{place}" for folder in folders for place in _WINDOWS)]
    yield from (Path(place) for place in places if Path(place).is_file())
