"""Settings and results of a study of learning attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, Self

from alc_core.campaign.file.annotations import KeptResults
from alc_core.errors import ParameterError
from alc_core.parameter import Parameter, check_whole
from alc_core.phrasing import count
from alc_core.scenario.scenario import Scenario, Targets

# Default privacy budgets
EPSILONS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
LEVELS = (2, 3, 4, 5, 6, 7)  # Default levels of diversity
FULL_ROUNDS = 1000  # Rounds of the deFinetti attack in Cormode's paper
# Each entry of `epsilons`, `levels` and `merged` has these bounds
PARAMETERS: Mapping[str, Parameter] = MappingProxyType(
    {
        parameter.name: parameter
        for parameter in (
            Parameter(
                name="epsilon", title="Privacy budget ε", default=1.0, low=0.0, low_open=True,
                high=1000.0,
                help="Smaller means more noise.",
            ),
            Parameter(
                name="repetitions", title="Repetitions", default=10, low=1, high=100,
                help="For each ε.",
            ),
            Parameter(
                name="belief", title="Belief threshold", default=0.8, low=0.0, high=1.0,
                high_open=True, step=0.05,
                help="Answers only above this belief.",
            ),
            Parameter(
                name="holdout_share", title="Share held out", default=0.2, low=0.0, high=0.5,
                step=0.05,
                help="People attacked for comparison.",
            ),
            Parameter(
                name="level", title="Diversity ℓ", default=4, low=2, high=50,
                help="No value fills more than 1/ℓ of a group's rows.",
            ),
            Parameter(
                name="merged", title="Groups merged", default=1, low=1, high=5,
                help="Neighbouring groups merged into one.",
            ),
            Parameter(
                name="rounds", title="Rounds", default=300, low=10, high=10_000, step=100,
                help=f"In the deFinetti attack; {count(FULL_ROUNDS)} in the paper.",
            ),
            Parameter(
                name="chains", title="Chains", default=1, low=1, high=10,
                help="In the deFinetti attack.",
            ),
            Parameter(
                name="ranges", title="Ranges of known numbers", default=10, low=2, high=100,
                help="About equal in size.",
            ),
            Parameter(
                name="bins", title="Ranges of the unknown column", default=20, low=2, high=100,
                help="Equal in width.",
            ),
            Parameter(
                name="most_rows", title="Maximum rows", default=50_000, low=100, high=10_000_000,
                help="Larger originals are sampled.",
            ),
        )
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySettings:
    """What a study of learning attacks tries out.

    Examples
    --------
    >>> StudySettings(unknown="income", known=("age", "sex"), epsilons=(1.0, 0.1)).epsilons
    (0.1, 1.0)
    """

    unknown: str
    known: tuple[str, ...]
    missing: tuple[str, ...] | None = None  # Besides empty cells; by default what is recognized
    person: str | None = None  # Column of persons, held out with all records
    epsilons: tuple[float, ...] = EPSILONS
    repetitions: int = 10  # Draws of noise for each ε
    belief: float = 0.8  # Answer only above it, in the second figure
    holdout_share: float = 0.2  # Of the rows; 0 for none
    levels: tuple[int, ...] = LEVELS  # Without any, groups are not studied
    merged: tuple[int, ...] = (1, 2)  # Groups merged into one; 1 for Anatomy's own
    rounds: int = 300  # Of the deFinetti attack
    chains: int = 1
    ranges: int = 10  # Of known numbers, about equally full
    bins: int = 20  # Of an unknown column of numbers
    most_rows: int = 50_000  # A larger original is sampled
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "known", self.scenario.known)
        check_whole("seed", self.seed)
        for name in ("repetitions", "belief", "holdout_share", "rounds", "chains", "ranges",
                     "bins", "most_rows"):  # fmt: skip
            PARAMETERS[name].check(getattr(self, name))
        for several, name in (("epsilons", "epsilon"), ("levels", "level"), ("merged", "merged")):
            values = getattr(self, several)
            for value in values:
                PARAMETERS[name].check(value)
            object.__setattr__(self, several, tuple(sorted(set(values))))
        if not self.epsilons and not self.levels:
            raise ParameterError("Name at least one ε or ℓ.")
        if self.levels and not self.merged:
            raise ParameterError("Name at least one number of groups, such as 1.")

    @property
    def scenario(self) -> Scenario:
        """Known and unknown columns as a scenario."""
        missing = {} if self.missing is None else {self.unknown: self.missing}
        return Scenario(
            self.known, self.unknown, targets=Targets(missing=missing), person=self.person,
            bins=self.bins,
        )  # fmt: skip


def read_epsilons(text: str) -> tuple[float, ...]:
    """Return a text's privacy budgets, separated by spaces, semicolons or ", ".

    Examples
    --------
    >>> read_epsilons("0.01, 0.1 1")
    (0.01, 0.1, 1.0)
    """
    words = text.replace(",", " ").replace(";", " ").split()
    return tuple(sorted({float(PARAMETERS["epsilon"].read(word)) for word in words}))


Predictor = Literal["permutation", "group", "open"]

# The deFinetti attack's predictions, in the paper's order
PREDICTORS: tuple[Predictor, ...] = ("permutation", "group", "open")


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
    """How often a classifier is correct."""

    everybody: float  # Among all people
    believed: float | None  # Among people with a belief above the threshold, if any
    believed_share: float  # Share of such people


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisePoint:
    """The naive Bayes attack on counts of one privacy budget."""

    epsilon: float
    members: tuple[Accuracy, ...]  # One per draw of noise
    holdout: tuple[Accuracy, ...]  # Empty if nobody was held out


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseStudy:
    """The naive Bayes attack on published counts."""

    points: tuple[NoisePoint, ...]  # By rising ε
    tables: int  # Published tables, one for each known column, and all counts
    cells: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Convergence of the deFinetti attack, at rounds over its run."""

    rounds: tuple[int, ...]  # From 1
    change: tuple[float, ...]  # Mean L1 distance to the round before, 0 to 2
    accuracy: tuple[float, ...]  # Of the permutation at that round


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPoint:
    """The deFinetti attack on groups of one diversity."""

    level: int  # Diversity ℓ, and Anatomy's groups merged into one
    merged: int
    groups: int  # How many there are
    permutation: tuple[float, ...]  # Each predictor's accuracy by chain
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
    impossible: dict[int, str]  # Impossible levels ℓ, with the reason


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningStudy:
    """What attacks learn from counts and groups of one original.

    Examples
    --------
    >>> import alc_core as alc
    >>> settings = alc.StudySettings(unknown="age", known=("educ",), epsilons=(1.0,), levels=())
    >>> study = alc.study_learning(alc.load_demo("fair").original, settings)
    >>> study.noise_points[0].epsilon
    1.0
    """

    original: str  # Its name
    fingerprint: str
    settings: StudySettings
    members: int  # Rows in counts and groups
    held_out: int  # Rows left out of them
    own_holdout: bool  # Whether they have a table of their own
    values: int  # Different values of the unknown column
    commonest: float  # Share of members with the most frequent value
    noiseless_members: Accuracy  # Of naive Bayes from exact counts
    noiseless_holdout: Accuracy | None
    noise: NoiseStudy | None  # None if not asked for
    groups: GroupStudy | None
    notes: tuple[str, ...]

    @property
    def noise_points(self) -> tuple[NoisePoint, ...]:
        """The attacks on counts, by rising ε."""
        return () if self.noise is None else self.noise.points

    @property
    def merged(self) -> tuple[int, ...]:
        """Numbers of groups merged into one."""
        return tuple(sorted({p.merged for p in self.groups.points})) if self.groups else ()

    def group_points(self, merged: int) -> tuple[GroupPoint, ...]:
        """Return attacks on tight groups (1) or merged ones, by rising ℓ."""
        points = () if self.groups is None else self.groups.points
        return tuple(point for point in points if point.merged == merged)


FEWEST_BELIEVED = 30  # Least people for an accuracy above the belief threshold


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


KEPT_STUDIES = KeptResults(
    "learning attacks", LearningStudy, key=lambda study: study.settings.unknown
)
