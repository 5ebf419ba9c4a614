"""Trying a change: the flagged attacks run again on the changed release, and what use it costs."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from alc_core.arrays import some_rows
from alc_core.assessment.loop import RunSettings
from alc_core.assessment.result import Assessment
from alc_core.assessment.run import Run
from alc_core.attacks.registry import make_attack
from alc_core.baselines.families import Family, default_families
from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.run.workers import EncodedCampaign
from alc_core.errors import CancelledError, InputError
from alc_core.releases.release import Release, attackable, with_data
from alc_core.runtime.progress import Reporter
from alc_core.scoring.parameters import ScoringParameters
from alc_core.studies.remedies.changes import (
    ReleasedColumn,
    Remedy,
    changed_release,
    remedy_words,
    tables_left,
)
from alc_core.studies.remedies.result import (
    AttackAfter,
    ChangeDone,
    Distances,
    Reading,
    RemedyTrial,
)
from alc_core.studies.utility.coding import code_tables
from alc_core.studies.utility.measuring import Marginals, compare_marginals
from alc_core.tables.codes.encode import EncodedData, EncodedTable, encode_releases
from alc_core.tables.table import Table

MOST_ROWS = 20_000
"""Rows of a table that are compared at most."""

_LOST = 1.0
"""Distance of what is not released."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UtilityScale:
    """Measures changed releases against the same rows of the original."""

    original: Table  # All of it: labels cover its values
    sample: Table  # The rows that are compared
    before: Marginals  # Of the unchanged release; what it has is what can be lost
    seed: int  # Of all that is random

    @classmethod
    def of(cls, original: Table, release: Release, *, seed: int) -> UtilityScale:
        """Measure the unchanged release."""
        sample = _sampled(original, seed)
        before = _marginals(original, sample, release, seed)
        return cls(original=original, sample=sample, before=before, seed=seed)

    def unchanged(self) -> Distances:
        """Return the distances of the unchanged release."""
        return self._over(self.before.columns, self.before.pairs)

    def measure(self, release: Release) -> Distances:
        """Return the distances of a changed release.

        Labels that stand for several values are spread evenly over the values that they cover.
        """
        try:
            after = _marginals(self.original, self.sample, release, self.seed)
        except InputError:  # none of the original's columns is left
            return self._over({}, {})
        return self._over(after.columns, after.pairs)

    def _over(
        self, columns: Mapping[str, float], pairs: Mapping[tuple[str, str], float]
    ) -> Distances:
        of_pairs = [pairs.get(pair, _LOST) for pair in self.before.pairs]
        return Distances(
            columns=float(np.mean([columns.get(name, _LOST) for name in self.before.columns])),
            pairs=float(np.mean(of_pairs)) if of_pairs else None,
        )


def _marginals(original: Table, sample: Table, release: Release, seed: int) -> Marginals:
    rng = np.random.default_rng([seed, 4])
    tables = [_sampled(_spread(original, table, seed), seed) for table in release.tables]
    coded = code_tables(sample, tables)
    return compare_marginals(coded, max_rows=MOST_ROWS, rng=rng, reporter=Reporter())


def _sampled(table: Table, seed: int) -> Table:
    rng = np.random.default_rng([seed, 5])
    rows = some_rows(np.arange(len(table)), MOST_ROWS, rng)
    return replace(table, frame=table.frame.iloc[rows].reset_index(drop=True))


def _spread(original: Table, table: Table, seed: int) -> Table:
    """Return a table whose labels for several values are replaced by one of these, at random."""
    frame = table.frame
    for number, column in enumerate(table.columns):
        if column not in original.columns:
            continue
        read = ReleasedColumn.of(original, table, column)
        if read.sets:
            rng = np.random.default_rng([seed, 6, number])
            frame = frame.assign(**{column: _drawn(read, rng).set_axis(frame.index)})
    return replace(table, frame=frame, value_sets={})


def _drawn(read: ReleasedColumn, rng: np.random.Generator) -> pd.Series:
    domain = read.domain
    if domain.of_dates:
        values, single = domain.numbers, read.numbers
    elif domain.numeric:  # texts among the numbers are values of their own
        values, single = (np.array(each, dtype=object) for each in (domain.numbers, read.numbers))
        for place in np.flatnonzero(np.isnan(read.numbers)):
            if read.labels[place] not in read.sets:
                single[place] = read.labels[place]
    else:
        values = np.array([str(label) for label in domain.labels.index], dtype=object)
        single = np.array([None if label in read.sets else label for label in read.labels], object)
    nothing = np.array([np.nan if domain.numeric else None], dtype=values.dtype)
    rows = np.append(single, nothing)[read.codes]
    for code, label in enumerate(read.labels):
        if label not in read.sets:
            continue
        chosen = np.flatnonzero(domain.chosen(read.sets[label]))
        if len(chosen):
            here = np.flatnonzero(read.codes == code)
            rows[here] = values[rng.choice(chosen, size=len(here))]
    if domain.of_dates:
        return pd.Series(pd.to_datetime(rows, unit="D"))
    return pd.Series(rows).infer_objects()


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
