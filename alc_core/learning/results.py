"""What a study of learning attacks found: accuracies, shares and counts, no rows of people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

from alc_core.learning.settings import StudySettings

Predictor = Literal["permutation", "group", "open"]

PREDICTORS: tuple[Predictor, ...] = ("permutation", "group", "open")
"""Ways in which the deFinetti attack predicts, in the paper's order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Lowest, mean and highest of several repetitions."""

    lowest: float
    mean: float
    highest: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        """Summarize at least one value."""
        return cls(lowest=min(values), mean=sum(values) / len(values), highest=max(values))


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """How often a classifier is right."""

    everybody: float  # Among all people: it answers for each of them
    # Among those of whom it believes its answer with more than the threshold; None where it does so
    # of nobody
    believed: float | None
    believed_share: float  # Share of the people of whom it does


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisePoint:
    """The naive Bayes attack on counts of one privacy budget."""

    epsilon: float  # The budget
    # On the people who are in the counts, one for each draw of the noise
    members: tuple[Accuracy, ...]
    holdout: tuple[Accuracy, ...]  # On people who are not; empty where nobody was held out


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseStudy:
    """The naive Bayes attack on published counts."""

    points: tuple[NoisePoint, ...]  # By rising ε
    tables: int  # Tables that are published, one for each known column, and their counts altogether
    cells: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """How the deFinetti attack converges, at rounds that are spread over its run."""

    rounds: tuple[int, ...]  # From 1
    # Mean change of the learned joint distributions from one round to the next: the L1 distance,
    # between 0 and 2
    change: tuple[float, ...]
    accuracy: tuple[float, ...]  # Of the permutation at that round


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPoint:
    """The deFinetti attack on groups of one diversity."""

    level: int  # Diversity ℓ, and how many of Anatomy's groups are merged into one
    merged: int
    groups: int  # How many there are
    permutation: tuple[float, ...]  # Accuracy of each predictor, one for each chain
    group: tuple[float, ...]
    open: tuple[float, ...]
    trace: Trace  # Of the first chain

    def spread(self, predictor: Predictor) -> Spread:
        """Return a predictor's accuracy over the chains."""
        return Spread.of(getattr(self, predictor))

    @property
    def best(self) -> Predictor:
        """The predictor that is right most often."""
        return max(PREDICTORS, key=lambda each: self.spread(each).mean)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupStudy:
    """The deFinetti attack on Anatomy."""

    points: tuple[GroupPoint, ...]  # By merging, then by rising ℓ
    impossible: dict[int, str]  # Levels ℓ that these data cannot have, with the reason


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningStudy:
    """What attacks learn from published counts and from groups of one original.

    Attributes
    ----------
    original : str
        Its name.
    fingerprint : str
        Of the original.
    settings : StudySettings
        What was tried.
    members, held_out : int
        Rows in counts and groups, and rows left out of them.
    own_holdout : bool
        Whether the rows left out come from a table of their own and not from the original.
    values : int
        Different values of the unknown column.
    commonest : float
        Share of the members who have the most frequent one.
    noiseless_members : Accuracy
        Of the naive Bayes classifier from exact counts, on the members.
    noiseless_holdout : Accuracy or None
        On the people held out.
    noise, groups
        The two studies; None for one that was not asked for.
    notes : tuple of str
        What a reader must know: samples, ranges, people left out.
    """

    original: str
    fingerprint: str
    settings: StudySettings
    members: int
    held_out: int
    own_holdout: bool
    values: int
    commonest: float
    noiseless_members: Accuracy
    noiseless_holdout: Accuracy | None
    noise: NoiseStudy | None
    groups: GroupStudy | None
    notes: tuple[str, ...]

    @property
    def noise_points(self) -> tuple[NoisePoint, ...]:
        """The attacks on counts, by rising ε."""
        return () if self.noise is None else self.noise.points

    @property
    def merged(self) -> tuple[int, ...]:
        """How many groups were merged into one, each number that there are results of."""
        return tuple(sorted({p.merged for p in self.groups.points})) if self.groups else ()

    def group_points(self, merged: int) -> tuple[GroupPoint, ...]:
        """Return the attacks on tight groups (1) or on merged ones, by rising ℓ."""
        points = () if self.groups is None else self.groups.points
        return tuple(point for point in points if point.merged == merged)


FEWEST_BELIEVED = 30
"""People without whom an accuracy above the belief threshold says little."""


def everybody(accuracies: Sequence[Accuracy]) -> Spread:
    """Return the accuracy among all people over repetitions."""
    return Spread.of([each.everybody for each in accuracies])


def believed(accuracies: Sequence[Accuracy], people: int) -> Spread | None:
    """Return the accuracy above the belief threshold."""
    values = [each.believed for each in accuracies if each.believed is not None]
    if not values or believed_share(accuracies).mean * people < FEWEST_BELIEVED:
        return None
    return Spread.of(values)


def believed_share(accuracies: Sequence[Accuracy]) -> Spread:
    """Return the share of people above the belief threshold."""
    return Spread.of([each.believed_share for each in accuracies])
