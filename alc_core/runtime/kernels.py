"""Compiling kernels with numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compile for threads, kept on disk where there is a place that can be written."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        try:
            return njit(cache=True, nogil=True, **options)(function)  # type: ignore[no-any-return]
        except RuntimeError:
            return njit(nogil=True, **options)(function)  # type: ignore[no-any-return]

    return decorate
