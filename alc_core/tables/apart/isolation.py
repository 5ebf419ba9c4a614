"""What a process that reads a stranger's file may no longer do: reach network, files, programs.

Linux alone, by Landlock (5.13 or later) and a network namespace of its own; where the system has or
allows neither, the limits on time and memory are all there is.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterable
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_NO_NEW_PRIVILEGES, _BENEATH = 38, 1
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_FILE_ACCESS = {1: 13, 2: 14, 3: 15, 4: 15}
_NEWEST_FILE_ACCESS = 16
_CONNECT_AND_BIND, _SIGNALS_AND_SOCKETS = 0b11, 0b11
_WITH_NETWORK, _WITH_SCOPES = 4, 6

_SYSTEM = ("/usr", "/lib", "/lib64", "/proc/self", "/sys/devices", "/dev/null", "/dev/urandom")
"""What programs read besides their own files: libraries, time zones, the number of processors."""


class _Ruleset(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("files", "network", "scopes")]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("access", ctypes.c_uint64), ("place", ctypes.c_int32)]


def shut_in(path: str | None) -> tuple[str, ...]:
    """Take from this process, for good, what reading one file does not need.

    Parameters
    ----------
    path : str or None
        The file, where it is not there as bytes.

    Returns
    -------
    tuple of str
        What holds: "files" (no other file is read, none is written, no program is started) and
        "network".
    """
    if sys.platform != "linux":
        return ()
    system = ctypes.CDLL(None, use_errno=True)
    if system.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return ()
    # Before Landlock: whoever may make a namespace only as a user of its own has to write nothing.
    network = not system.unshare(_NEW_NETWORK) or not system.unshare(_NEW_USER | _NEW_NETWORK)
    places = {*_SYSTEM, sys.prefix, sys.base_prefix, *filter(None, sys.path)}
    files = _restrict(system, [*places, path] if path is not None else places)
    return tuple(name for name, holds in (("files", files), ("network", network)) if holds)


def needed_environment() -> dict[str, str]:
    """Return what of this process's environment one that reads a file gets to see."""
    names = {"PATH", "LANG", "TZ", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP"}
    starts = ("LC_", "PYTHON", "ALC_READ_", "OMP_", "NUMBA_")
    kept = os.environ.items()
    return {name: value for name, value in kept if name in names or name.startswith(starts)}


def _restrict(system: ctypes.CDLL, readable: Iterable[str]) -> bool:
    """Let this process read these files and what is in these folders, and touch nothing else."""
    version = system.syscall(_CREATE_RULESET, None, 0, 1)
    if version < 1:
        return False
    rules = _Ruleset(
        files=(1 << _FILE_ACCESS.get(version, _NEWEST_FILE_ACCESS)) - 1,
        network=_CONNECT_AND_BIND if version >= _WITH_NETWORK else 0,
        scopes=_SIGNALS_AND_SOCKETS if version >= _WITH_SCOPES else 0,
    )
    size = 8 if version < _WITH_NETWORK else 16 if version < _WITH_SCOPES else 24
    ruleset = system.syscall(_CREATE_RULESET, ctypes.byref(rules), size, 0)
    if ruleset < 0:
        return False
    try:
        for place in readable:
            with contextlib.suppress(OSError):
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
