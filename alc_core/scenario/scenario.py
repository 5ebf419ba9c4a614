"""What is attacked: known and unknown columns, targets, and what is correct."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from alc_core.errors import ColumnError, InputError, ParameterError
from alc_core.parameter import check_name, check_whole
from alc_core.phrasing import in_list, listed, split_names
from alc_core.plain_values import read_only, to_plain
from alc_core.tables.households import Household, household_of

IntegerArray = NDArray[np.integer[Any]]

PopulationRecall = Literal["population", "group"]

YES, NO = "yes", "no"  # Values of a condition
# Separates column and value in a condition
SIGNS = re.compile(r"\s*(?:>=|<=|!=|=|<|>|(?<=\s)in(?=\s))\s*")
# Correct: the original's value, or its class in the release
Level = Literal["exact", "release"]


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far from the true number an answer may be.

    Attributes
    ----------
    distance : float
        In the column's unit (days for dates), or as a share.
    relative : bool
        Whether it is a share.

    Examples
    --------
    >>> print(Tolerance(2000), "or", Tolerance(0.1, relative=True))
    2000 or 10%
    """

    distance: float
    relative: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.distance < (1 if self.relative else float("inf")):
            below = " and below 100%" if self.relative else ""
            raise ParameterError(f"A tolerance must be above 0{below}, not {self}.")

    def __str__(self) -> str:
        return f"{100 * self.distance:g}%" if self.relative else f"{self.distance:.10g}"


def read_tolerances(texts: Iterable[str]) -> dict[str, Tolerance]:
    """Read tolerances by column from texts.

    Examples
    --------
    >>> read_tolerances(["income = 2000", "age=10%"])["age"]
    Tolerance(distance=0.1, relative=True)
    """
    found: dict[str, Tolerance] = {}
    for text in texts:
        column, _, distance = map(str.strip, text.rpartition("="))
        number = distance.removesuffix("%")
        try:
            value = float(number)
        except ValueError:
            value = None
        if not column or value is None:
            raise InputError(f"A tolerance is COLUMN=DISTANCE, such as income=10%, not '{text}'.")
        relative = number != distance
        tolerance = Tolerance(value / 100 if relative else value, relative)
        if found.setdefault(column, tolerance) != tolerance:
            raise InputError(
                f"'{column}' has two tolerances, {found[column]} and {tolerance}. Choose one."
            )
    return found


