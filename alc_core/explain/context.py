"""Context of an attack's ALC: k, uniqueness, majority, marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from alc_core.arrays import IntArray
from alc_core.assessment.loop import RunSettings
from alc_core.assessment.prepare import ScenarioData, ScenarioTargets
from alc_core.assessment.result import Assessment
from alc_core.assessment.run import Run
from alc_core.attacks.registry import refusal
from alc_core.baselines.families import Family
from alc_core.campaign.file.annotations import Annotations
from alc_core.campaign.file.store import CampaignReader, CampaignStore
from alc_core.campaign.plan.known_sets import HashedRows
from alc_core.errors import InputError
from alc_core.explain.trace import attack_of
from alc_core.phrasing import count, loss_text, percent, texts_beside
from alc_core.releases.registry import as_release
from alc_core.runtime.progress import Reporter
from alc_core.scoring.curves import PrecisionRecallCurve, best_measure
from alc_core.scoring.formulas import anonymity_loss
from alc_core.scoring.outcomes import Rest
from alc_core.scoring.parameters import ScoringParameters
from alc_core.scoring.readings import ComparedPoints
from alc_core.tables.table import Table

SMALL_CLASS = 5  # Smaller classes are small, a usual demand of k-anonymity


@dataclass(frozen=True, slots=True, kw_only=True)
class FamiliarNumbers:
    """Familiar numbers for the known columns of one scenario."""

    people: int  # People in the original
    k: int  # Smallest class of people sharing the known columns
    in_small_classes: float  # Share of people in classes below :data:`SMALL_CLASS`
    unique: float  # Share of people with a unique combination
    majority: float  # Share of the most frequent unknown value, after down-sampling
    majority_before: float  # And before


def familiar_numbers(data: ScenarioData, targets: ScenarioTargets) -> FamiliarNumbers:
    """Count classes, unique people and the most frequent value.

    References
    ----------
    Sweeney (2002), k-anonymity.
    """
    known = targets.scenario.known
    rows = HashedRows.of(data.encoded.data.original, known, person=data.people.person)
    sizes, weights = class_sizes(rows, known), np.full(rows.n_rows, 1.0)
    if rows.person is not None and rows.records is not None:
        weights /= rows.records[rows.person.astype(np.int64)]
    candidates = np.concatenate(targets.plan.targets)
    share = targets.plan.down_sampled_share
    majority = float(np.bincount(targets.unknown[candidates]).max() / len(candidates))
    small = weights[sizes < SMALL_CLASS].sum() / weights.sum()
    return FamiliarNumbers(
        people=data.people.count,
        k=int(sizes.min()),
        in_small_classes=float(min(1.0, small)),
        unique=rows.uniqueness(known).singled_out,
        majority=majority,
        majority_before=majority if share is None else share,
    )


def class_sizes(rows: HashedRows, columns: Sequence[str]) -> IntArray:
    """Return the number of people with each row's combination."""
    total = np.zeros(rows.n_rows, dtype=np.uint64)
    for column in columns:
        total += rows.keys[column]
    _, place = np.unique(total, return_inverse=True)
    counted = place
    if rows.person is not None:  # Each person counts once in a class
        people = rows.person.astype(np.int64)
        size = int(people.max()) + 1
        counted = np.unique(place * size + people) // size
    sizes: IntArray = np.bincount(counted, minlength=int(place.max()) + 1)[place]
    return sizes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CalibrationMark:
    """ALC of an attack on a table whose ALC is known beforehand."""

    attack: PrecisionRecallCurve  # Counts per threshold
    baseline: PrecisionRecallCurve
    interval: tuple[float, float]  # Of ALC, by bootstrap over targets
    scoring: ScoringParameters  # The run's; the interval belongs to it
    rest: Rest | None = None  # Among people the baseline does not know

    @classmethod
    def of(cls, assessment: Assessment) -> CalibrationMark:
        """Keep of an assessment what a mark needs."""
        return cls(
            attack=assessment.outcomes.attack,
            baseline=assessment.outcomes.baseline,
            interval=assessment.decisive_interval,
            scoring=assessment.scoring,
            rest=Rest.of(assessment.outcomes, assessment.scoring.precision_cap),
        )

    @property
    def targets(self) -> int:
        """People attacked."""
        return self.attack.attempts

    def loss(self, scoring: ScoringParameters) -> float:
        """Return the more severe reading; the first if the rest is unknown."""
        if self.rest is not None and self.rest.cap == scoring.precision_cap:
            points = ComparedPoints.of(self.attack, self.baseline, self.rest, scoring)
            return max(points.losses(scoring.loss).values())
        prcs = (best_measure(side, scoring).prc for side in (self.attack, self.baseline))
        return anonymity_loss(*prcs, kind=scoring.loss)

    def bounds(self, scoring: ScoringParameters) -> tuple[float, float] | None:
        """Return the interval; None if of another scoring or reading."""
        low, high = self.interval
        same = scoring.same_intervals(self.scoring)
        return self.interval if same and low <= self.loss(scoring) <= high else None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackContext:
    """Numbers only, no value of a person."""

    familiar: FamiliarNumbers  # Of known and unknown columns
    original: CalibrationMark | None = None  # Marks; None until computed
    shuffled: CalibrationMark | None = None

    @property
    def has_marks(self) -> bool:
        """Whether the marks were computed."""
        return self.original is not None and self.shuffled is not None


