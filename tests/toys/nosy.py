"""Jobs for the process that reads files, which try what none should do."""

import os
import socket
import stat
import subprocess
import time
from pathlib import Path

from alc_core.tables.apart.wire import VALUE, send_word


def look(source: bytes | str, *, here: str, port: int) -> dict[str, str]:
    """Try to read, write, call and ask; return what came of each, in a word."""

    def connect() -> object:
        return socket.create_connection(("127.0.0.1", port), timeout=1).close()

    def knock() -> object:
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect(str(Path(here, "server")))

    def call() -> object:
        return subprocess.run(["/bin/true"], check=True)

    def split() -> object:
        return os.fork() or os._exit(0)

    attempts = {
        "read": lambda: Path("/etc/passwd").read_text(),
        "environ": lambda: Path("/proc/self/environ").read_text(),
        "of parent": lambda: Path(f"/proc/{os.getppid()}/environ").read_text(),
        "beside": lambda: Path(here, "other.txt").read_text(),
        "own": lambda: Path(here, "mine.txt").read_text(),
        "write": lambda: Path(here, "new.txt").write_text("new"),
        "change": lambda: Path(here, "mine.txt").write_text("new"),
        "mode": lambda: Path(here, "mine.txt").chmod(0o777),
        "remove": lambda: Path(here, "mine.txt").unlink(),
        "connect": connect,
        "knock": knock,
        "call": call,
        "split": split,
        "signal": lambda: os.kill(os.getppid(), 0),
    }
    found = {"secret": os.environ.get("ALC_TEST_SECRET", "unknown")}
    for name, attempt in attempts.items():
        try:
            attempt()
        except (OSError, subprocess.SubprocessError) as error:
            found[name] = type(error).__name__
        else:
            found[name] = "done"
    return found


def stay(source: bytes | str) -> None:
    """Answer oneself, twice, take what else is asked, and do not end."""
    pipes = [
        number for number in range(3, 64)
        if Path(f"/dev/fd/{number}").exists() and stat.S_ISFIFO(os.fstat(number).st_mode)
    ]  # fmt: skip
    for number in pipes:
        try:
            with os.fdopen(os.dup(number), "wb") as out:
                send_word(out, {VALUE: "forged"})
                send_word(out, {VALUE: "forged for the next"})
        except OSError:
            os.read(number, 2**16)
    time.sleep(60)


def say(source: bytes, *, times: int = 1) -> str:
    """Return what the file says, so many times."""
    return source.decode("ascii") * times


def hungry(source: bytes) -> int:
    """Take more memory than there is."""
    return len(bytearray(2**40))