def read_where(texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Read conditions: a column's values, or another condition and "yes".

    Examples
    --------
    >>> read_where(["region = N, S", "income >= quantile 0.99"])
    {'region': ('N', 'S'), 'income >= quantile 0.99': ('yes',)}
    """
    found: dict[str, tuple[str, ...]] = {}
    for text in texts:
        sign = SIGNS.search(text)
        if sign is None:
            raise InputError(
                f"'{text}' is not a condition. Write COLUMN=VALUES or 'age in 20..25'."
            )
        if sign[0].strip() == "=":
            column = text[: sign.start()].strip()
            found[column] = (*found.get(column, ()), *split_names(text[sign.end() :]))
        else:
            found[text.strip()] = (YES,)
    return found


def condition_line(column: str, values: Sequence[str]) -> str:
    """Return a condition in :func:`read_where`'s syntax."""
    if (*values,) == (YES,) and SIGNS.search(column):
        return column
    return f"{column} = {', '.join(map(in_list, values))}"


def texts_of(given: Any) -> tuple[str, ...]:
    """Return one or several names or values as texts, as tables spell them.

    >>> texts_of(2020), texts_of(["age", ("income", 2020)])
    (('2020',), ('age', "('income', 2020)"))
    """
    several = isinstance(given, Iterable) and not isinstance(given, str)
    return tuple(map(str, given)) if several else (str(given),)


def _texts_by_column(given: Mapping[str, Sequence[str]]) -> Mapping[str, tuple[str, ...]]:
    return read_only({str(column): texts_of(values) for column, values in given.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """Who is attacked.

    Attributes
    ----------
    count : int, "all" or None
        This many people (or all), everyone, or by default as many as halting needs.
    where : mapping of str to tuple of str, or a condition as text
        Pre-targeted selection by column values, or "yes" of a condition such as ``"income >=
        quantile 0.99"``; see :func:`read_where`. Empty selects everyone.
    recall : {"population", "group"}
        Recall relative to the population (equation 4) or the pre-targeted group (equation 5).
    missing : mapping of str to sequence of str, or None
        "No value" markers by column, such as ``{"job": ("?", "n/a")}``. People with one, or an
        empty cell, as unknown value are not targets; an empty list excludes only empty cells. Other
        columns' markers are recognized (:func:`recognised_markers`). None excludes nobody.

    Examples
    --------
    >>> Targets(where={"region": ["N", "S"]}, count=400).conditions
    ('region = N or S',)
    """

    count: int | Literal["all"] | None = None
    where: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: read_only({}))
    recall: PopulationRecall = "population"
    missing: Mapping[str, tuple[str, ...]] | None = field(default_factory=lambda: read_only({}))

    if TYPE_CHECKING:

        def __init__(
            self,
            count: int | Literal["all"] | None = None,
            where: Mapping[str, Sequence[str]] | str = ...,
            recall: PopulationRecall = "population",
            missing: Mapping[str, Sequence[str]] | None = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        if self.count not in (None, "all") and (
            not isinstance(self.count, int) or isinstance(self.count, bool) or self.count < 35
        ):
            raise ParameterError(
                f"targets must be 'all' or a whole number of at least 35, not {self.count!r}."
            )
        check_name("recall", self.recall, ("population", "group"))
        where: object = self.where
        if isinstance(where, str):
            object.__setattr__(self, "where", read_where([where]))
        object.__setattr__(self, "where", _texts_by_column(self.where))
        if self.missing is not None:
            object.__setattr__(self, "missing", _texts_by_column(self.missing))

    @property
    def conditions(self) -> tuple[str, ...]:
        """The selection in words, a condition each."""
        return tuple(
            line if line == column else f"{column} = {listed(values, last='or')}"
            for column, values in self.where.items()
            for line in (condition_line(column, values),)
        )

    def __hash__(self) -> int:
        missing = None if self.missing is None else frozenset(self.missing.items())
        return hash((self.count, frozenset(self.where.items()), self.recall, missing))


@dataclass(frozen=True, slots=True)
class Scenario:
    """One attribute-inference scenario.

    Parameters
    ----------
    known : sequence of str
        Known columns (quasi-identifiers, key variables), possibly derived.
    unknown : str
        Column to infer (sensitive attribute), or a derived one (:mod:`alc_core.scenario.derived`):
        several jointly (``"job & income"``), membership in a set or range (``"diagnosis in
        C50|C51"``), a summary of a person's records (``"mean cost per patient"``).
    targets : Targets, int or "all", optional
        A number or "all" is short for ``Targets(count=...)``.
    down_sample : bool, default True
        Thin an unknown value of over half of the people to half of the attempts.
    person : str, optional
        Person column: a person's records stay together, and one is the target.
    household : str or sequence of str, optional
        Household column; a household also stays together. With several, people who agree in all are
        one household; these may also be known or unknown. With all columns, copies but for two
        cells also belong together.
    bins : int, default 20
        Bins of a continuous unknown column, of equal width, or of equal counts if one bin would
        hold over half of the people.
    tolerance : Tolerance, optional
        Instead of bins.
    level : {"exact", "release"}, default "exact"
        "release": attack, baseline and truth have the release's classes, such as age ranges.

    Raises
    ------
    ColumnError
        If no column is known, one is named twice, or the unknown one is also known.

    Examples
    --------
    >>> Scenario(["age", "sex"], "income").known
    ('age', 'sex')
    """

    known: Sequence[str]
    unknown: str
    targets: Targets | int | Literal["all"] = Targets()
    down_sample: bool = True
    person: str | None = None
    household: Household = None
    bins: int = 20
    tolerance: Tolerance | None = None
    level: Level = "exact"

    def __post_init__(self) -> None:
        unknown: Any = self.unknown
        if unknown is None or isinstance(unknown, list):
            raise ColumnError(f"The unknown column is {unknown!r}. Name one, or 'job & income'.")
        known = () if self.known is None else texts_of(self.known)
        targets = self.targets
        tidy: dict[str, Any] = {
            "known": known,
            "unknown": str(unknown),
            "targets": targets if isinstance(targets, Targets) else Targets(count=targets),
            "person": None if self.person is None else str(self.person),
            "household": self.household and household_of(texts_of(self.household)),
        }
        for name, value in tidy.items():
            object.__setattr__(self, name, value)
        if not known:
            raise ColumnError("Choose a known column.")
        if twice := sorted({column for column in known if known.count(column) > 1}):
            raise ColumnError(f"Known column '{twice[0]}' is named twice. Name it once.")
        if self.unknown in known:
            raise ColumnError(
                f"Column '{self.unknown}' is both known and unknown. Remove it from one."
            )
        if self.unknown in self.selection.where:
            raise ColumnError(f"People cannot be selected by the unknown column '{self.unknown}'.")
        roles = (  # An attacker knows an address, and a household
            ("person", self.person, self.columns),
            ("household", self.household, (self.unknown,)),
        )
        for role, column, used in roles:
            if column is not None and column in used:
                raise ColumnError(
                    f"Column '{column}' cannot be both the {role} column and part of the attack."
                )
        check_whole("bins", self.bins, 2)
        check_name("level", self.level, ("exact", "release"))

    @property
    def wanted(self) -> str:
        """The unknown column, or its class in the release."""
        return self.unknown if self.level == "exact" else f"{self.unknown} class"

    @property
    def near(self) -> bool:
        """Whether neighbouring codes are also correct, by a tolerance."""
        return self.tolerance is not None and self.level == "exact"

    def require_exact(self, what: str) -> None:
        """Refuse a tolerance and the release's level if unsupported.

        Raises
        ------
        ParameterError
            If the scenario has one of them.
        """
        if self.tolerance is not None or self.level != "exact":
            raise ParameterError(f"{what} takes no tolerance and no level.")

    @property
    def selection(self) -> Targets:
        """Who is attacked, as :class:`Targets`."""
        if not isinstance(self.targets, Targets):  # pragma: no cover - set in __post_init__
            raise TypeError("targets")
        return self.targets

    @property
    def markers(self) -> tuple[str, ...]:
        """Named "no value" markers of the unknown column."""
        return (self.selection.missing or {}).get(self.unknown, ())

    @property
    def columns(self) -> tuple[str, ...]:
        """The known columns, then the unknown one."""
        return (*self.known, self.unknown)

    @property
    def named(self) -> tuple[str, ...]:
        """The attack's columns, and those that select people."""
        return (*self.columns, *self.selection.where)

    @property
    def key(self) -> str:
        """A text that only equal scenarios share."""
        return repr(self.to_dict())

    def is_right(self, predicted: IntegerArray, truth: IntegerArray) -> NDArray[np.bool_]:
        """Return which predictions are correct.

        Parameters
        ----------
        predicted, truth : ndarray of int of shape (n_targets,)
            Codes, or bins if continuous.

        Returns
        -------
        ndarray of bool of shape (n_targets,)
            Under a tolerance also for neighbours.
        """
        right: NDArray[np.bool_] = np.abs(predicted - truth) <= self.near
        return right

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, without default tolerance and level."""
        plain: dict[str, Any] = to_plain(self)
        if self.tolerance is None:
            del plain["tolerance"]
        if self.level == "exact":
            del plain["level"]
        return plain
