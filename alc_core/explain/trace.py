"""An attack rerun to see for whom it was correct; never stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import BoolArray, CodeArray, FloatArray, IntArray
from alc_core.assessment.loop import RunSettings, Tally
from alc_core.assessment.people import counted_from
from alc_core.assessment.prepare import ScenarioData
from alc_core.assessment.result import Assessment
from alc_core.assessment.run import Run
from alc_core.attacks.protocol import Attack, Predictions
from alc_core.attacks.registry import attack_type, make_attack
from alc_core.baselines.families import Family
from alc_core.baselines.folds import BaselinePredictions
from alc_core.errors import InputError
from alc_core.parameter import check_whole
from alc_core.phrasing import count, numbered, percent
from alc_core.releases.release import Release
from alc_core.runtime.progress import Reporter
from alc_core.scoring.intervals import wilson_interval
from alc_core.tables.codes.encode import CategoricalCodes, encode
from alc_core.tables.table import ColumnKind, Table
from alc_core.tables.values.dates import iso_day


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AttackTrace:
    """Outcome of each target by row of the original; never store it."""

    rows: NDArray[np.intp]  # Row of the original
    scores: FloatArray  # The attack's rank score, 0 where it abstained
    correct: BoolArray  # The attack's, or the baseline's where it abstained
    baseline_scores: FloatArray  # The same of the baseline
    baseline_correct: BoolArray
    guessed: BoolArray  # Whether the best guess is correct; see :class:`Outcomes`
    unknown: CodeArray  # Codes of the true unknown value
    codes: CategoricalCodes  # What these codes mean
    recall_scale: float  # See :class:`PrecisionRecallCurve`
    # Counts equal the stored result's. If not, software or settings changed.
    same: bool

    def __len__(self) -> int:
        return len(self.rows)


def attack_of(run: Assessment) -> Attack:
    """Return the attack of a result."""
    if attack_type(run.attack_name) is None:
        raise InputError(f"The attack '{run.attack_name}' is not registered. Register it first.")
    return make_attack(run.attack_name)


def trace_attack(
    original: Table,
    release: Release,
    run: Assessment,
    *,
    families: Sequence[Family] | None = None,
    reporter: Reporter | None = None,
) -> AttackTrace:
    """Rerun an attack with the same seed, and keep each target's outcome."""
    reporter = reporter or Reporter()
    attack = attack_of(run)
    reporter.report("Encoding the tables")
    data = ScenarioData.of(original, release, run.scenario)
    tracing = Run.on(data, run.scenario, RunSettings.again(run, families=families))
    targets, tally = tracing.prepared.targets, Tally()

    def watch(rows: NDArray[np.intp], attacked: Predictions, guessed: BaselinePredictions) -> None:
        tally.add(rows, targets.unknown[rows], attacked, guessed, run.scenario)

    again = tracing.attack(attack, reporter=reporter, watch=watch)
    return AttackTrace(
        rows=tally["rows"],
        scores=tally.attack_scores,
        correct=tally["attack_right"],
        baseline_scores=tally["baseline_scores"],
        baseline_correct=tally["baseline_right"],
        guessed=tally["guessed_right"],
        unknown=tally["truth"],
        codes=tracing.prepared.view.unknown,
        recall_scale=targets.plan.recall_scale,
        same=again.outcomes == run.outcomes,
    )


MASK = "•••"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExposedPeople:
    """People only the attack is right about, the most certain first."""

    rows: NDArray[np.intp]  # Rows of the original
    scores: NDArray[np.float64]  # Rank scores of the attack
    baseline_scores: NDArray[np.float64]  # Certainty of the baseline's wrong guess
    reverse: int  # People only the baseline is right about
    attacked: int

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def share(self) -> float:
        """Of all people attacked."""
        return len(self) / self.attacked


def exposed_people(trace: AttackTrace, run: Assessment) -> ExposedPeople:
    """Find people exposed, at their threshold."""
    answered, known = counted_from(run)
    made = (trace.scores >= answered) & (trace.baseline_scores < known)
    found = np.flatnonzero(made & trace.correct & ~trace.guessed)
    order = np.lexsort((trace.rows[found], -trace.baseline_scores[found], -trace.scores[found]))
    chosen = found[order]
    return ExposedPeople(
        rows=trace.rows[chosen],
        scores=trace.scores[chosen],
        baseline_scores=trace.baseline_scores[chosen],
        reverse=int((made & ~trace.correct & trace.guessed).sum()),
        attacked=len(trace),
    )


def exposed_sentence(exposed: ExposedPeople) -> str:
    """Say for how many only the attack, or only the best guess, is correct."""
    return (
        f"{count(exposed.attacked)} people: only the attack is correct about "
        f"{count(len(exposed))} ({percent(exposed.share)}), only the best guess about "
        f"{count(exposed.reverse)}."
    )


