"""Releases that leak a known amount by construction, each with a harmless twin, and the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from alc_core.arrays import BoolArray, FloatArray, IntArray
from alc_core.errors import InputError, ParameterError
from alc_core.releases.samples.perturbed import swap_columns, with_noise
from benchmarks.people import made_up_people

NOBODY = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draft:
    """A release as a leak makes it, with where its records come from."""

    release: pd.DataFrame
    # Of some people, in rows, which records, in columns, were made from them
    own: Callable[[IntArray], BoolArray]
    matched: tuple[str, ...]  # Known columns whose values in own records are the person's
    shown: pd.DataFrame  # The people as the release would show them, to match records with


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Truth:
    """Who could be told what, for every person of the original.

    A reader who knows all but the unknown value looks for the records that agree with a person in
    the most known columns and believes what most of them say; between equally many, chance decides.
    """

    linked: BoolArray  # A record made from this person is among those
    right: FloatArray  # The chance that the reader is right about the person
    agreed: FloatArray  # The share of these records that say what most of them do
    guessed: FloatArray  # The chance that the best guess from as many other people is right

    @property
    def told(self) -> BoolArray:
        """Return who can be told their value from records of their own."""
        told: BoolArray = self.linked & (self.right == 1)
        return told

    @property
    def certainty(self) -> float:
        """Share of the linked people who are told rightly; 0 where nobody is linked."""
        return float(self.right[self.linked].mean()) if self.linked.any() else 0.0

    @property
    def exposed(self) -> int:
        """People exposed: told and not guessed, less those misled whom the guess gets right.

        The reader believes records that agree enough for this to be farthest above chance, which
        is taken to be 2·√n of n people, or nobody.
        """
        agreed, gain = self.agreed[self.linked], (self.right - self.guessed)[self.linked]
        believed = (gain[agreed >= least] for least in np.unique(agreed))
        best = max(believed, key=lambda each: each.sum() - 2 * len(each) ** 0.5, default=gain)
        return max(round(float(best.sum())), 0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeakCase:
    """A release to judge, and what is true of it."""

    leak: str
    level: float
    harmless: bool  # Whether it is the twin: made in the same way from people not in the original
    seed: int
    original: pd.DataFrame
    control: pd.DataFrame  # As many people who are in neither original nor release
    release: pd.DataFrame
    known: tuple[str, ...]
    unknown: str
    truth: Truth


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Task:
    people: pd.DataFrame  # From whom the release is made
    strangers: pd.DataFrame  # As many others
    known: tuple[str, ...]
    unknown: str
    level: float
    rng: np.random.Generator

    def own_rows(self, keep: BoolArray) -> Draft:
        """Release these people's rows as they are, and strangers in place of all others."""
        people, count = np.flatnonzero(keep), len(self.people)
        others = self.strangers.iloc[: count - len(people)]
        rows = pd.concat([self.people.iloc[people], others], ignore_index=True)
        made_from = np.full(count, NOBODY)
        made_from[: len(people)] = people
        return self.draft(rows, made_from)

    def draft(self, release: pd.DataFrame, made_from: IntArray, **other: Any) -> Draft:
        """Return records in random order, which were made from one person each, or from NOBODY."""
        order = self.rng.permutation(len(release))
        usual: dict[str, Any] = {
            "own": lambda people: people[:, None] == made_from,
            "matched": self.known,
            "shown": self.people,
        }
        given = {**usual, **other}
        own = given.pop("own")
        return Draft(
            release=release[[*self.known, self.unknown]].iloc[order].reset_index(drop=True),
            own=lambda people: own(people)[:, order],
            **given,
        )


def _verbatim(task: _Task) -> Draft:
    count = len(task.people)
    return task.own_rows(task.rng.permutation(count) < round(task.level * count))


def _rare(task: _Task) -> Draft:
    values = task.people[task.unknown]
    return task.own_rows(values.map(values.value_counts(normalize=True)).to_numpy() < task.level)


def _subgroup(task: _Task) -> Draft:
    shares = {
        (column, value): share
        for column in task.known
        for value, share in task.people[column].value_counts(normalize=True).items()
    }
    column, value = min(shares, key=lambda group: abs(shares[group] - task.level))
    return task.own_rows((task.people[column] == value).to_numpy())


def _columns(task: _Task) -> Draft:
    number = max(round(task.level * len(task.known)), 1)
    kept = tuple(task.rng.permutation(list(task.known))[:number].tolist())
    release = task.strangers.copy()
    for column in (*kept, task.unknown):
        release[column] = task.people[column].to_numpy()
    return task.draft(release, np.arange(len(release)), matched=kept)


