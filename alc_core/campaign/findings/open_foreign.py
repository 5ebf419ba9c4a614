"""Open a foreign campaign file after checking it completely."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from alc_core.attacks.registry import attack_type, plain_name
from alc_core.campaign.file.annotations import read_all
from alc_core.campaign.file.file_errors import CampaignFileError
from alc_core.campaign.file.seals import damage_words
from alc_core.campaign.file.store import CampaignStore
from alc_core.errors import TableReadError
from alc_core.measures.registry import measures
from alc_core.phrasing import quoted
from alc_core.releases.registry import release_types
from alc_core.tables.apart.read import Advice, read_apart

SQLITE_START = b"SQLite format 3\x00"  # First bytes of every campaign's file
_ASK = "Choose another file, or ask for a new copy."
_ADVICE = Advice(
    slow=f"It takes too long. {_ASK}",
    large=f"It needs too much memory. {_ASK}",
    broken=_ASK,
)


def open_foreign(data: bytes, path: Path, *, name: str, read_only: bool = False) -> CampaignStore:
    """Write a campaign file's bytes to our own place, check and open it.

    See :func:`examine_apart`.
    """
    if not data.startswith(SQLITE_START):
        raise CampaignFileError(_no_campaign(data, name))
    path.write_bytes(data)
    try:
        if _is_cut_off(data):
            raise CampaignFileError(f"'{path}' is incomplete. Copy or download it again.")
        examine_apart(path, name=name)
        store = CampaignStore.open(path, read_only=read_only)
        try:
            read_all(store)
        except BaseException:
            store.close()
            raise
    except (CampaignFileError, TableReadError) as error:
        raise CampaignFileError(str(error).replace(str(path), name)) from None
    return store


def examine_apart(path: Path, *, name: str) -> None:
    """Check a campaign's file in a process with narrow limits on time and memory."""
    wanted = tuple[str, ...]
    read_apart(
        "alc_core.campaign.file.examine:examine", str(path), wanted, name=name, advice=_ADVICE
    )


def _is_cut_off(data: bytes) -> bool:
    page_size = int.from_bytes(data[16:18], "big")
    page_size = 65536 if page_size == 1 else page_size
    return len(data) < page_size * int.from_bytes(data[28:32], "big")


def _no_campaign(data: bytes, name: str) -> str:
    if not data:
        return f"'{name}' is empty. Choose a review file."
    return f"'{name}' is not a review file (.alc). Load tables on the Data page."


def missing_plugs(store: CampaignStore) -> dict[str, list[str]]:
    """Return the file's unregistered names by kind."""
    attacks = {plain_name(each.attack) for each in store.attacks if not attack_type(each.attack)}
    measured = {name for numbers in store.columns().measured for name in numbers}
    found = {
        "attack": attacks,
        "measure": measured - measures().keys(),
        "type of release": set(store.settings.release_kinds.values()) - release_types().keys(),
    }
    return {what: sorted(names) for what, names in found.items() if names}


def store_warnings(store: CampaignStore) -> Iterator[str]:
    """Yield warnings for the user who opens a file."""
    if store.damage:
        yield damage_words(store.damage)
    for what, names in missing_plugs(store).items():
        yield (f"Results of {what} {quoted(names)} are shown in part. Load it with --plugin.")
