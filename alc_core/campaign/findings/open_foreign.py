"""A campaign's file from elsewhere, read completely before it is trusted."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from alc_core.campaign.file.file_errors import (
    CampaignFileError,
    damaged,
    file_errors,
)
from alc_core.campaign.file.opening import connect
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.decisions import decisions

SQLITE_START = b"SQLite format 3\x00"
"""First bytes of every campaign's file."""


def open_foreign(data: bytes, path: Path, *, name: str) -> CampaignStore:
    """Write the bytes of a campaign's file to a place of our own, check all of it, and open it.

    Parameters
    ----------
    data : bytes
        As :func:`saved_campaign` returned them.
    path : Path
        Where they are to be.
    name : str
        What the user calls the file; messages use it.

    Returns
    -------
    CampaignStore
        Open; no page of it is damaged, and plan, curves, failures and decisions can be read.

    Raises
    ------
    CampaignFileError
        If it is not a campaign, damaged, incomplete or of a newer format. The message says which,
        and what to do.
    """
    if not data.startswith(SQLITE_START):
        raise CampaignFileError(_no_campaign(data, name))
    path.write_bytes(data)
    try:
        if _is_cut_off(data):
            raise CampaignFileError(
                f"'{path}' is incomplete: its end is missing. Copy or download it again."
            )
        with file_errors(path), closing(connect(path, options="mode=ro")) as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
                raise damaged(path, "a part of it")
        store = CampaignStore.open(path)
        try:
            _read(store)
        except BaseException:
            store.close()
            raise
    except CampaignFileError as error:
        raise CampaignFileError(str(error).replace(str(path), name)) from None
    return store


def _read(store: CampaignStore) -> None:
    _ = store.attacks
    store.curves()
    store.failures()
    decisions(store)


def _is_cut_off(data: bytes) -> bool:
    """Return whether a SQLite file has fewer bytes than its header says."""
    page_size = int.from_bytes(data[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    return len(data) < page_size * int.from_bytes(data[28:32], "big")


def _no_campaign(data: bytes, name: str) -> str:
    if not data:
        return f"'{name}' is empty. Choose a file that was saved by 'Save campaign file'."
    return (
        f"'{name}' is not a campaign file. Choose one that was saved by 'Save campaign file' or "
        "written by alc campaign; its name ends in .alc. Upload tables (CSV, Parquet, Excel and so "
        "on) on the Data page."
    )