def _overfit(task: _Task) -> Draft:
    count, most = len(task.people), min(int(task.level), len(task.people))
    columns = [*task.known, task.unknown]
    near = _nearest(task.people, columns, most)
    donors = near[np.arange(count)[:, None], task.rng.integers(0, most, (count, len(columns)))]
    release = pd.DataFrame(
        {
            column: task.people[column].to_numpy()[donors[:, place]]
            for place, column in enumerate(columns)
        }
    )
    member = np.zeros((count, count), dtype=bool)
    member[np.arange(count)[:, None], near] = True
    return task.draft(release, np.arange(count), own=lambda people: member[:, people].T)


def _swapped(task: _Task) -> Draft:
    seed = int(task.rng.integers(2**31))
    return task.draft(swap_columns(task.people, task.level, seed=seed), np.arange(len(task.people)))


def _coarsened(task: _Task) -> Draft:
    shown = task.people.copy()
    for column in task.known:
        if pd.api.types.is_numeric_dtype(shown[column]):
            shown[column] = _middles(shown[column], int(task.level))
    return task.draft(shown, np.arange(len(shown)), shown=shown)


def _noisy(task: _Task) -> Draft:
    """Count people in every combination of values, add noise, and write as many rows."""
    columns = [*task.known, task.unknown]
    coded = [pd.factorize(task.people[column], sort=True) for column in columns]
    sizes = [len(values) for _, values in coded]
    cell = np.ravel_multi_index([codes for codes, _ in coded], sizes)
    exact = np.bincount(cell, minlength=int(np.prod(sizes))).astype(np.float64)
    (noisy,) = with_noise([exact], task.level, task.rng)
    rows = np.repeat(np.arange(len(noisy)), np.maximum(noisy, 0).astype(np.int64))
    places = np.unravel_index(rows, sizes)
    release = pd.DataFrame(
        {
            column: np.asarray(values)[place]
            for column, (_, values), place in zip(columns, coded, places, strict=True)
        }
    )
    # Records are made from all who share their known values; of combinations that nobody has, from
    # nobody.
    known = cell // sizes[-1]
    return task.draft(release, rows, own=lambda people: known[people, None] == rows // sizes[-1])


def _few_values(task: _Task) -> tuple[str, ...]:
    """Keep numbers, which are coarsened, and what has few values anyway."""
    table, known = task.people, task.known
    numeric = pd.api.types.is_numeric_dtype
    return tuple(c for c in known if numeric(table[c]) or table[c].nunique() <= FEW_VALUES)


def _countable(task: _Task) -> tuple[str, ...]:
    """Take the columns with the most values whose combinations can still be counted."""
    values = task.people[[*task.known, task.unknown]].nunique()
    cells, taken = int(values[task.unknown]), []
    for column in values[list(task.known)].sort_values(ascending=False, kind="stable").index:
        if values[column] <= MANY_VALUES and cells * values[column] <= MOST_CELLS:
            cells *= int(values[column])
            taken.append(column)
    return tuple(column for column in task.known if column in taken)


@dataclass(frozen=True, slots=True)
class Leak:
    """A way to leak at known levels."""

    make: Callable[[_Task], Draft]
    levels: tuple[float, ...]  # From much to little
    meaning: str  # What a level says
    known: Callable[[_Task], tuple[str, ...]] = lambda task: task.known
    # Whether the unknown column is a number that is told, and judged, in so many classes
    classes: bool = False


FEW_VALUES = 5
MANY_VALUES, MOST_CELLS = 50, 70_000

# By name
LEAKS: Mapping[str, Leak] = {
    "verbatim": Leak(
        _verbatim, (1, 0.5, 0.25, 0.1, 0.05, 0.02), "share of the people whose rows are released"
    ),
    "columns": Leak(_columns, (0.7, 0.5, 0.3), "share of the known columns that are the person's"),
    "rare values": Leak(_rare, (0.1, 0.05, 0.02), "share below which values are released"),
    "subgroup": Leak(_subgroup, (0.25, 0.1, 0.03), "share of the group whose rows are released"),
    "class of a number": Leak(
        lambda task: _verbatim(replace(task, level=1)), (5, 3, 2),
        "classes of the number that are released", classes=True,
    ),
    "overfit": Leak(_overfit, (1, 2, 3, 5, 10, 50), "nearest people that a record is mixed from"),
    "swapped": Leak(_swapped, (0.05, 0.1, 0.2, 0.5, 0.8), "share of each column's values swapped"),
    "coarsened": Leak(_coarsened, (20, 10, 5, 3, 2), "ranges of each number", known=_few_values),
    "noisy counts": Leak(_noisy, (10, 5, 3, 1), "epsilon of the counts", known=_countable),
}  # fmt: skip


def leak_cases(
    table: pd.DataFrame | None = None,
    *,
    unknowns: Sequence[str] = ("condition", "marital_status"),
    number: str | None = "income",
    size: int = 3000,
    seed: int = 0,
    leaks: Mapping[str, Sequence[float]] | None = None,
) -> Iterator[LeakCase]:
    """Make releases that leak a known amount, each followed by its harmless twin, and the truth.

    The `table` is of any people without empty cells, at least four times `size`; by default people
    are made up (:func:`made_up_people`). `size` people are in the original, and as many records in
    most releases. A leak tells one of the `unknowns` at a time, all other columns being known, or
    classes of `number`; None leaves that leak out. `leaks` are names in :data:`LEAKS` with the
    levels wanted, by default all. Same table and seed, same cases.
    """
    chosen = {name: leak.levels for name, leak in LEAKS.items()} if leaks is None else dict(leaks)
    if unknown_names := [name for name in chosen if name not in LEAKS]:
        raise ParameterError(
            f"There is no leak '{unknown_names[0]}'. Choose from: {', '.join(LEAKS)}."
        )
    if size < LEAST_PEOPLE:
        raise ParameterError(f"size must be at least {LEAST_PEOPLE}, but is {size}.")
    everybody = _everybody(table, size, seed)
    asked = [*unknowns, *([number] if number else [])]
    if absent := [column for column in asked if column not in everybody]:
        raise InputError(
            f"Column '{absent[0]}' is missing from the table. It has: "
            f"{', '.join(map(str, everybody.columns))}."
        )
    guesses: dict[tuple[Any, ...], FloatArray] = {}
    for place, (name, leak) in enumerate(LEAKS.items()):
        for of in ([number] if number else []) if leak.classes else unknowns:
            for level in chosen.get(name, ()):
                told = _in_classes(everybody, of, int(level)) if leak.classes else everybody
                parts = [
                    told.iloc[first : first + size].reset_index(drop=True)
                    for first in range(0, 4 * size, size)
                ]
                original, control, others, strangers = parts
                everything = tuple(str(column) for column in told if column != of)
                for harmless in (False, True):
                    task = _Task(
                        people=others if harmless else original,
                        strangers=strangers,
                        known=everything,
                        unknown=of,
                        level=level,
                        rng=np.random.default_rng([seed, place, round(1000 * level), harmless]),
                    )
                    known = leak.known(replace(task, people=original))
                    draft = leak.make(replace(task, known=known))
                    asked_before = (known, of, level if leak.classes else 0)
                    if asked_before not in guesses:
                        guesses[asked_before] = best_guess(told.iloc[size:], original, known, of)
                    guessed = guesses[asked_before]
                    yield LeakCase(
                        leak=name,
                        level=level,
                        harmless=harmless,
                        seed=seed,
                        original=original[[*known, of]],
                        control=control[[*known, of]],
                        release=draft.release,
                        known=known,
                        unknown=of,
                        truth=true_of(draft, original, of, guessed, harmless=harmless),
                    )


LEAST_PEOPLE = 35
_MOST_DRAWS = 5


def _everybody(table: pd.DataFrame | None, size: int, seed: int) -> pd.DataFrame:
    if table is None:
        return made_up_people((_MOST_DRAWS + 1) * size, seed=seed)
    if len(table) < 4 * size:
        raise InputError(
            f"The table has {len(table)} rows, but {4 * size} are needed: {size} people of the "
            "original, a control and two tables of strangers. Choose a smaller size."
        )
    if empty := [str(column) for column in table if table[column].isna().any()]:
        raise InputError(
            f"Column '{empty[0]}' of the table has empty cells. Leave these rows out, or fill them."
        )
    return table.sample(frac=1, random_state=seed, ignore_index=True)


def _in_classes(table: pd.DataFrame, column: str, classes: int) -> pd.DataFrame:
    """Cut a number into classes of as many people each."""
    places = pd.qcut(table[column], classes, labels=False, duplicates="drop")
    names = np.array([f"class {number + 1}" for number in range(classes)], dtype=object)
    return table.assign(**{column: names[places.to_numpy()]})


def _middles(values: pd.Series, ranges: int) -> pd.Series:
    """Put numbers into ranges of equal width and return the middles; of whole numbers, of theirs.

    Everybody is nearer to the middle of the own range than to any other.
    """
    low, high = values.min(), values.max()
    edges = np.linspace(low, high, ranges + 1)
    if pd.api.types.is_integer_dtype(values):
        edges = np.ceil(edges)
        middles = (edges[:-1] + np.append(edges[1:-1] - 1, high)) / 2
    else:
        middles = (edges[:-1] + edges[1:]) / 2
    place = np.searchsorted(edges[1:-1], values, side="right")
    return pd.Series(middles[place], index=values.index)


def _nearest(table: pd.DataFrame, columns: Sequence[str], most: int) -> IntArray:
    """Return for each person the nearest ones by Gower distance, the person among them."""
    distance = np.zeros((len(table), len(table)), dtype=np.float32)
    for column in columns:
        values = table[column]
        if pd.api.types.is_numeric_dtype(values):
            numbers = values.to_numpy(dtype=np.float32)
            distance += np.abs(numbers[:, None] - numbers) / (np.ptp(numbers) or 1)
        else:
            codes = pd.factorize(values)[0]
            distance += codes[:, None] != codes
    np.fill_diagonal(distance, -1)
    return np.argpartition(distance, most - 1, axis=1)[:, :most]


def best_guess(
    others: pd.DataFrame, people: pd.DataFrame, known: Sequence[str], unknown: str
) -> FloatArray:
    """Return each person's chance that a guess learned from as many other people is right.

    The mean over several draws of so many; the model is the one that is right most often about the
    others.
    """
    from sklearn.compose import make_column_transformer
    from sklearn.dummy import DummyClassifier
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

    numbers = [c for c in known if pd.api.types.is_numeric_dtype(others[c])]
    words = [c for c in known if c not in numbers]
    others, people = (each.astype(dict.fromkeys(words, str)) for each in (others, people))
    in_order = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    apart = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    models = [
        make_pipeline(make_column_transformer((encoder, words), (StandardScaler(), numbers)), model)
        for encoder, model in (
            (in_order, HistGradientBoostingClassifier(random_state=0, max_iter=40, max_depth=3)),
            (apart, RandomForestClassifier(random_state=0, min_samples_leaf=3)),
            (apart, LogisticRegression(max_iter=1000)),
        )
    ]
    draws = min(len(others) // len(people), _MOST_DRAWS)
    parts = [others.iloc[place * len(people) :][: len(people)] for place in range(draws)]
    asked, chance, score = [*known], np.zeros((len(models), len(people))), np.zeros(len(models))
    truth = people[unknown].astype(str)
    for learned, next_ones in zip(parts, [*parts[1:], parts[0]], strict=True):
        values, theirs = (each[unknown].astype(str) for each in (learned, next_ones))
        for place, usual in enumerate(models):
            model = usual if len(values.unique()) > 1 else DummyClassifier()
            model.fit(learned[asked], values)
            chance[place] += (model.predict(people[asked]) == truth) / draws
            score[place] += np.mean(model.predict(next_ones[asked]) == theirs)
    best: FloatArray = chance[score.argmax()]
    return best


def true_of(
    draft: Draft, original: pd.DataFrame, unknown: str, guessed: FloatArray, *, harmless: bool
) -> Truth:
    """Read the release as a reader does who knows all but the unknown value."""
    release, count = draft.release, len(original)
    values = pd.Index(pd.concat([original[unknown], release[unknown]]).unique())
    own, said = map(values.get_indexer, (original[unknown], release[unknown]))
    linked, (right, agreed) = np.zeros(count, dtype=bool), np.zeros((2, count))
    coded = []
    for column in draft.matched:
        both = pd.concat([draft.shown[column], release[column]], ignore_index=True)
        coded.append(np.split(pd.factorize(both)[0], [count]))
    for some in [] if harmless else np.array_split(np.arange(count), -(-count // _AT_ONCE)):
        agree = sum(
            (people[some, None] == records[None, :]).astype(np.int8) for people, records in coded
        )
        closest = agree == np.max(agree, axis=1, keepdims=True)
        linked[some] = (closest & draft.own(some)).any(axis=1)
        votes = np.stack([closest[:, said == value].sum(axis=1) for value in range(len(values))])
        most, each = votes == votes.max(axis=0), np.arange(len(some))
        right[some] = most[own[some], each] / most.sum(axis=0)
        agreed[some] = votes.max(axis=0) / closest.sum(axis=1)
    return Truth(linked=linked, right=right, agreed=agreed, guessed=guessed)


_AT_ONCE = 500
