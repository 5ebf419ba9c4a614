"""Trying a change: flagged attacks rerun, and loss of usefulness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field, replace

import numpy as np

from alc_core.arrays import some_rows
from alc_core.assessment.loop import RunSettings
from alc_core.assessment.result import Assessment
from alc_core.assessment.run import Run
from alc_core.attacks.registry import make_attack
from alc_core.baselines.families import Family, default_families
from alc_core.campaign.model import PlannedAttack
from alc_core.campaign.run.workers import EncodedCampaign
from alc_core.errors import InputError
from alc_core.releases.release import Release, attackable, with_data
from alc_core.runtime.progress import Reporter
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import ASKING, Verdict
from alc_core.studies.remedies.changes import (
    ChangeDone,
    Remedy,
    changed_release,
    in_words,
    remedy_words,
    tables_left,
)
from alc_core.studies.remedies.tools import in_tools
from alc_core.studies.utility.coding import code_tables
from alc_core.studies.utility.measuring import Marginals, compare_marginals
from alc_core.studies.utility.released_column import with_labels_drawn
from alc_core.tables.codes.encode import EncodedData, encode_releases
from alc_core.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisiveLoss:
    """The decisive ALC of an attack."""

    alc: float  # It and its interval
    low: float
    high: float
    verdict: Verdict  # What it means

    @classmethod
    def of(cls, assessment: Assessment) -> DecisiveLoss:
        """Read a result."""
        low, high = assessment.decisive_interval
        return cls(alc=assessment.decisive_alc, low=low, high=high, verdict=assessment.verdict)

    @property
    def is_flagged(self) -> bool:
        """Whether the attack must still be examined."""
        return self.verdict in ASKING


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackAfter:
    """A flagged attack on the changed release."""

    number: int  # Of the attack in the campaign
    unknown: str  # The column that it wants
    before: DecisiveLoss  # On the release as it is
    after: DecisiveLoss | None  # None if nothing is left to attack, or by `problem`
    problem: str = ""  # Why the attack could not run, if so

    @property
    def is_flagged(self) -> bool:
        """Whether it is still flagged, or could not run."""
        return bool(self.problem) or (self.after is not None and self.after.is_flagged)

    @property
    def loss(self) -> float:
        """ALC above 0, or the earlier one if it could not run."""
        found = self.before if self.problem else self.after
        return 0.0 if found is None else max(found.alc, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemedyTrial:
    """Changes made together, and their effect on attacks."""

    words: str  # All changes in a few words
    changes: tuple[ChangeDone, ...]  # Each of one column
    attacks: tuple[AttackAfter, ...]  # Rerun: all, unless some stayed flagged
    n_attacks: int  # How many there are
    loss: float  # Of columns or relations, whichever is more: from 0 to 1

    @property
    def complete(self) -> bool:
        """Whether all flagged attacks were run again."""
        return len(self.attacks) == self.n_attacks

    @property
    def n_flagged(self) -> int:
        """How many of those run are still flagged."""
        return sum(attack.is_flagged for attack in self.attacks)

    @property
    def suffices(self) -> bool:
        """Whether no attack is flagged any more."""
        return self.complete and not self.n_flagged

    @property
    def progress(self) -> tuple[float, float]:
        """Distance to sufficing: share still flagged, then mean ALC of reruns."""
        n_run = len(self.attacks)
        if not n_run:
            return 1.0, 1.0
        return self.n_flagged / n_run, sum(attack.loss for attack in self.attacks) / n_run

    @property
    def worst(self) -> AttackAfter | None:
        """The attack with the highest ALC afterwards, if any."""
        run = [attack for attack in self.attacks if attack.after is not None]
        return max(run, key=lambda attack: attack.after.alc if attack.after else 0.0, default=None)


MOST_ROWS = 20_000  # Most rows compared of a table
_LOST = 1.0  # Distance of what is not released


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UtilityScale:
    """Measures changed releases against the same rows of the original."""

    original: Table  # All rows: labels cover their values
    sample: Table  # The rows that are compared
    before: Marginals  # Of the unchanged release
    seed: int  # Of all that is random

    @classmethod
    def of(cls, original: Table, release: Release, *, seed: int) -> UtilityScale:
        """Measure the unchanged release."""
        sample = _sampled(original, seed)
        before = _marginals(original, sample, release, seed)
        return cls(original=original, sample=sample, before=before, seed=seed)

    def loss(self, release: Release) -> float:
        """Return what a changed release loses; labels are spread over what they cover."""
        before = self.before
        try:
            after = _marginals(self.original, self.sample, release, self.seed)
        except InputError:  # Without any column of the original
            return _LOST
        columns = [
            after.columns.get(name, _LOST) - distance for name, distance in before.columns.items()
        ]
        relations = (before.relations_kept or 0.0) - (after.relations_kept or 0.0)
        return max(float(np.mean(columns)), relations, 0.0)


def _marginals(original: Table, sample: Table, release: Release, seed: int) -> Marginals:
    rng = np.random.default_rng([seed, 4])
    drawn = (with_labels_drawn(original, each, seed=[seed, 6])[0] for each in release.tables)
    tables = [_sampled(each, seed) for each in drawn]
    coded = code_tables(sample, tables)
    return compare_marginals(coded, max_rows=MOST_ROWS, rng=rng, reporter=Reporter())


def _sampled(table: Table, seed: int) -> Table:
    rng = np.random.default_rng([seed, 5])
    rows = some_rows(np.arange(len(table)), MOST_ROWS, rng)
    return replace(table, frame=table.frame.iloc[rows].reset_index(drop=True))


# Attacks always rerun; others only if none of these stays flagged
SCREENED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedAttack:
    """A flagged attack of a campaign."""

    planned: PlannedAttack  # What it does
    run: Assessment  # Its result on the unchanged release, as scored by the run


@dataclass(slots=True, eq=False)
class Trials:
    """Tries changes of one release with the same targets and baselines."""

    original: Table  # With the campaign's kinds
    release: Release  # Unchanged
    attacks: Sequence[FlaggedAttack]  # In order of rerun
    _: KW_ONLY
    scoring: ScoringParameters  # By which verdicts are given
    seed: int  # Of swaps
    families: Sequence[Family] | None = None  # Of the campaign's baselines, if not the usual ones
    runs: dict[str, Run] = field(default_factory=dict)  # Targets and baselines by scenario
    data: EncodedCampaign = field(init=False)  # Original and release, encoded
    utility: UtilityScale = field(init=False)  # Measures what is lost

    def __post_init__(self) -> None:
        scenarios = [attack.planned.scenario for attack in self.attacks]
        self.data = EncodedCampaign.of(self.original, [self.release], scenarios)
        self.utility = UtilityScale.of(self.original, self.release, seed=self.seed)

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
        return RemedyTrial(
            words=remedy_words(changes),
            changes=tuple(replace(in_words(each), in_tools=in_tools(each)) for each in changes),
            attacks=tuple(after),
            n_attacks=len(self.attacks),
            loss=self.utility.loss(changed),
        )

    def _attacked(
        self, attack: FlaggedAttack, changed: Release, data: EncodedCampaign, reporter: Reporter
    ) -> AttackAfter:
        scenario, before = attack.planned.scenario, DecisiveLoss.of(self._scored(attack.run))
        untried = AttackAfter(
            number=attack.planned.number, unknown=scenario.unknown, before=before, after=None
        )
        if not attackable(changed, scenario.unknown, scenario.known):
            return untried
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
        except InputError as error:
            return replace(untried, problem=str(error))
        return replace(untried, after=DecisiveLoss.of(self._scored(found)))

    def _scored(self, run: Assessment) -> Assessment:
        return run if run.scoring == self.scoring else run.rescore(self.scoring)

    def _settings(self, run: Assessment) -> RunSettings:
        chosen = {name for models in run.models for name in models.split(" + ")}
        every = self.families or default_families()
        used = tuple(family for family in every if family.name in chosen)
        return RunSettings.again(run, families=used or every)

    def _encoded(self, changed: Release, changes: Remedy) -> EncodedCampaign:
        (before,) = self.data.encoded.values()
        columns = [each.column for each in changes if each.column in before.data.specs]
        # With the release itself: each value keeps its code
        _, again = encode_releases(
            self.original, [self.release.tables, changed.tables], columns=columns
        )
        encoded = _joined(before.data, again, tables_left(self.release, changes))
        return replace(self.data, encoded={self.release.name: with_data(before, encoded)})


def _joined(before: EncodedData, again: EncodedData, left: Sequence[int]) -> EncodedData:
    tables = []
    for place, new in zip(left, again.released, strict=True):
        old = before.released[place]
        kept = {name: each for name, each in old.columns.items() if name not in again.specs}
        sets = {name: each for name, each in old.set_columns.items() if name not in again.specs}
        columns, set_columns = {**kept, **new.columns}, {**sets, **new.set_columns}
        tables.append(replace(new, columns=columns, set_columns=set_columns))
    return EncodedData(
        specs={**before.specs, **again.specs}, original=before.original, released=tuple(tables)
    )
