"""Searching changes after which no attack is flagged: single columns, then several."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from alc_core.baselines.families import Family
from alc_core.campaign.file.annotations import KeptResults
from alc_core.campaign.findings.findings_table import FINISHED
from alc_core.campaign.findings.view import CampaignView
from alc_core.errors import InputError
from alc_core.explain.drivers import attack_losses, attack_pairs, contributions
from alc_core.phrasing import numbered
from alc_core.releases.release import Release, without_rows
from alc_core.runtime.progress import CancelCallback, Progress, ProgressCallback, Reporter
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.verdict import ASKING
from alc_core.studies.remedies.changes import Change, DropColumn, Remedy, remedy_words
from alc_core.studies.remedies.proposing import candidate_columns, coarser, swaps
from alc_core.studies.remedies.trying import FlaggedAttack, RemedyTrial, Trials
from alc_core.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class RemedyStudy:
    """All changes that were tried on a release."""

    fingerprint: str  # Of the original
    release: str  # Name of the release
    release_fingerprints: tuple[str, ...]  # Of its tables
    at_risk: float  # The limit
    numbers: tuple[int, ...]  # Flagged attacks run again, worst first
    n_flagged: int  # Flagged attacks of the release
    # Sufficient ones first, with least loss of usefulness first
    trials: tuple[RemedyTrial, ...]
    seed: int  # Of targets, models and swaps
    notes: tuple[str, ...] = ()  # What was left out
    tool: str = ""  # That wrote one of the files; its words for a change come first

    @property
    def sufficient(self) -> tuple[RemedyTrial, ...]:
        """The trials after which no attack is flagged."""
        return tuple(trial for trial in self.trials if trial.suffices)


def in_order(trials: list[RemedyTrial]) -> tuple[RemedyTrial, ...]:
    """Sort trials: sufficient ones by loss of usefulness, others by what is left."""

    def rank(trial: RemedyTrial) -> tuple[float, ...]:
        if trial.suffices:
            return 0, trial.loss, len(trial.changes)
        return 1, *trial.progress, trial.loss

    return tuple(sorted(trials, key=rank))


KEPT_REMEDIES = KeptResults("remedies", RemedyStudy)


_PARTNERS = 4  # Columns the best one is paired with


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimits:
    """When a search ends."""

    trials: int = 80  # Changes that are tried at most
    seconds: float = 600.0  # Nothing new begins after this
    # Most flagged attacks run again, the worst of each unknown column first
    attacks: int = 30


@dataclass(slots=True, kw_only=True, eq=False)
class Search:
    """A search under way."""

    trials: Trials  # What tries changes
    columns: Sequence[str]  # Candidates, the most promising first
    unknown: Sequence[str]  # The columns that flagged attacks want
    # Coarsenings by candidate, from mild to strong
    ladders: Mapping[str, tuple[Change, ...]]
    limits: SearchLimits  # When it ends
    reporter: Reporter  # Receives the progress; raises to cancel
    found: dict[Remedy, RemedyTrial] = field(default_factory=dict)  # What was tried
    # By the monotonic clock
    started: float = field(default_factory=time.monotonic)

    def run(self) -> tuple[RemedyTrial, ...]:
        """Try everything within the limits; return the trials, the best first."""
        for column in self.columns:
            self._column(column)
        if len(self.unknown) > 1:
            self._ladder([swaps(column) for column in self.unknown])
        if len(self.columns) > 1:
            self._ladder([self.ladders[column] for column in self.columns])
        if not any(trial.suffices for trial in self.found.values()):
            self._pairs()
        self._finish_best()
        return in_order(list(self.found.values()))

    @property
    def ended(self) -> str:
        """Why the search ended early; empty if it did not."""
        if len(self.found) >= self.limits.trials:
            return f"The search ended after {numbered(len(self.found), 'trial')}."
        if time.monotonic() - self.started > self.limits.seconds:
            return f"The search ended after {self.limits.seconds:.0f} seconds."
        return ""

    def _attempt(self, changes: Remedy) -> bool:
        if changes in self.found:
            return self.found[changes].suffices
        if self.ended:
            return False
        enough = sum(trial.suffices for trial in self.found.values())
        so_far = f" {enough} suffice so far." if enough else ""
        self.reporter.report_progress(
            Progress(
                stage="Trying changes",
                done=len(self.found),
                total=self.limits.trials,
                remark=f"{remedy_words(changes)}.{so_far}",
            )
        )
        try:
            trial = self.trials.attempt(changes, reporter=self.reporter)
        except InputError:  # nothing of the release is left
            return False
        self.found[changes] = trial
        return trial.suffices

    def _column(self, column: str) -> None:
        """Try to drop a column; if that suffices, try milder changes."""
        drop = (DropColumn(column=column),)
        if self._attempt(drop):
            self._ladder([self.ladders[column]])
            self._ladder([swaps(column)])

    def _ladder(self, ladders: Sequence[Sequence[Change]]) -> Remedy | None:
        steps = max(map(len, ladders), default=0)
        for step in range(steps):
            changes = tuple(ladder[min(step, len(ladder) - 1)] for ladder in ladders if ladder)
            if self._attempt(changes):
                return changes
        return None

    def _pairs(self) -> None:
        singles = sorted(
            (changes for changes in self.found if len(changes) == 1),
            key=lambda changes: self.found[changes].progress,
        )
        columns = list(dict.fromkeys(changes[0].column for changes in singles))
        for other in columns[1 : 1 + _PARTNERS]:
            pair = (DropColumn(column=columns[0]), DropColumn(column=other))
            if self._attempt(pair):
                self._soften(pair)

    def _soften(self, pair: Remedy) -> None:
        for place, dropped in enumerate(pair):
            milder = []
            for ladder in filter(None, (self.ladders[dropped.column], swaps(dropped.column))):
                both = [ladder if at == place else (each,) for at, each in enumerate(pair)]
                if (found := self._ladder(both)) is not None:
                    milder.append(found)
            if milder:
                pair = min(milder, key=lambda changes: self.found[changes].loss)

    def _finish_best(self) -> None:
        trials = in_order(list(self.found.values()))
        if trials and not trials[0].suffices and not trials[0].complete:
            changes = next(each for each, trial in self.found.items() if trial is trials[0])
            self.found[changes] = self.trials.attempt(
                changes, all_of_them=True, reporter=self.reporter
            )


def untried(release: Release) -> str:
    """Say why a release cannot be changed; empty if it can."""
    return without_rows(release, "Changes need")


def nothing_to_change(releases: Iterable[str]) -> str:
    """Say that releases need no change."""
    names = " or ".join(f"'{name}'" for name in releases)
    return f"No attack on {names} clearly exposes anyone."


def flagged_numbers(
    view: CampaignView, release: str, *, scoring: ScoringParameters | None = None
) -> tuple[int, ...]:
    """Return the attacks that need attention, worst first; none if nobody is exposed."""
    frame = view.frame(scoring or view.settings.scoring)
    here = (frame["release"] == release) & (frame["status"] == FINISHED)
    flagged = frame[here & frame["verdict"].isin(ASKING)]
    if not (flagged["exposed_low"] > 0).any():
        return ()
    worst_first = flagged.sort_values(["decisive_alc", "number"], ascending=[False, True])
    kinds = view.settings.kinds.keys()
    numbers = worst_first["number"].tolist()
    return tuple(number for number in numbers if {*view.attack(number).scenario.named} <= kinds)


def flagged_attacks(
    view: CampaignView, release: str, *, scoring: ScoringParameters | None = None
) -> tuple[FlaggedAttack, ...]:
    """Return :func:`flagged_numbers` with results."""
    numbers = flagged_numbers(view, release, scoring=scoring)
    return tuple(
        FlaggedAttack(planned=view.attack(number), run=view.assessment(number, scoring))
        for number in numbers
    )


def column_contributions(view: CampaignView, attacks: Sequence[FlaggedAttack]) -> dict[str, float]:
    """Return the most each known column adds to flagged attacks' ALC, if known."""
    losses = attack_losses(view.rescored(view.settings.scoring))
    pairs = attack_pairs(view.attacks, losses)
    added: dict[str, float] = {}
    for attack in attacks:
        for each in contributions(attack.planned.number, pairs, losses):
            added[each.attribute] = max(added.get(each.attribute, 0.0), each.difference)
    return added


