"""How long a file may take to be read, and how much memory."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

from alc_core.errors import ParameterError

SECONDS_VARIABLE, MEMORY_VARIABLE = "ALC_READ_SECONDS", "ALC_READ_GIB"
"""Environment variables that set the limits of every table's file."""

_LEAST_SECONDS, _SECONDS_PER_MIB = 120.0, 10.0
_LEAST_BYTES, _BYTES_PER_BYTE, _SHARE_OF_MACHINE = 3 * 2**30, 200, 0.8
_NARROW_SECONDS, _NARROW_SECONDS_PER_MIB = 5.0, 2.0
_NARROW_BYTES, _NARROW_BYTES_PER_BYTE = 2**30, 20
_MIB, _GIB = 2**20, 2**30


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits:
    """Limits on the process that reads a file.

    Attributes
    ----------
    seconds : float or None
        Of time. By default what the environment variable ``ALC_READ_SECONDS`` says, or else two
        minutes and ten seconds more per MiB of the file.
    memory_bytes : int or None
        Of memory, beyond what the process takes before it reads; kept on Linux alone. By default
        what ``ALC_READ_GIB`` says, or else 3 GiB and 200 times the size of the file, but at most
        four fifths of the machine's memory.

    Raises
    ------
    ParameterError
        If a limit is not positive.

    Examples
    --------
    >>> ReadingLimits(seconds=30).seconds_for(2**20)
    30.0
    """

    seconds: float | None = None
    memory_bytes: int | None = None

    def __post_init__(self) -> None:
        for name, value in (("seconds", self.seconds), ("memory_bytes", self.memory_bytes)):
            if value is not None and not (value > 0 and math.isfinite(value)):
                raise ParameterError(f"{name} must be a positive number, but is {value!r}.")

    def seconds_for(self, size: int) -> float:
        """Return the limit on the time for a file of this many bytes."""
        if self.seconds is not None:
            return float(self.seconds)
        given = _from_environment(SECONDS_VARIABLE)
        return given or _LEAST_SECONDS + _SECONDS_PER_MIB * size / _MIB

    def memory_for(self, size: int) -> int:
        """Return the limit on the memory for a file of this many bytes."""
        if self.memory_bytes is not None:
            return int(self.memory_bytes)
        if given := _from_environment(MEMORY_VARIABLE):
            return int(given * _GIB)
        return int(min(_LEAST_BYTES + _BYTES_PER_BYTE * size, _SHARE_OF_MACHINE * _machine()))


def narrow_limits(size: int) -> ReadingLimits:
    """Return the limits for a file of this many bytes that is no table."""
    memory = min(_NARROW_BYTES + _NARROW_BYTES_PER_BYTE * size, _SHARE_OF_MACHINE * _machine())
    return ReadingLimits(
        seconds=_NARROW_SECONDS + _NARROW_SECONDS_PER_MIB * size / _MIB, memory_bytes=int(memory)
    )


def _from_environment(name: str) -> float | None:
    text = os.environ.get(name, "").strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (value > 0 and math.isfinite(value)):
        raise ParameterError(
            f"The environment variable {name} must be a positive number, but is {text!r}."
        )
    return value


def _machine() -> float:
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):  # Windows
        return math.inf
