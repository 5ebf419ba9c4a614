"""The process that reads: answers one request after another, each within its limits.

On Linux every file is read in a fork of this process, so that modules are imported once and nothing
of a file outlives it; elsewhere the process reads one file and ends. Requests come on stdin, a
length and JSON; once the fork is shut in and says so, the bytes of the file follow where it has no
path; answers go to stdout. A fork can neither read the request after its own nor answer it.
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
from functools import partial
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from alc_core.errors import AlcError
from alc_core.tables.apart.isolation import needed_environment, shut_in
from alc_core.tables.apart.wire import exactly, receive_word, send_answer, send_word
from alc_core.tables.read import load_formats

FORKS = sys.platform == "linux"
"""Whether a process may be forked while it does nothing else."""

READY, TOKEN = "ready", "token"
"""Words before a file is read, and after: what the process is kept from, and a number to repeat."""

REFUSED, MEMORY, FAULT = "refused", "memory", "fault"
"""Words where there is no answer: the line to show, the limit, an unforeseen exception."""

_GRACE = 10


def main() -> None:
    """Answer requests until there are none."""
    load_formats()
    gc.freeze()
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    answers = os.fdopen(os.dup(1), "wb")
    _silence()
    os.dup2(1, 0)
    with contextlib.suppress(EOFError):
        while True:
            request = receive_word(requests)
            if TOKEN in request:
                send_word(answers, request)
                continue
            if not FORKS:
                answer(request, partial(_payload, request, requests), answers)
                return
            _job(request)  # imported once, for all forks
            child = os.fork()
            if not child:
                _answer_and_end(request, requests, answers)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if status:
                os._exit(status if status > 0 else 128 - status)


def answer(request: dict[str, Any], data: Callable[[], bytes | None], out: BinaryIO) -> None:
    """Read a file within its limits, shut in, and send what came of it."""
    memory = limit_process(request["memory"], request["seconds"])
    try:
        if request["folder"] is not None:
            os.chdir(request["folder"])
        work = _job(request)
        send_word(out, {READY: shut_in(request["path"]), MEMORY: memory})
        content = data()
        source = request["path"] if content is None else content
        send_answer(out, work(source, **request["options"]))
    except AlcError as error:
        send_word(out, {REFUSED: str(error)})
    except MemoryError:
        send_word(out, {MEMORY: memory})
    except BaseException as error:  # noqa: BLE001 - a panic of compiled code is no Exception
        send_word(out, {FAULT: type(error).__name__, "place": _place(error)})


def answer_in_fork(request: dict[str, Any], data: bytes | None, answers: int) -> None:
    """Answer one request in a process that was forked for it, and end the process."""
    code = 1
    try:
        _silence()
        # What the command has open and knows is none of the file's business.
        os.closerange(3, answers)
        os.closerange(answers + 1, os.sysconf("SC_OPEN_MAX"))
        for name in os.environ.keys() - needed_environment().keys():
            del os.environ[name]
        with os.fdopen(answers, "wb") as out:
            answer(request, lambda: data, out)
        code = 0
    finally:
        os._exit(code)


def limit_process(memory: int, seconds: float) -> int:
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
        return memory
    for kind in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE):
        resource.setrlimit(kind, (0, resource.getrlimit(kind)[1]))
    if sys.platform != "linux":
        return memory
    with contextlib.suppress(OSError):
        # Where the machine runs out of memory, this process goes rather than its parent.
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    taken = int(pages) * resource.getpagesize()
    of_all, hard = resource.getrlimit(resource.RLIMIT_AS)
    if of_all != resource.RLIM_INFINITY:
        memory = max(min(memory, of_all - taken), 0)
    resource.setrlimit(resource.RLIMIT_AS, (taken + memory, hard))
    return memory


def _answer_and_end(request: dict[str, Any], requests: BinaryIO, answers: BinaryIO) -> None:
    code = 1
    try:
        answer(request, partial(_payload, request, requests), answers)
        code = 0
    finally:
        os._exit(code)


def _job(request: dict[str, Any]) -> Callable[..., Any]:
    module, _, name = request["job"].partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found


def _payload(request: dict[str, Any], requests: BinaryIO) -> bytes | None:
    """Return the file where it has no path; no other can be had by this process then."""
    with requests:
        return None if request["path"] is not None else exactly(requests, int(request["size"]))


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


if __name__ == "__main__":
    main()