def exposed_table(
    exposed: ExposedPeople,
    original: Table,
    columns: tuple[str, ...],
    *,
    start: int = 0,
    rows: int = 20,
    reveal: bool = False,
) -> pd.DataFrame:
    """Lay out some of the exposed people."""
    places = np.arange(start, min(start + rows, len(exposed)))
    chosen = exposed.rows[places]
    table = {
        "Place": [str(place + 1) for place in places],
        "Rank score": [f"{score:.2f}" for score in exposed.scores[places]],
        "Row": [str(row + 1) if reveal else MASK for row in chosen],
    }
    for column in columns:
        if reveal:
            values = original.frame[column].iloc[chosen]
            shown = [MISSING if pd.isna(value) else str(value) for value in values]
        else:
            shown = [MASK] * len(places)
        # A column of the data may have our name
        table[f"{column} (column)" if column in table else column] = shown
    return pd.DataFrame(table, dtype="str")


MISSING = "(missing)"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TargetGroups:
    """To which group each target belongs."""

    column: str  # By which they are grouped
    names: tuple[str, ...]  # Groups in the column's order
    codes: NDArray[np.int64]  # Each target's index in `names`


def group_columns(original: Table, unknown: str) -> tuple[str, ...]:
    """Return columns to group people by, the unknown one first."""
    return (unknown, *(column for column in original.compared if column != unknown))


def group_targets(trace: AttackTrace, original: Table, column: str) -> TargetGroups:
    """Group the people attacked."""
    if column == trace.codes.name:
        return _categories(column, trace.codes, trace.unknown)
    data = encode(original, [], columns=[column])
    values, spec = data.original.columns[column][trace.rows], data.specs[column]
    if isinstance(spec, CategoricalCodes):
        return _categories(column, spec, np.asarray(values, dtype=np.int32))
    dates = original.kind(column) is ColumnKind.DATETIME
    return _quarters(column, np.asarray(values, dtype=np.float64), dates=dates)


def _categories(column: str, spec: CategoricalCodes, values: CodeArray) -> TargetGroups:
    order = _reading_order(spec.labels)
    place = np.empty(spec.size, dtype=np.int64)
    place[[*order, len(order)]] = np.arange(spec.size)
    names = (*(spec.labels[label] for label in order), MISSING)
    return TargetGroups(column=column, names=names, codes=place[values])


def _reading_order(labels: Sequence[str]) -> list[int]:
    """Return indices sorted by value if all are numbers."""
    try:
        numbers = [float(label) for label in labels]
    except ValueError:
        return list(range(len(labels)))
    return sorted(range(len(labels)), key=numbers.__getitem__)


def _quarters(column: str, values: FloatArray, *, dates: bool) -> TargetGroups:
    present = values[~np.isnan(values)]
    if not len(present):
        return TargetGroups(
            column=column, names=(MISSING,), codes=np.zeros(len(values), dtype=np.int64)
        )
    edges = np.unique(np.quantile(present, [0.25, 0.5, 0.75]))
    place = np.searchsorted(edges, values, side="left")
    used, codes = np.unique(np.where(np.isnan(values), len(edges) + 1, place), return_inverse=True)
    names = []
    for number in used:
        inside = values[(place == number) & ~np.isnan(values)]
        names.append(_range(inside, dates=dates) if number <= len(edges) else MISSING)
    return TargetGroups(column=column, names=tuple(names), codes=codes.astype(np.int64))


def _range(values: FloatArray, *, dates: bool) -> str:
    low, high = float(values.min()), float(values.max())
    words = [iso_day(end) if dates else f"{end:g}" for end in (low, high)]
    return words[0] if words[0] == words[1] else f"{words[0]} to {words[1]}"


MIN_PEOPLE = 20  # Smaller groups are not shown separately
MAX_GROUPS = 24  # If more, the smallest are pooled


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRisk:
    """The attack on one group of people, at one threshold."""

    group: str  # A value, range or pool
    pooled: int  # Groups pooled into this one
    people: int  # Attacked
    predictions: int  # At or above the threshold; correct ones
    true_predictions: int
    # Share of attacked people with a prediction (coverage)
    recall: float
    # With Wilson interval; NaN and (0, 1) without predictions
    precision: float
    precision_interval: tuple[float, float]
    baseline_precision: float  # The baseline on the same people
    baseline_interval: tuple[float, float]
    gain: float  # Precision minus the baseline's, paired (Bonett and Price, 2012)
    gain_interval: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown:
    """An attack split by a column."""

    column: str  # By which
    groups: tuple[GroupRisk, ...]  # In the column's order, a pool last
    suppressed_groups: int  # Too small even together
    min_people: int  # Smallest group shown
    confidence: float  # Level of the intervals


