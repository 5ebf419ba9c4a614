"""A job for the process that reads files, which tries what none should do."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

from alc_core.tables.apart import isolation


def look(source: bytes | str, *, here: str, port: int) -> dict[str, str]:
    """Try to read, write, call and ask; return what came of each, in a word."""

    def connect() -> object:
        return socket.create_connection(("127.0.0.1", port), timeout=1).close()

    def call() -> object:
        return subprocess.run(["/bin/true"], check=True)

    attempts = {
        "read": lambda: Path("/etc/passwd").read_text(),
        "beside": lambda: Path(here, "other.txt").read_text(),
        "own": lambda: Path(here, "mine.txt").read_text(),
        "write": lambda: Path(here, "new.txt").write_text("new"),
        "change": lambda: Path(here, "mine.txt").write_text("new"),
        "remove": lambda: Path(here, "mine.txt").unlink(),
        "connect": connect,
        "call": call,
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


def shut_in_elsewhere() -> set[str]:
    """What this system lets be taken from a process, asked of one that ends."""
    if sys.platform != "linux":
        return set()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, " ".join(isolation.shut_in(None)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as said:
        found = set(said.read().split())
    os.waitpid(child, 0)
    return found
