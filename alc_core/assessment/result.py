"""The result of one scenario: measures, ALC, interval and verdict, and how they came about."""

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

# What follows from the rest of a result: written with it, and computed again when it is read
COMPUTED = (
    "stopped_by", "alc", "alc_interval", "alc_rest", "alc_rest_interval", "decisive",
    "decisive_alc", "decisive_interval", "verdict", "inconclusive_between", "exposed",
    "exposed_interval", "model", "attack", "baseline", "rest_share", "attack_rest",
    "baseline_rest", "both_recalls", "without_value_share",
)  # fmt: skip
# What stays where the result was made or opened
UNKEPT = ("shared", "resamples", "beside", "exposed_surely")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSummary:
    """What an assessment says of a table: name, size and fingerprint, no rows."""

    name: str  # Name of the table
    rows: int  # Its size
    columns: int
    fingerprint: str  # As of a :class:`Table`
    # Columns of a released table that were taken as the original's under other names
    same_columns: Mapping[str, str] = field(default_factory=dict)
    # How the dates of columns are read that could be read otherwise
    date_readings: Mapping[str, str] = field(default_factory=dict)


class Assessment(msgspec.Struct, ShowsItself, frozen=True, kw_only=True, dict=True, eq=False):
    """One attack on one release in one scenario, compared with its baseline.

    Holds counts and scores, never values of people. Measures, ALC, interval and verdict follow
    from the outcomes and the scoring parameters, so :meth:`rescore` needs no new prediction. A
    campaign's file keeps these fields, and JSON has them after what follows from them.

    Attributes
    ----------
    scenario : Scenario
        What was attacked.
    attack_name : str
        The attack.
    outcomes : Outcomes
        Curves as counts per threshold, and the paired outcomes of the targets.
    scoring : ScoringParameters
        How the outcomes are scored.
    loop : LoopParameters
        How the loop ran.
    seed, halting : int, HaltingReason
        Of all randomness; why the loop stopped.
    models : mapping of str to int
        Chosen baseline models, with the number of targets each predicted.
    original, release : TableSummary, tuple of TableSummary
        The original table, and the released ones.
    population, candidates : int
        People in the original, and those who could be targets: selected, after down-sampling.
    abstentions : int
        Targets on which the attack abstained; the baseline's prediction with score 0 stands in.
    down_sampled_share : float or None
        Share of the dominating value before it was down-sampled to half of the attempts; None
        where nothing was.
    notes : tuple of Note
        What else was decided on the way.
    versions : mapping of str to str
        Versions of the software.
    run_scoring : ScoringParameters or None
        How the run itself was scored, where `scoring` was changed afterwards.
    unknown_bins : int or None
        Ranges that a continuous unknown attribute was cut into, or classes that the release has;
        None where values are predicted.
    measured : mapping of str to mapping of str to Measured
        Numbers of the other measures, by measure and number; they are those of the run, whatever
        `scoring` is now.
    shared : mapping of str to ndarray of shape (n_resamples,) or None
        Both readings in the resamples that all attacks with the same seed share, by the scoring of
        the run; a campaign asks for them. They are not part of the JSON.
    without_value : int
        People in the original who are no targets because they have no value of the unknown
        attribute; `scenario.targets.missing` names what counts as none.
    absent : tuple of str
        Known columns that the release does not have, or that say nothing there; it cannot leak
        through them.
    unmatched : tuple of str
        Columns of the scenario that the release has, but with values that were made for it: the
        attack could not match them, so the verdict is never "below limit" or "no loss".
    people : int
        People who could be targets, before down-sampling.
    converged : bool
        Whether the attack's chains converged; if not, the verdict is "did not converge" unless the
        attack is flagged all the same. True of an attack without chains.
    kept_intervals : mapping or None
        Intervals under `scoring` that were drawn before, or that a campaign shows.
    interval_exact : bool
        Whether the intervals are bootstrapped under `scoring`; otherwise a campaign approximated
        them from those of the run.
    lowered : Verdict or None
        The milder verdict that the campaign's control for many attacks leaves; None where it lets
        the attack's own stand.
    exposed_surely : float or None
        People exposed at least, allowing for all attacks of the campaign; None of one by itself.
    resamples : BootstrapCounts or None
        Draws of the run, once they were made; they are large and come again from the seed.
    beside : tuple of Assessment
        Milder attacks on the same people, of which this is the worst; not part of the JSON.
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
        """The points of attack and baseline that both readings compare."""
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
        """The attack's best measure among the people whom the baseline does not know anyway."""
        return self.points.attack_rest

    @property
    def baseline_rest(self) -> MeasuredPoint:
        """The baseline's measure where it predicts for as many of them as the attack does."""
        return self.points.baseline_rest

    @property
    def told(self) -> tuple[str, ...]:
        """Known columns that the release has, too."""
        return there(self.scenario.known, self.absent)

    @property
    def rest_share(self) -> float:
        """Share of the targets whom the baseline does not know anyway."""
        return self.points.rest / self.attempts

    @property
    def exposed(self) -> float:
        """People exposed: the release gives their value away, a guess does not; less the reverse.

        Counted among the rest whom the attack answers for, and scaled from the targets to all
        `people`; below 0 where the guess is right about more of them.
        """
        return self.points.gain * self.people_a_gain

    @property
    def exposed_interval(self) -> Interval:
        """Bootstrap interval of `exposed`."""
        low, high = self._intervals[EXPOSED]
        return low * self.people_a_gain, high * self.people_a_gain

    @property
    def exposes_many(self) -> bool:
        """Whether so many are surely exposed that the attack asks for a look."""
        low = self.exposed_interval[0] if self.exposed_surely is None else self.exposed_surely
        return bool(exposes_many(low, self.population, self.scoring.material))

    @property
    def complete(self) -> bool:
        """Whether all who could be were attacked, or as many as the loop attacks to decide."""
        return self.attempts >= min(self.candidates, self.loop.decide_within)

    @property
    def people_a_gain(self) -> float:
        """How many of all `people` a target stands for whose weight is 1."""
        return self.people / float(self.outcomes.weights.sum())

    def recalls(self, recall: float) -> tuple[float, float]:
        """Return a recall relative to all people with a value (equation 4) and to the selected.

        Both are the same where nobody was selected. The selected are those of equation 5.
        """
        of_group = recall / self.outcomes.attack.recall_scale
        return of_group * self.people / (self.population - self.without_value), of_group

    @property
    def both_recalls(self) -> dict[str, dict[str, float]]:
        """Recall of attack and baseline, relative to all people and to the selected."""
        return {
            side: dict(zip(("population", "group"), self.recalls(point.recall), strict=True))
            for side, point in (("attack", self.attack), ("baseline", self.baseline))
        }

    @property
    def stopped_by(self) -> tuple[Note, ...]:
        """What the check found that stops the release whatever attacks find."""
        found = filter(stops, self.notes)
        return tuple(sorted(found, key=lambda note: not leads_back(note.code)))

    def __repr__(self) -> str:
        """Name what was attacked; what came out is asked for by name, but what stops the release.

        No number of an attack says anything of that.
        """
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
        """Leave the resamples behind, and take along the intervals that they gave."""
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
        """Share of the people in the original who have no value of the unknown attribute."""
        return self.without_value / self.population

    @cached_property
    def _losses(self) -> dict[ReadingName, float]:
        return self.points.losses(self.scoring.loss)

    @property
    def alc(self) -> float:
        """The anonymity loss coefficient (equation 8, or 7 where `scoring.loss` is absolute).

        Attack and baseline are each taken at their best measure.
        """
        return self._losses["alc"]

    @property
    def alc_rest(self) -> float:
        """The anonymity loss coefficient among the people whom the baseline does not know anyway.

        The baseline is taken where it predicts for as many of them as the attack.
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
        """Bootstrap interval of ALC over targets, thresholds chosen again each time."""
        return self._intervals["alc"]

    @property
    def alc_rest_interval(self) -> Interval:
        """Bootstrap interval of ALC among the rest, the rest chosen again each time, too."""
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
        """Which of the two readings decides: the more severe one."""
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
        """What the decisive reading means, or that nothing was left to learn.

        Where a column could not be matched or chains did not converge, a loss that was not found
        proves nothing.
        """
        return self.lowered or self.own_verdict

    @property
    def own_verdict(self) -> Verdict:
        """The verdict on this attack alone, whatever others its campaign has."""
        return self._judged[0]

    @property
    def inconclusive_between(self) -> tuple[Verdict, Verdict] | None:
        """The lowest and highest verdict that the interval allows, where a limit is between."""
        if self.lowered or self.verdict in (*UNTESTED, Verdict.NOT_CONVERGED):
            return None
        return straddled(self.decisive_interval, self.scoring)

    def rescore(self, **changes: Any) -> Assessment:
        """Return the same outcomes under other scoring parameters.

        Parameters
        ----------
        **changes
            Any of :class:`ScoringParameters`, such as ``alpha=`` and ``r_min=``.

        Returns
        -------
        Assessment
            Resamples are shared, so the interval costs little.

        Raises
        ------
        ParameterError
            If a parameter is unknown or out of bounds.

        Notes
        -----
        Which targets were attacked, when the loop halted and which baseline model was chosen stay
        as they were.
        """
        scoring = ScoringParameters.from_dict({**self.scoring.to_dict(), **changes})
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
        """Return the same outcomes as a campaign's table shows them under a scoring."""
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
        """Return plain values: what follows from the result first, then :meth:`kept`."""
        return {"format": FORMAT, **plain_of(self, *COMPUTED), **self.kept()}

    def kept(self) -> dict[str, Any]:
        """Return the fields as plain values, with the intervals, from which nothing is missing."""
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
        """Build from :meth:`to_dict`'s result, or the one result of ``alc assess --json``.

        What follows from the fields is computed again.
        """
        results = data.get("results")
        if isinstance(results, list) and len(results) == 1:
            (data,) = results
        if data.get("format") != FORMAT:
            raise InputError(
                f"This is not an assessment of format '{FORMAT}' (it says "
                f"{data.get('format')!r}). Choose a JSON file that this tool wrote."
            )
        return cls.from_kept(data)

    @classmethod
    def from_kept(cls, data: Mapping[str, Any]) -> Self:
        """Build from :meth:`kept`'s result, among whatever else."""
        measured = {
            measure: {name: Measured.from_list(found) for name, found in numbers.items()}
            for measure, numbers in data["measured"].items()
        }
        outcomes = Outcomes.from_dict(data["outcomes"])
        return from_plain({**data, "outcomes": outcomes, "measured": measured}, cls)

    def to_json(self, *, indent: int | None = None) -> str:
        """Return :meth:`to_dict` as JSON; floats keep every digit."""
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
            raise InputError(f"{where} Choose a JSON file that this tool wrote.") from None
        if not isinstance(data, dict):
            raise InputError("The JSON is not an assessment. Choose a file that this tool wrote.")
        try:
            return cls.from_dict(data)
        except InputError:
            raise
        except (KeyError, TypeError, ValueError):
            raise InputError(
                "The assessment is incomplete or was changed. Choose a JSON file that this tool "
                "wrote."
            ) from None


def worst_of(found: Sequence[Assessment]) -> Assessment:
    """Return the worst of several attacks on the same people, with the others beside it.

    By its verdict, then by whether it surely exposes many, then by its loss.
    """

    def badness(each: Assessment) -> tuple[int, bool, float]:
        least = SEVERITY.index(Verdict.BELOW_LIMIT) if each.exposes_many else 0
        return max(least, SEVERITY.index(each.verdict)), each.exposes_many, each.decisive_alc

    worst = max(found, key=badness)
    return replace(worst, beside=tuple(each for each in found if each is not worst))
