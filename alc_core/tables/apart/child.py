"""The sandboxed process that reads files.

On Linux a fork reads each file: modules are imported once and nothing of a file outlives it;
elsewhere the process ends after one. Requests come on stdin, as a length and JSON, then, once the
fork is confined, any bytes of a file. Answers go to stdout.

On Linux it can reach no other files, network or processes, by Landlock (kernel 5.13 or later) and a
seccomp filter, without privileges. Limits on time and memory hold anyway.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import faulthandler
import gc
import importlib
import os
import signal
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path, PurePath
from typing import Any, BinaryIO

import pandas as pd
import pyarrow as pa

from alc_core.errors import AlcError
from alc_core.tables.apart.wire import exactly, receive_word, send_answer, send_word
from alc_core.tables.read import load_formats

FORKS = sys.platform == "linux"  # Whether an idle process may be forked
# Before reading: what the process is kept from, its number, and a number to repeat
READY, PROCESS, TOKEN = "ready", "process", "token"
# Without an answer: the line to show, the limit, an exception
REFUSED, TABLES, TOGETHER = "refused", "tables", "together"
MEMORY, FAULT = "memory", "fault"
_GRACE = 10
BUSY = 4  # Seconds by the clock per second of processor time on a busy machine


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
                with _end_after():
                    answer(request, partial(_payload, request, requests), answers)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if status:
                os._exit(status if status > 0 else 128 - status)


def answer(request: dict[str, Any], data: Callable[[], bytes | None], out: BinaryIO) -> None:
    """Read a file within limits, confined, and send the result."""
    memory = limit_process(request["memory"], request["seconds"])
    try:
        if request["folder"] is not None:
            os.chdir(request["folder"])
        work = _job(request)
        send_word(out, {READY: shut_in(request["path"]), MEMORY: memory, PROCESS: os.getpid()})
        content = data()
        source = request["path"] if content is None else content
        send_answer(out, work(source, **request["options"]))
    except AlcError as error:
        tables = {each: getattr(error, each, ()) for each in (TABLES, TOGETHER)}
        send_word(out, {REFUSED: str(error), **tables})
    except MemoryError:
        send_word(out, {MEMORY: memory})
    except BaseException as error:  # noqa: BLE001 - a panic of compiled code is no Exception
        send_word(out, {FAULT: type(error).__name__, "place": _place(error)})


def answer_in_fork(request: dict[str, Any], data: bytes | None, answers: int) -> None:
    """Answer one request in a forked process, and end it."""
    with _end_after():
        _silence()
        # The file must not reach the command's open files
        os.closerange(3, answers)
        os.closerange(answers + 1, os.sysconf("SC_OPEN_MAX"))
        for name in os.environ.keys() - needed_environment().keys():
            del os.environ[name]
        with os.fdopen(answers, "wb") as out:
            answer(request, lambda: data, out)


def limit_process(memory: int, seconds: float) -> int:
    """Limit this process's memory and time, and allow no core file."""
    faulthandler.disable()
    if hasattr(signal, "alarm"):
        # The parent ends this process in time; without it, the alarm does
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.alarm(min(int(BUSY * seconds) + _GRACE, 2**31 - 1))
    try:
        import resource
    except ImportError:  # Windows
        return memory
    for kind in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE):
        resource.setrlimit(kind, (0, resource.getrlimit(kind)[1]))
    if sys.platform != "linux":
        return memory
    with contextlib.suppress(OSError):
        # If memory runs out, this process ends, not its parent
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    # Arrow's own allocator has reserved 1 GiB, which counts as taken
    pa.set_memory_pool(pa.system_memory_pool())
    # Data alone: threads reserve addresses that they hardly use
    for kind, field in ((resource.RLIMIT_AS, 0), (resource.RLIMIT_DATA, 5)):
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[field]
        taken = int(pages) * resource.getpagesize()
        of_all, hard = resource.getrlimit(kind)
        if of_all != resource.RLIM_INFINITY:
            memory = max(min(memory, of_all - taken), 0)
    resource.setrlimit(resource.RLIMIT_DATA, (taken + memory, hard))
    return memory


@contextlib.contextmanager
def _end_after() -> Iterator[None]:
    code = 1
    try:
        yield
        code = 0
    finally:
        os._exit(code)


def _job(request: dict[str, Any]) -> Callable[..., Any]:
    module, _, name = request["job"].partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found


def _payload(request: dict[str, Any], requests: BinaryIO) -> bytes | None:
    """Return the file; no other can be opened afterwards."""
    with requests:
        return None if request["path"] is not None else exactly(requests, int(request["size"]))


