"""What a study of learning attacks tries out: columns, noise, groups, repetitions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from alc_core.errors import ParameterError
from alc_core.parameter import Parameter
from alc_core.phrasing import count, decimal
from alc_core.scenario.scenario import Scenario, Targets

EPSILONS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Privacy budgets that are tried unless others are asked for."""

LEVELS = (2, 3, 4, 5, 6, 7)
"""Levels of diversity that are tried unless others are asked for."""

FULL_ROUNDS = 1000
"""Rounds of the deFinetti attack in Cormode's paper."""

PARAMETERS: Mapping[str, Parameter] = MappingProxyType(
    {
        parameter.name: parameter
        for parameter in (
            Parameter(
                name="epsilon", title="Privacy budget ε", default=1.0, low=0.0, low_open=True,
                high=1000.0,
                help="Of differential privacy: the smaller, the more noise is added to the counts.",
            ),
            Parameter(
                name="repetitions", title="Repetitions", default=10, low=1, high=100,
                help="How often the noise is drawn anew for each ε.",
            ),
            Parameter(
                name="belief", title="Belief threshold", default=0.8, low=0.0, high=1.0,
                high_open=True, step=0.05,
                help="The attacker answers only where the probability of the likeliest value is "
                "above this.",
            ),
            Parameter(
                name="holdout_share", title="Share held out", default=0.2, low=0.0, high=0.5,
                step=0.05,
                help="Share of the people of the original who are left out of all counts and "
                "groups, to be attacked as people whom the release does not hold.",
            ),
            Parameter(
                name="level", title="Diversity ℓ", default=4, low=2, high=50,
                help="Each group of Anatomy holds at least ℓ different values, none more often "
                "than in one of ℓ rows.",
            ),
            Parameter(
                name="merged", title="Groups merged", default=1, low=1, high=5,
                help="How many neighbouring groups become one: larger groups of the same ℓ.",
            ),
            Parameter(
                name="rounds", title="Rounds", default=300, low=10, high=10_000, step=100,
                help="Of the deFinetti attack: how often it learns from its guesses and guesses "
                f"anew. The paper takes {count(FULL_ROUNDS)}.",
            ),
            Parameter(
                name="chains", title="Chains", default=1, low=1, high=10,
                help="How often the deFinetti attack starts afresh from other random guesses.",
            ),
            Parameter(
                name="ranges", title="Ranges of known numbers", default=10, low=2, high=100,
                help="Into so many ranges of about as many people known columns of numbers are "
                "cut.",
            ),
            Parameter(
                name="bins", title="Ranges of the unknown column", default=20, low=2, high=100,
                help="Into so many ranges of equal width an unknown column of numbers is cut.",
            ),
            Parameter(
                name="most_rows", title="Most rows", default=50_000, low=100, high=10_000_000,
                help="Of a larger original so many rows are drawn at random.",
            ),
        )
    }
)  # fmt: skip
"""By name; of the tuples `epsilons`, `levels` and `merged` each entry is held to the bounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySettings:
    """What a study of learning attacks tries out.

    Attributes
    ----------
    unknown : str
        The column that the attacker wants to learn.
    known : tuple of str
        The columns that the attacker knows.
    missing : tuple of str or None
        Values of the unknown column that mean "no value", beside empty cells; None for what is
        recognised. Rows without a value take no part.
    person : str or None
        Column that says whose record a row is: all records of a person are held out together.
    epsilons : tuple of float
        Privacy budgets of the published counts.
    repetitions : int
        Draws of the noise for each of them.
    belief : float
        The attacker of the second figure answers only above it.
    holdout_share : float
        Share of the rows that are left out of counts and groups; 0 for none.
    levels : tuple of int
        Diversities ℓ of Anatomy's groups; without any, groups are not studied.
    merged : tuple of int
        How many neighbouring groups become one; 1 for Anatomy's own, tight groups.
    rounds, chains : int
        Of the deFinetti attack.
    ranges : int
        Ranges of about as many people that known columns of numbers are cut into.
    bins : int
        Ranges that an unknown column of numbers is cut into.
    most_rows : int
        Of a larger original so many rows are drawn at random.
    seed : int
        Same original and settings, same results.
    """

    unknown: str
    known: tuple[str, ...]
    missing: tuple[str, ...] | None = None
    person: str | None = None
    epsilons: tuple[float, ...] = EPSILONS
    repetitions: int = 10
    belief: float = 0.8
    holdout_share: float = 0.2
    levels: tuple[int, ...] = LEVELS
    merged: tuple[int, ...] = (1, 2)
    rounds: int = 300
    chains: int = 1
    ranges: int = 10
    bins: int = 20
    most_rows: int = 50_000
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "known", self.scenario.known)
        for name in ("repetitions", "belief", "holdout_share", "rounds", "chains", "ranges",
                     "bins", "most_rows"):  # fmt: skip
            PARAMETERS[name].check(getattr(self, name))
        for several, name in (("epsilons", "epsilon"), ("levels", "level"), ("merged", "merged")):
            values = getattr(self, several)
            for value in values:
                PARAMETERS[name].check(value)
            object.__setattr__(self, several, tuple(sorted(set(values))))
        if not self.epsilons and not self.levels:
            raise ParameterError("There is nothing to study. Name at least one ε or ℓ.")
        if self.levels and not self.merged:
            raise ParameterError("merged must name at least one number of groups, such as 1.")

    @property
    def scenario(self) -> Scenario:
        """Known and unknown columns as an attack on a release takes them."""
        missing = {} if self.missing is None else {self.unknown: self.missing}
        return Scenario(
            self.known, self.unknown, targets=Targets(missing=missing), person=self.person,
            bins=self.bins,
        )  # fmt: skip


def read_epsilons(text: str) -> tuple[float, ...]:
    """Return the privacy budgets in a text, separated by spaces or semicolons, or ", ".

    Examples
    --------
    >>> read_epsilons("0.01, 0.1 1")
    (0.01, 0.1, 1.0)
    """
    words = text.replace(",", " ").replace(";", " ").split()
    return tuple(sorted({float(PARAMETERS["epsilon"].read(word)) for word in words}))


def written_epsilons(epsilons: tuple[float, ...]) -> str:
    """Return privacy budgets as :func:`read_epsilons` takes them."""
    return ", ".join(map(decimal, epsilons))
