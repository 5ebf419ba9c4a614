"""A campaign to look at while it runs: reads only what is new, and rescores what is there."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

import pandas as pd

from alc_core.assessment.result import Assessment
from alc_core.campaign.file.curve_table import CurveTable
from alc_core.campaign.file.reader import CampaignCounts
from alc_core.campaign.file.store import CampaignStore
from alc_core.campaign.findings.findings_table import FINISHED, findings_frame
from alc_core.campaign.findings.measured_columns import MeasuredAttacks
from alc_core.campaign.findings.overview import (
    CampaignOverview,
    count_standings,
    lead,
    release_standings,
    stand,
)
from alc_core.campaign.findings.subsets import (
    Standings,
    SubsetPairs,
    by_standing,
    standings,
    subset_pairs,
)
from alc_core.campaign.findings.summary import summarize
from alc_core.campaign.model import CampaignSettings, KnownSetKind, PlannedAttack
from alc_core.campaign.rescore.multiplicity import (
    CampaignError,
    SharedResamples,
    campaign_error,
    controlled,
)
from alc_core.campaign.rescore.rescored import Rescored
from alc_core.campaign.rescore.rescoring import Flips, flips, rescore
from alc_core.errors import InputError
from alc_core.measures.measure import Measured
from alc_core.scoring.parameters import ScoringParameters

Value = TypeVar("Value")

_SCORINGS_KEPT = 4
_ASSESSMENTS_KEPT = 8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Known:
    """What was read so far, of one moment."""

    attacks: Mapping[int, PlannedAttack]
    pairs: SubsetPairs
    curves: CurveTable
    measured: MeasuredAttacks
    shared: SharedResamples
    failures: Mapping[int, str]
    seconds: Mapping[int, float]


@dataclass(slots=True)
class _Recent:
    """The last few values by what they are of."""

    size: int
    kept: OrderedDict[Hashable, object] = field(default_factory=OrderedDict)

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        if key not in self.kept:
            self.kept[key] = make()
            while len(self.kept) > self.size:
                self.kept.popitem(last=False)
        self.kept.move_to_end(key)
        return self.kept[key]  # type: ignore[return-value]


class CampaignView:
    """What a campaign's file holds, kept in memory for many questions; safe between threads.

    All answers are of the moment of the last :meth:`refresh`, so that counts, table and figure
    agree.

    Parameters
    ----------
    store : CampaignStore
        Open, and left open: whoever opened it closes it.

    Attributes
    ----------
    store : CampaignStore
        The campaign's file.
    """

    def __init__(self, store: CampaignStore) -> None:
        self.store = store
        self._lock = threading.RLock()
        self._scored = _Recent(_SCORINGS_KEPT)
        self._stands = _Recent(_SCORINGS_KEPT)
        self._overviews = _Recent(3 * _SCORINGS_KEPT)
        self._assessments = _Recent(_ASSESSMENTS_KEPT)
        self._known = _Known(
            attacks={}, pairs=subset_pairs(()), curves=CurveTable.of({}), measured={}, shared={},
            failures={}, seconds={},
        )  # fmt: skip
        self.refresh()

    def refresh(self) -> bool:
        """Read what has come since the last time, cheap enough for every second.

        Returns
        -------
        bool
            Whether anything is new.
        """
        with self._lock:
            before = self._known
            # Curves before attacks: whatever is finished was planned before.
            new = self.store.curves(after=before.curves.last)
            failures = self.store.failures()
            attacks = {attack.number: attack for attack in self.store.attacks}
            curves = CurveTable.concat([before.curves, new]) if len(new) else before.curves
            for number in new.numbers.tolist():
                failures.pop(number, None)
            as_planned = len(attacks) == len(before.attacks)
            if as_planned and failures == before.failures and not len(new):
                return False
            self._known = _Known(
                attacks=attacks,
                pairs=before.pairs if as_planned else subset_pairs(tuple(attacks.values())),
                curves=curves,
                measured={**before.measured, **self.store.measured(after=before.curves.last)},
                shared={**before.shared, **self.store.resamples(after=before.curves.last)},
                failures=failures,
                seconds=self.store.seconds(),
            )
            self._scored.kept.clear()
            self._stands.kept.clear()
            self._overviews.kept.clear()
            return True

    @property
    def settings(self) -> CampaignSettings:
        """All that the results depend on besides the attacks; `settings.scoring` is the run's."""
        return self.store.settings

    @property
    def attacks(self) -> tuple[PlannedAttack, ...]:
        """All planned attacks, by number."""
        return tuple(self._known.attacks.values())

    @property
    def judged(self) -> tuple[PlannedAttack, ...]:
        """The attacks that the verdict is about, by number.

        Attacks with one fact less were added after others had been seen, to find out what drives
        those: they count in no verdict, comparison or report but through the attacks that know all
        of their facts.
        """
        return tuple(a for a in self.attacks if a.kind is not KnownSetKind.ONE_LESS)

    @property
    def failures(self) -> Mapping[int, str]:
        """Why attacks failed, by number."""
        return self._known.failures

    @property
    def curves(self) -> CurveTable:
        """Counts of the finished attacks; another object only after something has come."""
        return self._known.curves

    @property
    def counts(self) -> CampaignCounts:
        """How many attacks are planned, finished and failed."""
        known = self._known
        return CampaignCounts(
            planned=len(known.attacks), finished=len(known.curves), failed=len(known.failures)
        )

    def attack(self, number: int) -> PlannedAttack:
        """Return a planned attack.

        Raises
        ------
        InputError
            If there is none of this number.
        """
        attacks = self._known.attacks
        if number not in attacks:
            raise InputError(
                f"There is no attack {number} in the campaign, which has {len(attacks)}. Choose "
                "another."
            )
        return attacks[number]

    def rescored(self, scoring: ScoringParameters) -> Rescored:
        """Return the finished attacks under a scoring; that of the run is kept to go from."""
        with self._lock:
            run_scoring = self.settings.scoring
            curves, shared = self._known.curves, self._known.shared
            run = None if scoring == run_scoring else self.rescored(run_scoring)
            return self._scored.get(
                scoring,
                lambda: controlled(
                    rescore(curves, scoring, run_scoring=run_scoring, run=run), shared
                ),
            )

    def error(self, scoring: ScoringParameters) -> CampaignError:
        """Return how often chance alone would flag at least one harmless attack.

        Attacks with one fact less are among them: they may flag those that know all of their facts.
        """
        with self._lock:
            return self._overviews.get(
                ("error", scoring),
                lambda: campaign_error(
                    self.rescored(replace(scoring, control="none")), self._known.shared
                ),
            )

    def standings(self, scoring: ScoringParameters) -> Standings:
        """Return where the finished attacks stand under a scoring, by themselves or by subsets."""
        with self._lock:
            pairs, rescored = self._known.pairs, self.rescored(scoring)
            return self._stands.get(scoring, lambda: standings(rescored, pairs))

    def flips(self, scoring: ScoringParameters) -> Flips:
        """Return which attacks a scoring gives another standing than the run's."""
        with self._lock:
            numbers = [attack.number for attack in self.judged]
            before, after = (
                by_standing(self.rescored(each), self.standings(each)).only(numbers)
                for each in (self.settings.scoring, scoring)
            )
            return flips(before, after)

    def overview(self, scoring: ScoringParameters) -> CampaignOverview:
        """Return the standing of every attack under a scoring."""
        with self._lock:
            return self._overviews.get(("overview", scoring), lambda: self._overview(scoring))

    def frame(self, scoring: ScoringParameters) -> pd.DataFrame:
        """Return the table of all planned attacks under a scoring, worst first.

        It is shared: copy it before changing it.
        """
        with self._lock:
            return self._overviews.get(("frame", scoring), lambda: self._frame(scoring))

    def assessment(self, number: int) -> Assessment:
        """Return the result of a finished attack as the run scored it; the last few are kept.

        Raises
        ------
        InputError
            If it has none.
        """
        with self._lock:
            return self._assessments.get(number, lambda: self.store.assessment(number))

    def measured(self, number: int) -> Mapping[str, Mapping[str, Measured]]:
        """Return the numbers of the measures beside ALC of a finished attack."""
        return self._known.measured.get(number, {})

    def _frame(self, scoring: ScoringParameters) -> pd.DataFrame:
        known, rescored = self._known, self.rescored(scoring)
        return findings_frame(
            self.attacks,
            rescored,
            stands=self.standings(scoring),
            failures=known.failures,
            seconds=known.seconds,
            measured=known.measured,
            release_kinds=self.settings.release_kinds,
        )

    def _overview(self, scoring: ScoringParameters) -> CampaignOverview:
        known, frame, judged = self._known, self.frame(scoring), self.judged
        rescored = by_standing(self.rescored(scoring), self.standings(scoring)).only(
            [attack.number for attack in judged]
        )
        counted = frame["known_set"] != KnownSetKind.ONE_LESS
        results = stand(frame[counted & (frame["status"] == FINISHED)])
        return CampaignOverview(
            scoring=scoring,
            interval_exact=rescored.interval_exact,
            summary=lead(
                summarize(judged, rescored, failures=known.failures), results, known.attacks
            ),
            results=results,
            counts=count_standings(results),
            releases=release_standings(results),
            error=self.error(scoring),
        )
