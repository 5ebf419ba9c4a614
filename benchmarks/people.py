"""Made-up people whose facts depend on each other, as many as are wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alc_core.arrays import FloatArray, IntArray
from alc_core.errors import ParameterError

# Of the columns that are drawn already: of numbers the value, of words its place
Facts = Mapping[str, IntArray]
_WORDS: dict[str, Sequence[str]] = {
    "sex": ("female", "male"),
    "district": [f"district {number:02d}" for number in range(1, 25)],
    "education": ("none", "school", "vocational", "bachelor", "master"),
    "marital_status": ("single", "married", "divorced", "widowed"),
    "job": (
        "cleaner", "driver", "builder", "carer", "clerk", "seller", "nurse", "teacher",
        "engineer", "manager",
    ),
    "condition": (
        "none", "back pain", "high blood pressure", "depression", "asthma", "diabetes",
        "migraine", "heart disease", "epilepsy",
    ),
}  # fmt: skip
_NUMBERS = {
    "age": np.arange(18, 90),
    "children": np.arange(6),
    "hours": np.arange(0, 61),
    "income": np.arange(800, 9001, 20),
}
_SCHOOLING = np.array([0.2, 0.5, 1.5, 1.0, 1.2, 1.0, 2.2, 3.4, 3.3, 3.0])  # By job
_OF_WOMEN = np.array([0.6, -1.0, -1.6, 0.9, 0.4, 0.3, 1.1, 0.6, -0.9, -0.3])
_FREQUENT = np.array([0.0, 0.1, 0.3, 0.5, 0.0, 0.6, 0.2, 0.0, -0.1, 0.0])
_HOURS = np.array([24, 40, 40, 30, 36, 32, 36, 37, 40, 45])
_PAY = np.array([-0.30, -0.15, 0.0, -0.2, 0.0, -0.2, 0.05, 0.1, 0.35, 0.5])
_ILL = np.array([1.3, 0.7, -0.4, 0.3, 0.1, -0.9, 0.0, -1.9, -2.6])  # By condition
_OF_AGE = np.array([-0.9, 0.1, 1.0, -0.2, -0.5, 0.9, -0.5, 1.6, 0.0])
_OF_JOB = np.array([0.0, -0.35, 0.0, 0.3, 0.0, -0.15, 0.15, 0.0, 0.0])  # The heavier, the more


def _bell(values: FloatArray, middle: FloatArray | float, width: float) -> FloatArray:
    """Return log chances of values, a row for each middle."""
    logs: FloatArray = -0.5 * ((values[None, :] - np.reshape(middle, (-1, 1))) / width) ** 2
    return logs


def _marital_status(of: Facts) -> FloatArray:
    decades, woman = (of["age"] - 18) / 10, of["sex"] == 0
    widowed = -6 + 0.9 * decades + 0.6 * woman
    return np.column_stack([1.6 - 0.9 * decades, np.zeros_like(decades), -1.6 + 0.05 * decades,
                            widowed])  # fmt: skip


def _job(of: Facts) -> FloatArray:
    fits = _bell(_SCHOOLING, of["education"].astype(np.float64), 0.8)
    chances: FloatArray = fits + _FREQUENT + np.outer(of["sex"] == 0, _OF_WOMEN)
    return chances


def _children(of: Facts) -> FloatArray:
    middle = np.clip((of["age"] - 22) / 12, 0, 1.7) * np.where(of["marital_status"] == 0, 0.3, 1)
    return _bell(np.arange(6.0), middle, 1.0)


def _hours(of: Facts) -> FloatArray:
    fewer = np.where(of["age"] > 66, 22, 0) + 3 * of["children"] * (of["sex"] == 0)
    return _bell(_NUMBERS["hours"].astype(np.float64), _HOURS[of["job"]] - fewer, 6.0)


def _income(of: Facts) -> FloatArray:
    pay = 7.45 + _PAY[of["job"]] + 0.08 * of["education"] + 0.008 * (of["hours"] - 30)
    return _bell(np.log(_NUMBERS["income"]), pay + 0.004 * np.minimum(of["age"] - 40, 20), 0.25)


def _condition(of: Facts) -> FloatArray:
    older, heavier = (of["age"] - 45) / 15, 3 - of["education"]
    woman = of["sex"] == 0
    by_sex = np.array([0, 0, -0.2, 0.5, 0, -0.2, 1.0, -0.5, 0])
    return (
        _ILL
        + np.outer(older, _OF_AGE)
        - np.outer(heavier, _OF_JOB)
        + np.outer(woman, by_sex)
    )  # fmt: skip


# A column's log chances given those before it, up to a constant
_TENDENCIES: dict[str, Callable[[Facts], FloatArray]] = {
    "age": lambda _: _bell(_NUMBERS["age"].astype(np.float64), 42.0, 20.0),
    "sex": lambda _: np.zeros((1, 2)),
    "district": lambda _: -0.08 * np.arange(24.0)[None, :],
    "education": lambda of: _bell(
        np.arange(5.0), 2.6 - 0.018 * (of["age"] - 40) - 0.05 * (of["district"] % 7), 1.1
    ),
    "marital_status": _marital_status,
    "job": _job,
    "children": _children,
    "hours": _hours,
    "income": _income,
    "condition": _condition,
}


def made_up_people(count: int, *, seed: int = 0) -> pd.DataFrame:
    """Draw people who do not exist, each on their own.

    They have an age, sex, district, education, marital status, job, children, weekly hours, monthly
    income and an illness; each depends on some of those before it. Same count and seed, same
    people. Two seeds give strangers: tables that have nothing in common but what holds for
    everybody.
    """
    if count < 1:
        raise ParameterError(f"count must be at least 1, but is {count}.")
    rng = np.random.default_rng(seed)
    facts: dict[str, IntArray] = {}
    columns: dict[str, IntArray | NDArray[np.object_]] = {}
    for name, tendency in _TENDENCIES.items():
        chances = np.exp(tendency(facts))
        steps = np.cumsum(chances, axis=1) / chances.sum(axis=1, keepdims=True)
        place = (rng.random(count)[:, None] > steps).sum(axis=1)
        if name in _NUMBERS:
            facts[name] = columns[name] = _NUMBERS[name][place]
        else:
            facts[name] = place
            columns[name] = np.array(_WORDS[name], dtype=object)[place]
    return pd.DataFrame(columns)
