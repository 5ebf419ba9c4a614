"""``alc campaign --like FILE``: the same campaign once more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from alc_core.cli.parts.campaign_file import open_campaign
from alc_core.errors import InputError

if TYPE_CHECKING:
    from alc_core.campaign.model import CampaignSettings, PlannedAttack
    from alc_core.campaign.plan.planner import CampaignPlan
    from alc_core.releases.release import Release
    from alc_core.scoring.parameters import ScoringParameters
    from alc_core.tables.roles.roles import Roles
    from alc_core.tables.table import Table

_KINDS = ("continuous", "categorical", "datetime", "ignore")
_PEOPLE = ("person", "household")


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """The campaign that another one is to be like."""

    file: str
    settings: CampaignSettings  # Its kinds, parameters and seed
    attacks: tuple[PlannedAttack, ...]  # Its plan
    notes: tuple[str, ...]  # What was decided in planning it
    roles: Roles  # Of its columns

    def tables(
        self, original: Table, releases: Mapping[str, Release]
    ) -> tuple[Table, dict[str, Release]]:
        """Return the tables with this campaign's kinds, and its names for the same releases.

        Their columns are those of the original, and their labels stand, as its user said.
        """
        from alc_core.releases.labels import with_told_sets
        from alc_core.releases.same_columns import with_kept_columns

        kinds = {
            column: kind
            for column, kind in self.settings.kinds.items()
            if column in original.columns and str(original.kind(column)) != kind
        }
        names = {
            tuple(table.fingerprint for table in tables): name
            for name, tables in self.settings.releases.items()
        }
        taken = self.settings.releases.keys() & releases.keys()
        named: dict[str, Release] = {}
        for name, release in releases.items():
            known = names.get(tuple(table.fingerprint for table in release.tables), name)
            # A name that was given on purpose stays, even if two releases are equal.
            named[name if name in taken or known in releases else known] = release
        original = original.with_kinds(kinds) if kinds else original
        for name in named.keys() & self.settings.releases.keys():
            same, told = self.settings.same_columns(name), self.settings.told_sets.get(name, ())
            named[name] = with_kept_columns(original, named[name], same)
            named[name] = with_told_sets(original, named[name], told)
        return original, named

    def plan(self, releases: Mapping[str, Release]) -> CampaignPlan:
        """Return the plan."""
        from alc_core.campaign.plan.planner import CampaignPlan

        wanted = list(dict.fromkeys(attack.release for attack in self.attacks))
        if missing := [name for name in wanted if name not in releases]:
            raise InputError(
                f"The campaign in '{self.file}' attacks the release '{missing[0]}', but it "
                f"is missing here. Add --release '{missing[0]}=FILE'."
            )
        return CampaignPlan(attacks=self.attacks, notes=self.notes, roles=self.roles)

    def scoring(self, changes: Mapping[str, Any]) -> ScoringParameters:
        """Return the parameters, with those changed that were given."""
        return replace(self.settings.scoring, **changes)


def read_model(file: str) -> Model:
    """Read what another campaign is to be like."""
    from alc_core.campaign.file.annotations import kept_roles

    with open_campaign(file) as store:
        return Model(
            file=file,
            settings=store.settings,
            attacks=store.attacks,
            notes=store.notes,
            roles=kept_roles(store),
        )


def refuse_plan_beside_like(options: Mapping[str, Any], *, is_planned: bool) -> None:
    """Refuse options that say what is attacked, or how columns are taken."""
    others = [name for name in (*_KINDS, *_PEOPLE) if options[name]]
    if is_planned or others or not options["down_sample"]:
        raise InputError(
            "--like takes the plan, the targets, kinds and roles of columns from the file. "
            "Remove the options that set these, or remove --like."
        )