def _place(error: BaseException) -> str:
    """Return where an exception was raised, without its text, which may quote data."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


def _silence() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)


if __name__ == "__main__":
    main()


_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_NO_NEW_PRIVILEGES, _BENEATH = 38, 1
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_FILE_ACCESS = {1: 13, 2: 14, 3: 15, 4: 15}
_NEWEST_FILE_ACCESS = 16

# Libraries, time zones, processors and limits
_SYSTEM = (
    "/usr", "/lib", "/lib64", "/sys/devices/system", "/sys/fs/cgroup", "/proc/self/cgroup",
    "/dev/null", "/dev/urandom",
)  # fmt: skip
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_NOT_EQUAL, _EQUAL, _MASKED_EQUAL = 1, 4, 7
_THREAD, _TYPE_IN_TERMINAL = 0x10000, 0x5412
_NETWORK = ("socket", "socketpair", "connect", "bind", "io_uring_setup")
_PROCESSES = (
    "execve", "execveat", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev",
    "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "setsid", "setpgid", "chmod", "fchmod",
    "fchmodat", "chown", "fchown", "fchownat", "lchown",
)  # fmt: skip
_SIGNALS = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("access", ctypes.c_uint64), ("place", ctypes.c_int32)]


class _Compare(ctypes.Structure):
    _fields_ = [
        ("argument", ctypes.c_uint),
        ("how", ctypes.c_int),
        ("one", ctypes.c_uint64),
        ("other", ctypes.c_uint64),
    ]


def paths_of(path: str | list[str] | None) -> list[str]:
    """Return the files of a request."""
    return [path] if isinstance(path, str) else path or []


def shut_in(path: str | list[str] | None) -> tuple[str, ...]:
    """Confine this process for good; return what holds.

    From other files, sockets and processes.
    """
    if sys.platform != "linux":
        return ()
    system = ctypes.CDLL(None)
    if system.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return ()
    files = _restrict_files(system, [*_places(), *paths_of(path)])
    calls = _restrict_calls()
    holds = {"files": files, "network": calls, "processes": calls}
    return tuple(name for name, is_kept in holds.items() if is_kept)


def landlock_version() -> int:
    """Return the kernel's Landlock version; less than 1 without."""
    return int(ctypes.CDLL(None).syscall(_CREATE_RULESET, None, 0, 1))


def needed_environment() -> dict[str, str]:
    """Return the environment of a reading process."""
    names = {"PATH", "LANG", "TZ", "LD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP"}
    starts = ("LC_", "PYTHON", "OMP_", "NUMBA_")
    kept = os.environ.items()
    needed = {name: value for name, value in kept if name in names or name.startswith(starts)}
    # Arrow's own pool reserves a GiB at first
    return {**needed, "ARROW_DEFAULT_MEMORY_POOL": "system"}


def _places() -> Iterator[str]:
    """Yield folders that late imports read, never the working folder."""
    yield from _SYSTEM
    yield from map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib"))
    yield str(Path(pd.__file__).parents[1])
    yield str(Path(__file__).parents[2])


def _restrict_files(system: ctypes.CDLL, readable: Iterable[str]) -> bool:
    version = landlock_version()
    if version < 1:
        return False
    access = ctypes.c_uint64((1 << _FILE_ACCESS.get(version, _NEWEST_FILE_ACCESS)) - 1)
    ruleset = system.syscall(_CREATE_RULESET, ctypes.byref(access), ctypes.sizeof(access), 0)
    if ruleset < 0:
        return False
    try:
        for place in readable:
            with contextlib.suppress(OSError, ValueError):
                _allow(system, ruleset, place)
        return not system.syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(system: ctypes.CDLL, ruleset: int, place: str) -> None:
    opened = os.open(place, os.O_PATH | os.O_CLOEXEC)
    try:
        access = _READ_FILE | (_READ_FOLDER if Path(place).is_dir() else 0)
        rule = _PathBeneath(access=access, place=opened)
        system.syscall(_ADD_RULE, ruleset, _BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(opened)


def _restrict_calls() -> bool:
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        return False
    library.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(library.seccomp_init(_ALLOW))
    if not rules:
        return False

    def refuse(name: str, reason: int, *compare: _Compare) -> bool:
        number = library.seccomp_syscall_resolve_name(name.encode("ascii"))
        conditions = (_Compare * len(compare))(*compare)
        added = library.seccomp_rule_add_array(
            rules, ctypes.c_uint32(_REFUSE | reason), number, len(compare), conditions
        )
        return number != -1 and not added

    another = _Compare(argument=0, how=_NOT_EQUAL, one=os.getpid())
    typing = _Compare(argument=1, how=_EQUAL, one=_TYPE_IN_TERMINAL)
    no_thread = _Compare(argument=0, how=_MASKED_EQUAL, one=_THREAD, other=0)
    try:
        return all([
            *(refuse(name, errno.EPERM) for name in (*_NETWORK, *_PROCESSES)),
            *(refuse(name, errno.EPERM, another) for name in _SIGNALS),
            refuse("ioctl", errno.EPERM, typing),
            refuse("clone", errno.EPERM, no_thread),
            refuse("clone3", errno.ENOSYS),  # Its flags are in memory; callers fall back on clone
            not library.seccomp_load(rules),
        ])  # fmt: skip
    finally:
        library.seccomp_release(rules)
