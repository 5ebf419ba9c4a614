"""A made-up register over time, in one kind of classes or in two."""

import numpy as np
import pandas as pd

ROWS, NEW = 8_000, 200
GROUP = 10


def register(rows=ROWS, seed=1, statuses=8):
    """Return people whose status depends on nothing; the last `NEW` of them are new."""
    draw = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": draw.integers(20, 80, rows),
            "sex": draw.choice(["F", "M"], rows),
            "area": [f"A{number}" for number in draw.integers(0, 7, rows)],
            "status": [f"S{number}" for number in draw.integers(0, statuses, rows)],
        }
    )


def shuffled(frame, seed=2):
    return frame.sample(frac=1, random_state=seed).reset_index(drop=True)


def banded(people):
    """Return people with their ages in bands of three years."""
    low = people["age"] // 3 * 3
    return people.assign(age=low.astype(str) + "-" + (low + 2).astype(str))


def quarters(*, harmless=False):
    """Return a register and its two quarters; if harmless, newcomers have strangers' statuses."""
    people = register()
    later = people.copy()
    if harmless:
        fresh = register(NEW, seed=9)["status"].to_numpy()
        later.loc[later.index[-NEW:], "status"] = fresh
    return people, shuffled(banded(people[:-NEW]), 3), shuffled(banded(later), 4)


def classes(*, harmless=False):
    """Return a register and two releases of it in groups of ten: of ages, and of areas.

    If harmless, the second one has another draw of the statuses.
    """
    people = register(2_000, seed=5, statuses=100)
    other = register(2_000, seed=6, statuses=100)["status"] if harmless else people["status"]
    return (
        people,
        _grouped(people, inside="area", along="age"),
        _grouped(people.assign(status=other), inside="age", along="area"),
    )


def _grouped(people, *, inside, along):
    parts = []
    for _, part in people.sort_values(along).groupby(["sex", inside]):
        groups = np.minimum(np.arange(len(part)) // GROUP, max(len(part) // GROUP - 1, 0))
        parts += [_labelled(rows, along) for _, rows in part.groupby(groups)]
    return shuffled(pd.concat(parts))


def _labelled(rows, along):
    values = sorted(rows[along].unique())
    if len(values) == 1:
        return rows.assign(**{along: str(values[0])})
    if along == "age":
        return rows.assign(age=f"{values[0]}-{values[-1]}")
    return rows.assign(area="{" + ", ".join(values) + "}")
