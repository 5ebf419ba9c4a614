"""What can be opened as a file: opening or reading anything else may never end."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from alc_core.errors import InputError

_KINDS = (
    (stat.S_ISFIFO, "pipe"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "device"),
    (stat.S_ISBLK, "device"),
    (stat.S_ISDIR, "directory"),
)
_KERNEL = (("/", "proc"), ("/", "sys"))


def check_file(path: str | os.PathLike[str], *, error: type[InputError] = InputError) -> None:
    """Refuse a path that exists but is not a file on a disk, without opening it.

    Examples
    --------
    >>> check_file("/dev/zero")
    Traceback (most recent call last):
    alc_core.errors.InputError: '/dev/zero' is not a file but a device.
    """
    try:
        mode = Path(path).stat().st_mode
        real = Path(path).resolve()
    except (OSError, ValueError):
        return  # whoever opens it says why that fails
    what = next((name for test, name in _KINDS if test(mode)), "")
    if not what and real.parts[:2] in _KERNEL:
        what = "view of the kernel"
    if what:
        shown = os.fspath(path)
        raise error(f"'{shown}' is not a file but a {what}.")
