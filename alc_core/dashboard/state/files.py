"""Uploaded files, why some are unreadable, and their releases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from alc_core.errors import InputError
from alc_core.linked.sets import alike
from alc_core.releases.registry import as_release, read_release, recognise
from alc_core.releases.release import USUAL_KIND, Recognised, Release
from alc_core.releases.series import Series
from alc_core.tables.table import Table

Slot = Literal["original", "release", "holdout"]


def campaign_file_stem(original: str, what: str) -> str:
    """Return a file name stem of original and content.

    Examples
    --------
    >>> campaign_file_stem("people 2024.csv", "findings")
    'alc-people-2024-csv-findings'
    """
    return re.sub(r"[^\w-]+", "-", f"alc {original} {what}").strip("-")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """How to read a file; None leaves it to the reader."""

    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    sheet: str | int | None = None
    header_row: str | None = None  # Such as "3" or "1-2"
    skip_rows: str | None = None  # Such as "2,-1", or "none"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoadedFile:
    """A table, and its file's bytes (none for demo data)."""

    table: Table  # With the names in force, see :meth:`AppState.name_tables`
    read: Table
    data: bytes | None = None
    options: ReadingOptions = ReadingOptions()

    @classmethod
    def of(
        cls, table: Table, data: bytes | None = None, options: ReadingOptions = ReadingOptions()
    ) -> LoadedFile:
        """Return a file as read."""
        return cls(table=table, read=table, data=data, options=options)

    @property
    def key(self) -> tuple[str, str, ReadingOptions]:
        """The identity of its table."""
        return self.table.name, self.table.fingerprint, self.options


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FailedFile:
    """An unreadable file, and why."""

    slot: Slot
    name: str
    data: bytes
    options: ReadingOptions
    message: str = ""
    tables: tuple[str, ...] = ()  # To choose from
    together: bool = False  # Whether these are one release


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampleRelease:
    """A test release, and its source."""

    release: Release
    unknown: str  # The column it protects
    original: str  # Fingerprint of the original


ReleaseMode = Literal["one", "several", "series"]