_CONTEXTS = Annotations("context", int, AttackContext)
keep_context, attack_contexts = _CONTEXTS.keep, _CONTEXTS.read


def attack_context(
    original: Table,
    run: Assessment,
    *,
    marks: bool = True,
    families: Sequence[Family] | None = None,
    reporter: Reporter | None = None,
) -> AttackContext:
    """Compute the context of an attack's ALC."""
    reporter = reporter or Reporter()
    attack = attack_of(run) if marks else None
    if attack is not None and (reason := refusal(attack.accepts, as_release(original))):
        raise InputError(f"Reference points attack the original, but '{run.attack_name}' {reason}.")
    if attack is not None and run.scenario.level == "release":
        raise InputError(f"The original lacks the release's classes of '{run.scenario.unknown}'.")
    reporter.report("Counting")
    scenario = replace(run.scenario, level="exact")
    data = ScenarioData.of(original, as_release(original), scenario)
    again = Run.on(data, scenario, RunSettings.again(run, families=families))
    familiar = familiar_numbers(data, again.prepared.targets)
    if attack is None:
        return AttackContext(familiar=familiar)
    shuffled = again.shuffled(np.random.default_rng([again.settings.seed, 5]))
    found = [
        CalibrationMark.of(released.attack(attack, reporter=reporter.of(words)))
        for words, released in (
            ("The original unchanged", again),
            ("The unknown column shuffled", shuffled),
        )
    ]
    return AttackContext(familiar=familiar, original=found[0], shuffled=found[1])


def without_marks(store: CampaignReader, numbers: Iterable[int]) -> list[int]:
    """Return the attacks whose context has no marks."""
    there = attack_contexts(store)
    return [n for n in numbers if n not in there or not there[n].has_marks]


def calibrate_campaign(
    original: Table,
    store: CampaignStore,
    numbers: Iterable[int],
    *,
    families: Sequence[Family] | None = None,
    reporter: Reporter | None = None,
) -> dict[int, str]:
    """Compute and keep contexts with marks where missing."""
    reporter = reporter or Reporter()
    missing = without_marks(store, numbers)
    computed: dict[tuple[str, str], AttackContext] = {}
    failed: dict[int, str] = {}
    for done, number in enumerate(missing):
        run = store.assessment(number)
        reporter.report(f"Attack {done + 1} of {len(missing)}", done, len(missing))
        key = run.scenario.key, run.attack_name
        try:
            if key not in computed:
                computed[key] = attack_context(
                    original, run, families=families, reporter=Reporter(cancel=reporter.cancel)
                )
        except InputError as error:
            failed[number] = str(error)
            continue
        keep_context(store, number, computed[key])
    return failed


def marks_seconds(store: CampaignReader, number: int) -> float:
    """Estimate the time of an attack's marks from the campaign's times."""
    seconds = store.seconds()
    scenario = {attack.number: attack.scenario for attack in store.attacks}
    alike = [seconds[other] for other in seconds if scenario.get(other) == scenario[number]]
    return max(alike, default=0.0) + seconds.get(number, 0.0)


_NEAR_ONE = 0.9
_NEAR_ZERO = 0.1


class ContextNumber(NamedTuple):
    """A number beside ALC."""

    term: str
    value: str  # The number, as it is shown
    meaning: str  # Meaning, and difference to ALC


def context_facts(
    context: AttackContext, scoring: ScoringParameters, *, loss: float
) -> list[ContextNumber]:
    """Return the numbers beside an ALC, each with its difference to that loss."""
    familiar, texts = context.familiar, texts_beside(__file__)
    down_sampled = familiar.majority_before > familiar.majority
    before = texts["majority"]["down_sampled"].format(before=percent(familiar.majority_before))
    numbers = {
        "k": count(familiar.k),
        "small": percent(familiar.in_small_classes),
        "others": SMALL_CLASS - 1,
        "unique": percent(familiar.unique),
        "majority": percent(familiar.majority),
        "down_sampled": before if down_sampled else "",
    }
    facts = [
        ContextNumber(
            *(texts[name][part].format(**numbers) for part in ("term", "value", "meaning"))
        )
        for name in ("k", "unique", "majority")
    ]
    if context.original is None or context.shuffled is None:
        return facts
    cap, shared = percent(scoring.precision_cap), percent(1 - familiar.unique)
    for name, mark, near, other in (
        ("original", context.original, "near_one", "lower"),
        ("shuffled", context.shuffled, "near_zero", "higher"),
    ):
        said, marked = texts[name], mark.loss(scoring)
        is_near = marked >= _NEAR_ONE if name == "original" else marked < _NEAR_ZERO
        against = texts["original"]["exceeded" if loss > marked else "against"]
        reading = said[near if is_near else other].format(cap=cap, shared=shared, against=against)
        meaning = said["meaning"].format(reading=reading)
        facts.append(ContextNumber(said["term"], mark_text(mark, scoring), meaning))
    return facts


def mark_text(mark: CalibrationMark, scoring: ScoringParameters) -> str:
    """Return a mark's ALC, with the interval if of this scoring."""
    loss, bounds = mark.loss(scoring), mark.bounds(scoring)
    words = f"ALC {loss_text(loss)}" if loss > 0 else "No loss"
    if bounds is None:
        return words
    level, (low, high) = percent(scoring.confidence), bounds
    inside = "no loss throughout" if high <= 0 else f"{loss_text(low)} to {loss_text(high)}"
    return f"{words} ({level} interval: {inside})"
