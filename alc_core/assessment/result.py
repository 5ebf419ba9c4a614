"""The result of one scenario."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from alc_core.assessment.halting import HaltingReason
from alc_core.errors import InputError
from alc_core.measures.measure import Measured
from alc_core.note import Note, leads_back, stopping_title, stops
from alc_core.phrasing import there
from alc_core.plain_values import from_plain, plain_of
from alc_core.present.notebook import ShowsItself
from alc_core.scenario.scenario import Scenario
from alc_core.scoring.curves import MeasuredPoint
from alc_core.scoring.outcomes import BootstrapCounts, Outcomes, Rest, bootstrap
from alc_core.scoring.parameters import LoopParameters, ScoringParameters
from alc_core.scoring.readings import (
    EXPOSED,
    ComparedPoints,
    Interval,
    Intervals,
    ReadingName,
    judged,
    reading_intervals,
)
from alc_core.scoring.verdict import (
    SEVERITY,
    UNTESTED,
    Verdict,
    concerns_few,
    exposes_many,
    straddled,
)

FORMAT = "alc-assessment/2"

# Derived from the rest: written with it, computed again on reading
COMPUTED = (
    "stopped_by", "alc", "alc_interval", "alc_rest", "alc_rest_interval", "decisive",
    "decisive_alc", "decisive_interval", "verdict", "inconclusive_between", "exposed",
    "exposed_interval", "model", "attack", "baseline", "rest_share", "attack_rest",
    "baseline_rest", "both_recalls", "without_value_share",
)  # fmt: skip
# Not kept in files
UNKEPT = ("shared", "resamples", "beside", "exposed_surely")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSummary:
    """Name, size and fingerprint of a table, no rows."""

    name: str  # Name of the table
    rows: int  # Its size
    columns: int
    fingerprint: str  # As of a :class:`Table`
    # Renamed columns of a released table
    same_columns: Mapping[str, str] = field(default_factory=dict)
    # Reading of ambiguous dates, by column
    date_readings: Mapping[str, str] = field(default_factory=dict)


class Assessment(msgspec.Struct, ShowsItself, frozen=True, kw_only=True, dict=True, eq=False):
    """One attack on one release in one scenario, compared with its baseline.

    Holds counts and scores, never values of people. Measures, ALC, interval and verdict follow from
    `outcomes` and `scoring`. A campaign's file keeps these fields; JSON has them after the derived
    ones.

    Attributes
    ----------
    scenario : Scenario
    attack_name : str
    outcomes : Outcomes
        Counts per threshold, and paired outcomes of targets.
    scoring : ScoringParameters
    loop : LoopParameters
    seed, halting : int, HaltingReason
        Why the loop stopped.
    models : mapping of str to int
        Chosen baseline models, with targets predicted.
    original, release : TableSummary, tuple of TableSummary
    population, candidates : int
        People in the original; potential targets after selection and down-sampling.
    abstentions : int
        Targets on which the attack abstained, replaced by the baseline with score 0.
    down_sampled_share : float or None
        Share of the dominating value before down-sampling to half; None without.
    notes : tuple of Note
        Other decisions.
    versions : mapping of str to str
    run_scoring : ScoringParameters or None
        The run's, if `scoring` was changed afterwards.
    unknown_bins : int or None
        Ranges of a continuous unknown attribute, or the release's classes; None if values are
        predicted.
    measured : mapping of str to mapping of str to Measured
        Other measures of the run, by measure and number, whatever `scoring`.
    shared : mapping of str to ndarray of shape (n_resamples,) or None
        Both readings by the run's scoring, in the resamples shared by attacks with the same seed,
        for campaigns. Not part of the JSON.
    without_value : int
        People in the original with a missing unknown value (`scenario.targets.missing`), so not
        targets.
    absent : tuple of str
        Known columns missing or uninformative in the release.
    unmatched : tuple of str
        Released columns with values the attack could not match: the verdict is never "below limit"
        or "no loss".
    people : int
        Potential targets before down-sampling.
    converged : bool
        False if chains did not: the verdict is "did not converge" unless flagged.
    kept_intervals : mapping or None
        Under `scoring`, drawn before or shown by a campaign.
    interval_exact : bool
        Whether intervals are bootstrapped under `scoring`, else approximated from the run's.
    lowered : Verdict or None
        The milder verdict by the campaign's multiple-testing correction, if any.
    exposed_surely : float or None
        Lower bound of people exposed, allowing for all attacks of the campaign, if any.
    resamples : BootstrapCounts or None
        The run's draws, once made; reproducible from the seed.
    beside : tuple of Assessment
        Milder attacks on the same people. Not part of the JSON.

    Examples
    --------
    >>> import alc_core as alc
    >>> with alc.CampaignView("review.alc") as view:
    ...     result = view.assessment(0)
    >>> Assessment.from_json(result.to_json()).alc == result.alc
    True
    """

    scenario: Scenario
    attack_name: str
    outcomes: Outcomes
    scoring: ScoringParameters
    loop: LoopParameters
    seed: int
    halting: HaltingReason
    models: Mapping[str, int]
    original: TableSummary
    release: tuple[TableSummary, ...]
    population: int
    people: int
    candidates: int
    abstentions: int
    down_sampled_share: float | None
    notes: tuple[Note, ...]
    versions: Mapping[str, str]
    run_scoring: ScoringParameters | None = None
    unknown_bins: int | None = None
    measured: Mapping[str, Mapping[str, Measured]] = {}
    shared: Mapping[str, NDArray[np.float64]] | None = None
    without_value: int = 0
    absent: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()
    converged: bool = True
    kept_intervals: Intervals | None = None
    interval_exact: bool = True
    lowered: Verdict | None = None
    exposed_surely: float | None = None
    resamples: BootstrapCounts | None = None
    beside: tuple[Assessment, ...] = ()

    @cached_property
    def points(self) -> ComparedPoints:
        """Points of attack and baseline for both readings."""
        rest = Rest.of(self.outcomes, self.scoring.precision_cap)
        return ComparedPoints.of(self.outcomes.attack, self.outcomes.baseline, rest, self.scoring)

    @property
    def attack(self) -> MeasuredPoint:
        """The attack's best measure."""
        return self.points.attack

    @property
    def baseline(self) -> MeasuredPoint:
        """The baseline's best measure."""
        return self.points.baseline

    @property
    def attack_rest(self) -> MeasuredPoint:
        """The attack's best measure among people not guessable."""
        return self.points.attack_rest

    @property
    def baseline_rest(self) -> MeasuredPoint:
        """The baseline's measure there, with as many predictions."""
        return self.points.baseline_rest

    @property
    def told(self) -> tuple[str, ...]:
        """Known columns that the release has, too."""
        return there(self.scenario.known, self.absent)

    @property
    def rest_share(self) -> float:
        """Share of targets not guessable."""
        return self.points.rest / self.attempts

    @property
    def exposed(self) -> float:
        """People exposed: only the attack is right, minus only the guess is.

        Counted among answers in the rest, scaled to all `people`; may be negative.
        """
        return self.points.gain * self.people_a_gain

    @property
    def exposed_interval(self) -> Interval:
        """Bootstrap interval of `exposed`."""
        low, high = self._intervals[EXPOSED]
        return low * self.people_a_gain, high * self.people_a_gain

    @property
    def exposes_many(self) -> bool:
        """Whether enough are surely exposed that the attack needs attention."""
        low = self.exposed_interval[0] if self.exposed_surely is None else self.exposed_surely
        return bool(exposes_many(low, self.population, self.scoring.material))

    @property
    def complete(self) -> bool:
        """Whether everyone, or as many as the loop attacks to decide, was attacked."""
        return self.attempts >= min(self.candidates, self.loop.decide_within)

    @property
    def people_a_gain(self) -> float:
        """People a target of weight 1 represents."""
        return self.people / float(self.outcomes.weights.sum())

    def recalls(self, recall: float) -> tuple[float, float]:
        """Return a recall of all people with a value (equation 4), and of the selected (5)."""
        of_group = recall / self.outcomes.attack.recall_scale
        return of_group * self.people / (self.population - self.without_value), of_group

    @property
    def both_recalls(self) -> dict[str, dict[str, float]]:
        """Recalls of attack and baseline, relative to all people and to the selected."""
        return {
            side: dict(zip(("population", "group"), self.recalls(point.recall), strict=True))
            for side, point in (("attack", self.attack), ("baseline", self.baseline))
        }

    @property
    def stopped_by(self) -> tuple[Note, ...]:
        """The check's notes that stop the release whatever attacks find."""
        found = filter(stops, self.notes)
        return tuple(sorted(found, key=lambda note: not leads_back(note.code)))

    def __repr__(self) -> str:
        """Name what was attacked, and what stops the release."""
        released = ", ".join(repr(table.name) for table in self.release)
        titles = dict.fromkeys(map(stopping_title, self.stopped_by))
        stopped = f"; the check: {', '.join(titles).lower()}" if titles else ""
        return (
            f"<Assessment: {self.attack_name} on {released}, unknown {self.scenario.unknown!r}, "
            f"{self.attempts} targets{stopped}>"
        )

    def __eq__(self, other: object) -> bool:
        names = {*self.__struct_fields__} - {*UNKEPT, "kept_intervals"}
        return isinstance(other, Assessment) and all(
            getattr(self, name) == getattr(other, name) for name in names
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        """Leave the resamples behind, but take their intervals."""
        drawn = self.__dict__.get("_intervals", self.kept_intervals)
        return super(Assessment, replace(self, resamples=None, kept_intervals=drawn)).__reduce__()

    @property
    def model(self) -> str:
        """The baseline model that predicted most targets."""
        return max(self.models, key=lambda name: self.models[name])

    @property
    def attempts(self) -> int:
        """Targets attacked."""
        return self.outcomes.attempts

    @property
    def without_value_share(self) -> float:
        """Share of people in the original with a missing unknown value."""
        return self.without_value / self.population

    @cached_property
    def _losses(self) -> dict[ReadingName, float]:
        return self.points.losses(self.scoring.loss)

    @property
    def alc(self) -> float:
        """The anonymity loss (equation 8, or 7 if `scoring.loss` is absolute).

        Attack and baseline are each at their best measure.
        """
        return self._losses["alc"]

    @property
    def alc_rest(self) -> float:
        """The anonymity loss among people not guessable.

        The baseline has as many predictions as the attack.
        """
        return self._losses["alc_rest"]

    @cached_property
    def _bootstrap(self) -> BootstrapCounts:
        cap = self.scoring.precision_cap
        if self.resamples is not None and self.resamples.cap == cap:
            return self.resamples
        return bootstrap(self.outcomes, cap=cap, resamples=self.loop.resamples, seed=self.seed)

    @cached_property
    def _intervals(self) -> Intervals:
        if self.kept_intervals is not None:
            return self.kept_intervals
        return reading_intervals(self.points, self._bootstrap, self.scoring)

    @property
    def alc_interval(self) -> Interval:
        """Bootstrap interval of ALC over targets; thresholds are chosen each time."""
        return self._intervals["alc"]

    @property
    def alc_rest_interval(self) -> Interval:
        """Bootstrap interval of ALC, hard to guess; rest and thresholds are chosen each time."""
        return self._intervals["alc_rest"]

    @cached_property
    def _judged(self) -> tuple[Verdict, ReadingName]:
        return judged(
            self.points,
            self._intervals,
            self.scoring,
            few=bool(concerns_few(self.exposed_interval[1], self.population, self.scoring)),
            unmatched=bool(self.unmatched),
            converged=self.converged,
        )

    @property
    def decisive(self) -> ReadingName:
        """The more severe of the two readings."""
        return self._judged[1]

    def loss_of(self, reading: ReadingName) -> float:
        """Return one of the readings."""
        return self._losses[reading]

    def interval_of(self, reading: ReadingName) -> Interval:
        """Return its interval."""
        return self._intervals[reading]

    @property
    def decisive_alc(self) -> float:
        """The reading that decides."""
        return self.loss_of(self.decisive)

    @property
    def decisive_interval(self) -> Interval:
        """Its interval."""
        return self.interval_of(self.decisive)

    @property
    def verdict(self) -> Verdict:
        """The verdict of the deciding reading; see :func:`judge`."""
        return self.lowered or self.own_verdict

    @property
    def own_verdict(self) -> Verdict:
        """The verdict without the campaign's other attacks."""
        return self._judged[0]

    @property
    def inconclusive_between(self) -> tuple[Verdict, Verdict] | None:
        """Lowest and highest verdict of an interval that straddles a limit."""
        if self.lowered or self.verdict in (*UNTESTED, Verdict.NOT_CONVERGED):
            return None
        return straddled(self.decisive_interval, self.scoring)

    def rescore(self, scoring: ScoringParameters | None = None, **changes: Any) -> Assessment:
        """Return the same outcomes under other scoring parameters.

        Parameters
        ----------
        scoring : ScoringParameters, optional
            By default the run's.
        **changes
            Of these, such as ``alpha=``.

        Returns
        -------
        Assessment
            Resamples are shared.

        Raises
        ------
        ParameterError
            If a parameter is unknown or out of bounds.

        Notes
        -----
        Targets, halting and baseline models stay the same.
        """
        start = scoring or self.scoring
        scoring = ScoringParameters.from_dict({**start.to_dict(), **changes})
        kept = scoring.same_intervals(self.scoring) and self.interval_exact
        drawn = not kept and scoring.precision_cap == self.scoring.precision_cap
        return replace(
            self,
            scoring=scoring,
            run_scoring=self._run_scoring_unless(scoring),
            kept_intervals=self.kept_intervals if kept else None,
            interval_exact=True,
            lowered=None,
            exposed_surely=None,
            resamples=self._bootstrap if drawn else self.resamples,
        )

    def shown(
        self,
        scoring: ScoringParameters,
        intervals: Intervals,
        *,
        interval_exact: bool,
        verdict: Verdict,
        exposed_surely: float,
    ) -> Assessment:
        """Return the outcomes as a campaign's table shows them."""
        found = replace(
            self,
            scoring=scoring,
            run_scoring=self._run_scoring_unless(scoring),
            kept_intervals=intervals,
            interval_exact=interval_exact,
            exposed_surely=exposed_surely,
        )
        return found if found.verdict is verdict else replace(found, lowered=verdict)

    def _run_scoring_unless(self, scoring: ScoringParameters) -> ScoringParameters | None:
        run = self.run_scoring or self.scoring
        return None if scoring == run else run

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: derived ones, then :meth:`kept`."""
        return {"format": FORMAT, **plain_of(self, *COMPUTED), **self.kept()}

    def kept(self) -> dict[str, Any]:
        """Return fields as plain values, with intervals."""
        own = {"kept_intervals", "measured", "outcomes", *UNKEPT}
        return {
            **plain_of(self, *(name for name in self.__struct_fields__ if name not in own)),
            "kept_intervals": {name: list(bounds) for name, bounds in self._intervals.items()},
            "measured": {
                measure: {name: number.to_list() for name, number in numbers.items()}
                for measure, numbers in self.measured.items()
            },
            "outcomes": self.outcomes.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Build from :meth:`to_dict`, or the only result of ``alc assess --json``.

        Derived values are computed again.
        """
        results = data.get("results")
        if isinstance(results, list) and len(results) == 1:
            (data,) = results
        if data.get("format") != FORMAT:
            raise InputError(
                f"This is not an assessment of format '{FORMAT}', but {data.get('format')!r}. "
                f"Choose "
                "another file."
            )
        return cls.from_kept(data)

    @classmethod
    def from_kept(cls, data: Mapping[str, Any]) -> Self:
        """Build from :meth:`kept`; other keys are ignored."""
        measured = {
            measure: {name: Measured.from_list(found) for name, found in numbers.items()}
            for measure, numbers in data["measured"].items()
        }
        outcomes = Outcomes.from_dict(data["outcomes"])
        return from_plain({**data, "outcomes": outcomes, "measured": measured}, cls)

    def to_json(self, *, indent: int | None = None) -> str:
        """Return :meth:`to_dict` as JSON, floats in full."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read :meth:`to_json`'s text.

        Raises
        ------
        InputError
            If the text is not an assessment.
        """
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            where = f"The file is not JSON (line {error.lineno})."
            raise InputError(f"{where} Choose another file.") from None
        if not isinstance(data, dict):
            raise InputError("The JSON is not an assessment. Choose another file.")
        try:
            return cls.from_dict(data)
        except InputError:
            raise
        except (KeyError, TypeError, ValueError):
            raise InputError("The assessment is incomplete. Choose another file.") from None


def worst_of(found: Sequence[Assessment]) -> Assessment:
    """Return the worst of attacks on the same people, with the others in `beside`.

    By verdict, surely exposing many, surely exposing anyone, then loss.
    """

    def badness(each: Assessment) -> tuple[int, bool, bool, float]:
        exposes = each.exposed_interval[0] > 0
        least = SEVERITY.index(Verdict.BELOW_LIMIT) if exposes else 0
        severity = max(least, SEVERITY.index(each.verdict))
        return severity, each.exposes_many, exposes, each.decisive_alc

    worst = max(found, key=badness)
    return replace(worst, beside=tuple(each for each in found if each is not worst))
