"""A session's files, the user's answers about them, and the releases that they form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from alc_core.assessment.result import TableSummary
from alc_core.dashboard.state.files import (
    LoadedFile,
    MadeReleases,
    ReleaseMode,
    ReleaseParts,
    SampleRelease,
    Slot,
    recognised_in,
)
from alc_core.dashboard.state.linked_files import LinkedFiles
from alc_core.dashboard.state.memo import Memo
from alc_core.dashboard.state.said import LabelledTable, Labels, OtherNames
from alc_core.errors import InputError
from alc_core.releases.release import Release
from alc_core.tables.checks.columns import likely_columns
from alc_core.tables.checks.shapes import LikelyColumn
from alc_core.tables.codes.encode import EncodedTable, encode
from alc_core.tables.labels.date_readings import with_date_readings, with_read_dates
from alc_core.tables.labels.language import PlainSets
from alc_core.tables.metadata import Metadata
from alc_core.tables.names import (
    Names,
    SameColumns,
    fitting,
    plain_names,
    with_names,
    with_same_columns,
)
from alc_core.tables.table import ColumnKind, Table


@dataclass(slots=True, kw_only=True)
class SessionTables:
    """The files of a session, with the user's answers about them."""

    # As read; releases' files may be several
    original: LoadedFile | None = None  # Of linked tables, one row for each person
    release: tuple[LoadedFile, ...] = ()
    linked: LinkedFiles | None = None  # Holds the files of both if the original has several tables
    holdout: LoadedFile | None = None
    metadata: Metadata | None = None  # Of SDV, about the original
    samples: tuple[SampleRelease, ...] = ()
    # The user's answers: one release or several (None: assumed), types of releases, kinds of
    # columns, labels
    release_mode: ReleaseMode | None = None
    release_kinds: dict[str, str] = field(default_factory=dict)
    # An opened campaign's release names, by fingerprints of tables
    called: dict[tuple[str, ...], str] = field(default_factory=dict)
    # Of columns and values by codes, and of releases by files
    names: Names = field(default_factory=Names)
    release_names: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, ColumnKind] = field(default_factory=dict)
    # By released table and column as in the file; replaced per table
    same_columns: dict[str, dict[str, str]] = field(default_factory=dict)
    # By column, in all tables
    date_readings: dict[str, str] = field(default_factory=dict)
    labels: Labels = field(default_factory=Labels)
    memo: Memo = field(default_factory=Memo)

    @property
    def ready(self) -> bool:
        """Whether there are an original and a release."""
        released = self.release or self.own_samples() or self._linked_releases
        return self.original is not None and bool(released)

    def files(self, slot: Slot) -> tuple[LoadedFile, ...]:
        """Return the files of a slot."""
        if slot != "holdout" and self.linked is not None:
            return self.linked.original if slot == "original" else self.linked.release
        if slot == "release":
            return self.release
        file = self.original if slot == "original" else self.holdout
        return () if file is None else (file,)

    def take_files(self, original: Sequence[LoadedFile], release: Sequence[LoadedFile]) -> None:
        """Set the files of the original and of the releases; several originals are linked."""
        if len(original) > 1:
            keys = () if self.linked is None else self.linked.keys
            self.link(LinkedFiles.of(original, release, keys, self.metadata))
        else:
            self.linked, self.release = None, tuple(release)
            self.original = next(iter(original), None)

    def link(self, linked: LinkedFiles) -> None:
        """Set linked tables."""
        self.linked, self.original, self.release = linked, linked.people, ()

    def name_tables(self) -> None:
        """Give tables the names in force."""

        def named(file: LoadedFile, name: str) -> LoadedFile:
            return replace(file, table=replace(with_names(file.read, own), name=name))

        own = Names() if self.original is None else self.names.of(self.original.read)
        (*alone,) = plain_names([f.read.name for f in (self.original, self.holdout) if f])
        if self.original is not None:
            original = named(self.original, alone[0])
            if self.metadata is not None and self.linked is None:
                original = replace(original, table=self.metadata.described(original.table))
            self.original = original
        if self.holdout is not None:
            self.holdout = named(self.holdout, alone[-1])
        files = [file.read.name for file in self.release]
        given = {file: self.release_names[file] for file in files if file in self.release_names}
        # A later file may have another's given name
        plain = (
            file if name in given.values() else name
            for file, name in zip(files, plain_names(files), strict=True)
        )
        self.release = tuple(
            named(file, given.get(file.read.name, name))
            for file, name in zip(self.release, plain, strict=True)
        )

    def original_table(self) -> Table:
        """Return the original with the chosen kinds and date readings."""
        if self.original is None:
            raise InputError("Upload an original on the Data page.")
        table, (_, kinds, readings) = self.original.table, self._original_key
        if not kinds and not readings:
            return table
        return self.memo.remember(
            "original",
            self._original_key,
            lambda: with_date_readings(table, readings).with_kinds(kinds),
        )

    def encoded(self, original: Table | None = None) -> EncodedTable:
        """Return the original, with any derived columns, encoded."""
        table = original or self.original_table()
        key = (self._original_key, tuple(table.derived))
        return self.memo.remember("encoded", key, lambda: encode(table, []).original)

    def released_files(self) -> dict[str, LoadedFile]:
        """Return released files, named apart from the original."""
        return {self._apart(file.table.name): file for file in self.release}

    def labelled_tables(self) -> dict[str, LabelledTable]:
        """Return released tables with matched columns and labels."""
        original = self.original_table()
        found: dict[str, LabelledTable] = {}
        for name, file in self.released_files().items():
            source, labels = self._with_columns(name, file), self.labels.get(name, {})
            found[name] = self.memo.remember(
                ("labels", name),
                (self._original_key, file.key, self.same_columns.get(name, {}), labels),
                partial(LabelledTable.of, original, source, name, labels),
            )
        return found

    def release_tables(self) -> tuple[Table, ...]:
        """Return all releases' tables, named apart from the original."""
        if self.original is None:
            return tuple(file.table for file in self.release)
        return tuple(each.table for each in self.labelled_tables().values())

    def other_names(self, release: str) -> OtherNames:
        """Return a release's columns not named like the original's."""
        original, files = self.original_table(), self.released_files()
        names = [table.name for table in self.made_releases().releases[release].tables]
        likely: list[LikelyColumn] = []
        in_force: dict[str, str] = {}
        for name in names:
            likely += self.memo.remember(
                ("likely columns", name),
                (self._original_key, files[name].key),
                partial(likely_columns, original, files[name].table),
            )
            in_force.update(self._with_columns(name, files[name]).same_columns)
        return OtherNames.of(original, [files[name].table for name in names], likely, in_force)

    def told_sets(self) -> dict[str, tuple[PlainSets, ...]]:
        """Return the user's label meanings as campaigns keep them."""
        if self.original is None:
            return {}
        tables = self.labelled_tables()
        told = {
            name: tuple(tables[table.name].told for table in release.tables)
            for name, release in self.made_releases().releases.items()
        }
        return {name: sets for name, sets in told.items() if any(sets)}

    def made_releases(self) -> MadeReleases:
        """Return the files' releases, and what was recognized."""
        original = None if self.original is None else self.original_table()
        tables = self.release_tables()
        found = self.memo.remember(
            "recognised", self._tables_key, lambda: recognised_in(original, tables)
        )
        return self.memo.remember(
            "releases",
            (self._tables_key, self.release_mode, {**self.release_kinds}, {**self.called}),
            lambda: MadeReleases.of(
                original, tables, found, self.release_mode, self.release_kinds, self.called
            ),
        )

    def releases(self) -> dict[str, Release]:
        """Return releases by name, test releases last."""
        samples = {sample.release.name: sample.release for sample in self.own_samples()}
        return {**self._linked_releases, **self.made_releases().releases, **samples}

    def own_samples(self) -> tuple[SampleRelease, ...]:
        """Return test releases of the current original."""
        original = None if self.original is None else self.original.table.fingerprint
        return tuple(sample for sample in self.samples if sample.original == original)

    def add_sample(self, sample: SampleRelease) -> None:
        """Add a test release, replacing its namesake and other originals'."""
        self.remove_sample(sample.release.name)
        self.samples = (*self.own_samples(), sample)

    def remove_sample(self, name: str) -> None:
        """Let go of a test release."""
        self.samples = tuple(each for each in self.samples if each.release.name != name)

    # Keys of derived values: no tables ---------------

    @property
    def _original_key(self) -> tuple[object, dict[str, ColumnKind], dict[str, str]]:
        if self.original is None:
            return None, {}, {}
        columns = self.original.table.columns
        return (
            self.original.key,
            {c: kind for c, kind in self.kinds.items() if c in columns},
            {c: how for c, how in self.date_readings.items() if c in columns},
        )

    @property
    def _linked_releases(self) -> Mapping[str, Release]:
        linked = self.linked
        return {} if linked is None or linked.review is None else linked.review.releases

    @property
    def _tables_key(self) -> tuple[object, ...]:
        if self.original is None:
            return tuple(file.key for file in self.release)
        columns, labels = self.same_columns, self.labels
        files = self.released_files().items()
        return (self._original_key, *((n, f.key, columns.get(n), labels.get(n)) for n, f in files))

    @property
    def _releases_key(self) -> tuple[object, ...]:
        others = (
            (release.kind, release.name, *(table.fingerprint for table in release.tables))
            for release in (
                *self._linked_releases.values(),
                *(each.release for each in self.own_samples()),
            )
        )
        said = {**self.release_kinds}, {**self.called}
        return (self._tables_key, self.release_mode, *said, *others)

    def _release_of(self, table: str) -> ReleaseParts:
        parts = self.made_releases().parts
        return next(each for each in parts if table in {of.name for of in each.tables})

    def _apart(self, name: str) -> str:
        is_alike = self.original is not None and self.original.table.name == name
        return f"{name} (release)" if is_alike else name

    def _with_columns(self, name: str, file: LoadedFile) -> Table:
        """Return a released table with fitting answers about its columns."""
        original, said = self.original_table(), self.same_columns.get(name, {})

        def read() -> Table:
            table = with_same_columns(original, file.table, fitting(original, file.table, said))
            readings = self._original_key[2]
            return with_read_dates(original, with_date_readings(table, readings, original=original))

        return self.memo.remember(("columns", name), (self._original_key, file.key, said), read)


def table_prints(tables: Iterable[Table | TableSummary]) -> list[tuple[str, SameColumns]]:
    """Return fingerprints of a release's tables, to distinguish namesakes."""
    return [(table.fingerprint, table.same_columns) for table in tables]