def try_changes(
    original: Table,
    release: Release,
    attacks: Sequence[FlaggedAttack],
    *,
    scoring: ScoringParameters | None = None,
    added: Mapping[str, float] | None = None,
    limits: SearchLimits | None = None,
    families: Sequence[Family] | None = None,
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> RemedyStudy:
    """Try which changes of a release, in memory, take flagged attacks below the limit."""
    if reason := untried(release):
        raise InputError(reason)
    if not attacks:
        raise InputError(nothing_to_change([release.name]))
    limits, run = limits or SearchLimits(), attacks[0].run
    chosen = _worst_of_each(attacks)[: limits.attacks]
    trials = Trials(
        original, release, chosen, scoring=scoring or run.scoring, seed=run.seed, families=families
    )
    columns = candidate_columns(
        release,
        [(each.planned.scenario.unknown, each.planned.scenario.known, each.run.decisive_alc)
         for each in chosen],
        added or {},
    )  # fmt: skip
    search = Search(
        trials=trials,
        columns=columns,
        unknown=tuple(dict.fromkeys(each.planned.scenario.unknown for each in chosen)),
        ladders={each: coarser(original, release, each) for each in columns},
        limits=limits,
        reporter=Reporter(progress=progress, cancel=cancel),
    )
    found = search.run()
    notes = [search.ended] if search.ended else []
    if len(chosen) < len(attacks):
        flagged = numbered(len(attacks), "attack")
        notes.insert(0, f"The worst {len(chosen)} of {flagged} were run again.")
    return RemedyStudy(
        fingerprint=original.fingerprint,
        release=release.name,
        release_fingerprints=tuple(table.fingerprint for table in release.tables),
        at_risk=trials.scoring.at_risk,
        numbers=tuple(each.planned.number for each in chosen),
        n_flagged=len(attacks),
        trials=found,
        seed=run.seed,
        notes=tuple(notes),
        tool=next((t.project.tool for t in (original, *release.tables) if t.project), ""),
    )


def _worst_of_each(attacks: Sequence[FlaggedAttack]) -> list[FlaggedAttack]:
    first: dict[str, FlaggedAttack] = {}
    for attack in attacks:
        first.setdefault(attack.planned.scenario.unknown, attack)
    leading = {each.planned.number for each in first.values()}
    return [*first.values(), *(each for each in attacks if each.planned.number not in leading)]
