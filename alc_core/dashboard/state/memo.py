"""Derived values, remembered by what they were made for."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

T = TypeVar("T")


class Memo:
    """The last value of each name, with the key it was made for.

    Keys are compared by value: copy what a page may change.
    """

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[object, Any]] = {}

    def remember(self, name: Hashable, key: object, make: Callable[[], T]) -> T:
        """Return a name's value, made anew if its key changed."""
        if name not in self._kept or self._kept[name][0] != key:
            self._kept.pop(name, None)  # Saves memory while the new one is made
            self._kept[name] = (key, make())
        return cast(T, self._kept[name][1])

    def last(self, name: Hashable) -> Any:
        """Return a name's last value, if any."""
        return self._kept.get(name, (None, None))[1]

    def clear(self) -> None:
        """Forget all values."""
        self._kept.clear()
