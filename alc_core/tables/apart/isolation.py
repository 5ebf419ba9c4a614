"""What a process that reads a stranger's file may no longer do: reach files, network, processes.

On Linux alone: Landlock (kernel 5.13 or later) for files, and a filter of system calls by
libseccomp for the rest. Neither needs a privilege, so that both hold in a container as well. Where
one is missing, the limits on time and memory remain.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd

KEPT_FROM = ("files", "network", "processes")
"""From what a process can be kept: all files but its own, all sockets, all other processes."""

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_NO_NEW_PRIVILEGES, _BENEATH = 38, 1
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_FILE_ACCESS = {1: 13, 2: 14, 3: 15, 4: 15}
_NEWEST_FILE_ACCESS = 16

_SYSTEM = ("/usr", "/lib", "/lib64", "/sys/devices/system", "/dev/null", "/dev/urandom")
"""What programs read besides their own files: libraries, time zones, the number of processors."""

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


def shut_in(path: str | None) -> tuple[str, ...]:
    """Take from this process, for good, what reading one file does not need; tell what holds."""
    if sys.platform != "linux":
        return ()
    system = ctypes.CDLL(None)
    if system.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return ()
    files = _restrict_files(system, [*_places(), *([] if path is None else [path])])
    calls = _restrict_calls()
    return tuple(
        name for name, holds in zip(KEPT_FROM, (files, calls, calls), strict=True) if holds
    )


def landlock_version() -> int:
    """Return the version of Landlock that the kernel has; less than 1 where it has none."""
    return int(ctypes.CDLL(None).syscall(_CREATE_RULESET, None, 0, 1))


def needed_environment() -> dict[str, str]:
    """Return what of this process's environment one that reads a file gets to see."""
    names = {"PATH", "LANG", "TZ", "LD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP"}
    starts = ("LC_", "PYTHON", "OMP_", "NUMBA_")
    kept = os.environ.items()
    return {name: value for name, value in kept if name in names or name.startswith(starts)}


def _places() -> Iterator[str]:
    """Yield what is read when a module is imported late: never the folder that a user works in."""
    yield from _SYSTEM
    yield from map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib"))
    yield str(Path(pd.__file__).parents[1])
    yield str(Path(__file__).parents[2])


def _restrict_files(system: ctypes.CDLL, readable: Iterable[str]) -> bool:
    """Let this process read these files and what is in these folders, and touch nothing else."""
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
    """Refuse this process all sockets, programs, forks, and signals to other processes."""
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
            refuse("clone3", errno.ENOSYS),  # its flags lie in memory; callers fall back on clone
            not library.seccomp_load(rules),
        ])  # fmt: skip
    finally:
        library.seccomp_release(rules)
