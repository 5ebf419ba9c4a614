"""The naive Bayes attack on counts with more and less noise."""

from __future__ import annotations

import numpy as np

from alc_core.attacks.beliefs import above_belief
from alc_core.attacks.naive_bayes import NaiveBayesModel
from alc_core.learning.data import CodedPeople, StudyData
from alc_core.learning.results import Accuracy, NoisePoint, NoiseStudy
from alc_core.learning.settings import StudySettings
from alc_core.releases.contingency import FloatArray, contingency
from alc_core.releases.samples.noisy_counts import with_noise
from alc_core.runtime.progress import Reporter

STAGE = "Attacking counts"


def exact_counts(data: StudyData) -> list[FloatArray]:
    """Return the counts of each known column with the unknown one, of the members."""
    return contingency(data.members.columns, data.members.unknown, data.sizes, data.values)


def accuracy_of(model: NaiveBayesModel, people: CodedPeople, *, belief: float) -> Accuracy:
    """Return how often a classifier is right about some people."""
    posterior = model.posterior(people.columns)
    everybody = above_belief(posterior, people.unknown, -1.0)
    believed = above_belief(posterior, people.unknown, belief)
    return Accuracy(
        everybody=everybody.accuracy,
        believed=believed.accuracy if believed.n_people else None,
        believed_share=believed.share,
    )


def study_noise(
    data: StudyData,
    settings: StudySettings,
    *,
    seed: np.random.SeedSequence,
    reporter: Reporter,
) -> NoiseStudy:
    """Attack counts with noise of every privacy budget, several times."""
    counts = exact_counts(data)
    total = len(settings.epsilons) * settings.repetitions
    points: list[NoisePoint] = []
    for epsilon, of_epsilon in zip(
        settings.epsilons, seed.spawn(len(settings.epsilons)), strict=True
    ):
        members, holdout = [], []
        for repetition, of_repetition in enumerate(of_epsilon.spawn(settings.repetitions)):
            reporter.report(STAGE, len(points) * settings.repetitions + repetition, total)
            rng = np.random.default_rng(of_repetition)
            noisy = with_noise(counts, epsilon, rng, rows=data.most_rows)
            model = NaiveBayesModel.of_counts(noisy)
            members.append(accuracy_of(model, data.members, belief=settings.belief))
            if data.holdout is not None:
                holdout.append(accuracy_of(model, data.holdout, belief=settings.belief))
        points.append(NoisePoint(epsilon=epsilon, members=tuple(members), holdout=tuple(holdout)))
    cells = sum(table.size for table in counts)
    return NoiseStudy(points=tuple(points), tables=len(counts), cells=cells)
