"""A survey of households: what is said of the dwelling is the same for all who live there."""

import numpy as np
import pandas as pd

DWELLING = ("region", "dwelling", "rooms", "income", "persons")


def survey(*, households: int = 800, seed: int = 1) -> pd.DataFrame:
    """Return a row per person, in random order."""
    rng = np.random.default_rng(seed)
    size = rng.choice([1, 2, 3, 4, 5], households, p=[0.06, 0.4, 0.24, 0.2, 0.1])
    home = np.repeat(np.arange(households), size)
    n = len(home)
    age = rng.integers(0, 90, n)
    job = np.where(age < 15, 0, rng.integers(1, 15, n))
    people = pd.DataFrame({
        "region": rng.integers(0, 20, households)[home],
        "age": age,
        "dwelling": rng.choice(["flat", "house", "farm"], households, p=[0.6, 0.3, 0.1])[home],
        "sex": rng.choice(["f", "m"], n),
        "rooms": rng.poisson(3, households)[home],
        "school": np.where(age < 15, 0, rng.integers(1, 8, n)),
        "income": np.round(np.exp(rng.normal(10.5, 0.7, households)), -2)[home],
        "job": job,
        "branch": job // 3,
        "persons": size[home],
    })  # fmt: skip
    return people.sample(frac=1, random_state=seed).reset_index(drop=True)
