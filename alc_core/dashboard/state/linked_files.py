"""Files of linked tables, and what their keys make of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from alc_core.dashboard.state.files import LoadedFile
from alc_core.errors import InputError
from alc_core.linked.keys import Link, LinkedTables
from alc_core.linked.sets import check_linked, released_sets
from alc_core.releases.linked import LinkedReview, link_tables
from alc_core.tables.metadata import Metadata
from alc_core.tables.names import plain_names
from alc_core.tables.table import Table

ORIGINAL = "original"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinkedFiles:
    """Linked tables as uploaded."""

    original: tuple[LoadedFile, ...]
    release: tuple[LoadedFile, ...]
    keys: tuple[Link, ...]  # Chosen by the user
    metadata: Metadata | None  # Of the original
    sides: Mapping[str, Mapping[str, Table]]  # Tables by name, of the original and each release
    review: LinkedReview | None  # None if the original's tables cannot be joined
    problem: str = ""  # Why not, or why the releases' cannot

    @classmethod
    def of(
        cls, original: Sequence[LoadedFile], release: Sequence[LoadedFile],
        keys: Sequence[Link], metadata: Metadata | None,
    ) -> LinkedFiles:  # fmt: skip
        """Join the tables by the chosen keys, the metadata's, and others that are found."""
        original = [_named(f, n) for f, n in zip(original, _names(original), strict=True)]
        release = [_named(f, n) for f, n in zip(release, _names(release), strict=True)]
        own = {file.table.name: file.table for file in original}
        told = [*map(str, keys)]
        if metadata is not None:
            own, told = metadata.described_each(own), [*told, *metadata.keys]
        found = released_sets({file.read.name: file.table for file in release}, own)
        released = {f"{n} (release)" if n == ORIGINAL else n: each for n, each in found.items()}
        review, problem = None, ""
        for sides in (released, {}) if released else ({},):  # without releases that do not fit
            try:
                review = link_tables(own, sides, keys=told)
                break
            except InputError as error:
                problem = problem or str(error)
        return cls(
            original=tuple(original), release=tuple(release), keys=tuple(keys),
            metadata=metadata, sides={ORIGINAL: own, **released}, review=review, problem=problem,
        )  # fmt: skip

    @property
    def people(self) -> LoadedFile | None:
        """One row for each person of the original."""
        return None if self.review is None else LoadedFile.of(self.review.original)

    def joined(self, side: str) -> LinkedTables | None:
        """Return tables and keys of the original or a release; None if they cannot be joined."""
        found = () if self.review is None else self.review.sides
        return next((each for each in found if each.name == side), None)

    def with_key(self, key: Link, side: str) -> LinkedFiles:
        """Return the tables joined by another key of one side."""
        tables = self.sides[side]
        kept = [
            each for each in self.keys
            if each.child != key.child or each.column not in tables[each.child].columns
        ]  # fmt: skip
        return LinkedFiles.of(self.original, self.release, [*kept, key], self.metadata)


def are_joined(tables: Mapping[str, Table]) -> bool:
    """Return whether keys join tables."""
    try:
        check_linked(tables, name=ORIGINAL)
    except InputError:
        return False
    return True


def _names(files: Sequence[LoadedFile]) -> list[str]:
    return plain_names([file.read.name for file in files])


def _named(file: LoadedFile, name: str) -> LoadedFile:
    return replace(file, table=replace(file.read, name=name))
