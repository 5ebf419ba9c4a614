"""The process that reads: answers one request after another, each within its limits.

On Linux every file is read in a fork of this process, so that modules are imported once and nothing
of a file outlives it; elsewhere the process reads one file and ends. Requests come on stdin, a
length and JSON, then the bytes of the file where it has no path; answers go to stdout.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import importlib
import os
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import PurePath
from typing import Any, BinaryIO

from alc_core.errors import AlcError
from alc_core.tables.apart.isolation import shut_in
from alc_core.tables.apart.wire import receive_word, send_table, send_word
from alc_core.tables.read import load_formats
from alc_core.tables.table import Table

FORKS = sys.platform == "linux"
"""Whether a process may be forked while it does nothing else."""

VALUE, REFUSED, MEMORY, FAULT = "value", "refused", "memory", "fault"
"""Words of an answer without a table: plain values, the line to show, the limit, an unforeseen
exception."""

_GRACE = 10


def main() -> None:
    """Answer requests until there are none."""
    load_formats()
    gc.freeze()
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    answers = os.fdopen(os.dup(1), "wb")
    _silence()
    with contextlib.suppress(EOFError):
        while True:
            request = receive_word(requests)
            if not FORKS:
                answer(request, _payload(request, requests), answers)
                return
            _job(request)  # imported once, for all forks
            child = os.fork()
            if not child:
                _answer_and_end(request, requests, answers)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if status:
                os._exit(status if status > 0 else 128 - status)


def answer(request: dict[str, Any], data: bytes | None, out: BinaryIO) -> None:
    """Read a file within its limits and send what came of it.

    Parameters
    ----------
    request : dict
        "job" as "module:function", "path" or "size", "folder" that a path starts from, "options" of
        the job, "seconds", "memory".
    data : bytes or None
        The file, where it has no path.
    out : binary file
        Gets the table, or one word that says why there is none.
    """
    limit_process(request["memory"], request["seconds"])
    source = request["path"] if data is None else data
    try:
        if request["folder"] is not None:
            os.chdir(request["folder"])
        work = _job(request)
        shut_in(request["path"])
        found = work(source, **request["options"])
        if isinstance(found, Table):
            send_table(out, found)
        else:
            send_word(out, {VALUE: found})
    except AlcError as error:
        send_word(out, {REFUSED: str(error)})
    except MemoryError:
        send_word(out, {MEMORY: True})
    except BaseException as error:  # noqa: BLE001 - a panic of compiled code is no Exception
        send_word(out, {FAULT: type(error).__name__, "place": _place(error)})


def answer_in_fork(request: dict[str, Any], data: bytes | None, answers: int) -> None:
    """Answer one request in a process that was forked for it, and end the process."""
    code = 1
    try:
        _silence()
        with os.fdopen(answers, "wb") as out:
            answer(request, data, out)
        code = 0
    finally:
        os._exit(code)


def limit_process(memory: int, seconds: float) -> None:
    """Keep this process from taking more, from living longer and from leaving a core file."""
    faulthandler.disable()
    if hasattr(signal, "alarm"):
        # The parent ends this process in time; the alarm does where the parent is gone.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.alarm(min(int(seconds) + _GRACE, 2**31 - 1))
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError):
        # Where the machine runs out of memory, this process goes rather than its parent.
        _write("/proc/self/oom_score_adj", "1000")
    pages = int(_read_text("/proc/self/statm").split()[0])
    wanted = pages * resource.getpagesize() + memory
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    within = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (within, hard))


def _answer_and_end(request: dict[str, Any], requests: BinaryIO, answers: BinaryIO) -> None:
    code = 1
    try:
        answer(request, _payload(request, requests), answers)
        code = 0
    finally:
        os._exit(code)


def _job(request: dict[str, Any]) -> Callable[..., Any]:
    module, _, name = request["job"].partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found


def _payload(request: dict[str, Any], requests: BinaryIO) -> bytes | None:
    if request["path"] is not None:
        return None
    data, size = bytearray(), int(request["size"])
    while len(data) < size:
        more = requests.read(size - len(data))
        if not more:
            raise EOFError
        data += more
    return bytes(data)


def _place(error: BaseException) -> str:
    """Return where an exception was raised; its text may quote a value and stays here."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


def _silence() -> None:
    """Send what compiled code prints to nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:  # noqa: PTH123
        file.write(text)


def _read_text(path: str) -> str:
    with open(path, encoding="ascii") as file:  # noqa: PTH123
        return file.read()


if __name__ == "__main__":
    main()
