"""Opening the file of a campaign for a command."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alc_core.cli.parts.printing import echo
from alc_core.errors import InputError
from alc_core.phrasing import count, numbered
from alc_core.runtime.files import check_file

if TYPE_CHECKING:
    from alc_core.campaign.file.store import CampaignStore
    from alc_core.campaign.model import CampaignSettings, PlannedAttack
    from alc_core.campaign.plan.planner import CampaignPlan
    from alc_core.campaign.plan.settings import PlanSettings
    from alc_core.releases.release import Release
    from alc_core.tables.names import Names
    from alc_core.tables.roles import Roles
    from alc_core.tables.table import Table


_SECONDS, _SECONDS_PER_MIB = 12.0, 4.0  # Of processor time


def open_campaign(file: Path | str) -> CampaignStore:
    """Open a campaign's file, and report damage and missing plug-ins.

    It is examined first, unless running here.
    """
    from alc_core.campaign.file.store import CampaignStore
    from alc_core.campaign.findings.open_foreign import examine_apart, store_warnings

    place = Path(file)
    check_file(place)
    if place.is_file() and not place.with_name(f"{place.name}-wal").exists():
        examine_apart(place, name=str(file))
    store = CampaignStore.open(file)
    for warning in store_warnings(store):
        echo(warning, err=True)
    return store


@contextmanager
def within_seconds(store: CampaignStore) -> Iterator[None]:
    """End what takes four times the processor time of an honest file of that size."""
    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return
    most = _SECONDS + _SECONDS_PER_MIB * store.path.stat().st_size / 2**20

    def end(*_: object) -> None:
        raise InputError(f"'{store.path}' takes more than {most:.0f} s. Ask for a new copy.")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, most)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def as_attacked(store: CampaignStore, original: Table) -> Table:
    """Return the original with the campaign's kinds."""
    from alc_core.campaign.file.annotations import kept_names
    from alc_core.errors import CampaignMismatchError
    from alc_core.tables.labels.date_readings import with_date_readings
    from alc_core.tables.names import with_names

    settings = store.settings
    if original.fingerprint != settings.original.fingerprint:
        raise CampaignMismatchError(
            f"'{original.name}' is not the original of '{store.path}', which is "
            f"'{settings.original.name}' with other content. Pass that."
        )
    if not (original.codes or original.value_codes):
        original = with_names(original, kept_names(store))
    original = with_date_readings(original, settings.original.date_readings)
    return original.with_kinds(settings.kinds)


def named_alike(original: Table, release: Release, names: Names) -> Release:
    """Return a release with names for codes, unless it has some."""
    from alc_core.releases.registry import with_tables
    from alc_core.tables.names import with_names

    if not names or any(table.codes or table.value_codes for table in release.tables):
        return release
    return with_tables(original, release, [with_names(each, names) for each in release.tables])


def names_in(settings: CampaignSettings, release: Release) -> list[str]:
    """Return a campaign's names of these tables."""
    given = [table.fingerprint for table in release.tables]
    return [
        name
        for name, tables in settings.releases.items()
        if [table.fingerprint for table in tables] == given
    ]


def taken_as_in(settings: CampaignSettings, original: Table, release: Release) -> Release:
    """Return a campaign's release, with name, columns and labels as there."""
    from alc_core.releases.registry import with_kept_columns, with_tables, with_told_sets
    from alc_core.tables.labels.date_readings import with_date_readings

    kept, name = settings.same_columns(release.name), release.name
    if len(release.tables) != len(kept):
        raise InputError(
            f"Release '{name}' has {numbered(len(release.tables), 'table')} here, but "
            f"{count(len(kept))} in the campaign. Pass the same, or --release 'NAME=FILE'."
        )
    release = with_kept_columns(original, release, kept)
    tables = [
        with_date_readings(table, then.date_readings, original=original)
        for table, then in zip(release.tables, settings.releases[name], strict=True)
    ]
    if any(new is not old for new, old in zip(tables, release.tables, strict=True)):
        release = with_tables(original, release, tables)
    return with_told_sets(original, release, settings.told_sets.get(release.name, ()))


_KINDS = (
    "continuous", "categorical", "datetime", "ignore", "day_first", "month_first", "dates",
)  # fmt: skip
_PEOPLE = ("person", "household")


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A campaign that another is to be like."""

    file: str
    settings: CampaignSettings  # Its kinds, parameters and seed
    attacks: tuple[PlannedAttack, ...]  # Its plan
    notes: tuple[str, ...]  # What was decided in planning it
    names: Names  # Of its columns and values
    roles: Roles  # Of its columns
    planned: PlanSettings | None  # What it was planned with

    def tables(
        self, original: Table, releases: Mapping[str, Release]
    ) -> tuple[Table, dict[str, Release]]:
        """Return tables with this campaign's kinds and release names.

        Columns and labels are as its user said.
        """
        from alc_core.tables.labels.date_readings import with_date_readings
        from alc_core.tables.names import with_names

        if not (original.codes or original.value_codes):
            original = with_names(original, self.names)
            releases = {
                of: named_alike(original, each, self.names) for of, each in releases.items()
            }
        original = with_date_readings(original, self.settings.original.date_readings)
        kinds = {
            column: kind
            for column, kind in self.settings.kinds.items()
            if column in original.columns and str(original.kind(column)) != kind
        }
        taken = self.settings.releases.keys() & releases.keys()
        named: dict[str, Release] = {}
        for name, release in releases.items():
            known = [name, *names_in(self.settings, release)][-1]
            # A chosen name stays, even if two releases are equal
            named[name if name in taken or known in releases else known] = release
        original = original.with_kinds(kinds) if kinds else original
        for name in named.keys() & self.settings.releases.keys():
            named[name] = taken_as_in(self.settings, original, named[name].renamed(name))
        return original, named

    def plan(self, releases: Mapping[str, Release]) -> CampaignPlan:
        """Return the plan."""
        from alc_core.campaign.plan.planner import CampaignPlan

        wanted = list(dict.fromkeys(attack.release for attack in self.attacks))
        if missing := [name for name in wanted if name not in releases]:
            raise InputError(
                f"'{self.file}' attacks release '{missing[0]}'. Add --release '{missing[0]}=FILE'."
            )
        return CampaignPlan(
            attacks=self.attacks, notes=self.notes, roles=self.roles, settings=self.planned
        )


def read_model(file: str) -> Model:
    """Read what another campaign is to be like."""
    from alc_core.campaign.file.annotations import kept_names, kept_roles, kept_settings

    with open_campaign(file) as store:
        return Model(
            file=file,
            settings=store.settings,
            attacks=store.attacks,
            notes=store.notes,
            names=kept_names(store),
            roles=kept_roles(store),
            planned=kept_settings(store),
        )


def refuse_plan_beside_like(options: Mapping[str, Any], *, is_planned: bool) -> None:
    """Refuse options on what is attacked, or how columns are treated."""
    others = [name for name in (*_KINDS, *_PEOPLE, "metadata") if options[name]]
    if is_planned or others or not options["down_sample"] or options["recall"] != "population":
        raise InputError("--like takes plan, targets, kinds and roles. Remove such options.")
