"""A view of a campaign while it runs: incremental reading and rescoring."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

import pandas as pd

from alc_core.assessment.result import Assessment
from alc_core.campaign.columns import Columns, MeasuredNumbers
from alc_core.campaign.file.annotations import (
    MeasuredLater,
    kept_facts,
    kept_left_out,
    kept_names,
    kept_relations,
    measured_later,
)
from alc_core.campaign.file.store import CampaignCounts, CampaignStore, file_words
from alc_core.campaign.findings.findings_table import (
    FINISHED,
    SHORT,
    MeasuredAttacks,
    findings_frame,
)
from alc_core.campaign.findings.overview import CampaignOverview
from alc_core.campaign.findings.subsets import (
    FinishedStandings,
    SubsetPairs,
    standings,
    subset_pairs,
)
from alc_core.campaign.model import CampaignSettings, KnownSetKind, LeftOut, PlannedAttack
from alc_core.campaign.rescore.multiplicity import (
    CampaignError,
    campaign_error,
    controlled,
)
from alc_core.campaign.rescore.rescoring import (
    DrawnIntervals,
    Flips,
    Rescored,
    drawn_again,
    flips,
    opened,
    rescore,
    with_drawn,
)
from alc_core.errors import InputError
from alc_core.measures.full_recall import NO_RECALL
from alc_core.parameter import check_name
from alc_core.phrasing import quoted
from alc_core.present.notebook import ShowsItself, faces
from alc_core.runtime.progress import Reporter
from alc_core.scenario.relations import DETERMINES, Relation, relation_among
from alc_core.scoring.parameters import ScoringParameters

Value = TypeVar("Value")

_SCORINGS_KEPT = 4
_CAPS_KEPT = 2
_ASSESSMENTS_KEPT = 8
# Derived results under those scorings, and two lists of attacks; of the campaign and each release
_MADE_KEPT = 4 * _SCORINGS_KEPT + 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Known:
    """What was read so far, of one moment."""

    attacks: Mapping[int, PlannedAttack] = field(default_factory=dict)
    pairs: SubsetPairs = field(default_factory=lambda: subset_pairs(()))
    columns: Columns = field(default_factory=lambda: Columns.of({}, cap=1.0))
    measured: MeasuredAttacks = field(default_factory=dict)  # Beside ALC; those added later, too
    failures: Mapping[int, str] = field(default_factory=dict)
    seconds: Mapping[int, float] = field(default_factory=dict)
    skipped: frozenset[int] = frozenset()
    later: tuple[MeasuredLater, ...] = ()
    relations: Mapping[str, tuple[Relation, ...]] = field(default_factory=dict)
    left_out: Mapping[str, LeftOut] = field(default_factory=dict)  # To save time, by release
    stopped: tuple[str, ...] = ()  # Releases the check stops regardless of attacks


@dataclass(slots=True)
class Recent:
    """The last few values by what they are of."""

    size: int
    kept: OrderedDict[Hashable, object] = field(default_factory=OrderedDict)

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return a kept value, or make it."""
        if key not in self.kept:
            self.kept[key] = make()
            while len(self.kept) > self.size:
                self.kept.popitem(last=False)
        self.kept.move_to_end(key)
        return self.kept[key]  # type: ignore[return-value]


@dataclass(slots=True, eq=False)
class ViewMemory:
    """Shared by the views of a campaign and its releases."""

    known: Known = field(default_factory=Known)
    lock: threading.RLock = field(default_factory=threading.RLock)
    scored: Recent = field(default_factory=lambda: Recent(_SCORINGS_KEPT))
    counted: Recent = field(default_factory=lambda: Recent(_CAPS_KEPT))
    drawn: Recent = field(default_factory=lambda: Recent(_SCORINGS_KEPT))
    stands: Recent = field(default_factory=lambda: Recent(_SCORINGS_KEPT))
    made: defaultdict[str | None, Recent] = field(
        default_factory=lambda: defaultdict(lambda: Recent(_MADE_KEPT))
    )
    assessments: Recent = field(default_factory=lambda: Recent(_ASSESSMENTS_KEPT))
    opened: Recent = field(default_factory=lambda: Recent(_ASSESSMENTS_KEPT))

    def renew(self, known: Known) -> None:
        """Take in new results and forget derived ones; redrawn intervals stay."""
        self.known = known
        for each in (self.scored, self.stands, self.counted, self.opened):
            each.kept.clear()
        self.made.clear()


