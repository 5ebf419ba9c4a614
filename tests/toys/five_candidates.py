"""Five candidates of one survey, as a data protection officer may get them, and their original.

What each gives away is planted: A is synthetic, B holds 40% of the original's rows and strangers,
C strangers only, D is coarsened, and E has 15% of each column swapped, in the original's order.
"""

import numpy as np
import pandas as pd

from tests.toys.survey import make_survey

VERBATIM, SWAPPED = 0.4, 0.15


def original(n: int = 6_000, *, seed: int = 26) -> pd.DataFrame:
    """Return the original: a survey with codes as names of its columns."""
    return make_survey(n, seed)


def candidates(people: pd.DataFrame, *, seed: int = 26) -> dict[str, pd.DataFrame]:
    """Return the five candidates by letter."""
    strangers = make_survey(len(people), seed + 1)
    return {
        "A": synthetic(people, seed),
        "B": verbatim_and_strangers(people, strangers, seed),
        "C": strangers,
        "D": coarsened(people),
        "E": swapped_in_order(people, seed),
    }


def synthetic(people: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Draw each value from people of the same age and, by chance, of the value drawn before."""
    rng = np.random.default_rng(seed)
    made = pd.DataFrame({"AGEP": rng.choice(people["AGEP"], len(people))})
    band, own = made["AGEP"] // 5, people["AGEP"] // 5
    for column in people.columns.drop("AGEP"):
        drawn = np.empty(len(made), dtype=object)
        for each in band.unique():
            rows = np.flatnonzero(band == each)
            drawn[rows] = rng.choice(people[column][own == each].to_numpy(), len(rows))
        made[column] = pd.Series(drawn).astype(people[column].dtype)
    return made[people.columns]


def verbatim_and_strangers(
    people: pd.DataFrame, strangers: pd.DataFrame, seed: int
) -> pd.DataFrame:
    """Keep some rows as they are, take strangers for the rest, and shuffle all."""
    kept = people.sample(frac=VERBATIM, random_state=seed)
    rest = strangers.head(len(people) - len(kept))
    return pd.concat([kept, rest]).sample(frac=1, random_state=seed).reset_index(drop=True)


def coarsened(people: pd.DataFrame) -> pd.DataFrame:
    """Give age in bands and income in classes, in another order."""
    age = people["AGEP"] // 20 * 20
    income = pd.to_numeric(people["PINCP"], errors="coerce")
    edges = [0, 1, 10_000, 20_000, 40_000, 80_000, 10_000_000]
    classes = pd.cut(income, edges, right=False)
    words = ["0", *(f"{edges[i]}-{edges[i + 1] - 1}" for i in range(1, len(edges) - 1))]
    code = classes.cat.rename_categories(words).astype(object).where(income.notna(), "N")
    made = people.assign(AGEP=age.astype(str) + "-" + (age + 19).astype(str), PINCP=code)
    return made.sample(frac=1, random_state=1).reset_index(drop=True)


def swapped_in_order(people: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Permute some values of each column, and keep the order of the rows."""
    rng = np.random.default_rng(seed)
    made = people.copy()
    for column in made:
        rows = np.flatnonzero(rng.random(len(made)) < SWAPPED)
        made.loc[rows, column] = made[column].to_numpy()[rng.permutation(rows)]
    return made