# Names such as synthetic_1_of_5.csv
_NUMBERED = re.compile(r"(.*?)(\d+)[ _-]*of[ _-]*(\d+)\)?(?:\.\w+)*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReleaseParts:
    """The files of one release, and its type."""

    name: str
    tables: tuple[Table, ...]
    kind: str  # Type in force
    recognised: Recognised | None = None  # If not rows
    problem: str = ""  # Why the chosen type is not in force


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MadeReleases:
    """The releases that files make."""

    parts: tuple[ReleaseParts, ...]
    releases: Mapping[str, Release]
    recognised: tuple[Recognised, ...]  # Tables that are not rows of people

    @classmethod
    def of(
        cls,
        original: Table | None,
        tables: Sequence[Table],
        found: tuple[Recognised, ...],
        mode: ReleaseMode | None,
        kinds: Mapping[str, str],
        called: Mapping[tuple[str, ...], str] | None = None,
    ) -> MadeReleases:
        """Make releases of chosen or recognized types.

        ``called`` has release names by fingerprints of tables.
        """
        chosen = mode or assumed_mode(tables, found)[0]
        parts = _called(release_parts(tables, chosen, found), called or {})
        made = [_made(original, each, kinds) for each in parts]
        return cls(
            parts=tuple(parts for parts, _ in made),
            releases={release.name: release for _, release in made},
            recognised=found,
        )


def recognised_in(original: Table | None, tables: Sequence[Table]) -> tuple[Recognised, ...]:
    """Return tables that are not rows; empty without an original."""
    return () if original is None else recognise(original, tables)


def assumed_mode(
    tables: Sequence[Table], found: Sequence[Recognised] = ()
) -> tuple[ReleaseMode, str]:
    """Say what released files likely are, and why."""
    if len(tables) < 2:
        return "one", ""
    if found:
        reason = " ".join(each.reason for each in found)
        return ("one" if len(list(_parts(tables, found))) == 1 else "several"), reason
    if not (pair := alike(tables)):
        return "one", "The files have different columns."
    reason = f"'{pair[0].name}' and '{pair[1].name}' have nearly the same columns."
    sets = _numbered_sets(tables)
    if not sets:
        return "several", reason
    named = " and ".join(f"“{name}”" for name in sets)
    together = f"The files of {named} have similar names."
    whole = len(sets) == 1 and len(next(iter(sets.values()))) == len(tables)
    return ("one", together) if whole else ("several", f"{reason} {together}")


def release_parts(
    tables: Sequence[Table], mode: ReleaseMode, found: Sequence[Recognised] = ()
) -> tuple[ReleaseParts, ...]:
    """Return each release's files."""
    if not tables:
        return ()
    if mode == "several":
        return tuple(_parts(tables, found))
    everything = tuple(range(len(tables)))
    kinds = {each.kind for each in found}
    whole = {number for each in found for number in each.tables} == set(everything)
    known = found[0] if len(kinds) == 1 and whole else None
    whole_release = _release(tables, everything, known)
    return (replace(whole_release, kind=Series.kind) if mode == "series" else whole_release,)


def _parts(tables: Sequence[Table], found: Sequence[Recognised]) -> Iterator[ReleaseParts]:
    """Yield the files of each of several releases.

    Pairs of groups, counts with different columns, and numbered files beside others stay together.
    """
    sets = _numbered_sets(tables)
    names = {number: name for name, numbers in sets.items() for number in numbers}
    if len(sets) == 1 and len(names) == len(tables):
        names = {}  # the user said: candidates
    together = _together(tables, found)
    of_table = {number: each for each in found for number in each.tables}
    done: set[int] = set()
    for number in range(len(tables)):
        if number in done:
            continue
        known = of_table.get(number)
        if known is None and number in names:
            done.update(sets[names[number]])
            yield replace(_release(tables, sets[names[number]], None), name=names[number])
            continue
        members = (number,) if known is None else known.tables
        if known is not None and (joined := together.get(known.kind)) and len(members) == 1:
            known, members = joined, joined.tables
        done.update(members)
        yield _release(tables, members, known)


def _together(tables: Sequence[Table], found: Sequence[Recognised]) -> dict[str, Recognised]:
    together = {}
    for kind in {each.kind for each in found}:
        alone = [each for each in found if each.kind == kind and len(each.tables) == 1]
        if len(alone) > 1 and not alike([tables[each.tables[0]] for each in alone]):
            together[kind] = Recognised(
                kind=kind,
                tables=tuple(each.tables[0] for each in alone),
                reason=" ".join(each.reason for each in alone),
            )
    return together


def _release(
    tables: Sequence[Table], members: Sequence[int], known: Recognised | None
) -> ReleaseParts:
    chosen = tuple(tables[number] for number in members)
    return ReleaseParts(
        name=" + ".join(table.name for table in chosen),
        tables=chosen,
        kind=USUAL_KIND if known is None else known.kind,
        recognised=known,
    )


def _called(
    parts: Sequence[ReleaseParts], called: Mapping[tuple[str, ...], str]
) -> Iterator[ReleaseParts]:
    """Yield releases with known names, each once."""
    taken = {each.name for each in parts}
    for each in parts:
        name = called.get(tuple(table.fingerprint for table in each.tables), each.name)
        yield each if name in taken else replace(each, name=name)
        taken.add(name)


def _made(
    original: Table | None, parts: ReleaseParts, kinds: Mapping[str, str]
) -> tuple[ReleaseParts, Release]:
    if original is not None:
        kind = kinds.get(parts.name, parts.kind)
        try:
            release = read_release(parts.tables, name=parts.name, original=original, kind=kind)
            return replace(parts, kind=release.kind), release
        except InputError as error:
            parts = replace(parts, problem=str(error))
    rows = as_release(parts.tables).renamed(parts.name)
    return replace(parts, kind=rows.kind), rows


def _numbered_sets(tables: Sequence[Table]) -> dict[str, tuple[int, ...]]:
    found: dict[tuple[str, int], dict[int, int]] = {}
    for place, table in enumerate(tables):
        if match := _NUMBERED.match(table.name):
            stem, number, last = match.group(1), int(match.group(2)), int(match.group(3))
            found.setdefault((stem, last), {})[number] = place
    return {
        f"{stem.strip(' _-.(') or 'parts'} (1 to {last})": tuple(
            places[number] for number in sorted(places)
        )
        for (stem, last), places in found.items()
        if last > 1
        and sorted(places) == list(range(1, last + 1))
        and len({frozenset(tables[place].columns) for place in places.values()}) == 1
    }
