"""What was derived from tables and choices: made once for all that it depends on, by one rule."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

T = TypeVar("T")


class Memo:
    """The last value of each name, beside the key that it was made for.

    A key holds all that its value depends on, and no table: fingerprints and what was chosen. It is
    compared by value and must not change afterwards, so what a page may still change is copied.
    """

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[object, Any]] = {}

    def remember(self, name: Hashable, key: object, make: Callable[[], T]) -> T:
        """Return the value of a name, made anew where its key is not that of the last time."""
        if name not in self._kept or self._kept[name][0] != key:
            self._kept.pop(name, None)  # both would take memory while the new one is made
            self._kept[name] = (key, make())
        return cast(T, self._kept[name][1])

    def clear(self) -> None:
        """Let go of all values."""
        self._kept.clear()
