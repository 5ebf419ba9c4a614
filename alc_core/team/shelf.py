"""The shared folder: campaign files that a team reads and decides on.

Each file has an index: owner, results, and decisions by time. It names the file, so replacing the
index changes both at once. File names are our ids; writers hold the file's lock.
"""

from __future__ import annotations

import datetime as dt
import logging
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout

from alc_core.errors import InputError
from alc_core.runtime.files import check_file

logger = logging.getLogger(__name__)

_ID = re.compile(r"[0-9a-f]{32}")


class Decided(msgspec.Struct, frozen=True, kw_only=True):
    """A decision about a release or an attack; earlier ones stay."""

    about: str | int  # Release name or attack number
    choice: str | None = None  # None: withdrawn, or a note only
    words: tuple[str, ...] = ()
    who: str = ""
    at: str = ""  # ISO date and time in UTC


class Shelved(msgspec.Struct, frozen=True, kw_only=True):
    """List entry of a file."""

    id: str
    name: str  # Of the original
    owner: str
    team: str
    put: str  # ISO date and time in UTC
    until: str  # ISO date of removal
    standings: dict[str, str | None]  # By release, in campaign order
    state: str = ""  # In the name of the campaign file that belongs to this index
    history: tuple[Decided, ...] = ()

    @property
    def decided(self) -> dict[str | int, Decided]:
        """The decisions in force."""
        return {each.about: each for each in self.history}


class Held:
    """A file locked against others until :meth:`close`."""

    def __init__(self, shelf: Shelf, key: str) -> None:
        self.id, self._shelf = key, shelf
        self.seen: object = None  # Campaign state last kept
        # Another thread may release it
        self._lock = FileLock(shelf.path(key, "lock"), mode=0o600, thread_local=False)
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise InputError("Someone is deciding on this review. Try again later.") from None

    @property
    def entry(self) -> Shelved:
        """Its list entry."""
        return self._shelf.entry(self.id)

    def new(self, decisions: Iterable[Decided], who: str) -> tuple[Decided, ...]:
        """Return decisions that differ from those in force, dated now."""
        before, there = self.entry.decided, {each.about: each for each in decisions}
        return tuple(
            msgspec.structs.replace(
                there.get(about, Decided(about=about)),
                who=who, at=_now().isoformat(timespec="seconds"),
            )
            for about in dict.fromkeys([*there, *before])
            if _says(there.get(about)) != _says(before.get(about))
        )  # fmt: skip

    def keep(
        self, data: bytes, *, new: Iterable[Decided], standings: Mapping[str, str | None]
    ) -> None:
        """Replace the file by a later state, and append decisions."""
        entry = self.entry
        entry = msgspec.structs.replace(
            entry,
            standings=dict(standings), history=(*entry.history, *new), state=secrets.token_hex(4),
        )  # fmt: skip
        file = self._shelf.path(self.id, f"{entry.state}.alc")
        _write({file: data, self._shelf.path(self.id, "json"): msgspec.json.encode(entry)})
        for old in self._shelf.paths(self.id):
            if ".alc" in old.suffixes and old != file:
                old.unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove it from the shelf."""
        for path in self._shelf.paths(self.id):
            path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Release the lock."""
        self._lock.release()


class Shelf:
    """The private folder; files stay `days` days."""

    def __init__(self, folder: Path, *, days: int) -> None:
        self._folder, self.days = folder, days
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            with os.scandir(folder):
                pass
        except OSError as error:
            raise InputError(
                f"The team folder '{folder}' cannot be used: {error.strerror}. Create it, or "
                "change 'server.shelf'."
            ) from None

    def path(self, key: str, kind: str) -> Path:
        """Return the path of a file, its index or its lock."""
        if _ID.fullmatch(key) is None:
            raise InputError("This review is not in the team folder. Reload the list.")
        return self._folder / f"{key}.{kind}"

    def paths(self, key: str) -> Iterator[Path]:
        """Return all paths of a file."""
        return self._folder.glob(f"{key}.*")

    def entries(self) -> list[Shelved]:
        """Return entries, latest first, from indices."""
        found = [entry for entry in self._indices() if entry.standings]  # else being written
        return sorted(found, key=lambda entry: entry.put, reverse=True)

    def entry(self, key: str) -> Shelved:
        """Return a file's list entry."""
        try:
            return msgspec.json.decode(self._read(self.path(key, "json")), type=Shelved)
        except msgspec.DecodeError:
            logger.error("A team folder index is damaged: %s", key)
            raise InputError("This review is damaged in the team folder. Share it again.") from None

    def until(self) -> dt.date:
        """Return the day a file put there now is removed."""
        return _now().date() + dt.timedelta(days=self.days)

    def put(self, name: str, *, owner: str, team: str = "") -> Held:
        """Begin a file, listed once kept."""
        held = Held(self, secrets.token_hex(16))
        entry = Shelved(
            id=held.id, name=name, owner=owner, team=team.strip(), standings={},
            put=_now().isoformat(timespec="seconds"), until=self.until().isoformat(),
        )  # fmt: skip
        _write({self.path(held.id, "json"): msgspec.json.encode(entry)})
        return held

    def hold(self, key: str) -> Held:
        """Take an existing file, to change it."""
        self.entry(key)
        return Held(self, key)

    def overdue(self) -> dict[str, str]:
        """Return ids and names to be removed today.

        If an index is unreadable, by the file's modification time, without name.
        """
        now, found = _now(), {each.id: each for each in self._indices()}
        over = {k: each.name for k, each in found.items() if each.until <= now.date().isoformat()}
        written: dict[str, float] = {}
        for path in self._folder.iterdir():
            key = path.name.partition(".")[0]
            if key not in found and _ID.fullmatch(key):
                with suppress(FileNotFoundError):  # removed meanwhile
                    written[key] = max(written.get(key, 0.0), path.stat().st_mtime)
        long_ago = (now - dt.timedelta(days=self.days)).timestamp()
        return over | {key: "" for key, at in written.items() if at <= long_ago}

    def _indices(self) -> Iterator[Shelved]:
        for path in self._folder.glob("*.json"):
            with suppress(InputError):  # damaged, or removed meanwhile
                yield self.entry(path.stem)

    def read(self, key: str) -> bytes:
        """Return a campaign's file."""
        while True:
            state = self.entry(key).state
            try:
                return self._read(self.path(key, f"{state}.alc"))
            except InputError:
                if self.entry(key).state == state:  # No later one took its place meanwhile
                    raise

    def _read(self, path: Path) -> bytes:
        check_file(path)
        try:
            return path.read_bytes()
        except FileNotFoundError:
            raise InputError("This review is no longer in the team folder.") from None


def _write(files: Mapping[Path, bytes]) -> None:
    """Write files whole, on the disk on return, or leave all unchanged."""
    fresh = {path: path.with_suffix(f"{path.suffix}.new") for path in files}
    try:
        for path, new in fresh.items():
            place = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(place, "wb") as file:
                file.write(files[path])
                file.flush()
                os.fsync(file.fileno())
        for path, new in fresh.items():
            new.replace(path)
        folder = os.open(next(iter(files)).parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        for new in fresh.values():
            new.unlink(missing_ok=True)
        raise InputError(
            f"The team folder cannot be written ({error.strerror}). It is unchanged."
        ) from None


def _says(decided: Decided | None) -> tuple[str | None, tuple[str, ...]]:
    return (None, ()) if decided is None else (decided.choice, decided.words)


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
