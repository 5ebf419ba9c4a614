"""Attacking a changed release again, with the targets, seed and baseline of the campaign."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace

from alc_core.assessment.result import Assessment
from alc_core.assessment.run import Run, RunSettings
from alc_core.attacks.registry import make_attack
from alc_core.baselines.families import Family, default_families
from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.run.worker import EncodedCampaign
from alc_core.errors import CancelledError, InputError
from alc_core.releases.release import Release, attackable, with_data
from alc_core.remedies.applying import changed_release, tables_left
from alc_core.remedies.changes import Remedy, remedy_words
from alc_core.remedies.loss import UtilityScale
from alc_core.remedies.results import AttackAfter, ChangeDone, Reading, RemedyTrial
from alc_core.runtime.progress import Reporter
from alc_core.scoring.parameters import ScoringParameters
from alc_core.tables.codes.encode import EncodedData, EncodedTable, encode_releases
from alc_core.tables.table import Table

SCREENED = 3
"""Attacks that are always run again; the rest only where none of these is still flagged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedAttack:
    """A flagged attack of a campaign."""

    planned: PlannedAttack  # What it does
    run: Assessment  # Its result on the release as it is, as the run scored it


@dataclass(slots=True, kw_only=True, eq=False)
class Trials:
    """Tries changes of one release; targets and baselines are made once for all of them."""

    original: Table  # With the campaign's kinds
    release: Release  # As it is; it is not changed
    attacks: Sequence[FlaggedAttack]  # In the order in which they are run again
    scoring: ScoringParameters  # By which verdicts are given
    seed: int  # Of swaps
    data: EncodedCampaign  # Original and release, encoded
    utility: UtilityScale  # Measures what is lost
    # Of the campaign's baselines, where they were not the usual ones
    families: Sequence[Family] | None = None
    # By scenario: targets and baseline, once they were needed
    runs: dict[str, Run] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        original: Table,
        release: Release,
        attacks: Sequence[FlaggedAttack],
        *,
        scoring: ScoringParameters,
        seed: int,
        families: Sequence[Family] | None = None,
    ) -> Trials:
        """Encode the tables and measure the utility of the release as it is."""
        scenarios = [attack.planned.scenario for attack in attacks]
        return cls(
            original=original,
            release=release,
            attacks=attacks,
            scoring=scoring,
            seed=seed,
            families=families,
            data=EncodedCampaign.of(original, [release], scenarios),
            utility=UtilityScale.of(original, release, seed=seed),
        )

    def attempt(
        self, changes: Remedy, *, all_of_them: bool = False, reporter: Reporter | None = None
    ) -> RemedyTrial:
        """Make changes and attack again."""
        changed = changed_release(self.original, self.release, changes, seed=self.seed)
        data = self._encoded(changed, changes)
        after: list[AttackAfter] = []
        for place, attack in enumerate(self.attacks):
            flagged = sum(each.is_flagged for each in after)
            if place >= SCREENED and flagged and not all_of_them:
                break
            after.append(self._attacked(attack, changed, data, reporter or Reporter()))
        utility = self.utility.measure(changed)
        return RemedyTrial(
            words=remedy_words(changes),
            changes=tuple(
                ChangeDone(
                    column=each.column,
                    kind=each.kind,
                    words=each.words,
                    instruction=each.instruction,
                )
                for each in changes
            ),
            attacks=tuple(after),
            n_attacks=len(self.attacks),
            utility=utility,
            loss=max(utility.distance - self.utility.unchanged().distance, 0.0),
        )

    def _attacked(
        self, attack: FlaggedAttack, changed: Release, data: EncodedCampaign, reporter: Reporter
    ) -> AttackAfter:
        scenario, before = attack.planned.scenario, Reading.of(self._scored(attack.run))
        number, unknown = attack.planned.number, scenario.unknown
        if not attackable(changed, unknown, scenario.known):
            return AttackAfter(number=number, unknown=unknown, before=before, after=None)
        quiet = Reporter(cancel=reporter.cancel)
        try:
            run = Run.on(
                data.scenario_data(self.release.name, scenario),
                scenario,
                self._settings(attack.run),
                like=self.runs.get(scenario.key),
            )
            self.runs.setdefault(scenario.key, run)
            found = run.attack(make_attack(attack.planned.attack), reporter=quiet)
        except CancelledError:
            raise
        except InputError as error:
            return AttackAfter(
                number=number, unknown=unknown, before=before, after=None, problem=str(error)
            )
        after = Reading.of(self._scored(found))
        return AttackAfter(number=number, unknown=unknown, before=before, after=after)

    def _scored(self, run: Assessment) -> Assessment:
        return run if run.scoring == self.scoring else run.rescore(**self.scoring.to_dict())

    def _settings(self, run: Assessment) -> RunSettings:
        """Return the settings of a run; its baseline is chosen among the families that it chose."""
        chosen = {name for models in run.models for name in models.split(" + ")}
        every = self.families or default_families()
        used = tuple(family for family in every if family.name in chosen)
        return RunSettings.again(run, families=used or every)

    def _encoded(self, changed: Release, changes: Remedy) -> EncodedCampaign:
        """Encode the changed columns; all else stays as it is encoded."""
        (before,) = self.data.encoded.values()
        columns = [each.column for each in changes if each.column in before.data.specs]
        # With the release itself, so that every value keeps its code.
        _, again = encode_releases(
            self.original, [self.release.tables, changed.tables], columns=columns
        )
        encoded = _joined(before.data, again, tables_left(self.release, changes))
        return replace(self.data, encoded={self.release.name: with_data(before, encoded)})


def _joined(before: EncodedData, again: EncodedData, left: Sequence[int]) -> EncodedData:
    """Return the data as they were, with some columns of the release encoded again.

    `left` says which tables of the release are still there.
    """
    pairs = zip((before.released[place] for place in left), again.released, strict=True)
    return EncodedData(
        specs={**before.specs, **again.specs},
        original=before.original,
        released=tuple(_joined_table(old, new, again.specs) for old, new in pairs),
    )


def _joined_table(old: EncodedTable, new: EncodedTable, changed: Container[str]) -> EncodedTable:
    kept = {name: each for name, each in old.columns.items() if name not in changed}
    sets = {name: each for name, each in old.set_columns.items() if name not in changed}
    return replace(new, columns={**kept, **new.columns}, set_columns={**sets, **new.set_columns})
