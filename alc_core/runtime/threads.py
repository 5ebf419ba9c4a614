"""How many threads a computation may take; a campaign's processes take one each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_limit: ContextVar[int | None] = ContextVar("threads", default=None)


def available_threads() -> int:
    """Return the number of threads to take: one per processor, unless limited."""
    from joblib import cpu_count

    limit = _limit.get()
    return int(cpu_count()) if limit is None else limit


@contextmanager
def limit_threads(threads: int) -> Iterator[None]:
    """Let computations inside the context take at most so many threads.

    Parameters
    ----------
    threads : int
        At least 1.
    """
    before = _limit.set(threads)
    try:
        yield
    finally:
        _limit.reset(before)
