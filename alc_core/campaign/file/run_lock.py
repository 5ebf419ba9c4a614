"""One run of a campaign at a time, across threads and processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from alc_core.campaign.file.file_errors import CampaignFileError, file_errors, refuse_missing_folder

_WAIT_SECONDS = 0.1  # Whoever starts just as another run ends gets the lock


@contextmanager
def run_lock(path: Path | str) -> Iterator[None]:
    """Keep every other thread and process from running the same campaign.

    The operating system lets go of the lock when the process ends, however it ends.
    """
    file = Path(path).resolve()
    mark = file.with_name(f"{file.name}-run")
    lock = FileLock(mark, mode=0o600)
    with file_errors(mark):
        refuse_missing_folder(file)
        try:
            _acquire(lock, mark)
        except Timeout:
            raise CampaignFileError(
                f"The campaign in '{path}' is being run by another process or in another window. "
                "Wait until it is done, or stop it there."
            ) from None
    try:
        yield
    finally:
        with suppress(OSError):
            mark.unlink()  # still locked: whoever opened it meanwhile sees that it is gone
        lock.release()


def _acquire(lock: FileLock, mark: Path) -> None:
    """Take the lock, or raise why its file cannot be made."""
    try:
        lock.acquire(timeout=_WAIT_SECONDS, poll_interval=_WAIT_SECONDS / 5)
    except Timeout:
        if mark.exists():
            raise
        # filelock waits where a folder that exists refuses a new file with ENOENT, as /proc does
        with suppress(FileExistsError):
            mark.touch(mode=0o600, exist_ok=False)
        lock.acquire(timeout=_WAIT_SECONDS, poll_interval=_WAIT_SECONDS / 5)
