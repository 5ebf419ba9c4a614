"""The worked example: an attack on private counts that is often right and yet no loss."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from alc_core.assessment.run import assess
from alc_core.assessment.words import loss_text
from alc_core.campaign.file.annotations import Annotations, KeptResults
from alc_core.phrasing import decimal, percent
from alc_core.releases.registry import TableLike, as_table
from alc_core.releases.samples.noisy_counts import noisy_counts
from alc_core.runtime.progress import CancelCallback, ProgressCallback
from alc_core.scoring.verdict import Verdict
from alc_core.studies.learning.data import learning_data
from alc_core.studies.learning.result import OTHER_ORIGINAL, PARAMETERS, StudySettings

ATTACK = "naive bayes"
"""What attacks the counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsExample:
    """The naive Bayes attack on counts with noise, beside its baseline."""

    original: str  # Name and fingerprint of the original
    fingerprint: str
    unknown: str  # The column that is attacked
    known: tuple[str, ...]  # What the attacker knows
    epsilon: float  # Privacy budget of the counts
    people: int  # People attacked
    accuracy: float  # Share of them about whom the attack is right
    # Share about whom the baseline is right, which never saw their records
    baseline_accuracy: float
    commonest: float  # Share of all people who have the most frequent value
    alc: float  # The reading of ALC that decides
    interval: tuple[float, float]
    verdict: Verdict  # What follows


KEPT_EXAMPLES = KeptResults(
    Annotations("learning example", str, CountsExample),
    key=lambda example: example.unknown,
    refusal=OTHER_ORIGINAL,
)


def counts_example(
    original: TableLike,
    settings: StudySettings,
    *,
    epsilon: float = 1.0,
    accept: Collection[str] = (),
    progress: ProgressCallback | None = None,
    cancel: CancelCallback | None = None,
) -> CountsExample:
    """Publish counts of an original with noise, in memory, and assess the naive Bayes attack."""
    PARAMETERS["epsilon"].check(epsilon)
    table = as_table(original, name="original")
    release = noisy_counts(
        table, unknown=settings.unknown, known=settings.known, epsilon=epsilon,
        ranges=settings.ranges, bins=settings.bins, person=settings.person, seed=settings.seed,
    )  # fmt: skip
    found = assess(
        table, release, settings.scenario, attack=ATTACK, seed=settings.seed, accept=accept,
        progress=progress, cancel=cancel,
    )  # fmt: skip
    everybody = replace(settings, holdout_share=0.0)
    people = learning_data(table, everybody, holdout=None, rng=np.random.default_rng(settings.seed))
    return CountsExample(
        original=table.name,
        fingerprint=table.fingerprint,
        unknown=settings.unknown,
        known=settings.known,
        epsilon=epsilon,
        people=found.attempts,
        accuracy=float(found.outcomes.joint[:, 1].mean()),
        baseline_accuracy=float(found.outcomes.joint[:, 3].mean()),
        commonest=people.commonest,
        alc=found.loss_of(found.decisive),
        interval=found.interval_of(found.decisive),
        verdict=found.verdict,
    )


def example_sentence(example: CountsExample) -> str:
    """Say what the attack is right about, and what of that is a loss."""
    times = example.accuracy / example.commonest
    far = (
        f", {times:.1f} times as often as always naming the most frequent value"
        if times >= 1.1
        else ", hardly more often than always naming the most frequent value"
    )
    start = (
        f"With counts of ε = {decimal(example.epsilon)} the attack names the right value of "
        f"'{example.unknown}' for {percent(example.accuracy)} of the people{far} "
        f"({percent(example.commonest)}). The baseline, which never saw these people's records, "
        f"does so for {percent(example.baseline_accuracy)}."
    )
    if example.verdict in (Verdict.NO_LOSS, Verdict.SAFE, Verdict.NOTHING_LEFT):
        more = "hardly more" if example.verdict is Verdict.SAFE else "no more"
        return (
            f"{start} So the release tells an attacker {more} about these people than the same "
            f"population without them would: ALC {loss_text(example.alc)}. The attack is a success "
            "of statistics, and not a breach of anybody's anonymity."
        )
    if example.verdict is Verdict.UNDECIDED:
        low, high = map(loss_text, example.interval)
        return (
            f"{start} Whether the counts tell more about these people than a guess that never saw "
            f"them is open: ALC {loss_text(example.alc)}, interval {low} to {high}."
        )
    return (
        f"{start} ALC {loss_text(example.alc)}: the counts tell more about these people than a "
        "guess that never saw them. A larger part of the success is about the people themselves."
    )
