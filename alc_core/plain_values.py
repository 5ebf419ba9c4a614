"""Objects as plain JSON values, and back."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, TypeVar, get_args, get_origin

import msgspec
import numpy as np

from alc_core.errors import InputError

Kind = TypeVar("Kind")
Key = TypeVar("Key")
Value = TypeVar("Value")
MOST_CHARACTERS = 4_000  # Of a text that a person enters


def read_only(values: Mapping[Key, Value]) -> MappingProxyType[Key, Value]:
    """Return a read-only view that can be copied and pickled."""
    return MappingProxyType(values)


copyreg.pickle(MappingProxyType, lambda mapping: (read_only, (dict(mapping),)))


def to_plain(value: object) -> Any:
    """Return dataclasses as dictionaries, enums as values, arrays as lists.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Point:
    ...     x: float
    ...     names: tuple[str, ...]
    >>> to_plain(Point(1.0, ("a",)))
    {'x': 1.0, 'names': ('a',)}
    """
    return msgspec.to_builtins(value, enc_hook=_plain)


def plain_of(value: object, *names: str) -> dict[str, Any]:
    """Return an object's fields and properties as plain values.

    >>> plain_of(3 + 4j, "real", "imag")
    {'real': 3.0, 'imag': 4.0}
    """
    found = to_plain({name: getattr(value, name) for name in names})
    return {name: list(v) if isinstance(v, tuple) else v for name, v in found.items()}


def from_plain(data: object, kind: type[Kind]) -> Kind:
    """Build an object from :func:`to_plain`, or its JSON."""
    return msgspec.convert(data, kind, dec_hook=_array, str_keys=True)


def check_lengths(*texts: str) -> None:
    """Refuse texts that are too long for a report."""
    if (longest := max(map(len, texts))) > MOST_CHARACTERS:
        raise InputError(
            f"A text has {longest:,} characters instead of at most {MOST_CHARACTERS:,}."
        )


def check_day(text: str) -> None:
    """Refuse text that is not an ISO date or empty."""
    if not text:
        return
    try:
        date.fromisoformat(text)
    except ValueError:
        raise InputError(
            f"'{text}' is not a date. Enter year, month and day, such as 2025-12-31."
        ) from None


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, MappingProxyType):
        return dict(value)
    raise NotImplementedError(f"{type(value).__name__} has no plain form.")


def _array(kind: Any, data: object) -> object:
    if get_origin(kind) is not np.ndarray:
        raise NotImplementedError(f"{kind} cannot be built from plain values.")
    (item,) = get_args(get_args(kind)[1])
    return np.asarray(data, dtype=item)