def break_down(
    trace: AttackTrace,
    groups: TargetGroups,
    *,
    threshold: float,
    confidence: float = 0.95,
    min_people: int = MIN_PEOPLE,
) -> Breakdown:
    """Split an attack by groups of people."""
    check_whole("min_people", min_people, 1)
    made = trace.scores >= threshold
    counts = np.stack(
        [
            np.bincount(groups.codes[chosen], minlength=len(groups.names))
            for chosen in (
                np.ones(len(trace), dtype=bool),
                made,
                made & trace.correct,
                made & trace.baseline_correct,
                made & trace.correct & ~trace.baseline_correct,
                made & ~trace.correct & trace.baseline_correct,
            )
        ]
    )
    alone, rest = _large_enough(counts[0], min_people)
    found = [_risk(groups.names[place], 0, counts[:, place], confidence) for place in alone]
    pooled = counts[:, rest].sum(axis=1)
    suppressed = bool(rest) and pooled[0] < min_people
    if rest and not suppressed:
        name = f"{len(rest)} smaller groups together" if len(rest) > 1 else groups.names[rest[0]]
        found.append(_risk(name, len(rest), pooled, confidence))
    return Breakdown(
        column=groups.column,
        groups=tuple(found),
        suppressed_groups=len(rest) if suppressed else 0,
        min_people=min_people,
        confidence=confidence,
    )


def _large_enough(people: IntArray, min_people: int) -> tuple[list[int], list[int]]:
    large = np.flatnonzero(people >= min_people)
    kept = large[np.argsort(-people[large], kind="stable")][:MAX_GROUPS]
    alone = sorted(kept.tolist())
    return alone, [place for place in np.flatnonzero(people).tolist() if place not in set(alone)]


def _risk(name: str, pooled: int, counts: IntArray, confidence: float) -> GroupRisk:
    people, made, right, base, gained, lost = map(int, counts)
    nothing = float("nan")
    return GroupRisk(
        group=name,
        pooled=pooled,
        people=people,
        predictions=made,
        true_predictions=right,
        recall=made / people,
        precision=right / made if made else nothing,
        precision_interval=_wilson(right, made, confidence),
        baseline_precision=base / made if made else nothing,
        baseline_interval=_wilson(base, made, confidence),
        gain=(right - base) / made if made else nothing,
        gain_interval=paired_interval(gained, lost, made, confidence=confidence),
    )


def _wilson(successes: int, trials: int, confidence: float) -> tuple[float, float]:
    low, high = wilson_interval(successes, trials, confidence=confidence)
    return float(low), float(high)


def paired_interval(
    gained: int, lost: int, pairs: int, *, confidence: float = 0.95
) -> tuple[float, float]:
    """Return the interval of a difference of paired shares.

    References
    ----------
    Bonett and Price (2012), Adjusted Wald confidence interval for a difference of binomial
    proportions based on paired data.

    Examples
    --------
    >>> low, high = paired_interval(30, 10, 100)
    >>> round(low, 3), round(high, 3)
    (0.078, 0.315)
    """
    quantile = NormalDist().inv_cdf((1 + confidence) / 2)
    first, second = (gained + 1) / (pairs + 2), (lost + 1) / (pairs + 2)
    difference = first - second
    width = quantile * ((first + second - difference**2) / (pairs + 2)) ** 0.5
    return max(difference - width, -1.0), min(difference + width, 1.0)


def breakdown_sentence(breakdown: Breakdown) -> str:
    """Say in how many groups the attack clearly beats the baseline."""
    judged = [group for group in breakdown.groups if group.predictions]
    if not judged:
        return "The attack does not answer in these groups."
    clear = [group for group in judged if group.gain_interval[0] > 0]
    number = numbered(len(judged), "group")
    if not clear:
        return f"The attack clearly beats the best guess in none of {number}."
    most = max(clear, key=lambda group: group.gain)
    low, high = most.gain_interval
    return (
        f"The attack clearly beats the best guess in {count(len(clear))} of {number}. Most: "
        f"{most.group}, {percent(most.precision)} of {count(most.predictions)} correct, against "
        f"{percent(most.baseline_precision)} ({100 * low:.0f} to {100 * high:.0f} points)."
    )


def reading_sentence(breakdown: Breakdown, unknown: str) -> str:
    """Say how to read the split, unfair to the baseline by the unknown value."""
    if breakdown.column != unknown:
        return "To the right, the release reveals something."
    return f"The best guess misses rare values of '{unknown}'."


def chance_sentence(breakdown: Breakdown) -> str:
    """Warn that many comparisons find differences by chance."""
    groups = sum(1 for group in breakdown.groups if group.predictions)
    expected = groups * (1 - breakdown.confidence)
    return f"About {expected:.1f} of {numbered(groups, 'group')} differ by chance alone."


def suppression_sentence(breakdown: Breakdown) -> str:
    """Say what was pooled or left out."""
    pooled = next((group for group in breakdown.groups if group.pooled), None)
    if pooled is not None:
        return (
            f"{numbered(pooled.pooled, 'group')} pooled: fewer than {breakdown.min_people} "
            f"people, or "
            f"beyond the {MAX_GROUPS} largest."
        )
    if breakdown.suppressed_groups:
        return (
            f"{numbered(breakdown.suppressed_groups, 'group')} excluded: fewer than "
            f"{breakdown.min_people} people in all."
        )
    return ""