class CampaignView(ShowsItself):
    """A campaign's file in memory; thread-safe.

    Answers are as of the last :meth:`refresh`.

    Parameters
    ----------
    store : CampaignStore, path or str
        An open store stays open; a path is opened, and closed by :meth:`close` or the ``with``
        statement.
    approximate : bool, default False
        Whether intervals under another scoring are approximate until :meth:`settle` redraws them,
        some hundredths of a second each; otherwise they are redrawn first.

    Attributes
    ----------
    store : CampaignStore
    release : str or None
        The release whose attacks these are; None for all.

    Examples
    --------
    >>> with CampaignView("review.alc") as view:
    ...     print(view.frame(short=True)["release"].tolist())
    ['strong']
    """

    def __init__(self, store: CampaignStore | Path | str, *, approximate: bool = False) -> None:
        self._opened, self._approximate = isinstance(store, Path | str), approximate
        self.store = CampaignStore.open(store) if isinstance(store, Path | str) else store
        self.release: str | None = None
        self._memory = ViewMemory()
        self._whole = self
        self._parts: dict[str, CampaignView] = {}
        self.refresh()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, if it was opened here."""
        if self._opened:
            self.store.close()

    def __reduce__(self) -> Any:
        return _view_of, (self.store.path.resolve(), self._approximate, self.release)

    def __repr__(self) -> str:
        on = (self.release,) if self.release else self.settings.releases
        stopped = [name for name in self._memory.known.stopped if name in on]
        check = f"; the check stops {quoted(stopped, most=6)}" if stopped else ""
        return f"<CampaignView of {file_words(self.store.path, self.counts, on)}{check}>"

    def only(self, release: str | None) -> CampaignView:
        """Return the view of one release's attacks, or this one if None.

        Of the same moment; verdicts allow for the whole campaign's attacks.

        Raises
        ------
        InputError
            If there is no such release.
        """
        if release is None or release == self.release:
            return self
        check_name("release", release, self.settings.releases)
        if release not in self._parts:
            self._parts[release] = part = object.__new__(CampaignView)
            vars(part).update(vars(self), release=release)
        return self._parts[release]

    def refresh(self) -> bool:
        """Read what is new, cheap enough for every second.

        Returns
        -------
        bool
            Whether anything is new.
        """
        with self._memory.lock:
            before = self._memory.known
            # Results before attacks: finished ones were planned before
            new = self.store.columns(after=before.columns.last)
            failures, skipped = self.store.failures(), self.store.skipped()
            later, left_out = measured_later(self.store), kept_left_out(self.store)
            attacks = {attack.number: attack for attack in self.store.attacks}
            for number in new.numbers.tolist():
                failures.pop(number, None)
            as_planned = len(attacks) == len(before.attacks)
            alike = (failures, skipped, later, left_out) == (
                before.failures, before.skipped, before.later, before.left_out,
            )  # fmt: skip
            if as_planned and alike and not len(new):
                return False
            columns = Columns.concat([before.columns, new]) if len(before.columns) else new
            found = zip(new.numbers.tolist(), new.measured, strict=True)
            measured = {**before.measured, **{number: each for number, each in found if each}}
            for each in later:
                measured[each.number] = {
                    **measured.get(each.number, {}),
                    each.measure: each.numbers,
                }
            known = Known(
                attacks=attacks,
                pairs=before.pairs if as_planned else subset_pairs(tuple(attacks.values())),
                columns=columns,
                measured=measured,
                failures=failures,
                seconds=self.store.seconds(),
                skipped=skipped.difference(columns.numbers.tolist()),
                later=later,
                relations=kept_relations(self.store),
                left_out=left_out,
                stopped=tuple(
                    name
                    for name, files in kept_facts(self.store).items()
                    if any(file.stops for file in files)
                ),
            )
            self._memory.renew(known)
            return True

    @property
    def settings(self) -> CampaignSettings:
        """What results depend on besides attacks; `settings.scoring` is the run's."""
        return self.store.settings

    @property
    def attacks(self) -> tuple[PlannedAttack, ...]:
        """All planned attacks, by number."""
        return self.keep("attacks", self._attacks)

    @property
    def judged(self) -> tuple[PlannedAttack, ...]:
        """The attacks behind the verdict, by number.

        Attacks with one fact fewer were added later to explain others; they count only through
        attacks with all of their facts.
        """
        return self.keep(
            "judged",
            lambda: tuple(a for a in self.attacks if a.kind is not KnownSetKind.ONE_LESS),
        )

    @property
    def tested(self) -> tuple[PlannedAttack, ...]:
        """The attacks behind the verdict that have a result."""
        finished = {*self.columns.numbers.tolist()}
        return tuple(attack for attack in self.judged if attack.number in finished)

    @property
    def attacked_releases(self) -> tuple[str, ...]:
        """The releases behind the verdict, in the order of the attacks."""
        return tuple(dict.fromkeys(attack.release for attack in self.judged))

    @property
    def failures(self) -> Mapping[int, str]:
        """Why attacks failed, by number."""
        failures, attacks = self._memory.known.failures, self._memory.known.attacks
        if self.release is None:
            return failures
        return {n: why for n, why in failures.items() if attacks[n].release == self.release}

    @property
    def skipped(self) -> frozenset[int]:
        """Attacks not run, as their release was settled."""
        return self._memory.known.skipped & {attack.number for attack in self.attacks}

    @property
    def left_out(self) -> Mapping[str, LeftOut]:
        """What was left out to save time, by release."""
        found = self._memory.known.left_out
        return found if self.release is None else {
            name: each for name, each in found.items() if name == self.release
        }  # fmt: skip

    @property
    def n_left_out(self) -> int:
        """How many attacks were left out to save time."""
        return sum(len(each.attacks) for each in self.left_out.values())

    @property
    def columns(self) -> Columns:
        """Finished attacks; the same object until something is new."""
        return self._memory.known.columns

    def columns_for(self, scoring: ScoringParameters) -> Columns:
        """Return a scoring's columns; another widest interval has another rest."""
        with self._memory.lock:
            columns, cap = self.columns, scoring.precision_cap
            if cap == columns.cap:
                return columns
            if not len(columns):
                return replace(columns, cap=cap)
            read = partial(self.store.columns, until=columns.last, cap=cap)
            return self._memory.counted.get(cap, read)

    @property
    def counts(self) -> CampaignCounts:
        """How many attacks are planned, finished and failed."""
        numbers = {attack.number for attack in self.attacks}
        finished = numbers.intersection(self.columns.numbers.tolist())
        return CampaignCounts(
            planned=len(numbers),
            finished=len(finished),
            failed=len(self.failures),
            skipped=len(self.skipped),
        )

    def attack(self, number: int) -> PlannedAttack:
        """Return a planned attack.

        Raises
        ------
        InputError
            If there is none of this number.
        """
        attacks = self._memory.known.attacks
        if number not in attacks:
            raise InputError(f"No attack {number} of {len(attacks)}. Choose another.")
        return attacks[number]

    def rescored(self, scoring: ScoringParameters) -> Rescored:
        """Return finished attacks under a scoring; the run's is kept."""
        with self._memory.lock:
            if not self._approximate:
                self.settle(scoring)
            run_scoring = self.settings.scoring
            columns = self.columns_for(scoring)
            run = None if scoring == run_scoring else self.rescored(run_scoring)

            def found() -> Rescored:
                carried = rescore(columns, scoring, run_scoring=run_scoring, run=run)
                return controlled(with_drawn(carried, columns, self._drawn(scoring)), columns)

            return self._memory.scored.get(scoring, found)

    def unsettled(self, scoring: ScoringParameters) -> tuple[int, ...]:
        """Return finished attacks whose intervals are not redrawn."""
        if scoring.same_intervals(self.settings.scoring):
            return ()
        with self._memory.lock:
            drawn = self._drawn(scoring)
            return tuple(number for number in self.columns.numbers.tolist() if number not in drawn)

    def settle(self, scoring: ScoringParameters, *, reporter: Reporter | None = None) -> None:
        """Redraw intervals that a scoring needs.

        Raises
        ------
        CancelledError
            If the reporter is asked to stop.
        """
        missing = self.unsettled(scoring)
        drawn: DrawnIntervals = {}
        for done, (number, run) in enumerate(self.store.assessments(missing)):
            if reporter is not None:
                reporter.report("Resampling", done, len(missing))
            drawn[number] = drawn_again(run, scoring)
        if drawn:
            with self._memory.lock:
                self._drawn(scoring).update(drawn)
                if self._approximate:  # else nothing was made of others
                    self._memory.renew(self._memory.known)

    def _drawn(self, scoring: ScoringParameters) -> DrawnIntervals:
        key = scoring.with_limits_of(self.settings.scoring)
        return self._memory.drawn.get(key, dict)

    def run_and_columns(self, scoring: ScoringParameters) -> tuple[Rescored, Columns]:
        """Return attacks under the run's scoring and another's columns, of one moment."""
        with self._memory.lock:
            return self.rescored(self.settings.scoring), self.columns_for(scoring)

    def error(self, scoring: ScoringParameters) -> CampaignError:
        """Return how often chance flags at least one harmless attack.

        Attacks with one fact fewer count: they may flag others.
        """
        return self._whole.keep(("error", scoring), lambda: self._error(scoring))

    def standings(self, scoring: ScoringParameters) -> FinishedStandings:
        """Return finished attacks' standings, with subset attacks."""
        with self._memory.lock:
            pairs, rescored = self._memory.known.pairs, self.rescored(scoring)
            return self._memory.stands.get(scoring, lambda: standings(rescored, pairs))

    def flips(self, scoring: ScoringParameters) -> Flips:
        """Return attacks whose standing differs from the run's."""
        with self._memory.lock:
            numbers = [attack.number for attack in self.judged]
            before, after = (
                replace(self.rescored(each), outcome=self.standings(each).outcome).only(numbers)
                for each in (self.settings.scoring, scoring)
            )
            return flips(before, after)

    def overview(self, scoring: ScoringParameters) -> CampaignOverview:
        """Return each attack's standing under a scoring."""
        return self.keep(("overview", scoring), lambda: self._overview(scoring))

    def keep(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return a value derived from the present results, made unless kept.

        The key holds what else it depends on.
        """
        with self._memory.lock:
            return self._memory.made[self.release].get(key, make)

    def frame(
        self, scoring: ScoringParameters | None = None, *, short: bool = False
    ) -> pd.DataFrame:
        """Return all planned attacks under a scoring, by default the run's, worst first.

        `short` keeps the dozen columns of what was asked and found. Copy the whole one before
        changing it: it is shared.
        """
        scoring = scoring or self.settings.scoring
        frame = self.keep(("frame", scoring), lambda: self._frame(scoring))
        return frame[list(SHORT)].copy() if short else frame

    def releases(self, scoring: ScoringParameters | None = None) -> pd.DataFrame:
        """Return a row of findings per release under a scoring, by default the run's.

        Returns
        -------
        DataFrame
            In display order: `release`; findings and action as `title`, `publishing` and
            `sentence`; `decisive_alc` with interval and number `attack` of the worst attack;
            `people_exposed` with interval, 0 if it may be chance.
        """
        return faces().releases(self, scoring or self.settings.scoring)

    def assessment(self, number: int, scoring: ScoringParameters | None = None) -> Assessment:
        """Return a finished attack's result; the last few are cached.

        Intervals and verdict are the table's under the scoring, by default the run's.

        Raises
        ------
        InputError
            If it has none.
        """
        with self._memory.lock:
            asked = scoring or self.settings.scoring
            run = self._memory.assessments.get(number, lambda: self.store.assessment(number))
            return self._memory.opened.get(
                (number, asked), lambda: opened(run, number, self.rescored(asked))
            )

    def absent(self, release: str) -> tuple[str, ...]:
        """Return columns a release lacks, by its attack with most facts.

        Empty before it has a result.
        """
        return self.keep(("absent", release), lambda: self._absent(release))

    def measured(self, number: int) -> MeasuredNumbers:
        """Return a finished attack's numbers of other measures."""
        return self._memory.known.measured.get(number, {})

    def relation(self, number: int) -> Relation | None:
        """Return known columns that determine the unknown one in the original.

        None also if it fails for the people attacked: the best guess, which knows these columns, is
        clearly wrong more often.
        """
        scenario = self.attack(number).scenario
        guessed = self.measured(number).get(NO_RECALL, {}).get("other")
        if guessed is not None and guessed.high is not None and guessed.high < DETERMINES:
            return None
        relations = self._memory.known.relations.get(scenario.unknown, ())
        return relation_among(relations, scenario.known)

    def _error(self, scoring: ScoringParameters) -> CampaignError:
        known = self._memory.known
        return campaign_error(
            self.rescored(replace(scoring, control="none")),
            known.columns,
            one_less=[n for n, a in known.attacks.items() if a.kind is KnownSetKind.ONE_LESS],
        )

    def _attacks(self) -> tuple[PlannedAttack, ...]:
        every = self._memory.known.attacks.values()
        return tuple(a for a in every if self.release in (None, a.release))

    def _absent(self, release: str) -> tuple[str, ...]:
        done = {*self.columns.numbers.tolist()}
        attacks = [a for a in self.attacks if a.release == release and a.number in done]
        most = max(attacks, key=lambda a: (len(a.scenario.known), -a.number), default=None)
        return () if most is None else self.store.assessment(most.number).absent

    def _frame(self, scoring: ScoringParameters) -> pd.DataFrame:
        if self.release is not None:
            whole = self._whole.frame(scoring)
            return whole[whole["release"] == self.release].reset_index(drop=True)
        known, attacks = self._memory.known, self.attacks
        return findings_frame(
            attacks,
            self.rescored(scoring),
            stands=self.standings(scoring),
            failures=self.failures,
            skipped=self.skipped,
            seconds=known.seconds,
            measured=known.measured,
            release_kinds=self.settings.release_kinds,
            relations={attack.number: self.relation(attack.number) for attack in attacks},
            codes=kept_names(self.store).codes,
        )

    def _overview(self, scoring: ScoringParameters) -> CampaignOverview:
        known, frame, judged = self._memory.known, self.frame(scoring), self.judged
        failures, skipped = self.failures, self.skipped
        counted = frame["known_set"] != KnownSetKind.ONE_LESS
        results = frame[counted & (frame["status"] == FINISHED)]
        return CampaignOverview(
            scoring=scoring,
            results=results,
            absent=self.absent(results["release"].iloc[0]) if len(results) else (),
            every=known.attacks,
            planned=len(judged),
            failed=sum(attack.number in failures for attack in judged),
            skipped=sum(attack.number in skipped for attack in judged),
            error=self.error(scoring),
            left_out=self.n_left_out,
        )


# A campaign's view, open file or path
CampaignLike = CampaignView | CampaignStore | Path | str


@contextmanager
def viewed(campaign: CampaignLike) -> Iterator[CampaignView]:
    """Yield a campaign's view; a file opened for it is closed."""
    if isinstance(campaign, CampaignView):
        yield campaign
    else:
        with CampaignView(campaign) as view:
            yield view


def _view_of(path: Path, approximate: bool, release: str | None) -> CampaignView:
    """Return a pickled view, of what its file holds now."""
    return CampaignView(path, approximate=approximate).only(release)
