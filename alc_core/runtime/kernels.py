"""Compiling kernels with numba, and mixing bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compile for threads; cached on disk if a folder is writable."""
    from numba import njit

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        try:
            return njit(cache=True, nogil=True, **options)(function)  # type: ignore[no-any-return]
        except RuntimeError:
            return njit(nogil=True, **options)(function)  # type: ignore[no-any-return]

    return decorate


def mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Apply the SplitMix64 generator's output function, a bijection.

    References
    ----------
    Steele, Lea and Flood (2014), Fast splittable pseudorandom number generators.
    """
    bits = bits + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
